"""When what waits takes the focus: in the moment it appears or once nobody writes, never from a text."""

from __future__ import annotations

import json

import pytest

from acp_tui.ui.widgets.forms import Forms
from acp_tui.ui.widgets.options import Options
from acp_tui.ui.widgets.permission_panel import PermissionPanel
from tests.clock import Clock
from tests.ui.driving import Driven, driving, words
from tests.ui.test_forms import NAME, asking, form

pytestmark = pytest.mark.anyio


async def written(driven: Driven, clock: Clock, *keys: str) -> None:
    """Somebody has just pressed keys, and then the agent asks."""
    await driven.ready()
    await driven.press(*keys)
    assert driven.composer.in_use
    driven.submit("command=ls")
    await driven.until(" asks ")


@pytest.mark.parametrize("kind", [PermissionPanel, Forms])
async def test_no_picture_shows_it_without_the_focus(kind: type[PermissionPanel | Forms]) -> None:
    clock = Clock()
    async with asking(clock) as driven:
        panel = driven.chat.query_one(kind)
        seen: list[tuple[bool, bool]] = []

        def painted(_: object) -> None:
            if panel.display and panel.size.height:
                answers = panel.query_one(Options).awake if isinstance(panel, PermissionPanel) else True
                seen.append((panel.holds(driven.chat.focused), answers))

        driven.chat.screen_layout_refresh_signal.subscribe(driven.chat, painted)
        what = form({"name": NAME}) if kind is Forms else {"perm": "And this?"}
        driven.submit(json.dumps([what]))
        await driven.until(" asks ")
        await driven.until(lambda: seen)
        assert set(seen) == {(True, True)}


async def test_an_empty_composer_gives_it_once_it_is_quiet() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await written(driven, clock, "x", "backspace")
        await driven.until("Tab answer")
        assert driven.composer.has_focus
        clock.at += 5
        await driven.until(lambda: driven.panel.has_focus)
        await driven.until("1–3 answer")
        assert driven.panel.ear.deaf(clock.at), "who did not see it come must not answer at once"
        clock.at += 5
        await driven.press("1")
        await driven.until("answer: yes")


async def test_a_text_keeps_it_until_it_is_gone() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await written(driven, clock, "x")
        clock.at += 5
        await driven.until(lambda: driven.chat.looking is None)
        assert driven.composer.has_focus
        await driven.press("backspace")
        clock.at += 5
        await driven.until(lambda: driven.panel.has_focus)


async def test_who_went_back_to_writing_is_left_alone() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await written(driven, clock, "x", "backspace")
        await driven.press("tab")
        await driven.until("1–3 answer")
        await driven.press("shift+tab")
        await driven.until(lambda: driven.composer.has_focus)
        await driven.press("x", "backspace")
        clock.at += 5
        assert driven.chat.owed == ()
        await driven.until(lambda: driven.chat.looking is None)
        assert driven.composer.has_focus


async def test_a_form_behind_a_request_takes_it_when_that_is_answered() -> None:
    clock = Clock()
    async with asking(clock) as driven:
        driven.submit(json.dumps([{"perm": "And this?"}, form({"name": NAME})]))
        forms = driven.chat.query_one(Forms)
        await driven.until(lambda: driven.panel.has_focus and forms.asked)
        clock.at += 5
        await driven.press("1")
        await driven.until(lambda: not driven.panel.asked)
        await driven.until(lambda: forms.holds(driven.chat.focused))


async def test_keys_behind_the_one_that_closed_another_screen_answer_nothing() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        driven.submit("command=ls")
        await driven.until("1–3 answer")
        clock.at += 5
        await driven.press("f1")
        await driven.until("Everywhere")
        clock.at += 5
        await driven.press("escape", "1")
        await driven.until(lambda: driven.app.screen is not None and driven.panel.has_focus)
        assert driven.panel.pressed is None
