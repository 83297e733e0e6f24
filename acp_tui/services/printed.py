"""What a command printed, as plain text for an agent: the last of it, up to a number of bytes (V1-55).

Invariants: any split of the bytes gives the text of the whole (of a line of more than `LONGEST`, but for
what it overwrites); no character is cut, neither at the front nor
where a chunk ends; colours and other escape sequences are taken out, of a line that was overwritten the last
state stays, other control characters than newline and tab are dropped.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections import deque

LONGEST = 64 * 1024
"""Characters of one line, or of one escape sequence, that are kept together."""

_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI
    r"|\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)"  # OSC, DCS …
    r"|\x1b[ -/]+[0-~]"
    r"|\x1b[0-OQ-WYZ\\`-~]"
)
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)\Z")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Printed:
    """See the module. `limit`: bytes of UTF-8."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._begun = ""
        """An escape sequence that is not whole yet."""
        self._line = ""
        """The line that is being written; what it overwrites, until something does, ends with CR."""
        self._done: deque[bytes] = deque()
        self._size = 0
        self._cut = False

    def feed(self, data: bytes) -> None:
        """More output."""
        text = self._begun + self._decode(data)
        self._begun = ""
        begun = _BEGUN.search(text, max(0, len(text) - LONGEST))
        if begun is not None:
            self._begun, text = begun[0], text[: begun.start()]
        *lines, self._line = (self._line + _CONTROLS.sub("", _SEQUENCE.sub("", text))).split("\n")
        self._keep("".join(f"{_last(line)}\n" for line in lines))
        if len(self._line) > LONGEST:
            self._line = _overwritten(self._line)
            if len(self._line) > LONGEST:
                self._keep(self._line[:-1])  # the last character may be a CR
                self._line = self._line[-1]

    @property
    def text(self) -> str:
        """The last of it."""
        return self._whole()[0]

    @property
    def truncated(self) -> bool:
        """The first of it is missing there."""
        return self._whole()[1]

    def _keep(self, text: str) -> None:
        if not text:
            return
        data = text.encode("utf-8")
        self._done.append(data)
        self._size += len(data)
        while self._done and self._size - len(self._done[0]) >= self.limit:
            self._size -= len(self._done.popleft())
            self._cut = True

    def _whole(self) -> tuple[str, bool]:
        data = b"".join([*self._done, _last(self._line).encode("utf-8")])
        over = len(data) - self.limit
        if over <= 0:
            return data.decode("utf-8"), self._cut
        while over < len(data) and data[over] & 0xC0 == 0x80:
            over += 1
        return data[over:].decode("utf-8"), True


def _last(line: str) -> str:
    """What is to be seen of a line that was overwritten."""
    return line.rstrip("\r").rpartition("\r")[2] if "\r" in line else line


def _overwritten(line: str) -> str:
    """Without what will never be seen; a CR at the end, which overwrites nothing yet, stays."""
    body = line.rstrip("\r")
    return body.rpartition("\r")[2] + ("\r" if len(body) < len(line) else "")
