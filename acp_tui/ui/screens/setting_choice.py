"""Two small questions of the settings: which of these, and which key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.ui import keys
from acp_tui.ui.deaf import Deafness
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed


class ChoiceScreen(ModalScreen[int]):
    """Dismissed with the number of what was chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        one for one in keys.bindings("settings") if isinstance(one, Binding) and one.id == "settings.close"
    ]

    def __init__(self, title: str, what: str, choices: Sequence[str], current: int) -> None:
        super().__init__()
        self.heading, self.what = title, what
        self.choices, self.current = choices, current

    def compose(self) -> ComposeResult:
        with Vertical(classes="setting-box"):
            yield Static(self.heading, classes="setting-title", markup=False)
            yield Static(self.what, classes="setting-what", markup=False)
            yield Listed(*(Option(one) for one in self.choices), markup=False, compact=True)
            hints = (("list.choose", "choose"), ("settings.close", "back"))
            yield Static(hint_line(hints), classes="setting-keys")

    def on_mount(self) -> None:
        """Begin at what holds."""
        listed = self.query_one(OptionList)
        listed.highlighted = self.current
        listed.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """This one."""
        self.dismiss(event.option_index)

    def action_close(self) -> None:
        """As it was."""
        self.dismiss(None)


class KeyScreen(ModalScreen[str]):
    """Dismissed with the key that was pressed, or None; one that cannot be is told, and another awaited."""

    takes_every_key = True
    """Also those that do something everywhere."""

    def __init__(self, what: str, now: str, refusal: Callable[[str], str]) -> None:
        super().__init__()
        self.what, self.now = what, now
        self.refusal = refusal
        self.ear = Deafness()
        self.leave = keys.now("settings.close")[:1] or ("escape",)
        """The key that is not taken; there must be one."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="setting-box"):
            yield Static(
                f"Press the key that is to do this: {self.what}", classes="setting-title", markup=False
            )
            yield Static(f"now: {self.now}", classes="setting-what", markup=False)
            yield Static("", classes="setting-problem", markup=False)
            leave = " ".join(map(keys.label, self.leave))
            yield Static(hint_line(((leave, "leave it as it is"),)), classes="setting-keys")

    def on_mount(self) -> None:
        """The Enter that brought it, held a little long, is no answer."""
        self.ear.appeared(monotonic())

    def on_key(self, event: events.Key) -> None:
        """Take it, or say why not."""
        event.stop()
        event.prevent_default()
        if event.key in self.leave:
            self.dismiss(None)
        elif not self.ear.hears(event.key, monotonic()):
            return
        elif reason := self.refusal(event.key):
            self.query_one(".setting-problem", Static).update(reason)
        else:
            self.dismiss(event.key)
