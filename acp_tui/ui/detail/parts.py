"""What a sheet is made of: parts that are laid out when they come into sight.

Invariants: a part lays out again only when its width, look, folding or `version` changed; a part of a long
text is small, so that one frame never lays out more than it shows and a little; whatever an agent wrote is
cleaned on its way to a line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from pydantic_core import to_json

from acp_tui.render.clean import clean
from acp_tui.render.code import highlight
from acp_tui.render.look import Look, act
from acp_tui.render.view import View
from acp_tui.render.wrap import JOINTS, Lines, Run, wrap
from acp_tui.store.keys import Key
from acp_tui.ui.detail.pieces import Piece

BLOCK = 100
"""Lines of a long text that are one part …"""
CHARS = 16_384
"""… or characters, where the lines are long."""

SHORT = 40
"""Characters of a line that is not expected to wrap."""
SLICE = 0.02
"""Seconds of work at a time: whoever presses a key meanwhile must not notice."""


class Part:
    """One piece of a sheet."""

    stop: ClassVar[bool] = False
    """`[` and `]` stop here, at one of its lines or several, and the cursor may stand there."""

    def __init__(self, piece: Piece | None = None) -> None:
        self.piece = piece
        """What copying, saving and editing take while the cursor is here or below."""
        self.leads: Key | None = None
        """What Enter opens whole."""
        self._key: tuple[Any, ...] | None = None
        self._look: Look | None = None
        self._lines = Lines()

    def estimate(self, width: int) -> int:
        """Lines it will take, from counters."""
        return 1

    @property
    def version(self) -> Any:
        """Changes when it must be laid out again."""
        return None

    @property
    def behind(self) -> bool:
        """The last lines are only a beginning."""
        return False

    def lines(self, width: int, look: Look) -> Lines:
        """Its lines, from the cache where nothing changed."""
        key = (width, self.version)
        if key != self._key or look is not self._look:
            self._lines = self.draw(width, look)
            self._key, self._look = key, look
        return self._lines

    def draw(self, width: int, look: Look) -> Lines:
        """Make the lines."""
        raise NotImplementedError

    def stops(self) -> Sequence[int]:
        """The lines to stop at, once it is laid out."""
        return (0,) if self.stop else ()

    def forget(self) -> None:
        """It is far out of sight."""
        self._key, self._lines = None, Lines()

    def text(self) -> str | None:
        """The text it shows, without laying it out; None: lay it out to know."""
        return None

    def gutter(self, line: int) -> int:
        """Cells at the left of a line that are decoration."""
        return self._lines.gutter(line)

    def margin(self, line: int) -> int:
        """Characters at the right of a line that are decoration."""
        return self._lines.margin(line)

    def joint(self, line: int) -> str:
        """What stands between this line and the next in the source."""
        return JOINTS[self._lines.marks[line] & 3]

    def act(self, action: tuple[Any, ...]) -> bool:
        """Carry out a click or Enter; True if that was for this part."""
        return False

    @property
    def folded(self) -> bool | None:
        """None: nothing here folds."""
        return None

    def excerpt(self, fence: int) -> str:
        """Source of a piece of code in it."""
        return ""


class Words(Part):
    """A line or paragraph in one style; later rows are set in by `hang`."""

    def __init__(self, text: str, style: str = "base", left: int = 1, hang: int = 0) -> None:
        super().__init__()
        self._text, self._style = clean(text), style
        self._left, self._hang = left, hang

    def text(self) -> str:
        return self._text

    def draw(self, width: int, look: Look) -> Lines:
        first: list[Run] = [(" " * self._left, look.base)]
        rest: list[Run] = [(" " * (self._left + self._hang), look.base)]
        return wrap([(self._text, getattr(look, self._style))], width, look.base, first=first, rest=rest)


class Head(Part):
    """The head of a section, and facts about it."""

    stop = True

    def __init__(
        self,
        words: str,
        facts: Callable[[], str] = str,
        piece: Piece | None = None,
        leads: Key | None = None,
    ) -> None:
        super().__init__(piece)
        self._words, self._facts, self.leads = words, facts, leads

    @property
    def version(self) -> str:
        return self._facts()

    def text(self) -> str:
        return f"{self._words}  {self._facts()}".rstrip()

    def draw(self, width: int, look: Look) -> Lines:
        runs: list[Run] = [(self._words, look.subheading + (act("lead") if self.leads else act()))]
        if facts := self._facts():
            runs.append(("  " + facts, look.dim))
        return wrap(runs, width, look.base, first=[(" ", look.base)], rest=[("   ", look.base)])


class Folding(Part):
    """A part with a line that opens and folds it."""

    _opened = False

    @property
    def version(self) -> bool:
        return self._opened

    @property
    def folded(self) -> bool:
        return not self._opened

    def act(self, action: tuple[Any, ...]) -> bool:
        if action == ("toggle",):
            self._opened = not self._opened
            return True
        return False


class Blank(Part):
    """An empty line."""

    def text(self) -> str:
        return ""

    def draw(self, width: int, look: Look) -> Lines:
        return wrap([("", look.base)], width, look.base)


class Fact(Part):
    """`name      value`, the value set in; `action` makes it clickable."""

    COLUMN: ClassVar[int] = 16

    def __init__(
        self, name: str, value: str, style: str = "base", action: tuple[str | int | None, ...] = ()
    ) -> None:
        super().__init__()
        self._name, self._value, self._style, self._action = name, clean(value), style, action

    def text(self) -> str:
        return f"{self._name:<{self.COLUMN}}{self._value}"

    def draw(self, width: int, look: Look) -> Lines:
        first: list[Run] = [(f" {self._name:<{self.COLUMN - 1}} ", look.dim)]
        rest: list[Run] = [(" " * (self.COLUMN + 1), look.base)]
        style = getattr(look, self._style) + (act(*self._action) if self._action else act())
        return wrap([(self._value, style)], width, look.base, first=first, rest=rest)


class Code(Part):
    """Some lines of a long text, highlighted; long ones wrap anywhere."""

    def __init__(self, lines: Sequence[str], language: str) -> None:
        super().__init__()
        self._source, self._language = lines, language
        self._long = [len(line) for line in lines if len(line) > SHORT]

    def text(self) -> str:
        return "\n".join(map(clean, self._source))

    def estimate(self, width: int) -> int:
        room = max(1, width - 2)
        return len(self._source) + sum(size // room for size in self._long)

    def draw(self, width: int, look: Look) -> Lines:
        made = Lines()
        first = [(" ", look.base), (" ", look.code)]
        for runs in highlight([clean(line) for line in self._source], self._language, look):
            made.extend(wrap(runs, width, look.code, first=first, words=False))
        return made


def code(text: str, language: str = "") -> list[Part]:
    """A text of any length as parts."""
    return [Code(lines, language) for lines in _blocks(text.split("\n"))]


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    block: list[str] = []
    size = 0
    for line in lines:
        for at in range(0, max(1, len(line)), CHARS):
            block.append(line[at : at + CHARS])
            size += len(block[-1])
            if len(block) >= BLOCK or size >= CHARS:
                yield block
                block, size = [], 0
    if block:
        yield block


def as_json(value: Any) -> str:
    """Indented; strings stay in their own script. Fast: values of megabytes are shown, too."""
    try:
        return to_json(value, indent=2, inf_nan_mode="constants").decode()
    except ValueError:  # lone surrogates
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def json_parts(value: Any) -> list[Part]:
    """A JSON value of any size, highlighted."""
    return code(as_json(value), "json")


class Viewed(Part):
    """An entity as the timeline shows it, open; a long one is laid out a slice at a time."""

    def __init__(self, view: View, opened: bool = True) -> None:
        super().__init__()
        self.view = view
        view.patience = SLICE
        if opened:
            view.folded = False

    def estimate(self, width: int) -> int:
        return self.view.estimate(width)

    @property
    def behind(self) -> bool:
        return self.view.behind

    def lines(self, width: int, look: Look) -> Lines:
        self._lines = self.view.lines(width, look)
        return self._lines

    def forget(self) -> None:
        self._lines = Lines()
        self.view.forget()

    def act(self, action: tuple[Any, ...]) -> bool:
        return action != ("toggle",) and self.view.act(action)
