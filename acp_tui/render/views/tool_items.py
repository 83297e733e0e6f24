"""What a tool call holds, item by item, as lines: text, blocks, diffs, terminals, references to sessions
(TC-05).

Invariant: an item is laid out again only when it, the terminal it names or the page changed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from acp_tui.protocol.content import TextContent
from acp_tui.protocol.tool_call import Content, Diff, SessionLink, Terminal, ToolCallContent
from acp_tui.protocol.unknown import Unknown
from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.diff import Layout, Reading, diff_lines, owner, read
from acp_tui.render.look import act
from acp_tui.render.markdown import Document, Page
from acp_tui.render.paths import relative
from acp_tui.render.view import Lookup
from acp_tui.render.views.content import block_lines, json_lines
from acp_tui.render.views.terminal import Playback, facts, terminal_lines
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import Terminal as TerminalEntity
from acp_tui.store.growing import Handle, loaded
from acp_tui.store.keys import Key, Kind

Item = ToolCallContent | Unknown | Handle
TEXT = 65_536
"""Characters of one text that are laid out in the timeline."""


class Limits(NamedTuple):
    """Most lines of a terminal, a diff and a text."""

    terminal: int
    diff: int
    text: int


LIVE: Final = Limits(4, 40, 4)
"""Under a call that runs …"""
FAILED: Final = Limits(10, 40, 12)
"""… one that failed …"""
OPEN: Final = Limits(100, 400, 400)
"""… and one that the user opened."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where the content of a call is laid out, and when."""

    page: Page
    limits: Limits
    title: str
    """What the line above says already and need not be said again."""
    at: float
    layout: Layout = "auto"
    """How diffs are shown."""


class Items:
    """The content of one tool call; keeps what it made of each item."""

    __slots__ = ("_made", "_players", "_readings", "session", "store")

    def __init__(self, store: Lookup, session: str) -> None:
        self.store = store
        self.session = session
        self._made: dict[int, tuple[Any, Lines]] = {}
        self._readings: dict[int, tuple[Item, Reading]] = {}
        self._players: dict[str, Playback] = {}

    def terminal(self, item: Item) -> TerminalEntity | None:
        """The terminal an item names, once something is known of it (TM-02)."""
        if not isinstance(item, Terminal):
            return None
        entity = self.store.entity(Key(self.session, Kind.TERMINAL, item.terminal_id))
        return entity if isinstance(entity, TerminalEntity) else None

    def reading(self, index: int, item: Item) -> Reading | None:
        """A diff, understood once."""
        if not isinstance(item, Diff):
            return None
        known = self._readings.get(index)
        if known is None or known[0] is not item:
            known = self._readings[index] = (item, read(item))
        return known[1]

    def lines(self, items: Sequence[Item], room: Room, opened: frozenset[int]) -> Lines:
        """All items in order; `opened` are the numbers of those the user unfolded."""
        made = Lines()
        for index, item in enumerate(items):
            terminal = self.terminal(item)
            state = None
            if terminal is not None:
                state = (terminal.revision, int(room.at) if not terminal.exited else 0)
            inside = frozenset(part for part in opened if index in (part, owner(part)))
            key = (item, state, room.page, room.limits, room.title, room.layout, inside)
            known = self._made.get(index)
            if known is None or not _same(known[0], key):
                known = self._made[index] = (key, self._item(index, item, room, inside))
            made.extend(known[1])
        return made

    def _item(self, index: int, item: Item, room: Room, inside: frozenset[int]) -> Lines:
        page, opened = room.page, index in inside
        if isinstance(item, Handle):
            item = loaded(item)
        if isinstance(item, Content):
            block = item.content
            if isinstance(block, TextContent):
                return _text(block.text, page, room.limits.text)
            return block_lines(block, page, index, opened)
        if (reading := self.reading(index, item)) is not None:
            named = len(reading.files) == 1 and relative(reading.files[0].path, self._cwd()) in room.title
            return diff_lines(
                reading,
                page.width,
                page.look,
                cwd=self._cwd(),
                left=page.left,
                limit=room.limits.diff,
                head=not named,
                layout=room.layout,
                toggled=inside,
                index=index,
            )
        if isinstance(item, Terminal):
            return self._terminal(item, room)
        if isinstance(item, SessionLink):
            runs: list[Run] = [("⑂ session ", page.look.kind), (one_line(item.session_id, 80), page.look.dim)]
            return wrap(runs, page.width, page.look.base, first=page.left)
        return _unknown(item, page, index, opened) if isinstance(item, Unknown) else Lines()

    def _cwd(self) -> str:
        session = self.store.sessions.get(self.session)
        return session.cwd if session is not None else ""

    def _terminal(self, item: Terminal, room: Room) -> Lines:
        entity = self.terminal(item)
        page, look = room.page, room.page.look
        if entity is None:
            return wrap(
                [("terminal: nothing known of it yet", look.dim)], page.width, look.base, first=page.left
            )
        player = self._players.get(item.terminal_id)
        if player is None or player.terminal is not entity:
            player = self._players[item.terminal_id] = Playback(entity)
        made = Lines()
        if room.limits is OPEN:
            runs: list[Run] = [("$ ", look.kind), (one_line(entity.command or "terminal"), look.strong)]
            said = [*([f"in {one_line(entity.cwd)}"] if entity.cwd else []), *facts(entity, room.at)]
            runs.append(("  " + " · ".join(said), look.dim))
            made.extend(
                wrap(runs, page.width, look.base, first=page.left, rest=[*page.left, ("  ", look.base)])
            )
        made.extend(terminal_lines(player, page, room.limits.terminal))
        return made


def _same(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    return old[0] is new[0] and old[1:] == new[1:]


def _text(text: str, page: Page, limit: int) -> Lines:
    """The first lines of a text, as markdown: agents put fences around their output."""
    part = text[:TEXT].split("\n", limit)
    head = "\n".join(part[:limit])
    made = Lines()
    Document(head.strip("\n")).grow(made, page)
    left = text.count("\n", min(len(head), TEXT))
    if len(made) > limit * 2:
        left += len(made) - limit * 2
        made.cut(limit * 2)
    if left and (len(part) > limit or len(text) > TEXT or len(made) == limit * 2):
        more = words.count(left, "more line")
        made.extend(
            wrap([(f"… {more}", page.look.dim + act("toggle"))], page.width, page.look.base, first=page.left)
        )
    return made


def _unknown(item: Unknown, page: Page, index: int, opened: bool) -> Lines:
    look = page.look
    mark = "▾ " if opened else "▸ "
    runs: list[Run] = [(f"{mark}unknown content: {one_line(item.type, 60)}", look.dim + act("part", index))]
    made = wrap(runs, page.width, look.base, first=page.left)
    if opened:
        made.extend(json_lines(item.raw, page))
    return made


def raw_lines(name: str, value: Any, page: Page, part: int, opened: bool) -> Lines:
    """A raw value folded to one line with its beginning; opened as highlighted JSON (TC-08)."""
    look = page.look
    preview = words.size(value.size) if isinstance(value, Handle) else one_line(_preview(value), 200)
    mark = "▾ " if opened else "▸ "
    runs: list[Run] = [(mark + name, look.dim + act("part", part))]
    if not opened:
        runs.append(("  " + preview, look.dim))
    first = wrap(runs, page.width, look.base, first=page.left)
    first.cut(1)
    if opened:
        first.extend(json_lines(loaded(value), page))
    return first


def _preview(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_short(one)}" for key, one in list(value.items())[:8])
    return _short(value)


def _short(value: Any) -> str:
    if isinstance(value, str):
        return value[:80]
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else f"[{len(value)}]"
    return json.dumps(value)
