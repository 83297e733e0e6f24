"""Which version of the protocol an agent is asked for first, and what is learnt from its answer (IN-05).

Invariants: memory only saves a start; where it is wrong the client asks again in the other version, so that
nothing depends on it. An agent that agreed to v1 and is another version of itself now may have learnt v2: it
is asked for that next time.
"""

from __future__ import annotations

from collections.abc import Sequence

from acp_tui.client.effects import Agreed
from acp_tui.services.acquaintances import Acquaintance, remember, remembered

NEWEST = 2


class Acquainting:
    """One agent, by the command that starts it. Reads and writes a file: for a thread."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = tuple(command)
        self._known: Acquaintance | None = None

    def look(self) -> int | None:
        """The version it agreed to last; None: to be found out."""
        self._known = known = remembered(self._command)
        return known.protocol if known is not None and not known.ask else None

    def learn(self, agreed: Agreed, at: float) -> None:
        """It answered."""
        known, self._known = self._known, None
        old = known is not None and known.protocol < NEWEST and not known.ask
        grown = old and known is not None and known.version != agreed.version
        remember(
            self._command,
            protocol=agreed.protocol,
            name=agreed.name,
            version=agreed.version,
            at=at,
            ask=NEWEST if grown and agreed.protocol < NEWEST else 0,
        )
