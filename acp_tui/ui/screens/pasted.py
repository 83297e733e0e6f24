"""A long paste to read, to change in the editor, to write out, or to take out of the prompt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Protocol

from textual.binding import BindingType

from acp_tui.render.clean import clean
from acp_tui.ui import keys
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.page import HINTS, Line, Page
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told


class Change(Protocol):
    """Put this in its place."""

    def __call__(self, text: str, unfold: bool) -> None: ...


class PastedScreen(Page):
    """One of them."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("pasted")
    hints: ClassVar[tuple[Hint, ...]] = (
        HINTS[0],
        ("pasted.edit", "change"),
        ("pasted.unfold", "write out"),
        ("pasted.drop", "take out"),
        HINTS[1],
    )

    def __init__(self, text: str, conversation: Conversation, change: Change) -> None:
        super().__init__()
        self.pasted = text
        self.conversation = conversation
        self.change = change

    def heading(self) -> str:
        """The title."""
        lines = self.pasted.rstrip("\n").count("\n") + 1
        return f"Pasted: {lines:,} lines, {len(self.pasted):,} characters; sent whole"

    def lines(self) -> Iterable[Line]:
        """The text."""
        return [("", clean(line)) for line in self.pasted.rstrip("\n").split("\n")]

    async def action_edit(self) -> None:
        """In the user's editor."""
        from acp_tui.ui.writing.in_editor import write

        after, problem = await write(self.app, self.conversation.env, self.pasted, self.conversation.cwd)
        if problem:
            self.post_message(Told(problem, severity="warning"))
        elif after is not None and after != self.pasted:
            self._end(after)

    def action_unfold(self) -> None:
        """Into the prompt, to be changed there."""
        self._end(self.pasted, unfold=True)

    def action_drop(self) -> None:
        """Away with it; undo brings it back."""
        self._end("")

    def _end(self, text: str, *, unfold: bool = False) -> None:
        self.dismiss(None)
        self.change(text, unfold)
