"""The one door to a gateway: everything the bridge asks for, each with what is kept on disk before and after.

Invariants: the intent of a submission is on disk before its bytes leave; nothing is ever sent twice by
itself, except reads; every wait has a limit; errors are those of `errors`, and no text of theirs has a token.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import anyio

from acp_tui.aip.core import codec, ids
from acp_tui.aip.core.chunks import Chunks
from acp_tui.aip.core.lifecycle import Action, Cancel, Presence
from acp_tui.aip.core.vocabulary import (
    ActionResult,
    ActionStatus,
    Approval,
    Call,
    Capability,
    Event,
    Health,
    SessionView,
    StreamChunk,
)
from acp_tui.aip.core.words import ChunkKind, Decision, Mode
from acp_tui.aip.gateway.errors import GatewayError, Lost, Misconfigured, NotAllowed, Refused, Unreadable
from acp_tui.aip.gateway.following import Follow
from acp_tui.aip.gateway.http import Http
from acp_tui.aip.gateway.reading import Reading
from acp_tui.aip.gateway.sessioning import Sessioning
from acp_tui.aip.gateway.submitting import Submitting, keep, key_for, mode_for, why_not_again
from acp_tui.aip.gateway.told import End, Ended, Hear, Page, Selectors
from acp_tui.aip.gateway.world import World
from acp_tui.aip.kept.ledger import Entry, Ledger, Outcome
from acp_tui.aip.kept.tokens import Tokens
from acp_tui.base import atomic, paths
from acp_tui.base.config.gateways import GatewaySettings


class Gateway:
    """`async with Gateway(settings) as gateway`. One event loop, any number of tasks.

    What is kept stands in the state folder, in one that belongs to the address, the tenant and the name of
    the token: what was meant for one principal is never found by another.
    """

    def __init__(self, settings: GatewaySettings, *, world: World | None = None) -> None:
        self.settings = settings
        self.actions: dict[str, Action] = {}
        """What is known, by action id; the unfinished ones of earlier runs too."""
        self._world = world or World()
        self._followed: set[str] = set()
        self._turns = anyio.Semaphore(settings.follows)

    async def __aenter__(self) -> Self:
        """Reads what is kept. Raises `Misconfigured`; talks to nobody."""
        folder = folder_of(self.settings)
        self._http = Http(self.settings)
        try:
            self._ledger = Ledger(folder / "intents")
        except OSError as error:
            await self._http.aclose()
            raise Misconfigured(f"nothing can be kept: {atomic.why(error)}") from None
        self._reading = Reading(self._http, self.settings)
        self._submitting = Submitting(self._http, self._ledger, self.settings, self._world)
        tokens = Tokens(folder / "tokens")
        self._sessions = Sessioning(self._http, tokens, self.settings, self._world)
        self.actions.update((id, _restored(entry)) for id, entry in self._ledger.entries.items())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes connections; what is followed must have been cancelled by its tasks."""
        self._ledger.close()
        await self._http.aclose()

    async def health(self) -> Health:
        """What the gateway says of itself."""
        return await self._reading.health()

    async def capabilities(self) -> list[Capability]:
        """All that are listed, from the list or the manifest; empty where the gateway lists none."""
        return await self._reading.capabilities()

    # submitting

    async def submit(
        self,
        capability_id: str,
        input: Any,
        *,
        mode: Mode | None = None,
        session_id: str | None = None,
        capability: Capability | None = None,
        timeout_ms: int | None = None,
        action_id: str | None = None,
    ) -> Action:
        """Call a capability. The action it returns is acknowledged, has a result, or both (`acknowledged`,
        `result`), or is `UNCERTAIN` when the answer was lost and a read did not find it, or when the task
        was cancelled meanwhile. `action_id` is a fresh one of `ids.new(ids.ACTION)`, for who needs it before.

        Raises `Refused` (it was not taken; 409 is an identity conflict), `Unreachable` (nothing left),
        `NotAllowed` (the contract has no such mode, or the intent could not be kept), `ids.BadId`.
        """
        call = Call(
            action_id=ids.action(action_id) if action_id else ids.new(ids.ACTION),
            capability_id=capability_id,
            input=input,
            mode=mode_for(mode, Mode(self.settings.mode), capability),
            idempotency_key=key_for(self.settings, capability),
            timeout_ms=timeout_ms,
            session_id=ids.session(session_id) if session_id else None,
        )
        action = self.actions[call.action_id] = Action(call.action_id, capability_id)
        return await self._send(call, action)

    async def _send(self, call: Call, action: Action) -> Action:
        if not await self._submitting.send(call, action):
            with suppress(GatewayError):
                await self.status(action.id)
        return action

    async def look_again(self, action_id: str) -> Action:
        """Read the state of an uncertain action by its id: visible adopts it, else it stays uncertain."""
        await self.status(action_id)
        return self.actions[action_id]

    def may_send_again(self, action_id: str, capability: Capability | None) -> str | None:
        """None: it may, same id, same key. Else why not, for the user."""
        action, entry = self.actions.get(action_id), self._ledger.entries.get(action_id)
        presence = action.presence if action else Presence.KNOWN
        return why_not_again(entry.call if entry else None, presence, capability)

    async def send_again(self, action_id: str, capability: Capability | None) -> Action:
        """The same submission once more, on the user's choice. Raises `NotAllowed`, and as `submit`."""
        if (why := self.may_send_again(action_id, capability)) is not None:
            raise NotAllowed(why)
        call = self._ledger.entries[action_id].call
        assert call is not None  # what has none may not be sent again
        return await self._send(call, self.actions[action_id])

    def call(self, action_id: str) -> Call | None:
        """What was submitted under that id, as far as it is kept."""
        entry = self._ledger.entries.get(action_id)
        return entry.call if entry else None

    def uncertain(self) -> list[Call]:
        """Submissions without an outcome, oldest first, those of earlier runs too."""
        return self._ledger.uncertain()

    def give_up(self, action_id: str) -> None:
        """The user does not want to hear of an uncertain one any more. Nothing is sent."""
        with suppress(OSError):
            self._ledger.outcome(action_id, Outcome.GIVEN_UP)

    # reading

    async def follow(self, action_id: str, hear: Hear, *, from_start: bool = False) -> Ended:
        """Tell everything about an action until it is over; cancel the task to stop. Waits for its turn when
        `settings.follows` actions are followed already. Never raises a `GatewayError`: its end says why.

        It goes on from the cursor that is kept, where an earlier run stopped; `from_start` tells it all.
        """
        ids.action(action_id)
        if action_id in self._followed:
            return Ended(End.REFUSED, "it is followed already")
        self._followed.add(action_id)
        try:
            async with self._turns:
                action = self.actions.setdefault(action_id, Action(action_id))
                follow = Follow(self._http, self._ledger, self.settings, self._world, action, hear)
                return await follow.run(from_start=from_start)
        finally:
            self._followed.discard(action_id)

    async def status(self, action_id: str) -> ActionStatus:
        """One authoritative read; it is in `actions` afterwards too."""
        status = await self._reading.status(ids.action(action_id))
        action = self.actions.setdefault(action_id, Action(action_id))
        action.read(status, self._world.clock())
        keep(self._ledger, action)
        return status

    async def result(self, action_id: str) -> ActionResult | None:
        """The result, or None while there is none."""
        result = await self._reading.result(ids.action(action_id))
        if result is not None:
            action = self.actions.setdefault(action_id, Action(action_id))
            action.resulted(result, self._world.clock())
            keep(self._ledger, action)
        return result

    async def events(
        self, action_id: str = "", *, cursor: str | None = None, limit: int = 100
    ) -> Page[Event | StreamChunk]:
        """A page of the log, of one action or of all that we may see; a follow has its own cursor."""
        page = await self._reading.events(ids.action(action_id) if action_id else "", cursor, limit)
        return Page((*page.events, *page.chunks), page.cursor)

    async def list_actions(
        self, selectors: Selectors | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[ActionStatus]:
        """A page of actions."""
        return await self._reading.actions(selectors or Selectors(), cursor, limit)

    # stopping

    async def cancel(self, action_id: str, reason: str = "") -> Action:
        """Ask for it once. `action.cancel` says how far it went: recorded, refused, unanswered.

        A lost answer is `UNANSWERED`, and the state decides; raises `Refused` (it is `REFUSED` then),
        `Unreachable`.
        """
        action = self.actions.setdefault(ids.action(action_id), Action(action_id))
        action.cancelling(Cancel.ASKED, self._world.clock())
        try:
            await self._http.ask("cancel", action_id, body={"reason": reason} if reason else {})
        except Refused:
            action.cancelling(Cancel.REFUSED, self._world.clock())
            raise
        except (Lost, Unreadable):
            action.cancelling(Cancel.UNANSWERED, self._world.clock())
        else:
            action.cancelling(Cancel.RECORDED, self._world.clock())
        return action

    # sessions

    async def open_session(self) -> SessionView:
        """Shake hands with the profiles of the settings; its token goes to the secret store.

        Raises `NotAllowed` without profiles, `Refused`.
        """
        return await self._sessions.open()

    async def sessions(self, *, cursor: str | None = None, limit: int = 50) -> Page[SessionView]:
        """A page of our sessions."""
        return await self._reading.sessions(cursor, limit)

    async def session(self, session_id: str) -> SessionView:
        """One, as it is now."""
        return await self._reading.session(ids.session(session_id))

    def resumable(self, session_id: str) -> bool:
        """Whether a token is kept for it; nothing is asked."""
        return self._sessions.resumable(session_id)

    async def resume_session(self, session_id: str) -> tuple[SessionView | None, list[Event]]:
        """Its view, if the gateway told it, and all that happened since, page by page, with the token
        replaced on the way. One at a time across processes. Raises `CannotResume`: its text is for the user.
        """
        return await self._sessions.resume(session_id)

    async def close_session(self, session_id: str, reason: str = "") -> SessionView | None:
        """Close it and destroy its token; its view, if the gateway told it. Raises `Refused`: the graph of
        a session does not allow it from everywhere.
        """
        return await self._sessions.close(session_id, reason)

    # approvals

    async def approvals(self) -> list[Approval]:
        """Those this identity may see; empty where the gateway has no such list."""
        return await self._reading.approvals()

    async def decide(self, approval: Approval, decision: Decision, reason: str = "") -> None:
        """Answer one, once. Raises `NotAllowed` unless `settings.approvals`; its message is observed, not
        specified. `Lost`: nobody knows whether it was decided.
        """
        if not self.settings.approvals:
            raise NotAllowed("approvals are not decided here: the settings do not allow it")
        if decision not in (Decision.APPROVED, Decision.DENIED):
            raise NotAllowed("an approval can be approved or denied")
        body = {"approval_id": approval.id, "decision": decision.value, "reason": reason or None}
        stamp = codec.Stamp(ids.new(ids.ENVELOPE), self._world.stamp())
        message = codec.message("approval", self.settings.messages)
        given = {key: value for key, value in body.items() if value is not None}
        await self._http.ask("messages", body=codec.envelope(message, given, stamp, self.settings.wrapping))


def folder_of(settings: GatewaySettings) -> Path:
    """Where everything of this gateway and this principal is kept."""
    who = replace(settings, url=settings.url.rstrip("/"))
    principal = "\n".join((who.url, who.prefix, who.tenant, who.token_env, who.token_file))
    return paths.state_dir() / "aip" / hashlib.blake2b(principal.encode(), digest_size=10).hexdigest()


def _restored(entry: Entry) -> Action:
    """What the disk knows of an action of an earlier run."""
    ended = ChunkKind(entry.ended) if entry.ended in list(ChunkKind) else None
    action = Action(
        entry.action_id,
        entry.call.capability_id if entry.call else "",
        chunks=Chunks(entry.sequence, ended),
    )
    if entry.call is not None and entry.outcome is None:
        action.lost("an earlier run ended before it came")
    elif entry.outcome is Outcome.KNOWN:
        action.presence = Presence.KNOWN
    return action
