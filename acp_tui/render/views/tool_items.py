"""What a tool call holds, item by item, as lines: text, blocks, diffs, terminals, references to sessions
(TC-05).

Invariant: an item is laid out again only when it, the terminal it names or the page changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from acp_tui.protocol.content import TextContent
from acp_tui.protocol.tool_call import Content, Diff, SessionLink, Terminal
from acp_tui.protocol.unknown import Unknown
from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.code import language_of
from acp_tui.render.diff import Layout, Reading, diff_lines, owner, read
from acp_tui.render.look import Look, act
from acp_tui.render.markdown import Document, Page
from acp_tui.render.paths import relative
from acp_tui.render.view import Lookup, Now
from acp_tui.render.views.around import Aim, terminal_around, text_around
from acp_tui.render.views.content import block_lines, code_lines, for_agents, json_lines
from acp_tui.render.views.subagent import seen as shown_of
from acp_tui.render.views.subagent import state_of, subagent_line, title_of, watched
from acp_tui.render.views.terminal import Playback, facts, terminal_lines
from acp_tui.render.wrap import Lines, Run, size_of, spread, wrap
from acp_tui.store.entities import Subagent, ToolCall
from acp_tui.store.entities import Terminal as TerminalEntity
from acp_tui.store.holding import Handle, Item, Plain, is_diff, loaded, reference
from acp_tui.store.keys import Key, Kind

_TOLD = re.compile(
    r"(?:found +)?(no|\d[\d,]{0,8}) +(match|result|hit|file|line|reference)(?:es|s)?\b", re.IGNORECASE
)
_HIT = re.compile(r"\S[^:\n]{0,300}:\d+[:-]")
CHILDREN = 8
"""Subagents that are shown under a folded call."""

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
    file: str | None = None
    """The path of the file whose text it is, if it is one."""
    aim: Aim | None = None
    """Where a long item is drawn, if not at its beginning or end."""


class Seen:
    """What was made of the items of a call that came into sight."""

    __slots__ = ("counts", "made", "players", "readings")

    def __init__(self) -> None:
        self.made: dict[int, tuple[Any, Lines]] = {}
        self.readings: dict[int, tuple[Item, Reading]] = {}
        self.players: dict[str, Playback] = {}
        self.counts: tuple[Item, str] | None = None


class Items:
    """The content of one tool call; keeps what it made of each item."""

    __slots__ = ("_seen", "call", "now", "store")

    def __init__(self, store: Lookup, call: Key, now: Now) -> None:
        self.store = store
        self.call = call
        self.now = now
        self._seen: Seen | None = None

    @property
    def seen(self) -> Seen:
        """What was made so far; most calls are never looked at."""
        if self._seen is None:
            self._seen = Seen()
        return self._seen

    # What the items name

    def terminal(self, item: Item) -> TerminalEntity | None:
        """The terminal an item names, once something is known of it (TM-02)."""
        named = reference(item)
        entity = self.store.entity(self._named(named)) if isinstance(named, Terminal) else None
        return entity if isinstance(entity, TerminalEntity) else None

    def subagent(self, item: Item) -> Subagent | None:
        """The child session an item names, once it was announced."""
        named = reference(item)
        entity = self.store.entity(self._named(named)) if isinstance(named, SessionLink) else None
        return entity if isinstance(entity, Subagent) else None

    def _named(self, item: Terminal | SessionLink) -> Key:
        if isinstance(item, Terminal):
            return Key(self.call.session, Kind.TERMINAL, item.terminal_id)
        return Key(self.call.session, Kind.SUBAGENT, item.session_id)

    def elsewhere(self, item: Terminal | SessionLink) -> ToolCall | None:
        """The later call that shows what this item names; it stands in one place only (TM-17)."""
        session = self.store.sessions.get(self.call.session)
        calls = session.shown_in.get(self._named(item)) if session is not None else None
        if not calls or calls[-1] == self.call:
            return None
        other = self.store.entity(calls[-1])
        return other if isinstance(other, ToolCall) else None

    def related(self, items: Sequence[Item]) -> tuple[Key, ...]:
        """Entities and sessions whose changes are seen here."""
        keys: list[Key] = []
        for item in items:
            if (named := reference(item)) is not None:
                keys.append(self._named(named))
                child = self.subagent(item)
                keys += watched(child) if child is not None else ()
        return tuple(dict.fromkeys(keys)) if keys else ()

    def state(self, items: Sequence[Item]) -> tuple[object, ...]:
        """What is shown of other entities, beyond their revisions."""
        return tuple(self._state(item) for item in items if reference(item) is not None)

    def _state(self, item: Item) -> object:
        named = reference(item)
        if named is None:
            return None
        other, child, terminal = self.elsewhere(named), self.subagent(named), self.terminal(named)
        where = called(other) if other is not None else None
        return where, child and shown_of(child, self.store), terminal and terminal.revision

    def running(self, items: Sequence[Item], opened: bool) -> bool:
        """Something here shows a time that runs."""
        for item in items:
            child, terminal = self.subagent(item), self.terminal(item)
            if child is not None and state_of(child, self.store) == "running":
                return True
            if opened and terminal is not None and not terminal.exited and not terminal.no_final:
                return True
        return False

    # What can be said of them in a word

    def reading(self, index: int, item: Item) -> Reading | None:
        """A diff, understood once."""
        if not is_diff(item):
            return None
        known = self.seen.readings.get(index)
        if known is None or known[0] is not item:
            known = self.seen.readings[index] = (item, _reading(loaded(item)))
        return known[1]

    def found(self, items: Sequence[Item]) -> str:
        """How much a search found, if its one text says so (understood once)."""
        if len(items) != 1:
            return ""
        counts = self.seen.counts
        if counts is None or counts[0] is not items[0]:
            counts = self.seen.counts = items[0], matches(text_of(items[0]))
        return counts[1]

    def commands(self, items: Sequence[Item]) -> set[str]:
        """The commands of the terminals that are shown here."""
        named = [one for one in map(reference, items) if isinstance(one, Terminal)]
        known = [self.terminal(one) for one in named if self.elsewhere(one) is None]
        return {one.command.strip() for one in known if one is not None and one.command}

    # Lines

    def children(self, items: Sequence[Item]) -> int:
        """How many lines `nested` makes."""
        return min(CHILDREN + 1, sum(isinstance(reference(item), SessionLink) for item in items))

    def nested(self, items: Sequence[Item], page: Page) -> Lines:
        """The subagents only: they stand under a folded call, too."""
        made = Lines()
        links = [named for named in map(reference, items) if isinstance(named, SessionLink)]
        for link in links[:CHILDREN]:
            made.extend(self._session(link, page))
        if len(links) > CHILDREN:
            more = words.count(len(links) - CHILDREN, "more subagent")
            made.extend(wrap([(f"… {more}", page.look.dim)], page.width, page.look.base, first=page.left))
        return made

    def lines(self, items: Sequence[Item], room: Room, opened: frozenset[int]) -> Lines:
        """All items in order; `opened` are the numbers of those the user unfolded."""
        made = Lines()
        named = list(map(reference, items))
        last = {one.terminal_id: index for index, one in enumerate(named) if isinstance(one, Terminal)}
        for index, item in enumerate(items):
            if isinstance(one := named[index], Terminal) and last[one.terminal_id] != index:
                continue
            inside = frozenset(part for part in opened if index in (part, owner(part)))
            second = int(room.at) if self.running([item], True) else 0
            aim = room.aim if room.aim is not None and room.aim.item == index else None
            key = (item, self._state(item), second, replace(room, at=0.0, aim=aim), inside)
            known = self.seen.made.get(index)
            if known is None or not _same(known[0], key):
                known = self.seen.made[index] = (key, self._item(index, item, replace(room, aim=aim), inside))
            made.extend(known[1])
        return made

    def _item(self, index: int, item: Item, room: Room, inside: frozenset[int]) -> Lines:
        page, opened = room.page, index in inside
        if (reading := self.reading(index, item)) is not None:
            return self._diff(index, reading, room, inside)
        held = loaded(item)
        if isinstance(held, Content):
            block = held.content
            if isinstance(block, TextContent) and room.aim is not None:
                return text_around(block.text, room.aim.offset, page)
            if isinstance(block, TextContent) and not for_agents(block):
                if (language := language_in(block.text, room.file)) is not None:
                    return code_lines(block.text.strip("\n"), language, page, room.limits.text)
                return _text(block.text, replace(page, part=index), room.limits.text)
            return block_lines(block, page, index, opened)
        if isinstance(held, Terminal):
            return self._terminal(held, room)
        if isinstance(held, SessionLink):
            return self._session(held, page)
        return _unknown(held, page, index, opened) if isinstance(held, Unknown) else Lines()

    def _diff(self, index: int, reading: Reading, room: Room, inside: frozenset[int]) -> Lines:
        page, cwd = room.page, self._cwd()
        named = len(reading.files) == 1 and relative(reading.files[0].path, cwd) in room.title
        return diff_lines(
            reading,
            page.width,
            page.look,
            cwd=cwd,
            left=page.left,
            limit=room.limits.diff,
            head=not named,
            layout=room.layout,
            toggled=inside,
            index=index,
        )

    def _cwd(self) -> str:
        session = self.store.sessions.get(self.call.session)
        return session.cwd if session is not None else ""

    def _session(self, item: SessionLink, page: Page) -> Lines:
        child, look = self.subagent(item), page.look
        other = self.elsewhere(item)
        if child is not None and other is None:
            made = Lines()
            made.add(subagent_line(child, self.store, self.now(), page.left, page.width, look))
            return made
        name = title_of(child, self.store) if child is not None else one_line(item.session_id, 80)
        runs: list[Run] = [("↳ ", look.kind), (f"session {name}" if child is None else name, look.dim)]
        return wrap([*runs, *_below(other, look)], page.width, look.base, first=page.left)

    def _terminal(self, item: Terminal, room: Room) -> Lines:
        entity, other = self.terminal(item), self.elsewhere(item)
        page, look = room.page, room.page.look
        rest = [*page.left, ("  ", look.base)]
        if other is not None:
            name = one_line(entity.command or "", 200) if entity is not None else ""
            runs: list[Run] = [("$ ", look.kind), (name or "terminal", look.dim), *_below(other, look)]
            return wrap(runs, page.width, look.base, first=page.left, rest=rest)
        if entity is None:
            said = "terminal: nothing known of it yet"
            return wrap([(said, look.dim)], page.width, look.base, first=page.left)
        player = self.seen.players.get(item.terminal_id)
        if player is None or player.terminal is not entity:
            player = self.seen.players[item.terminal_id] = Playback(entity)
        made = Lines()
        command = one_line(entity.command or "")
        if room.limits is OPEN or (command and command not in room.title):
            runs = [("$ ", look.kind), (command or "terminal", look.strong), *self._facts(entity, room)]
            made.extend(wrap(runs, page.width, look.base, first=page.left, rest=rest))
        if room.aim is not None:
            made.extend(terminal_around(entity, room.aim.line, page))
        else:
            made.extend(terminal_lines(player, page, room.limits.terminal))
        return made

    def _facts(self, entity: TerminalEntity, room: Room) -> list[Run]:
        """Where it runs, and how it stands with it where the line above does not say so."""
        cwd = relative(entity.cwd or "", self._cwd())
        said = [f"in {one_line(cwd)}"] if cwd not in ("", ".") else []
        if room.limits is OPEN:
            said += facts(entity, room.at)
        return [("  " + " · ".join(said), room.page.look.dim)] if said else []


def called(call: ToolCall) -> str:
    """What a call is called, in one line: its title, else the tool's name, else its kind (TC-02)."""
    return one_line(call.title or call.name or (call.kind if call.kind != "other" else "tool call"))


def file_read(call: ToolCall) -> str | None:
    """The path of the one file that a call has read, if that is what it did."""
    one = call.kind == "read" and len(call.locations) == 1 and call.status != "failed"
    return call.locations[0].path if one else None


def language_in(text: str, path: str | None) -> str | None:
    """The language to show a text of a file in; None: it is words, or says itself what it is."""
    if path is None or "\n" not in text.strip("\n") or text.lstrip()[:3] in ("```", "~~~"):
        return None
    language = language_of(path)
    return None if language in ("markdown", "restructuredtext") else language


def text_of(item: Any) -> str:
    """The text of an item that is one; a long one is left where it is."""
    if isinstance(item, Plain):
        return item.text
    block = item.content if isinstance(item, Content) else None
    return block.text if isinstance(block, TextContent) else ""


def matches(text: str) -> str:
    """`12 matches`, if the text of a search says so or is a list of them."""
    text = text[:TEXT].strip()
    told = _TOLD.match(text)
    if told is not None:
        noun = told[2].lower()
        many = noun + ("es" if noun == "match" else "s")
        number = told[1].replace(",", "")
        return words.count(int(number), noun, many) if number.isdecimal() else f"no {many}"
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("```")]
    if lines and all(map(_HIT.match, lines)):
        return words.count(len(lines), "match", "matches")
    return ""


def _reading(held: Any) -> Reading:
    """A diff understood; of one that is gone, what is said in its place."""
    return read(held) if isinstance(held, Diff) else Reading((), text_of(held))


def _below(other: ToolCall | None, look: Look) -> list[Run]:
    return [(f"  shown below: {one_line(called(other), 60)}", look.dim)] if other is not None else []


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
    first = Lines()
    first.add(spread([*page.left, *runs], [(" ", look.base)], page.width, look.base), size_of(page.left))
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
