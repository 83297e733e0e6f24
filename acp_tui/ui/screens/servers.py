"""The MCP servers of a conversation: which its agent was handed, and which not and why; secrets masked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from acp_tui.base import redact
from acp_tui.base.config import McpServer
from acp_tui.render.clean import one_line
from acp_tui.render.words import count
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.page import Line, Page

_IN = 4


class ServersScreen(Page):
    """See the module."""

    def __init__(self, conversation: Conversation, known: Mapping[str, McpServer]) -> None:
        super().__init__()
        self.conversation = conversation
        self.known = known
        """Those of the settings."""

    def heading(self) -> str:
        return f"MCP servers · {one_line(self.conversation.store.connection.agent_name, 40)}"

    def lines(self) -> Iterable[Line]:
        yield from lines(self.conversation, self.known)


def lines(conversation: Conversation, known: Mapping[str, McpServer]) -> Iterator[Line]:
    """What the session was opened with, then what it was not."""
    given = conversation.session.mcp_servers if conversation.session is not None else ()
    kinds = taken(conversation)
    handed = [server for server in given if server.get("type") in kinds]
    yield "head", f"This conversation has {count(len(handed), 'server')}"
    for server in handed:
        yield from _server(server)
    left = [*_left(conversation, kinds), *_unnamed(conversation, known)]
    if left:
        yield "", ""
        yield "head", "Not handed over"
    for name, why in left:
        yield "", f"  {one_line(name, 60)}: {why}", _IN
    if not handed and not left:
        yield "", "  Your settings have none: [mcp.NAME] in the file describes one.", _IN


def taken(conversation: Conversation) -> frozenset[str]:
    """The kinds its agent takes (SS-07)."""
    agreed = conversation.store.connection.capabilities
    mcp = agreed.session.mcp if agreed is not None and agreed.session is not None else None
    kinds = {"stdio": mcp and mcp.stdio, "http": mcp and mcp.http}
    return frozenset(kind for kind, takes in kinds.items() if takes is not None)


def _left(conversation: Conversation, kinds: frozenset[str]) -> Iterator[tuple[str, str]]:
    given = conversation.session.mcp_servers if conversation.session is not None else ()
    for server in conversation.link.launch.mcp_servers:
        name, kind = str(server.get("name", "?")), str(server.get("type", "?"))
        if conversation.session is None:
            yield name, "there is no session yet"
        elif kind not in kinds:
            yield name, f"the agent takes no servers over {kind}"
        elif server not in given:
            yield name, "left out, because the agent refused the session with it"
    for name, why in conversation.link.launch.left_out:
        yield name, why


def _unnamed(conversation: Conversation, known: Mapping[str, McpServer]) -> Iterator[tuple[str, str]]:
    """Those of the settings that the start of the agent had nothing to do with."""
    launch = conversation.link.launch
    told = {str(server.get("name")) for server in launch.mcp_servers} | {name for name, _ in launch.left_out}
    for name in known:
        if name not in told:
            yield name, "this agent was started without it: see mcp in its section, or start it again"


def _server(server: Mapping[str, Any]) -> Iterator[Line]:
    """Its name and kind; below what it is, with names but no values of what may be secret."""
    name, kind = one_line(str(server.get("name", "?")), 60), one_line(str(server.get("type", "?")), 20)
    yield "", f"  {name}  ({kind})", _IN
    words = [str(server.get("command", "")), *map(str, server.get("args", ()))]
    what = redact.url(str(server["url"])) if "url" in server else " ".join(redact.command(words))
    yield "dim", f"    {one_line(what, 1000)}", _IN
    for field, said in (("env", "variables"), ("headers", "headers")):
        if names := ", ".join(str(one.get("name", "?")) for one in server.get(field, ())):
            yield "dim", f"    {said}: {one_line(names, 1000)} (values are not shown)", _IN
