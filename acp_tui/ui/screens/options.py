"""The options of the agent in one place: what holds, and what may be chosen instead.

Invariants: what is shown as chosen is what the agent confirmed; what was asked for is marked until it answers
(CF-07); the list is the agent's latest, also while it is open: an option that goes takes its values with it
(CF-10). What a choice does to other options is read from the agent's answer (CF-06).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.fuzzy import Matcher
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.client.intents import SetConfigOption
from acp_tui.render.clean import one_line, visible
from acp_tui.services.options import Choice, Setting, settings
from acp_tui.store.keys import Key, Kind
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.hints import hint_line

T = TypeVar("T", Setting, Choice)
NAME = 24
"""Cells of the names of options."""
_MARKS = {True: "● ", False: "  "}


class OptionsScreen(Bound, ModalScreen[None]):
    """All options, or the values of one of them."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("options")
    DEFAULT_CSS = """
    OptionsScreen {
        align: center middle;
        background: $background 60%;
        #options {
            width: 84; max-width: 96%; height: auto; max-height: 90%; padding: 1 2;
            background: $panel; border-left: outer $accent;
        }
        #options-title { text-style: bold; }
        #options-said, #options-keys { color: $text-muted; height: auto; }
        #options-keys { margin-top: 1; }
        #options-field { border: none; padding: 0; margin-top: 1; background: $surface; height: 1; }
        #options-list {
            height: auto; max-height: 14; margin-top: 1; border: none; padding: 0; background: $panel;
            background-tint: $panel 0%; scrollbar-size-vertical: 1; text-wrap: nowrap;
        }
        #options-list > .option-list--option-highlighted {
            background: $block-cursor-background; color: $block-cursor-foreground;
            text-style: $block-cursor-text-style;
        }
        #options-list > .option-list--option-disabled { color: $text-muted; }
    }
    """

    def __init__(self, conversation: Conversation, id: str = "") -> None:
        super().__init__()
        self.conversation = conversation
        self.chosen = id
        """The option whose values are shown; empty: all options are."""
        self.alone = bool(id)
        """It was opened for one option: Escape closes it."""
        self.shown: list[Setting | Choice] = []
        """What the rows that can be marked stand for."""

    def compose(self) -> ComposeResult:
        with Vertical(id="options"):
            yield Static("", id="options-title", markup=False)
            yield Static("", id="options-said", markup=False)
            field = Input(placeholder="type to find", id="options-field", select_on_focus=False)
            field.cursor_blink = False
            yield field
            yield OptionList(id="options-list", markup=False, compact=True)
            yield Static("", id="options-keys")

    def on_mount(self) -> None:
        """Fill, and stay true."""
        ref = self.conversation.ref
        self.query_one(OptionList).can_focus = False
        self.follow(self.conversation.store, self.changed, keys=[Key(ref, Kind.CONFIG_OPTIONS)])
        self.query_one(Input).focus()
        self.turn_to(self.chosen)

    @property
    def all(self) -> tuple[Setting, ...]:
        """The options as they are now."""
        session = self.conversation.session
        return settings(session) if session is not None else ()

    @property
    def one(self) -> Setting | None:
        """The option whose values are shown."""
        return next((one for one in self.all if one.id == self.chosen), None) if self.chosen else None

    def changed(self, _: frozenset[Key]) -> None:
        """The agent answered, or changed something by itself."""
        if not self.all:
            self.post_message(Told("The agent has no options any more"))
            self.dismiss(None)
        elif self.chosen and (self.one is None or not self.one.choices):
            self.post_message(Told("The agent took this option away"))
            self.turn_to("", self.chosen)
        else:
            self.fill()

    def turn_to(self, chosen: str, mark: str = "") -> None:
        """Show the values of this option, or all options with this one marked."""
        self.chosen = chosen
        field = self.query_one(Input)
        with self.prevent(Input.Changed):
            field.value = ""
        one = self.one
        self.fill(one.value if one is not None else mark)

    # Rows

    def fill(self, mark: object = None) -> None:
        """The rows as they are now; the marked one stays, unless another is to be marked."""
        listed = self.query_one(OptionList)
        mark = self._marked() if mark is None else mark
        one = self.one
        listed.clear_options()
        self.shown = []
        for row in self._values(one) if one is not None else self._options():
            listed.add_option(row)
        found = next((row for row in self._rows() if self._names(row) == mark), None)
        listed.highlighted = found if found is not None else next(iter(self._rows()), None)
        self._say(one)

    def _rows(self) -> list[int]:
        """The rows that can be marked."""
        return [n for n, row in enumerate(self.query_one(OptionList).options) if not row.disabled]

    def _names(self, row: int) -> object:
        thing = self.shown[self._rows().index(row)]
        return thing.id if isinstance(thing, Setting) else thing.value

    def _marked(self) -> object:
        marked = self.query_one(OptionList).highlighted
        return self._names(marked) if marked in self._rows() and marked is not None else None

    def _say(self, one: Setting | None) -> None:
        title = one_line(visible(one.name), 60) if one is not None else "Options of the agent"
        self.query_one("#options-title", Static).update(title)
        said = self.query_one("#options-said", Static)
        text = one_line(visible(one.description), 400) if one is not None else self._described()
        said.update(text)
        said.display = bool(text)
        back: Hint = ("options.close", "back")
        enter: Hint = ("options.choose", "set it" if one is not None else "choose")
        self.query_one("#options-keys", Static).update(hint_line((enter, back)))

    def _described(self) -> str:
        """What the marked option is, where all of them are shown."""
        marked = self.query_one(OptionList).highlighted
        if marked is None or marked not in self._rows():
            return "none has these letters"
        thing = self.shown[self._rows().index(marked)]
        told = one_line(visible(thing.description), 300)
        if isinstance(thing, Setting) and thing.kind == "unknown":
            return told or "acp-tui does not know this kind of option; the agent uses its own value"
        return told

    def _options(self) -> list[Option]:
        rows = []
        for one in self._found(self.all):
            value = Content(one_line(visible(one.named(one.value)), 40))
            if one.pending:
                asked = one_line(visible(one.named(one.asked)), 30)
                value = Content.assemble(value, (f"  → {asked} asked, not confirmed yet", "$warning"))
            name = one_line(visible(one.name), NAME)
            gap = " " * (NAME + 2 - cell_len(name))
            style = "$text-muted" if one.kind == "unknown" else "$foreground"
            rows.append(Option(Content.assemble((name, style), gap, value.stylize(style))))
            self.shown.append(one)
        return rows

    def _values(self, one: Setting) -> list[Option]:
        """The choices under their groups, what holds marked; one that is not among them stands above."""
        rows: list[Option] = []
        if one.value not in {choice.value for choice in one.choices}:
            told = f"{_MARKS[True]}{one_line(visible(one.named(one.value)), 60)}  not among the choices"
            rows.append(Option(Content.styled(told, "$text-muted"), disabled=True))
        group = ""
        for choice in self._found(one.choices):
            if choice.group != group:
                group = choice.group
                rows.append(Option(Content.styled(one_line(visible(group), 60), "bold"), disabled=True))
            rows.append(Option(self._value(one, choice)))
            self.shown.append(choice)
        return rows

    @staticmethod
    def _value(one: Setting, choice: Choice) -> Content:
        mark = _MARKS[choice.value == one.value]
        asked = "  asked, not confirmed yet" if one.pending and choice.value == one.asked else ""
        told = f"  {one_line(visible(choice.description), 80)}" if choice.description else ""
        name = one_line(visible(choice.name), 60) or str(choice.value)
        return Content.assemble((mark, "$accent"), name, (asked, "$warning"), (told, "$text-muted"))

    def _found(self, things: Sequence[T]) -> list[T]:
        """Those that have the letters that were typed, in the agent's order: earlier means more (CF-01)."""
        return [thing for thing in things if self._fits(thing) > 0]

    def _fits(self, thing: Setting | Choice) -> float:
        """How well the letters name it; 0: not at all. The heading above it counts only as a word."""
        typed = self.query_one(Input).value.strip()
        if not typed:
            return 1.0
        group = thing.group if isinstance(thing, Choice) else ""
        key = thing.value if isinstance(thing, Choice) else thing.id
        matcher = Matcher(typed)
        return max(matcher.match(thing.name), matcher.match(str(key)), 0.1 * (typed.lower() in group.lower()))

    # Keys

    def on_input_changed(self) -> None:
        """Other letters: what they name best is marked."""
        self.fill()
        if self.shown and self.query_one(Input).value.strip():
            best = max(range(len(self.shown)), key=lambda number: self._fits(self.shown[number]))
            self.query_one(OptionList).highlighted = self._rows()[best]
            self._say(self.one)

    def action_mark(self, by: int) -> None:
        """Another row."""
        listed, rows = self.query_one(OptionList), self._rows()
        if rows:
            here = rows.index(listed.highlighted) if listed.highlighted in rows else -by
            listed.highlighted = rows[(here + by) % len(rows)]
            self._say(self.one)

    def action_choose(self) -> None:
        """Its values, or this value."""
        marked = self.query_one(OptionList).highlighted
        if marked is not None and marked in self._rows():
            self._choose(self.shown[self._rows().index(marked)])

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        event.stop()
        self.action_choose()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click."""
        event.stop()
        self.action_choose()

    def _choose(self, thing: Setting | Choice) -> None:
        one = self.one
        if isinstance(thing, Choice) and one is not None:
            if thing.value != (one.value if one.asked is None else one.asked):
                self.conversation.do(SetConfigOption(self.conversation.ref, one.id, thing.value))
            self._back()
        elif isinstance(thing, Setting) and thing.kind == "boolean":
            now = thing.value if thing.asked is None else thing.asked
            self.conversation.do(SetConfigOption(self.conversation.ref, thing.id, not now))
        elif isinstance(thing, Setting) and thing.choices:
            self.turn_to(thing.id)

    def _back(self) -> None:
        if self.alone:
            self.dismiss(None)
        else:
            self.turn_to("", self.chosen)

    def action_close(self) -> None:
        """One step back."""
        if self.chosen:
            self._back()
        else:
            self.dismiss(None)
