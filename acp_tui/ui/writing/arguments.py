"""What an agent says may follow one of its commands, in `_meta` of the command's input. Pure.

    "_meta": {"acp-tui/arguments": {"required": true, "values": [
        {"value": "deploy", "description": "Put it out", "then": {"values": [
            {"value": "{\\"host\\": \\"\\"}", "cursor": 10, "description": "host: string"}]}}]}}

A value is one word, and what may follow it is in `then`. One with a `cursor` is a draft: it may have blanks,
is offered only where nothing is written yet, and the cursor goes so many characters into it. Without
`required` what is written can be sent as it is, so nothing is marked before the user chooses.

Invariants: what is offered is what would be sent, so a value that is not clean is left out; what has another
shape is left out; no agent can offer more than `MOST`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from acp_tui.protocol.session import AvailableCommand, TextCommandInput
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import clean, one_line
from acp_tui.services.likely import UNLIKELY, rank

KEY: Final = "acp-tui/arguments"
MOST: Final = 500
"""Values of one command."""
DEEPEST: Final = 4
"""Arguments of one command, one behind the other."""
LONGEST: Final = 200
"""Characters of a word."""
DRAFT: Final = 4_000
"""Characters of a draft."""
ABOUT: Final = 200
"""Cells of a description."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One that can be chosen; all clean."""

    value: str
    description: str = ""
    cursor: int | None = None
    """Of a draft: where the user goes on writing in it."""
    then: Arguments | None = None


@dataclass(frozen=True, slots=True)
class Arguments:
    """What may stand in one place."""

    values: tuple[Argument, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """The argument that is being written: where it stands in the text, and what fits it."""

    start: int
    end: int
    written: str
    """Its letters before the cursor."""
    fitting: tuple[Argument, ...]
    chosen: bool
    """The first is meant unless the user marks another; else nothing is, until he marks one."""


class Known:
    """Of all commands of a session; each is read when it is asked for."""

    def __init__(self, commands: Iterable[AvailableCommand | Unknown] = ()) -> None:
        self._raw = dict(_said(commands))
        self._read: dict[str, Arguments] = {}

    def of(self, name: str) -> Arguments:
        """What may follow this command."""
        if name not in self._read:
            self._read[name] = read(self._raw.get(name))
        return self._read[name]

    def place(self, text: str, cursor: int) -> Place | None:
        """Where the cursor is, if that is an argument for which something is known."""
        if not self._raw or not text.startswith("/"):
            return None
        known, end = Arguments(), 0
        while cursor >= end:
            start = end + _blanks(text, end)
            if start > cursor or (start == end and end):
                return None
            end = start + _letters(text, start)
            if start and not known.values:
                return None
            if start and cursor <= end:
                return _placed(known, text, start, end, cursor)
            known = _after(known, text[start:end]) if start else self.of(text[1:end])
        return None


def _placed(known: Arguments, text: str, start: int, end: int, cursor: int) -> Place | None:
    written = text[start:cursor]
    found = _fitting(known, written, alone=not text[start:].strip())
    chosen = known.required or bool(written)
    return Place(start, end, written, found, chosen) if found else None


def _fitting(known: Arguments, written: str, *, alone: bool) -> tuple[Argument, ...]:
    """The likely ones first; nothing where one is written whole that nothing follows."""
    wanted = written.casefold()
    ranked: list[tuple[int, Argument]] = []
    for one in known.values:
        if one.value == written:
            ranked.append((-1, one))
        elif one.cursor is not None:
            ranked += [(0, one)] if alone else []
        elif (how := rank(wanted, one.value.casefold())) < UNLIKELY or _told(wanted, one):
            ranked.append((how, one))
    found = tuple(one for _, one in sorted(ranked, key=lambda pair: pair[0]))
    whole = found and found[0].value == written and found[0].then is None
    return () if whole else found


def _told(wanted: str, one: Argument) -> bool:
    """A word of what is said of it begins so."""
    return any(word.startswith(wanted) for word in one.description.casefold().split())


def _after(known: Arguments, word: str) -> Arguments:
    return next((one.then for one in known.values if one.value == word and one.then), Arguments())


def _blanks(text: str, at: int) -> int:
    return len(text[at:]) - len(text[at:].lstrip())


def _letters(text: str, at: int) -> int:
    return len(text[at:].split(maxsplit=1)[0]) if text[at : at + 1].strip() else 0


# Reading what the agent says


def _said(commands: Iterable[AvailableCommand | Unknown]) -> Iterable[tuple[str, Any]]:
    for command in commands:
        given = None if isinstance(command, Unknown) else command.input
        meta = given.meta or {} if isinstance(given, TextCommandInput) else {}
        if not isinstance(command, Unknown) and KEY in meta:
            yield one_line(command.name), meta[KEY]


def read(value: Any) -> Arguments:
    """The arguments that are meant; none where the shape is another."""
    return _Reader().arguments(value, DEEPEST)


class _Reader:
    def __init__(self) -> None:
        self._left = MOST

    def arguments(self, value: Any, depth: int) -> Arguments:
        values = value.get("values") if isinstance(value, dict) and depth else None
        if not isinstance(values, list):
            return Arguments()
        found: dict[str, Argument] = {}
        for each in values:
            if self._left and (one := self._argument(each, depth)) is not None:
                found.setdefault(one.value, one)
        return Arguments(tuple(found.values()), value.get("required") is True)

    def _argument(self, value: Any, depth: int) -> Argument | None:
        if not isinstance(value, dict):
            return None
        words, about, cursor = value.get("value"), value.get("description", ""), value.get("cursor")
        if not isinstance(words, str) or not isinstance(about, str) or not _sound(words, cursor):
            return None
        self._left -= 1
        then = self.arguments(value.get("then"), depth - 1) if cursor is None else Arguments()
        return Argument(words, one_line(about, ABOUT), cursor, then if then.values else None)


def _sound(words: str, cursor: object) -> bool:
    if not words.strip() or clean(words) != words:
        return False
    if cursor is None:
        return len(words) <= LONGEST and not any(map(str.isspace, words))
    return type(cursor) is int and 0 <= cursor <= len(words) <= DRAFT
