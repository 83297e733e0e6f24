"""Entities as JSON, in the words of the protocol: one function for each kind that has an update of its own.

Invariant: every key always stands there; what was not said is null or empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acp_tui.protocol.v2 import encode
from acp_tui.store import entities as kept
from acp_tui.store.holding import loaded
from acp_tui.store.keys import Kind

Json = dict[str, Any]


def message(one: kept.Message) -> Json:
    """A message of the user or the agent, or a thought."""
    return {"content": [encode(block) for block in one.content], "meta": one.meta}


def session_message(one: kept.SessionMessage) -> Json:
    """A message between sessions."""
    return {
        **message(one),
        "senderSessionId": one.sender_session_id,
        "recipientSessionId": one.recipient_session_id,
        "senderMessageId": one.sender_message_id,
        "recipientMessageId": one.recipient_message_id,
    }


def tool_call(call: kept.ToolCall) -> Json:
    """`displayStatus` is the status with what we know of cancels."""
    return {
        "name": call.name,
        "title": call.title,
        "kind": call.kind,
        "status": call.status,
        "displayStatus": call.display_status,
        "content": [encode(loaded(item)) for item in call.content],
        "locations": [encode(loaded(place)) for place in call.locations],
        "rawInput": loaded(call.raw_input),
        "rawOutput": loaded(call.raw_output),
        "cancellable": call.cancellable,
        "meta": call.meta,
    }


def terminal(one: kept.Terminal) -> Json:
    """All but the bytes of its output."""
    return {
        "command": one.command,
        "cwd": one.cwd,
        "text": one.output.text(),
        "exited": one.exited,
        "exitStatus": encode(one.exit_status),
        "size": encode(one.size),
        "cancellable": one.cancellable,
        "meta": one.meta,
    }


def compaction(one: kept.Compaction) -> Json:
    """A compaction of the agent's context."""
    return {
        "status": one.status,
        "summary": [encode(block) for block in one.summary],
        "error": one.error,
        "meta": one.meta,
    }


def plan(one: kept.Plan) -> Any:
    """As it was reported."""
    return encode(one.plan)


def subagent(one: Any) -> Json:
    """A `Subagent`: a child as its parent sees it."""
    return {
        "title": one.title,
        "description": one.description,
        "cwd": one.cwd,
        "cancellable": one.cancellable,
        "state": one.reported_state,
        "meta": one.meta,
    }


ENTITIES: dict[Kind, Callable[[Any], Any]] = {
    Kind.USER_MESSAGE: message,
    Kind.AGENT_MESSAGE: message,
    Kind.AGENT_THOUGHT: message,
    Kind.SESSION_MESSAGE: session_message,
    Kind.TOOL_CALL: tool_call,
    Kind.TERMINAL: terminal,
    Kind.PLAN: plan,
    Kind.COMPACTION: compaction,
}
