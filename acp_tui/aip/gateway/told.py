"""What following an action tells whoever listens: facts, in the order they were learnt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from acp_tui.aip.core.chunks import Verdict
from acp_tui.aip.core.vocabulary import ActionResult, ActionStatus, Event, StreamChunk

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChunkHeard:
    """A chunk and its place in the stream; only what `verdict.applies` is to be appended."""

    chunk: StreamChunk
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Truncated:
    """A frame of so many bytes was too long to read, or a page or a result was longer than so many."""

    bytes: int


@dataclass(frozen=True, slots=True)
class EventHeard:
    """An entry of the gateway's log, each id once."""

    event: Event


@dataclass(frozen=True, slots=True)
class StateRead:
    """The lifecycle view was read, at that time."""

    status: ActionStatus
    at: float


@dataclass(frozen=True, slots=True)
class ResultRead:
    """A result was read; it may be a pause."""

    result: ActionResult
    at: float


@dataclass(frozen=True, slots=True)
class Polling:
    """The stream cannot be followed, for that reason; from now on the gateway is asked at intervals."""

    why: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """A read failed and is tried again after so many seconds. This is a fault that is being retried."""

    why: str
    retry_in: float


class End(StrEnum):
    """Why following ended."""

    SETTLED = "settled"
    """A result that settles was read."""
    TERMINAL = "terminal"
    """The state is terminal, and there is no result to be had."""
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    HIDDEN = "hidden"
    """Not visible to this identity."""
    REFUSED = "refused"
    """The gateway refused the read otherwise; `why` is its word."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Following is over; nothing is told after it."""

    end: End
    why: str = ""


Told: TypeAlias = ChunkHeard | Truncated | EventHeard | StateRead | ResultRead | Polling | Trouble | Ended
Hear: TypeAlias = Callable[[Told], None]
"""Called by the follow loop between two reads; must not block and must not raise."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Part of a list. `cursor` asks for the next part; None: this was the last."""

    items: tuple[T, ...]
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Selectors:
    """Which actions a list is to have; empty: all that we may see."""

    state: str = ""
    capability_id: str = ""
    session_id: str = ""
    principal_id: str = ""
    approval_id: str = ""
    transaction_id: str = ""
