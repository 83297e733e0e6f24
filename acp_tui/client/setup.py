"""What `session/new` and `session/resume` have in common: their parameters and the first lists of their
results.

Invariants: nothing is sent that the agent did not advertise (IN-10, SS-06, SS-07), and the user is told what
was left out; a list that an update brought while the request was pending is newer than the one in the result
(SS-05).
"""

from __future__ import annotations

from typing import Any

from acp_tui.client.wire import Call, Wire
from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.initialize import SessionCapabilities
from acp_tui.protocol.session import NewSessionResponse, ResumeSessionResponse
from acp_tui.store.keys import Kind
from acp_tui.store.session import Session


class Setup:
    """Parameters out, lists in."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.kept: list[Call] = []
        """Calls whose work waits for a login (AU-08)."""

    @property
    def capabilities(self) -> SessionCapabilities | None:
        """What the agent can do with sessions; None: it has none (IN-12)."""
        agreed = self._wire.store.connection.capabilities
        return agreed.session if agreed is not None else None

    @property
    def can_delete(self) -> bool:
        """`session.delete` is advertised (SS-22)."""
        return self.capabilities is not None and self.capabilities.delete is not None

    def refusal(self) -> Error | None:
        """Why no session method may be called at all; None: they may, or it is not known yet."""
        if self._wire.ready and self.capabilities is None:
            return Error(code=errors.METHOD_NOT_FOUND, message="The agent offers no sessions.")
        return None

    def params(self, session: Session) -> dict[str, Any]:
        """`cwd`, and what else the agent takes."""
        params: dict[str, Any] = {"cwd": session.cwd}
        directories = list(session.additional_directories)
        if (
            directories
            and self.capabilities is not None
            and self.capabilities.additional_directories is not None
        ):
            params["additionalDirectories"] = directories
        elif directories:
            self._wire.warn(
                "The agent takes no additional directories", ", ".join(directories), ref=session.ref
            )
        servers = [server for server in session.mcp_servers if self._takes(server)]
        if servers:
            params["mcpServers"] = servers
        refused = [str(server.get("name", "?")) for server in session.mcp_servers if not self._takes(server)]
        if refused:
            self._wire.warn("The agent does not take these MCP servers", ", ".join(refused), ref=session.ref)
        return params

    def _takes(self, server: dict[str, Any]) -> bool:
        mcp = self.capabilities.mcp if self.capabilities is not None else None
        kinds = {"stdio": mcp and mcp.stdio, "http": mcp and mcp.http}
        return kinds.get(str(server.get("type"))) is not None

    def adopt(self, session: Session, call: Call, result: NewSessionResponse | ResumeSessionResponse) -> None:
        """Take over the initial lists, where no update was faster (SS-02, SS-05)."""
        if result.available_commands is not None and "commands" not in call.flags:
            session.commands = list(result.available_commands)
            self._wire.touch(session, Kind.COMMANDS)
        if result.config_options is not None and "config_options" not in call.flags:
            session.config_options = list(result.config_options)
            self._wire.touch(session, Kind.CONFIG_OPTIONS)

    def explain(self, call: Call, error: Error) -> None:
        """-32602 is mostly about a server or a folder: say what was sent (SS-08)."""
        servers = call.params.get("mcpServers", [])
        sent = [f"{server.get('name', '?')} ({server.get('type', '?')})" for server in servers]
        sent += call.params.get("additionalDirectories", [])
        if error.code == errors.INVALID_PARAMS and sent:
            self._wire.warn("The agent was sent these along", ", ".join(sent), ref=call.ref)

    def keep(self, call: Call, error: Error) -> bool:
        """-32000 to something that can be done again: it waits for a login, once (AU-08)."""
        if (
            error.code != errors.AUTH_REQUIRED
            or call.retry is None
            or not self._wire.store.connection.auth_methods
        ):
            return False
        self.kept.append(call)
        return True

    def kept_for_login(self, session: Session, call: Call, error: Error) -> bool:
        """The session stays in the opening, and is asked for again after a login."""
        if not self.keep(call, error):
            return False
        session.failure = error
        self._wire.touch(session, Kind.SESSION)
        return True
