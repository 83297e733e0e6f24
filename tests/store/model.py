"""The store as the rules tell it, slow and obvious: raw updates into plain dicts.

Written from the rules alone, it shares no code with what it checks; revisions and dirty keys are not its
business.
"""

from __future__ import annotations

import binascii
import codecs
from typing import Any

ABSENT = object()
OPEN_DEFAULTS = {"status": "pending", "kind": "other"}
FINAL = ("completed", "failed", "cancelled")
MESSAGES = ("user_message", "agent_message", "agent_thought")
REQUIRED = {"text": ["text"], "image": ["data", "mimeType"]}


class Dropped(Exception):
    """The update is invalid and changes nothing (UP-05)."""


def patch(raw: dict[str, Any], name: str, well_formed: Any) -> Any:
    """Absent, null or a value; a malformed value counts as absent (UP-01, UP-02)."""
    value = raw.get(name, ABSENT)
    return value if value is ABSENT or value is None or well_formed(value) else ABSENT


def string(value: Any) -> bool:
    return isinstance(value, str)


def array(value: Any) -> bool:
    return isinstance(value, list)


def block(value: Any) -> bool:
    """A known block needs its fields, an unknown one only a type (CB-05, CB-06)."""
    if not isinstance(value, dict) or not string(value.get("type")):
        return False
    return all(string(value.get(name)) for name in REQUIRED.get(value["type"], []))


def item(value: Any) -> bool:
    if not isinstance(value, dict) or not string(value.get("type")):
        return False
    if value["type"] == "content":
        return block(value.get("content"))
    return value["type"] != "terminal" or string(value.get("terminalId"))


def identity(raw: dict[str, Any], name: str) -> str:
    if not string(raw.get(name)):
        raise Dropped
    return str(raw[name])


class Model:
    """What one session knows."""

    def __init__(self) -> None:
        self.timeline: list[tuple[str, str]] = []
        self.entities: dict[tuple[str, str], dict[str, Any]] = {}
        self.state = "idle"
        self.stop: Any = None
        self.background: Any = None
        self.completions = 0
        self.dropped = 0
        self.unknown: list[Any] = []
        self.usage: Any = None
        self.title: Any = None

    def feed(self, raw: dict[str, Any]) -> None:
        kind = raw["sessionUpdate"]
        apply = getattr(self, f"_{kind}", None)
        try:
            if kind.removesuffix("_chunk") in MESSAGES:
                self._message(kind, raw)
            elif apply is None:
                self.unknown.append(raw)
            else:
                apply(raw)
        except Dropped:
            self.dropped += 1

    def cancel(self) -> None:
        """CX-02 and CX-07: the unfinished calls of the foreground show cancelled, listed ones do not."""
        for (kind, id_), entity in self.entities.items():
            if kind == "tool_call" and entity["status"] not in FINAL and id_ not in self._listed():
                entity["overlay"] = True

    def _listed(self) -> list[str]:
        return [one["toolCallId"] for one in self.background or [] if one["type"] == "tool_call"]

    def _entity(self, kind: str, id_: str, /, **defaults: Any) -> dict[str, Any]:
        if (kind, id_) not in self.entities:
            self.entities[kind, id_] = {"meta": None, "late": False, "turn": self.completions, **defaults}
            if kind not in ("terminal", "plan"):
                self.timeline.append((kind, id_))
        return self.entities[kind, id_]

    def _meta(self, entity: dict[str, Any], raw: dict[str, Any]) -> None:
        """UP-09."""
        meta = patch(raw, "_meta", lambda value: isinstance(value, dict))
        if meta is None:
            entity["meta"] = None
        elif meta is not ABSENT:
            merged = {**(entity["meta"] or {}), **meta}
            merged = {key: value for key, value in merged.items() if value is not None}
            if merged or entity["meta"] is not None:
                entity["meta"] = merged

    def _content(self, entity: dict[str, Any], raw: dict[str, Any], name: str, valid: Any) -> None:
        """Absent keeps, null clears, an array replaces, without its malformed items (UP-03, UP-12)."""
        content = patch(raw, name, array)
        if content is not ABSENT:
            entity[name] = [one for one in content or [] if valid(one)]

    def _message(self, kind: str, raw: dict[str, Any]) -> None:
        id_ = identity(raw, "messageId")
        if kind.endswith("_chunk") and not block(raw.get("content")):
            raise Dropped
        entity = self._entity(kind.removesuffix("_chunk"), id_, content=[])
        if kind.endswith("_chunk"):
            entity["content"] = [*entity["content"], raw["content"]]
        else:
            self._content(entity, raw, "content", block)
            self._meta(entity, raw)

    def _compaction_update(self, raw: dict[str, Any]) -> None:
        id_ = identity(raw, "compactionId")
        if not (raw.get("status") is None or string(raw["status"])):
            raise Dropped
        if raw.get("status") is None and ("compaction", id_) not in self.entities:
            raise Dropped  # CP-07
        entity = self._entity("compaction", id_, status="in_progress", summary=[], error=None)
        if "status" in raw:
            entity["status"] = raw["status"] or "in_progress"
        self._content(entity, raw, "summary", block)
        error = patch(raw, "error", string)
        entity["error"] = entity["error"] if error is ABSENT else error
        self._meta(entity, raw)

    def _compaction_summary_chunk(self, raw: dict[str, Any]) -> None:
        id_ = identity(raw, "compactionId")
        if not block(raw.get("content")):
            raise Dropped
        entity = self._entity("compaction", id_, status="in_progress", summary=[], error=None)
        entity["summary"] = [*entity["summary"], raw["content"]]

    def _call(self, id_: str) -> dict[str, Any]:
        values = dict.fromkeys(("title", "name", "rawInput", "rawOutput"))
        flags = {"overlay": False, "unreported": False, "cancellable": False}
        entity = self._entity("tool_call", id_, **OPEN_DEFAULTS, content=[], **values, **flags)
        if entity["unreported"]:
            entity["unreported"], entity["late"] = False, True
        return entity

    def _tool_call_update(self, raw: dict[str, Any]) -> None:
        entity = self._call(identity(raw, "toolCallId"))
        for name in ("title", "name", "kind", "status"):
            value = patch(raw, name, string)
            if value is not ABSENT:
                entity[name] = OPEN_DEFAULTS.get(name) if value is None else value
                entity["overlay"] = entity["overlay"] and name != "status"
        for name in ("rawInput", "rawOutput"):
            entity[name] = raw.get(name, entity[name])
        if "capabilities" in raw:
            capabilities = raw["capabilities"]
            entity["cancellable"] = isinstance(capabilities, dict) and isinstance(
                capabilities.get("cancel"), dict
            )
        self._content(entity, raw, "content", item)
        self._meta(entity, raw)

    def _tool_call_content_chunk(self, raw: dict[str, Any]) -> None:
        id_ = identity(raw, "toolCallId")
        if not item(raw.get("content")):
            raise Dropped
        entity = self._call(id_)
        entity["content"] = [*entity["content"], raw["content"]]

    def _terminal_update(self, raw: dict[str, Any]) -> None:
        entity = self._entity("terminal", identity(raw, "terminalId"), command=None, exit=None, chunks=[])
        command = patch(raw, "command", string)
        entity["command"] = entity["command"] if command is ABSENT else command
        status = patch(raw, "exitStatus", lambda value: isinstance(value, dict))
        entity["exit"] = entity["exit"] if status is ABSENT else status
        output = patch(raw, "output", lambda value: isinstance(value, dict) and string(value.get("data")))
        if output is None:
            entity["chunks"] = []
        elif output is not ABSENT and (data := self._bytes(output["data"])) is not None:
            entity["chunks"] = [data]
        self._meta(entity, raw)

    def _terminal_output_chunk(self, raw: dict[str, Any]) -> None:
        id_ = identity(raw, "terminalId")
        data = self._bytes(raw.get("data"))
        if data is None:
            raise Dropped
        entity = self._entity("terminal", id_, command=None, exit=None, chunks=[])
        entity["chunks"] = [*entity["chunks"], data]

    @staticmethod
    def _bytes(data: Any) -> bytes | None:
        try:
            return binascii.a2b_base64(data, strict_mode=True)
        except (ValueError, TypeError):
            return None

    def _plan_update(self, raw: dict[str, Any]) -> None:
        plan = raw.get("plan")
        if not isinstance(plan, dict) or not string(plan.get("type")):
            raise Dropped
        needed = {"items": array, "markdown": string}.get(plan["type"])
        name = {"items": "entries", "markdown": "content"}.get(plan["type"], "")
        if needed is not None and not needed(plan.get(name)):
            raise Dropped
        self._entity("plan", identity(plan, "planId"))["plan"] = plan

    def _plan_removed(self, raw: dict[str, Any]) -> None:
        self.entities.pop(("plan", identity(raw, "planId")), None)

    def _usage_update(self, raw: dict[str, Any]) -> None:
        if not all(isinstance(raw.get(name), int) and raw[name] >= 0 for name in ("used", "size")):
            raise Dropped
        cost = patch(
            raw, "cost", lambda value: isinstance(value, dict) and {"amount", "currency"} <= set(value)
        )
        kept = self.usage["cost"] if self.usage else None
        self.usage = {"used": raw["used"], "size": raw["size"], "cost": kept if cost is ABSENT else cost}

    def _session_info_update(self, raw: dict[str, Any]) -> None:
        title = patch(raw, "title", string)
        self.title = self.title if title is ABSENT else title

    def _state_update(self, raw: dict[str, Any]) -> None:
        state = raw.get("state")
        if not string(state):
            raise Dropped
        known = state in ("idle", "running", "requires_action")
        self.background = raw.get("background") if known else None
        if state == "idle":
            self.stop = raw.get("stopReason")
        before, self.state = self.state, state if known else f"unknown:{state}"
        if state == "idle" and before != "idle":
            self.completions += 1
            self.timeline.append(("turn", ""))
        if state == "idle" and self.background is not None:
            self._mark()

    def _mark(self) -> None:
        """BG-05."""
        for (kind, id_), entity in self.entities.items():
            if kind == "tool_call" and entity["status"] not in FINAL and not entity["overlay"]:
                entity["unreported"] = id_ not in self._listed()


def text(chunks: list[bytes]) -> str:
    """TM-06: decoded from the last snapshot on, an incomplete tail left out."""
    return codecs.getincrementaldecoder("utf-8")("replace").decode(b"".join(chunks))
