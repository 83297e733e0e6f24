"""What is known, as it may be given away: the entities again, with every text in them cleaned and without
secrets.

Invariants: the store is never changed; ids by which things find each other stay; base64 stays; a secret that
came in several chunks is one text here, and what a terminal wrote is what was left on its screen, without
colours, so that nothing hides between escape sequences.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from itertools import groupby
from typing import Any, Final

from acp_tui.base import redact
from acp_tui.journal.shared import washed
from acp_tui.protocol.content import (
    AudioContent,
    BlobResourceContents,
    ContentBlock,
    ImageContent,
    TextContent,
)
from acp_tui.protocol.model import Base
from acp_tui.protocol.tool_call import SessionLink, Terminal
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import clean, pasteable
from acp_tui.render.screen import Screen
from acp_tui.render.view import Lookup
from acp_tui.store.entities import Entity
from acp_tui.store.entities import Terminal as TerminalEntity
from acp_tui.store.growing import Blocks
from acp_tui.store.holding import Handle, Place, Plain, loaded
from acp_tui.store.keys import Key
from acp_tui.store.output import Output
from acp_tui.store.session import Info, Session

KEPT = 32
"""Washed entities that are remembered: those that the one at work names."""
NEVER_DROPPED: Final = 10**9
_IDS: Final = frozenset(
    {
        *("key", "child", "sender_session_id", "recipient_session_id", "sender_message_id"),
        *("recipient_message_id", "message_id", "request_id", "idempotency_key"),
    }
)
_BINARY = (ImageContent, AudioContent, BlobResourceContents)
_MOVES = re.compile(r"\x08|\r(?!\n)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-ln-~]|\x1b[^\[]")
"""What moves or erases: all but colours."""


class Washed(Lookup):
    """A store, washed when it is looked at."""

    def __init__(self, store: Lookup) -> None:
        self._store = store
        self._sessions = {ref: _session(one) for ref, one in store.sessions.items()}
        self._kept: OrderedDict[tuple[Key, int], Entity] = OrderedDict()

    @property
    def sessions(self) -> Mapping[str, Session]:
        return self._sessions

    @property
    def requests(self) -> Sequence[Key]:
        return ()

    def entity(self, key: Key) -> Entity | None:
        found = self._store.entity(key)
        if found is None:
            return None
        name = (key, found.revision)
        made = self._kept.get(name)
        if made is None:
            made = self._kept[name] = _entity(found)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made


def _session(session: Session) -> Session:
    made = copy(session)
    info = session.info
    made.info = Info(info.title and washed(info.title), info.updated_at, _value(info.meta))
    made.cwd = washed(session.cwd)
    return made


def _entity(entity: Entity) -> Entity:
    made = {one.name: _field(entity, one.name) for one in fields(entity) if one.name != "shelf"}
    return type(entity)(**made)


def _field(entity: Entity, name: str) -> Any:
    value = getattr(entity, name)
    if isinstance(value, Output):
        assert isinstance(entity, TerminalEntity)
        return _output(entity)
    return value if name in _IDS else _value(value)


def _value(value: Any) -> Any:
    """Any part of an entity."""
    value = loaded(value) if isinstance(value, Handle | Plain | Place) else value
    if isinstance(value, str):
        return washed(value)
    if isinstance(value, Blocks):
        return _blocks(value)
    if isinstance(value, dict):
        return {washed(str(key)): _member(str(key), one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)([_value(one) for one in value])
    if isinstance(value, Base):
        return _model(value)
    if isinstance(value, Unknown):
        return Unknown(washed(value.type), _value(value.raw))
    if is_dataclass(value) and not isinstance(value, type):
        return copy(value)  # a wish to stop something: no words of anybody
    return value


def _member(name: str, value: Any) -> Any:
    if isinstance(value, str) and value and redact.secret_name(name):
        return redact.MASK
    return _value(value)


def _model(value: Base) -> Base:
    if isinstance(value, Terminal | SessionLink):
        return value
    held = {"data", "blob"} if isinstance(value, _BINARY) else set()
    made = {n: pasteable(one) if n in held else _value(one) for n, one in value.__dict__.items()}
    copied = value.model_copy(update={n: one for n, one in made.items() if one is not value.__dict__[n]})
    if value.__pydantic_extra__:
        object.__setattr__(copied, "__pydantic_extra__", _value(value.__pydantic_extra__))
    return copied


def _blocks(blocks: Blocks) -> Blocks:
    made = Blocks()
    for plain, group in groupby(blocks.since(0), lambda item: isinstance(item, str)):
        items: list[Any] = list(group)
        if plain:
            items = [TextContent(type="text", text="".join(items))]
        for item in items:
            block: ContentBlock | Unknown = _value(item)
            made.append(block)
    return made


def _output(terminal: TerminalEntity) -> Output:
    made = Output()
    text = terminal.output.text()
    if _MOVES.search(text):
        text = _played(text, terminal)
    made.append(redact.shared(clean(text)).encode())
    made.cut = terminal.output.cut
    return made


def _played(text: str, terminal: TerminalEntity) -> str:
    """What is left on a screen."""
    size = terminal.size
    screen = Screen(size.cols if size else None, size.rows if size else None, NEVER_DROPPED)
    screen.feed(text)
    rows = [*screen.finished[:], *screen.live]
    return "\n".join(row if isinstance(row, str) else "".join(text for text, _ in row) for row in rows)
