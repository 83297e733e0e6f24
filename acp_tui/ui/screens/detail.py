"""`o`: everything we hold about one entity, as JSON, with nothing hidden in it (SF-04, S18)."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import one_line, visible
from acp_tui.store.entities import AgentRequest, Entity, Turn
from acp_tui.store.growing import Blocks, Handle, Output
from acp_tui.store.store import Store
from acp_tui.ui.screens.page import Line, Page


class DetailScreen(Page):
    """One entity, whole."""

    def __init__(self, entity: Entity, store: Store) -> None:
        super().__init__()
        self.entity = entity
        self.store = store

    def heading(self) -> str:
        key = self.entity.key
        title = getattr(self.entity, "title", None) or getattr(self._params(), "title", None) or ""
        return one_line(f"{key.kind.replace('_', ' ')} {key.id} {title}", 200)

    def _params(self) -> Any:
        return self.entity.params if isinstance(self.entity, AgentRequest) else None

    def lines(self) -> Iterable[Line]:
        if isinstance(self.entity, Turn) and self.entity.stop_reason == "disconnected":
            yield from last_words(self.store)
        for text in as_json(self.entity).split("\n"):
            yield "", visible(text)


def last_words(store: Store) -> Iterable[Line]:
    """The tail of stderr of the agent that runs now or ran last."""
    tail = store.connection.stderr_tail
    if tail:
        yield "head", "The agent's last words on stderr"
        for text in tail:
            yield "", f"  {visible(text)}"
        yield "", ""


def as_json(entity: Entity) -> str:
    """Readable JSON; strings stay in their own script."""
    plain = _plain(entity)
    common = {f.name for f in dataclasses.fields(Entity)}
    ordered = {name: plain[name] for name in sorted(plain, key=lambda name: name in common)}
    return json.dumps(ordered, indent=2, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    match value:
        case BaseModel():
            return _plain(value.model_dump(by_alias=True, exclude_unset=True, mode="python"))
        case Unknown():
            return value.raw
        case Blocks():
            return [_plain(block) for block in value]
        case Output():
            return {"bytes": value.size, "text": "".join(value.pieces)}
        case Handle():
            return {"kind": value.kind, "size": value.size, "mimeType": value.mime_type}
        case dict():
            return {str(name): _plain(item) for name, item in value.items() if item is not ABSENT}
        case list() | tuple():
            return [_plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    return value
