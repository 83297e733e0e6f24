"""Keeps on disk what a person would not want to lose: what is being written in each conversation, and the
prompts that no agent has confirmed (CL-06).

Invariants: what changed is on disk within a second, written by a thread; nothing runs while nothing changes;
where the disk refuses, the user is told so, once, and when that is over; it is tried again and again;
what is found of an earlier run is put before the user, and never sent (LC-08).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from acp_tui.base import atomic, redact
from acp_tui.client.intents import Submit
from acp_tui.services import unsent
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import Subscription
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.drafts import Drafts

DELAY = 0.5
"""Seconds after a change until it is written."""
RETRY = 2.0
"""Seconds until the next attempt where that failed."""


class Keeping:
    """One run of the program."""

    def __init__(self, name: Callable[[Conversation], str], told: Callable[[str], object]) -> None:
        self._name = name
        """The id of the saved session that a conversation has; empty while it has none."""
        self._told = told
        """Given a sentence when something cannot be kept, and when it can again."""
        self._failing = False
        self._drafts = Drafts()
        self._names: dict[Conversation, str] = {}
        self._count = 0
        self._watched: dict[Conversation, Subscription] = {}
        self._taken: set[tuple[str, str, unsent.Whom]] = set()
        """Folders, and sessions and agents in them, whose unsent prompts of earlier runs were handed out."""
        self._unmet: dict[Conversation, str] = {}
        """Those whose agent has not said its name: the saved session with which they began."""
        self._unsent: dict[str, list[unsent.Unsent]] = {}
        """What is kept, or will be, of each folder."""
        self._stale: set[str] = set()
        """Folders of which something else is kept."""
        self._writing = threading.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._over = False

    def begin(self, conversation: Conversation) -> None:
        """It is shown from now on: give it what was left for its session, or in its folder."""
        self._count += 1
        name = self._names[conversation] = str(self._count)
        if not conversation.draft:
            left = self._drafts.take(conversation.cwd, name, self._name(conversation))
            conversation.draft = conversation.composing.adopt(left)
        conversation.composing.changed = lambda: self._changed(conversation)
        self._watched[conversation] = conversation.store.watch(lambda _: self._tail_changed(conversation))
        self._unmet[conversation] = self._name(conversation)
        self._give_unsent(conversation, self._unmet[conversation])
        self._tail_changed(conversation)

    def _give_unsent(self, conversation: Conversation, whose: str) -> None:
        """What was not confirmed in an earlier run, but for prompts that its journals tell of themselves."""
        cwd, session, whom = conversation.cwd, conversation.session, _whom(conversation)
        if not self._taken.isdisjoint({(cwd, "", whom), (cwd, whose, whom)}):
            return
        self._taken.add((cwd, whose, whom))
        found = unsent.take(cwd, session=whose, agent=whom)
        ours = self._unsent.setdefault(cwd, [])
        known = [one.blocks for one in unsent.waiting(session)] if session is not None else []
        for one in found:
            if one.blocks not in known and one not in ours:
                conversation.do(Submit(conversation.ref, one.blocks, held=one.why))
        if found:
            self._stale.add(cwd)
            self._tail_changed(conversation)
            self._write()  # nobody else has them now

    def follow(self, conversation: Conversation) -> None:
        """It has another session now, and the draft with it."""
        self._tail_changed(conversation)
        self._changed(conversation)

    def leave(self, conversation: Conversation) -> None:
        """It is shown no more; what was being written waits for the next in its folder."""
        self._watched.pop(conversation).close()
        self._unmet.pop(conversation, None)
        conversation.composing.changed = lambda: None
        self._put(conversation)
        self._drafts.write()
        self._drafts.leave(conversation.cwd, self._names.pop(conversation))

    def keep_all(self) -> None:
        """Now: the program ends. What the end of the agents changes is not kept any more."""
        for conversation in self._names:
            self._put(conversation)
            self._tail_changed(conversation)
        if self._timer is not None:
            self._timer.cancel()
        self._over = True
        self._write()

    def _put(self, conversation: Conversation) -> None:
        draft = conversation.composing.draft(conversation.draft)
        self._drafts.put(conversation.cwd, self._names[conversation], draft, self._name(conversation))

    def _changed(self, conversation: Conversation) -> None:
        self._put(conversation)
        self._soon()

    def _tail_changed(self, conversation: Conversation) -> None:
        """A prompt came, left, or stands otherwise."""
        session, ref = conversation.session, conversation.ref
        if conversation in self._unmet and _whom(conversation).name:
            self._give_unsent(conversation, self._unmet.pop(conversation))
        tail = session.tail if session is not None else []
        self._watched[conversation].set([Key(ref, Kind.TIMELINE), Key(ref, Kind.SESSION), *tail])
        mine = [one for one in self._names if one.cwd == conversation.cwd]
        waiting = [
            found
            for one in mine
            if (session := one.session) is not None
            for found in unsent.waiting(session, self._name(one), _whom(one))
        ]
        if waiting != self._unsent.get(conversation.cwd, []):
            self._unsent[conversation.cwd] = waiting
            self._stale.add(conversation.cwd)
            self._soon()

    def _soon(self, delay: float = DELAY) -> None:
        if self._timer is None and not self._over:
            self._timer = asyncio.get_running_loop().call_later(delay, self._in_thread)

    def _in_thread(self) -> None:
        self._timer = None
        try:
            writing = asyncio.get_running_loop().run_in_executor(None, self._write)
        except RuntimeError:  # the loop ends, and nobody had us keep all
            self._write()
        else:
            writing.add_done_callback(self._written)

    def _written(self, writing: asyncio.Future[str]) -> None:
        if writing.cancelled():
            return
        problem = writing.result()
        if bool(problem) != self._failing:
            self._failing = bool(problem)
            again = "What you write is kept again."
            self._told(f"What you write is not kept: {problem}." if problem else again)
        if problem:
            self._soon(RETRY)

    def _write(self) -> str:
        """The newest, whoever of the threads comes last; why it cannot be written."""
        problem, failed = self._drafts.write(), set()
        with self._writing:
            while self._stale:
                cwd = self._stale.pop()
                try:
                    unsent.keep(cwd, self._unsent[cwd])
                except OSError as error:
                    problem = problem or atomic.why(error)
                    failed.add(cwd)
            self._stale |= failed
        return problem


def _whom(conversation: Conversation) -> unsent.Whom:
    info = conversation.store.connection.agent_info
    return unsent.Whom(
        tuple(redact.command(conversation.link.command)), info.name if info is not None else ""
    )
