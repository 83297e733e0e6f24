"""Markdown that grows at its end and costs only its open block.

Invariants: `append` stores and does nothing else; `grow` cuts what arrived into lines and closes what can
no longer change; a closed block is laid out once for each page; any split of the text gives the lines of
the whole.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from textual.strip import Strip

from acp_tui.render import code
from acp_tui.render.clean import clean
from acp_tui.render.code import Growing, highlight
from acp_tui.render.markdown.inline import inline_parser
from acp_tui.render.markdown.later import Piece
from acp_tui.render.markdown.layout import Colours, lay_out, left_over
from acp_tui.render.markdown.leaf import Leaf
from acp_tui.render.markdown.page import MEASURE, Page
from acp_tui.render.markdown.parser import PARAGRAPH, Parser
from acp_tui.render.markdown.sift import Sift
from acp_tui.render.wrap import Lines, Run

__all__ = ["MEASURE", "Document", "Page", "prepare"]

TABLE_LINE = 65_536
"""Longest line that may still be one row of a table; other lines are cut much earlier."""

MANY = 64
"""Lines and leaves that wait: with more, the next ones are made when they are looked at."""

_MARKS = re.compile(r"[-=*_+#~`|:> ]{1,80}$")


def prepare() -> None:
    """Load what most answers need, once; any thread may do it, best while the agent thinks."""
    code.prepare()
    inline_parser()


class Document:
    """One growing text. `grow` keeps given lines up to date with it."""

    __slots__ = (
        "_code",
        "_leaves",
        "_lines",
        "_over",
        "_page",
        "_parser",
        "_parts",
        "_rest",
        "_shown",
        "_sift",
        "_stable",
        "_tail",
        "_torn",
        "_waiting",
        "_words",
        "drawn",
    )

    def __init__(self, text: str = "") -> None:
        self._leaves: list[Leaf] = []
        self._parser = Parser()
        self._sift = Sift()
        self._parts = [text] if text else []
        self._waiting: deque[str] = deque()
        """Lines that were not fed yet."""
        self._rest = ""
        """The unfinished last line, raw."""
        self._torn = False
        """Pieces of the unfinished line were already fed."""
        self._page: Page | None = None
        self._lines: Lines | None = None
        self._shown = 0
        """How many leaves stand in `_lines`."""
        self._stable = 0
        """Where in `_lines` the lines of closed leaves end."""
        self._tail: dict[Leaf, Lines] = {}
        self._over: tuple[Run, ...] = ()
        """Words of the last row of a paragraph that goes on."""
        self._words: dict[int, str] = {}
        """Texts of leaves that were laid out for later, which are the same at another width."""
        self._code = Growing()
        self.drawn = 0
        """Leaves laid out so far; what the tests count."""

    def append(self, text: str) -> None:
        """Add text at the end, in O(1)."""
        self._parts.append(text)

    def _take(self) -> None:
        """Cut what has arrived into lines, which wait to be fed."""
        if self._parts:
            text = self._rest + self._sift.more("".join(self._parts))
            self._parts.clear()
            *lines, self._rest = text.split("\n")
            self._waiting.extend(lines)
            if not self._waiting:
                self._rest = self._cut(self._rest)

    def _feed_some(self) -> None:
        """Some of the lines that wait, until a leaf is closed."""
        closed = len(self._leaves)
        while self._waiting and len(self._leaves) == closed:
            if self._feed_code():
                continue
            self._feed(self._cut(self._waiting.popleft()))
            self._torn = False
        if not self._waiting:
            self._rest = self._cut(self._rest)

    def _feed_code(self) -> bool:
        """The lines that come next, if they are code and nothing else: a fence may have 100,000."""
        some = list(islice(self._waiting, 0 if self._torn else self._parser.room))
        text = "".join(some)
        if not some or (len(text) > PARAGRAPH and max(map(len, some)) > PARAGRAPH):
            return False
        lines = some
        if not text.isprintable():
            lines = [clean(line) for line in some]
            text = "".join(lines)
        closed = self._parser.code(lines, text)
        if closed is None:
            return False
        self._leaves += closed
        for _ in some:
            self._waiting.popleft()
        return True

    def _cut(self, line: str) -> str:
        """Feed the pieces of a line that is too long; the rest of it comes back."""
        at = 0
        while (left := len(line) - at) > PARAGRAPH:
            if not self._torn and left <= TABLE_LINE and line.lstrip(" ").startswith("|"):
                break
            stop = line.rfind(" ", at + 1, at + PARAGRAPH) + 1 or at + PARAGRAPH
            self._feed(line[at:stop])
            self._torn = True
            at = stop
        return line[at:]

    def _feed(self, line: str) -> None:
        self._leaves += self._parser.more(clean(line)) if self._torn else self._parser.feed(clean(line))

    @property
    def behind(self) -> bool:
        """There are more lines to come: `grow` was told that it was enough."""
        return bool(self._waiting) or self._shown < len(self._leaves)

    def grow(
        self,
        lines: Lines,
        page: Page,
        calm: bool = False,
        growing: bool = False,
        enough: Callable[[], bool] = lambda: False,
    ) -> None:
        """Bring `lines`, which end with what this put there last, up to date.

        `calm`: the open fence need not be highlighted as a whole. `growing`: more is to come, so what may
        still turn out to be a marker is held back and open emphasis is closed for now. After a leaf with
        which it is `enough` it is `behind`.
        """
        self._take()
        old = self._reopen(lines, page)
        self._lay_out_closed(lines, page, enough)
        start, self._stable = self._stable, len(lines)
        tail = [] if self.behind else list(self._joined(self._open(growing), page))
        colours = self._code.more if calm else self._code.whole if growing else highlight
        self._tail = {leaf: self._laid_out(leaf, page, colours) for leaf in tail}
        for made in self._tail.values():
            lines.extend(made)
        lines.reuse(old, start)

    def _lay_out_closed(self, lines: Lines, page: Page, enough: Callable[[], bool]) -> None:
        while self.behind:
            if self._shown == len(self._leaves):
                self._feed_some()
                continue
            (leaf,) = self._joined(self._leaves[self._shown : self._shown + 1], page)
            self._lay_out_next(lines, page, leaf)
            self._over = left_over(leaf, page)
            self._shown += 1
            if enough():
                return

    def _lay_out_next(self, lines: Lines, page: Page, leaf: Leaf) -> None:
        many = len(self._leaves) - self._shown + len(self._waiting) > MANY
        if many or (leaf.kind == "code" and leaf.part):
            piece = Piece(leaf, page, self._words.get(self._shown))
            if piece.words is not None:
                self._words[self._shown] = piece.words
            lines.put(piece, piece.marks)
            self.drawn += 1
        else:
            lines.extend(self._laid_out(leaf, page, highlight))

    def _joined(self, leaves: Iterable[Leaf], page: Page) -> Iterator[Leaf]:
        """Leaves with the words that each leaves for the next."""
        over = self._over
        for leaf in leaves:
            carried = replace(leaf, carried=over) if over else leaf
            over = left_over(carried, page)
            yield carried

    def _reopen(self, lines: Lines, page: Page) -> list[Strip]:
        """Take the lines of the open leaves off again and return them, or begin anew on a new page."""
        if lines is not self._lines or page != self._page:
            self._lines, self._page = lines, page
            self._shown, self._stable = 0, len(lines)
            self._over = ()
            self._tail = {}
            return []
        old = lines.strips.known(self._stable, len(lines))
        lines.cut(self._stable)
        return old

    def _laid_out(self, leaf: Leaf, page: Page, colours: Colours) -> Lines:
        known = self._tail.get(leaf)
        if known is not None and (colours == self._code.more or leaf.kind != "code"):
            return known
        self.drawn += 1
        return lay_out(leaf, page, colours)

    def _open(self, growing: bool) -> list[Leaf]:
        """What the text would give if it ended here, beyond the closed leaves."""
        parser, rest = self._parser, clean(self._rest)
        made: list[Leaf] = []
        if rest and not (growing and _MARKS.match(rest)):
            parser = parser.copy()
            made = parser.more(rest) if self._torn else parser.feed(_mended(rest) if growing else rest)
        leaf = parser.open()
        return [*made, leaf] if leaf is not None else made


def _mended(line: str) -> str:
    """An unfinished line with its open code or strong words closed, so that nothing turns back when they
    are."""
    if line.lstrip(" ").startswith(("```", "~~~", "    ")):
        return line
    if line.count("`") % 2:
        return line + "`"
    if line.count("**") % 2:
        return line.removesuffix("**") if line.endswith("**") else line.rstrip(" ") + "**"
    return line
