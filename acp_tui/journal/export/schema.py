"""What stands in a conversation exported as JSON: a JSON Schema for those who read it.

Content blocks, items of tool calls, plans and errors are the protocol's and not spelled out here. Invariant:
what is exported is valid by this; a test holds both together.
"""

from __future__ import annotations

from typing import Any

from acp_tui.journal.export.data import FORMAT, VERSION

_TEXT: dict[str, Any] = {"type": "string"}
_MAYBE: dict[str, Any] = {"type": ["string", "null"]}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_TIME: dict[str, Any] = {
    "description": "UTC, in ISO 8601; null where nobody knows",
    "anyOf": [{"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"}, {"type": "null"}],
}
_BLOCKS: dict[str, Any] = {
    "description": "content blocks of ACP",
    "type": "array",
    "items": {"type": "object"},
}
_META: dict[str, Any] = {"description": "_meta, as the agent gave it", "type": ["object", "null"]}


def _object(about: str, /, **fields: Any) -> dict[str, Any]:
    """Every field is always there."""
    return {
        "description": about,
        "type": "object",
        "properties": fields,
        "required": list(fields),
    }


def _member(kind: str, about: str, /, **fields: Any) -> dict[str, Any]:
    head = {
        "number": {"description": "as `acp-tui show --numbers` has it", "type": "integer", "minimum": 1},
        "type": {"const": kind},
        "id": _TEXT,
        "at": _TIME,
    }
    return _object(about, **head, **fields)


_SAID: dict[str, Any] = {"content": _BLOCKS, "meta": _META}
_MEMBERS: list[dict[str, Any]] = [
    _member("user_message", "what the user said", **_SAID),
    _member("agent_message", "what the agent said", **_SAID),
    _member("agent_thought", "what the agent thought", **_SAID),
    _member(
        "session_message",
        "a message between two sessions",
        **_SAID,
        senderSessionId=_MAYBE,
        recipientSessionId=_MAYBE,
        senderMessageId=_MAYBE,
        recipientMessageId=_MAYBE,
    ),
    _member(
        "tool_call",
        "a tool call; its terminals are in `terminals`",
        name=_MAYBE,
        title=_MAYBE,
        kind=_TEXT,
        status=_TEXT,
        displayStatus={"description": "with what acp-tui knew of cancels", "type": "string"},
        content=_BLOCKS,
        locations={"type": "array", "items": {"type": "object"}},
        rawInput={},
        rawOutput={},
        cancellable={"type": "boolean"},
        meta=_META,
    ),
    _member(
        "compaction",
        "the agent compacted its context",
        status=_TEXT,
        summary=_BLOCKS,
        error=_MAYBE,
        meta=_META,
    ),
    _member(
        "turn",
        "the work ended; stopReason null: no reason was given",
        stopReason=_MAYBE,
        error={"type": ["object", "null"]},
        startedAt=_TIME,
        cancelAskedAt=_TIME,
    ),
    _member(
        "subagent",
        "a subagent; what it said is a conversation of its own",
        title=_MAYBE,
        description=_MAYBE,
        cwd=_MAYBE,
        cancellable={"type": "boolean"},
        state=_MAYBE,
        meta=_META,
    ),
    _member("submission", "a prompt of which no user_message came", content=_BLOCKS, status=_TEXT),
]

_TERMINAL = _object(
    "what was left on its screen, without colours",
    command=_MAYBE,
    cwd=_MAYBE,
    text=_TEXT,
    exited={"type": "boolean"},
    exitStatus={"type": ["object", "null"]},
    size={"type": ["object", "null"]},
    cancellable={"type": "boolean"},
    meta=_META,
)

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A conversation exported by acp-tui",
    **_object(
        "secrets are masked, control characters taken out",
        format={"const": FORMAT},
        version={"const": VERSION},
        session=_object(
            "the session in the library of acp-tui",
            id={"description": "ours; empty: it is not saved", "type": "string"},
            title=_TEXT,
            agent=_TEXT,
            sessionId={"description": "the agent's", "type": "string"},
            cwd=_TEXT,
            created=_TIME,
            active=_TIME,
            messages=_COUNT,
            toolCalls=_COUNT,
            turns=_COUNT,
            cost={
                "anyOf": [
                    {"type": "null"},
                    _object("as last reported", amount={"type": "number"}, currency=_TEXT),
                ]
            },
        ),
        part=_object("what of the timeline is here", first=_COUNT, last=_COUNT, whole={"type": "boolean"}),
        conversations={
            "description": "first the session's own, then those of its subagents",
            "type": "array",
            "items": _object(
                "one session of the agent",
                sessionId=_MAYBE,
                parent={"description": "sessionId of the conversation above", "type": ["string", "null"]},
                title=_MAYBE,
                state=_TEXT,
                timeline={"type": "array", "items": {"oneOf": _MEMBERS}},
                terminals={"type": "object", "additionalProperties": _TERMINAL},
                plans={
                    "description": "as they stood at the end",
                    "type": "array",
                    "items": {"type": "object"},
                },
            ),
        },
    ),
}
"""By version 1; what is added later does not change the number."""
