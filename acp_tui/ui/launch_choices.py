"""What the start screen offers, and which of it fits what was typed. Pure; knows no Textual.

Invariants: an agent stands there once, however it was started before; what was used last comes first, the
demo last among agents once something was used; texts are clean for a screen, secrets are not shown.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from acp_tui.base import redact
from acp_tui.base.config import AgentSettings
from acp_tui.base.recent import RecentCommand
from acp_tui.base.spoken import spoken
from acp_tui.journal.entry import Badge, Entry
from acp_tui.render.clean import one_line
from acp_tui.services.known_agents.catalog import bundled
from acp_tui.services.known_agents.listing import Listed, State
from acp_tui.ui.widgets.header import short_folder

_DAY = 86_400
DEMO = (sys.executable, "-m", "acp_tui.demo")
ABSENT = "not installed"
FOUND = 20
"""Sessions that fit what was typed, at most."""


def ago(seconds: float) -> str:
    """Roughly how long ago."""
    days = int(seconds // _DAY)
    if days > 0:
        return f"{days} days ago" if days > 1 else "yesterday"
    minutes = int(max(0.0, seconds) // 60)
    if minutes >= 60:
        return f"{minutes // 60} h ago"
    return f"{minutes} min ago" if minutes else "just now"


@dataclass(frozen=True, slots=True)
class Choice:
    """One row."""

    kind: Literal["agent", "other", "session", "more", "command"]
    """`other`: an agent that is not on this machine."""
    label: str
    note: str = ""
    right: str = ""
    command: tuple[str, ...] = ()
    """What starts it; one word that is known, as a name."""
    cwd: str = ""
    id: str = ""
    """Of a session."""
    words: str = ""
    """What it can be found by, besides what is shown."""
    forgettable: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """The same after the list was filled anew."""
        return (self.kind, self.command, self.cwd, self.id)


def quick(agents: Mapping[str, AgentSettings], used: Sequence[RecentCommand]) -> list[Listed]:
    """What is listed without looking at the disk: those of the settings, and known ones that were used."""
    found = [
        Listed(name, name, State.OWN, command=agent.command)
        for name, agent in agents.items()
        if agent.command and not agent.disabled
    ]
    names = {one.name for one in found} | {name for name, agent in agents.items() if agent.disabled}
    for one in used:
        known = bundled().started_by(one.command)
        if known is not None and known[0].name not in names:
            names.add(known[0].name)
            found.append(Listed(known[0].name, known[0].title, State.INSTALLED, command=one.command))
    return found


def agents(cwd: str, at: float, used: Sequence[RecentCommand], found: Sequence[Listed]) -> list[Choice]:
    """Those that are here: of the settings, installed, or started before by a command of their own."""
    last: dict[str, float] = {}
    rest = []
    for one in used:
        name = _whose(one.command, found)
        if name:
            last[name] = max(last.get(name, 0.0), one.used_at)
        elif one.command[1:3] != DEMO[1:]:
            rest.append(one)
    ranked = [(one.used_at, _used(one, at)) for one in rest]
    for listed in found:
        time = max(last.get(listed.name, 0.0), listed.met.at if listed.met is not None else 0.0)
        if listed.here or (listed.state is State.FETCHED and time and listed.agreed):
            ranked.append((time, _agent(listed, cwd, at, time)))
    demo = Choice("agent", "demo", "see everything in a minute, no account", command=DEMO, cwd=cwd)
    ranked.sort(key=lambda one: -one[0])
    rows = [row for _, row in ranked]
    return [*rows, demo] if ranked and ranked[0][0] else [demo, *rows]


def _whose(command: tuple[str, ...], found: Sequence[Listed]) -> str:
    name = next((one.name for one in found if command == one.command), "")
    if name:
        return name
    known = bundled().started_by(command)
    return known[0].name if known is not None and any(one.name == known[0].name for one in found) else ""


def _agent(listed: Listed, cwd: str, at: float, used: float) -> Choice:
    version = f"v{listed.met.protocol}" if listed.met is not None else ""
    right = " · ".join(word for word in (version, ago(at - used) if used else "") if word)
    words = f"{listed.title} {listed.about}"
    note = redacted(listed.command)
    return Choice("agent", one_line(listed.name, 40), note, right, (listed.name,), cwd, words=words)


def _used(one: RecentCommand, at: float) -> Choice:
    label = one_line(shlex.join(spoken(one.command)), 200)
    note = short_folder(one.cwd)
    return Choice("agent", label, note, ago(at - one.used_at), one.command, one.cwd, forgettable=True)


def others(cwd: str, shown: Sequence[Choice], found: Sequence[Listed]) -> list[Choice]:
    """Known agents that are not here, those that can be fetched first."""
    names = {row.label for row in shown}
    return [_other(one, cwd) for one in found if one.state is not State.DISABLED and one.name not in names]


def _other(one: Listed, cwd: str) -> Choice:
    ways = {State.FETCHED: f"by {one.tool}", State.NEVER: "cannot start here"}
    return Choice(
        "other",
        one.name,
        one_line(one.about, 120),
        ways.get(one.state, ABSENT),
        (one.name,),
        cwd,
        words=f"{one.title} {' '.join(one.command)}",
    )


def more(hidden: Sequence[Choice]) -> Choice:
    """Stands for those that are not shown."""
    names = ", ".join(row.label for row in hidden)
    return Choice("more", f"{len(hidden)} more", f"{ABSENT}: {names}")


def sessions(cwd: str, at: float, entries: Sequence[Entry]) -> list[Choice]:
    """Saved ones, newest first, pinned or not."""
    saved = (one for one in entries if Badge.SAVED in one.badges)
    return [_session(one, cwd, at) for one in sorted(saved, key=lambda one: -one.active)]


def _session(entry: Entry, cwd: str, at: float) -> Choice:
    where = "" if entry.cwd == cwd else short_folder(entry.cwd)
    agent = one_line(entry.agent, 30)
    state = "running" if Badge.RUNNING in entry.badges else ""
    state = "interrupted" if Badge.INTERRUPTED in entry.badges else state
    right = " · ".join(word for word in (state, ago(at - entry.active) if entry.active else "") if word)
    note = " · ".join(word for word in (agent, where) if word)
    title = one_line(entry.title, 200) or "without a title"
    return Choice("session", title, note, right, cwd=entry.cwd, id=entry.id, words=one_line(entry.branch))


def redacted(command: tuple[str, ...]) -> str:
    """A command as it may be shown."""
    return one_line(shlex.join(redact.command(command)), 200)


def matching(text: str, rows: Sequence[Choice]) -> list[Choice]:
    """Those that hold every word, whose names begin so first, not too many sessions."""
    words = text.casefold().split()
    found = [row for row in rows if all(_has(row, word) for word in words)]
    found.sort(key=lambda row: (row.kind == "session", not row.label.casefold().startswith(words[0])))
    some = [row for row in found if row.kind == "session"][:FOUND]
    return [*(row for row in found if row.kind != "session"), *some]


def _has(row: Choice, word: str) -> bool:
    """It is shown there; what is not shown must begin so, lest a few letters find what seems unlike them."""
    hidden = row.words.casefold().split() if len(word) > 2 else ()
    return word in f"{row.label} {row.note}".casefold() or any(one.startswith(word) for one in hidden)


def typed(text: str, cwd: str) -> Choice | None:
    """What was typed, as a command; None: it does not read as one."""
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        return None
    return Choice("command", one_line(text, 200), "start this command", "", words, cwd) if words else None


def best(text: str, rows: Sequence[Choice], which: Callable[[str], object] = shutil.which) -> int:
    """Which of the rows that fit is marked: the one called so, a command whose program is there, a name that
    begins so, else the first.
    """
    wanted = text.strip().casefold()
    for at, row in enumerate(rows):
        if row.label.casefold() == wanted and row.kind != "command":
            return at
    command = next((at for at, row in enumerate(rows) if row.kind == "command"), None)
    begins = rows and rows[0].kind in ("agent", "other") and rows[0].label.casefold().startswith(wanted)
    if command is None or begins:
        return 0
    return command if which(rows[command].command[0]) else 0
