"""What can be written to a file for others: a session that is kept here, or the screen as it stands.

A session that is open is exported from its journal, as a saved one is: what stands there is what was said.
Invariants: `Subject.write` is called in a thread; what is there already is never replaced; secrets are masked
in every form of a session (`journal.export`), in a picture of the screen nothing is.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from acp_tui.base import atomic
from acp_tui.render.clean import one_line
from acp_tui.ui.reader import Kept

WIDTH: Final = 100
"""Cells of text and picture."""
WORDS: Final = {
    "md": "markdown, for an issue or a pull request",
    "html": "one page that needs nothing else",
    "json": "for programs",
    "text": "the words of the screen, unfolded",
    "svg": "a picture of the screen",
}
_UNFIT = re.compile(r"[^\w-]+")
_TRIES = 1000


class Refused(Exception):
    """Why it was not written, in a sentence."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that can be written."""

    heading: str
    name: str
    """Of the file, without its ending."""
    forms: Mapping[str, str]
    """What names end with, and the form that means; the first is proposed."""
    make: Callable[[str], str]
    """The text in a form; in a thread. Raises `Refused`, `OSError`."""

    def proposed(self, folder: str) -> Path:
        """A name that is free there."""
        ending = next(iter(self.forms))
        stem = _UNFIT.sub("-", one_line(self.name, 50)).strip("-").lower() or "conversation"
        for number in range(1, _TRIES):
            path = Path(folder, f"{stem}-{number}{ending}" if number > 1 else f"{stem}{ending}")
            if not os.path.lexists(path):
                break
        return path

    def write(self, form: str, path: Path) -> None:
        """Raises `Refused`."""
        try:
            text = self.make(form)
            if os.path.lexists(path):
                raise Refused(f"{path} is there already: choose another name")
            atomic.write(path, text.encode("utf-8", "replace"))
        except OSError as error:
            raise Refused(f"It could not be written: {error.strerror or error}") from None


def session(kept: Kept, id: str, title: str, start: str = "", end: str = "") -> Subject:
    """One that is kept here, whole or from one entry to another, as `KIND/ID`."""
    from acp_tui.journal.export import FORMATS

    part = "a part of this session" if start else "this session"
    forms = {f".{ending}": form for form, ending in FORMATS.items()}
    return Subject(f"Export {part}", title or id, forms, lambda form: _exported(kept, id, form, start, end))


def _exported(kept: Kept, id: str, form: str, start: str, end: str) -> str:
    from acp_tui.journal.checkpoint import Checkpoints
    from acp_tui.journal.export import NoSuchPlace, excerpt_of_saved, export
    from acp_tui.journal.export.picture import TooLong

    try:
        entry, saved = kept.entry(id), kept.saved(id)
        if saved is None:
            raise Refused("Nothing of it is saved here any more")
        excerpt = excerpt_of_saved(entry, Checkpoints(kept.checkpoints).open(saved), start, end)
        return "".join(export(form, excerpt, WIDTH))
    except (TooLong, NoSuchPlace) as error:
        raise Refused(str(error)) from None
    except LookupError:
        raise Refused("Nothing of it is saved here") from None


def screen(drawn: str, at: float) -> Subject:
    """A picture that Textual has drawn of it."""
    from acp_tui.render.svg import whole

    name = time.strftime("acp-tui-%Y-%m-%d-%H%M%S", time.localtime(at))
    heading = "A picture of the screen as it was, secrets and all"
    return Subject(heading, name, {".svg": "svg"}, lambda _: whole(drawn))
