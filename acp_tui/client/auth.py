"""Logging in and out.

Invariants: only methods the agent offers are used, those of type `agent` by `auth/login`, those of type
`terminal` by the user's own hands in a terminal and only if we advertised that (AU-01 to AU-07); one login at
a time; what failed for want of a login is done again once after it, never more often (AU-08, S53).
"""

from __future__ import annotations

from collections.abc import Callable

from acp_tui.client.effects import Restart, RunLogin
from acp_tui.client.setup import Setup
from acp_tui.client.wire import Call, Method, Wire
from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.initialize import AuthMethodAgent, AuthMethodTerminal, ClientCapabilities
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION


class Auth:
    """Login, logout, and the work that waits for them."""

    def __init__(self, wire: Wire, setup: Setup, advertised: Callable[[], ClientCapabilities]) -> None:
        self._wire = wire
        self._setup = setup
        self._advertised = advertised
        self._after_restart: list[Call] = []
        """Prompts that are sent again once their sessions are open on the next connection (AU-05)."""
        wire.methods["auth/login"] = Method(
            sent=self._login_sent, done=lambda call, _: self._logged_in(), failed=self._login_failed
        )
        wire.methods["auth/logout"] = Method(
            done=lambda call, _: self._wire.require_login(""), failed=self._logout_failed
        )

    def login(self, method_id: str) -> None:
        """Begin a login with a method the agent offers; one at a time."""
        connection = self._wire.store.connection
        offered = {
            one.method_id: one
            for one in connection.auth_methods
            if isinstance(one, AuthMethodAgent | AuthMethodTerminal)
        }
        method = offered.get(method_id)
        if method is None or not self._wire.ready or connection.login:
            return
        if isinstance(method, AuthMethodAgent):
            self._wire.call("auth/login", {"methodId": method_id})  # AU-02
        elif self.terminal:
            self._begin(method_id)
            self._wire.effects.append(RunLogin(method))  # AU-04

    @property
    def terminal(self) -> bool:
        """Terminal methods may be offered (AU-06)."""
        ours = self._advertised().auth
        return ours is not None and ours.terminal is not None

    def ended(self, succeeded: bool, reason: str) -> None:
        """The program of a terminal login ended: if well, everything begins anew (AU-05)."""
        connection = self._wire.store.connection
        if not connection.login or self._calls():
            return
        self._end()
        if succeeded:
            connection.auth_required, connection.auth_reason = False, ""
            self._after_restart = [call for call in self._setup.kept if call.method == "session/prompt"]
            self._wire.reconnecting = True
            self._wire.effects.append(Restart("You logged in."))
        elif reason:
            self._fail(reason)

    def cancel(self) -> None:
        """Ask the agent to give the login up (AU-12); a terminal login ends with its program."""
        for call in self._calls():
            self._wire.notify("$/cancel_request", {"requestId": call.id}, None)

    def logout(self) -> None:
        """Log out (AU-10)."""
        connection = self._wire.store.connection
        if self._wire.ready and connection.auth_methods and connection.logs_out:
            self._wire.call("auth/logout", {})

    def start(self) -> None:
        """A new connection: nobody logs in to the old one any more."""
        self._wire.reconnecting = False
        self._end()

    def lost(self) -> None:
        """The connection ended. What waited for a login goes on only if a login is what ended it (LC-08)."""
        self._setup.kept.clear()
        if not self._wire.reconnecting:
            self._after_restart.clear()

    def opened(self, session: Session) -> None:
        """A session is open: send what it refused before the login, once."""
        mine = [call for call in self._after_restart if call.ref == session.ref]
        self._after_restart = [call for call in self._after_restart if call not in mine]
        self._again(mine)

    def _calls(self) -> list[Call]:
        return [call for call in self._wire.calls.values() if call.method == "auth/login"]

    def _login_sent(self, call: Call) -> None:
        self._begin(str(call.params.get("methodId")))

    def _begin(self, method_id: str) -> None:
        connection = self._wire.store.connection
        connection.login, connection.login_at, connection.login_failed = method_id, self._wire.at, ""
        self._wire.store.touch(CONNECTION)

    def _end(self) -> None:
        connection = self._wire.store.connection
        connection.login, connection.login_at = "", None
        self._wire.store.touch(CONNECTION)

    def _logged_in(self) -> None:
        connection = self._wire.store.connection
        connection.auth_required, connection.auth_reason = False, ""
        self._end()
        kept, self._setup.kept = self._setup.kept, []
        self._again(kept)

    def _again(self, calls: list[Call]) -> None:
        for call in calls:
            if call.retry is not None and self._wire.ready:
                call.retry()

    def _login_failed(self, call: Call, error: Error) -> None:
        self._end()
        if error.code not in (errors.REQUEST_CANCELLED, errors.CONNECTION_LOST):
            self._fail(error.message)

    def _fail(self, reason: str) -> None:
        self._wire.store.connection.login_failed = reason
        self._wire.warn("The login failed", reason, severity="error")

    def _logout_failed(self, call: Call, error: Error) -> None:
        if error.code != errors.CONNECTION_LOST:
            self._wire.warn("The logout failed", error.message)
