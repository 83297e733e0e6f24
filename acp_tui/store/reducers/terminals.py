"""Terminals of the agent: exact bytes, and facts about a process that is not ours (TM-01 to TM-20)."""

from __future__ import annotations

from binascii import a2b_base64

from acp_tui.protocol.absent import Absent
from acp_tui.protocol.slim import slim
from acp_tui.protocol.terminal import TerminalOutput, TerminalOutputChunk, TerminalUpdate
from acp_tui.protocol.unknown import Invalid
from acp_tui.store.entities import Terminal
from acp_tui.store.keys import Key, Kind
from acp_tui.store.output import Output
from acp_tui.store.reducers.change import changed, controllable, patch_meta, place
from acp_tui.store.session import Session
from acp_tui.store.store import Store


def terminal(store: Store, session: Session, update: TerminalUpdate, at: float) -> None:
    """Fields are patched, each on its own (TM-03); output that is not base64 is left out (TM-08)."""
    entity, new = _find(store, session, update.terminal_id, at)
    was_exited = entity.exited
    told = _patch_fields(entity, update)
    told |= _patch_output(entity, update.output)
    told |= _patch_exit(entity, update, at)
    if told or new or entity.no_final:
        _shown(store, session, entity, was_exited, at)


def terminal_chunk(store: Store, session: Session, update: TerminalOutputChunk, at: float) -> None:
    """More bytes, decoded by themselves (TM-05), also after the exit (TM-18). Raises `Invalid` (TM-08)."""
    data = _decoded(update.data)
    entity, new = _find(store, session, update.terminal_id, at)
    if entity.output.append(data) or new or entity.no_final:
        _shown(store, session, entity, entity.exited, at)


def _find(store: Store, session: Session, terminal_id: str, at: float) -> tuple[Terminal, bool]:
    key = Key(session.ref, Kind.TERMINAL, terminal_id)
    found = session.entities.get(key)
    if isinstance(found, Terminal):
        return found, False
    entity = Terminal(shelf=store.shelf, key=key, created_at=at, output=Output(store.shelf))
    place(store, session, entity, at)
    return entity, True


def _decoded(data: str) -> bytes:
    try:
        return a2b_base64(data, strict_mode=True)
    except ValueError as error:
        raise Invalid("terminal output is not base64") from error


def _patch_fields(entity: Terminal, update: TerminalUpdate) -> bool:
    told = False
    for name in ("command", "cwd", "size"):
        value = getattr(update, name)
        if not isinstance(value, Absent) and value != getattr(entity, name):
            setattr(entity, name, slim(value))
            told = True
    cancellable = controllable(update.capabilities, entity.cancellable)
    told |= cancellable != entity.cancellable
    entity.cancellable = cancellable
    return patch_meta(entity, update.meta) or told


def _patch_output(entity: Terminal, output: TerminalOutput | Absent | None) -> bool:
    if isinstance(output, Absent):
        return False
    try:
        return entity.output.replace(b"" if output is None else _decoded(output.data))
    except Invalid:
        return False


def _patch_exit(entity: Terminal, update: TerminalUpdate, at: float) -> bool:
    """An exit status, even an empty one, says that it exited; null takes it back (TM-09)."""
    status = update.exit_status
    if isinstance(status, Absent) or status == entity.exit_status:
        return False
    if status is None:
        entity.exited_at = None
    elif not entity.exited:
        entity.exited_at = at
        if entity.cancel is not None:
            entity.cancel.settle(at, confirmed=entity.cancel.accepted)
    entity.exit_status = slim(status)
    return True


def _shown(store: Store, session: Session, entity: Terminal, was_exited: bool, at: float) -> None:
    entity.late = entity.late or was_exited or bool(entity.no_final)
    entity.no_final = ""
    if entity.exited:
        entity.output.rest()
    session.had_output = True
    changed(store, entity, at)
