"""`acp-tui show`: a saved session in the words of the screen, for pipes, pagers and screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from acp_tui.commands.finding import Trouble, opened
from acp_tui.commands.printing import colours, failed, printed, remark, width
from acp_tui.commands.reading import read
from acp_tui.journal.export import Excerpt
from acp_tui.journal.export.plain import head, lines

USAGE = """\
acp-tui show - print a saved session, in the words of the screen

  acp-tui show ID                 its id, or enough of the beginning of it
  acp-tui show --last             the last one of this folder
  acp-tui show ID:KIND/ENTITY     one entry, as acp-tui search names it

options
  --from PLACE     begin with this entry: a number as --numbers has it, or
                   KIND/ENTITY as acp-tui search names it
  --to PLACE       end with this entry
  --cwd FOLDER     with --last: of this folder instead of the current one
  --unfold         with what is folded on the screen: thoughts, outputs, diffs
  --numbers        the number of each entry before it
  --width CELLS    of a line; default: your terminal, COLUMNS, or 80
  --no-wrap        lines as long as they were written
  --help           this

A session that still goes on, in any window, is printed as far as it is.

for example
  acp-tui show --last | less
  acp-tui show 1a2b --unfold --no-wrap | grep -n TODO

exit status
  0 printed   1 no such session or entry, or unreadable   2 wrong words
  141 nobody reads any more
"""
NUMBER = 6
"""Cells of the numbers."""


def main(arguments: Sequence[str]) -> int:
    """Do it; returns the exit status. Raises `Mistake`."""
    flags = ("--last", "--unfold", "--numbers", "--no-wrap")
    words = read("show", arguments, flags, ("--from", "--to", "--width", "--cwd"))
    if words.has("--help"):
        return printed([USAGE])
    cells = words.number("--width", width(), 20, 1000)
    if words.has("--no-wrap"):
        cells = 0
    try:
        excerpt = opened(words, "show")
    except Trouble as trouble:
        return failed(str(trouble))
    if not excerpt.last:
        remark("nothing was said in it")
    unfold = words.has("--unfold") or ":" in "".join(words.rest)
    return printed(_lines(excerpt, cells, unfold, words.has("--numbers")))


def _lines(excerpt: Excerpt, cells: int, unfold: bool, numbers: bool) -> Iterator[str]:
    yield from (f"{line}\n" for line in head(excerpt, cells))
    room = cells - NUMBER if cells and numbers else cells
    for number, line in lines(excerpt, room, unfold, colours() if cells else None):
        before = f"{number or '':>{NUMBER - 2}}  " if numbers and line else ""
        yield f"{before}{line}\n"
