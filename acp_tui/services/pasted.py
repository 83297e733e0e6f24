"""Long pastes, each standing in what is being written as one short piece: `[pasted 42 lines #1]`.

Invariants: a piece stands for its paste only if it is written exactly as it was put there, so that nobody
sends by mistake what he merely typed; a number means one paste for good, so that undo always finds it; what
is sent is whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

LINES = 10
"""A paste of more lines is shown as a piece,"""
LETTERS = 5_000
"""and one of more characters."""
_PIECE = re.compile(r"\[pasted \d+ (?:lines|characters) #(\d{1,6})\]")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chip:
    """A piece: where it stands in a text, and the number of its paste."""

    start: int
    end: int
    number: int


def long(text: str) -> bool:
    """Whether a paste is better shown as a piece."""
    return len(text) > LETTERS or text.rstrip("\n").count("\n") >= LINES


class Pasted:
    """The pastes of one conversation, by number. Only grows."""

    def __init__(self, kept: Mapping[int, str] | None = None) -> None:
        self._texts: dict[int, str] = dict(kept or {})

    def __bool__(self) -> bool:
        return bool(self._texts)

    def __getitem__(self, number: int) -> str:
        return self._texts[number]

    def add(self, text: str) -> str:
        """Another paste; returns its piece. The same text again is the same paste."""
        number = next((n for n, known in self._texts.items() if known == text), 0)
        if not number:
            number = max(self._texts, default=0) + 1
            self._texts[number] = text
        return self.piece(number)

    def piece(self, number: int) -> str:
        """What stands in the text for it."""
        text = self._texts[number]
        lines = text.rstrip("\n").count("\n") + 1
        size = f"{lines} lines" if lines > 1 else f"{len(text)} characters"
        return f"[pasted {size} #{number}]"

    def chips(self, text: str) -> Iterator[Chip]:
        """The pieces of a text, in order."""
        if not self._texts or "[pasted " not in text:
            return
        for match in _PIECE.finditer(text):
            number = int(match[1])
            if number in self._texts and match[0] == self.piece(number):
                yield Chip(match.start(), match.end(), number)

    def whole(self, text: str) -> str:
        """With every paste in full."""
        return self.unfolded(text)[0]

    def unfolded(self, text: str) -> tuple[str, tuple[Span, ...]]:
        """With every paste in full, and where they stand then."""
        parts: list[str] = []
        spans: list[Span] = []
        at = length = 0
        for chip in self.chips(text):
            before, paste = text[at : chip.start], self._texts[chip.number]
            start = length + len(before)
            spans.append((start, start + len(paste)))
            parts += [before, paste]
            at, length = chip.end, start + len(paste)
        return "".join([*parts, text[at:]]), tuple(spans)

    def folded(self, text: str, spans: Iterable[Span]) -> str:
        """A whole text with its pastes as pieces again; spans that cannot be are passed over."""
        parts: list[str] = []
        at = 0
        for start, end in spans:
            if at <= start < end <= len(text):
                parts += [text[at:start], self.add(text[start:end])]
                at = end
        return "".join([*parts, text[at:]])

    def used(self, text: str) -> dict[int, str]:
        """The pastes that a text holds."""
        return {chip.number: self._texts[chip.number] for chip in self.chips(text)}
