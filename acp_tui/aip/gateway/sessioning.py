"""Sessions and their rotating tokens: open, resume, close.

Invariants: a token leaves only in the body of one request; the new one is in the store before anything of its
answer is used; one resume of a session at a time, across processes; a session known to be over is never asked
for; a token that was refused, or not replaced, is destroyed, and with it the wish to try again.
"""

from __future__ import annotations

from typing import NoReturn

from acp_tui.aip.core import codec, ids
from acp_tui.aip.core import sessions as graph
from acp_tui.aip.core.once import Once
from acp_tui.aip.core.vocabulary import Event, Json, SessionView
from acp_tui.aip.gateway.errors import CannotResume, Misconfigured, NotAllowed, Refused, Unreadable
from acp_tui.aip.gateway.http import Http
from acp_tui.aip.gateway.reading import Reading
from acp_tui.aip.gateway.world import World
from acp_tui.aip.kept.tokens import Busy, Token, Tokens
from acp_tui.base import atomic
from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.protocol.unknown import Invalid

FULL = 100
"""Events in one answer of a resume, at most (specified): as many mean that there may be more."""
ANSWERS = 100
"""Resumes in a row, at most."""
REJECTED = "session.resume_rejected"
CLOSED = "session.closed"


class Sessioning:
    """The sessions of one gateway."""

    def __init__(self, http: Http, tokens: Tokens, settings: GatewaySettings, world: World) -> None:
        self._http = http
        self._reading = Reading(http, settings)
        self._tokens = tokens
        self._settings = settings
        self._world = world

    async def open(self) -> SessionView:
        """Shake hands. Raises `NotAllowed`, `GatewayError`."""
        if not self._settings.profiles:
            raise NotAllowed("no profiles are set, so no session is opened")
        body: Json = {"profiles": list(self._settings.profiles), "capabilities": []}
        stamp = codec.Stamp(ids.new(ids.ENVELOPE), self._world.stamp())
        message = codec.message("handshake", self._settings.messages)
        sent = codec.envelope(message, body, stamp, self._settings.wrapping)
        answer = _read(await self._http.ask("messages", body=sent))
        if answer.view is None:
            raise Unreadable("the handshake was answered without a session")
        if answer.token is not None:
            self._keep(Token(answer.view.id, answer.token, answer.cursor))
        return answer.view

    def resumable(self, session_id: str) -> bool:
        """Whether a token is kept."""
        return self._tokens.get(session_id) is not None

    async def resume(self, session_id: str) -> tuple[SessionView | None, list[Event]]:
        """The view and what happened since. Raises `CannotResume`, `GatewayError`."""
        ids.session(session_id)
        try:
            async with self._tokens.turn(session_id, self._world.sleep):
                await self._check(session_id)
                return await self._resumed(session_id)
        except Busy:
            raise CannotResume(
                "another acp-tui is resuming this session; try again when it is done"
            ) from None

    async def _check(self, session_id: str) -> None:
        """A session that is over would cost the token and bring nothing."""
        if self._tokens.get(session_id) is None:
            raise CannotResume("there is no token for this session here; start a new session")
        try:
            view = await self._reading.session(session_id)
        except Refused as refused:
            if refused.status not in (404, 405, 501):
                raise
            return
        if not graph.resumable(view.state):
            self._give_up(session_id, f"the session is {view.state}; start a new session")

    async def _resumed(self, session_id: str) -> tuple[SessionView | None, list[Event]]:
        once, events = Once(), list[Event]()
        view: SessionView | None = None
        for _ in range(ANSWERS):
            token = self._tokens.get(session_id)
            if token is None:
                break
            answer = await self._ask(token)
            view = answer.view or view
            events += [event for event in answer.events if once.first(event.id)]
            if len(answer.events) < FULL or answer.cursor in (None, token.cursor):
                break
        return view, events

    async def _ask(self, token: Token) -> codec.SessionAnswer:
        """One resume; the store has the new token, or none, when it returns."""
        body: Json = {"resume_token": token.secret}
        if token.cursor is not None:
            body["last_event_cursor"] = token.cursor
        try:
            answer = _read(await self._http.ask("resume", token.session_id, body=body))
        except Refused as refused:
            self._refused(token.session_id, refused)
        if answer.token is None:
            self._destroy(token.session_id)
        else:
            self._keep(Token(token.session_id, answer.token, answer.cursor or token.cursor))
        return answer

    def _refused(self, session_id: str, refused: Refused) -> NoReturn:
        if refused.error.code == CLOSED:
            self._give_up(session_id, "the session is closed; start a new session")
        if refused.error.code == REJECTED:
            self._give_up(session_id, "the gateway cannot resume this session; start a new session")
        raise refused

    def _give_up(self, session_id: str, why: str) -> NoReturn:
        self._destroy(session_id)
        raise CannotResume(f"{why}; what was said stays here")

    async def close(self, session_id: str, reason: str) -> SessionView | None:
        """Close it, once. Raises `GatewayError`: it may be refused."""
        ids.session(session_id)
        try:
            answer = await self._http.ask("close", session_id, body={"reason": reason} if reason else {})
        except Refused as refused:
            if refused.error.code == CLOSED:
                self._destroy(session_id)
            raise
        self._destroy(session_id)
        return _read(answer).view if answer else None

    def _keep(self, token: Token) -> None:
        """Where it cannot be kept the session goes on; it only cannot be resumed."""
        try:
            self._tokens.replace(token)
        except OSError:
            self._destroy(token.session_id)

    def _destroy(self, session_id: str) -> None:
        try:
            self._tokens.destroy(session_id)
        except OSError as error:
            raise Misconfigured(f"the token of the session cannot be removed: {atomic.why(error)}") from None


def _read(answer: object) -> codec.SessionAnswer:
    try:
        return codec.session_answer(answer)
    except Invalid:
        raise Unreadable("the answer about the session cannot be read") from None
