"""`acp-tui inspect FILE...`: what a client understands from a record, as JSON (`inspection`).

One file: the whole state, indented. Several: one object a line, in their order. Exit status 1 if one is
unreadable.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from acp_tui.inspection.record import BadRecord, read
from acp_tui.inspection.state import Json, describe
from acp_tui.journal.playing import Player

USAGE = """\
usage: acp-tui inspect FILE...

Plays recorded messages through the client and prints what it knows then, as JSON. With several
files one object a line is printed. FILE is

  a trace, one object a line:
    {"dir": "a2c" or "c2a", "msg": {...}}   sent by agent or client; also "<", ">"
    {"dir": "a2c", "raw": "..."}            a line that is no message
    {"event": "connection_lost"}            the agent is gone
  a test vector: {"messages": [such objects]}
  a journal that acp-tui kept
"""


def main(argv: Sequence[str]) -> int:
    """Print the state after each file."""
    if not argv or any(word in ("-h", "--help") for word in argv):
        (sys.stdout if argv else sys.stderr).write(USAGE)
        return 0 if argv else 2
    failed = False
    for name in argv:
        try:
            state = understand(Path(name))
        except BadRecord as bad:
            sys.stderr.write(f"acp-tui inspect: {name}: {bad}\n")
            failed = True
            continue
        text = json.dumps(state, indent=2) if len(argv) == 1 else json.dumps({"file": name, **state})
        sys.stdout.write(text + "\n")
    return 1 if failed else 0


def understand(path: Path) -> Json:
    """What is known after the record in this file; raises `BadRecord`."""
    player = Player()
    player.play(*read(path))
    return describe(player)
