"""The search line in the chat: where it stands, what its keys are said to do, who has the focus after it."""

from __future__ import annotations

import pytest

from acp_tui.ui.widgets.search_bar import SearchBar
from tests.ui.driving import driving, words

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_slash_opens_a_line_above_the_status_line_and_escape_closes_it(size: tuple[int, int]) -> None:
    async with driving(words(), size=size) as driven:
        await driven.ready()
        await driven.say("hello out there")
        await driven.until("○ ready")
        await driven.press("tab")
        await driven.until(lambda: driven.chat.transcript.has_focus)
        height = driven.chat.transcript.size.height
        await driven.press("slash", *"hello")
        bar = driven.chat.query_one(SearchBar)
        await driven.until("1/")
        assert bar.region.bottom == size[1] - 1
        assert not bar.region.overlaps(driven.chat.transcript.region)
        await driven.until(lambda: driven.chat.transcript.size.height == height - 1)
        if size[0] >= 80:
            await driven.until("Enter next")
            await driven.press("tab")
            await driven.until("n next")
        await driven.press("escape")
        await driven.until(lambda: not bar.display)
        assert driven.chat.transcript.has_focus
        assert driven.chat.transcript.size.height == height
