"""One action as one tool call: what has been said of it so far, and what is to be said when something is
learnt.

Invariants: `toolCallId` is the id of the action; the facts stand first in the content and are always the
newest, the pieces of the stream follow in order, each once; nothing is appended after the final update;
updates that would only say that nothing changed are sent rarely.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from acp_tui.agent_side.session import Session
from acp_tui.agent_side.turn import text
from acp_tui.agent_side.wire import Fault, Json
from acp_tui.aip.bridge import facts, parts
from acp_tui.aip.bridge.pieces import Pieces
from acp_tui.aip.core.chunks import Verdict
from acp_tui.aip.core.lifecycle import Action, Presence
from acp_tui.aip.core.vocabulary import Capability, StreamChunk
from acp_tui.aip.core.words import ChunkKind, State
from acp_tui.aip.gateway.told import ChunkHeard, Polling, ResultRead, StateRead, Told, Trouble, Truncated

QUIET: Final = 10.0
"""Seconds within which the mere age of a state is not told again."""
LARGE: Final = 64_000
"""Characters of a stream from which on its content is sent again only at the end."""
SOON: Final = 0.1
"""Seconds in which pieces of a text come together before the client is told."""
LONGER: Final = 1.0
"""And so much longer where the text is long."""
_SAID: Final = {
    Verdict.GAP: "pieces are missing before number {}",
    Verdict.CONFLICT: "a second, different piece number {} was refused; the first one stays",
    Verdict.LOWER: "a piece came too late for its place and was refused: number {}",
    Verdict.LATE: "a piece came after the end of the stream and was not added: number {}",
}
OTHERS: Final = "others"
_NOTHING: Final = object()
_APPENDED: Final = frozenset({ChunkKind.DATA, ChunkKind.PREVIEW, ChunkKind.TOOL})


@dataclass(slots=True, eq=False)
class Row:
    """An action in a session."""

    session: Session
    action: Action
    capability: Capability | None = None
    input: Any = None
    status: str = "pending"
    foreground: bool = False
    """A turn waits for it."""
    began: bool = False
    """It was running once, so a pause is a pause and no waiting to begin."""
    over: bool = False
    """Nothing more will be read."""
    parked: str = ""
    """Why nobody looks at it now, though it is not over."""
    pause_heard: bool = False
    """The stream spoke of an approval, and no state was read since."""
    from_start: bool = False
    """Its stream is to be told from its beginning."""
    asked: bool = False
    """What to do about an unknown outcome was asked."""
    whom: str = ""
    """What it waits for while nobody is asked: others, or what the user decides later."""
    waiting: str = ""
    """The same in a sentence."""
    decided: set[str] = field(default_factory=set)
    """Approvals the user has answered."""
    decision: str = ""
    """The last answer."""
    given_up: bool = False
    """The user does not want to know how it ended."""
    submitting: bool = False
    """Nothing was answered yet."""
    fault: Fault | None = None
    """Why its submission was refused."""
    progress: str = ""
    notes: list[str] = field(default_factory=list)
    pieces: Pieces = field(default_factory=Pieces)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    """Somebody wants it to be looked at again."""
    reworded: Callable[[], object] = lambda: None
    """Called when its line says something else."""
    _told_at: float = 0.0
    _words: str = ""
    _thought: tuple[int, str] = (-1, "")
    _untold: str = ""
    """Text of the stream that the client does not have yet."""
    _soon: asyncio.TimerHandle | None = None
    _closed: bool = False
    _troubled: bool = False
    _sent: Json = field(default_factory=dict)
    """What the client has of it."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def id(self) -> str:
        """Of the action and of the tool call."""
        return self.action.id

    @property
    def title(self) -> str:
        """What the tool call is called; how far it is, while it runs."""
        return f"{self.name} · {self.progress}" if self.progress and not self.done else self.name

    @property
    def name(self) -> str:
        """What it does, in the words of the gateway."""
        return (self.capability.name if self.capability else None) or self.action.capability_id or self.id

    @property
    def uncertain(self) -> bool:
        """Nobody knows whether it was taken, and somebody wants to."""
        return self.action.presence is Presence.UNCERTAIN and not self.given_up

    @property
    def done(self) -> bool:
        """It is settled, or as good as that."""
        gone = self.action.presence in (Presence.REFUSED, Presence.UNSENT)
        return self.action.settled is not None or gone or self.over or self.given_up

    @property
    def waits(self) -> bool:
        """It waits for an approval, or for a human."""
        if self.done:
            return False
        state = self.action.state.fact.state if self.action.state else None
        pause = self.action.result is not None and self.action.settled is None
        moved = state in (State.RUNNING, State.STREAMING, State.QUEUED)
        return state is State.PENDING_APPROVAL or (pause and not moved) or self.pause_heard

    @property
    def elsewhere(self) -> bool:
        """It waits for somebody else, so there is no sense in a turn that waits for it."""
        return self.whom == OTHERS

    @property
    def cancellable(self) -> bool:
        """The contract does not forbid it."""
        contract = self.capability.contract if self.capability else None
        execution = contract.execution if contract else None
        return execution is None or execution.supports_cancel is not False

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this is true of it."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    # saying it

    def announce(self) -> None:
        """The tool call appears."""
        can: Json = {"cancel": {}} if self.cancellable else {}
        call = {"name": self.action.capability_id or None, "kind": "other", "rawInput": self.input}
        self._patch(title=self.title, **call, capabilities=can, **self._now(), content=self.content())

    def refresh(self, *, seen: bool = False) -> None:
        """Say what is true now; the last word is `close`. `seen`: only the time of the look may be new."""
        self._changed.set()
        if self._closed or self.done:
            return
        words, at = self.words, facts.seen(self.action) or 0.0
        status = self._status()
        if seen and (words, status) == (self._words, self.status) and at - self._told_at < QUIET:
            return
        whole = self.pieces.size <= LARGE and (words, status) != (self._words, self.status)
        self._patch(title=self.title, **self._now(), **({"content": self.content()} if whole else {}))

    def restate(self) -> None:
        """Say its status once more: a client takes what is open for cancelled when it cancels a turn."""
        self._sent.pop("status", None)
        self._words = ""
        self.refresh()

    def close(self) -> None:
        """The last word about it: everything, as it is in the end."""
        if self._closed:
            return
        if self.action.result is not None:
            self.pieces.drop_previews()
        last = {"content": self.content(), "rawOutput": self._output(), "capabilities": None}
        self._patch(title=self.title, **self._now(), **last)
        self._closed = True
        self._changed.set()

    def wait_for(self, whom: str, sentence: str = "") -> None:
        """It waits for them, and nobody is asked now; empty: it does not any more."""
        if (whom, sentence) != (self.whom, self.waiting):
            self.whom, self.waiting = whom, sentence
            self._words = ""
            self.refresh()

    def note(self, words: str) -> None:
        """A remark below the facts, once."""
        if words not in self.notes:
            self.notes.append(words)
            self._words = ""
            self.refresh()

    def park(self, why: str) -> None:
        """Nobody looks any more, for that reason; empty: somebody does again."""
        self.parked = why
        self._words = ""
        if why:
            self.refresh()

    def content(self) -> list[Json]:
        """Facts, remarks, what the stream brought, what came out."""
        lines = [*facts.told(self.action), *(f"- {note}" for note in self.notes)]
        if self.waiting and self.waits:
            lines.append(f"- {self.waiting}")
        if self.parked:
            lines.append(f"- nobody looks at it now: {self.parked}")
        head = parts.shown("\n".join(lines))
        return [head, *self.pieces.items, *self._outcome()]

    def _outcome(self) -> list[Json]:
        result = self.action.result.fact if self.action.result else None
        if result is None:
            return []
        failed = facts.failure(result)
        return [*([parts.shown(failed)] if failed else []), *parts.of_result(result)]

    def _output(self) -> Any:
        result = self.action.result.fact if self.action.result else None
        return None if result is None else result.output

    @property
    def words(self) -> str:
        """Its line."""
        if self.given_up:
            return f"given up, {facts.UNKNOWN}"
        if self.whom and self.waits:
            return f"waits for {self.whom}, {facts.words(self.action)}"
        by_you = f"{self.decision} by you, " if self.decision else ""
        return by_you + facts.words(self.action) or ("being sent" if self.submitting else "not read yet")

    def _status(self) -> str:
        if self.given_up:
            return "failed"
        made = facts.status(self.action, self.status, began=self.began, over=self.over)
        return ("paused" if self.began else "pending") if self.pause_heard and not self.done else made

    def _now(self) -> Json:
        self.status = self._status()
        self.began = self.began or self.status == "in_progress"
        before, self._words = self._words, self.words
        self._told_at = facts.seen(self.action) or 0.0
        if before != self._words:
            self.reworded()
        return {"status": self.status, "_meta": facts.meta(self.action, self._words, rests=bool(self.parked))}

    def _patch(self, **fields: Any) -> None:
        """Only what the client does not have yet."""
        fresh = {name: value for name, value in fields.items() if self._sent.get(name, _NOTHING) != value}
        if "content" in fresh:
            self._untold = ""
        if fresh:
            self._sent.update(fresh)
            self.session.update("tool_call_update", toolCallId=self.id, **fresh)

    # hearing of it

    def hear(self, told: Told) -> None:
        """Something was learnt by following it."""
        match told:
            case ChunkHeard(chunk, verdict):
                self._chunk(chunk, verdict)
            case StateRead():
                self.pause_heard = False
                self.refresh(seen=True)
            case ResultRead():
                self.refresh()
            case Truncated(weight):
                self.note(f"a piece of the stream was longer than is taken ({weight} bytes): truncated")
            case Polling(why):
                self.note(f"the stream cannot be followed ({why}): asked at intervals instead")
            case Trouble(why):
                if not self._troubled:
                    said = f"{why}; the gateway is asked again after a while"
                    self.session.update("notice", severity="warning", title=self.title, description=said)
        self._troubled = isinstance(told, Trouble)

    def _chunk(self, chunk: StreamChunk, verdict: Verdict) -> None:
        if verdict in _SAID:
            self.note(_SAID[verdict].format(chunk.sequence))
        if not verdict.applies:
            return
        match chunk.kind:
            case ChunkKind.PROGRESS:
                self.progress = " ".join(parts.in_words(chunk.data).split())[:80]
                self._patch(title=self.title)
            case ChunkKind.THOUGHT:
                self._think(parts.in_words(chunk.data))
            case ChunkKind.PENDING_APPROVAL:
                self.pause_heard = True
                self.refresh()
            case ChunkKind.ERROR:
                said = parts.in_words(chunk.data).strip() or "without a reason"
                self.note(f"the stream ended with an error: {said}; the result decides")
            case ChunkKind.DONE:
                self._words = ""
                self.refresh()
            case _:
                self._append(chunk)

    def _think(self, words: str) -> None:
        idles, thought = self._thought
        if idles != self.session.idles:
            thought = self.session.new_id(f"{self.id}-thought")
            self._thought = self.session.idles, thought
        self.session.update("agent_thought_chunk", messageId=thought, content=text(words))

    def _append(self, chunk: StreamChunk) -> None:
        item = parts.of_chunk(chunk)
        if chunk.kind not in _APPENDED or chunk.kind is ChunkKind.TOOL:
            item = parts.shown(f"\n{chunk.kind}: {parts.in_words(chunk.data).strip()}\n")
        preview = chunk.kind is ChunkKind.PREVIEW
        self._sent.pop("content", None)
        piece: Json = {"toolCallId": self.id, "content": item}
        if self.pieces.joins(item, preview=preview):
            self.session.keep("tool_call_content_chunk", **piece)
            self._untold += item["content"]["text"]
            self._tell_soon()
        else:
            self.tell()
            self.session.update("tool_call_content_chunk", **piece)
        self.pieces.add(item, preview=preview)
        if not self.began:
            self.refresh()

    def _tell_soon(self) -> None:
        if self._soon is None:
            wait = SOON + LONGER * min(1.0, self.pieces.size / LARGE)
            self._soon = asyncio.get_running_loop().call_later(wait, self.tell)

    def tell(self) -> None:
        """Let the client have the text that came since: as one with what it goes on in, where that is not too
        long to be sent again. A replay has it already.
        """
        untold, self._untold = self._untold, ""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        if not untold:
            return
        if self.pieces.size > LARGE:
            self.session.update_unkept(
                "tool_call_content_chunk", toolCallId=self.id, content=parts.shown(untold)
            )
            return
        self.session.update_unkept("tool_call_update", toolCallId=self.id, content=self.content())
