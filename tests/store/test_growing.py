from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.base.spill import Spill
from acp_tui.protocol.content import (
    Annotations,
    ImageContent,
    ResourceLink,
    TextContent,
)
from acp_tui.protocol.model import encode
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.growing import Blocks
from acp_tui.store.holding import BIG, Handle
from tests.store.lossy import Lossy


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


def filled(*words: str) -> Blocks:
    blocks = Blocks()
    for word in words:
        blocks.append(text(word))
    return blocks


class TestBlocks:
    def test_keeps_the_boundaries_of_chunks(self) -> None:
        blocks = filled("Hel", "lo\n", "")
        assert blocks.items == ["Hel", "lo\n", ""]
        assert [encode(block) for block in blocks] == [
            {"type": "text", "text": "Hel"},
            {"type": "text", "text": "lo\n"},
            {"type": "text", "text": ""},
        ]
        assert (blocks.text(), blocks.chars, blocks.newlines) == ("Hello\n", 6, 1)

    def test_a_text_with_more_than_its_text_stays_a_block(self) -> None:
        blocks = Blocks()
        for block in (
            TextContent(text="a", annotations=Annotations(priority=1)),
            TextContent(text="b", meta={"k": 1}),
            TextContent.model_validate({"type": "text", "text": "c", "future": True}),
        ):
            blocks.append(block)
        assert not any(isinstance(item, str) for item in blocks.items)
        assert blocks.text() == "abc"
        assert [encode(block) for block in blocks][2] == {"type": "text", "text": "c", "future": True}

    def test_appending_voids_nothing(self) -> None:
        assert filled(*"abc").generation == 0

    @pytest.mark.parametrize("new", [["x"], ["a", "x"], ["a"], []])
    def test_another_beginning_voids(self, new: list[str]) -> None:
        blocks = filled("a", "b")
        assert blocks.replace(map(text, new))
        assert blocks.generation == 1
        assert blocks.items == new
        assert blocks.chars == len(new)

    def test_the_same_blocks_change_nothing(self) -> None:
        blocks = filled("a", "b")
        assert not blocks.replace([text("a"), text("b")])
        assert blocks.items == ["a", "b"]
        assert blocks.generation == 0

    def test_the_same_beginning_is_an_append(self) -> None:
        blocks = filled("a")
        assert blocks.replace([text("a"), text("b\n")])
        assert (blocks.generation, blocks.items, blocks.newlines) == (0, ["a", "b\n"], 1)

    def test_values_that_python_holds_equal_are_told_apart(self) -> None:
        blocks = Blocks()
        blocks.append(Unknown("x", {"type": "x", "n": 1}))
        assert blocks.replace([Unknown("x", {"type": "x", "n": True})])
        assert encode(list(blocks)) == [{"type": "x", "n": True}]

    def test_big_payloads_stand_behind_a_handle_and_come_back_whole(self) -> None:
        image = ImageContent(data="A" * (BIG + 4), mime_type="image/png")
        blocks = Blocks()
        blocks.append(image)
        (handle,) = blocks.items
        assert isinstance(handle, Handle)
        assert (handle.kind, handle.size, handle.mime_type) == ("image", BIG + 4, "image/png")
        assert list(blocks) == [image]
        assert not blocks.replace([image])

    def test_a_long_text_of_a_message_stays_text(self) -> None:
        assert filled("a" * (BIG + 1)).text() == "a" * (BIG + 1)

    def test_blank(self) -> None:
        assert Blocks().blank
        assert filled("", "").blank
        assert not filled("", "x").blank
        link = Blocks()
        link.append(ResourceLink(name="n", uri="file:///x"))
        assert not link.blank

    @given(st.lists(st.lists(st.sampled_from(["", "a", "b\n"]), max_size=4), max_size=6))
    def test_a_reader_that_trusts_the_generation_sees_all(self, versions: list[list[str]]) -> None:
        blocks = Blocks()
        generation, read = blocks.generation, []
        for version in versions:
            changed = blocks.replace(map(text, version))
            if blocks.generation != generation:
                generation, read = blocks.generation, []
                assert changed
            read += blocks.since(len(read))
            assert read == version
            assert blocks.chars == len("".join(version))
            assert blocks.newlines == "".join(version).count("\n")


class TestPacking:
    @given(
        st.lists(
            st.one_of(st.sampled_from(["", "a", "b\n", "ü" * 300, "😀"]), st.just(None)),
            max_size=12,
        ),
        st.sets(st.integers(0, 12)),
        st.integers(0, 12),
    )
    def test_changes_nothing_that_can_be_seen(
        self, chunks: list[str | None], packed: set[int], seen: int
    ) -> None:
        link = ResourceLink(name="n", uri="file:///x")
        loose, tight = Blocks(), Blocks()
        for number, chunk in enumerate(chunks):
            for blocks in (loose, tight):
                blocks.append(text(chunk) if chunk is not None else link)
            if number in packed:
                tight.pack()
        assert tight.items == loose.items
        assert tight.text() == loose.text()
        assert list(tight) == list(loose)
        assert (tight.count, tight.chars, tight.blank) == (loose.count, loose.chars, loose.blank)
        assert tight.generation == 0
        rest = [item for item in tight.since(seen) if isinstance(item, str)]
        assert "".join(rest) == "".join(chunk for chunk in chunks[seen:] if chunk is not None)
        assert not tight.replace(list(loose))

    def test_text_that_came_in_many_chunks_costs_little_more_than_the_text(self) -> None:
        blocks = Blocks()
        for _ in range(1500):
            blocks.append(text("twenty characters …!"))
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            blocks.pack()
            assert tracemalloc.get_traced_memory()[0] - before < 30_000 * 2 + 2500
        finally:
            tracemalloc.stop()

    def test_a_long_text_is_put_aside_and_read_when_it_is_wanted(self, tmp_path: Path) -> None:
        shelf = Spill(tmp_path)
        blocks = Blocks(shelf)
        parts = ["x" * 2000, "\ud800 halves survive"] * 200
        for part in parts:
            blocks.append(text(part))
        blocks.pack()
        assert shelf.size >= blocks.chars
        assert blocks.items == parts
        blocks.append(text("more"))
        assert list(blocks.since(400)) == ["more"]
        assert blocks.text().endswith("survivemore")

    def test_what_is_gone_says_so_in_its_place(self) -> None:
        blocks = Blocks(Lossy())
        blocks.append(text("x" * (BIG + 1)))
        blocks.pack()
        said = "[text that was put aside cannot be read any more: the disk is on fire]"
        assert (blocks.text(), blocks.items) == (said, [said])
        assert blocks.replace([text("new")])
        assert blocks.text() == "new"
