"""The fields of a form: for each kind the control that people know, its name before it, what is wrong below.

A control owns nothing: what it holds goes up at once, and it is made from what was put there before. Titles
of the agent are plain text here (EL-17), and pass the sanitiser. Forms are not for secrets: what is typed is
seen (EL-18).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Checkbox, Input, OptionList, Select, SelectionList, Static, TextArea
from textual.widgets.selection_list import Selection

from acp_tui.render.clean import clean, one_line, visible
from acp_tui.services.forms import Choice, Field, Typed

LABEL = 24
"""Cells of the names at the left."""
BOX = {True: "[✓]", False: "[ ]"}
SHORT = 120
"""Characters up to which a text has one line."""


class Line(Input):
    """One line of text. A paste of several lines is one line of all of them: nothing of it is lost."""

    def __init__(self, value: str) -> None:
        super().__init__(clean(value).replace("\n", " "), compact=True, select_on_focus=False)
        self.cursor_blink = False

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.replace(" ".join(clean(event.text).split("\n")), *self.selection)


class Lines(TextArea):
    """Text of any length: one to five rows. Enter goes on, as in any other field."""

    def __init__(self, value: str) -> None:
        super().__init__(clean(value), tab_behavior="focus", compact=True, highlight_cursor_line=False)
        self.cursor_blink = False

    async def _on_key(self, event: events.Key) -> None:
        if event.key in ("enter", "escape"):  # are the form's
            event.prevent_default()


class Tick(Checkbox, inherit_bindings=False):
    """Yes or no. Enter goes on; what ticks it is space, or the mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "toggle_button", "tick", show=False, id="form.tick")
    ]

    def render(self) -> Content:
        """A box that says without colour what it is."""
        return Content(BOX[self.value])

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return len(BOX[True])


class One(Select[str]):
    """One of several, in a list that opens."""

    def __init__(self, one: Field, value: str | None) -> None:
        rows = [(_choice(choice), choice.value) for choice in one.choices]
        needed = one.required and value is not None
        chosen = Select.NULL if value is None else value
        super().__init__(rows, prompt="choose …", allow_blank=not needed, compact=True, value=chosen)


class Many(SelectionList[str]):
    """Any of several."""

    def __init__(self, one: Field, value: tuple[str, ...]) -> None:
        rows = [Selection(_choice(choice), choice.value, choice.value in value) for choice in one.choices]
        super().__init__(*rows, compact=True)

    def render_line(self, y: int) -> Strip:
        """The box before each of them says without colour what is chosen."""
        line, row = OptionList.render_line(self, y), self.scroll_offset.y + y
        if row >= self.option_count:
            return line
        box = BOX[self.get_option_at_index(row).value in self.selected]
        style = (next(iter(line)).style or self.rich_style) + Style(meta={"option": row})
        return Strip([Segment(f"{box} ", style), *line])


def _choice(choice: Choice) -> Content:
    title = one_line(visible(choice.title), 60) or one_line(visible(choice.value), 60)
    said = one_line(choice.description, 80)
    return Content.assemble(title, (f"  {said}" if said else "", "$text-muted"))


def control(one: Field, typed: Typed) -> Widget:
    """The control of a field, holding this."""
    match one.kind:
        case "boolean":
            return Tick("", typed is True, compact=True)
        case "choice":
            return One(one, typed if isinstance(typed, str) else None)
        case "choices":
            return Many(one, typed if isinstance(typed, tuple) else ())
        case "unknown":
            told = "is needed, but" if one.required else "is left out:"
            return Static(f"{told} acp-tui cannot show this kind of field", markup=False, classes="field-no")
    text = typed if isinstance(typed, str) else ""
    return Lines(text) if _long(one) else Line(text)


def _long(one: Field) -> bool:
    """Free text that may be long."""
    schema = one.schema
    told = getattr(schema, "format", None) or getattr(schema, "pattern", None)
    most = getattr(schema, "max_length", None)
    return one.kind == "text" and told is None and (most is None or most > SHORT)


class FieldRow(Vertical):
    """One field."""

    SCOPED_CSS = False
    DEFAULT_CSS = f"""
    FieldRow {{
        height: auto;
        Horizontal {{ height: auto; }}
        .field-name {{ width: {LABEL}; padding-right: 1; height: auto; max-height: 2; }}
        .field-note, .field-problem {{ height: auto; padding-left: {LABEL}; }}
        .field-note {{ color: $text-muted; display: none; }}
        .field-problem {{ color: $error; display: none; }}
        .field-no {{ width: 1fr; color: $warning; }}
        Input, Input:focus, TextArea, TextArea:focus {{
            width: 1fr; border: none; padding: 0; background: $surface;
        }}
        TextArea {{ height: auto; min-height: 1; max-height: 5; scrollbar-size-vertical: 1; }}
        Input {{ height: 1; }}
        Checkbox {{ width: auto; padding: 0; border: none; background: $background; }}
        Select {{ width: 1fr; }}
        Select > SelectOverlay {{ border: none; background: $panel; scrollbar-size-vertical: 1; }}
        SelectionList, SelectionList:focus {{
            width: 1fr; height: auto; max-height: 6; border: none; padding: 0; background: $background;
            background-tint: $background 0%; scrollbar-size-vertical: 1; text-wrap: nowrap;
        }}
        SelectionList:blur > .option-list--option-highlighted {{
            background: $background; color: $foreground;
        }}
    }}
    .-tall FieldRow .field-note {{ display: block; }}
    """

    @dataclass
    class Changed(Message):
        """The user wrote or chose this."""

        row: FieldRow
        value: Typed

    def __init__(self, one: Field, typed: Typed, problem: str) -> None:
        super().__init__()
        self.field = one
        self.input = control(one, typed)
        self.ready = False
        """It is mounted: what changes from now on the user changed."""
        self._problem = problem

    def compose(self) -> ComposeResult:
        one = self.field
        mark = ("*", "$warning") if one.required else ""
        with Horizontal():
            yield Static(
                Content.assemble((one_line(visible(one.title), LABEL * 2 - 4), "$foreground"), mark),
                classes="field-name",
            )
            yield self.input
        if self.note:
            yield Static(self.note, classes="field-note", markup=False)
        yield Static("", classes="field-problem", markup=False)

    def on_mount(self) -> None:
        """As it was left."""
        self.tell(self._problem)
        self.call_after_refresh(self._listen)

    def _listen(self) -> None:
        self.ready = True

    @property
    def note(self) -> str:
        """What the agent says of it, and what may stand there."""
        parts = [
            "needed" if self.field.required else "",
            one_line(visible(self.field.description), 400),
            one_line(visible(self.field.expects), 200),
        ]
        return " · ".join(part for part in parts if part)

    def tell(self, problem: str) -> None:
        """Say what is wrong, or that nothing is."""
        told = self.query_one(".field-problem", Static)
        told.update(one_line(visible(problem), 300))
        told.display = bool(problem)

    def _changed(self, value: Typed) -> None:
        if self.ready:
            self.post_message(self.Changed(self, value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Typed."""
        event.stop()
        self._changed(event.value)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Typed."""
        event.stop()
        self._changed(event.text_area.text)

    def on_checkbox_changed(self, event: Checkbox.Changed) -> None:
        """Ticked, or not any more."""
        event.stop()
        self._changed(event.value)

    def on_select_changed(self, event: Select.Changed) -> None:
        """Chosen, or taken back."""
        event.stop()
        self._changed(event.value if isinstance(event.value, str) else None)

    def on_selection_list_selected_changed(self, event: SelectionList.SelectedChanged[str]) -> None:
        """Chosen, or taken back."""
        event.stop()
        chosen = set(event.selection_list.selected)
        self._changed(tuple(one.value for one in self.field.choices if one.value in chosen))
