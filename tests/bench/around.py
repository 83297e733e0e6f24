"""The app around a session that is known already, with an agent that never runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from acp_tui.agent.front import Agent
from acp_tui.client.machine import Client
from acp_tui.ui.app import AcpApp
from acp_tui.ui.conversation import Conversation, Link
from acp_tui.ui.host import Host

Script = Callable[[AcpApp, Conversation], Awaitable[None]]


async def run_around(client: Client, ref: str, script: Script) -> None:
    """Run the app, and beside it the script with the conversation of that session, until the app is left."""
    async with anyio.create_task_group() as group:
        host = Host(group, {})
        agent = Agent(client.store, client, ("true",), "/", {})
        link = Link(client.store, agent, agent.command)
        link.conversations.append(Conversation(link, ref, "/"))
        host.links.append(link)
        app = AcpApp(host, None, "/", theme="acp-dark")
        group.start_soon(script, app, link.conversations[0])
        await app.run_async()
        group.cancel_scope.cancel()
