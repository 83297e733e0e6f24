"""What stands in the place of a conversation that has not begun: who is there, where, and what to do.

It follows the store until the first entry comes, then nothing any more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.cells import cell_len
from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.base.complaint import complaint
from acp_tui.render.clean import clean, one_line
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION, Store
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.widgets.header import short_folder
from acp_tui.ui.writing.offers import Command, offered

NAMED = 3
"""Commands that are named; `/` has them all."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What it says."""

    agent: str
    folder: str
    commands: tuple[Command, ...] = ()
    """The first few."""
    others: int = 0
    problem: str = ""
    """Why there is no session."""


def facts(store: Store, session: Session | None) -> Facts | None:
    """What to say; None where there is a conversation, or nothing is known yet of one."""
    if session is None or session.phase not in ("open", "failed") or session.continues is not None:
        return None
    if session.timeline or session.tail or (session.phase == "failed" and session.failure is None):
        return None
    info, commands = store.connection.agent_info, offered(session.commands)
    version = f" {one_line(info.version, 30)}" if info is not None and info.version else ""
    return Facts(
        one_line(store.connection.agent_name, 60) + version,
        short_folder(session.cwd),
        tuple(commands[:NAMED]),
        max(0, len(commands) - NAMED),
        _problem(session),
    )


def _problem(session: Session) -> str:
    failure = session.failure if session.phase == "failed" else None
    return complaint(failure.message, failure.data) if failure is not None else ""


class Welcome(Bound, Widget):
    """Hidden as soon as there is something to read."""

    facts: reactive[Facts | None] = reactive(None)

    def __init__(self, shown: Callable[[bool], None]) -> None:
        super().__init__()
        self.shown = shown
        """Told whether it stands there."""

    def show(self, store: Store, ref: str) -> None:
        """Follow this session until it has begun."""
        self.unfollow()

        def changed(_: frozenset[Key]) -> None:
            session = store.sessions.get(ref)
            self.facts = facts(store, session)
            if session is not None and (session.timeline or session.tail):
                self.unfollow()

        kinds = (Kind.TIMELINE, Kind.COMMANDS, Kind.SESSION)
        self.follow(store, changed, [CONNECTION, Key("", Kind.SESSIONS), *(Key(ref, kind) for kind in kinds)])
        changed(frozenset())

    def watch_facts(self, new: Facts | None) -> None:
        """There or not."""
        self.display = new is not None
        self.shown(self.display)

    def render(self) -> RenderResult:
        if self.facts is None:
            return ""
        width = self.content_size.width
        made = [row.truncate(width, ellipsis=True) for row in rows(self.facts)]
        if self.facts.problem:
            made += [Content(), Content.styled(clean(self.facts.problem), "$text-error")]
        return Content("\n").join(made)


def rows(facts: Facts) -> list[Content]:
    """The rows; what cannot be done without a session is left out."""
    if facts.problem:
        return [Content.styled(facts.agent, "bold $foreground"), Content(facts.folder)]
    made = [_row(keys.hint("composer.send"), "sends what you write below")]
    if facts.commands:
        count = len(facts.commands) + facts.others
        made.append(_row("/", "the agent's command" if count == 1 else f"the agent's {count} commands"))
        names = max(cell_len(command.name) for command in facts.commands) + 1
        made += [_command(command, names) for command in facts.commands]
    made.append(_row(keys.hint("everywhere.help"), "all keys"))
    return [Content.styled(facts.agent, "bold $foreground"), Content(facts.folder), Content(), *made]


def _row(key: str, what: str) -> Content:
    return Content.assemble((key.ljust(7), "$foreground"), what)


def _command(command: Command, width: int) -> Content:
    name = f"/{command.name}".ljust(width)
    return Content.assemble(" " * 7, (name, "$foreground"), f"  {command.description}")
