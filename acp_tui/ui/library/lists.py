"""What the agents that run now tell of their sessions: asked when the library opens, further pages when they
are wanted (SS-19).

Invariants: an agent without sessions is not asked; no more than `AT_ONCE` pages come by themselves; what an
agent refuses is kept in its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from acp_tui.client.intents import ListSessions
from acp_tui.journal.catalog import Told
from acp_tui.journal.entry import Entry
from acp_tui.render.clean import one_line
from acp_tui.ui.conversation import Link

AT_ONCE = 10
"""Pages."""


def name(link: Link) -> str:
    """Of its agent, as the library has it."""
    info = link.store.connection.agent_info
    return info.name if info is not None and info.name else link.store.connection.command[0]


class Lists:
    """Those of the agents of one run, for one look at the library."""

    def __init__(self, links: Callable[[], Sequence[Link]]) -> None:
        self._links = links
        self._most: dict[tuple[int, int], int] = {}
        """Pages that may come, for each start of each agent that was asked."""
        self._asked: set[tuple[int, int, str]] = set()

    def able(self) -> Iterator[Link]:
        """Agents that run and have sessions."""
        for link in self._links():
            connection = link.store.connection
            capable = connection.capabilities is not None and connection.capabilities.session is not None
            if connection.phase == "ready" and capable and connection.lists:
                yield link

    def go_on(self) -> None:
        """Ask those who were not asked yet, and for the pages that may come."""
        for link in self.able():
            which = id(link), link.store.connection.generation
            if which not in self._most:
                self._most[which] = AT_ONCE
                link.agent.do(ListSessions())
            elif 0 < link.store.listed_pages < self._most[which] and not link.store.not_listed:
                self._next(link, which)

    def more(self) -> None:
        """The reader is near the end: further pages may come."""
        for link in self.able():
            which = id(link), link.store.connection.generation
            if self._most.get(which) == link.store.listed_pages:
                self._most[which] += AT_ONCE
        self.go_on()

    def _next(self, link: Link, which: tuple[int, int]) -> None:
        cursor = link.agent.client.next_cursor
        if cursor is not None and (*which, cursor) not in self._asked:
            self._asked.add((*which, cursor))
            link.agent.do(ListSessions(cursor=cursor))

    def told(self, at: float) -> tuple[Told, ...]:
        """All that was told so far."""
        return tuple(
            Told(name(link), info.session_id, at, info.cwd, info.title or "", info.updated_at or "", 0.0)
            for link in self.able()
            for info in link.store.listed.values()
        )

    def problem(self) -> str:
        """Who does not list, and why."""
        refused = [link for link in self.able() if link.store.not_listed]
        return " · ".join(
            f"{one_line(link.store.connection.agent_name, 24)} does not list its sessions: "
            f"{one_line(link.store.not_listed, 120)}"
            for link in refused
        )

    def link(self, entry: Entry) -> Link | None:
        """An agent that runs and is that of the session."""
        return next((link for link in self.able() if name(link) == entry.agent), None)
