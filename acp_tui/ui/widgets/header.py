"""The one header line: agent, folder and title at the left; model, mode, context and cost at the right.

Options are those the agent confirmed (CF-07); a click on one leads to its values.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from acp_tui.render.clean import one_line, visible
from acp_tui.render.words import cost, tokens
from acp_tui.store.keys import Key, Kind
from acp_tui.ui.binding import Bound

if TYPE_CHECKING:
    from acp_tui.store.session import Session, Usage
    from acp_tui.store.store import Store

FULL = 0.8
"""From this share of the context on, the bar asks to be noticed."""
OVER = 1.0
"""From this share on, there is no room left, whatever the agent counts."""
_BAR = 8
_LEAST = 12
"""Cells that folder and title keep beside the options."""
_OPTION = 18
"""Cells an option may take."""
_FIRST = ("mode", "model", "thought_level")
"""Whose value matters most where there is little room: what the agent may do without asking."""


def short_folder(path: str) -> str:
    """A folder as people write it: `~/src/parser`."""
    home = str(Path.home())
    inside = path == home or path.startswith(home.rstrip("/") + "/")
    return "~" + path[len(home) :] if inside and home != "/" else path


def bar(share: float) -> tuple[str, str]:
    """A share of one as a line of eight cells: what is used, heavy, and what is left, light."""
    halves = round(max(0.0, min(1.0, share)) * _BAR * 2)
    full, half = divmod(max(halves, 1 if share > 0 else 0), 2)
    used = "━" * full + "╾" * half
    return used, "─" * (_BAR - len(used))


def percent(share: float) -> str:
    """At most four figures, however wrong the agent counts."""
    return f"{share:>3.0%}" if share < 10 else ">999%"


@dataclass(frozen=True, slots=True)
class Shown:
    """An option in the header."""

    id: str
    category: str
    value: str
    pending: bool = False
    """Another value was asked for, and is not confirmed."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the line says."""

    agent: str = ""
    folder: str = ""
    title: str = ""
    share: float | None = None
    used: str = ""
    """What is used, where nobody said of how much (US-04)."""
    cost: str = ""
    options: tuple[Shown, ...] = ()

    @property
    def name(self) -> str:
        """What tells this conversation from others, for the terminal's title."""
        return f"{self.title or self.folder} · {self.agent}"


@dataclass(frozen=True, slots=True)
class Others:
    """What is to be said of the conversations that are not shown."""

    place: int = 1
    """Where the shown one stands, from 1, of `count`."""
    count: int = 1
    waiting: int = 0
    """Requests that wait for the user in the others."""
    unread: int = 0
    """Others in which something came since the user looked away."""

    def words(self) -> list[tuple[str, str]]:
        """`2/3 ‖1 •1`, each with its style; nothing where there are no others."""
        if self.count < 2:
            return []
        parts = [(f"{self.place}/{self.count}", "")]
        parts += [(f" ‖{self.waiting}", "bold $warning")] if self.waiting else []
        parts += [(f" •{self.unread}", "$accent")] if self.unread else []
        return parts


def facts(store: Store, session: Session | None) -> Facts:
    """The line for a session, or for the connection before there is one."""
    agent = one_line(store.connection.agent_name, 40)
    if session is None:
        return Facts(agent, short_folder(store.connection.cwd))
    usage = session.usage
    return Facts(
        agent,
        short_folder(session.cwd),
        one_line(store.title(session.ref), 200),
        _share(usage),
        f"{tokens(usage.used)} tokens" if usage is not None and usage.size == 0 else "",
        cost(usage.cost.amount, usage.cost.currency) if usage is not None and usage.cost is not None else "",
        _options(session),
    )


def _options(session: Session) -> tuple[Shown, ...]:
    from acp_tui.services.options import common, settings

    return tuple(
        Shown(one.id, one.category, one_line(visible(one.named(one.value)), _OPTION), one.pending)
        for one in common(settings(session))
        if one.value is not None
    )


def _share(usage: Usage | None) -> float | None:
    return usage.used / usage.size if usage is not None and usage.size > 0 else None


class Header(Bound, Widget):
    """The line, fed from the store."""

    facts: reactive[Facts] = reactive(Facts())
    others: reactive[Others] = reactive(Others())

    @dataclass
    class Wanted(Message):
        """The values of an option are wanted."""

        option: str

    def show(self, store: Store, ref: str) -> None:
        """Follow this session."""
        self.unfollow()

        def changed(_: frozenset[Key]) -> None:
            self.facts = facts(store, store.sessions.get(ref))

        watched = [
            Key(ref, Kind.INFO),
            Key(ref, Kind.USAGE),
            Key(ref, Kind.CONFIG_OPTIONS),
            Key("", Kind.CONNECTION),
            Key("", Kind.SESSIONS),
        ]
        self.follow(store, changed, keys=watched)
        changed(frozenset())

    def render(self) -> RenderResult:
        width = self.content_size.width
        right = self._right()
        right = self._beside(self._options(width - right.cell_length - 2), right)
        room = max(0, width - right.cell_length - (2 if right.cell_length else 0))
        left = self._left(room)
        gap = max(0, width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)

    def _left(self, room: int) -> Content:
        """Title and folder give way before the agent's name does; the end of a folder says most."""
        f = self.facts
        folder = f.folder
        spare = room - cell_len(f.agent) - 3
        if cell_len(folder) > max(12, spare // 2) and f.title:
            folder = "…" + folder[-max(11, spare // 2 - 1) :]
        parts: list[Content | tuple[str, str]] = [(f.agent, "bold $foreground")]
        for text, style in ((folder, ""), (f.title, "$foreground")):
            if text:
                parts += [(" · ", ""), (text, style)]
        return Content.assemble(*parts).truncate(room, ellipsis=True)

    def _options(self, room: int) -> Content:
        """As many as there is room for beside the agent's name and the beginning of the rest."""
        f = self.facts
        room -= cell_len(f.agent) + sum(
            3 + min(_LEAST, cell_len(text)) for text in (f.folder, f.title) if text
        )
        kept: set[str] = set()
        for one in sorted(f.options, key=lambda one: _FIRST.index(one.category)):
            if (room := room - cell_len(one.value) - 3) >= 0:
                kept.add(one.id)
        parts = [self._option(one) for one in f.options if one.id in kept]
        return Content(" · ").join(parts)

    @staticmethod
    def _beside(left: Content, right: Content) -> Content:
        gap = "  " if left.cell_length and right.cell_length else ""
        return Content.assemble(left, gap, right)

    @staticmethod
    def _option(one: Shown) -> Content:
        text = Content.styled(
            f"{one.value}…" if one.pending else one.value, "$warning" if one.pending else ""
        )
        return text.stylize(Style.from_meta({"option": one.id}))

    def on_click(self, event: events.Click) -> None:
        """An option was clicked."""
        option = event.style.meta.get("option")
        if isinstance(option, str):
            event.stop()
            self.post_message(self.Wanted(option))

    def _right(self) -> Content:
        f = self.facts
        parts = self.others.words()
        if f.share is not None:
            parts += [("  ", "")] if parts else []
            style = "$error" if f.share >= OVER else "$warning" if f.share >= FULL else "$foreground"
            if self.content_size.width >= 60:
                used, left = bar(f.share)
                parts += [(used, style), (left, ""), (" ", "")]
            parts.append((percent(f.share), style))
        if f.used:
            parts.append((f"  {f.used}" if parts else f.used, ""))
        if f.cost:
            parts.append((f"  {f.cost}" if parts else f.cost, ""))
        return Content.assemble(*parts)
