"""A second Escape without an answer to the first: stop the agent itself, or wait (CX-18, S02)."""

from __future__ import annotations

from collections.abc import Callable

from acp_tui.render.clean import one_line
from acp_tui.render.words import running
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.screens.question import Question


class StopScreen(Question):
    """Stop the agent's process and everything it started?"""

    def __init__(self, session: Session, store: Store, now: Callable[[], float]) -> None:
        agent = one_line(store.connection.agent_name, 40)
        asked = session.cancel.asked_at if session.cancel is not None else now()
        lines = [
            f"Cancel was asked {running(max(1.0, now() - asked))} ago.",
            "Stopping ends the agent and every process it started.",
            "The conversation stays readable, and the agent can be started again.",
        ]
        super().__init__(f"{agent} has not confirmed the cancel", lines, "stop the agent", "keep waiting")
