"""Stopping things and changing settings: `session/cancel`, single tool calls and terminals, config options.

Invariants: asked is not done: a cancel is confirmed, overtaken or unanswered, and only the agent says which
(CX-05); what may be asked of a subagent is what its capabilities allow (SA-03); nothing is shown as changed
before the agent says so (CF-07, TC-13).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acp_tui.client.effects import Wake
from acp_tui.client.routes import Routes
from acp_tui.client.setup import Setup
from acp_tui.client.wire import Call, Method, Wire
from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.session import SetSessionConfigOptionResponse
from acp_tui.store.entities import Cancel, Subagent, Terminal, ToolCall
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.tools import overlay_cancelled
from acp_tui.store.session import Session

NO_ANSWER_AFTER = 12.0
"""Seconds until a cancel counts as unanswered and harder means are offered (CX-18)."""


class Controls:
    """What stops or changes something at the agent."""

    def __init__(
        self, wire: Wire, routes: Routes, setup: Setup, cancel_permissions: Callable[[Session], None]
    ) -> None:
        self._wire = wire
        self._routes = routes
        self._setup = setup
        self._cancel_permissions = cancel_permissions
        self._stopping: set[Key] = set()
        """Tool calls and terminals that were asked to stop."""
        for name in ("tool_call/cancel", "terminal/cancel"):
            wire.methods[name] = Method(
                sent=self._stop_sent, done=self._stop_accepted, failed=self._stop_failed
            )
        wire.methods["session/set_config_option"] = Method(
            sent=self._option_asked, done=self._option_set, failed=self._option_failed
        )

    # The foreground work

    def cancel(self, session: Session) -> None:
        """`session/cancel`; again and again if the user wants (CX-18)."""
        if self._attached(session) and self._may_cancel(session):
            params = {"sessionId": session.session_id}
            self._wire.notify("session/cancel", params, session.ref)
            self.cancel_sent(params)

    def cancel_sent(self, params: dict[str, Any]) -> None:
        """It left: mark what it reaches and answer what is pending, without waiting for anything (CX-02,
        CX-03).
        """
        session_id = params.get("sessionId")
        session = self._routes.session(session_id) if isinstance(session_id, str) else None
        if session is None:
            return
        if session.busy:  # CX-06: otherwise no confirmation will come
            session.cancel = Cancel(asked_at=self._wire.at)
            overlay_cancelled(self._wire.store, session, self._wire.at)
            self._wire.touch(session, Kind.SESSION)
            self._wire.effects.append(Wake(self._wire.at + NO_ANSWER_AFTER))
        self._cancel_permissions(session)

    def tick(self) -> None:
        """A cancel that nobody confirmed in time is unanswered."""
        for session in self._routes:
            if self._unanswered(session.cancel):
                self._wire.touch(session, Kind.SESSION)
        for key in list(self._stopping):
            one = self._wire.store.entity(key)
            if not isinstance(one, ToolCall | Terminal) or not one.cancelling:
                self._stopping.discard(key)
            elif self._unanswered(one.cancel):
                self._wire.changed(one)

    def _unanswered(self, cancel: Cancel | None) -> bool:
        """It is now, and was not before."""
        if cancel is None or cancel.status != "asked" or self._wire.at < cancel.asked_at + NO_ANSWER_AFTER:
            return False
        cancel.status = "no_answer"
        return True

    def _may_cancel(self, session: Session) -> bool:
        if session.parent is None:
            return True
        above = self._wire.store.sessions.get(session.parent)
        known = above.entities.get(Key(above.ref, Kind.SUBAGENT, session.session_id or "")) if above else None
        return isinstance(known, Subagent) and known.cancellable

    # One thing

    def stop(self, key: Key) -> None:
        """`tool_call/cancel` or `terminal/cancel`, only while the latest capabilities offer it (TC-12,
        TM-12).
        """
        session = self._wire.store.sessions.get(key.session)
        one = session.entities.get(key) if session is not None else None
        if session is None or session.parent is not None or not self._attached(session):
            return
        if one is None or any(call.subject == key for call in self._wire.calls.values()):
            return
        if isinstance(one, ToolCall) and one.cancellable and not one.final:
            self._stop("tool_call/cancel", "toolCallId", session, one)
        elif isinstance(one, Terminal) and one.cancellable and not one.exited:
            self._stop("terminal/cancel", "terminalId", session, one)

    def _stop(self, method: str, name: str, session: Session, one: ToolCall | Terminal) -> None:
        params = {"sessionId": session.session_id, name: one.key.id}
        self._wire.call(method, params, ref=session.ref, subject=one.key)

    def _stop_sent(self, call: Call) -> None:
        session = self._of(call)
        if session is None:
            return
        if call.subject is None:
            kind = Kind.TOOL_CALL if call.method == "tool_call/cancel" else Kind.TERMINAL
            named = call.params.get("toolCallId" if kind is Kind.TOOL_CALL else "terminalId")
            call.ref, call.subject = session.ref, Key(session.ref, kind, str(named))
        one = session.entities.get(call.subject)
        if isinstance(one, ToolCall | Terminal):
            one.cancel = Cancel(asked_at=self._wire.at)
            self._stopping.add(one.key)
            self._wire.changed(one)
            self._wire.effects.append(Wake(self._wire.at + NO_ANSWER_AFTER))

    def _stop_accepted(self, call: Call, result: object) -> None:
        """Accepted only: an update says when it is over (TC-13, TM-13)."""
        one = self._wire.store.entity(call.subject) if call.subject is not None else None
        if isinstance(one, ToolCall | Terminal) and one.cancel is not None:
            one.cancel.accepted = True

    def _stop_failed(self, call: Call, error: Error) -> None:
        one = self._wire.store.entity(call.subject) if call.subject is not None else None
        if isinstance(one, ToolCall | Terminal) and one.cancelling:
            if error.code != errors.CONNECTION_LOST:
                one.cancel = None  # TC-14
            self._wire.changed(one)
        if error.code not in (errors.CONNECTION_LOST, errors.REQUEST_CANCELLED):
            self._wire.warn("The agent did not stop it", error.message, ref=call.ref)

    # Settings

    def set_option(self, session: Session, config_id: str, value: str | bool) -> None:
        """`session/set_config_option`, for an option that is offered (CF-05, CF-13)."""
        offered = any(getattr(option, "config_id", None) == config_id for option in session.config_options)
        if not offered or session.parent is not None or not self._attached(session):
            return
        self._ask_option(session, config_id, value)

    def _ask_option(
        self, session: Session, config_id: str, value: str | bool, *, again: bool = False
    ) -> None:
        if again and not self._attached(session):
            return
        kind = "boolean" if isinstance(value, bool) else "id"
        params = {"sessionId": session.session_id, "configId": config_id, "type": kind, "value": value}
        retry = None if again else lambda: self._ask_option(session, config_id, value, again=True)
        self._wire.call("session/set_config_option", params, ref=session.ref, retry=retry)

    def _option_asked(self, call: Call) -> None:
        session, value = self._of(call), call.params.get("value")
        if session is not None and isinstance(value, str | bool):
            session.options_asked[str(call.params.get("configId"))] = value
            self._wire.touch(session, Kind.CONFIG_OPTIONS)

    def _option_answered(self, call: Call) -> Session | None:
        """The value is not on its way any more, unless it was asked for again meanwhile."""
        session = self._wire.store.sessions.get(call.ref) if call.ref is not None else self._of(call)
        others = (c for c in self._wire.calls.values() if c.method == call.method)
        named = call.params.get("configId"), call.params.get("sessionId")
        if session is not None and not any(
            (c.params.get("configId"), c.params.get("sessionId")) == named for c in others
        ):
            session.options_asked.pop(str(call.params.get("configId")), None)
            self._wire.touch(session, Kind.CONFIG_OPTIONS)
        return session

    def _option_set(self, call: Call, result: SetSessionConfigOptionResponse) -> None:
        session = self._option_answered(call)
        if session is not None:
            session.config_options = list(result.config_options)  # CF-06, CF-12
            self._wire.touch(session, Kind.CONFIG_OPTIONS)

    def _option_failed(self, call: Call, error: Error) -> None:
        session = self._option_answered(call)  # CF-07: whatever was shown meanwhile is undone
        if session is None or self._setup.keep(call, error):
            return
        if error.code not in (errors.CONNECTION_LOST, errors.REQUEST_CANCELLED):
            self._wire.warn("The agent did not change the setting", error.message, ref=session.ref)

    def _attached(self, session: Session) -> bool:
        known = self._routes.session(session.session_id) if session.session_id is not None else None
        return self._wire.ready and known is session and session.phase in ("open", "closing")

    def _of(self, call: Call) -> Session | None:
        session_id = call.params.get("sessionId")
        return self._routes.session(session_id) if isinstance(session_id, str) else None
