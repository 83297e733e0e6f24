"""What the frames of an event stream mean, in the two spellings that one public source shows.

*a*: events, chunks, cursors, a terminal mark and errors, each an object with one key; *b*: whole envelopes,
named by the event. Neither is specified. Invariants: a cursor comes from a cursor frame only, never from the
`id:` of an event or a chunk; a frame of the other dialect is `Foreign`, never guessed at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from acp_tui.aip.core import codec
from acp_tui.aip.core.once import Once
from acp_tui.aip.core.sse import Comment, Cut, Frame, Frames
from acp_tui.aip.core.vocabulary import Ack, ActionResult, Event, ProtocolError, StreamChunk
from acp_tui.protocol import jsonio
from acp_tui.protocol.unknown import Invalid

Dialect: TypeAlias = Literal["auto", "a", "b"]


@dataclass(frozen=True, slots=True)
class Cursor:
    """From here a stream can be taken up again."""

    value: str


@dataclass(frozen=True, slots=True)
class Terminal:
    """The gateway hints that the action is over; only a read says so."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The stream ended with an error."""

    error: ProtocolError


@dataclass(frozen=True, slots=True)
class Foreign:
    """This is not the dialect we read; the stream is of no use."""

    why: str


@dataclass(frozen=True, slots=True)
class Garbled:
    """One frame could not be read; what follows may be fine."""

    why: str


Item: TypeAlias = (
    Event | StreamChunk | Ack | ActionResult | Cursor | Terminal | Failed | Foreign | Garbled | Cut | Comment
)

_A_KEYS = frozenset({"event", "chunk", "next_cursor", "terminal", "error"})


class Stream:
    """The reader of one connection; `once` outlives it, so that an envelope delivered again is left out."""

    def __init__(self, dialect: Dialect, longest: int, once: Once) -> None:
        self._dialect = dialect
        self._frames = Frames(longest)
        self._once = once

    def feed(self, data: bytes) -> Iterator[Item]:
        """What these bytes say."""
        for piece in self._frames.feed(data):
            if isinstance(piece, Frame):
                yield from self._read(piece)
            else:
                yield piece

    def _read(self, frame: Frame) -> Iterator[Item]:
        if not frame.data:
            if frame.event == "heartbeat":
                yield Comment()
            return
        try:
            value = jsonio.parse(frame.data)
        except Invalid as error:
            yield Garbled(f"a frame is no JSON: {error.reason}")
            return
        spoken = _spoken(frame, value)
        if spoken is None:
            yield Garbled("a frame is of no known shape")
        elif self._dialect not in ("auto", spoken):
            yield Foreign(f"the stream is spelled in dialect {spoken}, not {self._dialect}")
        else:
            self._dialect = spoken
            yield from self._meant(frame, value)

    def _meant(self, frame: Frame, value: Any) -> Iterator[Item]:
        try:
            yield from _a(value) if self._dialect == "a" else self._b(frame, value)
        except Invalid as error:
            yield Garbled(f"a frame could not be read: {error.reason}")

    def _b(self, frame: Frame, value: Any) -> Iterator[Item]:
        if frame.event == "heartbeat":
            yield Comment()
            return
        if not self._once.first(str(value.get("message_id") or "")):
            return
        if (error := codec.error(value)) is not None:
            yield Failed(error)
            return
        body = value["body"]
        key, inner = next(iter(body.items())) if isinstance(body, dict) and len(body) == 1 else ("", body)
        if key in ("stream_chunk", "chunk") or (not key and frame.event in ("chunk", "done")):
            yield codec.decode(StreamChunk, inner)
        elif key == "event":
            yield codec.decode(Event, inner)
        else:
            yield codec.submitted(value)


def _spoken(frame: Frame, value: Any) -> Literal["a", "b"] | None:
    if codec.is_envelope(value) or frame.event == "heartbeat":
        return "b"
    if isinstance(value, dict) and value.keys() & _A_KEYS:
        return "a"
    return None


def _a(value: Any) -> Iterator[Item]:
    if isinstance(value.get("next_cursor"), str):
        yield Cursor(value["next_cursor"])
    elif "chunk" in value:
        yield codec.decode(StreamChunk, value["chunk"])
    elif "event" in value:
        yield codec.decode(Event, value["event"])
    elif value.get("terminal") is True:
        yield Terminal()
    elif (error := codec.error(value)) is not None:
        yield Failed(error)
    else:
        raise Invalid("none of event, chunk, next_cursor, terminal and error can be read")
