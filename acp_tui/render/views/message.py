"""Messages: the user's words behind an accent bar, the agent's bare, thoughts dim and folded to one line
(MS).

Invariant: a growing message costs what arrived and its open block; its closed blocks keep their strips.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

from textual.strip import Strip

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look, act
from acp_tui.render.markdown import MEASURE, Document, Page
from acp_tui.render.markdown.fence import fence_source
from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.views.content import Asides, block_lines, sort_of, summary, words_of
from acp_tui.render.views.subagent import title_of
from acp_tui.render.wrap import Lines, Run, spread, wrap
from acp_tui.store.entities import Message, SessionMessage, Subagent
from acp_tui.store.growing import Blocks
from acp_tui.store.holding import Block, Handle
from acp_tui.store.keys import Key, Kind

CALM = 1.0
"""Seconds between two highlightings of an open fence as a whole."""


class Text:
    """Blocks as lines: neighbouring text is one markdown document (CB-11), other blocks stand between."""

    __slots__ = (
        "_calm_at",
        "_generation",
        "_held",
        "_parts",
        "_shown",
        "_taken",
        "_void",
        "behind",
        "blocks",
    )

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self._calm_at = 0.0
        self.forget()

    def forget(self) -> None:
        """Drop what was made of the blocks."""
        self._parts: list[Document | Asides | Block | Handle] = []
        self._held = ""
        """Blank text that no other has followed yet."""
        self._taken = 0
        self._void = False
        """A part that may stand in the lines was no leaf of text, and grew."""
        self._shown = 0
        """How many parts stand in the lines; of the last of these there may be more."""
        self.behind = False
        """It was enough before everything was laid out."""
        self._generation = self.blocks.generation

    @property
    def drawn(self) -> int:
        """Leaves of markdown laid out so far; what the tests count."""
        return sum(part.drawn for part in self._parts if isinstance(part, Document))

    def draw(
        self,
        lines: Lines,
        page: Page,
        fresh: bool,
        opened: frozenset[int],
        at: float | None,
        enough: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Bring `lines` up to date; `fresh`: nothing of it stands there yet. False: they must be made anew.

        `at` is the time of a message that still grows, None for one that is complete. After a leaf with
        which it is `enough` it is `behind`.
        """
        if self._generation != self.blocks.generation:
            self.forget()
            if not fresh:
                return False
        self._shown = 0 if fresh else self._shown
        self._take()
        void, self._void = self._void, False
        if void and not fresh:
            return False
        calm = at is not None and 0 <= at - self._calm_at < CALM
        self._calm_at = self._calm_at if calm else at or 0.0
        self.behind = False
        for index in range(max(0, self._shown - 1), len(self._parts)):
            part = self._parts[index]
            if index >= self._shown and index and self._apart(index):
                lines.extend(wrap([("", page.text)], page.width, page.look.base, first=page.left))
            if isinstance(part, Document):
                growing = at is not None and index == len(self._parts) - 1
                part.grow(lines, replace(page, part=index), calm, growing, enough)
                self.behind = part.behind
            elif index >= self._shown:
                lines.extend(block_lines(part, page, index, index in opened))
            self._shown = index + 1
            if self.behind:
                break
        return True

    def _apart(self, index: int) -> bool:
        """A blank line stands between text and what is none."""
        return isinstance(self._parts[index], Document) != isinstance(self._parts[index - 1], Document)

    def _take(self) -> None:
        for item in self.blocks.since(self._taken):
            sort, last = sort_of(item), self._parts[-1] if self._parts else None
            if sort == "words":
                self._add(words_of(item) or "")
                continue
            self._held = ""
            if sort == "aside" and isinstance(last, Asides):
                last.add(item)
                self._void = True
            elif sort == "aside":
                self._parts.append(Asides(item))
            elif not isinstance(item, str):
                self._parts.append(item)
        self._taken = self.blocks.count

    def _add(self, text: str) -> None:
        """Text goes on with the text before; blank text between blocks is none."""
        last = self._parts[-1] if self._parts else None
        if isinstance(last, Document):
            last.append(text)
            return
        self._held += text
        if _seen(self._held):
            self._parts.append(Document(self._held))

    @property
    def folding(self) -> frozenset[int]:
        """The parts that can be opened."""
        parts = enumerate(self._parts)
        return frozenset(i for i, part in parts if not isinstance(part, Document) and summary(part).folds)

    def excerpt(self, part: int, fence: int) -> str:
        """The source of a piece of code in one of the parts."""
        texts: list[str] = []
        number, before, held = -1, "", ""
        for item in self.blocks.since(0):
            sort, text = sort_of(item), words_of(item) or ""
            if sort == "words" != before:
                held += text
                if not _seen(held):
                    continue
                text = held
            held = ""
            number += not sort or sort != before
            before = sort
            if number == part:
                texts.append(text)
        return fence_source("".join(texts), fence)

    def estimate(self, width: int) -> int:
        """Lines, from counters."""
        measure = max(8, min(width, MEASURE) - 2)
        return self.blocks.newlines + self.blocks.chars // measure + 1


def _seen(text: str) -> bool:
    return bool(text) and not text.isspace()


class MessageView(View):
    """An agent's message; the others differ in their left edge and style."""

    __slots__ = ("_late", "text")

    entity: Message
    breaks: ClassVar[bool] = False

    def __init__(self, entity: Message, store: Lookup, now: Now) -> None:
        super().__init__(entity, store, now)
        self.text = Text(entity.content)
        self._late = False

    def act(self, action: tuple[Any, ...]) -> bool:
        if action != ("toggle",) or self.foldable:
            return super().act(action)
        folding = self.text.folding  # a message itself does not fold, what stands in it does
        self._opened = frozenset() if folding <= self._opened else folding
        return bool(folding)

    def estimate(self, width: int) -> int:
        return 0 if self.entity.content.blank else self.gap + self.text.estimate(width)

    @property
    def behind(self) -> bool:
        return self.text.behind

    def source(self) -> str:
        return self.entity.content.text()

    def excerpt(self, part: int, fence: int) -> str:
        return self.text.excerpt(part, fence)

    def forget(self) -> None:
        super().forget()
        self.text.forget()

    def page(self, width: int, look: Look) -> Page:
        """Where its words stand."""
        return Page(width, look, ((" ", look.base),), look.base)

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        if self.entity.content.blank:
            return Lines()
        return self.draw_text(width, look, old)

    def draw_text(self, width: int, look: Look, old: Lines | None) -> Lines:
        """The words, and what stands above them."""
        if self._late != self.entity.late:
            self._late, old = self.entity.late, None
        lines = old or self.top(width, look)
        at = self.now()
        growing = at if self.entity.closed_at is None else None
        end = at + self.patience
        page = self.page(width, look)

        def enough() -> bool:
            return self.now() > end

        if not self.text.draw(lines, page, not old, self._opened, growing, enough):
            lines = self.top(width, look)
            self.text.draw(lines, page, True, self._opened, growing, enough)
        return lines

    def top(self, width: int, look: Look) -> Lines:
        """The lines above the words."""
        lines = self.begin(width, look)
        if self.entity.late and self.entity.key.kind != Kind.USER_MESSAGE:
            said = [("late: it grew after its turn had ended", look.dim)]
            lines.extend(wrap(said, width, look.base, first=[(" ", look.base)]))
        return lines


class UserView(MessageView):
    """The user's words, with the accent bar that marks nothing else; their line breaks are kept."""

    __slots__ = ()

    def page(self, width: int, look: Look) -> Page:
        return Page(width, look, (("▌", look.user_bar), (" ", look.base)), look.user, breaks=True)


class ThoughtView(MessageView):
    """A thought: one dim line with its duration until it is unfolded (MS-04)."""

    __slots__ = ()

    compact = True
    foldable = True

    def estimate(self, width: int) -> int:
        if self.entity.content.blank:
            return 0
        return self.gap + 1 + (0 if self.folded else self.text.estimate(width))

    @property
    def ticking(self) -> bool:
        return self.entity.closed_at is None and not self.entity.content.blank

    def page(self, width: int, look: Look) -> Page:
        return Page(width, look, (("   ", look.base),), look.thought)

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        if self.entity.content.blank:
            return Lines()
        if self.folded:
            return self.top(width, look)
        if old:
            title = self._title(width, look)
            if title != old.strips[self.gap]:
                old.strips.replace(self.gap, (title,))
        return self.draw_text(width, look, old)

    def top(self, width: int, look: Look) -> Lines:
        lines = self.begin(width, look)
        lines.add(self._title(width, look), 3)
        return lines

    def _title(self, width: int, look: Look) -> Strip:
        entity = self.entity
        end = entity.closed_at
        if end is not None:
            took = words.duration(end - entity.created_at) if end - entity.created_at >= 0.05 else ""
        else:
            took = words.running(self.now() - entity.created_at)
        word = "thought" if end is not None else "thinking"
        style = look.thought + act("toggle")
        left = [(" ▸ " if self.folded else " ▾ ", look.dim + act("toggle")), (word, style)]
        late = "late  " if entity.late else ""
        return spread(left, [(late + took + " ", look.time)], width, look.base)


class OpenThoughtView(ThoughtView):
    """A thought that stands open while it grows, and folds when it is over, unless the user chose."""

    __slots__ = ()

    def folded_at_first(self) -> bool:
        return self.entity.closed_at is not None


class SessionMessageView(MessageView):
    """A message between sessions, under a line that says between which (SA-05)."""

    __slots__ = ()

    entity: SessionMessage

    def page(self, width: int, look: Look) -> Page:
        return Page(width, look, (("   ", look.base),), look.base)

    def top(self, width: int, look: Look) -> Lines:
        lines = self.begin(width, look)
        sender, to = self.entity.sender_session_id, self.entity.recipient_session_id
        runs: list[Run] = [("⇄ message", look.title)]
        if sender and sender != self._own():
            runs.append((f" from {self._name(sender)}", look.dim))
        if to and to != self._own():
            runs.append((f" to {self._name(to)}", look.dim))
        lines.extend(wrap(runs, width, look.base, first=[(" ", look.base)]))
        return lines

    def _own(self) -> str | None:
        session = self.store.sessions.get(self.entity.key.session)
        return session.session_id if session is not None else None

    def _name(self, session_id: str) -> str:
        """The title of a subagent, the session this one works for, else the session's id."""
        entity = self.store.entity(Key(self.entity.key.session, Kind.SUBAGENT, session_id))
        if isinstance(entity, Subagent):
            return f"“{title_of(entity, self.store)}”"
        own = self.store.sessions.get(self.entity.key.session)
        above = self.store.sessions.get(own.parent) if own is not None and own.parent is not None else None
        if above is not None and above.session_id == session_id:
            return "the agent above"
        return one_line(session_id, 40)
