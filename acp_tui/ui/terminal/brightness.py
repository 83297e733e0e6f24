"""Is the terminal dark or light? Asked with OSC 11 while the program is still loading.

Rules: the answer is waited for only so long as nobody notices; whatever else was read meanwhile was typed
by the user and is kept for the app; an answer that comes later is thrown away by the driver (`Late`),
never typed.
"""

from __future__ import annotations

import os
import re
import select
import termios
from collections.abc import Mapping
from time import monotonic
from typing import Any

QUERY = b"\x1b]11;?\x1b\\"
_ANSWER = re.compile(rb"\x1b\]11;([^\x07\x1b]*)(?:\x07|\x1b\\)")
_RGB = re.compile(r"rgba?:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})", re.IGNORECASE)
MUTE = ("dumb", "linux", "")
"""Terminals that are known to print such sequences instead of heeding them."""


def is_dark(answer: str) -> bool | None:
    """`rgb:RRRR/GGGG/BBBB` as dark (True) or light; None if it is no colour."""
    match = _RGB.match(answer)
    if match is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in match.groups())
    return bool(0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.5)


class Question:
    """One question put to the terminal. Until `close` it neither echoes nor waits for whole lines."""

    def __init__(self, fileno: int, environ: Mapping[str, str]) -> None:
        self._fileno = fileno
        self._read = b""
        self._before: list[Any] | None = None
        if environ.get("TERM", "") in MUTE:
            return
        try:
            self._before = termios.tcgetattr(fileno)
            quiet = termios.tcgetattr(fileno)
            quiet[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(fileno, termios.TCSANOW, quiet)
            os.write(fileno, QUERY)
        except (OSError, termios.error):
            self.close()

    @property
    def asked(self) -> bool:
        """The terminal was asked at all."""
        return self._before is not None

    def answer(self, wait: float) -> bool | None:
        """Dark, light or, if no answer has come after `wait` seconds, None."""
        end = monotonic() + wait
        while self.asked:
            match = _ANSWER.search(self._read)
            if match is not None:
                self._read = self._read[: match.start()] + self._read[match.end() :]
                return is_dark(match[1].decode("ascii", "replace"))
            if not self._more(end - monotonic()):
                break
        return None

    def _more(self, wait: float) -> bool:
        ready, _, _ = select.select([self._fileno], [], [], max(0.0, wait))
        piece = os.read(self._fileno, 4096) if ready else b""
        self._read += piece
        return bool(piece)

    def close(self) -> bytes:
        """Give the terminal back as it was; returns what the user typed meanwhile."""
        before, self._before = self._before, None
        if before is not None:
            termios.tcsetattr(self._fileno, termios.TCSANOW, before)
        typed, self._read = self._read, b""
        return typed


class Late:
    """Takes answers that come too late out of the input, also those cut in two by a read."""

    _HEAD = "\x1b]11;"
    _LONGEST = 64

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """The input without them; at most a started answer is held back until its end or `rest`."""
        text = self._held + text
        self._held = ""
        text = _LATE.sub("", text)
        start = text.rfind("\x1b]")
        if start >= 0 and self._started(text[start:]):
            self._held = text[start:]
            return text[:start]
        return text

    def _started(self, tail: str) -> bool:
        return len(tail) < self._LONGEST and (self._HEAD.startswith(tail) or tail.startswith(self._HEAD))

    def rest(self) -> str:
        """What was held back although no answer came of it."""
        held, self._held = self._held, ""
        return held


_LATE = re.compile("\x1b\\]11;[^\x07\x1b]*(?:\x07|\x1b\\\\)")
