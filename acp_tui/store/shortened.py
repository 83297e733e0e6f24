"""What is left of a value whose content is gone: the same kind of thing, with words for what was long in it.

Invariant: whoever can read the value can read what is left of it: every field is there and of its type.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from itertools import islice
from typing import Any, Final

from acp_tui.protocol.model import Base

SHORT, FEW, DEEP = 200, 10, 4
"""Characters of a string, items of a list or object, and levels of raw JSON that stay."""
LONG: Final = " " * (SHORT + 1)
"""Stands for what was long, until it is known what to say of it."""


def shortened(value: Any, said: str, depth: int = 0) -> Any:
    """The value with `said` in place of each long string, and only the first of many items."""
    if isinstance(value, str):
        return value if len(value) <= SHORT else said
    if isinstance(value, dict):
        kept = islice(value.items(), FEW if depth < DEEP else 0)
        return {shortened(key, said): shortened(item, said, depth + 1) for key, item in kept}
    if isinstance(value, list | tuple):
        kept_items = value[: FEW if depth < DEEP else 0]
        return type(value)([shortened(item, said, depth + 1) for item in kept_items])
    if isinstance(value, Base):
        return _model(value, said)
    if is_dataclass(value) and not isinstance(value, type):
        kept_fields = {one.name: shortened(getattr(value, one.name), said) for one in fields(value)}
        return replace(value, **kept_fields)
    return value


def _model(value: Base, said: str) -> Base:
    made = {name: (item, shortened(item, said)) for name, item in value.__dict__.items()}
    short = value.model_copy(update={name: new for name, (old, new) in made.items() if new is not old})
    object.__setattr__(short, "__pydantic_extra__", shortened(value.__pydantic_extra__ or {}, said))
    return short
