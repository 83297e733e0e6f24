"""From what was written to blocks, and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.protocol.content import ContentBlock, ImageContent, ResourceLink, TextContent
from acp_tui.store.store import Store
from acp_tui.ui.drafts import Draft
from acp_tui.ui.writing.composing import Composing
from acp_tui.ui.writing.sending import NotComposed, Sent, compose

pytestmark = pytest.mark.anyio


async def test_words_alone_are_one_block() -> None:
    ready = await compose("hello", (), (), ("/w",), Store())
    assert ready.blocks == (TextContent(text="hello"),) and ready.told == ()


async def test_what_is_mentioned_in_a_paste_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    text = "@a.py @a.py"
    ready = await compose(text, [(0, 5)], (), (str(tmp_path),), Store())
    assert [block.type for block in ready.blocks] == ["text", "resource_link"]
    ready = await compose(text, [(0, 5), (6, 11)], (), (str(tmp_path),), Store())
    assert ready.blocks == (TextContent(text=text),)


async def test_what_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotComposed, match=r"a\.log is not there"):
        await compose("x", (), [str(tmp_path / "a.log")], (str(tmp_path),), Store())


def test_a_prompt_of_this_run_comes_back_as_it_was_written() -> None:
    sent, blocks = Sent(), (TextContent(text="whole"),)
    draft = Draft("[pasted]", {1: "whole"}, ("/a",))
    sent.remember(blocks, draft)
    assert sent.written(blocks, "/w") == draft
    assert sent.written((TextContent(text="other"),), "/w") == Draft("other")


def test_of_an_earlier_run_come_the_words_and_the_files_they_do_not_name() -> None:
    blocks: tuple[ContentBlock, ...] = (
        TextContent(text="see @src/a.py"),
        ResourceLink(name="a", uri="file:///w/src/a.py"),
        ResourceLink(name="b", uri="file:///w/my%20log"),
        ImageContent(data="AAAA", mime_type="image/png", uri="file:///p.png"),
        ResourceLink(name="web", uri="https://example.org/x"),
    )
    assert Sent().written(blocks, "/w") == Draft("see @src/a.py", {}, ("/w/my log", "/p.png"))


def test_pieces_get_new_numbers_where_theirs_are_taken() -> None:
    here = Composing()
    here.pasted.add("taken\n" * 20)
    piece = "[pasted 30 lines #1]"
    text = here.adopt(Draft(f"a {piece}", {1: "b\n" * 30}, ("/x",)))
    assert text == "a [pasted 30 lines #2]" and here.pasted.whole(text) == "a " + "b\n" * 30
    assert here.draft(text) == Draft(text, {2: "b\n" * 30}, ("/x",))
