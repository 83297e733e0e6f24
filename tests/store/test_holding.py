from __future__ import annotations

from typing import Any

import pytest

from acp_tui.base.shelf import MEMORY, Gone
from acp_tui.protocol import v2
from acp_tui.protocol.content import (
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    TextContent,
    TextResourceContents,
)
from acp_tui.protocol.model import encode
from acp_tui.protocol.tool_call import AnyToolCallContent, Content, Terminal
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.holding import BIG, Handle, hold_item, hold_value, holds, is_diff, loaded, same
from tests.store.lossy import WHY, Lossy


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


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
        held = hold_item(item, MEMORY)
        assert isinstance(held, Handle)
        assert (held.kind, held.size, held.mime_type) == ("resource", BIG + 1, resource.mime_type or "")
        assert held.load() == item

    def test_long_text_of_a_tool(self) -> None:
        item = Content(content=text("x" * (BIG + 1)))
        held = hold_item(item, MEMORY)
        assert isinstance(held, Handle)
        assert (held.kind, held.load()) == ("text", item)
        short = Content(content=text("x" * BIG))
        assert loaded(hold_item(short, MEMORY)) == short

    def test_references_and_unknown_items_are_what_they_are(self) -> None:
        for item in (Terminal(terminal_id="t"), Unknown("x", {"type": "x", "data": "x"})):
            assert hold_item(item, MEMORY) is item

    @pytest.mark.parametrize("value", [None, False, 0, "x", [1, {"a": "b"}], {"a": None}])
    def test_small_values(self, value: Any) -> None:
        assert hold_value(value, MEMORY) is value

    def test_big_values(self) -> None:
        for value in ("x" * (BIG + 1), [{"a": ["x" * (BIG + 1)]}], [0] * (BIG + 1), {"k" * (BIG + 1): 1}):
            held = hold_value(value, MEMORY)
            assert isinstance(held, Handle)
            assert held.kind == "value"
            assert held.size > BIG
            assert loaded(held) == value

    def test_deep_nesting_is_no_recursion(self) -> None:
        value: Any = []
        for _ in range(300_000):
            value = [value]
        held = hold_value(value, MEMORY)
        assert isinstance(held, Handle)
        assert held.load() is value
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

    @pytest.mark.parametrize(
        "raw",
        [
            {"type": "content", "content": {"type": "text", "text": "a"}},
            {"type": "content", "content": {"type": "text", "text": "a"}, "_meta": {"k": 1}},
            {"type": "content", "content": {"type": "text", "text": "a", "future": [1]}},
            {"type": "content", "content": {"type": "text", "text": "a", "annotations": {"priority": 1}}},
            {
                "type": "content",
                "content": {"type": "image", "data": "A", "mimeType": "image/png"},
                "x": None,
            },
            {"type": "diff", "changes": [{"operation": "add", "path": "p"}, {"operation": "fold", "n": 1}]},
            {"type": "chart", "points": [1, 1.5, True, None, "\ud800"]},
        ],
    )
    @pytest.mark.parametrize("grown", [False, True])
    def test_what_is_held_is_what_was_received(self, raw: dict[str, Any], grown: bool) -> None:
        if grown:
            filling = "x" * (BIG + 1)
            if raw["type"] == "diff":
                raw = {**raw, "patch": {"format": "git_patch", "text": filling}}
            elif raw["type"] == "content":
                name = "text" if raw["content"]["type"] == "text" else "data"
                raw = {**raw, "content": {**raw["content"], name: filling}}
            else:
                raw = {**raw, "filling": filling}
        item = v2.decode(AnyToolCallContent, raw)
        held = hold_item(item, MEMORY)
        assert isinstance(held, Handle) is grown
        assert is_diff(held) is (raw["type"] == "diff")
        assert encode(loaded(held)) == raw
        assert holds(held, v2.decode(AnyToolCallContent, raw))
        assert not holds(held, Content(content=text("other")))
        assert not holds(held, Terminal(terminal_id="t"))

    def test_what_is_gone_says_so_in_its_place(self) -> None:
        why = f"cannot be read any more: {WHY}]"
        value = hold_value("x" * (BIG + 1), Lossy())
        assert loaded(value) == f"[data that was put aside {why}"
        item = Content(content=ImageContent(data="A" * (BIG + 1), mime_type="image/png"))
        held = hold_item(item, Lossy())
        assert loaded(held) == Content(content=text(f"[image that was put aside {why}"))
        assert isinstance(held, Handle)
        with pytest.raises(Gone, match=WHY):
            held.load()
        assert not holds(held, item)
