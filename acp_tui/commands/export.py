"""`acp-tui export`: a saved session as a file for others."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from acp_tui.base import atomic
from acp_tui.commands.finding import Trouble, opened
from acp_tui.commands.mistake import Mistake
from acp_tui.commands.printing import failed, printed, remark
from acp_tui.commands.reading import Words, read
from acp_tui.journal.export import FORMATS, export
from acp_tui.journal.export.picture import TooLong

USAGE = """\
acp-tui export - a saved session as a file for others

  acp-tui export ID -o FILE       its id, or enough of the beginning of it
  acp-tui export --last -o FILE   the last one of this folder

options
  --output, -o FILE  where to; - or none: standard output. What is there is
                     kept, unless --force; the file is readable only by you
  --format FORM      md    markdown, to be pasted into an issue or pull request
                     html  one page that needs nothing else, to be sent
                     json  for programs; --schema prints what stands in it
                     text  the words of the screen, unfolded
                     svg   a picture of the screen
                     default: as FILE ends, else md
  --from PLACE       begin with this entry: a number as acp-tui show --numbers
                     has it, or KIND/ENTITY as acp-tui search names it
  --to PLACE         end with this entry
  --cwd FOLDER       with --last: of this folder instead of the current one
  --width CELLS      of text and picture; default: 80
  --no-wrap          text in lines as long as they were written
  --force            replace FILE
  --schema           print the JSON Schema of --format json
  --help             this

Secrets are masked: keys, tokens and passwords, by their shape and their names.
Look at it before you give it away all the same.

exit status
  0 written   1 no such session or entry, or it could not be written
  2 wrong words   141 nobody reads any more
"""
_ENDINGS = {f".{ending}": form for form, ending in FORMATS.items()} | {".markdown": "md", ".htm": "html"}


def main(arguments: Sequence[str]) -> int:
    """Do it; returns the exit status. Raises `Mistake`."""
    flags = ("--last", "--no-wrap", "--force", "--schema")
    words = read("export", arguments, flags, ("--format", "--from", "--to", "--width", "--output", "--cwd"))
    if words.has("--help"):
        return printed([USAGE])
    if words.has("--schema"):
        from acp_tui.journal.export.schema import SCHEMA

        return printed([json.dumps(SCHEMA, indent=2, ensure_ascii=False), "\n"])
    target = words.get("--output") or "-"
    form, cells = _form(words, target), words.number("--width", 80, 20, 1000)
    path = None if target == "-" else _free(target, words.has("--force"))
    try:
        pieces = export(form, opened(words, "export"), 0 if words.has("--no-wrap") else cells)
        if path is None:
            return printed(pieces)
        _write(path, "".join(pieces))
    except (Trouble, TooLong) as trouble:
        return failed(str(trouble))
    remark(f"written to {path}")
    return 0


def _form(words: Words, target: str) -> str:
    form = words.get("--format") or _ENDINGS.get(Path(target).suffix.lower(), "md")
    form = {"txt": "text", "markdown": "md"}.get(form, form)
    if form not in FORMATS:
        raise Mistake(f"--format {form}: it is one of {', '.join(FORMATS)}")
    return form


def _free(target: str, force: bool) -> Path:
    """Where to write. Raises `Mistake`."""
    path = Path(target).expanduser()
    if os.path.isdir(path):
        raise Mistake(f"{path} is a folder: name a file in it")
    if os.path.lexists(path) and not force:
        raise Mistake(f"{path} is there already: --force replaces it")
    if not os.path.isdir(path.absolute().parent):
        raise Mistake(f"{path.parent}: no such folder")
    return path.absolute()


def _write(path: Path, text: str) -> None:
    try:
        atomic.write(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise Trouble(f"{path} could not be written: {error.strerror or error}") from None
