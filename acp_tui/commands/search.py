"""`acp-tui search`: where something was said, as lines like those of grep."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

from acp_tui.commands.finding import query
from acp_tui.commands.mistake import Mistake
from acp_tui.commands.printing import colours, printed, remark
from acp_tui.commands.reading import read
from acp_tui.commands.sessions import described, iso
from acp_tui.journal.entry import Hit, Query
from acp_tui.journal.library import Library
from acp_tui.journal.shared import washed
from acp_tui.journal.wanted import wanted
from acp_tui.render.clean import one_line

USAGE = """\
acp-tui search - where something was said, thought, run or changed

  acp-tui search WORD...          all words, in any order; the last may go on
  acp-tui search '"SOME WORDS"'   these words, one behind the other

Each line is  ID:KIND/ENTITY: what stands there  - newest first. Read on with
  acp-tui show ID:KIND/ENTITY     acp-tui show ID --from KIND/ENTITY

options
  --here           only sessions of this folder and below; default: --all
  --cwd FOLDER     with --here: this folder instead of the current one
  --agent NAME     only of this agent
  --limit N        at most so many lines; default: 100
  --json           an object a line instead
  --help           this

exit status
  0 found   1 found nothing   2 wrong words   141 nobody reads any more
"""
PATIENCE = 30.0
"""Seconds for reading what is new before it is searched."""
MARK = ("\x1b[1m", "\x1b[22m")


def main(arguments: Sequence[str]) -> int:
    """Do it; returns the exit status. Raises `Mistake`."""
    words = read("search", arguments, ("--here", "--all", "--json"), ("--agent", "--limit", "--cwd"))
    if words.has("--help"):
        return printed([USAGE])
    text = " ".join(words.rest)
    if not text.strip():
        raise Mistake("what is sought? acp-tui search WORD..., or --help")
    if not wanted(text):
        raise Mistake("words are found by their letters and digits; there are none in what is sought")
    asked = query(words, everywhere=True, limit=100)
    with closing(Library()) as library:
        _bring_up(library)
        hits = _found(library, text, asked)
    lines = map(_object, hits) if words.has("--json") else _lines(hits)
    return printed(lines) or (0 if hits else 1)


def _found(library: Library, text: str, asked: Query) -> list[Hit]:
    return library.search(text, folder=asked.folder, agent=asked.agent, limit=asked.limit)


def _bring_up(library: Library) -> None:
    """What was said since is read first; where that takes too long, it is said what is missing."""
    if library.progress().state != "current":
        with subprocess.Popen(
            library.indexer(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as indexer:
            try:
                indexer.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                indexer.communicate()  # which closes its stdin, and so ends it
    if said := library.progress().words:
        remark(said)


def _lines(hits: list[Hit]) -> Iterator[str]:
    before, after = MARK if colours() else ("", "")
    for hit in hits:
        place = one_line(f"{hit.entry.id}:{hit.kind}/{hit.id}")
        yield f"{place}: {_marked(hit, before, after)}\n"


def _marked(hit: Hit, before: str, after: str) -> str:
    said = one_line(washed(hit.snippet))
    found = one_line(washed(hit.found))
    at = said.find(found) if found else -1
    return said if at < 0 else f"{said[:at]}{before}{found}{after}{said[at + len(found) :]}"


def _object(hit: Hit) -> str:
    made: dict[str, Any] = {
        "session": described(hit.entry),
        "kind": hit.kind,
        "entity": one_line(hit.id),
        "at": iso(hit.at),
        "snippet": washed(hit.snippet),
        "found": washed(hit.found),
    }
    return json.dumps(made, ensure_ascii=False) + "\n"
