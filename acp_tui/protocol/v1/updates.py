"""What v1 agents tell: one update becomes the updates that a v2 agent would have sent (V1-20 to V1-39).

Invariants: a message goes on as long as nothing new comes between, and no longer (V1-21); an echo of the
prompt stands for that prompt and no other (V1-20); what is known but malformed is left to be dropped by the
reader, what v1 does not have is unknown (V1-39), nothing is ever lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from acp_tui.protocol.unknown import Unknown
from acp_tui.protocol.v1 import content, ids, settings, terminals
from acp_tui.protocol.v1.memory import Talk

Update = dict[str, Any]
_PATCHED = ("title", "name", "kind", "status", "content", "locations", "rawInput", "rawOutput", "_meta")
"""Fields of a tool call for which null means unchanged (V1-31)."""


def translate(talk: Talk, raw: Any) -> list[Any]:
    """An `update` of a v1 agent as v2 ones, in order; `Unknown` for what v1 does not have."""
    kind = raw.get("sessionUpdate") if isinstance(raw, dict) else None
    if not isinstance(kind, str):
        return [raw]
    function = _KINDS.get(kind)
    return [Unknown(kind, raw)] if function is None else function(talk, raw)


def tool_call(talk: Talk, raw: Update) -> list[Any]:
    """A tool call begins or goes on (V1-30, V1-31); also the subject of a permission request."""
    update: Update = {
        **{key: value for key, value in raw.items() if value is not None or key not in _PATCHED},
        "sessionUpdate": "tool_call_update",
    }
    name = raw.get("toolCallId")
    if not isinstance(name, str):
        return [update]
    if isinstance(raw.get("title"), str):
        talk.titles[name] = raw["title"]
    if "content" in update:
        update["content"] = content.items(update["content"])
    meta, about = terminals.split(update.pop("_meta", None))
    if meta is not None:
        update["_meta"] = meta
    _came(talk, ("tool", name))
    return [*terminals.updates(about, raw), update, *_shown(talk, name, update, about)]


def _shown(talk: Talk, name: str, update: Update, about: Mapping[str, Any]) -> list[Update]:
    """Agents send the bytes of a terminal without showing it anywhere: it is shown in the tool call."""
    shown = content.terminals(update["content"]) if isinstance(update.get("content"), list) else set()
    talk.terminals |= shown
    new = {said["terminal_id"] for said in about.values()} - talk.terminals
    talk.terminals |= new
    return [
        {
            "sessionUpdate": "tool_call_content_chunk",
            "toolCallId": name,
            "content": {"type": "terminal", "terminalId": terminal},
        }
        for terminal in sorted(new)
    ]


def _came(talk: Talk, entity: tuple[str, str]) -> None:
    """Something of the agent's: what the user says later is no echo any more."""
    talk.prompt = ""
    talk.appeared(entity)


def _user_chunk(talk: Talk, raw: Update) -> list[Any]:
    if not talk.prompt:
        return _chunk(talk, "user", raw)
    if isinstance(raw.get("messageId"), str):
        talk.aliases[raw["messageId"]] = talk.prompt
    if talk.echoed:
        return [{**raw, "messageId": talk.prompt}]
    if not isinstance(raw.get("content"), dict):
        return [raw]
    talk.echoed = True
    whole = {"sessionUpdate": "user_message", "messageId": talk.prompt, "content": [raw["content"]]}
    return [whole]


def _agent_chunk(talk: Talk, raw: Update) -> list[Any]:
    return _chunk(talk, "agent", raw)


def _thought_chunk(talk: Talk, raw: Update) -> list[Any]:
    return _chunk(talk, "thought", raw)


def _chunk(talk: Talk, kind: str, raw: Update) -> list[Any]:
    if not isinstance(raw.get("content"), dict):
        return [{**raw, "messageId": "", "content": None}]  # dropped, and no message begins with it
    named = raw.get("messageId")
    if isinstance(named, str):
        name = talk.aliases.get(named) if kind == "user" else None
        name = name or ids.taken(named)
    elif talk.last is not None and talk.last[0] == kind:
        name = talk.last[1]
    else:
        name = talk.new(kind)
    _came(talk, (kind, name))
    return [{**raw, "messageId": name}]


def _plan(talk: Talk, raw: Update) -> list[Any]:
    talk.prompt = ""
    plan = {"type": "items", "planId": ids.PLAN, "entries": raw.get("entries")}
    if isinstance(raw.get("_meta"), dict):
        plan["_meta"] = raw["_meta"]
    return [{"sessionUpdate": "plan_update", "plan": plan}]


def _commands(talk: Talk, raw: Update) -> list[Any]:
    commands = raw.get("availableCommands")
    if not isinstance(commands, list):
        return [raw]
    return [{**raw, "availableCommands": [_command(one) for one in commands]}]


def _command(raw: Any) -> Any:
    if not isinstance(raw, dict):
        return raw
    given = raw.get("input")
    typed = {"input": {"type": "text", **given}} if isinstance(given, dict) else {}
    return {**raw, "type": "command", **typed}


def _mode(talk: Talk, raw: Update) -> list[Any]:
    value = raw.get("currentModeId", raw.get("modeId"))
    if not settings.moved(talk, ids.MODE, value):
        return [Unknown("current_mode_update", raw)]
    return [_options_update(talk)]


def _options(talk: Talk, raw: Update) -> list[Any]:
    return [_options_update(talk)] if settings.take(talk, raw) else [raw]


def _options_update(talk: Talk) -> Update:
    return {"sessionUpdate": "config_option_update", "configOptions": settings.offered(talk)}


def _usage(talk: Talk, raw: Update) -> list[Any]:
    """Without a cost the last one stays (V1-38)."""
    return [{key: value for key, value in raw.items() if key != "cost" or value is not None}]


def _whole_meta(talk: Talk, raw: Update) -> list[Any]:
    """`_meta` is replaced whole, not patched (V1-38): cleared first."""
    if not isinstance(raw.get("_meta"), dict):
        return [raw]
    name = {key: value for key, value in raw.items() if key in ("sessionUpdate", "compactionId")}
    return [{key: value for key, value in raw.items() if key != "_meta"} | {"_meta": None}, {**name, **raw}]


def _compaction(talk: Talk, raw: Update) -> list[Any]:
    if isinstance(raw.get("compactionId"), str):
        _came(talk, ("compaction", raw["compactionId"]))
    return _whole_meta(talk, raw) if raw["sessionUpdate"] == "compaction_update" else [raw]


def _same(talk: Talk, raw: Update) -> list[Any]:
    return [raw]


_KINDS: Final[Mapping[str, Callable[[Talk, Update], list[Any]]]] = {
    "user_message_chunk": _user_chunk,
    "agent_message_chunk": _agent_chunk,
    "agent_thought_chunk": _thought_chunk,
    "tool_call": tool_call,
    "tool_call_update": tool_call,
    "plan": _plan,
    "available_commands_update": _commands,
    "current_mode_update": _mode,
    "config_option_update": _options,
    "session_info_update": _whole_meta,
    "usage_update": _usage,
    "notice": _same,
    "compaction_update": _compaction,
    "compaction_summary_chunk": _compaction,
}
