"""A session fed with raw updates, and what can be seen of it as plain JSON-like values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from acp_tui.base.shelf import MEMORY, Shelf
from acp_tui.protocol.model import Base, encode
from acp_tui.protocol.unknown import Invalid, Unknown
from acp_tui.protocol.updates import decode_update
from acp_tui.store.entities import Entity
from acp_tui.store.growing import Blocks
from acp_tui.store.holding import Handle, Place, Plain, loaded
from acp_tui.store.keys import Key, Kind
from acp_tui.store.output import Output
from acp_tui.store.reduce import reduce
from acp_tui.store.session import Session
from acp_tui.store.store import Store

_BOOKKEEPING = frozenset({"key", "created_at", "updated_at", "revision", "turn", "shelf"})


class Fed:
    """One session in a store of its own; `dirty` has the keys that the last update changed."""

    def __init__(self, shelf: Shelf = MEMORY, **session: Any) -> None:
        self.store = Store(shelf)
        facts = {"cwd": "/w", "session_id": "agent-1", "phase": "open", **session}
        self.session = self.store.add(Session(ref=self.store.new_ref(), **facts))
        self.dirty: frozenset[Key] = frozenset()
        self.dropped = 0
        self.at = 100.0
        self.store.watch(self._note, sessions=[self.session.ref])
        self.store.flush()

    def _note(self, keys: frozenset[Key]) -> None:
        self.dirty = keys

    def __call__(self, kind: str, /, **update: Any) -> Fed:
        """Feed one update; fields are named as on the wire."""
        return self.feed({"sessionUpdate": kind, **update})

    def feed(self, raw: Mapping[str, Any], into: Session | None = None) -> Fed:
        """Feed one raw update, to this session or to a child of it."""
        self.at += 1.0
        try:
            reduce(self.store, into or self.session, decode_update(dict(raw)), self.at)
        except Invalid:
            self.dropped += 1
        return self.flush()

    def flush(self) -> Fed:
        self.dirty = frozenset()
        self.store.flush()
        return self

    def key(self, kind: Kind, id_: str = "") -> Key:
        return Key(self.session.ref, kind, id_)

    def __getitem__(self, name: tuple[Kind, str]) -> Any:
        """An entity, as any type: the tests look at fields of its subclass."""
        return self.session.entities[self.key(*name)]

    @property
    def timeline(self) -> list[tuple[str, str]]:
        return [(str(key.kind), key.id) for key in self.session.timeline]


def plain(value: Any) -> Any:
    """Any value of the store as JSON, content behind handles included."""
    if isinstance(value, Handle | Plain | Place):
        return plain(loaded(value))
    if isinstance(value, Blocks):
        return [encode(block) for block in value]
    if isinstance(value, Output):
        return {"data": value.data(), "text": value.text(), "cut": value.cut}
    if isinstance(value, Base | Unknown):
        return encode(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value) if field.repr}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def visible(entity: Entity) -> dict[str, Any]:
    """All that may be drawn of an entity."""
    names = (field.name for field in fields(entity))
    return {name: plain(getattr(entity, name)) for name in names if name not in _BOOKKEEPING}
