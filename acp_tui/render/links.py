"""Addresses and paths that an agent wrote, as links: what a click here does, and what the terminal opens.

Invariants: an address handed to the terminal (OSC 8) is http, https or a file of this machine, printable
ASCII and of bounded length; anything else is a click of ours or text (SF-02, SF-03). Nothing is opened or
looked at here, and a path with `..` in it is text only (SF-05).
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, unquote

from rich.style import Style

from acp_tui.render.clean import clean
from acp_tui.render.look import act

LONGEST = 2048
"""Characters of an address beyond which terminals refuse it."""
_OPENED = re.compile(r"https?://[^/\s]|file:///(?!/)|file://localhost/", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+-]+:(?!\d)")
_PLACE = re.compile(r"(.*?[^:\d].*?)(?:(?::|#L)(\d{1,7}))?(?:[:-][L\d]+)?$", re.DOTALL)
_KEPT = "%/:?#[]@!$&'()*+,;=~"


def address(url: str) -> str:
    """The address as the terminal may have it; empty if it may not."""
    if len(url) > LONGEST or not _OPENED.match(url):
        return ""
    made = quote(clean(url).replace("\n", ""), safe=_KEPT, errors="replace")
    climbs = made[:5].lower() == "file:" and ".." in unquote(made).split("/")
    return made if len(made) <= LONGEST and not climbs else ""


def file_address(path: str) -> str:
    """The address of a file by its absolute path; empty for any other."""
    if not path.startswith("/") or path.startswith("//"):
        return ""
    return address("file://" + quote(clean(path), safe="/", errors="replace"))


@lru_cache(maxsize=4096)
def linked(style: Style, url: str) -> Style:
    """The style for words that stand for an address: a click copies or opens it, the terminal may open it."""
    target = address(url)
    if target or _SCHEME.match(url):
        return _with(style, act("link", url), target)
    return placed(style, *place(url))


@lru_cache(maxsize=4096)
def placed(style: Style, path: str, line: int | None) -> Style:
    """The style for words that stand for a place in a file."""
    if not path or ".." in re.split(r"[/\\]", path):
        return style
    return _with(style, act("open", path, line), file_address(path))


def place(target: str) -> tuple[str, int | None]:
    """Path and line of `src/lex.py:40`, `/a/b.c#L7` and the like; no path for `#anchor`."""
    found = _PLACE.match(target)
    if found is None or target.startswith("#"):
        return "", None
    return found[1].partition("#")[0], int(found[2]) if found[2] and int(found[2]) else None


def _with(style: Style, action: Style, target: str) -> Style:
    return style + action + Style(link=target) if target else style + action
