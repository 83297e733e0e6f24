"""A client with one open session and no agent behind it: it is told what the bench likes."""

from __future__ import annotations

from typing import Any

from acp_tui.base.shelf import MEMORY, Shelf
from acp_tui.client.effects import Send
from acp_tui.client.intents import OpenSession
from acp_tui.client.machine import Client
from acp_tui.protocol.initialize import ClientCapabilities, Implementation
from acp_tui.protocol.jsonrpc import Request, Response, read
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from tests.bench import updates


def connected(shelf: Shelf = MEMORY) -> tuple[Client, Session]:
    """A client and its session."""
    store = Store(shelf)
    client = Client(store, info=Implementation(name="bench", version="1"), capabilities=ClientCapabilities())
    client.assume_ready(0.0)
    ref = store.new_ref()
    (asked,) = client.intent(OpenSession(ref, "/"), 0.0)
    assert isinstance(asked, Send) and isinstance(asked.message, Request)
    client.receive(Response(asked.message.id, {"sessionId": updates.SESSION}), 0.0)
    return client, store.sessions[ref]


def tell(client: Client, update: dict[str, Any], at: float = 1.0) -> None:
    """The agent says this."""
    client.receive(read(updates.line(update)), at)
