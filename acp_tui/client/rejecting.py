"""Rejecting and saying why: the answer to a permission request, and the words as the next prompt.

Invariants: the answer is a choice that was offered and allows nothing, or none; the words are never lost:
where they cannot be sent they go back to the composer.
"""

from __future__ import annotations

from acp_tui.client.asking import Asking
from acp_tui.client.intents import RejectAndSay
from acp_tui.client.submissions import Submissions
from acp_tui.client.wire import Wire
from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.store.entities import AgentRequest
from acp_tui.store.session import Session


class Rejecting:
    """Answers first, then speaks."""

    def __init__(self, wire: Wire, asking: Asking, submissions: Submissions) -> None:
        self._wire = wire
        self._store = wire.store
        self._asking = asking
        self._submissions = submissions

    def reject(self, intent: RejectAndSay) -> None:
        """The words reach a subagent through the session it works for: it takes no prompts itself (SA-03)."""
        session = self._top(intent.request.session)
        ref = session.ref if session is not None else intent.request.session
        why = " ".join(block.text for block in intent.blocks if block.type == "text")
        if self._allows(intent) or not self._asking.choose(intent.request, intent.option_id, why=why):
            reason = "The request was not waiting for this answer any more."
            self._wire.give_back(ref, intent.blocks, reason)
        elif intent.blocks:
            self._submissions.submit(session, ref, intent.blocks, now=True, first=True)

    def _allows(self, intent: RejectAndSay) -> bool:
        asked = self._store.entity(intent.request)
        params = asked.params if isinstance(asked, AgentRequest) else None
        options = params.options if isinstance(params, RequestPermissionRequest) else ()
        chosen = [option.kind for option in options if option.option_id == intent.option_id]
        return any(kind.startswith("allow") for kind in chosen)

    def _top(self, ref: str) -> Session | None:
        session = self._store.sessions.get(ref)
        while session is not None and session.parent is not None:
            session = self._store.sessions.get(session.parent)
        return session
