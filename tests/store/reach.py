"""What an object keeps in memory: everything that can be reached from it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from acp_tui.store.holding import BIG


def oversized(root: Any) -> list[str]:
    """The beginning of each string or bytes over `BIG`."""
    found = (each for each in reached(root) if isinstance(each, str | bytes | bytearray))
    return [repr(each[:40]) for each in found if len(each) > BIG]


def reached(root: Any) -> Iterator[Any]:
    """Every object, each once; of functions what they were made with, of classes and modules nothing."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        each = stack.pop()
        if id(each) in seen or isinstance(each, type | ModuleType):
            continue
        seen.add(id(each))
        yield each
        if isinstance(each, FunctionType):
            stack += [each.__closure__, each.__defaults__]
        else:
            stack += gc.get_referents(each)
