"""A search in a session: what is sought, where it stands, how often. No widget, no clock.

Invariants:
* A hit is a member and which of the occurrences in its source text it is: what was never drawn, or is
  folded away, is found and counted like anything else.
* The work goes in small steps, and whoever asks says when it is enough for now. What changes is looked
  through again, alone; nothing is ever looked through twice for nothing.
* No expression can hold up the program for long: it sees at most `PIECE` characters at a time, and one that
  repeats a repetition, which may take for ever on a single line, is refused.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from acp_tui.ui.transcript.heights import Heights

KEPT = 16 * 1024 * 1024
"""Characters of all texts together that are kept while the search is open; others are read again."""
PIECE = 1000
ROOM = 20_000
MANY = 2_000
"""Occurrences that are counted at a time."""
_PLAIN = re.compile(r"\\.|\[\^?\]?[^\]]*\]")
_GROUP = re.compile(r"\(([^()]*)\)([*+{]?)")


class Wrong(ValueError):
    """An expression that cannot be sought, and why."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What the user typed, and how he means it."""

    words: str
    regex: bool = False
    case: bool | None = None
    """None: upper case in the words makes case count."""

    @property
    def folds(self) -> bool:
        """Upper and lower case are the same."""
        if self.case is not None:
            return not self.case
        words = re.sub(r"\\.", "", self.words) if self.regex else self.words
        return not any(character.isupper() for character in words)


class Seeker:
    """What is sought, made ready to be found. Raises `Wrong`."""

    def __init__(self, sought: Sought) -> None:
        self.lowers = sought.folds and not sought.regex
        """It is sought in texts that `read` made lower case."""
        self.whole = not sought.regex
        """It is sought in the whole of a text at once."""
        self._word = self._rarest = ""
        if not sought.regex:
            # A blank is any space: the source of a paragraph may break where its lines do not.
            words = folded(sought.words) if self.lowers else sought.words
            parts = re.split(r"\s+", words)
            self._word = words if len(parts) == 1 else ""
            self._rarest = max(parts, key=len)
            self.pattern = re.compile(r"\s+".join(map(re.escape, parts)))
        elif _runs_away(sought.words):
            raise Wrong("repeats a repetition: that might never end")
        else:
            self.pattern = _compiled(sought.words, re.IGNORECASE if sought.folds else re.NOFLAG)

    def read(self, text: str) -> str:
        """The text in which to look; as long as before."""
        return folded(text) if self.lowers else text

    def pieces(self, text: str) -> Iterator[tuple[int, int]]:
        """Where to look at a time, as (start, end)."""
        start, size = 0, len(text)
        while start < size:
            end = size if self.whole else start + PIECE
            if end < size and (line := text.rfind("\n", start, end)) > start:
                end = line + 1
            yield start, min(end, size)
            start = end

    def count(self, text: str, start: int, end: int) -> int:
        """How often it stands in a piece."""
        if self._word:  # what most people seek, ten times as fast
            return text.count(self._word, start, end)
        if self._rarest and text.find(self._rarest, start, end) < 0:
            return 0
        return sum(1 for _ in self._found(text, start, end))

    def counts(self, text: str) -> Iterator[int]:
        """How often it stands in parts of a text, together all of it."""
        for start, end in self.pieces(text):
            if not self.whole or self._word or text.find(self._rarest, start, end) < 0:
                yield self.count(text, start, end)
            else:
                found = self._found(text, start, end)
                while count := sum(1 for _ in islice(found, MANY)):
                    yield count

    def spans(self, text: str) -> list[tuple[int, int]]:
        """All occurrences in a text that was `read`."""
        return [span for piece in self.pieces(text) for span in self._found(text, *piece)]

    def nth(self, text: str, nth: int) -> tuple[int, int] | None:
        """One of these, by its number; what stands before it is only counted."""
        if self.whole and not self._word:
            return next(islice(self._found(text, 0, len(text)), nth, None), None)
        for start, end in self._blocks(text) if self._word else self.pieces(text):
            count = self.count(text, start, end)
            if nth < count:
                return next(islice(self._found(text, start, end), nth, None), None)
            nth -= count
        return None

    def _blocks(self, text: str) -> Iterator[tuple[int, int]]:
        start = 0
        while start < len(text):  # a word does not reach over the end of a line
            end = text.find("\n", start + ROOM) + 1 or len(text)
            yield start, end
            start = end

    def _found(self, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        return (m.span() for m in self.pattern.finditer(text, start, end) if m.end() > m.start())


def folded(text: str) -> str:
    """The text in lower case, character by character, so that every place in it stays where it is."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := c.lower()) == 1 else c for c in text)


def _compiled(words: str, flags: re.RegexFlag) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sets that may mean another thing one day
            return re.compile(words, flags | re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        raise Wrong(str(error)) from None


def _runs_away(words: str) -> bool:
    flat = _PLAIN.sub("x", words)
    while group := _GROUP.search(flat):
        repeats = re.search(r"[*+{]", group[1]) is not None
        if repeats and group[2]:
            return True
        flat = f"{flat[: group.start()]}{'x*' if repeats else 'x'}{group[2]}{flat[group.end() :]}"
    return False


class Texts:
    """Source texts of members, kept while a search is open; `source` gives one afresh, in pieces."""

    def __init__(self, source: Callable[[int], Iterable[str]]) -> None:
        self._source = source
        self._lowered = False
        self._kept: dict[int, str] = {}
        self._room = KEPT
        self._last = -1, ""
        """The last one for which there was no room."""

    def kept(self, index: int, seeker: Seeker | None) -> str | None:
        """A member's text, as the seeker wants it, if it was read."""
        lowered = seeker is None or seeker.lowers
        if lowered != self._lowered:
            self.cut(0)
            self._lowered = lowered
        return self._last[1] if index == self._last[0] else self._kept.get(index)

    def read(self, index: int, seeker: Seeker | None) -> str:
        """The same; it is read now if it was not."""
        for _ in self.reading(index, seeker):
            pass
        return self.kept(index, seeker) or ""

    def reading(self, index: int, seeker: Seeker | None) -> Iterator[int]:
        """Read it, and say of each piece how many characters it has."""
        if self.kept(index, seeker) is not None:
            return
        parts = []
        for piece in self._source(index):
            parts.append(folded(piece) if self._lowered else piece)
            yield len(piece)
        text = "".join(parts)
        if len(text) > self._room:
            self._last = index, text
        else:
            self._kept[index] = text
            self._room -= len(text)

    def cut(self, count: int) -> None:
        """Only the first so many are what they were."""
        for index in [index for index in self._kept if index >= count]:
            self.drop(index)
        self.drop(self._last[0])

    def drop(self, index: int) -> None:
        """It changed."""
        self._room += len(self._kept.pop(index, ""))
        if index == self._last[0]:
            self._last = -1, ""


class Search:
    """One search over all members, from one on and then back from it; without a seeker it only reads."""

    def __init__(self, seeker: Seeker | None, texts: Texts, size: int, start: int = 0) -> None:
        self.seeker = seeker
        self.hits = Heights([0] * size)
        """How many of them each member has."""
        self._texts = texts
        self._todo = dict.fromkeys(chain(range(start), range(size - 1, start - 1, -1)))  # the last one next
        self._work: Iterator[int] | None = None
        self._doing = -1

    @property
    def done(self) -> bool:
        """Everything was looked through."""
        return self._work is None and not self._todo

    @property
    def total(self) -> int:
        """Hits so far."""
        return self.hits.total

    def step(self, enough: Callable[[], bool]) -> None:
        """Go on until it is `enough`, which is asked after about every `ROOM` characters."""
        seeker, room = self.seeker, ROOM
        while not self.done:
            if self._work is None:
                index = self._todo.popitem()[0]
                text = self._texts.kept(index, seeker)
                if text is None or len(text) > ROOM or not (seeker is None or seeker.whole):
                    self._doing, self._work = index, self._look(index, seeker)
                elif seeker is not None:
                    self._put(index, seeker.count(text, 0, len(text)))
                room -= len(text or "") + ROOM // 100
            if self._work is not None:
                spent = next(self._work, None)
                room -= spent or 0
                if spent is None:
                    self._work = None
            if room <= 0:
                room = ROOM
                if enough():
                    break

    def _look(self, index: int, seeker: Seeker | None) -> Iterator[int]:
        """Read a text and count in it; says how much work each step was, in characters."""
        yield from self._texts.reading(index, seeker)
        if seeker is None:
            return
        count = 0
        for found in seeker.counts(self._texts.read(index, seeker)):
            count += found
            yield ROOM  # nobody knows how long it takes
        self._put(index, count)

    def _put(self, index: int, count: int) -> None:
        if count or self.hits[index]:
            self.hits.set(index, count)

    def again(self, index: int) -> None:
        """A member changed."""
        if index < len(self.hits):
            self._texts.drop(index)
            if index == self._doing:
                self._work = None
            self._todo[index] = None

    def resize(self, kept: int, size: int) -> None:
        """Only the first `kept` members are what they were; there are `size` now."""
        if kept < len(self.hits):
            self._texts.cut(kept)
            self.hits.truncate(kept)
            self._todo = {index: None for index in self._todo if index < kept}
            if self._doing >= kept:
                self._work = None
        for index in range(len(self.hits), size):
            self.hits.append(0)
            self._todo[index] = None

    def spans(self, index: int) -> list[tuple[int, int]]:
        """Where it stands in a member's text."""
        return [] if self.seeker is None else self.seeker.spans(self.text(index))

    def text(self, index: int) -> str:
        """A member's text, as it is looked through."""
        return self._texts.read(index, self.seeker)

    def ordinal(self, index: int, nth: int) -> int:
        """Which hit of all it is, from 0."""
        return self.hits.start(index) + nth

    def hit(self, ordinal: int) -> tuple[int, int] | None:
        """Member and number in it of a hit; round the end, round the beginning."""
        return self.hits.find(ordinal % self.total) if self.total else None
