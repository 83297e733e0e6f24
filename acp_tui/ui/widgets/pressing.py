"""Keys that answer, told apart from keys that write: who writes presses several, who answers presses one.

Invariants: a key that answers does so only if no other follows at once; no letter of what was written is
lost, from the first of them; a key that is held down answers once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

BURST = 0.15
"""Seconds within which a second key shows that somebody writes and does not answer."""
QUIET = 1.0
"""Seconds without a key after which nobody writes any more."""


class Pressing(Widget):
    """A widget whose keys answer."""

    @dataclass
    class Typed(Message):
        """Somebody writes here who does not mean to answer: the text belongs to the composer."""

        text: str

    def __init__(self, now: Callable[[], float], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.now = now
        self.struck = ("", "")
        """The key that was pressed last, and what it writes."""
        self.pressed: tuple[tuple[str, str], Timer] | None = None
        """A key that answers in a moment, unless another one shows that somebody writes."""
        self.burst = ""
        """Characters that came close together, whatever they did: they may be the beginning of a text."""
        self.burst_at = float("-inf")
        self.writing = False
        """Somebody writes, and the focus is on its way to the composer."""

    def soon(self, deed: Callable[[], None]) -> None:
        """Do it unless the next key comes at once: who writes presses several, who answers presses one."""
        self.unpress()
        self.pressed = pressed = (self.struck, self.set_timer(BURST, lambda: self._after_keys(ripe)))

        def ripe() -> None:
            if self.pressed is pressed:
                deed()

    def _after_keys(self, done: Callable[[], None]) -> None:
        """Call this behind the keys that already wait: a program that was busy must not take the first key of
        a burst for a single one.
        """
        self.app.call_later(self.call_later, done)

    def unpress(self) -> str:
        """Take back a key that has not done anything yet: what it would have written."""
        pressed, self.pressed = self.pressed, None
        if pressed is None:
            return ""
        pressed[1].stop()
        return pressed[0][1]

    async def on_key(self, event: events.Key) -> None:
        """Keys that mean nothing here, and keys that come in a burst, are writing, from the first of them.

        What a key does it does here and now: the next one, right behind it, must find it pressed.
        """
        self.struck = (event.key, event.character if event.is_printable and event.character else "")
        if not event.is_printable or event.character is None:
            return
        at = self.now()
        if at - self.burst_at > QUIET:
            self.writing = False
        self.burst = self.burst + event.character if at - self.burst_at <= BURST else event.character
        self.burst_at = at
        if self.pressed is not None and event.key == self.pressed[0][0]:
            return  # held down
        bound = self.screen.active_bindings.get(event.key)
        if self.unpress() or self.writing or bound is None:
            event.stop()
            event.prevent_default()
            self.post_message(self.Typed(self.burst))
            self.burst, self.writing = "", True
        elif bound.node is self:
            event.stop()
            event.prevent_default()
            await self.app.run_action(bound.binding.action, self)
