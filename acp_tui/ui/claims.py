"""Which saved sessions this run has open: a lock for each, so that one session has one writer (DESIGN 5.1).

Invariants: a lock that cannot be made keeps nobody from his work; the loop never waits for one; a
conversation has the locks of all sessions that stand in it until it is left. Locks of the dead are free.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from acp_tui.agent.generation import SavedAs
from acp_tui.base import redact
from acp_tui.base.lock import Lock, Owner
from acp_tui.base.paths import state_dir
from acp_tui.journal.files import SUFFIX
from acp_tui.journal.saved import Stretch, saved_id
from acp_tui.ui.conversation import Conversation


class Claims:
    """Those of one run, by the ids of saved sessions."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_dir() / "locks"
        self._locks: dict[str, Lock] = {}
        self._changing = threading.Lock()
        self._ids: dict[Conversation, dict[str, str]] = {}
        """Of each conversation: the ids of its sessions, by their `ref`."""

    # In a thread

    def other(self, id: str) -> Owner | None:
        """The living acp-tui that has it open, if that is another one."""
        try:
            owner = self._lock(id).owner()
        except OSError:
            return None
        return owner if owner is not None and owner.pid != os.getpid() else None

    def take(self, id: str) -> Owner | None:
        """None: it is ours. Else who has it."""
        with self._changing:
            if id not in self._locks:
                lock = self._lock(id)
                try:
                    if (owner := lock.take()) is not None and owner.pid != os.getpid():
                        return owner
                except OSError:
                    return None
                lock.held = True
                self._locks[id] = lock
        return None

    def release(self, *ids: str) -> None:
        """Give these up."""
        with self._changing:
            for lock in [self._locks.pop(id) for id in ids if id in self._locks]:
                with suppress(OSError):
                    lock.release()

    def release_all(self) -> None:
        """The run ends."""
        self.release(*self._locks)

    def _lock(self, id: str) -> Lock:
        return Lock(self._folder / f"{id}.lock")

    # In the loop

    def holder(self, id: str) -> Conversation | None:
        """The conversation of this run that has it."""
        return next((one for one, ids in self._ids.items() if id in ids.values()), None)

    def ids(self, conversation: Conversation) -> dict[str, str]:
        """The ids of its sessions, by their `ref`."""
        return self._ids.get(conversation, {})

    def adopt(self, conversation: Conversation, id: str, agent: str) -> None:
        """It goes on with this one, whose lock was taken; `agent` is its agent's name in the library."""
        self._ids.setdefault(conversation, {})[conversation.ref] = id
        conversation.agent.saved_as[conversation.ref] = SavedAs(id, agent)

    def look(self, conversation: Conversation) -> None:
        """A session that has begun since is claimed; below which it stands is noted in its journal."""
        session, known, agent = (
            conversation.session,
            self._ids.setdefault(conversation, {}),
            conversation.agent,
        )
        if session is None or session.phase != "open" or session.ref in known or not session.session_id:
            return
        journals = agent.journals
        if not journals or journals[-1].suffix != SUFFIX:  # nothing can be kept: nobody else can have it
            return
        number = agent.begins(session.session_id)
        begun = Stretch(session_id=session.session_id, number=number, begun="new", asked=0, since=0)
        known[session.ref] = saved_id(journals[-1].name, begun)
        agent.saved_as[session.ref] = SavedAs(known[session.ref], _agent(conversation))
        if above := known.get(session.continues or ""):
            agent.note("continues", new=session.session_id, saved=above)
        self._in_thread(partial(self.take, known[session.ref]))

    def leave(self, conversation: Conversation) -> None:
        """It is shown no more."""
        ids = self._ids.pop(conversation, {})
        self._in_thread(partial(self.release, *ids.values()))

    def _in_thread(self, job: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop ends: whoever ended it gives all up
            asyncio.get_running_loop().run_in_executor(None, job)


def _agent(conversation: Conversation) -> str:
    """Its name, as the journal has it."""
    info = conversation.store.connection.agent_info
    return info.name if info is not None and info.name else redact.command(conversation.agent.command)[0]
