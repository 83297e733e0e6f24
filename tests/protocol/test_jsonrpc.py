"""Bytes to messages and back, whatever the agent writes."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.protocol.errors import INVALID_PARAMS, INVALID_REQUEST, INVALID_RESPONSE, PARSE_ERROR, Error
from acp_tui.protocol.jsonio import parse
from acp_tui.protocol.jsonrpc import (
    Incoming,
    Malformed,
    Notification,
    Reader,
    Request,
    Response,
    TooLong,
    encode,
    from_raw,
    id_key,
    read,
    to_raw,
)
from tests.protocol.values import json_values, objects, texts

ids = st.one_of(st.integers(-(2**63), 2**63), texts)
outgoing = st.one_of(
    st.builds(Request, ids, texts, objects),
    st.builds(Notification, texts, objects),
    st.builds(Response, ids, json_values),
    st.builds(
        lambda id_, code, message, data: Response(id_, error=Error(code=code, message=message, data=data)),
        st.one_of(st.none(), ids),
        st.integers(-(2**31), 2**31),
        texts,
        json_values,
    ),
)


def refusal(message: Incoming) -> tuple[int, object]:
    """Code and id of what a malformed line is answered with."""
    assert isinstance(message, Malformed)
    assert message.answer is not None and message.answer.error is not None
    return message.answer.error.code, message.answer.id


def cut(data: bytes, points: list[int]) -> list[bytes]:
    places = [0, *sorted(point % (len(data) + 1) for point in points), len(data)]
    return [data[start:end] for start, end in pairwise(places)]


STREAM = (
    b'{"jsonrpc":"2.0","method":"a","params":{"t":"\xc3\xa9\xf0\x9f\x98\x80\\ud83d"}}\r\n'
    b"\n   \r\n{oops\n"
    b'{"jsonrpc":"2.0","id":"x\xff","method":"b"}\n[{},{}]\n42\n'
    b'{"jsonrpc":"2.0","id":1,"result":null}\n\xff\xfe\n{"jsonrpc":"2.0","method":"last"}'
)


@given(st.lists(st.integers(0, 10_000), max_size=12))
def test_any_split_gives_the_same_messages(points: list[int]) -> None:  # TR-09
    reader = Reader()
    messages = [message for part in cut(STREAM, points) for message in reader.feed(part)]
    assert messages + reader.end() == [read(line) for line in STREAM.split(b"\n") if line.strip()]


def test_byte_by_byte() -> None:
    reader = Reader()
    messages = [message for byte in STREAM for message in reader.feed(bytes([byte]))]
    assert [type(message).__name__ for message in messages + reader.end()] == [
        "Notification",
        "Malformed",
        "Request",
        "Malformed",
        "Malformed",
        "Response",
        "Malformed",
        "Notification",
    ]


def test_blank_lines_are_nothing() -> None:  # TR-03
    assert Reader().feed(b"\n\r\n \t\r\n") == []
    reader = Reader()
    assert reader.feed(b" ") + reader.end() == []


@given(outgoing)
def test_what_is_written_is_read_again(message: Request | Notification | Response) -> None:
    line = encode(message)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert Reader().feed(line) == [message]
    assert from_raw(to_raw(message)) == message


@given(json_values)
def test_any_json_is_classified(value: Any) -> None:
    message = from_raw(value)
    if isinstance(message, Malformed):
        assert parse(message.raw.encode(errors="surrogatepass")) == value


@given(st.binary(max_size=60))
def test_any_bytes_are_survived(data: bytes) -> None:
    reader = Reader()
    reader.feed(data)
    reader.end()


def test_a_line_as_long_as_the_limit() -> None:
    line = b'{"method":"' + b"m" * 87 + b'"}'
    assert len(line) == 100
    assert Reader(limit=100).feed(line + b"\n") == [Notification("m" * 87, {})]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_longer_line_ends_the_stream(size: int) -> None:  # TR-08
    data = b'{"method":"m"}\n' + b"x" * 101 + b"\n" + b'{"method":"n"}\n'
    reader = Reader(limit=100)
    seen: list[Incoming] = []
    with pytest.raises(TooLong, match="100 bytes") as caught:
        for start in range(0, len(data), size):
            seen += reader.feed(data[start : start + size])
    assert seen + caught.value.messages == [Notification("m", {})]


def test_small_reads_of_a_long_line_hold_each_byte_once() -> None:
    reader = Reader()
    for _ in range(1000):
        reader.feed(b"x" * 50)
    assert sum(len(part) for part in reader._parts) == 50_000
    assert len(reader._parts) == 1000  # joined only at the end: nothing is copied again and again


@pytest.mark.parametrize(
    "line", [b'{"jsonrpc":"2.0",', b"Listening on port 1", b"[" * 5000, b'{"a":NaN}', b"\x80"]
)
def test_no_json(line: bytes) -> None:  # TR-05
    message = read(line)
    assert refusal(message) == (PARSE_ERROR, None)
    assert isinstance(message, Malformed) and message.raw == line.decode(errors="replace")


@pytest.mark.parametrize(
    "line",
    [
        b"42",
        b'"x"',
        b"null",
        b"[]",
        b'[{"method":"session/update"}]',
        b"{}",
        b'{"level":"info","msg":"starting"}',
        b'{"method":5,"id":1}',
        b'{"result":{}}',
    ],
)
def test_json_that_is_no_message(line: bytes) -> None:  # TR-06, TR-07
    assert refusal(read(line)) == (INVALID_REQUEST, None)


@pytest.mark.parametrize("id_", [None, 1.5, 1.0, True, [], {}])
def test_a_request_with_a_bad_id(id_: object) -> None:  # RP-02, RP-04
    assert refusal(from_raw({"id": id_, "method": "m"})) == (INVALID_REQUEST, None)


def test_params() -> None:  # RP-13
    assert from_raw({"id": 1, "method": "m"}) == Request(1, "m", {})
    assert from_raw({"method": "m", "params": None}) == Notification("m", {})
    assert refusal(from_raw({"id": 1, "method": "m", "params": [1]})) == (INVALID_PARAMS, 1)
    bad = from_raw({"method": "m", "params": [1]})
    assert isinstance(bad, Malformed) and bad.answer is None  # RP-06


def test_ids_differ_by_type_and_value() -> None:  # RP-17, CX-12
    assert len({id_key(id_) for id_ in (1, "1", 0, "", None, "null", "\ud800", 2**70)}) == 8
    assert id_key(5) == "5" and id_key("5") == '"5"'


@pytest.mark.parametrize("id_", [7, "7", "", -1, 2**70, "\ud800", None])
def test_responses(id_: Any) -> None:
    assert from_raw({"id": id_, "result": {"a": 1}}) == Response(id_, {"a": 1})
    assert from_raw({"id": id_, "error": {"code": 1, "message": "m"}}) == Response(
        id_, error=Error(code=1, message="m")
    )


@pytest.mark.parametrize(
    "members",
    [
        {"result": {}, "error": {"code": 1, "message": "m"}},
        {},
        {"error": None},
        {"error": {"code": "x", "message": "m"}},
        {"error": {"code": 1.5, "message": "m"}},
        {"error": {"code": 1}},
        {"error": {"code": 1, "message": None}},
        {"error": "failed"},
    ],
)
def test_a_broken_response_fails_its_request_only(members: dict[str, Any]) -> None:  # RP-08
    raw = {"jsonrpc": "2.0", "id": 7, **members}
    message = from_raw(raw)
    assert isinstance(message, Response) and message.error is not None
    assert (message.id, message.error.code, message.broken) == (7, INVALID_RESPONSE, raw)
    assert to_raw(message) == raw


def test_null_stands_for_the_member_that_is_not_meant() -> None:
    assert from_raw({"id": 1, "result": {}, "error": None}) == Response(1, {})
    failed = from_raw({"id": 1, "result": None, "error": {"code": 1, "message": "m"}})
    assert failed == Response(1, error=Error(code=1, message="m"))


@pytest.mark.parametrize("id_", [1.5, True, [], {}])
def test_a_response_to_what_we_never_asked(id_: object) -> None:  # RP-07
    message = from_raw({"id": id_, "result": {}})
    assert isinstance(message, Malformed) and message.answer is None


def test_error_data_may_be_anything() -> None:  # ER-04
    for data in (None, 5, [1], {"sessionId": "s"}):
        message = from_raw({"id": 1, "error": {"code": -32002, "message": "gone", "data": data}})
        assert isinstance(message, Response) and message.error is not None and message.error.data == data


def test_what_we_write() -> None:
    assert json.loads(encode(Request(1, "m", {"a": "é"}))) == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "m",
        "params": {"a": "é"},
    }
    assert encode(Response(None, error=Error(code=-32700, message="Parse error"))) == (
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n'
    )
    assert to_raw(Malformed("no", None, "{oops")) == {"raw": "{oops"}
