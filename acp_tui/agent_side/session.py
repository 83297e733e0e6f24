"""One session on the agent's side: its history, its prompts that wait, its running work.

Invariants:

- Every update goes out through `update`, which also keeps what a replay has to repeat: neither states nor
  notices nor lists (NT-07), and chunks of one message joined.
- Ids count upward within the session, so the same conversation always has the same ids; none is used twice.
- A state update always names the background work, so a client never has to guess (BG-02).
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from acp_tui.agent_side.wire import Call, Json, Wire

_PASSING = frozenset(
    {"state_update", "notice", "usage_update", "available_commands_update", "config_option_update"}
)
"""Updates that are not history."""

_GROWING = frozenset({"user_message_chunk", "agent_message_chunk", "agent_thought_chunk"})
"""Chunks whose text a replay may send in one piece."""


@dataclass(slots=True, eq=False)
class Held:
    """A prompt that is not inserted yet. Repeats with the same idempotency key share it (NW-01)."""

    prompt: list[Json]
    key: str | None
    calls: list[Call]


@dataclass(slots=True, eq=False)
class Job:
    """Work that goes on beside the foreground, known to the client by a tool call, a terminal or both."""

    task: asyncio.Task[None]
    tool_call_id: str | None = None
    terminal_id: str | None = None
    on_cancel: Callable[[], object] | None = None
    """How the client's wish to end it is met; None: its task is cancelled."""

    outlives: bool = False
    """It goes on somewhere else when its task is cancelled: then nothing more is said of it."""

    def cancel(self) -> None:
        """The client wants it to end."""
        if self.on_cancel is None:
            self.task.cancel()
        else:
            self.on_cancel()

    def items(self) -> list[Json]:
        """What a state update lists for it (BG-01)."""
        items: list[Json] = []
        if self.tool_call_id is not None:
            items.append({"type": "tool_call", "toolCallId": self.tool_call_id})
        if self.terminal_id is not None:
            items.append({"type": "terminal", "terminalId": self.terminal_id})
        return items


@dataclass(slots=True, eq=False)
class Session:
    """A conversation. `active` is true between `session/new` or `resume` and `session/close`."""

    wire: Wire
    id: str
    cwd: str
    client: Json = field(default_factory=dict)
    """What the client can (IN-13)."""
    title: str | None = None
    updated_at: str | None = None
    active: bool = True
    state: str = "idle"
    config: Json = field(default_factory=dict)
    history: list[tuple[str, Json]] = field(default_factory=list)
    on_kept: Callable[[Json], object] | None = None
    """Called with each update of its own that a replay has to repeat, as it is sent."""
    held: deque[Held] = field(default_factory=deque)
    inserted: dict[str, str] = field(default_factory=dict)
    """Message id by idempotency key."""
    turn: asyncio.Task[Json] | None = None
    jobs: list[Job] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    idles: int = 0
    """How often idle was reported: what goes on through one is said under a new id (EN-06)."""
    used: int = 0
    """Tokens in the context, as reported."""
    spent: int = 0
    """Tokens paid for, as reported."""

    def new_id(self, prefix: str) -> str:
        """The next unused id of this kind."""
        self.counts[prefix] += 1
        return f"{prefix}_{self.counts[prefix]}"

    def update(self, kind: str, /, **fields: Any) -> None:
        """Send one update."""
        self.update_child(self.id, kind, **fields)

    def keep(self, kind: str, /, **fields: Any) -> None:
        """Keep an update for a replay; what is sent now says the same in another way, by `update_unkept`."""
        self._keep(self.id, {"sessionUpdate": kind, **fields})

    def update_child(self, child: str, kind: str, /, **fields: Any) -> None:
        """Send one update of a child session, which is kept in its place among ours (SA-02)."""
        update: Json = {"sessionUpdate": kind, **fields}
        if kind not in _PASSING:
            self._keep(child, update)
        self.wire.notify("session/update", {"sessionId": child, "update": update})

    def report(self, state: str | None = None, **more: Any) -> None:
        """Send the foreground state, new or again, with all background work."""
        self.state = state or self.state
        self.idles += self.state == "idle"
        background = [item for job in self.jobs for item in job.items()]
        self.update("state_update", state=self.state, background=background, **more)

    def leave(self, job: Job, ended: Callable[[bool], object]) -> None:
        """Let a job go on in the background until its task ends; `ended(cancelled)` says how it went."""
        self.jobs.append(job)

        def over(task: asyncio.Task[None]) -> None:
            if task.cancelled() and job.outlives:
                return
            self.jobs.remove(job)
            ended(task.cancelled())
            self.report()

        job.task.add_done_callback(over)

    def replay(self) -> None:
        """Send the whole history again, as it is now."""
        for session_id, update in self.history:
            self.wire.notify("session/update", {"sessionId": session_id, "update": update})
        self.update_unkept("replay_complete")

    def update_unkept(self, kind: str, /, **fields: Any) -> None:
        """Send an update that is of the moment only."""
        self.wire.notify(
            "session/update", {"sessionId": self.id, "update": {"sessionUpdate": kind, **fields}}
        )

    def _keep(self, session_id: str, update: Json) -> None:
        if self.on_kept is not None and session_id == self.id:
            self.on_kept(update)
        last_id, last = self.history[-1] if self.history else ("", {})
        if session_id == last_id and _continues(last, update):
            text = last["content"]["text"] + update["content"]["text"]
            self.history[-1] = (session_id, {**last, "content": {"type": "text", "text": text}})
        else:
            self.history.append((session_id, update))


def _continues(last: Json, update: Json) -> bool:
    """Whether the second update only lengthens the text of the first."""
    if update["sessionUpdate"] not in _GROWING or last.get("sessionUpdate") != update["sessionUpdate"]:
        return False
    if last["messageId"] != update["messageId"]:
        return False
    return all(set(each["content"]) == {"type", "text"} for each in (last, update))
