"""What the trial gateway knows: actions, their logs, sessions, approvals. No I/O and no clock.

The lifecycle is driven from outside, step by step: by a worker when it runs alone, by hand under a test.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from acp_tui.aip.core import sessions as graph
from acp_tui.aip.core.vocabulary import Json
from acp_tui.aip.core.words import SETTLING, TERMINAL, SessionState

PAGE = 100


class Denied(Exception):
    """Refused, with a status of HTTP and an error of the protocol."""

    def __init__(self, status: int, code: str, message: str, **more: Any) -> None:
        super().__init__(code)
        self.status = status
        self.error: Json = {"code": code, "message": message, "category": "policy", **more}


@dataclass(slots=True)
class Work:
    """One action."""

    id: str
    body: Json
    session_id: str | None
    state: str = "queued"
    result: Json | None = None
    approval_id: str | None = None
    log: list[tuple[str, Json]] = field(default_factory=list)
    """`event` or `chunk`, and the object."""
    sequence: int = 0
    visible: bool = True

    @property
    def over(self) -> bool:
        """Whether nothing follows."""
        return self.state in TERMINAL

    def view(self) -> Json:
        """As a lifecycle view."""
        given = {"session_id": self.session_id, "approval_id": self.approval_id, "result": self.result}
        return {
            "action_id": self.id,
            "capability_id": self.body["capability_id"],
            "state": self.state,
            "chunks": [],
            "links": {},
            **{key: value for key, value in given.items() if value is not None},
        }


@dataclass(slots=True)
class Room:
    """One session."""

    id: str
    state: str = SessionState.ACTIVE
    token: str = ""
    events: list[Json] = field(default_factory=list)

    def view(self) -> Json:
        """As a session view."""
        return {"id": self.id, "state": self.state, "initiator": "you", "responder": "trial"}


class Book:
    """All of it. `changed` is called after every change."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self.changed = changed
        self.works: dict[str, Work] = {}
        self.rooms: dict[str, Room] = {}
        self.approvals: dict[str, Json] = {}
        self.capabilities: list[Json] = []
        self._keys: dict[str, str] = {}
        self._count = 0

    # submitting

    def submit(self, envelope: Json) -> Json:
        """Take an action; its acknowledgement."""
        body = envelope["body"].get("action", envelope["body"])
        id = body["id"]
        if not id.startswith("act_"):
            raise Denied(400, "query.invalid", "an action's id begins with act_")
        key = body.get("idempotency_key")
        if (known := self.works.get(id)) is not None:
            same = (known.body["capability_id"], known.body["input"]) == (
                body["capability_id"],
                body["input"],
            )
            if not same:
                raise Denied(409, "action.identity_conflict", "this id stands for another action")
            return {"action_id": id, "status": "cached"}
        if key and key in self._keys:
            return {"action_id": self._keys[key], "status": "cached", "reason": "the same key came before"}
        self.works[id] = Work(id, body, envelope.get("session_id"))
        if key:
            self._keys[key] = id
        self.event(id, "action.queued")
        streams = body.get("mode") == "streaming"
        return {"action_id": id, "status": "streaming" if streams else "queued", "queue": "trial"}

    def work(self, id: str) -> Work:
        """One that can be seen."""
        work = self.works.get(id)
        if work is None or not work.visible:
            raise Denied(404, "action.not_found", "nothing that you may see has this id")
        return work

    def view(self, id: str) -> Json:
        """Its lifecycle view; what cannot be seen is `unknown`, whether it exists or not."""
        work = self.works.get(id)
        return work.view() if work is not None and work.visible else {"action_id": id, "state": "unknown"}

    # driving

    def event(self, id: str, kind: str, data: Any = None) -> None:
        """Something happened."""
        self._count += 1
        work = self.works[id]
        entry: Json = {"id": f"evt_{self._count}", "kind": kind, "action_id": id}
        work.log.append(("event", entry if data is None else {**entry, "data": data}))
        if work.session_id in self.rooms:
            self.rooms[work.session_id].events.append(entry)
        self.changed()

    def chunk(self, id: str, kind: str, data: Any = None, sequence: int | None = None) -> None:
        """A piece of its stream, in its place or where it is told to be."""
        work = self.works[id]
        work.sequence = work.sequence + 1 if sequence is None else sequence
        entry: Json = {"action_id": id, "sequence": work.sequence, "kind": kind}
        work.log.append(("chunk", entry if data is None else {**entry, "data": data}))
        self.changed()

    def move(self, id: str, state: str) -> None:
        """Another state."""
        self.works[id].state = state
        self.event(id, f"action.{state}")

    def settle(self, id: str, status: str, *, error: Json | None = None, output: Any = None) -> None:
        """A result; one that settles is a state too."""
        given = {"output": output, "error": error}
        work = self.works[id]
        work.result = {"action_id": id, "status": status} | {k: v for k, v in given.items() if v is not None}
        self.move(id, status if status in SETTLING else "pending_approval")

    def cancel(self, id: str) -> Json:
        """Record it, where there is something to cancel."""
        work = self.work(id)
        if work.over:
            raise Denied(409, "action.already_settled", f"it is {work.state}")
        self.settle(id, "cancelled")
        return {"action_id": id, "status": "accepted"}

    # reading

    def page(self, log: list[tuple[str, Json]], cursor: str, limit: int) -> Json:
        """Part of a log: events before chunks, behind one cursor."""
        start = self.offset(cursor)
        part = log[start : start + limit]
        return {
            "events": [entry for what, entry in part if what == "event"],
            "chunks": [entry for what, entry in part if what == "chunk"],
            "next_cursor": f"offset:{start + len(part)}",
        }

    def offset(self, cursor: str) -> int:
        """Where a cursor points; an id of an event or a chunk is none."""
        if not cursor:
            return 0
        if not cursor.startswith("offset:"):
            raise Denied(400, "query.invalid", "this is no cursor")
        return int(cursor.removeprefix("offset:"))

    # sessions

    def open(self, profiles: list[str]) -> Json:
        """A session, if there is a profile in common."""
        if "aip.native.http.v1" not in profiles:
            raise Denied(400, "session.no_shared_profile", "there is no profile in common")
        room = Room(f"sess_{secrets.token_hex(8)}", token=secrets.token_hex(16))
        self.rooms[room.id] = room
        return {"session": room.view(), "resume_token": room.token}

    def room(self, id: str) -> Room:
        """One that can be seen."""
        if id not in self.rooms:
            raise Denied(404, "session.not_found", "nothing that you may see has this id")
        return self.rooms[id]

    def resume(self, id: str, token: str, cursor: str) -> Json:
        """What happened since, and a new token. It is replaced before the state is looked at."""
        room = self.rooms.get(id)
        if room is None or not room.token or token != room.token:
            raise Denied(403, "session.resume_rejected", "this session cannot be resumed so")
        room.token = secrets.token_hex(16)
        if not graph.resumable(SessionState(room.state)):
            raise Denied(409, "session.closed", "this session is over")
        start = self.offset(cursor)
        events = room.events[start : start + PAGE]
        after = f"offset:{start + len(events)}"
        return {"session": room.view(), "events": events, "next_cursor": after, "resume_token": room.token}

    def close(self, id: str) -> Json:
        """A move to `cancelled`, where the graph has it."""
        room = self.room(id)
        if not graph.closable(SessionState(room.state)):
            raise Denied(
                409, "session.invalid_transition", f"a session that is {room.state} cannot be closed"
            )
        room.state = SessionState.CANCELLED
        return room.view()

    # approvals

    def ask(self, id: str, reason: str) -> str:
        """An action waits for a decision."""
        approval = f"appr_{secrets.token_hex(4)}"
        work = self.works[id]
        work.approval_id = approval
        self.approvals[approval] = {
            "id": approval,
            "status": "pending",
            "action_id": id,
            "capability_id": work.body["capability_id"],
            "reason": reason,
        }
        self.move(id, "pending_approval")
        return approval

    def decide(self, body: Json) -> Json:
        """An answer to one."""
        approval = self.approvals.get(body["approval_id"])
        if approval is None:
            raise Denied(404, "approval.not_found", "nothing that you may see has this id")
        if approval["status"] != "pending":
            raise Denied(409, "approval.decided", f"it is {approval['status']}")
        approval["status"] = body["decision"]
        if body["decision"] == "approved":
            self.move(approval["action_id"], "running")
        else:
            error = {"code": "approval.denied", "message": "it was denied"}
            self.settle(approval["action_id"], "failed", error=error)
        return {"approval": approval}
