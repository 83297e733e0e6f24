"""What a user typed into a search, as the index understands it, and where it stands in a text.

Invariants: nothing that is typed is wrong; words are what the index takes for words: letters and digits,
upper or lower case and the accents of Latin letters aside; where words are written without spaces between
them each character is one; what is marked in a text is what the index found there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

MOST = 20
"""Words or phrases of one search; what is typed beyond is not looked at."""
LENGTH = 200
"""Characters of one of them."""
SHORT = 2
"""Letters (bytes) up to which the last word has to be whole: too many go on."""
AROUND = 60
"""Characters that are shown before the first match."""
SNIPPET = 240
"""Characters of a snippet."""
MARKS = 200
"""Places looked at of each phrase in one text."""

_PART = re.compile(r'"([^"]*)"?|([^\s"]+)')
_ALONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of Chinese and Japanese."""
_EACH = re.compile(f"[{_ALONE}]")
_WORD = re.compile(rf"[{_ALONE}]|[^\W_{_ALONE}]+")
_LETTER = re.compile(rf"[^\W_{_ALONE}]")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand one behind the other; `open`: the last one may go on."""

    words: tuple[str, ...]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """All of these must stand in a text."""

    phrases: tuple[Phrase, ...]

    def __bool__(self) -> bool:
        return bool(self.phrases)


def wanted(typed: str) -> Wanted:
    """Words, and phrases in quotes; the last word may go on unless a space or a quote ends it."""
    found: list[Phrase] = []
    for part in _PART.finditer(typed):
        quoted, bare = part.groups()
        words = tuple(_WORD.findall(plain((quoted or bare or "")[:LENGTH])))
        last = bare is not None and part.end() == len(typed)
        if words and len(found) < MOST:
            found.append(Phrase(words, open=last and _goes_on(words[-1])))
    return Wanted(tuple(dict.fromkeys(found)))


def _goes_on(word: str) -> bool:
    """Other scripts say more with a letter than the Latin one."""
    return len(word.encode(errors="replace")) > SHORT and not _EACH.match(word)


def parted(text: str) -> str:
    """For the index: with spaces around characters that are words of their own."""
    return text if text.isascii() else _EACH.sub(r" \g<0> ", text)


def plain(text: str) -> str:
    """In lower case and without accents, character by character: every place stays where it is."""
    lower = text.lower()
    if text.isascii():
        return lower
    if len(lower) != len(text):
        lower = "".join(low if len(low := c.lower()) == 1 else c for c in text)
    table = {ord(c): base for c in set(lower) if not c.isascii() and (base := _bare(c)) != c}
    return lower.translate(table)


def _bare(character: str) -> str:
    first = unicodedata.normalize("NFD", character)[0]
    return first if first.isascii() and first.isalpha() else character  # as the index does


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a text, and where in it the matches stand."""

    text: str
    matches: tuple[tuple[int, int], ...]


def snippet(text: str, sought: Wanted) -> Snippet:
    """What stands around the place where most of it is near."""
    spans = sorted(set(_spans(plain(text), sought)))
    if not spans:
        return Snippet(text[:SNIPPET], ())
    first = _densest(spans)
    start = max(0, first[0] - AROUND)
    if start:
        blank = text.find(" ", start, first[0])
        start = blank + 1 if blank >= 0 else start
    end = max(start + SNIPPET, first[1])
    shown = [(a - start, min(b, end) - start) for a, b, _ in spans if start <= a < end]
    return Snippet(text[start:end], tuple(_apart(shown)))


def _spans(text: str, sought: Wanted) -> Iterator[tuple[int, int, int]]:
    """Where the phrases stand, and which it is."""
    for number, phrase in enumerate(sought.phrases):
        pattern = _pattern(phrase)
        seen = 0
        for match in pattern.finditer(text):
            start = match.start()
            if start and _LETTER.match(text, start - 1) and _LETTER.match(text, start):
                continue
            yield start, match.end(), number
            seen += 1
            if seen == MARKS:
                break


def _pattern(phrase: Phrase) -> re.Pattern[str]:
    parts = [re.escape(phrase.words[0])]
    for before, word in pairwise(phrase.words):
        parts += [r"[\W_]*" if _EACH.match(before) or _EACH.match(word) else r"[\W_]+", re.escape(word)]
    if phrase.open:
        parts.append(f"{_LETTER.pattern}*")
    elif not _EACH.match(phrase.words[-1]):
        parts.append(f"(?!{_LETTER.pattern})")
    return re.compile("".join(parts))


def _densest(spans: list[tuple[int, int, int]]) -> tuple[int, int, int]:
    """The first from which on most different phrases stand within a snippet."""
    best, most = spans[0], 0
    for index, span in enumerate(spans):
        near = {span[2]}
        for other in spans[index + 1 : index + 50]:
            if other[1] - span[0] > SNIPPET - AROUND:
                break
            near.add(other[2])
        if len(near) > most:
            best, most = span, len(near)
    return best


def _apart(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Without those that overlap the one before."""
    last = 0
    for start, end in spans:
        if start >= last:
            yield start, end
            last = end
