"""A second Escape without an answer to the first: ask again, close the session, stop the agent itself, or
wait (CX-18, S02).
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from textual.binding import BindingType

from acp_tui.client.intents import Cancel, CloseSession, Intent
from acp_tui.render.clean import one_line
from acp_tui.render.words import running
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui import keys
from acp_tui.ui.screens.question import Question


class StopScreen(Question):
    """Harder means, in order; dismissed with True to stop the agent's process and everything it started."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("stop")
    more = (("stop.again", "cancel again"), ("stop.close", "close the session"))

    def __init__(
        self, session: Session, store: Store, now: Callable[[], float], do: Callable[[Intent], None]
    ) -> None:
        agent = one_line(store.connection.agent_name, 40)
        asked = session.cancel.asked_at if session.cancel is not None else now()
        lines = [
            f"Cancel was asked {running(max(1.0, now() - asked))} ago.",
            "Stopping ends the agent and every process it started.",
            "The conversation stays readable, and the agent can be started again.",
        ]
        super().__init__(f"{agent} has not confirmed the cancel", lines, "stop the agent", "keep waiting")
        self.ref = session.ref
        self.do = do

    def action_again(self) -> None:
        """Once more."""
        self._ask("again", Cancel(self.ref))

    def action_close(self) -> None:
        """Only this session."""
        self._ask("close", CloseSession(self.ref))

    def _ask(self, key: str, intent: Intent) -> None:
        if self.ear.hears(key, monotonic()):
            self.do(intent)
            self.dismiss(False)
