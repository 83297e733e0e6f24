"""How a headless run ended: its exit status, and in words why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from acp_tui.render.clean import one_line
from acp_tui.render.words import stop_reason
from acp_tui.store.entities import ToolCall, Turn


class Status(IntEnum):
    """Exit statuses. README and `acp-tui run --help` list them."""

    DONE = 0
    BROKEN = 1
    """A mistake of acp-tui."""
    MISTAKE = 2
    """The command line."""
    NO_AGENT = 3
    """It could not be started, or never got ready."""
    LOST = 4
    """It died, or closed the connection, before it had finished."""
    LOGIN = 5
    """It wants a login first."""
    REFUSED = 6
    """It did not take the session or the prompt."""
    ERROR = 7
    """Its work ended with an error."""
    REFUSAL = 8
    MAX_TOKENS = 9
    MAX_REQUESTS = 10
    OTHER = 11
    """It stopped for a reason that is not known here."""
    UNASKED = 12
    """Something was rejected because nobody could be asked."""
    TIMEOUT = 124
    CANCELLED = 130
    BROKEN_PIPE = 141
    """Nobody reads what is written."""


_BY_REASON = {
    "end_turn": Status.DONE,
    None: Status.DONE,
    "refusal": Status.REFUSAL,
    "max_tokens": Status.MAX_TOKENS,
    "max_turn_requests": Status.MAX_REQUESTS,
    "cancelled": Status.CANCELLED,
    "error": Status.ERROR,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end."""

    status: int
    words: str = ""
    """One line for stderr; empty where there is nothing to say."""
    stop_reason: str | None = None
    """As the agent gave it."""


def of_turn(turn: Turn, *, unasked: int) -> Outcome:
    """What the end of the work means; `unasked`: how much was rejected because nobody could be asked."""
    reason = turn.stop_reason
    status = _BY_REASON.get(reason, Status.OTHER)
    if unasked and status in (Status.DONE, Status.CANCELLED):
        return Outcome(Status.UNASKED, "", reason)
    if status is Status.DONE:
        return Outcome(status, "", reason)
    said = f": {turn.error.message}" if turn.error is not None else ""
    return Outcome(status, f"{stop_reason(reason)}{said}", reason)


def of_call(call: ToolCall, outcome: Outcome) -> Outcome:
    """Where a tool call stands for the answer of work that ended well, its end counts."""
    status = {"failed": Status.ERROR, "cancelled": Status.CANCELLED}.get(call.status)
    if status is None or outcome.status is not Status.DONE:
        return outcome
    return Outcome(
        status, f"{call.status}: {one_line(call.title or call.name or call.kind, 200)}", outcome.stop_reason
    )
