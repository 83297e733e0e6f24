"""Logging in and out.

Invariants: only methods the agent offers are used, and only those of type `agent` by `auth/login` (AU-01,
AU-03, AU-07); what failed for want of a login is done again once after it, never more often (AU-08, S53).
"""

from __future__ import annotations

from acp_tui.client.setup import Setup
from acp_tui.client.wire import Call, Method, Wire
from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.initialize import AuthMethodAgent
from acp_tui.store.store import CONNECTION


class Auth:
    """`auth/login`, `auth/logout`, and the work that waits for them."""

    def __init__(self, wire: Wire, setup: Setup) -> None:
        self._wire = wire
        self._setup = setup
        wire.methods["auth/login"] = Method(done=lambda call, _: self._logged_in(), failed=self._login_failed)
        wire.methods["auth/logout"] = Method(done=lambda call, _: self._require(), failed=self._logout_failed)

    def login(self, method_id: str) -> None:
        """Log in with a method of type `agent` (AU-02); one login at a time."""
        methods = self._wire.store.connection.auth_methods
        offered = any(isinstance(one, AuthMethodAgent) and one.method_id == method_id for one in methods)
        if (
            offered
            and self._wire.ready
            and not any(c.method == "auth/login" for c in self._wire.calls.values())
        ):
            self._wire.call("auth/login", {"methodId": method_id})

    def logout(self) -> None:
        """Log out (AU-10)."""
        if self._wire.ready and self._wire.store.connection.auth_methods:
            self._wire.call("auth/logout", {})

    def _logged_in(self) -> None:
        self._wire.store.connection.auth_required = False
        self._wire.store.touch(CONNECTION)
        kept, self._setup.kept = self._setup.kept, []
        for call in kept:
            if call.retry is not None:
                call.retry()

    def _login_failed(self, call: Call, error: Error) -> None:
        if error.code not in (errors.REQUEST_CANCELLED, errors.CONNECTION_LOST):
            self._wire.warn("The login failed", error.message, severity="error")

    def _require(self) -> None:
        self._wire.store.connection.auth_required = True
        self._wire.store.touch(CONNECTION)

    def _logout_failed(self, call: Call, error: Error) -> None:
        if error.code != errors.CONNECTION_LOST:
            self._wire.warn("The logout failed", error.message)
