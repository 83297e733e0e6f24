"""A prompt without a screen, said in a session that is there already."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acp_tui.base.lock import Lock
from acp_tui.commands.headless.outcome import Status
from acp_tui.commands.mistake import Mistake
from acp_tui.commands.run import read
from tests.commands.conftest import Place, Scripted
from tests.ui.acting import acting, chunk, heard, says, state, text

pytestmark = pytest.mark.slow

DONE = [state("running"), says("the answer"), state("idle", "end_turn")]
MORE = [state("running"), says("more", "m2"), state("idle", "end_turn")]
SAID = {"sessionUpdate": "user_message", "messageId": "u0", "content": [text("one")]}
ACCEPTED = [SAID, {"result": {"messageId": "u0"}}]


@pytest.fixture
def spoken(scripted: Scripted, tmp_path: Path) -> tuple[str, ...]:
    """One prompt was said and answered; the agent's command."""
    command = acting(tmp_path, {"say one": [*ACCEPTED, *DONE]})
    assert scripted("one", "--", *command).status == 0
    (tmp_path / "script.heard").write_text("")
    return command


def agent_does(folder: Path, resume: list[Any], **on: Any) -> None:
    acting(folder, {"session/resume": resume, "say two": MORE, **on})


def saved(scripted: Scripted, *words: str) -> Any:
    """The last line of a run with these."""
    return scripted(*words, "--json").lines[-1]


def test_it_goes_on_where_it_was_and_only_what_is_new_is_written(
    scripted: Scripted, spoken: tuple[str, ...], tmp_path: Path
) -> None:
    agent_does(tmp_path, [SAID, chunk("the answer"), state("idle"), {"result": {}}])
    done = scripted("--continue", "two", "-v")
    assert (done.status, done.out) == (0, "more\n")
    [asked] = heard(tmp_path, "session/resume")
    assert asked["params"] == {"sessionId": "s1", "cwd": str(tmp_path), "replayFrom": {"type": "start"}}
    id = done.err.split("saved as ")[1].strip()
    told = scripted("--resume", id[:6], "--json", "-", input="two").lines
    assert told[0]["update"]["sessionUpdate"] == "user_message"
    assert not [one for one in told if "the answer" in json.dumps(one)]
    assert (told[-1]["saved"], told[-1]["stopReason"], told[-1]["sessionId"]) == (id, "end_turn", "s1")


@pytest.mark.parametrize(
    ("resume", "words", "status", "said"),
    [
        ([state("idle"), {"result": {}}], (), 0, "The agent remembers 0 of 2 messages"),
        ([{"result": {}}], ("--no-replay",), 0, ""),
        ([{"error": {"code": -32602, "message": "no replay"}}], (), Status.REFUSED, "no replay; --no-replay"),
        (
            [{"error": {"code": -32002, "message": "no such session"}}],
            (),
            Status.REFUSED,
            "does not go on with the session: no such session",
        ),
    ],
)
def test_what_the_agent_makes_of_it_is_said(
    scripted: Scripted,
    spoken: tuple[str, ...],
    tmp_path: Path,
    resume: list[Any],
    words: tuple[str, ...],
    status: int,
    said: str,
) -> None:
    agent_does(tmp_path, resume)
    done = scripted("--continue", *words, "two", "--timeout", "20")
    assert (done.status, done.out) == (status, "" if status else "more\n"), done.err
    assert said in done.err
    [asked] = heard(tmp_path, "session/resume")
    assert ("replayFrom" in asked["params"]) is (not words)
    assert bool(heard(tmp_path, "session/prompt")) is (not status)


def test_what_is_in_the_way_is_said_and_nothing_is_started(
    scripted: Scripted, spoken: tuple[str, ...], tmp_path: Path, place: Place
) -> None:
    agent_does(tmp_path, [state("idle"), {"result": {}}])
    id = saved(scripted, "--continue", "two")["saved"]
    (tmp_path / "script.heard").write_text("")
    lock = Lock(tmp_path / "state" / "locks" / f"{id}.lock")
    assert lock.take() is None
    done = scripted("--resume", id, "two")
    assert done.status == Status.REFUSED and "open in another acp-tui, pid" in done.err
    lock.release()
    done = scripted("--resume", id, "two", "--", "/not/there")
    assert done.status == Status.REFUSED and "not there any more: /not/there" in done.err
    assert scripted("--resume", "ffff", "two").status == Status.MISTAKE
    assert heard(tmp_path) == [] and place.living() == {}
    assert saved(scripted, "--resume", id, "two")["status"] == 0, "the lock was given up"


@pytest.mark.parametrize(
    ("words", "prompt", "agent"),
    [
        (["--continue", "go on"], "go on", ()),
        (["--continue", "go on", "codex"], "go on", ("codex",)),
        (["--resume=1a2b", "go on", "--", "x", "y"], "go on", ("x", "y")),
        (["--resume", "1a2b"], None, ()),
    ],
)
def test_a_session_has_its_agent_already(
    words: list[str], prompt: str | None, agent: tuple[str, ...]
) -> None:
    found = read(words, piped=True)
    assert (found.prompt, found.agent) == (prompt, agent)


def test_words_that_do_not_go_together() -> None:
    for words in (["--no-replay", "go", "x"], ["--resume"]):
        with pytest.raises(Mistake):
            read(words, piped=False)
