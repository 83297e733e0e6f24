"""The reader of event streams: any cut of the bytes, both dialects (checks 15 to 18, 34)."""

from __future__ import annotations

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from acp_tui.aip.core.dialects import Cursor, Failed, Foreign, Garbled, Stream, Terminal
from acp_tui.aip.core.once import Once
from acp_tui.aip.core.sse import Comment, Cut, Frame, Frames
from acp_tui.aip.core.vocabulary import Ack, ActionResult, Event, StreamChunk
from tests.aip.fake import b_frame, chunk_frame, cursor_frame

LONGEST = 1000


def frames(*parts: bytes) -> list[object]:
    reader = Frames(LONGEST)
    return [piece for part in parts for piece in reader.feed(part)]


def items(dialect: str, *parts: bytes, once: Once | None = None) -> list[object]:
    reader = Stream(dialect, LONGEST, once or Once())  # type: ignore[arg-type]
    return [item for part in parts for item in reader.feed(part)]


WHOLE = (
    b"\xef\xbb\xbf: hello\r\n\r\nid: 7\nevent: a\ndata: {\ndata: }\n\n"
    + "data: größer 🎈\r\r".encode()
    + b"retry: 5\n\nevent\ndata\n\n: bye\n"
)


@given(st.lists(st.integers(0, len(WHOLE)), max_size=12))
def test_15_any_cut_of_the_bytes_gives_the_same_frames(cuts: list[int]) -> None:
    ends = [0, *sorted(cuts), len(WHOLE)]
    parts = [WHOLE[start:end] for start, end in pairwise(ends)]
    assert frames(*parts) == [
        Comment(),
        Frame("a", "7", b"{\n}"),
        Frame("", "", "größer 🎈".encode()),
        Frame("", "", b""),
        Comment(),
    ]


def test_15_a_frame_that_was_not_ended_is_none() -> None:
    assert frames(b"data: half", b" a frame\n") == []


@given(st.integers(1, 5000), st.integers(1, 700))
def test_18_what_is_too_long_is_cut_and_the_next_is_read(length: int, step: int) -> None:
    text = b"data: " + b"x" * length + b"\n\ndata: next\n\n"
    found = frames(*[text[i : i + step] for i in range(0, len(text), step)])
    first = Frame("", "", b"x" * length) if length + 6 <= LONGEST else Cut(length + 6)
    assert found == [first, Frame("", "", b"next")]


def test_18_many_short_lines_of_one_frame_are_one_frame_too_long() -> None:
    assert frames(b"data: 1234\n" * 1000, b"\n") == [Cut(10_000)]


def test_18_nothing_of_a_long_frame_is_kept() -> None:
    reader = Frames(LONGEST)
    for _ in range(100):
        assert list(reader.feed(b"x" * 100_000)) == []
        assert len(reader._line) <= LONGEST


def test_16_comments_do_not_add_up_to_a_frame() -> None:
    assert set(frames(b": keep-alive\n" * 1000)) == {Comment()}


def test_dialect_a_and_its_cursors() -> None:
    found = items(
        "a",
        b'id: evt_1\nevent: action.running\ndata: {"event":{"id":"evt_1","kind":"action.running"}}\n\n',
        chunk_frame(7, data={"text": "hi"}),
        cursor_frame(9),
        b'event: aip.stream.terminal\ndata: {"terminal":true,"action_id":"act_1"}\n\n',
        b'event: aip.error\ndata: {"error":{"code":"x","message":"y"}}\n\n',
    )
    kinds = [type(one) for one in found]
    assert kinds == [Event, StreamChunk, Cursor, Terminal, Failed]
    assert found[2] == Cursor("offset:9"), "no other id is a cursor"


def test_dialect_b_reads_envelopes() -> None:
    ack = {"ack": {"action_id": "act_1", "status": "streaming"}}
    chunk = {"stream_chunk": {"action_id": "act_1", "sequence": 1, "kind": "data"}}
    result = {"action_result": {"action_id": "act_1", "status": "completed"}}
    found = items(
        "b",
        b_frame("ack", "msg_1", ack),
        b_frame("chunk", "msg_2", chunk),
        b"event: heartbeat\ndata: {}\n\n",
        b_frame("result", "msg_3", result),
        b_frame("error", "msg_4", {"error": {"code": "x"}}),
    )
    assert [type(one) for one in found] == [Ack, StreamChunk, Comment, ActionResult, Failed]


def test_34_the_same_envelope_again_is_left_out_also_on_another_connection() -> None:
    once = Once()
    given = b_frame("chunk", "msg_1", {"stream_chunk": {"sequence": 1, "kind": "data"}})
    assert len(items("b", given, given, once=once)) == 1
    assert items("auto", given, once=once) == []


def test_17_the_other_dialect_is_told_and_not_guessed_at() -> None:
    given = b_frame("chunk", "msg_1", {"stream_chunk": {"sequence": 1, "kind": "data"}})
    (foreign,) = items("a", given)
    assert foreign == Foreign("the stream is spelled in dialect b, not a")
    assert isinstance(items("b", chunk_frame(1))[0], Foreign)
    assert isinstance(items("auto", chunk_frame(1), given)[1], Foreign), "auto chooses once"


def test_09_what_cannot_be_read_is_one_frame_lost() -> None:
    found = items(
        "auto", b"data: {no json\n\n", b'data: {"odd":1}\n\n', b'data: {"chunk":3}\n\n', chunk_frame(1)
    )
    assert [type(one) for one in found] == [Garbled, Garbled, Garbled, StreamChunk]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda x: (
            st.lists(x)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "body",
                        "message_type",
                        "chunk",
                        "event",
                        "error",
                        "code",
                        "next_cursor",
                        "terminal",
                        "status",
                    ]
                ),
                x,
            )
        ),
        max_leaves=8,
    ),
    st.sampled_from(["auto", "a", "b"]),
    st.sampled_from(["", "chunk", "heartbeat", "error"]),
)
def test_hostile_frames_raise_nothing(value: object, dialect: str, event: str) -> None:
    items(dialect, f"event: {event}\ndata: {json.dumps(value)}\n\n".encode())


def test_ids_are_remembered_up_to_a_limit() -> None:
    once = Once()
    assert [once.first(id) for id in ("a", "a", "", "")] == [True, False, True, True]
    for number in range(25_000):
        once.first(str(number))
    assert len(once._seen) == 20_000
