"""The one sanitiser: everything an agent wrote passes here on its way to a line (SF-01, SF-04).

Invariants: what `clean` returns holds no C0 but newline, no DEL, C1, ESC, bidi control, surrogate or
invisible formatting character; tabs are spaces. `clean` never looks across a newline, so cleaning line by
line gives the same as cleaning the whole. `visible` loses nothing: it writes such characters out.
"""

from __future__ import annotations

import re

from rich.cells import cell_len, set_cell_size

TAB = 4
KEPT = "\u200c\u200d"
"""Joiners that scripts and emoji need; they have no width and move nothing."""

_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    "\U000e0000-\U000e0fff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
_SUSPECT = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}]")
_BODY = r"[^\x07\x1b\x90\x98\x9c-\x9f\n]*(?:\x07|\x1b\\|\x9c)"
_ESCAPE = (
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI
    rf"|[\]PX^_]{_BODY}"  # OSC, DCS …
    r"|[ -/]+[0-~]"
    r"|[0-Z\\^-~])"
)
_ESCAPES = re.compile(_ESCAPE)
"""Four times as fast as what follows, as all of them begin with the same character."""
_SEQUENCES = re.compile(rf"{_ESCAPE}|\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f]{_BODY}")
_HIGH = re.compile("[\x80-\x9f]")
_CARRIAGE = re.compile(r"\r+(?=\n|$)")
_DROPPED = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_INVISIBLE}]")
_CONTROLS = bytes([*range(0x0A), *range(0x0B, 0x20), 0x7F])
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"[ \n]+")

_HIDDEN = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\xa0\ud800-\udfff{_INVISIBLE}"
    "\u034f\u115f\u1160\u17b4\u17b5\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0\U000e1000-\U000e1fff]"
    "|(?<![\u2190-\u33ff\U0001f000-\U0001ffff\ufe0f])[\u200c\u200d\ufe00-\ufe0f]"
)


def clean(text: str, tab: int = TAB) -> str:
    """The text as it may stand on the screen: whole escape sequences swallowed, the rest of its words kept
    (SF-01)."""
    if text.isprintable() or not _SUSPECT.search(text):
        return text
    if not text.isascii() and _HIGH.search(text):
        text = _SEQUENCES.sub("", text)
    elif "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "\r" in text:
        text = _CARRIAGE.sub("", text.replace("\r\n", "\n")).replace("\r", " ")
    if "\t" in text:
        text = text.expandtabs(tab)
    if text.isascii():  # twenty times as fast: outputs of megabytes come here whole
        return text.encode().translate(None, _CONTROLS).decode()
    return _SURROGATE.sub("\ufffd", _DROPPED.sub("", text))


def pasteable(text: str) -> str:
    """Source text for the clipboard: clean, but with its tabs, which code needs."""
    return "\t".join(map(clean, text.split("\t"))) if "\t" in text else clean(text)


def one_line(text: str, width: int | None = None) -> str:
    """Clean text as one line with single spaces, cut with `…` to at most `width` cells."""
    if width is None:
        return _SPACES.sub(" ", clean(text)).strip()
    if width <= 0:
        return ""
    enough = width * 8 + 256  # of a title of a megabyte nobody needs to clean the end
    line = _SPACES.sub(" ", clean(text[:enough])).strip()
    if cell_len(line) <= width and len(text) <= enough:
        return line
    return set_cell_size(line, min(width - 1, cell_len(line))).rstrip() + "…"


def visible(text: str) -> str:
    """The text for somebody who must decide on it: nothing is cut and nothing is hidden (PM-21, SF-04).

    Control characters become their pictures, invisible and bidirectional ones their code points.
    """
    if text.isprintable() and not _HIDDEN.search(text):
        return text
    return _HIDDEN.sub(_spelled, text.replace("\r\n", "\n")).expandtabs(TAB)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"
