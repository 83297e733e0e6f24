"""What an agent says and does while it works on one prompt: the vocabulary its behaviour is written in.

Invariants: calls and terminals opened here and still open when the work is cancelled are settled before the
final idle (`settle`); `requires_action` stands exactly while all of the work waits for the user.
"""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from acp_tui.agent_side.session import Job, Session
from acp_tui.agent_side.wire import Fault, Json

_PIECE = re.compile(r"\s*\S+\s?|\s+")
_PRICE = 0.000_003
WINDOW = 200_000
"""Size of the context window that is reported."""

_FINAL = frozenset({"completed", "failed", "cancelled"})


def text(words: str) -> Json:
    """A text block."""
    return {"type": "text", "text": words}


def shown(words: str) -> Json:
    """Tool call content that is just words."""
    return {"type": "content", "content": text(words)}


@dataclass(frozen=True, slots=True)
class Pace:
    """How long pauses last: `speed` 1 is lifelike, 2 twice as fast, 0 makes none at all."""

    speed: float = 1.0

    async def pause(self, seconds: float) -> None:
        """Wait, or only let others run."""
        await asyncio.sleep(seconds / self.speed if self.speed > 0 else 0)


@dataclass(slots=True, eq=False)
class Turn:
    """One piece of foreground work."""

    session: Session
    pace: Pace
    prompt: list[Json]
    open_calls: dict[str, None] = field(default_factory=dict)
    open_terminals: dict[str, None] = field(default_factory=dict)
    _waits: int = 0

    @property
    def words(self) -> str:
        """The text of the prompt."""
        return "".join(block["text"] for block in self.prompt if block.get("type") == "text")

    async def pause(self, seconds: float) -> None:
        """Wait as long as the pace says, and until the client keeps up."""
        await self.session.wire.drain()
        await self.pace.pause(seconds)

    async def until_cancelled(self) -> None:
        """Never returns: only a cancel ends the wait."""
        await asyncio.Event().wait()

    async def say(self, words: str, *, message_id: str | None = None, gap: float = 0.03) -> str:
        """Stream a message of the agent word by word, or go on with an earlier one."""
        message_id = message_id or self.session.new_id("msg")
        await self._stream("agent_message_chunk", message_id, words, gap)
        return message_id

    async def think(self, words: str, *, gap: float = 0.04) -> str:
        """Stream a thought."""
        thought_id = self.session.new_id("thought")
        await self._stream("agent_thought_chunk", thought_id, words, gap)
        return thought_id

    def call(self, title: str, kind: str = "other", *, status: str = "in_progress", **fields: Any) -> str:
        """Announce a tool call and return its id."""
        call_id = self.session.new_id("call")
        self.patch_call(call_id, title=title, kind=kind, status=status, **fields)
        return call_id

    def patch_call(self, call_id: str, **fields: Any) -> None:
        """Patch a tool call (TC-01)."""
        status = fields.get("status")
        if status in _FINAL:
            self.open_calls.pop(call_id, None)
        elif status is not None:
            self.open_calls[call_id] = None
        self.session.update("tool_call_update", toolCallId=call_id, **fields)

    def append(self, call_id: str, content: Json) -> None:
        """Append to the content of a tool call (TC-06)."""
        self.session.update("tool_call_content_chunk", toolCallId=call_id, content=content)

    def terminal(self, command: str, **fields: Any) -> str:
        """Open a terminal and return its id."""
        terminal_id = self.session.new_id("term")
        self.open_terminals[terminal_id] = None
        fields = {"command": command, "cwd": self.session.cwd, **fields}
        self.session.update("terminal_update", terminalId=terminal_id, **fields)
        return terminal_id

    def output(self, terminal_id: str, data: str | bytes) -> None:
        """Append bytes to a terminal (TM-05)."""
        raw = data.encode() if isinstance(data, str) else data
        encoded = base64.b64encode(raw).decode()
        self.session.update("terminal_output_chunk", terminalId=terminal_id, data=encoded)

    def exited(self, terminal_id: str, code: int) -> None:
        """Report the end of a terminal's process (TM-09)."""
        self.open_terminals.pop(terminal_id, None)
        self.session.update("terminal_update", terminalId=terminal_id, exitStatus={"exitCode": code})

    def notice(self, severity: str, title: str, description: str | None = None) -> None:
        """Send a notice (NT-01)."""
        more = {} if description is None else {"description": description}
        self.session.update("notice", severity=severity, title=title, **more)

    def spend(self, tokens: int) -> None:
        """Report more context in use and what it cost so far (US-01)."""
        self.session.used += tokens
        self.session.spent += max(tokens, 0)
        cost = {"amount": round(self.session.spent * _PRICE, 4), "currency": "USD"}
        self.session.update("usage_update", used=self.session.used, size=WINDOW, cost=cost)

    def entitle(self, title: str) -> None:
        """Name the session (SI-01)."""
        self.session.title = title
        self.session.update("session_info_update", title=title)

    async def ask(self, title: str, options: list[Json], **fields: Any) -> str | None:
        """Ask for permission; the chosen option's id, or None when nothing was chosen (PM-09)."""
        params: Json = {"sessionId": self.session.id, "title": title, "options": options, **fields}
        async with self._waiting_for_the_user():
            result = await self.session.wire.request("session/request_permission", params)
        outcome = result.get("outcome")
        chosen = outcome.get("optionId") if isinstance(outcome, dict) else None
        return chosen if isinstance(chosen, str) else None

    async def elicit(self, mode: str, message: str, **fields: Any) -> Json | None:
        """Put a form or an address before the user; None where the client cannot (EL-01)."""
        modes = self.session.client.get("elicitation")
        if not isinstance(modes, dict) or not isinstance(modes.get(mode), dict):
            return None
        params: Json = {"sessionId": self.session.id, "mode": mode, "message": message, **fields}
        async with self._waiting_for_the_user():
            try:
                return await self.session.wire.request("elicitation/create", params)
            except Fault:
                return None

    def in_background(
        self,
        work: Coroutine[None, None, None],
        ended: Callable[[bool], None],
        *,
        call_id: str | None = None,
        terminal_id: str | None = None,
    ) -> None:
        """Let work go on after this turn; its tool call and terminal leave the care of the turn (BG-01).

        `ended(cancelled)` settles both. It is a callback because a task cancelled before its first step
        never runs.
        """
        self.open_calls.pop(call_id or "", None)
        self.open_terminals.pop(terminal_id or "", None)
        self.session.leave(Job(asyncio.create_task(work), call_id, terminal_id), ended)

    def settle(self) -> None:
        """Close what a cancelled turn left open; the last updates before idle (CX-05)."""
        for terminal_id in self.open_terminals:
            self.session.update("terminal_update", terminalId=terminal_id, exitStatus={"signal": "SIGTERM"})
        for call_id in self.open_calls:
            self.session.update("tool_call_update", toolCallId=call_id, status="cancelled")
        self.open_terminals.clear()
        self.open_calls.clear()

    async def _stream(self, kind: str, message_id: str, words: str, gap: float) -> None:
        for piece in _PIECE.findall(words):
            self.session.update(kind, messageId=message_id, content=text(piece))
            await self.pause(gap)

    @asynccontextmanager
    async def _waiting_for_the_user(self) -> AsyncIterator[None]:
        """Report `requires_action` from the first open question to the answer of the last (ST-14)."""
        self._waits += 1
        if self._waits == 1:
            self.session.report("requires_action")
        try:
            yield
        except asyncio.CancelledError:
            raise  # idle comes next, there is no running in between
        except BaseException:
            self._resumes()
            raise
        self._resumes()

    def _resumes(self) -> None:
        self._waits -= 1
        if self._waits == 0:
            self.session.report("running")
