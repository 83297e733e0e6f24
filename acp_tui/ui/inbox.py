"""All that waits for the user, of every agent, and who was answered what in this run. Imports no Textual.

Invariants: what waits is read from the stores, the oldest first (PM-12); an answer stays in the log when its
agent is gone, and then holds nothing else of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.render.clean import one_line
from acp_tui.store.entities import AgentRequest
from acp_tui.ui.asker import asker, who_asks
from acp_tui.ui.conversation import Link
from acp_tui.ui.host import Host

_BY = {
    "user": "by you",
    "cancel": "cancelled with the work",
    "agent": "taken back by the agent",
    "close": "closed with the session",
    "": "the agent was gone",
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request that waits."""

    link: Link
    request: AgentRequest
    who: str

    @property
    def asks(self) -> bool:
        """For permission; else it is a form."""
        return isinstance(self.request.params, RequestPermissionRequest)

    @property
    def what(self) -> str:
        """What is asked, in the agent's words."""
        return what(self.request)


@dataclass(frozen=True, slots=True)
class Answered:
    """One that does not wait any more."""

    at: float
    who: str
    what: str
    answer: str
    """The option by its name; what else was answered; empty where nobody could be."""
    by: str
    why: str
    """The rule, or what the user said."""


class Inbox:
    """See the module."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._gone: list[tuple[str, list[AgentRequest]]] = []
        """Requests of agents that were let go, and who asked."""

    def waiting(self) -> list[Waiting]:
        """The oldest first."""
        found = [
            Waiting(link, request, who_asks(link.store, request))
            for link in self._host.links
            for request in link.store.waiting()
        ]
        return sorted(found, key=lambda one: one.request.created_at)

    def answered(self) -> list[Answered]:
        """The newest first."""
        found = [answered(who, request) for who, request in self._every() if request.status != "pending"]
        return sorted(found, key=lambda one: one.at, reverse=True)

    def let_go(self, link: Link) -> None:
        """The agent will be dropped: keep what it asked. What still waits is answered when it ends."""
        for ref in dict.fromkeys(request.key.session for request in link.agent.client.requests):
            asked = [request for request in link.agent.client.requests if request.key.session == ref]
            self._gone.append((asker(link.store, ref), asked))

    def _every(self) -> Iterator[tuple[str, AgentRequest]]:
        for who, requests in self._gone:
            for request in requests:
                yield who, request
        for link in self._host.links:
            for request in link.agent.client.requests:
                yield who_asks(link.store, request), request


def what(request: AgentRequest) -> str:
    """What is asked, in the agent's words."""
    params = request.params
    said = params.title if isinstance(params, RequestPermissionRequest) else getattr(params, "message", "")
    return one_line(str(said), 400)


def answered(who: str, request: AgentRequest) -> Answered:
    """The line in the log."""
    by = f"by your rule “{request.answered_why}”" if request.answered_by == "rule" else request.answered_by
    return Answered(
        request.answered_at or 0.0,
        who,
        what(request),
        _answer(request),
        one_line(_BY.get(by, by), 400),
        one_line(request.answered_why, 400) if request.answered_by == "user" else "",
    )


def _answer(request: AgentRequest) -> str:
    outcome: Any = request.outcome
    if request.status == "void":
        return "no answer"
    if not isinstance(outcome, dict):
        return "an error"
    inner = outcome.get("outcome")
    chosen = inner.get("optionId") if isinstance(inner, dict) else None
    options = getattr(request.params, "options", ())
    named = next((option.name for option in options if option.option_id == chosen), None)
    return one_line(named, 200) if named is not None else str(outcome.get("action") or "nothing chosen")
