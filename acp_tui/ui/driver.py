"""Textual's driver with an input loop that knows three things more.

The terminal may go away (end of input, EIO): the app is told once and the loop ends, without a traceback
and without spinning. A late answer to OSC 11 is not typing. What was typed before the app could take it
comes first.
"""

from __future__ import annotations

import contextlib
import os
import selectors
from codecs import getincrementaldecoder
from threading import Event
from typing import Any, TextIO, cast

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from acp_tui.ui.background import Late


class Gone(Message):
    """The terminal is gone: nobody can see or type anything any more."""


class Patient:
    """The terminal as a file that may be gone.

    The thread that writes to it must not die: the app waits for room in its queue.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write, if there is still somewhere to write to."""
        with contextlib.suppress(OSError):
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """The same."""
        with contextlib.suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        """Of the terminal."""
        return self._file.fileno()


class TerminalDriver(LinuxDriver):
    """The driver for real terminals on Linux and macOS."""

    typed_ahead = b""
    """Set before the app runs: what the user typed while the program was loading."""
    wanted = Event()
    """Set by the app once something has the focus: keys pressed before would go nowhere, so they wait."""
    PATIENCE = 3.0

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        assert self._file is not None
        self._file = cast(Any, Patient(self._file))
        self._late = Late()
        self._parser = XTermParser()
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def run_input_thread(self) -> None:
        """Wait for input and pass it on as events, until the app ends or the terminal is gone."""
        self.wanted.wait(self.PATIENCE)
        typed, TerminalDriver.typed_ahead = TerminalDriver.typed_ahead, b""
        self._events(self._decode(typed))
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if not self._turn(bool(selector.select(0.1))):
                    self.process_message(Gone())
                    return

    def _turn(self, ready: bool) -> bool:
        if not ready:
            self._events(self._late.rest())
        else:
            try:
                data = os.read(self.fileno, 4096)
            except OSError:
                return False
            if not data:
                return False
            self._events(self._late.feed(self._decode(data)))
        for event in self._parser.tick():
            self.process_message(event)
        return True

    def _events(self, text: str) -> None:
        for event in self._parser.feed(text) if text else ():
            self.process_message(event)
