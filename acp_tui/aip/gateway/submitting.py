"""Submitting an action: its intent first, its bytes then, and its outcome, or that nobody knows it.

Invariants: one `POST` per call of `send`; a lost answer leads to one read and never to a second `POST`; only
what the gateway itself said counts as refused, a bare status of something on the way does not.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from acp_tui.aip.core import codec, ids
from acp_tui.aip.core.lifecycle import Action, Presence
from acp_tui.aip.core.vocabulary import Ack, ActionResult, Call, Capability, Execution, Idempotency, Json
from acp_tui.aip.core.words import Mode
from acp_tui.aip.gateway.errors import Lost, NotAllowed, Refused, Unreachable, Unreadable
from acp_tui.aip.gateway.http import Http
from acp_tui.aip.gateway.world import World
from acp_tui.aip.kept.ledger import Ledger, Outcome
from acp_tui.base import atomic
from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.protocol.unknown import Invalid

_SAFE: Final = frozenset({"required", "optional", "supported", "recommended"})
"""What a contract may say of a key so that the same submission may come twice (observed, not specified)."""
_NONE: Final = frozenset({"forbidden", "prohibited", "unsupported", "not_supported", "none"})

_OUTCOMES: Final = {
    Presence.KNOWN: Outcome.KNOWN,
    Presence.REFUSED: Outcome.REFUSED,
    Presence.UNSENT: Outcome.UNSENT,
}


def _execution(capability: Capability | None) -> Execution:
    contract = capability.contract if capability else None
    return (contract.execution if contract else None) or Execution()


def _idempotency(capability: Capability | None) -> Idempotency:
    contract = capability.contract if capability else None
    return (contract.idempotency if contract else None) or Idempotency()


def mode_for(asked: Mode | None, usual: Mode, capability: Capability | None) -> Mode:
    """The mode that the contract admits. Raises `NotAllowed` when one was asked for that it does not."""
    execution = _execution(capability)
    admits = {
        Mode.ASYNC: execution.supports_async,
        Mode.STREAMING: execution.supports_streaming,
        Mode.SYNC: execution.supports_sync,
    }
    if asked is not None:
        if admits[asked] is False:
            raise NotAllowed(f"the contract of this capability does not admit the mode {asked}")
        return asked
    return next((mode for mode in (usual, *admits) if admits[mode] is not False), usual)


def key_for(settings: GatewaySettings, capability: Capability | None) -> str | None:
    """A new idempotency key, where the settings and the contract want one."""
    requirement = (_idempotency(capability).requirement or "").lower()
    if settings.idempotency == "off" and requirement != "required":
        return None
    if settings.idempotency == "contract" and requirement in _NONE:
        return None
    return ids.new(ids.IDEMPOTENCY)


def why_not_again(call: Call | None, presence: Presence, capability: Capability | None) -> str | None:
    """None: the same may be sent once more. Else why not, for the user."""
    if call is None or presence is not Presence.UNCERTAIN:
        return "only a submission whose outcome is unknown can be sent again"
    if call.idempotency_key is None:
        return "it was sent without an idempotency key: sent again it could be done twice"
    if capability is None or capability.id != call.capability_id:
        return f"the contract of {call.capability_id} is not known: sent again it could be done twice"
    requirement = (_idempotency(capability).requirement or "").lower()
    if requirement not in _SAFE:
        return f"the contract of {call.capability_id} promises nothing for the same key twice"
    if _execution(capability).supports_retry is False:
        return f"the contract of {call.capability_id} does not admit a retry"
    return None


class Submitting:
    """Sends calls and keeps what became of them."""

    def __init__(self, http: Http, ledger: Ledger, settings: GatewaySettings, world: World) -> None:
        self._http = http
        self._ledger = ledger
        self._settings = settings
        self._world = world

    async def send(self, call: Call, action: Action) -> bool:
        """Once. False: the answer was lost, and a read is due. Raises `Refused`, `Unreachable`, and
        `NotAllowed` when the intent could not be kept, and so nothing was sent.
        """
        try:
            self._ledger.intend(call)
        except OSError as error:
            action.failed(Presence.UNSENT)
            raise NotAllowed(f"it was not sent, because it cannot be kept: {atomic.why(error)}") from None
        try:
            answer = codec.submitted(await self._http.ask("submit", body=self._envelope(call)))
        except Refused as refused:
            if not refused.spoken and refused.status >= 500:
                action.lost(str(refused))
                return False
            self._over(action, Presence.REFUSED)
            raise
        except Unreachable:
            self._over(action, Presence.UNSENT)
            raise
        except (Lost, Unreadable) as error:
            action.lost(str(error))
            return False
        except Invalid:
            action.lost("the gateway answered with something else than an acknowledgement or a result")
            return False
        except BaseException:
            action.lost()
            raise
        self._answered(action, answer)
        return True

    def _envelope(self, call: Call) -> Json:
        stamp = codec.Stamp(ids.new(ids.ENVELOPE), self._world.stamp())
        return codec.envelope(
            codec.message("action", self._settings.messages),
            codec.action(call),
            stamp,
            self._settings.wrapping,
            session_id=call.session_id,
            idempotency_key=call.idempotency_key,
            correlation_id=ids.new(ids.CORRELATION),
        )

    def _over(self, action: Action, presence: Presence) -> None:
        """It failed for certain; an earlier attempt may have arrived all the same."""
        action.failed(presence)
        keep(self._ledger, action)

    def _answered(self, action: Action, answer: Ack | ActionResult) -> None:
        if isinstance(answer, Ack):
            action.acked(answer, self._world.clock())
        else:
            action.resulted(answer, self._world.clock())
        keep(self._ledger, action)


def keep(ledger: Ledger, action: Action) -> None:
    """What is known of an action now, for the disk; what cannot be kept is uncertain to the next run."""
    outcome = Outcome.SETTLED if action.settled else _OUTCOMES.get(action.presence)
    if outcome is not None:
        with suppress(OSError):
            ledger.outcome(action.id, outcome)
