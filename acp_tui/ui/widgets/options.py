"""The options of a request under their numbers, in the agent's order and by their whole names (PM-07).

Names are shown with everything hidden made visible (SF-04) and wrap rather than being cut: as many options
as fit have numbers, a key numbers the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from acp_tui.protocol.permission import PermissionOption
from acp_tui.render.clean import visible
from acp_tui.ui import keys

PAGE = 9
_GAP = "   "
_LETTERS = {"allow_once": "panel.allow", "reject_once": "panel.reject"}
"""What means the only option of a kind."""


@dataclass(frozen=True, slots=True)
class Option:
    """One offered option."""

    id: str | None
    """None: no option is chosen."""
    name: str
    kind: str

    @property
    def allows(self) -> bool:
        """It says so; of unknown kinds nobody knows."""
        return self.kind.startswith("allow")


def offered(options: Sequence[PermissionOption]) -> tuple[Option, ...]:
    """What the agent offers, fit for the screen."""
    return tuple(Option(o.option_id, visible(o.name).replace("\n", "␊"), o.kind) for o in options)


def only(options: Sequence[Option], kind: str) -> Option | None:
    """The option of this kind, if just one is: only then may a letter mean it."""
    found = [option for option in options if option.kind == kind]
    return found[0] if len(found) == 1 else None


class Options(Widget):
    """The row, or rows, of options."""

    options: reactive[tuple[Option, ...]] = reactive((), layout=True)
    first: reactive[int] = reactive(0, layout=True)
    """The first that has a number."""
    awake: reactive[bool] = reactive(True)
    """The panel has the focus: the numbers answer."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers = PAGE
        """How many have numbers: what fits."""

    @dataclass
    class Clicked(Message):
        """An option was clicked."""

        option: Option

    @property
    def shown(self) -> tuple[Option, ...]:
        """Those that have numbers now."""
        return self.options[self.first : self.first + self.numbers]

    def show(self, options: tuple[Option, ...]) -> None:
        """Other options, from the first."""
        self.first, self.numbers, self.options = 0, PAGE, options

    def fit(self, width: int, room: int) -> int:
        """Number as many as have room in so many rows, at least one; the rows they take."""
        self.numbers = min(PAGE, len(self.options) - self.first)
        while self.numbers > 1 and len(self.rows(width)) > room:
            self.numbers -= 1
        self.refresh()
        return min(len(self.rows(width)), room)

    def next_page(self) -> None:
        """Number those behind, where there are more; after the last the first."""
        behind = self.first + self.numbers
        self.first = behind if behind < len(self.options) else 0

    def numbered(self, number: int) -> Option | None:
        """The option that has this number now."""
        return self.shown[number - 1] if 0 < number <= len(self.shown) else None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the names need."""
        return len(self.rows(width))

    def render(self) -> RenderResult:
        rows, room = self.rows(self.content_size.width), max(1, self.content_size.height)
        if len(rows) > room:  # one name that is longer than all the room there is
            rows[room - 1 :] = [Content(f"… {keys.hint('panel.open')} shows it whole")]
        return Content("\n").join(rows)

    def rows(self, width: int) -> list[Content]:
        """Options side by side while there is room; one that is longer than a row has its rows for itself."""
        rows: list[Content] = []
        wrapped = False
        for part in self._parts():
            if rows and not wrapped and rows[-1].cell_length + len(_GAP) + part.cell_length <= width:
                rows[-1] = Content.assemble(rows[-1], _GAP, part)
            else:
                own = part.wrap(max(1, width))
                wrapped = len(own) > 1
                rows.extend(own)
        return rows

    def _parts(self) -> list[Content]:
        style = "bold $accent" if self.awake else "bold"
        parts = [self._part(i, option, style) for i, option in enumerate(self.shown)]
        if len(self.shown) < len(self.options):
            more = keys.hint("panel.more_options")
            parts.append(Content.assemble((more, style), f" more of {len(self.options)}"))
        return parts

    def _part(self, index: int, option: Option, style: str) -> Content:
        meant = _LETTERS.get(option.kind) if only(self.options, option.kind) is option else None
        names = [keys.short(f"panel.choose.{index + 1}"), keys.short(meant) if meant else ""]
        part = Content.assemble((" ".join(filter(None, names)), style), f" {option.name}")
        return part.stylize(Style.from_meta({"option": index}))

    def on_click(self, event: events.Click) -> None:
        """Say which option is under the mouse."""
        index = event.style.meta.get("option")
        option = self.numbered(index + 1) if isinstance(index, int) else None
        if option is not None:
            event.stop()
            self.post_message(self.Clicked(option))
