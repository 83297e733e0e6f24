from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.protocol.content import (
    Annotations,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from acp_tui.protocol.model import encode
from acp_tui.protocol.tool_call import Content, Terminal
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.growing import BIG, Blocks, Handle, Output, hold_item, hold_value, loaded, same


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
        before = blocks.items
        assert not blocks.replace([text("a"), text("b")])
        assert blocks.items is before
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
            read += blocks.items[len(read) :]
            assert read == version
            assert blocks.chars == len("".join(version))
            assert blocks.newlines == "".join(version).count("\n")


class TestHandles:
    @pytest.mark.parametrize(
        "resource",
        [
            TextResourceContents(text="x" * (BIG + 1), uri="file:///a", mime_type="text/plain"),
            BlobResourceContents(blob="x" * (BIG + 1), uri="file:///a"),
        ],
    )
    def test_resources(self, resource: Any) -> None:
        item = Content(content=EmbeddedResource(resource=resource))
        held = hold_item(item)
        assert isinstance(held, Handle)
        assert (held.kind, held.size, held.mime_type) == ("resource", BIG + 1, resource.mime_type or "")
        assert held.load() is item

    def test_long_text_of_a_tool(self) -> None:
        item = Content(content=text("x" * (BIG + 1)))
        held = hold_item(item)
        assert isinstance(held, Handle)
        assert (held.kind, held.load()) == ("text", item)
        short = Content(content=text("x" * BIG))
        assert hold_item(short) is short

    def test_references_and_unknown_items_are_what_they_are(self) -> None:
        for item in (Terminal(terminal_id="t"), Unknown("x", {"type": "x", "data": "x" * (BIG + 1)})):
            assert hold_item(item) is item

    @pytest.mark.parametrize("value", [None, False, 0, "x", [1, {"a": "b"}], {"a": None}])
    def test_small_values(self, value: Any) -> None:
        assert hold_value(value) is value

    def test_big_values(self) -> None:
        for value in ("x" * (BIG + 1), [{"a": ["x" * (BIG + 1)]}], [0] * (BIG + 1), {"k" * (BIG + 1): 1}):
            held = hold_value(value)
            assert isinstance(held, Handle)
            assert held.kind == "value"
            assert held.size > BIG
            assert loaded(held) is value

    def test_deep_nesting_is_no_recursion(self) -> None:
        value: Any = []
        for _ in range(100_000):
            value = [value]
        assert hold_value(value) is value
        while value:
            value = value.pop()

    @pytest.mark.parametrize(
        ("old", "new", "equal"),
        [
            (1, True, False),
            (1, 1.0, False),
            ({"a": [1]}, {"a": [True]}, False),
            ({"a": 1}, {"a": 1}, True),
            (None, None, True),
            ("a", "a", True),
            (None, [], False),
        ],
    )
    def test_same(self, old: Any, new: Any, equal: bool) -> None:
        assert same(old, new) is equal


class TestOutput:
    def test_a_code_point_split_over_chunks(self) -> None:
        output = Output()
        for chunk in (b"x\xc3", b"\xa9\xe2", b"\x82\xacy"):
            output.append(chunk)
        assert output.text() == "xé€y"
        assert output.data() == "xé€y".encode()

    def test_an_incomplete_tail_is_left_out(self) -> None:
        output = Output()
        output.append(b"ok\xe2\x82")
        assert output.text() == "ok"
        assert output.data() == b"ok\xe2\x82"

    def test_bytes_that_are_no_text(self) -> None:
        output = Output()
        output.append(b"a\xffb")
        assert output.text() == "a\ufffdb"
        assert output.data() == b"a\xffb"

    def test_no_bytes_are_no_change(self) -> None:
        output = Output()
        assert not output.append(b"")
        assert output.pieces == []

    def test_a_snapshot_begins_anew(self) -> None:
        output = Output()
        output.append(b"\xc3")
        assert output.replace(b"ok\n")
        assert (output.text(), output.generation, output.size, output.newlines) == ("ok\n", 1, 3, 1)

    def test_the_same_snapshot_changes_nothing_and_a_grown_one_appends(self) -> None:
        output = Output()
        output.append(b"one\xc3")
        assert not output.replace(b"one\xc3")
        assert output.replace(b"one\xc3\xa9!")
        assert (output.generation, output.text()) == (0, "oneé!")

    def test_clearing(self) -> None:
        output = Output()
        assert not output.replace(b"")
        output.append(b"x")
        assert output.replace(b"")
        assert (output.data(), output.text(), output.generation) == (b"", "", 1)

    @given(st.lists(st.binary(max_size=6), max_size=12))
    def test_any_split_gives_the_text_of_the_whole(self, chunks: list[bytes]) -> None:
        parts, whole = Output(), Output()
        for chunk in chunks:
            parts.append(chunk)
        whole.append(b"".join(chunks))
        assert parts.text() == whole.text()
        assert parts.data() == b"".join(chunks)
        assert parts.newlines == b"".join(chunks).count(b"\n")


class Small(Output):
    KEEP = 16
    __slots__ = ()


class TestOutputIsBounded:
    def test_the_front_is_cut_at_a_line_start(self) -> None:
        output = Small()
        for number in range(9):
            output.append(b"%03d\n" % number)
        assert output.data() == b"005\n006\n007\n008\n"
        assert output.text() == output.data().decode()
        assert (output.cut, output.size, output.newlines, output.generation) == (20, 16, 4, 1)

    def test_a_line_without_end_is_cut_between_characters(self) -> None:
        output = Small()
        output.append("€".encode() * 11)
        assert output.text() == "€" * 6
        assert output.cut == 15

    def test_a_snapshot_of_what_was_cut_changes_nothing_and_a_grown_one_appends(self) -> None:
        output = Small()
        everything = b"".join(b"%03d\n" % number for number in range(9))
        output.append(everything)
        generation = output.generation
        assert not output.replace(everything)
        assert output.replace(everything + b"009\n")
        assert (output.generation, output.newlines) == (generation, 5)
        assert output.replace(b"new\n")
        assert (output.data(), output.cut) == (b"new\n", 0)

    @given(
        st.lists(st.sampled_from([b"a", b"\n", b"\xe2", b"\x82", b"\xac", b"0123456789\n" * 3]), max_size=200)
    )
    def test_at_least_keep_and_at_most_twice_that_stay(self, chunks: list[bytes]) -> None:
        output, everything = Small(), b""
        for chunk in chunks:
            output.append(chunk)
            everything += chunk
            assert min(len(everything), Small.KEEP) <= output.size <= 2 * Small.KEEP
            assert output.cut + output.size == len(everything)
            assert everything.endswith(output.data())

    def test_cutting_costs_no_more_than_a_look_at_each_byte_or_two(self) -> None:
        looked = 0

        class Counted(Small):
            __slots__ = ()

            def data(self) -> bytes:
                nonlocal looked
                looked += self.size
                return super().data()

        output = Counted()
        for number in range(5_000):
            output.append(b"%03d\n" % (number % 1000))
        assert looked <= 5 * 20_000
