"""The user's changes to the key table: which of them can be, and why the others cannot.

Pure. Invariants: whatever is asked for, every action can be reached: by a key of its own or through the
palette, which keeps one; a change that cannot be leaves the action its own keys. A change is refused where
its key does something else in a place where both are heard, or would be typed instead.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from acp_tui.ui.keys.deeds import Deed, Place
from acp_tui.ui.keys.names import SIGNS, label
from acp_tui.ui.keys.table import BOUND, PALETTE, TABLE

_CHAT: frozenset[Place] = frozenset({"chat", "composer", "recall", "outbox", "panel", "transcript", "search"})
_TYPING: frozenset[Place] = frozenset({"everywhere", "chat", "composer", "recall", "search"})
"""Where a letter is text."""
_LISTS: frozenset[Place] = frozenset(
    {"launcher", "background", "login", "conversations", "inbox", "new", "settings"}
)
"""Where there is a list: its keys are heard first."""
_MODIFIERS = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_WORDS = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "cmd": "super",
    "control": "ctrl",
    "option": "alt",
    "spc": "space",
}
_NAMED = frozenset(
    ["escape", "enter", "tab", "space", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown"]
) | {"up", "down", "left", "right", *(f"f{number}" for number in range(1, 25))}
_SAME = {"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+left_square_bracket": "escape", "ctrl+space": "ctrl+at"}
"""Keys that most terminals cannot tell apart."""


class NoKey(ValueError):
    """There is no such key; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that cannot be."""

    id: str
    reason: str


def key_named(text: str) -> str:
    """The name of a key as Textual has it, from how people write it (`Ctrl+T`, `/`). Raises `NoKey`."""
    *modifiers, last = _split(text.strip())
    named = [_WORDS.get(one.lower(), one.lower()) for one in modifiers]
    if any(one not in _MODIFIERS for one in named):
        raise NoKey(f'"{text}" is no key: before the + stand ctrl, alt, shift or super')
    key = _base(last, text)
    if len(key) == 1 and "shift" in named and not {"ctrl", "alt", "super"} & {*named}:
        named.remove("shift")
        key = key.upper()
    elif len(key) == 1 and named:
        key = key.lower()
    whole = "+".join([*(one for one in _MODIFIERS if one in named), key])
    return _SAME.get(whole, whole)


def _split(text: str) -> list[str]:
    """At the signs +, of which the last may be the key itself."""
    if text == "+" or text.endswith("++"):
        return [*filter(None, text[:-1].split("+")), "+"]
    return text.split("+")


def _base(last: str, text: str) -> str:
    lower = _WORDS.get(last.lower(), last.lower())
    if lower in _NAMED or lower in SIGNS.values():
        return lower
    if len(last) == 1 and last.isprintable() and not last.isspace():
        return SIGNS.get(last, last)
    close = difflib.get_close_matches(lower[:30], [*_NAMED], 1)
    hint = f"did you mean {close[0]}?" if close else "such as f6, ctrl+t, alt+enter, pageup, x or /"
    raise NoKey(f'"{text[:40]}" is no key; {hint}')


def changes(wanted: Mapping[str, Sequence[str]]) -> tuple[dict[str, str], list[Refused]]:
    """What can be of the changes (binding id → keys, with commas), and what cannot."""
    made: dict[str, tuple[str, ...]] = {}
    refused: list[Refused] = []
    for id, words in wanted.items():
        if id not in BOUND:
            refused.append(Refused(id, _unknown(id)))
            continue
        try:
            keys = tuple(dict.fromkeys(key_named(word) for word in words))
        except NoKey as error:
            refused.append(Refused(id, str(error)))
            continue
        if reason := _typed(BOUND[id][0], keys) or _needed(id, keys):
            refused.append(Refused(id, reason))
        else:
            made[id] = keys
    refused += _without_conflicts(made)
    return {id: ",".join(keys) for id, keys in made.items()}, refused


def _unknown(id: str) -> str:
    close = difflib.get_close_matches(id[:60], BOUND, 1)
    hint = f"did you mean {close[0]}?" if close else "`acp-tui config show` has the names of all"
    return f"there is no such action; {hint}"


def _typed(deed: Deed, keys: Sequence[str]) -> str:
    """Why a key would be text rather than an action."""
    for key in keys:
        text = (
            key not in deed.keys
            and "+" not in key
            and (len(key) == 1 or key in SIGNS.values() or key in ("space", "backspace"))
        )
        if text and deed.where in _TYPING:
            return f"{label(key)} is needed for writing; take one with ctrl or alt, or a key such as f6"
    return ""


def _needed(id: str, keys: Sequence[str]) -> str:
    """Why it cannot be without a key."""
    return "it must have a key: it leads to all that has none" if id == PALETTE and not keys else ""


def _without_conflicts(made: dict[str, tuple[str, ...]]) -> Iterator[Refused]:
    """Take out what conflicts, the later first, until nothing does; what is out has its own keys again."""
    while True:
        for id in reversed(made):
            other = next(((key, o) for key in made[id] if (o := conflict(id, key, made))), None)
            if other is not None:
                break
        else:
            return
        del made[id]
        key, deed = other
        yield Refused(id, f"{label(key)} is taken by {deed.id}: {deed.what}")


def conflict(id: str, key: str, made: Mapping[str, Sequence[str]]) -> Deed | None:
    """What else this key does where this action is heard; the table's own overlaps are meant."""
    mine, own = BOUND[id]
    if key in own:
        return _taken(id, key, made, [mine.where])
    return _taken(id, key, made, [*_places(mine)])


def _taken(id: str, key: str, made: Mapping[str, Sequence[str]], places: Sequence[Place]) -> Deed | None:
    for other, (deed, own) in BOUND.items():
        heard = deed.where in places or deed.where == "everywhere"
        if other != id and heard and key in made.get(other, own):
            return deed
    return None


def _places(deed: Deed) -> frozenset[Place]:
    """Where a key of this deed is heard too, or would hide another."""
    if deed.where == "everywhere":
        return frozenset(one.where for one in TABLE)
    if deed.priority or deed.where == "chat":
        return _CHAT
    if deed.where == "list":
        return _LISTS | {"list"}
    if deed.where in _LISTS:
        return frozenset({deed.where, "list"})
    return frozenset({deed.where, *(("chat",) if deed.where in _CHAT else ())})
