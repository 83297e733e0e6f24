"""Change one setting in the file, and nothing else of it: comments, order and spelling stay.

Invariants: the file is replaced as a whole, for its owner only; one that is a link stays a link. What is
written was read back first and says just what it should, so that no file is ever damaged by us.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping
from typing import Any

from acp_tui.base import atomic
from acp_tui.base.config.reading import Config, load, parse

HEAD = "# Settings of acp-tui. `acp-tui config show` lists all of them.\n"


class NotWritten(Exception):
    """The file is as it was; the text says why."""


def put(config: Config, path: tuple[str, ...], value: Any) -> Config:
    """Let the file say `value` at `path`; None takes it out. Returns the new reading. Raises `NotWritten`.

    The file is read again first, for it may have been changed since.
    """
    now = load(config.path)
    if now.problems and not now.data:
        raise NotWritten(now.problems[0].brief)
    text = _changed(now, path, value)
    made = parse(config.path, text.encode())
    wanted = copy.deepcopy(dict(now.data))
    _set(wanted, path, value)
    if _filled(made.data) != _filled(wanted):
        raise NotWritten(f"this cannot be changed from here; edit {'.'.join(path)} in the file")
    try:
        atomic.write(config.path.resolve(), text.encode())
    except OSError as error:
        raise NotWritten(error.strerror or str(error)) from None
    return made


def _filled(value: Any) -> Any:
    """Without empty tables: whether one that was emptied stays is a matter of how it was written."""
    if not isinstance(value, Mapping):
        return value
    inner = {name: _filled(one) for name, one in value.items()}
    return {name: one for name, one in inner.items() if one != {}}


def _changed(now: Config, path: tuple[str, ...], value: Any) -> str:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(now.text or HEAD)
        _set(document, path, value)
        return tomlkit.dumps(document)
    except (TOMLKitError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
        raise NotWritten(f"this cannot be changed from here; edit {'.'.join(path)} in the file") from None


def _set(table: Any, path: tuple[str, ...], value: Any) -> None:
    """In nested tables, which are made where they are missing; an emptied one stays."""
    name, *rest = path
    if not rest:
        if value is not None:
            table[name] = value
        elif name in table:
            del table[name]
        return
    if not isinstance(table.get(name), MutableMapping):
        if value is None:
            return
        table[name] = {}
    _set(table[name], tuple(rest), value)


def key_path(config: Config, id: str) -> tuple[str, ...]:
    """Where the file says, or is to say, which keys do something: `keys.chat.plan` is as good as
    `keys."chat.plan"`.
    """
    keys = config.data.get("keys")
    found: Any = keys
    for name in (names := tuple(id.split("."))):
        found = found.get(name) if isinstance(found, MutableMapping) else None
    quoted = isinstance(keys, MutableMapping) and id in keys
    return ("keys", *names) if found is not None and not quoted else ("keys", id)
