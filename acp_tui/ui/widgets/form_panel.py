"""What the agent wants to know: one form or address at a time, above the composer, answered only on purpose.

Invariants: it shows an elicitation that waits in the store, or nothing; what was typed is in its `Filling`,
not here; it takes no focus by itself, and no letter that was meant for the composer; in the first moments
after it appeared or moved nothing answers; going away from it answers nothing: it waits (EL-20).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from acp_tui.protocol.elicitation import ElicitationUrlMode
from acp_tui.render.clean import one_line, visible
from acp_tui.services.addresses import Address, address
from acp_tui.services.forms import Filling
from acp_tui.store.entities import AgentRequest
from acp_tui.ui import keys
from acp_tui.ui.deaf import Deafness
from acp_tui.ui.standing import Hint
from acp_tui.ui.widgets.form_fields import FieldRow, Lines
from acp_tui.ui.widgets.heading import Heading

ROWS = 3
"""Heading, hint and buttons."""


class FormPanel(Vertical, can_focus=True):
    """One elicitation."""

    DEFAULT_CSS = """
    FormPanel {
        height: auto;
        Heading { height: 1; }
        #form-body { height: auto; padding: 0 2; scrollbar-size-vertical: 1; background: $background; }
        #form-words, #form-said { height: auto; }
        #form-said { color: $text-muted; }
        #form-hint {
            height: 1; padding: 0 2; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis;
        }
        #form-buttons { height: 1; padding: 0 1; }
        Button { margin: 0 1; min-width: 4; width: auto; padding: 0; background: $background; }
        Button:focus { background: $accent; color: $background; text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("form")

    @dataclass
    class Answered(Message):
        """The user answered."""

        request: AgentRequest
        action: str
        content: dict[str, Any] | None = None
        browse: bool = False
        """Open the address, beside agreeing to it."""

    @dataclass
    class Left(Message):
        """The user goes to the next place, to the one before, or (0) back to writing."""

        step: int

    @dataclass
    class Typed(Message):
        """Somebody writes who does not mean the form: the text belongs to the composer."""

        text: str

    @dataclass
    class Copied(Message):
        """The address is wanted in the clipboard."""

        url: str

    def __init__(
        self, request: AgentRequest, filling: Filling | None, who: str, now: Callable[[], float]
    ) -> None:
        super().__init__()
        self.request = request
        self.heading = Heading()
        self.heading.set_reactive(Heading.who, who)
        self.filling = filling
        """None: it is an address."""
        self.now = now
        self.made: Callable[[], object] = lambda: None
        """Called when all of it is there."""
        self.ear = Deafness()
        self.ear.appeared(now())
        self.address: Address | None = None
        if isinstance(request.params, ElicitationUrlMode):
            self.address = address(request.params.url)
        self.place: tuple[int, int, int, int] = (0, 0, 0, 0)
        self.rows: list[FieldRow] = []

    # What is shown

    def compose(self) -> ComposeResult:
        yield self.heading
        with VerticalScroll(id="form-body", can_focus=False):
            yield Static(self._words(), id="form-words")
            if self.filling is not None:
                self.rows = [
                    FieldRow(one, self.filling.typed.get(one.name), self.filling.told(one))
                    for one in self.filling.form.fields
                ]
                yield from self.rows
        yield Static("", id="form-hint", markup=False)
        with Horizontal(id="form-buttons"):
            yield from self._buttons()

    def _words(self) -> Content:
        """The agent's message, and for an address everything one must know to decide."""
        words: list[str | tuple[str, str]] = [visible(self.request.params.message)]
        if self.filling is not None:
            form = self.filling.form
            words += [(f"\n{one_line(visible(form.title), 200)}", "bold")] if form.title else []
            words += [(f"\n{visible(form.description)}", "$text-muted")] if form.description else []
        if self.address is not None:
            at = self.address
            words += ["\n", visible(at.before), (visible(at.host), "bold $accent"), visible(at.after)]
            words += [(f"\n! {one_line(visible(said), 300)}", "$warning") for said in at.odd]
        return Content.assemble(*words)

    def _buttons(self) -> ComposeResult:
        if self.acceptable:
            label = "Open in browser" if self.address is not None else "Send"
            yield self._button("accept", label, "accept")
        if self.address is not None:
            yield self._button("mine", "Copy, I open it")
        yield self._button("decline", "Decline", "decline")
        yield self._button("cancel", "Cancel", "dismiss")

    @staticmethod
    def _button(name: str, label: str, key: str = "") -> Button:
        named = keys.short(f"form.{key}") if key else ""
        shown = Content.assemble((named, "$accent"), " " if named else "", label)
        return Button(shown, id=f"form-{name}", compact=True)

    def on_mount(self) -> None:
        """Follow the layout, and what has the focus."""
        self.screen.screen_layout_refresh_signal.subscribe(self, self.laid_out)
        self.tell_hint()
        self.made()

    def laid_out(self, _: object) -> None:
        """A click aimed at what was there before must not answer; what has no room is told."""
        body = self.query_one("#form-body")
        self.heading.hidden = max(0, body.virtual_size.height - body.size.height)
        place = (*self.region.offset, *self.region.size)
        if place != self.place:
            self.place = place
            if not self.has_focus_within:
                self.ear.appeared(self.now())

    def fit(self, rows: int) -> None:
        """It has so many rows."""
        self.query_one("#form-body").styles.max_height = max(1, rows - ROWS)

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The keys that matter now."""
        accept: tuple[Hint, ...] = ()
        if self.acceptable:
            accept = (("form.accept", "open" if self.address is not None else "send"),)
        return (
            ("form.next_field", "fill in" if self.has_focus and self.rows else "next"),
            *accept,
            ("form.decline", "decline"),
            ("form.leave", "write; it waits"),
        )

    @property
    def acceptable(self) -> bool:
        """There is a key that agrees: no address that is only copied, no form that cannot be filled in."""
        if self.address is not None:
            return self.address.opened
        return self.filling is not None and not self.filling.form.impossible

    def tell_hint(self) -> None:
        """What the field with the focus is about."""
        row = next((row for row in self.rows if row.has_focus_within), None)
        hint = row.note if row is not None else ""
        if not hint and self.filling is not None and self.filling.form.impossible:
            hint = "acp-tui cannot show a field that is needed: you can decline or cancel."
        elif not hint and self.address is not None:
            hint = "Nothing is opened unless you say so; the agent learns only that you agreed."
        self.query_one("#form-hint", Static).update(hint)

    # Moving

    @property
    def stops(self) -> list[Widget]:
        """What Tab stops at, in order."""
        fields = [row.input for row in self.rows if row.field.kind != "unknown"]
        return [*fields, *self.query(Button)]

    def _here(self) -> int:
        """Which of them has the focus; -1: none."""
        stops = self.stops
        return next(
            (number for number, stop in enumerate(stops) if stop.has_focus_within or stop.has_focus), -1
        )

    def action_next_field(self) -> None:
        """Tab."""
        self._step(1)

    def action_previous_field(self) -> None:
        """Shift+Tab."""
        self._step(-1)

    def _step(self, by: int) -> None:
        stops, there = self.stops, self._here() + by
        if 0 <= there < len(stops):
            stops[there].focus()
        else:
            self.post_message(self.Left(by))

    def begin(self, *, last: bool = False) -> None:
        """Take the focus, with nothing preselected, or on the last of it."""
        self.screen.set_focus(self.stops[-1] if last else self)

    def action_leave(self) -> None:
        """Back to writing."""
        self.post_message(self.Left(0))

    def action_go_on(self) -> None:
        """Enter: the next field; on the last one send."""
        here, fields = self._here(), len(self.stops) - len(self.query(Button))
        if here >= 0 and here == fields - 1:
            self._accept("enter")
        elif self.ear.hears("enter", self.now()):
            self._step(1)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a line."""
        event.stop()
        self.action_go_on()

    def action_newline(self) -> None:
        """A new line, where there may be several."""
        focused = self.screen.focused
        if isinstance(focused, Lines):
            focused.insert("\n")

    def action_scroll_pages(self, pages: int) -> None:
        """What is longer than its room."""
        body = self.query_one("#form-body")
        body.scroll_relative(y=pages * max(1, body.size.height - 1), animate=False)

    def on_descendant_focus(self) -> None:
        """Say what the field wants."""
        self.tell_hint()

    def on_focus(self) -> None:
        """Nothing of it is chosen yet."""
        self.tell_hint()

    def on_key(self, event: events.Key) -> None:
        """As long as no field has the focus, letters are somebody's who writes."""
        if self.has_focus and event.is_printable and event.character is not None:
            event.stop()
            event.prevent_default()
            self.post_message(self.Typed(event.character))

    def on_paste(self, event: events.Paste) -> None:
        """A paste is writing."""
        event.stop()
        if self.has_focus:
            self.post_message(self.Typed(event.text))

    # Answers

    def on_field_row_changed(self, event: FieldRow.Changed) -> None:
        """Keep it, and say at once what is wrong."""
        event.stop()
        if self.filling is not None:
            self.filling.put(event.row.field.name, event.value)
            event.row.tell(self.filling.told(event.row.field))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Enter, or a click."""
        event.stop()
        match event.button.id:
            case "form-accept":
                self._accept("button")
            case "form-mine":
                self._mine()
            case "form-decline":
                self._answer("decline", "button")
            case "form-cancel":
                self._answer("cancel", "button")

    def action_accept(self) -> None:
        """From wherever one is."""
        self._accept("accept")

    def action_decline(self) -> None:
        """The user says no."""
        self._answer("decline", "decline")

    def action_dismiss(self) -> None:
        """The user says nothing."""
        self._answer("cancel", "dismiss")

    def _accept(self, key: str) -> None:
        if not self.acceptable:
            return
        if self.filling is None:
            self._answer("accept", key, browse=True)
            return
        content = self.filling.content()
        if content is not None:
            self._answer("accept", key, content)
            return
        self.filling.tried = True
        self._tell_problems()

    def _tell_problems(self) -> None:
        """Say everything that is wrong, and go to the first of it."""
        assert self.filling is not None
        wrong = [row for row in self.rows if self.filling.told(row.field)]
        for row in self.rows:
            row.tell(self.filling.told(row.field))
        wrong[0].input.focus()

    def _mine(self) -> None:
        if self.address is not None and self._answer("accept", "button"):
            self.post_message(self.Copied(self.address.whole))

    def _answer(
        self, action: str, key: str, content: dict[str, Any] | None = None, *, browse: bool = False
    ) -> bool:
        """Answer, unless the press may be an accident."""
        if not self.ear.hears(key, self.now()):
            return False
        self.post_message(self.Answered(self.request, action, content, browse))
        return True
