"""What every part of the reducer does alike: finding, placing, marking and patching entities.

Invariants: an entity's place in the timeline is that of its first mention and never changes (EN-04); a
revision grows, and a key gets dirty, exactly when something changed that can be seen.
"""

from __future__ import annotations

from typing import Any

from acp_tui.protocol.absent import Absent
from acp_tui.protocol.unknown import Invalid
from acp_tui.store.entities import Compaction, Entity, Message, Meta
from acp_tui.store.holding import same
from acp_tui.store.keys import TIMELINE_KINDS, Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store

LONGEST_NAME = 64 * 1024
"""Characters of an id: it is kept, compared and sent again and again, and cannot be put aside."""
PLACED = TIMELINE_KINDS | {Kind.TURN, Kind.SUBAGENT}


def changed(store: Store, entity: Entity, at: float) -> None:
    """Something about the entity can be seen to have changed."""
    entity.revision += 1
    entity.updated_at = at
    store.touch(entity.key)


def place(store: Store, session: Session, entity: Entity, at: float) -> None:
    """Know a new entity; a timeline member has its place at the end of the timeline, for good (EN-04).

    Raises `Invalid` for a name that is too long to be one.
    """
    check_name(entity.key.id)
    entity.turn = session.completions
    session.entities[entity.key] = entity
    store.touch(entity.key)
    if entity.key.kind in PLACED:
        close_last(store, session, at)
        session.timeline.append(entity.key)
        store.touch(Key(session.ref, Kind.TIMELINE))


def check_name(name: str) -> None:
    """Raises `Invalid` for an id that is none."""
    if len(name) > LONGEST_NAME:
        raise Invalid(f"an id of {len(name)} characters")


def close_last(store: Store, session: Session, at: float) -> None:
    """The last message of the timeline is not presumed to grow any more (MS-05)."""
    last = session.entities[session.timeline[-1]] if session.timeline else None
    if isinstance(last, Message | Compaction):
        (last.content if isinstance(last, Message) else last.summary).pack()
    if isinstance(last, Message) and last.closed_at is None:
        last.closed_at = at
        changed(store, last, at)


def patched_meta(old: Meta | None, patch: Meta | Absent | None) -> Meta | None:
    """Metadata after a patch, one level deep (UP-09); the old object itself if nothing changed."""
    if patch is None or isinstance(patch, Absent):
        return None if patch is None else old
    new = {**(old or {}), **patch}
    new = {key: value for key, value in new.items() if value is not None}
    return old if same(old or {}, new) else new


def patch_meta(entity: Entity, patch: Meta | Absent | None) -> bool:
    """Patch an entity's metadata. False if nothing changed."""
    old = entity.meta
    new = patched_meta(old, patch)
    if new is old:
        return False
    entity.meta = new
    return True


def controllable(capabilities: Any, cancellable: bool) -> bool:
    """Whether it can be cancelled after this patch of its `capabilities`, replaced whole (TC-11)."""
    if isinstance(capabilities, Absent):
        return cancellable
    return capabilities is not None and capabilities.cancel is not None


def touch_session(store: Store, session: Session) -> None:
    """One of the single facts about the session has changed."""
    store.touch(Key(session.ref, Kind.SESSION))
