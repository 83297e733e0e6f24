"""Searching in earlier prompts: a line to type words in, and what has them, newest first.

Invariant: what was being written is not touched until something is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input, Static

from acp_tui.render.clean import one_line
from acp_tui.services.history import Prompt, searched
from acp_tui.ui import keys
from acp_tui.ui.widgets.acting import act
from acp_tui.ui.widgets.hints import hint_line

ROWS = 6
HINTS = (("recall.older", "before"), ("recall.take", "take"), ("recall.close", "back"))


class Words(Input):
    """Where the words are typed; what its keys do is up to what it stands in."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("recall")

    def __init__(
        self,
        find: Callable[[], None],
        step: Callable[[int], None],
        take: Callable[[], None],
        close: Callable[[], None],
        late: Callable[[events.Key], None],
    ) -> None:
        super().__init__(compact=True, select_on_focus=False, placeholder="words of an earlier prompt")
        self.cursor_blink = False
        self._find, self._step, self._take, self._close, self._late = find, step, take, close, late

    def watch_value(self) -> None:
        """Found at once: a key behind it may take it."""
        if self.is_mounted:
            self._find()

    async def _on_key(self, event: events.Key) -> None:
        """A key that does something does it now, also if it was pressed before this had the focus."""
        if self.screen.focused is not self:
            event.stop()
            event.prevent_default()
            self._late(event)
        elif not await act(self, event):
            await super()._on_key(event)

    def action_step(self, by: int) -> None:
        """Further back, or on again."""
        self._step(by)

    def action_take(self) -> None:
        """The marked one."""
        self._take()

    def action_close(self) -> None:
        """Back."""
        self._close()


class Hits(Widget):
    """What was found, one row each."""

    prompts: reactive[tuple[Prompt, ...]] = reactive((), layout=True)
    marked: reactive[int] = reactive(0)
    words: reactive[tuple[str, ...]] = reactive(())

    @property
    def first(self) -> int:
        """The row at the bottom is the newest: the first shown, counted from there."""
        return max(0, min(self.marked - ROWS // 2, len(self.prompts) - ROWS))

    def get_content_height(self, *_: object) -> int:
        """A row for each, up to six."""
        return min(ROWS, len(self.prompts))

    def render(self) -> RenderResult:
        shown = [*enumerate(self.prompts)][self.first : self.first + ROWS]
        return Content("\n").join([self._row(place, prompt) for place, prompt in reversed(shown)])

    def _row(self, place: int, prompt: Prompt) -> Content:
        width = max(10, self.content_size.width)
        here = place == self.marked
        text = one_line(prompt.text.replace("\n", " ⏎ "), width * 4)
        row = Content.assemble(
            ("❯ " if here else "  ", "$accent"), (text, "bold $foreground" if here else "$foreground")
        )
        lower = text.lower()
        for word in self.words:
            at = lower.find(word)
            if at >= 0:
                row = row.stylize("underline $accent", at + 2, at + 2 + len(word))
        return row.truncate(width, ellipsis=True)

    def on_click(self, event: events.Click) -> None:
        """Mark what is clicked, and take it."""
        place = self.first + len(self.prompts[self.first : self.first + ROWS]) - 1 - event.y
        if 0 <= place < len(self.prompts) and isinstance(self.parent, Recalling):
            event.stop()
            self.marked = place
            self.parent.take()


class Recalling(Vertical):
    """Mounted when it is first asked for, and shown while one searches."""

    DEFAULT_CSS = """
    Recalling { height: auto; padding: 0 1; display: none; }
    Recalling Hits { height: auto; color: $text-muted; }
    Recalling Horizontal { height: 1; }
    Recalling .recall--sign { width: auto; color: $accent; }
    Recalling .recall--told { width: auto; max-width: 60%; color: $text-muted; text-align: right; }
    Recalling .recall--told { padding-left: 1; }
    Recalling Words, Recalling Words:focus {
        width: 1fr;
        border: none;
        padding: 0;
        background: $background;
        background-tint: $background 0%;
    }
    """

    def __init__(self, done: Callable[[Prompt | None], None], late: Callable[[events.Key], None]) -> None:
        super().__init__()
        self.done = done
        """Told which one is to be written on, or None; moves the focus away."""
        self.prompts: Sequence[Prompt] = ()
        self.words = Words(self.find, self.step, self.take, self.close, late)
        self._told = Static("", classes="recall--told", markup=False)

    def compose(self) -> ComposeResult:
        yield Hits()
        with Horizontal():
            yield Static("earlier: ", classes="recall--sign", markup=False)
            yield self.words
            yield self._told

    @property
    def hits(self) -> Hits:
        """What was found."""
        return self.query_one(Hits)

    def open(self, prompts: Sequence[Prompt], pressed: Iterable[events.Key]) -> None:
        """Search in these, newest first; `pressed` are keys that were meant for this already."""
        self.prompts = prompts
        self.display = True
        self.words.value = ""
        self.screen.set_focus(self.words)
        self.find()
        for event in pressed:
            self.words.post_message(events.Key(event.key, event.character))

    def on_input_changed(self, event: Input.Changed) -> None:
        """What there is to do about it was done at the key."""
        event.stop()

    def find(self) -> None:
        """What has the words now."""
        words = self.words.value
        self.hits.words = tuple(words.lower().split())
        self.hits.prompts = tuple(searched(self.prompts, words))
        self.hits.marked = 0
        self._tell()

    def _tell(self) -> None:
        count = len(self.hits.prompts)
        where = f"{self.hits.marked + 1}/{count}  " if count else "nothing has these words  "
        self._told.update(Content.assemble(where, hint_line(HINTS)))

    def step(self, by: int) -> None:
        """Mark an older one (1), or a newer one; not past the ends."""
        if self.hits.prompts:
            self.hits.marked = min(max(self.hits.marked + by, 0), len(self.hits.prompts) - 1)
            self._tell()

    def take(self) -> None:
        """Write on with the marked one; nothing found: nothing happens."""
        if self.hits.prompts:
            self._end(self.hits.prompts[self.hits.marked])

    def close(self) -> None:
        """Back to what was being written."""
        self._end(None)

    def _end(self, prompt: Prompt | None) -> None:
        self.display = False
        self.done(prompt)
