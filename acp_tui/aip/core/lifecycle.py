"""What is known of one action: three facts side by side, each with its time, never merged.

*Acknowledged* is what a submission was answered, *state* is the last lifecycle view and its age, *settled* is
a result that settles. None overwrites another: `done` in a stream, a terminal state and a result may come in
any order or contradict each other, and all are shown. Cancelling has words of its own: *asked*, *recorded*,
*finished anyway*; it never says that anything was undone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from acp_tui.aip.core.chunks import Chunks
from acp_tui.aip.core.vocabulary import Ack, ActionResult, ActionStatus
from acp_tui.aip.core.words import SETTLING, TERMINAL, AckStatus, ResultStatus, State

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen(Generic[T]):
    """A fact and when it was read (seconds since 1970)."""

    fact: T
    at: float

    def age(self, now: float) -> float:
        """Seconds; never negative, whatever the clock did."""
        return max(0.0, now - self.at)


class Cancel(StrEnum):
    """How far a cancel went."""

    ASKED = "asked"
    UNANSWERED = "unanswered"
    """The answer was lost; the state decides."""
    RECORDED = "recorded"
    REFUSED = "refused"
    FINISHED_ANYWAY = "finished anyway"


class Presence(StrEnum):
    """Whether the gateway has the action, as far as we know."""

    INTENDED = "intended"
    """Nothing was answered yet."""
    UNCERTAIN = "uncertain"
    """The answer was lost, and no read has found the action: neither sent nor not sent."""
    UNSENT = "unsent"
    """No connection came about: nothing left this machine."""
    KNOWN = "known"
    """The gateway has named it."""
    REFUSED = "refused"
    """The gateway refused it before anything was processed."""


@dataclass(slots=True)
class Action:
    """Everything known of one action. Changed only by its methods."""

    id: str
    capability_id: str = ""
    presence: Presence = Presence.INTENDED
    acknowledged: Seen[Ack] | None = None
    state: Seen[ActionStatus] | None = None
    result: Seen[ActionResult] | None = None
    """The last result read: it may be a pause."""
    cancel: Seen[Cancel] | None = None
    chunks: Chunks = field(default_factory=Chunks)
    truncated: int = 0
    """Frames of its stream that were too long to read."""
    lost_by: str = ""
    """How the answer to its submission was lost, if that is known."""
    garbled: int = 0
    """Frames of its stream that could not be read otherwise."""

    @property
    def settled(self) -> ActionResult | None:
        """The result, if it settles the action."""
        result = self.result.fact if self.result else None
        return result if result is not None and result.status in SETTLING else None

    @property
    def terminal(self) -> bool:
        """Whether the last state read is one that nothing follows. Says nothing about a result."""
        return self.state is not None and self.state.fact.state in TERMINAL

    @property
    def hidden(self) -> bool:
        """The last read showed nothing to this identity; that is not: it does not exist."""
        return self.state is not None and self.state.fact.state is State.UNKNOWN

    def acked(self, ack: Ack, at: float) -> None:
        """A submission was answered with an acknowledgement; what was invisible before it says no more."""
        if self.hidden:
            self.state = None
        self.acknowledged = Seen(ack, at)
        refused = ack.status is AckStatus.REJECTED
        self.presence = Presence.REFUSED if refused else Presence.KNOWN

    def read(self, status: ActionStatus, at: float) -> None:
        """A lifecycle view was read. An invisible action stays uncertain; a visible one is adopted."""
        if self.presence is not Presence.KNOWN and status.state is not State.UNKNOWN:
            self.presence = Presence.KNOWN
        self.state = Seen(status, at)
        self.capability_id = self.capability_id or status.capability_id or ""
        if status.result is not None:
            self.resulted(status.result, at)
        self._judge_cancel(at)

    def resulted(self, result: ActionResult, at: float) -> None:
        """A result was read. A pause never replaces a result that settles."""
        if self.settled is None or result.status in SETTLING:
            self.result = Seen(result, at)
        self.presence = Presence.KNOWN
        self._judge_cancel(at)

    def lost(self, how: str = "") -> None:
        """The answer to the submission was lost after its bytes may have left."""
        self.lost_by = how
        if self.presence is Presence.INTENDED:
            self.presence = Presence.UNCERTAIN

    def failed(self, presence: Presence) -> None:
        """The submission failed so, for certain: refused, or never sent. What was uncertain stays it: an
        earlier attempt may have arrived.
        """
        if self.presence is Presence.INTENDED:
            self.presence = presence

    def cancelling(self, how: Cancel, at: float) -> None:
        """A cancel was asked for, or answered."""
        self.cancel = Seen(how, at)
        self._judge_cancel(at)

    def _judge_cancel(self, at: float) -> None:
        """What was read since decides how a cancel ended."""
        if self.cancel is None or self.cancel.fact in (Cancel.FINISHED_ANYWAY, Cancel.REFUSED):
            return
        ends: set[str] = {self.settled.status} if self.settled else set()
        ends |= {self.state.fact.state} if self.terminal and self.state else set()
        if ends & {ResultStatus.COMPLETED, ResultStatus.FAILED, State.COMPLETED, State.FAILED}:
            self.cancel = Seen(Cancel.FINISHED_ANYWAY, at)
        elif State.CANCELLED in ends and self.cancel.fact is not Cancel.RECORDED:
            self.cancel = Seen(Cancel.RECORDED, at)
