"""Tool calls: upserts, content chunks, and what becomes of open calls when their turn ends or is cancelled.

No local state machine: the status is what the agent said last, in whatever direction it moved (TC-19). What
we make of it for display (`cancel_overlay`, `no_final`, `late`) stands beside it and never in its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from sys import intern
from typing import Any

from acp_tui.base.shelf import Shelf
from acp_tui.protocol.absent import Absent
from acp_tui.protocol.tool_call import Terminal as TerminalContent
from acp_tui.protocol.tool_call import ToolCallContentChunk, ToolCallLocation, ToolCallUpdate
from acp_tui.protocol.updates import BackgroundToolCall
from acp_tui.store.entities import NoFinal, Terminal, ToolCall
from acp_tui.store.holding import hold_item, hold_place, hold_value, holds, loaded, reference
from acp_tui.store.keys import OURS, Key, Kind
from acp_tui.store.reducers.change import LONGEST_NAME, changed, controllable, patch_meta, place
from acp_tui.store.session import Session
from acp_tui.store.store import Store


def tool_call(store: Store, session: Session, update: ToolCallUpdate, at: float) -> None:
    """A tool call begins or is patched (TC-01 to TC-08); also the subject of a permission (EN-08)."""
    call, new = _find(store, session, update.tool_call_id, at)
    was_final = call.final
    told = _patch_fields(call, update, store.shelf)
    told |= _patch_content(store, session, call, update.content, at)
    told |= _patch_status(session, call, update.status, at)
    told |= _revive(call)
    if told or new:
        call.late = call.late or was_final
        _shown(store, session, call, at)


def tool_call_chunk(store: Store, session: Session, update: ToolCallContentChunk, at: float) -> None:
    """One more item of content (TC-06); without a status it leaves a cancel overlay alone (CX-04)."""
    call, _ = _find(store, session, update.tool_call_id, at)
    call.content.append(hold_item(update.content, store.shelf))
    _refer(store, session, call, (), [update.content], at)
    call.late = call.late or call.final
    _revive(call)
    _shown(store, session, call, at)


def overlay_cancelled(store: Store, session: Session, at: float) -> None:
    """We ask to cancel the work: its open calls show cancelled at once (CX-02), listed ones not (CX-07), nor
    those whose command runs here: of that we know better.
    """
    listed = listed_calls(session)
    for key in session.open_calls:
        call = session.entities[key]
        if not isinstance(call, ToolCall) or key.id in listed or runs_here(session, call):
            continue
        if not call.cancel_overlay:
            call.cancel_overlay = True
            changed(store, call, at)


def mark_unreported(store: Store, session: Session, at: float) -> None:
    """The work is over and the agent says what still runs: other open calls got no final status (BG-05)."""
    if session.background is None:
        return
    listed = listed_calls(session)
    for key in session.open_calls:
        call = session.entities[key]
        if not isinstance(call, ToolCall) or call.cancel_overlay or runs_here(session, call):
            continue
        over: NoFinal = "rejected" if call.rejected else "turn ended"
        verdict: NoFinal = "" if key.id in listed else over
        if call.no_final != verdict:
            call.no_final = verdict
            changed(store, call, at)


def runs_here(session: Session, call: ToolCall) -> bool:
    """It shows a command that we run for the agent, and that has not ended: no cancel and no end of a turn
    stops it, only the agent does, or the end of the session (V1-56, V1-58).
    """
    named = (_named(session, item) for item in call.content)
    shown = (session.entities.get(key) for key in named if key is not None and key.id.startswith(OURS))
    return any(isinstance(one, Terminal) and not one.exited and not one.no_final for one in shown)


def listed_calls(session: Session) -> set[str]:
    """Tool calls that the latest report of background work names (BG-01)."""
    return {item.tool_call_id for item in session.background or () if isinstance(item, BackgroundToolCall)}


def _find(store: Store, session: Session, tool_call_id: str, at: float) -> tuple[ToolCall, bool]:
    key = Key(session.ref, Kind.TOOL_CALL, tool_call_id)
    found = session.entities.get(key)
    if isinstance(found, ToolCall):
        return found, False
    call = ToolCall(shelf=store.shelf, key=key, created_at=at)
    place(store, session, call, at)
    session.open_calls[key] = None
    return call, True


def _patch_fields(call: ToolCall, update: ToolCallUpdate, shelf: Shelf) -> bool:
    told = _patch_locations(call, update.locations)
    for name, default in (("title", None), ("name", None), ("kind", "other")):
        value = getattr(update, name)
        if isinstance(value, Absent):
            continue
        value = default if value is None else value
        if value != getattr(call, name):
            setattr(call, name, intern(value) if value and name == "kind" else value)
            told = True
    told |= _patch_raw(call, "raw_input", update.raw_input, shelf)
    told |= _patch_raw(call, "raw_output", update.raw_output, shelf)
    cancellable = controllable(update.capabilities, call.cancellable)
    told |= cancellable != call.cancellable
    call.cancellable = cancellable
    return patch_meta(call, update.meta) or told


def _patch_locations(call: ToolCall, new: list[ToolCallLocation] | Absent | None) -> bool:
    if isinstance(new, Absent) or list(map(loaded, call.locations)) == (new or []):
        return False
    call.locations = [*map(hold_place, new or ())]
    return True


def _patch_raw(call: ToolCall, name: str, value: Any, shelf: Shelf) -> bool:
    if isinstance(value, Absent) or holds(getattr(call, name), value):
        return False
    setattr(call, name, hold_value(value, shelf))
    return True


def _patch_content(store: Store, session: Session, call: ToolCall, content: Any, at: float) -> bool:
    """Replaced whole (UP-12); items that stay in front are kept, so that only what follows them is new."""
    if isinstance(content, Absent):
        return False
    new = content or []
    kept = len(call.content)
    if len(new) < kept or not all(map(holds, call.content, new)):
        _refer(store, session, call, call.content, new, at)
        call.content, kept = [], 0
        call.content_generation += 1
    elif len(new) == kept:
        return False
    else:
        _refer(store, session, call, (), new[kept:], at)
    held = tuple(hold_item(item, store.shelf) for item in new[kept:])
    call.content = [*call.content, *held]  # a list without room to grow
    return True


def _refer(
    store: Store, session: Session, call: ToolCall, old: Iterable[Any], new: Iterable[Any], at: float
) -> None:
    """Keep track of who names a terminal or a subagent: it is shown once, in the last call that does."""
    before, after = ({key for item in items if (key := _named(session, item))} for items in (old, new))
    for key in before ^ after:
        calls = session.shown_in.setdefault(key, [])
        if key in before:
            calls.remove(call.key)
        elif call.key in calls:
            continue
        else:
            calls.append(call.key)
        if (entity := session.entities.get(key)) is not None:
            changed(store, entity, at)


def _named(session: Session, item: Any) -> Key | None:
    named = reference(item)
    if named is None:
        return None
    if isinstance(named, TerminalContent):
        key = Key(session.ref, Kind.TERMINAL, named.terminal_id)
    else:
        key = Key(session.ref, Kind.SUBAGENT, named.session_id)
    return key if len(key.id) <= LONGEST_NAME else None


def _patch_status(session: Session, call: ToolCall, status: str | Absent | None, at: float) -> bool:
    """A reported status lifts the overlay (CX-04); a final one settles `tool_call/cancel` (TC-13)."""
    if isinstance(status, Absent):
        return False
    status = intern(status or "pending")
    told = status != call.status or call.cancel_overlay
    was_final = call.final
    call.status, call.cancel_overlay = status, False
    if status != "pending" and call.started_at is None and not session.replaying:
        call.started_at = at
    if call.final:
        if call.cancel is not None:
            call.cancel.settle(at, confirmed=status == "cancelled")
        call.ended_at = call.ended_at if was_final else at
        session.open_calls.pop(call.key, None)
    else:
        call.ended_at = None
        session.open_calls[call.key] = None
    return told


def _revive(call: ToolCall) -> bool:
    """The agent speaks of the call again after we had given it up: it is not over, and late."""
    if not call.no_final:
        return False
    call.no_final, call.late = "", True
    return True


def _shown(store: Store, session: Session, call: ToolCall, at: float) -> None:
    session.had_output = True
    changed(store, call, at)
