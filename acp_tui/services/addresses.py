"""An address that an agent wants opened: whose it is, and what is odd about it (EL-12).

Pure. The host that is named is the one a browser would go to, or none: an address that programs read in
different ways is not taken apart but called odd, and not opened from here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

OPENED = ("https", "http")
"""Kinds of addresses that may be given to a browser. Others start programs."""
_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)(.*)", re.DOTALL)
_HOST = re.compile(r"(.*@)?(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)((?::[0-9]*)?)", re.DOTALL)
_LOCAL = re.compile(r"localhost|.*\.localhost|127\.[0-9.]+|\[::1\]")


@dataclass(frozen=True, slots=True)
class Address:
    """The address in three parts, which together are the whole."""

    before: str
    host: str
    """Empty where it has none, or none that is sure."""
    after: str
    odd: tuple[str, ...] = ()
    """What the user should know before he opens it, in words."""
    opened: bool = True
    """A browser may be given it; otherwise it is only copied."""

    @property
    def whole(self) -> str:
        """As it came."""
        return self.before + self.host + self.after


def address(url: str) -> Address:
    """Take it apart, and look at it with suspicion."""
    parts = _PARTS.fullmatch(url)
    found = _HOST.fullmatch(parts[2]) if parts is not None else None
    if _unsure(url) or parts is None or found is None:
        why = (
            "it holds characters that no address has: it may lead elsewhere than it looks"
            if _unsure(url)
            else "it names no host"
        )
        return Address(url, "", "", (why,), opened=False)
    scheme, user, host, port = parts[1].lower(), found[1] or "", found[2], found[3]
    before = f"{parts[1]}://{user}"
    odd = tuple(_odd(scheme, user, host))
    return Address(before, host, f"{port}{parts[3]}", odd, opened=scheme in OPENED)


def _unsure(url: str) -> bool:
    """Spaces, controls, invisible characters, and backslashes, which browsers take for slashes."""
    return not url.isprintable() or any(one.isspace() or one == "\\" for one in url) or "%00" in url


def _odd(scheme: str, user: str, host: str) -> list[str]:
    found = []
    if scheme not in OPENED:
        found.append(f"it is no web page ({scheme}): acp-tui does not open it, you may copy it")
    elif scheme == "http" and not _LOCAL.fullmatch(host.lower()):
        found.append("it is not encrypted (http)")
    if user:
        found.append(f"what stands before the @ is no host; it leads to {host}")
    if any(label.startswith("xn--") for label in host.lower().split(".")):
        found.append("its host is written in code for other letters (xn--)")
    elif not host.isascii():
        scripts = _scripts(host)
        mixed = len(scripts) > 1
        found.append(
            f"its host mixes letters of {' and '.join(scripts)}"
            if mixed
            else "its host has letters that can look like others"
        )
    return found


def _scripts(host: str) -> list[str]:
    """The scripts of its letters, by the first word of their names."""
    names = [unicodedata.name(one, "").partition(" ")[0].capitalize() for one in host if one.isalpha()]
    return list(dict.fromkeys(name for name in names if name))
