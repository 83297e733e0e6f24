"""One action as ACP and people see it: a status, words for a line, a list of facts, the exact values.

Invariants: three facts stand side by side and none stands for another; no status of our own is made up: what
ACP has no word for is in the words and in `_meta`; an acknowledgement is never *completed*, `done` ends a
stream and settles nothing, and `unknown` says what this identity can see, not what exists.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from acp_tui.aip.core.lifecycle import Action, Cancel, Presence
from acp_tui.aip.core.vocabulary import Ack, ActionResult, ProtocolError
from acp_tui.aip.core.words import AckStatus, State

Json: TypeAlias = dict[str, Any]

STATUS: Final = "acp-tui/status"
"""Key in `_meta`: words for the line, when they were last true, and whether nobody looks any more."""
EXACT: Final = "acp-tui/aip"
"""Key in `_meta`: what the gateway said, in its own values."""

OUTSIDE: Final = "effects outside the gateway may remain: a cancel undoes nothing"
HIDDEN: Final = "not visible to this identity"
UNKNOWN: Final = "outcome unknown"

_STATES: Final = {
    State.ACCEPTED: "pending",
    State.QUEUED: "pending",
    State.RUNNING: "in_progress",
    State.STREAMING: "in_progress",
}
_ENDS: Final = {
    State.COMPLETED: "completed",
    State.FAILED: "failed",
    State.CANCELLED: "cancelled",
    State.EXPIRED: "failed",
    State.DEAD_LETTERED: "failed",
}
_ACKS: Final = {
    AckStatus.ACCEPTED: "pending",
    AckStatus.QUEUED: "pending",
    AckStatus.STREAMING: "in_progress",
    AckStatus.REJECTED: "failed",
    AckStatus.CACHED: "pending",
}
_ABSENT: Final = {
    Presence.UNCERTAIN: "paused",
    Presence.REFUSED: "failed",
    Presence.UNSENT: "failed",
}
_CANCELS: Final = {
    Cancel.ASKED: "cancel asked",
    Cancel.UNANSWERED: "cancel unanswered",
    Cancel.RECORDED: "cancel recorded",
    Cancel.REFUSED: "cancel refused",
    Cancel.FINISHED_ANYWAY: "finished anyway",
}


def status(action: Action, now: str, *, began: bool, over: bool) -> str:
    """The status of its tool call, which is `now` so far. `over`: nothing more will be read of a terminal
    state, so it counts though no result came.
    """
    if action.settled is not None:
        return str(action.settled.status)
    if action.presence in _ABSENT:
        return _ABSENT[action.presence]
    state = action.state.fact.state if action.state else None
    if action.terminal:
        return _ENDS[State(str(state))] if over else now
    if state is State.PENDING_APPROVAL or (state in (None, State.UNKNOWN) and action.result is not None):
        return "paused" if began else "pending"
    if state is not None:
        return _STATES.get(state, now) if isinstance(state, State) else now
    ack = action.acknowledged.fact.status if action.acknowledged else None
    return _ACKS.get(ack, now) if isinstance(ack, AckStatus) else now


def words(action: Action) -> str:
    """For one line: the most settled fact first, since a narrow line is cut at its end."""
    said = [_CANCELS[action.cancel.fact]] if action.cancel else []
    if action.presence is Presence.UNCERTAIN:
        return ", ".join([UNKNOWN, *said])
    if action.presence is Presence.UNSENT:
        return "not sent"
    if action.result is not None:
        said.append(f"result {action.result.fact.status}")
    if action.hidden:
        said.append(HIDDEN)
    elif action.state is not None:
        said.append(f"state {action.state.fact.state}")
    if action.acknowledged is not None:
        said.append(f"ack {action.acknowledged.fact.status}")
    elif action.presence is Presence.REFUSED:
        said.append("refused")
    return ", ".join(said)


def seen(action: Action) -> float | None:
    """When the newest of its facts was read."""
    times = (one.at for one in (action.acknowledged, action.state, action.result) if one)
    return max((round(at, 3) for at in times), default=None)


def told(action: Action) -> list[str]:
    """The facts, one a line, as markdown."""
    return [f"- action: {action.id}", *(f"- {line}" for line in _lines(action))]


def _lines(action: Action) -> Iterator[str]:
    if action.presence is Presence.UNCERTAIN:
        how = f" ({action.lost_by})" if action.lost_by else ""
        looked = "a read by its id did not find it" if action.state else "no read by its id has come through"
        yield (
            f"{UNKNOWN}: the answer to the submission was lost{how}, and {looked}. "
            "It may have arrived or not; nothing is sent again by itself"
        )
    yield _acknowledged(action)
    yield _state(action)
    yield _settled(action)
    if action.chunks.ended is not None:
        yield f"stream: ended with `{action.chunks.ended}`, which is no result"
    if action.cancel is not None:
        yield f"cancel: {_cancel(action.cancel.fact)} {clock(action.cancel.at)}; {OUTSIDE}"
    yield from _more(action)


def _acknowledged(action: Action) -> str:
    if action.acknowledged is None:
        presence = action.presence
        said = {Presence.REFUSED: "refused with an error", Presence.UNSENT: "nothing was sent"}
        return f"acknowledged: {said.get(presence, 'no')}"
    ack = action.acknowledged.fact
    return f"acknowledged: {ack.status} {clock(action.acknowledged.at)}{_of_ack(ack)}"


def _of_ack(ack: Ack) -> str:
    match ack.status:
        case AckStatus.CACHED:
            said = ", an earlier result was chosen"
        case AckStatus.REJECTED:
            said = ", before anything was processed"
        case _:
            said = ""
    return f"{said}: {ack.reason}" if ack.reason else said


def _state(action: Action) -> str:
    if action.state is None:
        return "state: not read yet"
    if action.hidden:
        return f"state: unknown, {HIDDEN}, read {clock(action.state.at)}"
    return f"state: {action.state.fact.state}, read {clock(action.state.at)}"


def _settled(action: Action) -> str:
    if action.result is None:
        return "settled: no, and no result was read" if action.terminal else "settled: no"
    result, at = action.result.fact, clock(action.result.at)
    if action.settled is None:
        return f"settled: no, the result is a pause: {result.status} {at}"
    return f"settled: {result.status} {at}"


def _cancel(cancel: Cancel) -> str:
    said = {
        Cancel.RECORDED: "asked, recorded",
        Cancel.REFUSED: "asked, refused",
        Cancel.UNANSWERED: "asked, the answer was lost: the state decides",
        Cancel.FINISHED_ANYWAY: "asked, it finished anyway",
    }
    return said.get(cancel, "asked")


def _more(action: Action) -> Iterator[str]:
    if action.garbled:
        yield f"stream: frames that could not be read: {action.garbled}"
    view = action.state.fact if action.state else None
    result = action.result.fact if action.result else None
    if result is not None and result.usage:
        yield "usage: " + ", ".join(f"{name} {value}" for name, value in result.usage.items())
    if result is not None and result.receipt:
        yield f"receipt: `{result.receipt}`"
    if view is not None and view.transaction_id:
        yield f"transaction: `{view.transaction_id}` (shown, not produced)"


def failure(result: ActionResult | None) -> str:
    """Why it failed, in the gateway's words."""
    if result is None or str(result.status) != "failed":
        return ""
    return reason(result.error) if result.error is not None else "the gateway gave no reason"


def reason(error: ProtocolError) -> str:
    """`code: message`."""
    return f"{error.code}: {error.message}" if error.message else error.code


def exact(action: Action) -> Json:
    """The values of the gateway as they are, for programs; never a secret, for none is in them."""
    made: Json = {
        "actionId": action.id,
        "capabilityId": action.capability_id,
        "presence": str(action.presence),
    }
    if action.acknowledged is not None:
        made["acknowledged"] = {**action.acknowledged.fact.raw(), "at": action.acknowledged.at}
    if action.state is not None:
        view = action.state.fact.model_copy(update={"result": None, "chunks": []}).raw()
        kept = {name: value for name, value in view.items() if name not in ("result", "chunks")}
        made["state"] = {**kept, "at": action.state.at}
    if action.result is not None:
        result = action.result.fact.raw()
        kept = {name: value for name, value in result.items() if name not in ("output", "message")}
        made["result"] = {**kept, "at": action.result.at}
    if action.cancel is not None:
        made["cancel"] = {"status": str(action.cancel.fact), "at": action.cancel.at}
    return made


def meta(action: Action, line_words: str, *, rests: bool = False) -> Json:
    """`_meta` of its tool call. `rests`: nobody looks at it until somebody asks for that."""
    line: Json = {"words": line_words, "rests": True} if rests else {"words": line_words}
    at = seen(action)
    return {STATUS: line if at is None else {**line, "seen": at}, EXACT: exact(action)}


def clock(at: float) -> str:
    """Time of day, in the user's zone."""
    return time.strftime("%H:%M:%S", time.localtime(at))
