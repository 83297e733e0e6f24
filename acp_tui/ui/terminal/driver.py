"""Textual's driver, which never waits for the terminal, and an input loop that knows more.

The terminal may go away (end of input, EIO): the app is told once and the loop ends, without a traceback
and without spinning; at rest the loop sleeps. A late answer to OSC 11 is not typing. What was typed before
the app could take it comes first. Alt+Enter is a key in every terminal. The terminal's title is ours while it
is, and is given back with it.
"""

from __future__ import annotations

import os
import selectors
from codecs import getincrementaldecoder
from collections.abc import Iterable
from threading import Event
from time import monotonic
from typing import Any

from textual._ansi_sequences import SYNC_END, SYNC_START
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key
from textual.message import Message

from acp_tui.render.clean import one_line
from acp_tui.ui.terminal.brightness import MUTE, Late
from acp_tui.ui.terminal.output import Output

KEEP_TITLE = "\x1b[22;2t"
GIVE_TITLE_BACK = "\x1b[23;2t"
"""Terminals without a stack of titles ignore both; a shell's prompt sets the title anew there."""


def _titled(title: str) -> str:
    return f"\x1b]2;{one_line(title, 120)}\x1b\\"


class Gone(Message):
    """The terminal is gone: nobody can see or type anything any more."""


class Stale(Message):
    """The terminal shows an old picture: text for it was given up while it took none."""


class Parser(XTermParser):
    """Knows Alt+Enter of terminals without Kitty's keyboard, and that Alt and a letter type nothing."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[Key]:
        if sequence in ("\x1b\r", "\x1b\n"):
            yield Key("alt+enter", None)
            return
        for event in super()._sequence_to_key_events(sequence, alt):
            yield Key(event.key, None) if event.key.startswith("alt+") else event


class Escape:
    """Tells the key Escape from the beginning of a sequence (terminals without Kitty's keyboard).

    Terminals write a sequence, and Alt with a letter, in one piece. So an Escape that comes alone is the key,
    whatever is pressed right after it, unless that goes on as only sequences do: they may be cut on the way.
    """

    KEY = "\x1b"
    _LONGEST = 32
    """Characters that may be keys; more is a paste, which may be cut anywhere."""

    def __init__(self) -> None:
        self._held = False

    def feed(self, text: str) -> tuple[bool, str]:
        """Whether Escape was pressed, and what came after it."""
        pressed = self._held and not text.startswith(("[", "O"))
        if self._held and not pressed:
            text = self.KEY + text
        self._held = text.endswith(self.KEY) and len(text) <= self._LONGEST
        return pressed, text[:-1] if self._held else text

    def rest(self) -> bool:
        """Nothing follows: whether Escape was pressed."""
        held, self._held = self._held, False
        return held


class TerminalDriver(LinuxDriver):
    """The driver for real terminals on Linux and macOS."""

    typed_ahead = b""
    """Set before the app runs: what the user typed while the program was loading."""
    wanted = Event()
    """Set by the app once something has the focus: keys pressed before would go nowhere, so they wait."""
    heard_at = 0.0
    """When a key was pressed last, or anything else came from the terminal (`time.monotonic`)."""
    PATIENCE = 3.0
    MOMENT, MOMENTS = 0.1, 10
    """Seconds after which a started sequence is given up, and how often that is looked at after each read."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._output: Output | None = None
        self._frame: list[str] = []
        """Of a picture that is not complete yet: one write wakes the terminal's thread once, not thrice."""
        self._title = ""
        self._wake: tuple[int, int] | None = None
        """A pipe: what is written to it ends the sleep of the input loop."""
        self._late = Late()
        self._escape = Escape()
        self._parser = Parser()
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def write(self, data: str) -> None:
        """Never waits for the terminal, and outlives it."""
        if self._output is None:
            return
        if self._frame or data == SYNC_START:
            self._frame.append(data)
            if data != SYNC_END:
                return
            data = "".join(self._frame)
            self._frame.clear()
        self._output.write(data)

    def start_application_mode(self) -> None:
        """Take the terminal."""
        assert self._file is not None
        self._output = Output(self._file.fileno(), lambda: self.process_message(Stale()))
        self._wake = os.pipe()
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self._title:
            self.write(KEEP_TITLE + _titled(self._title))

    def show_title(self, title: str) -> None:
        """Write something into the terminal's title, if it is not there already."""
        if title == self._title or os.environ.get("ACP_TUI_TITLE") == "0":
            return
        if os.environ.get("TERM", "") not in MUTE:
            self.write(_titled(title) if self._title else KEEP_TITLE + _titled(title))
            self._title = title

    def capture_mouse(self, wanted: bool) -> None:
        """Take clicks and the wheel, or leave them to the terminal."""
        if wanted:
            self._mouse = True
            self._enable_mouse_support()
        else:
            self._disable_mouse_support()
            self._mouse = False

    def stop_application_mode(self) -> None:
        """Give the terminal back."""
        if self._output is not None:
            self._output.insist()
        if self._title:
            self.write(GIVE_TITLE_BACK)
        super().stop_application_mode()

    def disable_input(self) -> None:
        """Take no more input."""
        if self._wake is not None:
            os.write(self._wake[1], b".")
        super().disable_input()

    def close(self) -> None:
        """Let go of it."""
        super().close()
        if self._wake is not None:
            for fd in self._wake:
                os.close(fd)
            self._wake = None
        if self._output is not None:
            self._output.close()
            self._output = None

    def run_input_thread(self) -> None:
        """Pass input on as events, until the app ends or the terminal is gone."""
        try:
            self._listen()
        except Exception as error:  # of whatever kind: nobody else would hear of it in this thread
            self._app.call_later(self._app._handle_exception, error)

    def _listen(self) -> None:
        self.wanted.wait(self.PATIENCE)
        typed, TerminalDriver.typed_ahead = TerminalDriver.typed_ahead, b""
        self._events(self._decode(typed))
        assert self._wake is not None, "the input loop runs while the terminal is ours"
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self._wake[0], selectors.EVENT_READ)
            quiet = 0
            while not self.exit_event.is_set():
                ready = {key.fd for key, _ in selector.select(self.MOMENT if quiet < self.MOMENTS else None)}
                quiet = 0 if ready else quiet + 1
                if self._wake[0] in ready:
                    os.read(self._wake[0], 1)
                if not self._turn(self.fileno in ready):
                    self.process_message(Gone())
                    return

    def _turn(self, ready: bool) -> bool:
        if not ready:
            self._press_escape(self._escape.rest())
            self._events(self._late.rest())
        else:
            try:
                data = os.read(self.fileno, 4096)
            except OSError:
                return False
            if not data:
                return False
            TerminalDriver.heard_at = monotonic()
            pressed, text = self._escape.feed(self._late.feed(self._decode(data)))
            self._press_escape(pressed)
            self._events(text)
        for event in self._parser.tick():
            self.process_message(event)
        return True

    def _press_escape(self, pressed: bool) -> None:
        if pressed:
            self.process_message(Key("escape", Escape.KEY))

    def _events(self, text: str) -> None:
        for event in self._parser.feed(text) if text else ():
            self.process_message(event)
