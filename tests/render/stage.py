"""A store with one session that tests feed with raw updates, and what its views draw."""

from __future__ import annotations

import re
from typing import Any

from textual.strip import Strip

from acp_tui.protocol import v2
from acp_tui.render.look import FALLBACK
from acp_tui.render.view import View
from acp_tui.render.views import make_view
from acp_tui.render.wrap import Lines
from acp_tui.store.entities import Entity, Submission, SubmissionStatus
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reduce import reduce
from acp_tui.store.session import Session
from acp_tui.store.store import Store

CWD = "/home/u/src/parser"
FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)


class Stage:
    """One session, a clock that stands still until it is moved, and its views."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.store = Store()
        self.session = self.store.add(Session(ref=self.store.new_ref(), cwd=CWD, phase="open"))

    def update(self, kind: str, /, **fields: Any) -> None:
        """One session update, as it comes over the wire."""
        reduce(self.store, self.session, v2.decode_update({"sessionUpdate": kind, **fields}), self.at)

    def say(self, text: str, kind: str = "agent_message", message: str = "m1") -> None:
        """One chunk of text."""
        self.update(f"{kind}_chunk", messageId=message, content={"type": "text", "text": text})

    def call(self, call: str = "c1", /, **fields: Any) -> None:
        """One update of a tool call."""
        self.update("tool_call_update", toolCallId=call, **fields)

    def submit(self, text: str, status: SubmissionStatus, reason: str = "") -> Submission:
        """A prompt of the user in the tail."""
        update = v2.decode_update(
            {
                "sessionUpdate": "user_message_chunk",
                "messageId": "x",
                "content": {"type": "text", "text": text},
            }
        )
        key = Key("s1", Kind.SUBMISSION, str(len(self.session.tail) + 1))
        made = Submission(
            key=key, created_at=self.at, number=1, blocks=(update.content,), status=status, reason=reason
        )
        self.session.entities[key] = made
        self.session.tail.append(key)
        return made

    def entity(self, kind: Kind, name: str) -> Entity:
        """The entity of that kind and id."""
        return self.session.entities[Key("s1", kind, name)]

    def view(self, kind: Kind, name: str) -> View:
        """A new view of it."""
        return make_view(self.entity(kind, name), self.store, lambda: self.at)

    def views(self) -> list[View]:
        """New views of everything that is shown."""
        keys = [*self.session.timeline, *self.session.tail]
        return [make_view(self.session.entities[key], self.store, lambda: self.at) for key in keys]


def drawn(view: View, width: int = 60) -> list[str]:
    """The text of its lines, without what pads them."""
    return texts(view.strips(width, FALLBACK), width)


def texts(strips: list[Strip] | Lines, width: int) -> list[str]:
    """Text of strips that are all exactly `width` cells and hold nothing that must not reach a terminal."""
    shown = strips.strips if isinstance(strips, Lines) else strips
    for strip in shown:
        assert sum(segment.cell_length for segment in strip) == strip.cell_length == width
        assert not FORBIDDEN.search(strip.text), repr(strip.text)
    return [strip.text.rstrip(" ") for strip in shown]
