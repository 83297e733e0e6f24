"""What a record tells of the sessions in its journal: the rules by which `scanning` keeps its facts.

They follow the client machine: a session is attached from `session/new` answered, or `session/resume` asked,
until it is closed, refused or lost; what comes for anything else belongs to nothing. All that is remembered
from one record to the next stands in `Journaled`, so that a scan can go on in another process.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from acp_tui.base.complaint import complaint
from acp_tui.journal.log import OWN, beside
from acp_tui.journal.saved import Counts, Journaled, Listed, Stretch, Waiting

RECENT = 64
"""Entities remembered, so that one more piece of them counts as none."""
CALLS = 256
"""Open tool calls remembered."""
EARLY = 100
"""Sessions without a name whose updates are kept."""
PROMPT = 200
"""Characters of the first prompt."""

FAR = 1e15
"""No time and no amount is beyond this."""
NOT_FOUND: Final = -32002
CANCELLED: Final = -32800
_ID = re.compile("[0-9a-f]{12}")
_DECIDE = frozenset(
    {"initialize", "session/new", "session/resume", "session/load", "session/close", "session/delete"}
    | {"session/list"}
)
_MESSAGES = frozenset({"user_message", "user_message_chunk", "agent_message", "agent_message_chunk"})
_CALLS = frozenset({"tool_call", "tool_call_update", "tool_call_content_chunk"})
_WORK = frozenset(
    {*_MESSAGES, *_CALLS, "agent_thought", "agent_thought_chunk", "terminal_update", "terminal_output_chunk"}
    | {"state_update", "plan_update", "plan"}
)
_USER, _THOUGHT = "user_message_chunk", "agent_thought_chunk"
_CHUNKS = frozenset({_USER, "agent_message_chunk", _THOUGHT})
_FINAL = frozenset({"completed", "failed", "cancelled"})


class Telling:
    """Changes the facts of one journal, record after record."""

    def __init__(self, journal: Journaled) -> None:
        self.journal = journal
        self._size = 0
        self._at = 0.0

    @property
    def _offset(self) -> int:
        return self.journal.offset

    # In

    def piece(self, session_id: str, name: bytes, id: str, at: float, size: int) -> None:
        """One more piece of an entity: `name` says of which type, empty if it counts for nothing."""
        self._size, self._at = size, at
        self._heard()
        stretch = self._stretch(session_id)
        if stretch is None:
            return
        stretch.end = self._offset + size
        if not stretch.replays:
            stretch.active = max(stretch.active, at)
        stretch.nameless = ""
        if name and stretch.session_id == session_id:
            self._count(stretch, "messages" if b"message" in name else "tool_calls", id)

    def record(self, record: dict[str, Any], size: int) -> None:
        """Any other record."""
        self._size, self._at = size, number(record.get("t"))
        self._heard()
        message, direction = record.get("msg"), record.get("dir")
        if direction == "#":
            self._noted(record, size)
        elif isinstance(message, dict) and direction in ("<", ">"):
            session_id = record.get("session")
            stretch = self._stretch(session_id) if isinstance(session_id, str) else None
            if direction == "<":
                self._theirs(message, stretch)
            else:
                self._ours(message, stretch, beside(record))
            if stretch is not None:
                stretch.end = max(stretch.end, self._offset + size)

    def _heard(self) -> None:
        self.journal.active = max(self.journal.active, self._at)

    def _stretch(self, session_id: str) -> Stretch | None:
        """What an id means now; while a name is awaited, perhaps something new."""
        mine = self.journal.owner.get(session_id)
        if mine is not None:
            return self.journal.stretches[mine]
        asked = [one for one in self.journal.waiting.values() if one.method == "session/new"]
        if not asked:
            return self._midway(session_id) if self.journal.missing or self.journal.head.first else None
        early = self.journal.early
        if session_id not in early and len(early) < EARLY:
            early[session_id] = self._begun("new", session_id, asked[0])
        return early.get(session_id)

    def _midway(self, session_id: str) -> Stretch:
        """Records are missing: it may have been opened in these."""
        asked = Waiting(method="", offset=self._offset, at=self._at, cwd=self.journal.head.cwd)
        stretch = self._begun("resume", session_id, asked)
        stretch.midway = stretch.opened = True
        self._add(stretch)
        self._attach(stretch, asked)
        return stretch

    def _begun(self, how: Any, session_id: str, asked: Waiting) -> Stretch:
        return Stretch(
            session_id=session_id,
            number=0,
            begun=how,
            asked=asked.offset,
            since=asked.offset,
            end=self._offset + self._size,
            created=asked.at,
        )

    def _count(self, stretch: Stretch, what: str, id: str) -> None:
        name = f"{what[0]}{id}"
        recent = stretch.recent
        if recent and recent[-1] == name:
            return
        if name in recent:
            recent.remove(name)
        else:
            counts = stretch.replayed if stretch.replays else stretch.live
            setattr(counts, what, getattr(counts, what) + 1)
        recent.append(name)
        del recent[:-RECENT]

    def _number(self, stretch: Stretch) -> int:
        return next(n for n, one in enumerate(self.journal.stretches) if one is stretch)

    # Notes

    def _noted(self, record: dict[str, Any], size: int) -> None:
        event, session_id = record.get("event"), record.get("session")
        if isinstance(session_id, str) and (stretch := self._stretch(session_id)) is not None:
            stretch.end = max(stretch.end, self._offset + size)
        if event == "connection_lost":
            self.journal.ended, self.journal.reason = self._at, text(record.get("reason"))
            for mine in set(self.journal.owner.values()):
                self._leave(self.journal.stretches[mine])
            self.journal.waiting.clear()
            self.journal.early.clear()
        elif event == f"{OWN}closed" and isinstance(session_id, str):
            self._close(session_id)
        elif event == "gap":
            missing = record.get("missing")
            self.journal.missing += missing if type(missing) is int else 1
        elif event == "continues":
            new = self.journal.owner.get(text(record.get("new")))
            if new is not None:
                self.journal.stretches[new].continues = text(record.get("saved"))

    def _leave(self, stretch: Stretch) -> None:
        stretch.left, stretch.replays = self._offset + self._size, False
        owner, mine = self.journal.owner, self._number(stretch)
        for session_id in [name for name, whose in owner.items() if whose == mine]:
            del owner[session_id]

    # Ours

    def _ours(self, message: dict[str, Any], stretch: Stretch | None, kept: dict[str, str]) -> None:
        method, params = message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        if not isinstance(method, str):
            if stretch is not None:
                stretch.questions.pop(_name(message), None)
            return
        if method in _DECIDE and "id" in message:
            self.journal.waiting[_name(message)] = self._asked(method, params, kept)
        if method == "session/prompt" and stretch is not None and "id" in message:
            stretch.prompts[_name(message)] = stretch.active = self._at
            if self.journal.protocol == 1:
                self._prompted(stretch)
            stretch.first_prompt = stretch.first_prompt or _said(params.get("prompt"))

    def _prompted(self, stretch: Stretch) -> None:
        """A v1 agent is at work from now on, and what it tells is no history any more (V1-20, V1-22)."""
        stretch.replays, stretch.state, stretch.nameless = False, "running", ""
        self._nameless(stretch, _USER)

    def _asked(self, method: str, params: dict[str, Any], kept: dict[str, str]) -> Waiting:
        directories = params.get("additionalDirectories")
        asked = Waiting(
            method=method,
            offset=self._offset,
            at=self._at,
            session_id=text(params.get("sessionId")),
            cwd=text(params.get("cwd")),
            additional_directories=tuple(map(str, directories)) if isinstance(directories, list) else (),
            anew=params.get("cursor") is None and params.get("cwd") is None,
            kept_as=self._named(kept),
            branch=kept.get("branch"),
        )
        if method in ("session/resume", "session/load") and asked.session_id:
            self._resume(asked, replay=method == "session/load" or params.get("replayFrom") is not None)
        return asked

    def _named(self, kept: dict[str, str]) -> str:
        """Our id of the session that is resumed; one of an agent of another name counts as none."""
        id = kept.get("saved", "")
        return id if _ID.fullmatch(id) and kept.get("agent") == self.journal.agent else ""

    def _resume(self, asked: Waiting, *, replay: bool) -> None:
        """It is attached from now on: what is replayed comes before the answer (SS-18)."""
        journal = self.journal
        mine = journal.owner.get(asked.session_id)
        open_now = journal.stretches[mine] if mine is not None else None
        asked.again = open_now is not None and open_now.session_id == asked.session_id
        stretch = open_now if asked.again else self._newest(asked.session_id)
        if stretch is None:
            stretch = self._begun("resume", asked.session_id, asked)
            stretch.kept_as = asked.kept_as
            self._add(stretch)
        self._attach(stretch, asked)
        stretch.refused, stretch.refused_code = "", None
        stretch.end = self._offset + self._size
        if replay:
            stretch.replays, stretch.replayed, stretch.recent = True, Counts(), []

    def _newest(self, session_id: str) -> Stretch | None:
        same = (one for one in reversed(self.journal.stretches) if one.session_id == session_id)
        return next(same, None)

    def _add(self, stretch: Stretch) -> None:
        stretch.number = 1 + sum(one.session_id == stretch.session_id for one in self.journal.stretches)
        self.journal.stretches.append(stretch)

    def _attach(self, stretch: Stretch, asked: Waiting) -> None:
        stretch.cwd, stretch.additional_directories = asked.cwd, asked.additional_directories
        stretch.closed, stretch.left = False, None
        if asked.branch is not None:
            stretch.branch = asked.branch
        self.journal.owner[stretch.session_id] = self._number(stretch)

    # The agent's

    def _theirs(self, message: dict[str, Any], stretch: Stretch | None) -> None:
        method = message.get("method")
        if not isinstance(method, str):
            self._answered(message, stretch)
        elif stretch is None:
            return
        elif "id" in message:
            stretch.questions[_name(message)] = stretch.active = self._at
        elif method == "$/cancel_request":
            return
        elif method == "session/update":
            params = message.get("params")
            update = params.get("update") if isinstance(params, dict) else None
            if isinstance(update, dict) and isinstance(params, dict):
                self._updated(stretch, params.get("sessionId"), update)

    def _answered(self, message: dict[str, Any], stretch: Stretch | None) -> None:
        asked = self.journal.waiting.pop(_name(message), None)
        error, result = message.get("error"), message.get("result")
        if asked is None:
            prompted = stretch is not None and stretch.prompts.pop(_name(message), None) is not None
            if stretch is not None and prompted and self.journal.protocol == 1:
                self._turn_ended(stretch, error, result)
            return
        if isinstance(error, dict):
            self._failed(asked, error)
        elif (done := _DONE.get(asked.method)) is not None:
            done(self, asked, result if isinstance(result, dict) else {})
        if asked.method == "session/new" and not any(
            one.method == "session/new" for one in self.journal.waiting.values()
        ):
            self.journal.early.clear()

    def _turn_ended(self, stretch: Stretch, error: Any, result: Any) -> None:
        """The answer to a prompt ends the work of a v1 agent (V1-23)."""
        said = result.get("stopReason") if isinstance(result, dict) else None
        if isinstance(error, dict):
            said = "cancelled" if error.get("code") == CANCELLED else "error"
        self._state(stretch, {"state": "idle", "stopReason": said})
        stretch.state, stretch.nameless = "running" if stretch.prompts else "idle", ""

    def _failed(self, asked: Waiting, error: dict[str, Any]) -> None:
        code = error.get("code")
        stretch = self._newest(asked.session_id)
        if asked.method in ("session/resume", "session/load") and stretch is not None:
            stretch.replays = False
            if asked.again:
                return
            stretch.refused = complaint(text(error.get("message")), error.get("data")) or "refused"
            stretch.refused_code = code if type(code) is int else None
            stretch.closed = True
            self._leave(stretch)
        elif code == NOT_FOUND and asked.method in ("session/delete", "session/close"):
            _DONE[asked.method](self, asked, {})

    def _initialized(self, asked: Waiting, result: dict[str, Any]) -> None:
        self.journal.protocol = 1 if result.get("protocolVersion") == 1 or "info" not in result else 2
        info = result.get("info") or result.get("agentInfo")
        if isinstance(info, dict) and text(info.get("name")):
            self.journal.agent = info["name"]
            self.journal.agent_title = text(info.get("title"))

    def _opened(self, asked: Waiting, result: dict[str, Any]) -> None:
        session_id = result.get("sessionId")
        if not isinstance(session_id, str) or session_id in self.journal.owner:
            return  # the machine refuses a session that is open already
        before = self._newest(session_id)
        stretch = self.journal.early.pop(session_id, None) or self._begun("new", session_id, asked)
        stretch.asked = stretch.since = asked.offset
        stretch.created = asked.at
        stretch.opened, stretch.end = True, self._offset + self._size
        if before is not None:
            stretch.since = max(stretch.since, before.left or 0)
            before.until = stretch.since
        self._add(stretch)
        self._attach(stretch, asked)
        for child in stretch.children:
            self.journal.owner.setdefault(child, self.journal.owner[session_id])

    def _resumed(self, asked: Waiting, result: dict[str, Any]) -> None:
        stretch = self._newest(asked.session_id)
        if stretch is not None:
            # a v1 agent may answer first and tell the history then: until the next prompt it is that
            stretch.replays = stretch.replays and asked.method == "session/load"
            stretch.opened = True

    def _closed(self, asked: Waiting, result: dict[str, Any]) -> None:
        self._close(asked.session_id)

    def _close(self, session_id: str) -> None:
        stretch = self._newest(session_id)
        if stretch is not None:
            stretch.closed = True
            stretch.end = max(stretch.end, self._offset + self._size)
            self._leave(stretch)

    def _deleted(self, asked: Waiting, result: dict[str, Any]) -> None:
        self.journal.deleted[asked.session_id] = self._at
        self.journal.listed.pop(asked.session_id, None)

    def _listed(self, asked: Waiting, result: dict[str, Any]) -> None:
        if asked.anew:
            self.journal.listed_at = self._at  # what it lists no more stays: that is not deleted
        sessions = result.get("sessions")
        for info in sessions if isinstance(sessions, list) else ():
            if isinstance(info, dict) and (session_id := text(info.get("sessionId"))):
                self.journal.listed[session_id] = Listed(
                    session_id=session_id,
                    at=self._at,
                    cwd=text(info.get("cwd")),
                    title=text(info.get("title")) or None,
                    updated_at=text(info.get("updatedAt")) or None,
                )

    # Updates

    def _updated(self, stretch: Stretch, session_id: Any, update: dict[str, Any]) -> None:
        kind = text(update.get("sessionUpdate"))
        if kind in _WORK and not stretch.replays:
            stretch.active = max(stretch.active, self._at)
        if kind == "subagent_update":
            self._child(stretch, update)
        if session_id != stretch.session_id:
            return
        if kind in _CHUNKS and self.journal.protocol == 1:
            self._chunk(stretch, kind, update)
        elif kind in _MESSAGES and isinstance(update.get("messageId"), str):
            self._count(stretch, "messages", update["messageId"])
            if not stretch.first_prompt and kind.startswith("user"):
                stretch.first_prompt = _said(update.get("content"))
        elif kind in _CALLS and isinstance(update.get("toolCallId"), str):
            if f"t{update['toolCallId']}" not in stretch.recent:
                stretch.nameless = ""
            self._count(stretch, "tool_calls", update["toolCallId"])
            if "status" in update:
                self._call(stretch, update["toolCallId"], text(update["status"]))
        elif kind == "state_update" and isinstance(update.get("state"), str):
            self._state(stretch, update)
        elif kind == "session_info_update" and "title" in update:
            stretch.title = text(update["title"]) or None
        elif kind == "usage_update" and _believable((cost := _object(update.get("cost"))).get("amount")):
            stretch.cost, stretch.currency = number(cost["amount"]), text(cost.get("currency"))

    def _chunk(self, stretch: Stretch, kind: str, update: dict[str, Any]) -> None:
        """A piece of a message of a v1 agent; after a prompt one of the user's is its echo (V1-20)."""
        if kind == _USER and not stretch.first_prompt:
            stretch.first_prompt = _said(update.get("content"))
        if isinstance(id := update.get("messageId"), str) and not kind == stretch.nameless == _USER:
            stretch.nameless = ""
            if kind != _THOUGHT:
                self._count(stretch, "messages", id)
        else:
            self._nameless(stretch, kind)

    def _nameless(self, stretch: Stretch, kind: str) -> None:
        """A message without a name goes on, or another begins (V1-21)."""
        if stretch.nameless != kind and kind != _THOUGHT:
            self._count(stretch, "messages", f"@{self._offset}")
        stretch.nameless = kind if kind != _THOUGHT else ""

    def _child(self, stretch: Stretch, update: dict[str, Any]) -> None:
        child = update.get("sessionId")
        if not isinstance(child, str) or child in self.journal.owner:
            return
        if child not in stretch.children:
            stretch.children.append(child)
        if stretch.number:  # it has a name
            self.journal.owner[child] = self._number(stretch)

    def _call(self, stretch: Stretch, id: str, status: str) -> None:
        calls = stretch.calls
        if status in _FINAL and id in calls:
            calls.remove(id)
        elif status not in _FINAL and id not in calls:
            calls.append(id)
            del calls[:-CALLS]

    def _state(self, stretch: Stretch, update: dict[str, Any]) -> None:
        now, before = update["state"], stretch.state
        if now == "idle":
            stretch.stop_reason = text(update.get("stopReason")) or None
            counts = stretch.replayed if stretch.replays else stretch.live
            counts.turns += before not in ("", "idle")
        stretch.state = now


_DONE: dict[str, Callable[[Telling, Waiting, dict[str, Any]], None]] = {
    "initialize": Telling._initialized,
    "session/new": Telling._opened,
    "session/resume": Telling._resumed,
    "session/load": Telling._resumed,
    "session/close": Telling._closed,
    "session/delete": Telling._deleted,
    "session/list": Telling._listed,
}


def _said(blocks: Any) -> str:
    """The beginning of the text in content blocks."""
    many = blocks if isinstance(blocks, list) else [blocks]
    texts = (block.get("text") for block in many if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))[:PROMPT]


def _name(message: dict[str, Any]) -> str:
    return json.dumps(message.get("id"))


def text(value: Any) -> str:
    """A string as it is, anything else as none."""
    return value if isinstance(value, str) else ""


def number(value: Any) -> float:
    """A finite number as it is, anything else as 0."""
    return float(value) if _believable(value) else 0.0


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _believable(value: Any) -> bool:
    return type(value) in (int, float) and -FAR < value < FAR
