"""A conversation as JSON for programs: `export.schema` says what stands in it.

Invariants: the words are the protocol's, not ours; one entity a line, so that it can be compared and searched
by lines; whatever the length of a conversation, one entity at a time is in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from acp_tui.journal.described import ENTITIES, Json, subagent
from acp_tui.journal.export.excerpt import Excerpt
from acp_tui.protocol.v2 import encode
from acp_tui.render.clean import pasteable
from acp_tui.store.entities import Entity, Submission, ToolCall, Turn
from acp_tui.store.holding import reference
from acp_tui.store.keys import Key, Kind

FORMAT = "acp-tui conversation"
VERSION = 1
"""Raised when something is called otherwise or means something else; not when something is added."""


def json_text(excerpt: Excerpt) -> Iterator[str]:
    """One object; text of it, piece by piece."""
    yield f'{{"format":{_line(FORMAT)},"version":{VERSION},\n"session":{_line(_facts(excerpt))},\n'
    yield f'"part":{_line(_part(excerpt))},\n"conversations":[\n'
    yield from _conversation(excerpt)
    for child in excerpt.children():
        yield ",\n"
        yield from _conversation(child)
    yield "\n]}\n"


def _line(value: Any) -> str:
    return json.dumps(_clean(value), ensure_ascii=False, separators=(",", ":"))


def _clean(value: Any) -> Any:
    """Ids, too, which were not washed."""
    if isinstance(value, str):
        return pasteable(value)
    if isinstance(value, dict):
        return {pasteable(str(name)): _clean(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(one) for one in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value if isinstance(value, bool | int | float | None) else pasteable(str(value))


def _facts(excerpt: Excerpt) -> Json:
    facts = excerpt.facts
    return {
        "id": facts.id,
        "title": facts.title,
        "agent": facts.agent,
        "sessionId": facts.session_id,
        "cwd": facts.cwd,
        "created": _time(facts.created),
        "active": _time(facts.active),
        "messages": facts.messages,
        "toolCalls": facts.tool_calls,
        "turns": facts.turns,
        "cost": {"amount": facts.cost[0], "currency": facts.cost[1]} if facts.cost else None,
    }


def _part(excerpt: Excerpt) -> Json:
    return {"first": excerpt.first, "last": excerpt.last, "whole": excerpt.whole}


def _time(at: float | None) -> str | None:
    """`2026-11-30T14:51:02.250Z`; None where nobody knows, or the clock was mad."""
    try:
        return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z" if at else None
    except (ValueError, OverflowError, OSError):
        return None


def _conversation(excerpt: Excerpt) -> Iterator[str]:
    session = excerpt.session
    parent = excerpt.store.sessions.get(session.parent) if session.parent is not None else None
    head = {
        "sessionId": session.session_id,
        "parent": parent.session_id if parent is not None else None,
        "title": session.info.title,
        "state": session.state,
    }
    yield _line(head)[:-1] + ',"timeline":['
    terminals: dict[Key, None] = {}
    between = "\n"
    for member in excerpt.members():
        entity = member.view.entity
        yield between + _line({"number": member.number, **_entity(entity)})
        between = ",\n"
        terminals |= dict.fromkeys(_terminals(entity))
    yield '\n],"terminals":{'
    between = "\n"
    for key in terminals:
        found = excerpt.store.entity(key)
        if found is not None:
            yield f"{between}{_line(key.id)}:{_line(ENTITIES[key.kind](found))}"
            between = ",\n"
    yield '},\n"plans":' + _line([encode(plan.plan) for plan in excerpt.plans()]) + "}"


def _entity(entity: Entity) -> Json:
    kind = entity.key.kind
    head: Json = {"type": kind.value, "id": entity.key.id, "at": _time(entity.created_at)}
    if kind in ENTITIES:
        return {**head, **ENTITIES[kind](entity)}
    if isinstance(entity, Turn):
        return {**head, **_turn(entity)}
    if isinstance(entity, Submission):
        return {**head, "content": [encode(block) for block in entity.blocks], "status": entity.status}
    return {**head, **subagent(entity)}


def _turn(turn: Turn) -> Json:
    return {
        "stopReason": turn.stop_reason,
        "error": encode(turn.error),
        "startedAt": _time(turn.started_at),
        "cancelAskedAt": _time(turn.cancel_asked_at),
    }


def _terminals(entity: Entity) -> Iterator[Key]:
    """Those that a tool call names."""
    for item in entity.content if isinstance(entity, ToolCall) else ():
        named = reference(item)
        if named is not None and named.type == "terminal":
            yield Key(entity.key.session, Kind.TERMINAL, named.terminal_id)
