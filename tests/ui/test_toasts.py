"""Toasts: few, whole, gone when the notices are read (NT-06)."""

from __future__ import annotations

import pytest
from textual.widgets._toast import Toast

from acp_tui.ui.toasts import AT_ONCE
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


def toasts(driven: Driven) -> list[str]:
    """The text of each, as it stands on the screen."""
    found = []
    for toast in driven.app.screen.query(Toast):
        area = toast.region
        rows = [row[area.x + 2 : area.right].rstrip() for row in driven.rows()[area.y : area.bottom]]
        found.append("\n".join(rows))
    return found


async def test_the_same_one_is_shown_once() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        for _ in range(3):
            driven.app.toasts.show("Same", "again")
        await driven.until("· Same")
        assert len(toasts(driven)) == 1
        assert "more" not in driven.text()


async def test_of_a_flood_the_newest_are_seen_and_the_others_counted() -> None:
    async with driving(words(), size=(100, 40)) as driven:
        await driven.ready()
        await driven.say(" ".join(f"notice=N{n}" for n in range(20)))
        await driven.until(lambda: len(driven.session.notices) == 20)
        await driven.until("17 more · F2")
        shown = toasts(driven)
        assert len(shown) == AT_ONCE
        assert [text.split()[1] for text in shown] == ["N17", "N18", "N19"]
        assert min(toast.region.y for toast in driven.app.screen.query(Toast)) == 1


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (120, 40)])
async def test_none_is_cut(size: tuple[int, int]) -> None:
    async with driving(words(), size=size) as driven:
        await driven.ready()
        text = " ".join(f"word{n}" for n in range(30))
        driven.app.toasts.show("A title", text)
        driven.app.toasts.show("Another", text)
        await driven.until("Another")
        for toast in driven.app.screen.query(Toast):
            lines = str(toast.render()).split("\n")
            assert toast.size.height >= len(lines)
            assert toast.content_size.width >= max(map(len, lines))
            assert toast.region.bottom <= size[1] // 2
            assert toast.region.right <= size[0]
        if size[1] >= 24:
            assert "word29" in driven.text()
        else:
            assert "…" in toasts(driven)[0]
            assert "1 more · F2" in toasts(driven)[0]


async def test_severity_is_not_said_by_colour_alone() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        for severity in ("info", "warning", "error", "made up"):
            driven.app.toasts.show(f"It is {severity}", "", severity)
        await driven.until("· It is made up")
        await driven.until("! It is warning")
        await driven.until("✗ It is error")


async def test_reading_the_notices_dismisses_them() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("notice=Look")
        await driven.until("! Look")
        await driven.press("f2")
        await driven.until("Notices 1")
        await driven.until(lambda: not driven.app.screen.query(Toast))
        assert "! warning  Look" in driven.text()
        await driven.press("escape")
        await driven.until("○ ready")
        assert not driven.app.screen.query(Toast)


async def test_what_textual_and_widgets_tell_goes_the_same_way() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        for _ in range(3):
            driven.app.notify("Copied [b]one[/b] line", markup=False, timeout=600)
        driven.app.notify("Press [b]Ctrl+Q[/b]", title="Do you want to go?")
        await driven.until("· Copied [b]one[/b] line · 3 times")
        await driven.until("Press Ctrl+Q")
        assert len(toasts(driven)) == 2
        driven.app.toasts.dismiss()
        await driven.until(lambda: not driven.app.screen.query(Toast))
