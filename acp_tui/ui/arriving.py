"""Going on with a saved session that was read: its agent is started again below what is kept here.

Imports no Textual. Invariants: one that another acp-tui has open is left to that; nothing is sent that nobody
asked for but `session/resume` itself.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from acp_tui.base import paths
from acp_tui.base.lock import Owner
from acp_tui.base.spill import Spill
from acp_tui.services.returning import Way, way
from acp_tui.store.session import Session
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.host import Host
from acp_tui.ui.reader import Kept, Reader

Stuck = tuple[Reader, Owner | Way | None]
"""One that was asked for and cannot be gone on with, and what is in the way; None: it cannot be read."""


def reader(host: Host, kept: Kept, id: str) -> Reader:
    """Of one that is not read yet; `kept` is asked in threads."""
    return Reader(kept, host.claims, id, Spill(paths.state_dir()))


def recorded(reader: Reader) -> Way:
    """How the agent of a session that was read was started."""
    folded, entry = reader.folded, reader.entry
    assert entry is not None
    if folded is None:
        return Way(entry.command, entry.cwd, agent=entry.agent)
    saved = folded.saved
    return Way(saved.command, saved.cwd, saved.last.journal.head.cwd, saved.agent)


def resumed(host: Host, reader: Reader, wanted: Way, replay: bool = True) -> Conversation:
    """Go on with it; its lock is ours. `replay`: the agent is to tell what it remembers."""
    folded, entry = reader.folded, reader.entry
    assert entry is not None
    sessions = list(folded.store.sessions.values()) if folded is not None else []
    if not sessions:
        known = Session(ref=f"{reader.id}-1", cwd=wanted.cwd, session_id=entry.session_id, phase="closed")
        sessions = [known]
    sessions.sort(key=lambda one: one.parent is not None)
    sessions[0].cwd = wanted.cwd
    journals = folded.paths if folded is not None else ()
    conversation = host.resume(wanted.command, wanted.start, sessions, reader.shelf, journals, replay)
    host.claims.adopt(conversation, reader.id, entry.agent)
    if entry.named:
        conversation.store.name(conversation.ref, entry.title)
    return conversation


async def arrive(
    host: Host, reader: Reader, command: tuple[str, ...] = (), cwd: str = "", *, replay: bool = True
) -> Conversation | Owner | Way:
    """Go on with one that was read: with another command or in another folder, where those are given.

    An `Owner` has it open, in another acp-tui; a `Way` that cannot be gone says why.
    """
    owner = await asyncio.to_thread(host.claims.take, reader.id)
    if owner is not None:
        return owner
    if reader.owner is not None:  # he has left it: what he wrote meanwhile
        await reader.take_in(await asyncio.to_thread(reader.news))
    as_it_was = recorded(reader)
    wanted = replace(as_it_was, command=command or as_it_was.command, cwd=cwd or as_it_was.cwd)
    found = await asyncio.to_thread(way, wanted, host.settings(), host.environment)
    if found.trouble:
        host.claims.release(reader.id)
        return found
    return resumed(host, reader, found, replay)
