"""Mistakes of ours: one view that fails is one line, anything else is one line on stderr and a report; no
traceback ever reaches the user.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.base import crash
from acp_tui.render.views.message import MessageView
from acp_tui.ui.widgets import asked
from tests.store.seen import Fed
from tests.ui.driving import driving, words
from tests.ui.terminal import terminal
from tests.ui.test_terminal import family, left
from tests.ui.transcript_stage import stage, text

BREAKING = str(Path(__file__).parent / "agents" / "breaking.py")


def planted(*_: Any, **__: Any) -> Any:
    raise RuntimeError("a planted mistake")


def three_messages() -> Fed:
    fed = Fed()
    for name in ("one", "two", "three"):
        fed("agent_message", messageId=name, content=[text(f"words of {name}")])
    return fed


@pytest.mark.anyio
@pytest.mark.parametrize("method", ["draw", "estimate", "related", "__init__"])
async def test_a_view_that_fails_is_one_line_and_the_others_stand(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = getattr(MessageView, method)

    def failing(self: MessageView, *arguments: Any) -> Any:
        entity = arguments[0] if method == "__init__" else self.entity
        return planted() if entity.key.id == "two" else sound(self, *arguments)

    monkeypatch.setattr(MessageView, method, failing)
    fed = three_messages()
    async with stage(fed) as play:
        shown = [row.strip() for row in play.rows() if row.strip()]
        assert shown == [
            "words of one",
            "✗ agent message could not be shown · o shows it raw",
            "words of three",
        ]
        assert len(play.transcript.broken) == 1
        await play.say("agent_message", "two", " and more")
        await play.press("tab", "home", "down", "enter", "y", "o")
        assert [key.id for key in play.app.got] == ["two"]
        assert len(play.transcript.broken) == 1
        monkeypatch.undo()
        await play.say("agent_message", "two", ", whole again")
        assert "words of two and more, whole again" in "\n".join(play.rows())
        play.transcript.broken.clear()


@pytest.mark.anyio
async def test_it_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with driving(words()) as driven:
        await driven.ready()
        monkeypatch.setattr(MessageView, "draw", planted)
        await driven.say("hello")
        await driven.until("agent message could not be shown")
        await driven.say("hello")
        await driven.until(lambda: driven.text().count("could not be shown") == 4)
        assert len(list(crash.folder().iterdir())) == 1
        driven.app.broken.clear()


@pytest.mark.anyio
async def test_a_request_that_cannot_be_drawn_can_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "request_lines", planted)
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("command=make")
        await driven.until("What is asked could not be shown")
        await driven.until("1 a Allow once")
        driven.app.broken.clear()


MISTAKES = (
    "in_a_key",
    "in_a_frame",
    "in_a_watcher",
    "in_the_agents_task",
    "in_the_input_thread",
    "in_the_start",
)


@pytest.mark.slow
@pytest.mark.parametrize("where", MISTAKES)
def test_a_mistake_ends_the_program_in_one_line(where: str) -> None:
    with terminal(where, *words("child"), program=(BREAKING,)) as running:
        running.until(lambda: "ready" in running.text() or running.ended())
        started = family(running.pid)
        if not running.ended():
            running.type("a draft\x14")  # Ctrl+T
        assert running.end() == 1
        reports = list(crash.folder().iterdir())
        assert len(reports) == 1
        assert left(started) == []
        said = " ".join(running.text().split())
        assert said.count("acp-tui: a mistake in acp-tui itself ended it (RuntimeError).") == 1
        assert reports[0].name in said.replace(" ", "")
        assert "Traceback" not in said and "locals" not in said
        kept = reports[0].read_text()
        assert "planted mistake" in kept
        assert "sesame12345" not in kept and "hidden in a variable" not in kept


@pytest.mark.slow
def test_what_was_being_written_is_kept() -> None:
    with terminal("in_a_key", *words(), program=(BREAKING,)) as running:
        running.until("ready")
        running.type("a draft")
        running.until("a draft")
        running.type("\x14")  # Ctrl+T
        assert running.end() == 1
    with terminal(*words()) as again:
        again.until("a draft")


@pytest.mark.slow
def test_an_error_nobody_waits_for_is_reported_and_not_seen() -> None:
    with terminal("in_the_loop", *words(), program=(BREAKING,)) as running:
        running.until("ready")
        running.type("\x1bOP")  # F1
        running.until(lambda: crash.folder().is_dir() and any(crash.folder().iterdir()))
        running.type("still here")
        running.until("still here")
        running.type("\x11")  # Ctrl+Q
        assert running.end() == 0
        assert "Traceback" not in running.text() and "planted" not in running.text()
