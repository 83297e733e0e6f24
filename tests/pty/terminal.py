"""The real program in a real pseudo-terminal: its screen, keys for it, every byte it wrote, its processes.

The terminal is read whenever something is waited for, and answers what it is asked as a dark xterm with
synchronised output would. Nothing sleeps: a test waits for what the screen shows, with a limit.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import pyte

from tests.living import living

LEADER = Path(__file__).parent / "leader.py"
LIMIT = 40.0
"""Seconds after which waiting has failed; nothing takes long on a machine that does something."""
MARK = "ACP_TUI_PTY_MARK"
"""Everything the program starts inherits this variable, whatever group or session it moves to."""

KEYS: Mapping[str, bytes] = {
    "enter": b"\r",
    "escape": b"\x1b",
    "tab": b"\t",
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "pageup": b"\x1b[5~",
    "f1": b"\x1bOP",
    "f2": b"\x1bOQ",
    "f5": b"\x1b[15~",
    "f11": b"\x1b[23~",
    "shift+f11": b"\x1b[23;2~",
    "alt+enter": b"\x1b\r",
    "alt+s": b"\x1bs",
    "alt+v": b"\x1bv",
    "shift+enter": b"\x1b[13;2u",
    **{f"ctrl+{letter}": bytes([ord(letter) & 31]) for letter in "abcegjklqruwyz"},
    "ctrl+underscore": b"\x1f",
    "look away": b"\x1b[O",
    "look here": b"\x1b[I",
}

_QUERY = re.compile(rb"\x1b\[\?(?P<mode>\d+)\$p|(?P<background>\x1b\]11;\?(?:\x07|\x1b\\))")
_ABROAD = re.compile(r"\x1b\[[<>=][0-9;]*[ -/]*[@-~]|\x1b\[\?[0-9;]*\$p|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
"""Kitty's keyboard, queries, strings: pyte would draw parts of them."""
_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_KITTY = re.compile(rb"\x1b\[([<>])[0-9]*u")
_SWITCHED = (1000, 1003, 1004, 1006, 1015, 1016, 1049, 2004, 2026, 2048)
_OURS = re.compile(
    rb"\x1b\[[0-9;]*[mCHJKLMXr]"  # colours, moves, erasing, lines in and out of a region
    rb"|\x1b\[\?(?:7|25|1000|1003|1004|1006|1015|1016|1049|2004|2026|2048)[hl]"
    rb"|\x1b\[\?(?:2026|2048)\$p|\x1b\[>[0-9]+u|\x1b\[<u"
    rb"|\x1b\]11;\?\x1b\\|\x1b\]22;[a-z]+\x07"  # the background's colour, the pointer's shape
    rb"|\x1b\[2[23];2t"  # the title, kept and given back
    rb"|\x1b\](?:9;acp-tui: |777;notify;|99;i=acp-tui:)[^\x00-\x1f]*\x1b\\"  # notifications
    rb"|\x1b\]8;(?:id=[0-9]+)?;(?:(?:https?|file)://[!-~]+)?\x1b\\"  # links
)
_TITLE = re.compile(rb"\x1b\]2;([^\x00-\x1f]*)\x1b\\")
_HARMFUL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters, C1 and what turns the direction of text."""
RESTORED = {25: True, 7: True, **dict.fromkeys(_SWITCHED, False)}
"""Private modes and how whoever had the terminal before finds them again."""


class Terminal:
    """One run of a command; `close` ends everything of it whatever happened."""

    def __init__(
        self, folder: Path, command: Sequence[str], env: Mapping[str, str], size: tuple[int, int]
    ) -> None:
        self.folder = folder
        self.background = "rgb:1010/1212/1616"
        """What it says when it is asked for its colour."""
        self.raw = bytearray()
        """Everything the program wrote."""
        self._fed = 0
        self._screen = pyte.Screen(*size)
        self._stream = pyte.Stream(self._screen)
        self._tail = ""
        self._decoder = _decoder()
        self._mark = uuid.uuid4().hex
        self._fd, slave = os.openpty()
        self._resize(size)
        self._before = termios.tcgetattr(slave)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(LEADER), *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env={**env, MARK: self._mark},
            start_new_session=True,
        )
        self._slave = slave

    # What it shows

    def rows(self) -> list[str]:
        """The screen, row by row."""
        self._feed()
        return [row.rstrip() for row in self._screen.display]

    def text(self) -> str:
        """The screen."""
        return "\n".join(self.rows())

    def cursor(self) -> tuple[int, int]:
        """Column and row where the terminal's own cursor stands, seen or not."""
        self._feed()
        return self._screen.cursor.x, self._screen.cursor.y

    def colour(self, x: int, y: int) -> str:
        """The background of a cell, as six digits."""
        self._feed()
        return str(self._screen.buffer[y][x].bg)

    def until(self, what: str | Callable[[], object], limit: float = LIMIT) -> None:
        """Wait until the screen shows this text, or until this is true."""
        end = monotonic() + limit
        while not (what in self.text() if isinstance(what, str) else what()):
            if monotonic() > end or self._fd < 0:
                raise AssertionError(f"never came: {what}\n{self.text()}")
            self.read(0.05)

    def seconds(self, words: str) -> int:
        """How long the status line says it has been so; -1 if it does not."""
        found = re.search(rf"{re.escape(words)} (\d+) s", self.rows()[-1])
        return int(found[1]) if found else -1

    def until_lasted(self, words: str, seconds: int) -> None:
        """Wait until it has been so for that long."""
        self.until(lambda: self.seconds(words) >= seconds)

    def until_gone(self, text: str) -> None:
        """Wait until the screen does not show this text any more."""
        self.until(lambda: text not in self.text())

    def quiet(self, seconds: float) -> None:
        """Wait until nothing was written for that long."""
        end = monotonic() + LIMIT
        while self.read(seconds):
            assert monotonic() < end, "it never stops writing"

    def until_unread(self, condition: Callable[[], object]) -> None:
        """Wait until this is true, and take nothing from the program meanwhile."""
        end = monotonic() + LIMIT
        while not condition():
            assert monotonic() < end, f"never came\n{self.text()}"
            select.select([], [], [], 0.05)

    def check_picture(self) -> None:
        """What stands on the screen is what a fresh drawing of it shows."""
        self.quiet(0.5)
        before = self.rows()
        mark = len(self.raw)
        self.press("ctrl+l")
        self.until(lambda: len(self.raw) > mark)
        self.quiet(0.5)
        assert [pair for pair in zip(before, self.rows(), strict=True) if pair[0] != pair[1]] == []

    def read(self, wait: float) -> int:
        """Take what comes within that time; returns how many bytes that were."""
        if self._fd < 0:
            return 0
        ready = select.poll()  # `select` takes no descriptor over 1,023, which other tests may have used up
        ready.register(self._fd, select.POLLIN)
        if not ready.poll(wait * 1000):
            return 0
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:  # nobody holds the other end any more
            data = b""
        self.raw += data
        self._answer(data)
        return len(data)

    def _feed(self) -> None:
        new = self._tail + self._decoder(bytes(self.raw[self._fed :]))
        self._fed = len(self.raw)
        start = new.rfind("\x1b")
        whole = len(new) if start < 0 or _complete(new[start:]) else start
        self._tail = new[whole:]
        self._stream.feed(_ABROAD.sub("", new[:whole]))

    def _answer(self, data: bytes) -> None:
        for query in _QUERY.finditer(data):
            if query["mode"]:
                known = b"2" if query["mode"] == b"2026" else b"0"
                os.write(self._fd, b"\x1b[?" + query["mode"] + b";" + known + b"$y")
            else:
                os.write(self._fd, b"\x1b]11;" + self.background.encode() + b"\x1b\\")

    # What is done to it

    def type(self, text: str) -> None:
        """Type characters."""
        os.write(self._fd, text.encode())

    def press(self, *names: str) -> None:
        """Press keys, by name or character."""
        for name in names:
            os.write(self._fd, KEYS.get(name) or name.encode())

    def paste(self, text: str) -> None:
        """As a terminal in bracketed paste mode does."""
        assert self.modes().get(2004), "the program has not asked for it"
        os.write(self._fd, b"\x1b[200~" + text.encode() + b"\x1b[201~")

    def say(self, text: str) -> None:
        """Write a prompt and send it."""
        self.type(text)
        self.press("enter")

    def resize(self, width: int, height: int) -> None:
        """Another size; the kernel tells the program."""
        self._feed()
        self._screen.resize(height, width)
        self._resize((width, height))

    def _resize(self, size: tuple[int, int]) -> None:
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def signal(self, number: signal.Signals) -> None:
        """Send to the program."""
        os.kill(self.process.pid, number)

    def hang_up(self) -> None:
        """The terminal's window is closed."""
        os.close(self._slave)
        os.close(self._fd)
        self._fd = self._slave = -1

    # What is left

    def wait(self, limit: float = LIMIT) -> int:
        """Wait for its end, reading; returns its exit status."""
        if self._fd < 0:
            return self.process.wait(limit)
        self.until(lambda: self.process.poll() is not None, limit)
        while self.read(0.0):
            pass
        assert self.process.returncode is not None
        return self.process.returncode

    def living(self) -> dict[int, str]:
        """Everything of this run that lives: pid and command."""
        return living(MARK, self._mark)

    def titles(self) -> list[str]:
        """The titles it was given, one after the other; `` where it got its own back."""
        found = re.findall(rb"\x1b\]2;([^\x1b]*)\x1b\\|\x1b\[23;2t", self.raw)
        return [title.decode() for title in found]

    def foreground(self) -> int:
        """The group of processes that gets what is typed."""
        return os.tcgetpgrp(self._fd)

    def modes(self) -> dict[int, bool]:
        """The private modes of the terminal that were switched, and how they stand."""
        found = {}
        for numbers, switch in _MODE.findall(self.raw):
            found.update({int(n): switch == b"h" for n in numbers.split(b";") if n})
        return found

    def check_restored(self) -> None:
        """Whoever had the terminal before finds it as it was."""
        assert {m: on for m, on in self.modes().items() if RESTORED.get(m, on) != on} == {}
        pushes = _KITTY.findall(self.raw)
        assert pushes.count(b">") == pushes.count(b"<")
        assert self.raw.count(b"\x1b[22;2t") == self.raw.count(b"\x1b[23;2t"), "the title"
        assert termios.tcgetattr(self._slave) == self._before

    def check_harmless(self, but: bytes = b"") -> None:
        """No sequence that is not ours, no control character: agents cannot reach the terminal (SF-01)."""
        raw = bytes(self.raw).replace(but, b"") if but else self.raw
        rest = _OURS.sub(b"", _TITLE.sub(rb"\1", raw))
        found = list(_HARMFUL.finditer(rest.decode(errors="replace")))
        assert found == [], [m.string[max(0, m.start() - 20) : m.end() + 20] for m in found[:5]]

    def check_ended(self, status: int = 0, *, copied: bytes = b"") -> None:
        """It ended, or ends now, with this status; nothing of it lives, the terminal is as it was, and was
        sent nothing else but text, what our driver writes, and `copied`.
        """
        assert self.wait() == status, f"{self.process.returncode}\n{self.text()}"
        assert self.living() == {}
        self.check_harmless(copied)
        if self._fd >= 0:
            self.check_restored()
            assert b"Traceback" not in self.raw, self.text()

    def quit(self) -> None:
        """Ctrl+Q with nothing running."""
        self.press("ctrl+q")
        self.check_ended()

    def close(self) -> None:
        """End whatever a failed test left."""
        for pid in self.living():
            os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for fd in {self._fd, self._slave} - {-1}:
            os.close(fd)


def _complete(text: str) -> bool:
    """A sequence that starts this text has its end in it."""
    if len(text) < 2:
        return False
    if text[1] == "[":
        return re.match(r"\x1b\[[0-?]*[ -/]*[@-~]", text) is not None
    return text[1] not in "]PX^_" or "\x07" in text or "\x1b\\" in text


def _decoder() -> Any:
    import codecs

    return codecs.getincrementaldecoder("utf-8")("replace").decode
