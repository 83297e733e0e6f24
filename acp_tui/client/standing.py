"""How a client stands between two messages, to be taken down and given to another.

The one place that knows what each part of the client remembers beside the store. Invariants: it is taken only
where nothing waits (no request of either side, no update, no replay), so that what is remembered are facts;
a client that is given it does with the next messages what the first would have done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from acp_tui.client.handshake import Outcome
from acp_tui.client.settling import Sent
from acp_tui.protocol.initialize import ClientCapabilities
from acp_tui.protocol.v1.memory import Memory
from acp_tui.store.connection import Connection
from acp_tui.store.entities import AgentRequest, Entity, Submission
from acp_tui.store.keys import Key
from acp_tui.store.session import Session

if TYPE_CHECKING:
    from acp_tui.client.machine import Client


@dataclass(slots=True, kw_only=True)
class Standing:
    """All that is known. The same objects as in the client: to be kept, not to be changed."""

    connection: Connection
    sessions: list[Session]
    attached: list[str]
    """By their `ref`."""
    refs: int
    loose: dict[Key, Entity]
    advertised: ClientCapabilities
    outcome: Outcome
    number: int
    submissions: dict[str, Submission]
    sent: dict[Key, Sent]
    unheard: dict[Key, Submission]
    twins: list[Key]
    requests: list[AgentRequest]
    urls: dict[str, str]
    dropped: int
    garbage: tuple[int, float, bool]
    memory: Memory
    """Of the words of a v1 agent."""


def standing(client: Client) -> Standing | None:
    """How it stands; None: something waits."""
    if not _resting(client):
        return None
    store, prompts, asking, garbage = client.store, client._submissions, client._asking, client._garbage
    return Standing(
        connection=store.connection,
        sessions=list(store.sessions.values()),
        attached=[session.ref for session in client._routes],
        refs=store._refs,
        loose=store._loose,
        advertised=client._handshake.advertised,
        outcome=client._handshake.outcome,
        number=prompts._number,
        submissions=prompts.by_request,
        sent=prompts.settling._sent,
        unheard=prompts.settling._unheard,
        twins=list(prompts.settling._twins),
        requests=asking.every,
        urls=asking.urls,
        dropped=client._updates.dropped,
        garbage=(garbage._answered, garbage._since, garbage._warned),
        memory=client._dialect.memory,
    )


def _resting(client: Client) -> bool:
    wire, routes = client._wire, client._routes
    waits = wire.calls or wire._when_ready or client._asking._open or client._updates._held
    kept = client._setup.kept or client._auth._after_restart
    moving = (one.replaying or one.phase in ("opening", "closing") for one in client.store.sessions.values())
    rests = client._serving.rests and client._dialect.resting
    return rests and not (waits or kept or routes._shadows or any(moving))


def stand(client: Client, known: Standing) -> None:
    """A fresh client stands so from now on."""
    store, prompts, asking, garbage = client.store, client._submissions, client._asking, client._garbage
    store.connection = known.connection
    store._refs, store._loose = known.refs, known.loose
    adopt(client, known.sessions)
    for ref in known.attached:
        client._routes.attach(store.sessions[ref])
    client._handshake.advertised, client._handshake.outcome = known.advertised, known.outcome
    prompts._number, prompts.by_request = known.number, known.submissions
    prompts.settling._sent, prompts.settling._unheard = known.sent, known.unheard
    prompts.settling._twins = set(known.twins)
    asking.every, asking.urls = known.requests, known.urls
    client._updates.dropped = known.dropped
    garbage._answered, garbage._since, garbage._warned = known.garbage
    client._dialect.memory = known.memory


def adopt(client: Client, sessions: Iterable[Session]) -> None:
    """Know sessions from a record beside its own; their `ref`s must be new to it. None is attached."""
    prompts = client._submissions
    for session in sessions:
        client.store.add(session)
        client._dialect.learn(session)
        for one in session.entities.values():
            if isinstance(one, Submission):
                prompts._number = max(prompts._number, one.number)
                prompts.settling.known(one)
