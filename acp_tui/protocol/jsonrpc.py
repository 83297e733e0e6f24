"""JSON-RPC 2.0 over lines without any I/O: bytes in, messages out, and back (TR, RP).

Invariants: lines are cut on bytes, never on characters (TR-09); any split of the stream gives the same
messages; each byte is looked at a bounded number of times, however small the reads are; a bad line harms only
itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from acp_tui.protocol.errors import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    INVALID_RESPONSE,
    PARSE_ERROR,
    Error,
)
from acp_tui.protocol.jsonio import dump, parse
from acp_tui.protocol.model import encode as encode_model
from acp_tui.protocol.model import reason
from acp_tui.protocol.unknown import Invalid

Id = int | str | None
"""Of a request: never None (RP-02). Of a response: None where it belongs to no request (RP-09)."""

LIMIT: Final = 64 * 1024 * 1024
"""Bytes of one message at most (TR-08)."""


@dataclass(frozen=True, slots=True)
class Request:
    """To be answered exactly once."""

    id: Id
    method: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Notification:
    """Never answered (RP-06)."""

    method: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: `error` if that is not None, else `result`, which may be null.

    `broken` is the raw object of a response that is none (RP-08): `error` then says why, with the code
    `INVALID_RESPONSE`, so that just the request it names fails.
    """

    id: Id
    result: Any = None
    error: Error | None = None
    broken: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that is no message. `answer` is what it deserves, None if nothing."""

    reason: str
    answer: Response | None
    raw: str


Incoming = Request | Notification | Response | Malformed
Outgoing = Request | Notification | Response


class TooLong(Exception):
    """A line exceeds the limit: the stream is of no use any more (TR-08)."""

    def __init__(self, limit: int, messages: list[Incoming]) -> None:
        super().__init__(f"a message is longer than the limit of {limit} bytes")
        self.limit = limit
        self.messages = messages
        """What came before it in the same read."""


class Reader:
    """Cuts a byte stream into messages."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self._parts: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[Incoming]:
        """Messages completed by `data`; raises `TooLong`."""
        messages: list[Incoming] = []
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._hold(line, messages)
            self._finish(messages)
        self._hold(rest, messages)
        return messages

    def end(self) -> list[Incoming]:
        """The stream has ended: a last line may lack its newline (TR-03)."""
        messages: list[Incoming] = []
        self._finish(messages)
        return messages

    def _hold(self, part: bytes, messages: list[Incoming]) -> None:
        self._size += len(part)
        if self._size > self.limit:
            self._parts.clear()
            raise TooLong(self.limit, messages)
        if part:
            self._parts.append(part)

    def _finish(self, messages: list[Incoming]) -> None:
        line = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        if line and not line.isspace():
            messages.append(read(line))


def read(line: bytes) -> Incoming:
    """The message on one line."""
    try:
        value = parse(line)
    except Invalid as error:
        answer = Response(None, error=Error(code=PARSE_ERROR, message="Parse error"))
        return Malformed(error.reason, answer, line.decode(errors="replace"))
    return from_raw(value)


def from_raw(value: Any) -> Incoming:
    """Classify by shape alone (RP-05): to refuse what lacks `jsonrpc` would leave our requests unanswered."""
    if not isinstance(value, dict):
        kind = "an array; there are no batches" if isinstance(value, list) else "no object"
        return _refused(value, kind)
    if "method" in value:
        return _call(value, value["method"])
    if "id" in value:
        return _response(value, value["id"])
    return _refused(value, "neither request, notification nor response")


def _call(value: dict[str, Any], method: Any) -> Incoming:
    if not isinstance(method, str):
        return _refused(value, "method is no string")
    params = value.get("params")
    if params is None:
        params = {}
    if "id" not in value:
        if not isinstance(params, dict):
            return Malformed("params are no object", None, _text(value))
        return Notification(method, params)
    id_ = value["id"]
    if not is_id(id_):
        return _refused(value, "id is neither string nor integer")
    if not isinstance(params, dict):
        return _refused(value, "params are no object", INVALID_PARAMS, id_)
    return Request(id_, method, params)


def _response(value: dict[str, Any], id_: Any) -> Incoming:
    if id_ is not None and not is_id(id_):
        return Malformed("response with an id that is neither string nor integer", None, _text(value))
    # some serialisers write null for the one that is not meant
    if "result" in value and value.get("error") is None:
        return Response(id_, value["result"])
    problem = "neither result nor error"
    if value.get("result") is not None:
        problem = "both result and error"
    elif value.get("error") is not None:
        try:
            return Response(id_, error=Error.model_validate(value["error"], by_alias=True, by_name=False))
        except ValidationError as error:
            problem = f"error.{reason(error)}"
    failure = Error(code=INVALID_RESPONSE, message=f"Invalid response: {problem}")
    return Response(id_, error=failure, broken=value)


def _refused(value: Any, problem: str, code: int = INVALID_REQUEST, id_: Id = None) -> Malformed:
    message = "Invalid params" if code == INVALID_PARAMS else "Invalid request"
    return Malformed(
        problem, Response(id_, error=Error(code=code, message=f"{message}: {problem}")), _text(value)
    )


def _text(value: Any) -> str:
    return dump(value).decode()


def is_id(value: Any) -> bool:
    """A string or an integer, which `True` and `1.0` are not (RP-02)."""
    return type(value) is int or type(value) is str


def id_key(id_: Id) -> str:
    """The id as JSON: equal exactly if type and value are (RP-17)."""
    return dump(id_).decode()


def to_raw(message: Incoming) -> dict[str, Any]:
    """The JSON-RPC object of a message; of a malformed line there is none: `{"raw": line}`."""
    match message:
        case Request(id_, method, params):
            return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        case Notification(method, params):
            return {"jsonrpc": "2.0", "method": method, "params": params}
        case Response(broken=dict(broken)):
            return broken
        case Response(id_, _, Error() as error):
            return {"jsonrpc": "2.0", "id": id_, "error": encode_model(error)}
        case Response(id_, result):
            return {"jsonrpc": "2.0", "id": id_, "result": result}
        case Malformed(raw=raw):
            return {"raw": raw}


def encode(message: Outgoing) -> bytes:
    """One line with its newline; raises `ValueError` for NaN (TR-11)."""
    return dump(to_raw(message)) + b"\n"
