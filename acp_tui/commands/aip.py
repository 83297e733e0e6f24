"""`acp-tui aip`: which command starts the bridge to a gateway. The bridge is an agent like any other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from acp_tui.aip.asked import EXTRA, USAGE, Wrong, asked, known, wants_help, words_for
from acp_tui.commands.mistake import Mistake


def help_wanted(words: Sequence[str]) -> bool:
    """Print the help, if that is what was asked for."""
    if wants_help(words):
        sys.stdout.write(USAGE)
        return True
    return False


def command(words: Sequence[str]) -> tuple[str, ...]:
    """The bridge and its words, in which no token can stand. Raises `Mistake`."""
    gateways = known()
    try:
        meant = asked(words, gateways)
    except Wrong as wrong:
        raise Mistake(str(wrong)) from None
    if find_spec("httpx") is None:
        raise Mistake(EXTRA)
    return sys.executable, "-m", "acp_tui.aip", *words_for(*meant, gateways.get(meant.name))
