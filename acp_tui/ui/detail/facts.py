"""What is known of an entity beside its content: names, ids, times, states; and under it everything as kept.

Invariant: nothing is left out. What has no line of its own stands in the JSON, but for bytes and payloads,
of which the size stands there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.unknown import Unknown
from acp_tui.render import words
from acp_tui.render.clean import one_line, visible
from acp_tui.render.paths import relative
from acp_tui.store.entities import (
    AgentRequest,
    Cancel,
    Compaction,
    Entity,
    Message,
    SessionMessage,
    Subagent,
    Submission,
    Terminal,
    ToolCall,
    Turn,
)
from acp_tui.store.growing import Blocks
from acp_tui.store.holding import Handle, Place, Plain, loaded
from acp_tui.store.output import Output
from acp_tui.store.session import Session
from acp_tui.ui.detail.marked import encoded
from acp_tui.ui.detail.parts import Blank, Fact, Head, Part, as_json, json_parts
from acp_tui.ui.detail.pieces import Piece, file_name

Row = tuple[str, Any]


def moment(at: float) -> str:
    """Date and time of day to the millisecond, in the user's zone."""
    try:
        return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
    except (OverflowError, OSError, ValueError):
        return str(at)


def fact_parts(entity: Entity, session: Session | None) -> list[Part]:
    """All facts of an entity."""
    made: list[Part] = [
        Fact(name, _said(value)) for name, value in _rows(entity, session) if value not in (None, "", [], ())
    ]
    cwd = session.cwd if session is not None else ""
    if isinstance(entity, ToolCall):
        for index, place in enumerate(entity.locations):
            where = relative(place.path, cwd) + (f":{place.line}" if place.line else "")
            action = ("open", place.path, place.line)
            made.append(Fact("" if index else "places", visible(where), "path", action))
    value = kept(entity)
    name = file_name(f"{entity.key.kind}-{entity.key.id}", "entity", ".json")
    piece = Piece("what is kept of it", name, lambda: encoded(as_json(value) + "\n"))
    return [*made, Blank(), Head("as acp-tui keeps it", piece=piece), *json_parts(value)]


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return visible(value) if isinstance(value, str) else str(value)


def _rows(entity: Entity, session: Session | None) -> Iterator[Row]:
    yield "kind", entity.key.kind.replace("_", " ")
    yield "id", entity.key.id
    yield from _own(entity)
    yield "first seen", moment(entity.created_at)
    if entity.updated_at:
        yield "last changed", moment(entity.updated_at)
    yield "late", entity.late or None
    if session is not None:
        yield "session", session.session_id or "not named yet"
        yield "turn", entity.turn + 1


def _own(entity: Entity) -> Iterator[Row]:
    match entity:
        case ToolCall():
            yield from _call(entity)
        case Message():
            yield from _message(entity)
        case Terminal():
            yield from _terminal(entity)
        case Compaction():
            yield "status", entity.status
            yield "error", entity.error
        case Turn():
            yield from _turn(entity)
        case Subagent():
            yield "title", entity.title
            yield "reported state", entity.reported_state or "not confirmed"
            yield "folder", entity.cwd
        case Submission():
            yield "status", words.SUBMISSIONS.get(entity.status) or entity.status
            yield "why", entity.reason
            yield "sent", moment(entity.sent_at) if entity.sent_at else None
            yield "message id", entity.message_id
            yield "idempotency key", entity.idempotency_key
        case AgentRequest():
            yield "method", entity.method
            yield "status", entity.status
            yield "answered by", entity.answered_by
            yield "answered", moment(entity.answered_at) if entity.answered_at else None


def _call(call: ToolCall) -> Iterator[Row]:
    yield "title", call.title
    yield "tool", call.name
    yield "kind of tool", call.kind
    said = words.status(call.status)
    yield "status", said if said == call.status else f"{said}  ({one_line(call.status, 40)})"
    if call.cancel_overlay and not call.final:
        yield "shown as", "cancelled, as you asked; the agent has not said so"
    yield "no final status", words.NO_FINAL.get(call.no_final) if not call.final else None
    yield "may be cancelled", call.cancellable or None
    yield "cancel", _cancel(call.cancel)
    yield "started", moment(call.started_at) if call.started_at is not None else None
    yield "ended", moment(call.ended_at) if call.ended_at is not None else None
    if call.started_at is not None and call.ended_at is not None and call.ended_at > call.started_at:
        yield "took", words.duration(call.ended_at - call.started_at)
    yield "content", words.count(len(call.content), "item")


def _cancel(cancel: Cancel | None) -> str | None:
    if cancel is None:
        return None
    settled = f" {moment(cancel.settled_at)}" if cancel.settled_at is not None else ""
    taken = ", and the agent will try" if cancel.accepted and cancel.open else ""
    return f"asked {moment(cancel.asked_at)} · {words.CANCELS[cancel.status]}{settled}{taken}"


def _message(message: Message) -> Iterator[Row]:
    blocks = message.content
    yield "content", f"{words.count(blocks.count, 'block')}, {words.count(blocks.chars, 'character')}"
    if message.closed_at is not None:
        yield "complete", moment(message.closed_at)
    if isinstance(message, SessionMessage):
        yield "from session", message.sender_session_id
        yield "to session", message.recipient_session_id


def _terminal(terminal: Terminal) -> Iterator[Row]:
    yield "command", terminal.command
    yield "folder", terminal.cwd
    yield "may be cancelled", terminal.cancellable or None
    yield "cancel", _cancel(terminal.cancel)
    if terminal.exit_status is not None:
        yield "ended", words.exit_status(terminal.exit_status.exit_code, terminal.exit_status.signal)
        yield "ended at", moment(terminal.exited_at) if terminal.exited_at else None
    output = terminal.output
    yield (
        "output",
        f"{output.size + output.cut:,} bytes"
        + (f", the first {output.cut:,} not kept" if output.cut else ""),
    )
    yield "size", f"{terminal.size.cols} × {terminal.size.rows}" if terminal.size else None


def _turn(turn: Turn) -> Iterator[Row]:
    yield "stop reason", turn.stop_reason or "none given"
    yield "in words", words.stop_reason(turn.stop_reason)
    yield "note", turn.note
    yield "started", moment(turn.started_at) if turn.started_at else None
    if turn.started_at:
        yield "took", words.duration(turn.created_at - turn.started_at)
    yield "cancel asked", moment(turn.cancel_asked_at) if turn.cancel_asked_at else None
    yield "had output", turn.had_output
    yield "by the agent", "nothing of yours started it" if turn.by_agent else None
    if turn.error is not None:
        yield "error", f"{one_line(turn.error.message)} ({turn.error.code})"


def kept(entity: Entity) -> dict[str, Any]:
    """The entity as plain values, what all have in common last."""
    values = _plain(entity)
    common = {field.name for field in dataclasses.fields(Entity)}
    return {name: values[name] for name in sorted(values, key=lambda name: name in common)}


def _plain(value: Any) -> Any:
    match value:
        case BaseModel():
            return _plain(value.model_dump(by_alias=True, exclude_unset=True, mode="python"))
        case Unknown():
            return value.raw
        case Blocks():
            return [item if isinstance(item, str) else _plain(item) for item in value.items]
        case Output():
            return {"bytes": value.size, "cut": value.cut}
        case Plain() | Place():
            return _plain(loaded(value))
        case Handle():
            return {"kind": value.kind, "size": value.size, "mimeType": value.mime_type}
        case dict():
            return {str(name): _plain(item) for name, item in value.items() if item is not ABSENT}
        case list() | tuple():
            return [_plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    return value
