"""What readline does to letters and words at the cursor of a line: exchange them, or change their case.

Pure. Each returns what part of the line is replaced by what, with the cursor behind it; None: nothing is to
be done here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Rewritten:
    """From `start` to `end` this text instead."""

    start: int
    end: int
    text: str


def transposed_letters(line: str, at: int) -> Rewritten | None:
    """The letter before the cursor goes behind the one under it; at the end the last two change places."""
    at = min(at, len(line) - 1)
    return Rewritten(at - 1, at + 1, line[at] + line[at - 1]) if at > 0 else None


def transposed_words(line: str, at: int) -> Rewritten | None:
    """The word under the cursor, else the next, goes before the one before it; behind the last, the last."""
    words = list(_WORD.finditer(line))
    behind = next((number for number, word in enumerate(words) if word.end() > at), len(words) - 1)
    if behind < 1:
        return None
    first, second = words[behind - 1], words[behind]
    between = line[first.end() : second.start()]
    return Rewritten(first.start(), second.end(), f"{second[0]}{between}{first[0]}")


CASES: Mapping[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "capital": lambda word: word[:1].upper() + word[1:].lower(),
}


def recased(line: str, at: int, case: str) -> Rewritten | None:
    """The rest of the word under the cursor, else the next word, in upper or lower case or as a title."""
    word = _WORD.search(line, at)
    return Rewritten(word.start(), word.end(), CASES[case](word[0])) if word is not None else None


def closed_up(line: str, at: int) -> Rewritten | None:
    """The blanks on both sides of the cursor go."""
    start = len(line[:at].rstrip(" \t"))
    end = len(line) - len(line[at:].lstrip(" \t"))
    return Rewritten(start, end, "") if start < end else None
