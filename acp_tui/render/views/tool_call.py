"""A tool call: one line that opens (TC).

Invariants: a failure opens by itself; a running call shows its diff and the last lines of its terminal, but
not while it waits for the user, as the panel does then; anything else is one line until the user opens it;
subagents that it started stand under it also while it is folded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

from acp_tui.protocol.tool_call import Diff, Terminal
from acp_tui.render.clean import clean, one_line
from acp_tui.render.diff import Layout, other_layout
from acp_tui.render.look import Look
from acp_tui.render.markdown import Page
from acp_tui.render.markdown.fence import fence_source
from acp_tui.render.permission import asks_about
from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.views.around import Aim
from acp_tui.render.views.content import json_lines
from acp_tui.render.views.ruled import ruled_lines, told_of
from acp_tui.render.views.terminal import told_by
from acp_tui.render.views.tool_items import (
    FAILED,
    LIVE,
    OPEN,
    TEXT,
    Items,
    Limits,
    Room,
    file_read,
    raw_lines,
    text_of,
)
from acp_tui.render.views.tool_line import Said, ToolLine, place_run
from acp_tui.render.views.tool_told import ages
from acp_tui.render.wrap import Lines, size_of, wrap
from acp_tui.store.entities import ToolCall
from acp_tui.store.holding import Plain, is_diff, loaded, reference
from acp_tui.store.keys import Key

RAW_INPUT, RAW_OUTPUT = -1, -2
"""Names of the raw values among the parts that fold."""


class ToolCallView(View):
    """See the module."""

    __slots__ = ("_aim", "_items", "_sizes", "layout")

    compact = True
    foldable = True
    entity: ToolCall

    def __init__(self, entity: ToolCall, store: Lookup, now: Now) -> None:
        super().__init__(entity, store, now)
        self._aim: Aim | None = None
        self._items: Items | None = None
        self._sizes: tuple[tuple[int, int, float], ...] = ()
        """Of the texts as they were read last: item, characters, lines drawn at most."""
        self.layout: Layout = "auto"
        """How its diffs are shown."""

    @property
    def items(self) -> Items:
        """What its content looks like; made when it is wanted."""
        if self._items is None:
            self._items = Items(self.store, self.entity.key, self.now)
        return self._items

    def act(self, action: tuple[object, ...]) -> bool:
        if action != ("layout",):
            return super().act(action)
        if not any(map(is_diff, self.entity.content)):
            return False
        if self.folded:
            self.toggle()
        else:
            self.layout = other_layout(self.layout, self._key[0] if self._key is not None else 0)
        return True

    def folded_at_first(self) -> bool:
        call = self.entity
        if call.status == "failed":
            return False
        live = call.running and any(
            is_diff(item) or isinstance(reference(item), Terminal) for item in call.content
        )
        return not live or self.waits_for() is not None

    def related(self) -> tuple[Key, ...]:
        shown = self.items.related(self.entity.content) if self._names() else ()
        waiting = self.waits_for()
        return (*shown, waiting) if waiting is not None else shown

    def others(self) -> tuple[object, ...]:
        return (*super().others(), self.items.state(self.entity.content), self.cwd, self.layout, self._aim)

    def _names(self) -> bool:
        """Something in it stands for a terminal or a session; most calls have nothing of the kind."""
        return any(reference(item) is not None for item in self.entity.content)

    def waits_for(self) -> Key | None:
        """The request about this call that waits for the user."""
        if not self.store.requests:
            return None
        about = (key for key in self.store.requests if key.session == self.entity.key.session)
        return next((key for key in about if asks_about(self.store, key) == self.entity.key), None)

    @property
    def ticking(self) -> bool:
        call = self.entity
        if call.running and (call.started_at is not None or ages(call)):
            return True
        return self.items.running(call.content, opened=not self.folded)

    def estimate(self, width: int) -> int:
        children = self.items.children(self.entity.content) if self._names() else 0
        ruled = len(self.entity.ruled)
        if self.folded:
            return self.gap + 1 + ruled + children
        limits = self._limits()
        per_item = limits.terminal + 2 if self._choice is None else 12
        return self.gap + 2 + ruled + per_item * min(len(self.entity.content), 20)

    def source(self) -> str:
        return "".join(self.pieces())

    def pieces(self) -> Iterator[str]:
        yield self.title()
        sizes = []
        for index, text, drawn in self._texts():
            yield "\n"
            size = 0
            for piece in text:
                size += len(piece)
                yield piece
            sizes.append((index, size, drawn))
        self._sizes = tuple(sizes)

    def _texts(self) -> Iterator[tuple[int, Iterable[str], float]]:
        """The items that have a text, by number, and how many lines of it are drawn at most."""
        for index, item in enumerate(self.entity.content):
            held = item if isinstance(item, Plain) else loaded(item)
            terminal = self.items.terminal(held)
            if terminal is not None:
                yield index, told_by(terminal.output), OPEN.terminal
            elif isinstance(held, Diff):
                yield index, [held.patch.text if held.patch else "\n".join(_paths(held))], inf
            elif text := text_of(held):
                yield index, [text], OPEN.text if len(text) <= TEXT else 0

    def toggle(self) -> None:
        super().toggle()
        self._aim = None

    def reveal(self, offset: int | None, source: str = "") -> bool:
        before, self._aim = self._aim, None
        if offset is not None:
            source = source or self.source()
            start = len(self.title()) + 1
            for index, size, drawn in self._sizes:
                end = start + size
                if start <= offset <= end and source.count("\n", start, end) >= drawn:
                    self._aim = Aim(index, offset - start, source.count("\n", start, offset))
                start = end + 1
        return self._aim != before

    def forget(self) -> None:
        super().forget()
        self._items = None

    def excerpt(self, part: int, fence: int) -> str:
        item = loaded(self.entity.content[part]) if part < len(self.entity.content) else None
        return fence_source(text_of(item), fence)

    def title(self) -> str:
        """What the call does."""
        return self._line().title()

    def said(self) -> Said:
        """Its one line, in words alone."""
        return self._line().said()

    def _line(self) -> ToolLine:
        return ToolLine(self.entity, self.items, self.cwd, self.waits_for() is not None, self.now())

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        call, line = self.entity, self._line()
        lines = self.begin(width, look)
        lines.add(line.strip(width, look))
        if call.ruled:
            lines.extend(ruled_lines(told_of(call, self.store), width, look))
        page = Page(width, look, (("   ", look.base),), look.base)
        if self.folded:
            lines.extend(self.items.nested(call.content, page))
            return lines
        if self._choice is not None:
            lines.extend(self._facts(page))
        room = Room(page, self._limits(), line.title(), self.now(), self.layout, file_read(call), self._aim)
        lines.extend(self.items.lines(call.content, room, self._opened))
        if self._choice is not None:
            self._raw(lines, page, line.status())
        elif not call.content and call.raw_output is not None and call.status == "failed":
            lines.extend(json_lines(loaded(call.raw_output), page, FAILED.text))
        return lines

    def _limits(self) -> Limits:
        if self._choice is not None:
            return OPEN
        return LIVE if self.entity.running else FAILED

    def _facts(self, page: Page) -> Lines:
        """What the one line had no room for: the whole title and all places."""
        call, look = self.entity, page.look
        lines = Lines()
        title = clean(call.title or "").strip()
        told = "\n" not in title and title in self.items.commands(call.content)
        if not told and ("\n" in title or size_of([(title, look.title)]) > page.width - 30):
            lines.extend(wrap([(title, look.title)], page.width, look.base, first=page.left))
        if len(call.locations) > 1:
            for place in call.locations[:50]:
                run = place_run(place.path, place.line, self.cwd, look)
                lines.extend(wrap([run], page.width, look.base, first=page.left))
        return lines

    def _raw(self, lines: Lines, page: Page, status: str) -> None:
        """At the end what is for the curious: raw values, status in words, the tool's name and the id."""
        call, look = self.entity, page.look
        values = (("input", call.raw_input, RAW_INPUT), ("output", call.raw_output, RAW_OUTPUT))
        for name, value, part in values:
            if value is not None:
                lines.extend(raw_lines(name, value, page, part, part in self._opened))
        kind = one_line(call.kind, 40) if call.kind != "other" else ""
        facts = [status, kind, one_line(call.name or "", 60), one_line(call.key.id, 120)]
        said = " · ".join(fact for fact in facts if fact)
        lines.extend(wrap([(said, look.dim)], page.width, look.base, first=page.left))


def _paths(diff: Diff) -> list[str]:
    return [str(getattr(change, "path", "")) for change in diff.changes]
