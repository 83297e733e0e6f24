"""What is on the screen as a file: the conversation, a part of it, and a picture; nothing is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.export import ExportScreen
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


async def asked(driven: Driven) -> Input:
    """For the name of the file."""
    await driven.until(lambda: isinstance(driven.app.screen, ExportScreen))
    return driven.app.screen.query_one(Input)


async def written(driven: Driven) -> str:
    """What went into it; the path was copied."""
    await driven.press("enter")
    await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
    await driven.until("Written to")
    return read(driven.app.clipboard)


def read(path: str) -> str:
    """A file."""
    return Path(path).read_text("utf-8")


async def test_a_running_conversation_goes_to_a_file_whole_or_in_part(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path), size=(100, 40)) as driven:
        await driven.ready()
        await driven.say("title=All_of_it alpha")
        await driven.until("you said alpha")
        await driven.say("beta")
        await driven.until("you said beta")
        await driven.until(lambda: driven.host.claims.ids(driven.conversation))
        await driven.type("/export")
        await driven.press("enter")
        field = await asked(driven)
        assert field.value == str(tmp_path / "all-of-it.md")
        whole = await written(driven)
        assert whole.startswith("# All of it") and "alpha" in whole and "you said beta" in whole
        await driven.press("tab", "end", "E")
        field = await asked(driven)
        assert "a part of this session" in driven.text()
        assert field.value == str(tmp_path / "all-of-it-2.md"), "what is there is never replaced"
        part = await written(driven)
        assert "you said beta" in part and "alpha" not in part


async def test_a_picture_of_the_screen_has_what_stood_there(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.say("alpha")
        await driven.until("you said alpha")
        await driven.press("shift+f3")
        field = await asked(driven)
        field.value = str(tmp_path / "shot.svg")
        picture = await written(driven)
        assert picture.startswith("<svg") and "alpha" in picture and "http://fonts" not in picture
        assert "Export" not in picture
