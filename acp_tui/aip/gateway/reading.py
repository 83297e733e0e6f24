"""Reads: each one request, decoded, with what it says put beside what is known already."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from acp_tui.aip.core import codec
from acp_tui.aip.core.vocabulary import (
    ActionResult,
    ActionStatus,
    Approval,
    Capability,
    Health,
    SessionView,
)
from acp_tui.aip.gateway.errors import Refused, TooLong, Unreadable
from acp_tui.aip.gateway.http import Http
from acp_tui.aip.gateway.told import Page, Selectors
from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.protocol.unknown import Invalid

MOST = 1000
"""Items that may be asked for at once (specified)."""
_CAPABILITIES = 200
T = TypeVar("T")
_PAGES = 100
"""Parts of a list that are read to the end: a gateway whose cursor never ends is left there."""


class Reading:
    """Asks and decodes. Every method raises `GatewayError`; what cannot be read is `Unreadable`."""

    def __init__(self, http: Http, settings: GatewaySettings) -> None:
        self._http = http
        self._wrapping = settings.wrapping

    async def health(self) -> Health:
        """What the gateway says of itself."""
        answer = await self._http.ask("health")
        return _read(lambda: codec.decode(Health, answer if isinstance(answer, dict) else {}))

    async def status(self, action_id: str) -> ActionStatus:
        """The lifecycle view, with the result where that is not too long."""
        try:
            answer = await self._http.ask("status", action_id, include_result=True)
        except TooLong:
            answer = await self._http.ask("status", action_id)
        return _read(lambda: codec.read(ActionStatus, answer, "action_status", self._wrapping))

    async def result(self, action_id: str) -> ActionResult | None:
        """The result; None while there is none."""
        answer = await self._http.ask("result", action_id)
        return _read(lambda: self._result(answer))

    def _result(self, answer: object) -> ActionResult | None:
        found = codec.unwrap(answer, ("action_result", "result"), self._wrapping) if answer else None
        if isinstance(found, dict) and "status" not in found and "result" in found:
            found = found["result"]
        return codec.decode(ActionResult, found) if found else None

    async def events(self, action_id: str, cursor: str | None, limit: int) -> codec.EventPage:
        """A page of the log of one action, its chunks with it; of everything when no action is named."""
        route, chunks = ("events", True) if action_id else ("all_events", None)
        limit = _within(limit)
        answer = await self._http.ask(route, action_id, include_chunks=chunks, cursor=cursor, limit=limit)
        return _read(lambda: codec.event_page(answer, self._wrapping))

    async def actions(self, selectors: Selectors, cursor: str | None, limit: int) -> Page[ActionStatus]:
        """A page of actions."""
        chosen = {name: getattr(selectors, name) for name in Selectors.__slots__}
        answer = await self._http.ask("actions", cursor=cursor, limit=_within(limit), **chosen)
        return _read(lambda: Page(*codec.listed(ActionStatus, answer, ("actions", "action_list"))))

    async def sessions(self, cursor: str | None, limit: int) -> Page[SessionView]:
        """A page of sessions."""
        answer = await self._http.ask("sessions", cursor=cursor, limit=_within(limit))
        return _read(lambda: Page(*codec.listed(SessionView, answer, ("sessions", "session_list"))))

    async def session(self, session_id: str) -> SessionView:
        """One session."""
        answer = await self._http.ask("session", session_id)
        view = _read(lambda: codec.session_answer(answer)).view
        if view is None:
            raise Unreadable("the answer has no session")
        return view

    async def capabilities(self) -> list[Capability]:
        """All of the list; of the manifest where there is no list for us. `Unreadable` where nothing speaks
        as a gateway does.
        """
        spoken = False
        try:
            return await self._listed_capabilities()
        except Refused as refused:
            if refused.unauthorized:
                raise
            spoken = refused.spoken
        try:
            answer = await self._http.ask("manifest")
        except Refused as refused:
            if refused.unauthorized:
                raise
            if not (spoken or refused.spoken):
                await self._recognised(refused.status)
            return []
        return list(_read(lambda: codec.listed(Capability, answer, ("capabilities",)))[0])

    async def _recognised(self, status: int) -> None:
        """Whether anything at all is here, where neither list nor manifest is. Raises `Unreadable`."""
        try:
            await self.health()
        except Refused as refused:
            if not refused.spoken:
                raise Unreadable(
                    f"nothing here answers as a gateway of AIP does (HTTP {status} for the capabilities, the "
                    "manifest and the health): is the address right? Other paths are set by prefix and routes"
                ) from None

    async def _listed_capabilities(self) -> list[Capability]:
        found: dict[str, Capability] = {}
        cursor: str | None = None
        for _ in range(_PAGES):
            answer = await self._http.ask("capabilities", cursor=cursor, limit=_CAPABILITIES)
            page, after = _read(partial(codec.listed, Capability, answer, ("capabilities",)))
            found.update((one.id, one) for one in page)
            if after in (None, cursor) or not page:
                break
            cursor = after
        return list(found.values())

    async def approvals(self) -> list[Approval]:
        """Those we may see; none where there is no such list."""
        try:
            answer = await self._http.ask("approvals")
        except Refused as refused:
            if refused.hidden or refused.status in (405, 501):
                return []
            raise
        return list(_read(lambda: codec.listed(Approval, answer, ("approvals", "approval_list")))[0])


def _within(limit: int) -> int:
    return max(1, min(limit, MOST))


def _read(decode: Callable[[], T]) -> T:
    try:
        return decode()
    except Invalid as error:
        raise Unreadable(f"the answer cannot be read: {error.reason}") from None
