"""Answers in, bare or wrapped; envelopes out.

An answer may be the object itself, the object under one key that names it, or a whole envelope with such a
body. `auto` takes all three; `bare` and `one-key` insist. Field names that the concept page leaves open are
looked for under a few names; what is not found is absent. Raises `Invalid` for what cannot be meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, TypeVar

from pydantic import ValidationError

from acp_tui.aip.core.vocabulary import (
    Ack,
    ActionResult,
    Call,
    Event,
    Fact,
    Json,
    ProtocolError,
    SessionView,
    StreamChunk,
)
from acp_tui.aip.core.words import AckStatus, ResultStatus
from acp_tui.protocol.model import invalid
from acp_tui.protocol.unknown import Invalid

_MEANING: Final = frozenset({"status", "state", "id", "action_id", "events", "chunks"})
VERSION: Final = "1.0"
Wrapping: TypeAlias = Literal["auto", "bare", "one-key"]
F = TypeVar("F", bound=Fact)

TOKENS: Final = ("resume_token", "new_resume_token", "next_resume_token", "token")
"""Where a session's token may stand: the first is observed, none is specified."""
CURSORS: Final = ("next_cursor", "cursor", "last_event_cursor")
MESSAGES: Final[Mapping[str, tuple[str, str]]] = {
    "action": ("aip.core.v1.action", "action"),
    "handshake": ("aip.core.v1.handshake", "handshake"),
    "approval": ("aip.policy.v1.approval_decision", "approval_decision"),
}
"""Message types and the keys of their bodies: observed or guessed, not specified."""


def decode(kind: type[F], value: Any) -> F:
    """One object. Raises `Invalid`."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise invalid(error) from None


def unwrap(value: Any, keys: Sequence[str], wrapping: Wrapping = "auto") -> Any:
    """What stands under one of the keys that may name it, or the value itself."""
    value = _body(value)
    named = value.keys() & set(keys) if isinstance(value, dict) and len(value) == 1 else None
    if named and wrapping != "bare":
        return value[next(iter(named))]
    if wrapping == "one-key":
        raise Invalid(f"the answer is not an object with the one key {keys[0]}")
    return value


def read(kind: type[F], value: Any, key: str, wrapping: Wrapping = "auto") -> F:
    """One object out of an answer. Raises `Invalid`."""
    return decode(kind, unwrap(value, (key,), wrapping))


def listed(kind: type[F], value: Any, keys: Sequence[str]) -> tuple[tuple[F, ...], str | None]:
    """The items that can be read out of a list, and the cursor of the next part."""
    value = _alone(_body(value))
    if isinstance(value, list):
        return _items(kind, value), None
    if not isinstance(value, dict):
        raise Invalid("the answer is no list")
    found = next((value[key] for key in (*keys, "items") if isinstance(value.get(key), list)), None)
    if found is None:
        raise Invalid(f"the answer has no {keys[0]}")
    return _items(kind, found), cursor(value)


def cursor(value: Json) -> str | None:
    """Of the next part; opaque."""
    return _text(value, CURSORS)


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events and chunks behind one cursor."""

    events: tuple[Event, ...]
    chunks: tuple[StreamChunk, ...]
    cursor: str | None
    unreadable: int = 0
    """Entries that could not be read."""


def event_page(value: Any, wrapping: Wrapping = "auto") -> EventPage:
    """A page of the event log. Raises `Invalid`."""
    found = unwrap(value, ("action_events", "events", "action_chunks"), wrapping)
    if isinstance(found, list):
        found = {"events": found}
    if not isinstance(found, dict):
        raise Invalid("the answer is no page of events")
    events, chunks = _list(found, "events"), _list(found, "chunks")
    read_events, read_chunks = _items(Event, events), _items(StreamChunk, chunks)
    lost = len(events) + len(chunks) - len(read_events) - len(read_chunks)
    return EventPage(read_events, read_chunks, cursor(found), lost)


def error(value: Any, *, refused: bool = False) -> ProtocolError | None:
    """The error an answer is, if it is one. An object that says more has its error as a part of it, unless
    the answer is `refused` by its status.
    """
    value = _body(value)
    if isinstance(value, dict) and not refused and value.keys() & _MEANING:
        return None
    if isinstance(value, dict) and isinstance(value.get("error"), dict):
        value = value["error"]
    if not isinstance(value, dict) or not isinstance(value.get("code"), str):
        return None
    return decode(ProtocolError, value)


def submitted(value: Any) -> Ack | ActionResult:
    """What a submission was answered: an acknowledgement, or a result at once. Raises `Invalid`."""
    found = _body(value)
    if isinstance(found, dict) and len(found) == 1:
        key, inner = next(iter(found.items()))
        if key == "ack":
            return decode(Ack, inner)
        if key in ("action_result", "result"):
            return decode(ActionResult, inner)
    if not isinstance(found, dict):
        raise Invalid("the answer is no acknowledgement and no result")
    return decode(ActionResult, found) if _looks_like_result(found) else decode(Ack, found)


def _looks_like_result(value: Json) -> bool:
    status = value.get("status")
    if status in list(AckStatus):
        return False
    return status in list(ResultStatus) or bool(value.keys() & {"output", "error", "message", "usage"})


@dataclass(frozen=True, slots=True)
class SessionAnswer:
    """What a handshake or a resume was answered. `repr` does not show the token."""

    view: SessionView | None
    events: tuple[Event, ...]
    cursor: str | None
    token: str | None

    def __repr__(self) -> str:
        shown = "…" if self.token else "none"
        return f"SessionAnswer({self.view!r}, {len(self.events)} events, {self.cursor!r}, token {shown})"


def session_answer(value: Any) -> SessionAnswer:
    """Its parts, under the names that they may have. Raises `Invalid`."""
    found = _alone(_body(value))
    if not isinstance(found, dict):
        raise Invalid("the answer has no session")
    view = next(
        (found[k] for k in ("session_view", "session", "view") if isinstance(found.get(k), dict)), None
    )
    if view is None and isinstance(found.get("state"), str):
        view = {k: v for k, v in found.items() if k not in TOKENS}
    token = _text(found, TOKENS) or (_text(view, TOKENS) if view else None)
    if view is not None:
        view = {"id": view.get("session_id"), **{k: v for k, v in view.items() if k not in TOKENS}}
    events = _items(Event, _list(found, "events") or _list(found, "replayed_events"))
    return SessionAnswer(decode(SessionView, view) if view else None, events, cursor(found), token)


def action(call: Call) -> Json:
    """The body of a submission; the session is not part of it."""
    given = {
        "id": call.action_id,
        "capability_id": call.capability_id,
        "input": call.input,
        "mode": call.mode.value if call.mode else None,
        "idempotency_key": call.idempotency_key,
        "timeout_ms": call.timeout_ms,
    }
    return {key: value for key, value in given.items() if value is not None or key == "input"}


@dataclass(frozen=True, slots=True)
class Stamp:
    """What makes an envelope one of its own."""

    message_id: str
    sent_at: str
    """RFC 3339."""


def envelope(
    message: tuple[str, str], body: Json, stamp: Stamp, wrapping: Wrapping = "auto", **fields: str | None
) -> Json:
    """A whole envelope; `fields` are optional members such as `session_id`, left out when None."""
    message_type, key = message
    return {
        "aip_version": VERSION,
        "message_type": message_type,
        "message_id": stamp.message_id,
        "sent_at": stamp.sent_at,
        **{name: value for name, value in fields.items() if value is not None},
        "body": body if wrapping == "bare" else {key: body},
    }


def message(name: str, others: Mapping[str, str]) -> tuple[str, str]:
    """The type of a message and the key of its body, as the settings have it."""
    given = others.get(name, "").split()
    return (given[0], given[1]) if len(given) == 2 else MESSAGES[name]


def is_envelope(value: Any) -> bool:
    """Whether it is one, as far as one can see."""
    return isinstance(value, dict) and "body" in value and ("message_type" in value or "aip_version" in value)


def _body(value: Any) -> Any:
    return value["body"] if is_envelope(value) else value


def _list(value: Json, key: str) -> list[Any]:
    found = value.get(key)
    return found if isinstance(found, list) else []


def _text(value: Json, keys: Sequence[str]) -> str | None:
    return next((value[key] for key in keys if isinstance(value.get(key), str) and value[key]), None)


def _alone(value: Any) -> Any:
    """An item may stand under a key of its own, too."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(inner := next(iter(value.values())), dict):
        return inner
    return value


def _items(kind: type[F], values: list[Any]) -> tuple[F, ...]:
    found = []
    for value in values:
        try:
            found.append(kind.model_validate(_alone(value)))
        except ValidationError:
            continue
    return tuple(found)
