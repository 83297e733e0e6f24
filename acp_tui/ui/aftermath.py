"""What is left of an earlier run that ended without a word, killed or with the machine, or whose agent did:
the sessions that were open, what was under way in them, and its agents that still run.

Looks at the disk, in a thread, and only after such an end. Invariant: what became of what was under way is
not known, and not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from acp_tui.agent.leftovers import Leftover, Remains
from acp_tui.journal.entry import Badge, Entry, Query
from acp_tui.journal.library import Library
from acp_tui.journal.saved import Saved
from acp_tui.render.clean import one_line
from acp_tui.render.words import count
from acp_tui.ui import keys

MOST = 100
"""Sessions that are looked at, the newest."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A session whose records end in the midst."""

    entry: Entry
    flight: tuple[str, ...]
    """What was under way, in words; empty: nothing."""


@dataclass(slots=True)
class Aftermath:
    """Of all runs that ended so. Who opens a session again, or ends an agent, takes it out."""

    sessions: list[Interrupted]
    living: list[Leftover]

    @property
    def words(self) -> str:
        """A sentence for the user; empty: there is nothing."""
        found = []
        if self.sessions:
            found.append(count(len(self.sessions), "session was", "sessions were") + " interrupted")
        if self.living:
            found.append(count(len(self.living), "of its agents still runs", "of its agents still run"))
        return f"{', '.join(found)}. {keys.hint('everywhere.past')} shows more." if found else ""


def look(found: Remains) -> Aftermath:
    """Sessions of which nobody was told; agents as long as they live."""
    journals = {running.journal for running in found.untold if running.journal}
    return Aftermath(_interrupted(journals) if journals else [], found.living)


def _interrupted(journals: set[str]) -> list[Interrupted]:
    library = Library()
    try:
        entries = library.entries(Query(badges=frozenset({Badge.INTERRUPTED}), limit=MOST))
        mine = [entry for entry in entries if journals & {str(path) for path in entry.journals}]
        known = [(entry, _saved(library, entry)) for entry in mine]
        return [
            Interrupted(entry, flight(saved))
            for entry, saved in known
            if saved is not None and (saved.messages or saved.uncertain)
        ]
    finally:
        library.close()


def _saved(library: Library, entry: Entry) -> Saved | None:
    try:
        return library.saved(entry.id)
    except OSError:
        return None


def flight(saved: Saved) -> tuple[str, ...]:
    """What was under way when the records end, and that nobody knows what became of it."""
    stretch, journal, found = saved.last.stretch, saved.last.journal, []
    if stretch.prompts:
        them = "it" if len(stretch.prompts) == 1 else "them"
        found.append(
            f"{count(len(stretch.prompts), 'prompt')} without an answer: what became of {them} is unknown"
        )
    if stretch.calls:
        found.append(f"{count(len(stretch.calls), 'tool call')} without an end: what was done is unknown")
    if stretch.questions:
        found.append(f"{count(len(stretch.questions), 'question')} waited for you")
    if not found and stretch.state not in ("", "idle"):
        found.append("the agent was at work: how far it got is unknown")
    if found and journal.ended is not None and journal.reason:
        found.append(one_line(journal.reason, 120).rstrip("."))
    return tuple(found)
