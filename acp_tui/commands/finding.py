"""Finds the saved session that a command line means, and opens it. All that can go wrong is a `Trouble`.

What folds sessions is loaded only to open one.
"""

from __future__ import annotations

import os
from contextlib import closing
from typing import TYPE_CHECKING

from acp_tui.commands.mistake import Mistake
from acp_tui.commands.printing import remark
from acp_tui.commands.reading import Words
from acp_tui.journal.entry import Badge, Entry, Query
from acp_tui.journal.library import Ambiguous, Library, Unknown
from acp_tui.render.clean import one_line

if TYPE_CHECKING:
    from acp_tui.journal.export import Excerpt

NAMED = 5
"""Sessions that are named where several are meant."""


class Trouble(Exception):
    """It cannot be done; the text is a sentence for the user, and says what to do."""


def here(words: Words) -> str:
    """The folder that `--cwd` names, be it there or gone, else the current one. Raises `Mistake`."""
    try:
        return os.path.abspath(os.path.expanduser(words.get("--cwd")))
    except OSError as error:
        raise Mistake(f"the current folder is gone ({error.strerror})") from None


def meant(words: Words, command: str) -> tuple[str, str]:
    """The id or what it begins with, and the place behind it, as `acp-tui search` prints both.

    An empty id: the last session of this folder. Raises `Mistake`.
    """
    if len(words.rest) + words.has("--last") != 1:
        raise Mistake(f"name one session: acp-tui {command} ID, or --last (acp-tui sessions lists them)")
    if words.has("--last"):
        return "", ""
    id, _, place = words.rest[0].partition(":")
    if not id:
        raise Mistake(f"the id is empty (see acp-tui {command} --help)")
    return id, place.removesuffix(":")


def opened(words: Words, command: str) -> Excerpt:
    """What the words mean, folded. Raises `Mistake`, `Trouble`."""
    from acp_tui.journal.checkpoint import Checkpoints
    from acp_tui.journal.export import NoSuchPlace, excerpt_of_saved

    id, place = meant(words, command)
    start, end = words.get("--from") or place, words.get("--to") or place
    with closing(Library()) as library:
        entry = _entry(library, id, words)
        saved = library.saved(entry.id) if Badge.SAVED in entry.badges else None
        if saved is None:
            raise Trouble(f"{entry.id} is known from its agent's list only: nothing of it is saved here.")
        try:
            folded = Checkpoints(library.checkpoints).open(saved)
        except OSError as error:
            where = error.filename or "its journal"
            raise Trouble(f"{entry.id} cannot be read: {where}: {error.strerror or error}.") from None
    for problem in folded.problems:
        remark(problem)
    try:
        return excerpt_of_saved(entry, folded, start, end)
    except NoSuchPlace as none:
        raise Trouble(str(none)) from None


def _entry(library: Library, id: str, words: Words) -> Entry:
    if not id:
        found = library.newest(here(words))
        if found is None:
            raise Trouble("nothing was saved in this folder yet; acp-tui sessions --all lists the others.")
        return found
    try:
        return library.entry(id)
    except Unknown:
        raise Trouble(
            f"no session has an id that begins with {one_line(id, 40)}; acp-tui sessions --all lists them."
        ) from None
    except Ambiguous as several:
        named = ", ".join(f"{one.id} ({one_line(one.title, 30)})" for one in several.entries[:NAMED])
        raise Trouble(f"several sessions begin so, write more of the id: {named}") from None


def query(words: Words, everywhere: bool, limit: int) -> Query:
    """Which sessions `--here`, `--all`, `--agent` and `--limit` mean. Raises `Mistake`."""
    if words.has("--here") and words.has("--all"):
        raise Mistake("--here and --all: which?")
    wide = words.has("--all") or (everywhere and not words.has("--here"))
    return Query(
        folder=None if wide else here(words),
        agent=words.get("--agent") or None,
        limit=words.number("--limit", limit),
    )
