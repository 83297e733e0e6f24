"""One prompt without a screen: words to stdout, problems to stderr, how it ended in the exit status."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_tui.commands.headless.outcome import Status
from acp_tui.commands.run import USAGE
from acp_tui.journal.saved import joined
from acp_tui.journal.scanning import scan
from tests.commands.conftest import LIMIT, TOLD, WORDS, Place, Scripted, Starting

pytestmark = pytest.mark.slow

OPTIONS = [
    {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
    {"optionId": "ever", "name": "Never", "kind": "reject_always"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]
COMMAND = {"type": "command", "command": "make test", "cwd": "/"}


def steps(*parts: dict[str, Any]) -> str:
    return json.dumps(parts)


def permission(**fields: Any) -> dict[str, Any]:
    return {"ask": "session/request_permission", "title": "Run it?", "options": OPTIONS, **fields}


# Words


def test_the_words_of_the_answer_are_all_of_standard_output(scripted: Scripted, place: Place) -> None:
    thought = {
        "sessionUpdate": "agent_thought",
        "messageId": "t",
        "content": [{"type": "text", "text": "hm"}],
    }
    call = {"sessionUpdate": "tool_call_update", "toolCallId": "c", "title": "Look", "status": "completed"}
    done = scripted(
        steps({"say": "One *two*\n", "in": 1}, thought, call, {"say": "three ä€😀", "in": 2, "message": "n"}),
        "--",
        *TOLD,
    )
    assert (done.status, done.out, done.err) == (0, "One *two*\n\nthree ä€😀\n", "")
    assert place.living() == {}


def test_no_control_character_reaches_whoever_reads(scripted: Scripted) -> None:
    hostile = "a\x1b[31mred\x1b[0m\x07 \x1b]0;title\x1b\\\tb\r\n\u202ec\x9b2J\x7f\n\x1b]52;c;aGk=\x07done"
    for size in (1, 3, 1000):
        done = scripted(steps({"say": hostile, "in": size}), "--", *TOLD)
        assert (done.status, done.out) == (0, "ared \tb\nc\ndone\n")


def test_a_message_told_again_as_a_whole_is_not_written_twice(scripted: Scripted) -> None:
    whole = {
        "sessionUpdate": "agent_message",
        "messageId": "m",
        "content": [{"type": "text", "text": "One two."}],
    }
    done = scripted(steps({"say": "One two", "in": 2}, whole), "--", *TOLD)
    assert done.out == "One two.\n"


def test_remarks_go_to_standard_error_when_wanted(scripted: Scripted) -> None:
    done = scripted("plan touch=a hello", "-v", "--", *WORDS)
    assert done.out == "you said hello\n"
    *remarks, kept = done.err.splitlines()
    assert set(remarks) == {"plan: 1 of 3 done, now think hard", "✓ Touch a"}
    assert kept.startswith("saved as ")


# The prompt and the agent


def test_the_prompt_comes_through_the_pipe(scripted: Scripted) -> None:
    for words in (("-", "--", *WORDS), ("--", *WORDS)):
        assert scripted(*words, input="hello\n").out == "you said hello\n"


def test_what_is_piped_mentions_no_file(scripted: Scripted, tmp_path: Path) -> None:
    (tmp_path / "here").write_text("")
    assert scripted("--", *WORDS, input="blocks @here").out.endswith("you said text\n")
    assert scripted("blocks @here", "--", *WORDS).out.endswith("you said text+resource_link\n")


def test_an_agent_of_the_settings_comes_with_all_it_has_there(scripted: Scripted, tmp_path: Path) -> None:
    settings(tmp_path, f"[agents.mine]\ncommand = {json.dumps(WORDS)}\noptions = {{ model = 'big' }}")
    done = scripted("hello", "mine")
    assert (done.status, done.out) == (0, "you said hello\n")
    assert "there is no option “model”" in done.err
    assert scripted("mine", input="hello").out == "you said hello\n"


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (("hello", "there", "agent"), "the prompt is one word"),
        (("hello", "--"), "no command after it"),
        (("--jsn", "hello", "demo"), "unknown option --jsn"),
        (("--timeout", "soon", "hello", "demo"), "a number of seconds"),
        ((), "which agent"),
        (("", "demo"), "the prompt is empty"),
        (("-", "demo"), "the prompt is empty"),
        (("hello", "demo", "--cwd", "/no/such"), "no such folder"),
    ],
)
def test_mistakes(scripted: Scripted, words: tuple[str, ...], about: str) -> None:
    done = scripted(*words)
    assert (done.status, done.out) == (2, "")
    assert about in done.err and done.err.count("\n") == 1


# How it ended


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("end_turn", 0),
        ("error", 7),
        ("refusal", 8),
        ("max_tokens", 9),
        ("max_turn_requests", 10),
        ("_bored", 11),
        ("cancelled", 130),
    ],
)
def test_the_exit_status_is_the_stop_reason(scripted: Scripted, reason: str, status: int) -> None:
    done = scripted(steps({"say": "so far"}, {"stop": reason}), "--", *TOLD)
    assert (done.status, done.out) == (status, "so far\n")
    assert done.err.count("\n") == (0 if status == 0 else 1)
    assert ("no more money" in done.err) is (reason == "error")


def test_every_status_is_told() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    section = readme.partition("## Without a screen")[2].partition("\n## ")[0]
    for words in (USAGE, section):
        told = set(map(int, re.findall(r"\b\d+\b", words)))
        assert {int(status) for status in Status} | {129, 143} <= told


def test_agents_that_cannot_be_had(scripted: Scripted, place: Place) -> None:
    gone = scripted("hello", "--", "/no/such/agent")
    assert (gone.status, gone.err) == (3, "acp-tui: Cannot start /no/such/agent: there is no such file.\n")
    failed = scripted("hello", "--", *WORDS, "fail=3")
    assert failed.status == 3
    assert "exited with status 3" in failed.err and "cannot find my settings" in failed.err
    assert "\x1b" not in failed.err
    login = scripted("hello", "--", *WORDS, "login")
    assert login.status == 5
    assert "Authentication required" in login.err and "F12" in login.err and login.err.count("\n") == 1
    assert place.living() == {}


def test_an_agent_that_dies_or_refuses(scripted: Scripted) -> None:
    died = scripted("hello die=7", "--", *WORDS)
    assert (died.status, died.out) == (4, "you said hello\n")
    assert "exited with status 7" in died.err and "something broke" in died.err
    refused = scripted("refuse", "--", *WORDS)
    assert (refused.status, refused.err) == (6, "acp-tui: the agent refused the prompt: not now\n")


def test_an_agent_that_reports_no_state_is_waited_for_a_while(scripted: Scripted) -> None:
    done = scripted(steps({"quiet": True}, {"say": "words"}), "--", *TOLD)
    assert (done.status, done.out) == (11, "words\n")
    assert "never said that it works" in done.err


# Requests, where nobody can be asked


def test_what_nobody_can_be_asked_is_rejected_and_said(scripted: Scripted) -> None:
    done = scripted(steps(permission(subject=COMMAND)), "--", *TOLD)
    assert (done.status, done.err) == (12, "acp-tui: rejected, for there is nobody to ask: Run it?\n")
    assert json.loads(done.out) == {"outcome": {"outcome": "selected", "optionId": "no"}}
    done = scripted(steps(permission(options=OPTIONS[:2])), "--", *TOLD)
    assert json.loads(done.out) == {"outcome": {"outcome": "cancelled"}}, "nothing that holds for longer"
    form = {"mode": "form", "message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}
    done = scripted(steps({"ask": "elicitation/create", **form}), "--", *TOLD)
    assert (done.status, done.err) == (12, "acp-tui: declined, for there is nobody to ask: Who?\n")
    assert json.loads(done.out) == {"action": "decline"}


def test_rules_of_the_settings_answer(scripted: Scripted, tmp_path: Path) -> None:
    settings(tmp_path, '[[permissions.rules]]\nanswer = "allow"\ncommand = "make test"\nfolder = "/"')
    done = scripted(steps(permission(subject=COMMAND)), "-v", "--", *TOLD)
    assert done.status == 0
    assert json.loads(done.out)["outcome"]["optionId"] == "yes"
    assert "your rule “allow command make test in /”" in done.err


# JSON, and what is kept


def test_json_is_what_the_agent_told_and_how_it_ended(scripted: Scripted, tmp_path: Path) -> None:
    done = scripted(steps({"say": "a\x1b\x7f\x9bä", "in": 2}), "--json", "--", *TOLD)
    assert done.out.isascii() and all(line.isprintable() for line in done.out.splitlines())
    *updates, last = done.lines
    assert {update["sessionId"] for update in updates} == {"one"}
    said = [update["update"] for update in updates]
    assert [one["content"]["text"] for one in said if "content" in one] == ["a\x1b", "\x7f\x9b", "ä"]
    (kept,) = saved(tmp_path)
    assert last == {
        "stopReason": "end_turn", "sessionId": "one", "saved": kept, "status": 0, "error": None
    }  # fmt: skip


def test_json_ends_with_how_it_failed(scripted: Scripted) -> None:
    done = scripted("x", "--json", "--", "/no/such")
    assert (done.status, done.lines[-1]["status"], done.lines[-1]["saved"]) == (3, 3, None)
    assert "no such file" in done.lines[-1]["error"]


def settings(folder: Path, text: str) -> None:
    (folder / "config").mkdir()
    (folder / "config" / "config.toml").write_text(text)


def saved(folder: Path) -> list[str]:
    journals = sorted((folder / "state" / "journal").glob("*/*.ndjson"))
    return [one.id for one in joined((path, scan(path)) for path in journals)]


# Ends from outside


def until(process: subprocess.Popen[bytes], text: bytes) -> bytes:
    """Read until this was written."""
    assert process.stdout is not None
    data = b""
    while text not in data:
        more = os.read(process.stdout.fileno(), 4096)
        assert more, data
        data += more
    return data


def test_the_first_interrupt_cancels(starting: Starting, place: Place) -> None:
    process = starting("hello wait", "--", *WORDS, "child")
    until(process, b"hello")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, out, err) == (130, b"\n", b"acp-tui: cancelled\n")
    assert place.living() == {}


def test_the_second_interrupt_ends_everything(starting: Starting, place: Place) -> None:
    process = starting("hello deaf", "--", *WORDS, "child")
    until(process, b"hello")
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    while process.poll() is None:  # both may have come as one
        process.send_signal(signal.SIGINT)
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            continue
    assert process.returncode == 130
    assert place.living() == {}


@pytest.fixture
def hangup() -> Iterator[None]:
    """What is started is told of the end of its terminal, even if the tests are not; or as a test has it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


def test_after_nohup_the_end_of_the_terminal_does_not_end_it(
    starting: Starting, place: Place, hangup: None
) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    process = starting("hello deaf", "--", *WORDS, "child")
    until(process, b"hello")
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LIMIT)
    assert process.returncode == 128 + signal.SIGTERM
    assert place.living() == {}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it_cleanly(
    starting: Starting, place: Place, hangup: None, number: signal.Signals
) -> None:
    process = starting("hello deaf", "--", *WORDS, "child")
    until(process, b"hello")
    process.send_signal(number)
    _, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, err.count(b"\n")) == (128 + number, 1)
    assert place.living() == {}


def test_a_signal_while_it_loads_leaves_nothing_behind(starting: Starting, place: Place) -> None:
    process = starting("hello deaf", "--", *WORDS, "child")
    while len(place.living()) < 2:
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LIMIT)
    assert process.returncode == 143
    assert place.living() == {}


def test_closed_outputs_are_no_place_for_the_journal(place: Place, tmp_path: Path) -> None:
    command = shlex.join([sys.executable, "-m", "acp_tui", "run", "hello", "--", *WORDS])
    env = place.env
    done = subprocess.run(f"{command} <&- >&- 2>&-", shell=True, cwd=tmp_path, env=env, timeout=LIMIT)
    assert done.returncode == 0
    assert len(saved(tmp_path)) == 1


def test_nothing_of_the_screen_is_loaded() -> None:
    code = "import sys, acp_tui.commands.headless.program as p; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = {name.partition(".")[0] for name in loaded.stdout.split()}
    assert not found.intersection({"textual", "markdown_it", "pygments", "sqlite3", "tomlkit"})


def test_time_is_up(scripted: Scripted, place: Place) -> None:
    done = scripted("hello wait", "--timeout", "4", "--", *WORDS, "child")
    assert (done.status, done.err) == (124, "acp-tui: the time is over\n")
    assert place.living() == {}


def test_a_reader_that_goes_away_ends_it(starting: Starting, place: Place, tmp_path: Path) -> None:
    go = tmp_path / "go"
    os.mkfifo(go)
    process = starting("hello await=go more wait", "--", *WORDS, "child")
    until(process, b"hello")
    assert process.stdout is not None
    process.stdout.close()
    go.write_text("")
    assert process.wait(LIMIT) == 141
    assert place.living() == {}


def test_a_reader_that_never_reads_keeps_nobody_from_cancelling(starting: Starting, place: Place) -> None:
    process = starting(steps(*({"say": "x" * 10_000},) * 9, {"mute": True}), "--", *TOLD)
    until(process, b"x")
    process.send_signal(signal.SIGTERM)
    assert process.wait(LIMIT) == 143
    assert place.living() == {}
