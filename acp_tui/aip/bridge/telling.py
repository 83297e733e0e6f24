"""Tells the client of a session what may be named in it now, soon after that changed.

Invariant: nothing is said twice in a row, and nothing of a session that is not open.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from acp_tui.agent_side.session import Session
from acp_tui.agent_side.wire import Json
from acp_tui.aip.bridge.facts import STATUS
from acp_tui.aip.bridge.row import Row

SOON: Final = 0.3
"""Seconds in which changes come together."""
RECENT: Final = 20
"""Actions that are named, the newest."""


@dataclass(frozen=True, slots=True)
class Known:
    """An action of a session, as far as its user may want to name it."""

    id: str
    about: str
    open: bool = False
    uncertain: bool = False


def earlier(history: Iterable[Json]) -> list[Known]:
    """Those of an earlier run, the newest first; `history` says each tool call once."""
    found = []
    for call in history:
        if call.get("sessionUpdate") == "tool_call_update":
            status = (call.get("_meta") or {}).get(STATUS) or {}
            words = status.get("words") or call.get("status") or "?"
            name = call.get("title") or call.get("name") or "an action"
            found.append(Known(str(call.get("toolCallId")), _about(str(words), str(name))))
    return found[::-1][:RECENT]


def _about(words: str, name: str) -> str:
    """The most settled fact first: beside a long id there is little room."""
    return f"{words.partition(',')[0]} · {name}"


class Telling:
    """Of all sessions of one connection."""

    def __init__(self, commands: Callable[[Session], list[Json]]) -> None:
        self._commands = commands
        self._soon: dict[str, asyncio.TimerHandle] = {}
        self._told: dict[str, list[Json]] = {}
        self.earlier: defaultdict[str, list[Known]] = defaultdict(list)
        """By session: what an earlier run left."""

    def known(self, session: Session, rows: Iterable[Row]) -> list[Known]:
        """Those of this run before those of earlier ones, each the newest first."""
        here = {
            row.id: Known(row.id, _about(row.words, row.name), not row.done, row.uncertain) for row in rows
        }
        return [*reversed(here.values()), *(one for one in self.earlier[session.id] if one.id not in here)][
            :RECENT
        ]

    def answered(self, session: Session) -> list[Json]:
        """The commands, for an answer that lists them."""
        self._told[session.id] = commands = self._commands(session)
        return commands

    def changed(self, session: Session) -> None:
        """Something may be said otherwise now."""
        if session.id not in self._soon:
            loop = asyncio.get_running_loop()
            self._soon[session.id] = loop.call_later(SOON, self.tell, session)

    def tell(self, session: Session) -> None:
        """At once."""
        timer = self._soon.pop(session.id, None)
        if timer is not None:
            timer.cancel()
        before = self._told.get(session.id)
        if session.active and self.answered(session) != before:
            session.update("available_commands_update", availableCommands=self._told[session.id])
