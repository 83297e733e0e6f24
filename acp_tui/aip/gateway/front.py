"""The one door to a gateway: everything the bridge asks for, each with what is kept on disk before and after.

Invariants: the intent of a submission is on disk before its bytes leave; nothing is ever sent twice by
itself, except reads; every wait has a limit; errors are those of `errors`, and no text of theirs has a token.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from acp_tui.aip.core.lifecycle import Action
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
from acp_tui.aip.core.words import Decision, Mode
from acp_tui.aip.gateway.told import Ended, Hear, Page, Selectors
from acp_tui.base.config.gateways import GatewaySettings


class Gateway:
    """`async with Gateway(settings) as gateway`. One event loop, any number of tasks."""

    def __init__(self, settings: GatewaySettings, *, name: str = "") -> None:
        """`name` tells apart what is kept on disk of several gateways; the address does when it is empty."""
        self.settings = settings
        self.actions: dict[str, Action] = {}
        """What is known, by action id; the uncertain ones of earlier runs too."""

    async def __aenter__(self) -> Self:
        """Reads what is kept. Raises `Misconfigured`; talks to nobody."""
        raise NotImplementedError

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes connections; what is followed must have been cancelled by its tasks."""

    async def health(self) -> Health:
        """Needs no token where that was observed."""
        raise NotImplementedError

    async def capabilities(self) -> list[Capability]:
        """All that are listed, from the list or the manifest; empty where the gateway lists none."""
        raise NotImplementedError

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
    ) -> Action:
        """Call a capability. The action it returns is acknowledged, has a result, or both (`acknowledged`,
        `result`), or is `UNCERTAIN` when the answer was lost and a read did not find it.

        Raises `Refused` (it was not taken; 409 is an identity conflict), `Unreachable` (nothing left).
        """
        raise NotImplementedError

    async def look_again(self, action_id: str) -> Action:
        """Read the state of an uncertain action by its id: visible adopts it, else it stays uncertain."""
        raise NotImplementedError

    def may_send_again(self, action_id: str, capability: Capability | None) -> str | None:
        """None: it may, same id, same key. Else why not, for the user."""
        raise NotImplementedError

    async def send_again(self, action_id: str, capability: Capability | None) -> Action:
        """The same submission once more, on the user's choice. Raises `NotAllowed`, and as `submit`."""
        raise NotImplementedError

    def uncertain(self) -> list[Call]:
        """Submissions without an outcome, oldest first, those of earlier runs too."""
        raise NotImplementedError

    def give_up(self, action_id: str) -> None:
        """The user does not want to hear of an uncertain one any more. Nothing is sent."""
        raise NotImplementedError

    # reading

    async def follow(self, action_id: str, hear: Hear) -> Ended:
        """Tell everything about an action until it is over; cancel the task to stop. Waits for its turn when
        `settings.follows` actions are followed already. Never raises a `GatewayError`: its end says why.
        """
        raise NotImplementedError

    async def status(self, action_id: str) -> ActionStatus:
        """One authoritative read; it is in `actions` afterwards too."""
        raise NotImplementedError

    async def result(self, action_id: str) -> ActionResult | None:
        """The result, or None while there is none."""
        raise NotImplementedError

    async def events(
        self, action_id: str = "", *, cursor: str | None = None, limit: int = 100
    ) -> Page[Event | StreamChunk]:
        """A page of the log, of one action or of all that we may see; a follow has its own cursor."""
        raise NotImplementedError

    async def list_actions(
        self, selectors: Selectors | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[ActionStatus]:
        """A page of actions."""
        raise NotImplementedError

    # stopping

    async def cancel(self, action_id: str, reason: str = "") -> Action:
        """Ask for it once. `action.cancel` says how far it went: recorded, refused, unanswered."""
        raise NotImplementedError

    # sessions

    async def open_session(self) -> SessionView:
        """Shake hands with the profiles of the settings; its token goes to the secret store.

        Raises `NotAllowed` without profiles, `Refused`.
        """
        raise NotImplementedError

    async def sessions(self, *, cursor: str | None = None, limit: int = 50) -> Page[SessionView]:
        """A page of our sessions."""
        raise NotImplementedError

    async def session(self, session_id: str) -> SessionView:
        """One, as it is now."""
        raise NotImplementedError

    def resumable(self, session_id: str) -> bool:
        """Whether a token is kept for it; nothing is asked."""
        raise NotImplementedError

    async def resume_session(self, session_id: str) -> tuple[SessionView, list[Event]]:
        """Its view and all that happened since, page by page, with the token replaced on the way. One at a
        time across processes. Raises `CannotResume`, whose text is for the user.
        """
        raise NotImplementedError

    async def close_session(self, session_id: str, reason: str = "") -> SessionView | None:
        """Close it and destroy its token. Raises `NotAllowed` where the graph forbids it, `Refused`."""
        raise NotImplementedError

    # approvals

    async def approvals(self) -> list[Approval]:
        """Those this identity may see; empty where the gateway has no such list."""
        raise NotImplementedError

    async def decide(self, approval: Approval, decision: Decision, reason: str = "") -> None:
        """Answer one, once. Raises `NotAllowed` unless `settings.approvals`; its message is observed, not
        specified.
        """
        raise NotImplementedError
