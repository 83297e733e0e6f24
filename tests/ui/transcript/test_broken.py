"""Mistakes of ours: one view that fails is one line, and the others stand."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.base import crash
from acp_tui.render.views.message import MessageView
from acp_tui.ui.detail.content import Whole
from acp_tui.ui.detail.marked import Marked
from acp_tui.ui.widgets import asked
from tests.store.seen import Fed
from tests.ui.driving import driving, words
from tests.ui.transcript.stage import stage, text


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
        await driven.until(lambda: driven.app.broken)
        assert len(list(crash.folder().iterdir())) == len(driven.app.broken) == 1
        driven.app.broken.clear()


@pytest.mark.anyio
async def test_it_is_reported_from_a_paint(monkeypatch: pytest.MonkeyPatch) -> None:
    """A paint runs as the screen: what the transcript posts then would not bubble up to the app."""
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello")
        await driven.until("you said hello")
        monkeypatch.setattr(MessageView, "draw", planted)
        driven.app.theme = "textual-light"
        await driven.until("agent message could not be shown")
        await driven.until(lambda: driven.app.broken)
        assert len(list(crash.folder().iterdir())) == len(driven.app.broken) == 1
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


@pytest.mark.anyio
@pytest.mark.parametrize(("owner", "method"), [(Marked, "draw"), (Whole, "parts"), (Whole, "step")])
async def test_what_the_detail_screen_cannot_show_has_its_facts(
    owner: type, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello")
        await driven.until("you said hello")
        monkeypatch.setattr(owner, method, planted)
        await driven.press("shift+tab", "end", "o")
        await driven.until("The agent's message")
        await driven.until(lambda: driven.app.broken)
        await driven.press("2")
        await driven.until("you said hello")
        await driven.press("escape")
        await driven.until(lambda: driven.chat)
        driven.app.broken.clear()
