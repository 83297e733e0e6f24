"""From what TOML said to settings: each value checked by pydantic on its own, so that one mistake costs one
value.

Invariants: never raises; every mistake is one `Mistake` with its path; a wrong value is its default. An
agent, a server or a rule with a wrong value is left out whole, for half of it might do something else; a
rule also when a word in it is unknown, for a restriction may be meant.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import InstanceOf, StrictBool, StrictStr, TypeAdapter, ValidationError

from acp_tui.base.config.model import (
    Choices,
    Keys,
    Rule,
    Settings,
    Slot,
    Variables,
    Words,
    slots,
)
from acp_tui.base.config.places import Path
from acp_tui.base.config.template import Template
from acp_tui.base.redact import secret_name

LONGEST = 40
"""Characters of a wrong value that are repeated."""


class Mistake(NamedTuple):
    """Where, and what is wrong."""

    path: Path
    reason: str


def check(data: Mapping[str, Any]) -> tuple[Settings, list[Mistake]]:
    """The settings a parsed file means, and everything that is wrong with it."""
    checker = _Checker()
    settings, _ = checker.section(Settings, data, ())
    checker.servers_exist(settings)
    return settings, checker.mistakes


class _Checker:
    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []

    def wrong(self, path: Path, reason: str) -> None:
        self.mistakes.append(Mistake(path, reason))

    def section(self, kind: type, data: Mapping[str, Any], path: Path) -> tuple[Any, bool]:
        """An instance, and whether all that was given is right (unknown keys aside)."""
        known = {slot.name: slot for slot in slots(kind)}
        given: dict[str, Any] = {}
        right = True
        for name, value in data.items():
            if name not in known:
                self.wrong((*path, name), unknown(name, known))
                right = right and kind is not Rule
                continue
            found, fine = self._slot(known[name], value, (*path, name))
            right = right and fine
            if found is not MISSING:
                given[name] = found
        return self._made(kind, given, path, right)

    def _made(self, kind: type, given: dict[str, Any], path: Path, right: bool) -> tuple[Any, bool]:
        missing = [s for s in slots(kind) if s.default is MISSING and s.name not in given]
        for slot in missing if right else ():
            self.wrong(path, f"{slot.name} is missing: {slot.allowed}")
        if missing or not right:
            return (MISSING, False) if hasattr(kind, "mistake") else (kind(**given), right)
        made = kind(**given)
        mistake = made.mistake() if hasattr(made, "mistake") else None
        if mistake is None:
            return made, True
        self.wrong((*path, mistake[0]) if mistake[0] else path, mistake[1])
        return MISSING, False

    def _slot(self, slot: Slot, value: Any, path: Path) -> tuple[Any, bool]:
        if slot.section is not None:
            if isinstance(value, Mapping):
                found, _ = self.section(slot.section, value, path)
                return found, True
            self.wrong(path, f"it must be a table, such as [{'.'.join(map(str, path))}]")
            return MISSING, True
        if slot.members is not None:
            return self._members(slot, slot.members, value, path), True
        if slot.hint == Keys and isinstance(value, Mapping):
            return self._keys(value, path), True
        try:
            return _leaf(slot, value), True
        except _Refused as refused:
            self.wrong((*path, *refused.inner), refused.reason)
            return MISSING, False

    def _members(self, slot: Slot, kind: type, value: Any, path: Path) -> Any:
        """Those that are right."""
        named = slot.default == {}
        if not isinstance(value, Mapping if named else list):
            self.wrong(
                path, f"it must be {'tables' if named else 'a list of tables'}: {_header(path, named)}"
            )
            return MISSING
        made = {}
        members = value.items() if isinstance(value, Mapping) else enumerate(value)
        for name, one in members:
            if not isinstance(one, Mapping):
                self.wrong((*path, name), f"it must be a table: {_header(path, named)}")
                continue
            found, _ = self.section(kind, one, (*path, name))
            if found is not MISSING:
                made[name] = found
        return MappingProxyType(made) if named else tuple(made.values())

    def _keys(self, value: Mapping[str, Any], path: Path) -> Keys:
        """A key may stand alone or in a list; nothing means that it has none."""
        made: dict[str, Words] = {}
        for inner, keys in flat(value):
            listed = [keys] if isinstance(keys, str) else keys
            if isinstance(listed, list) and all(isinstance(key, str) for key in listed):
                made[".".join(map(str, inner))] = () if listed == [""] else tuple(listed)
            else:
                allowed = '"key", ["key", "other key"] or "" for none'
                reason = f"{_repeated(keys)} cannot stand here; allowed: {allowed}"
                self.wrong((*path, *inner), reason)
        return MappingProxyType(made)

    def servers_exist(self, settings: Settings) -> None:
        """A server an agent is to get and that nobody described is told; the others it gets."""
        for name, agent in settings.agents.items():
            for index, server in enumerate(agent.mcp):
                if server != "*" and server not in settings.mcp:
                    reason = f"there is no [mcp.{server[:LONGEST]}]{_nearest(server, settings.mcp)}"
                    self.wrong(("agents", name, "mcp", index), reason)


def _header(path: Path, named: bool) -> str:
    name = ".".join(map(str, path))
    return f"[{name}.NAME]" if named else f"[[{name}]]"


def unknown(name: str, known: Mapping[str, Any]) -> str:
    """What to say of a name nobody knows."""
    return f"there is no such setting{_nearest(name, known)}"


def _nearest(name: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(name[:200], known, 1)
    if close:
        return f"; did you mean {close[0]}?"
    return f"; there are {', '.join(list(known)[:12])}" if known else ""


class _Refused(Exception):
    def __init__(self, reason: str, inner: Path = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.inner = inner


def _leaf(slot: Slot, value: Any) -> Any:
    before, secret = _BEFORE.get(slot.hint, (None, False))
    try:
        ready = value if before is None else before(value)
        return _adapter(slot.hint).validate_python(ready, strict=before is None)
    except ValidationError as error:
        inner = tuple(error.errors(include_url=False, include_context=False)[0]["loc"])
        path, found = _reached(value, inner)
        said = "this" if secret else _repeated(found)
        raise _Refused(f"{said} cannot stand here; allowed: {slot.allowed}", path) from None


def _repeated(value: Any) -> str:
    """A wrong value as the file may have it, short and harmless to show."""
    if isinstance(value, str):
        text = repr(value)[1:-1]
        return f'"{text}"' if len(text) <= LONGEST else f'"{text[: LONGEST - 1]}…"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)[:LONGEST]
    return (
        "a table" if isinstance(value, Mapping) else "a list" if isinstance(value, list) else "a date or time"
    )


def _reached(value: Any, inner: Path) -> tuple[Path, Any]:
    """As much of a path as leads to something in the file, and that."""
    kept: Path = ()
    for step in inner:
        try:
            value = value[step]
        except (LookupError, TypeError):
            break
        kept = (*kept, step)
    return kept, value


@cache
def _adapter(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(_CHECKED.get(hint, hint))


def _words(value: Any) -> Any:
    """One text is a command line, read as a shell would."""
    if not isinstance(value, str):
        return value
    try:
        return shlex.split(value)
    except ValueError as error:
        raise _Refused(f"this does not read as a command: {error}") from None


def _variables(value: Any) -> Any:
    """Names are short for values from the environment."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        value = {name: f"${{{name}}}" for name in value}
    if not isinstance(value, dict):
        return value
    return {name: _template(name, text) if isinstance(text, str) else text for name, text in value.items()}


def _template(name: str, text: str) -> Template:
    try:
        made = Template(text)
    except ValueError as error:
        raise _Refused(str(error), (name,)) from None
    if secret_name(name) and text and not made.names:
        reason = 'a secret has no place in a file: write "${NAME}", and export NAME where you start acp-tui'
        raise _Refused(reason, (name,))
    return made


def flat(table: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Dotted names come as tables in tables: what stands in them, and how one gets there."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, (*path, name))
        else:
            yield (*path, name), value


def _as_it_is(value: Any) -> Any:
    return value


_BEFORE: Mapping[Any, tuple[Callable[[Any], Any], bool]] = {
    Words: (_words, False),
    Variables: (_variables, True),
    Choices: (_as_it_is, False),
}
_CHECKED: Mapping[Any, Any] = {
    Words: tuple[StrictStr, ...],
    Choices: dict[str, StrictBool | StrictStr],
    Variables: dict[str, InstanceOf[Template]],
}
