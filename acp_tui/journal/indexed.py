"""What the index knows of journals and saved sessions, and the facts it keeps of one. Reads only.

Which stretches make one session is decided by `saved.joined` alone, from all journals that have anything of
the same agent and session id: so what is kept is the same whenever, and in whatever order, they are scanned.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from acp_tui.journal.saved import Journaled, Saved, joined
from acp_tui.journal.scanning import known

Pair = tuple[str, str]
"""An agent, and its id of a session."""

AUTH_REQUIRED: Final = -32000
"""It only wants a login first."""
TITLE = 400
"""Characters of a title that are kept."""


class Row(NamedTuple):
    """One saved session, as the table `session` has it."""

    id: str
    agent: str
    session_id: str
    title: str
    cwd: str
    created: float
    active: float
    broken_off: bool
    refused_at: float | None
    resumed: bool
    pid: int
    started: float
    path: str
    rest: str
    stands: str
    size: int
    branch: str = ""
    titled: bool = True
    """The title is the agent's, told in the session itself; False: the beginning of the first prompt."""
    exact: bool = True
    """False: by a glance."""


COLUMNS = Row._fields[:-1]
SHOWN = ", ".join((*COLUMNS, "1"))
LATER = frozenset({"rest", "stands", "size", "branch"})
"""What a list leaves out: only a page that is shown needs it."""
BRIEF = ", ".join("''" if name in LATER else name for name in (*COLUMNS, "1"))


_BOTH = "journal JOIN facts ON facts.journal = journal.number"


def plain(text: str) -> str:
    """As a database can hold it: half of a surrogate pair is spelt out."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def pair(agent: str, session_id: str) -> Pair:
    """As it stands in the index."""
    return plain(agent), plain(session_id)


def pairs(journal: Journaled) -> set[Pair]:
    """What it has anything of."""
    return {pair(journal.agent, stretch.session_id) for stretch in journal.stretches}


def pairs_in(db: sqlite3.Connection, paths: Iterable[str], *, elsewhere: bool = False) -> set[Pair]:
    """What these journals have anything of, by the index; `elsewhere`: of that what others have, too."""
    others = (
        " AND EXISTS (SELECT 1 FROM stretch AS other WHERE other.agent = mine.agent"
        " AND other.session_id = mine.session_id AND other.journal <> mine.journal)"
    )
    statement = (
        "SELECT agent, session_id FROM journal JOIN stretch AS mine ON mine.journal = journal.number"
        f" WHERE path = ?{others if elsewhere else ''}"
    )
    return {one for path in paths for one in db.execute(statement, (path,))}


def peers(db: sqlite3.Connection, wanted: Iterable[Pair]) -> dict[str, Journaled]:
    """All journals that have anything of these, by path; facts that are damaged are left out."""
    numbers: set[int] = set()
    for agent, session_id in wanted:
        found = db.execute(
            "SELECT journal FROM stretch WHERE agent = ? AND session_id = ?", (agent, session_id)
        )
        numbers.update(number for (number,) in found)
    journals: dict[str, Journaled] = {}
    for number in numbers:
        for path, data in db.execute(f"SELECT path, data FROM {_BOTH} WHERE number = ?", (number,)):
            if (journal := known(data)) is not None:
                journals[path] = journal
    return journals


def facts(db: sqlite3.Connection, path: str) -> Journaled | None:
    """What is known of the journal there."""
    found = db.execute(f"SELECT data FROM {_BOTH} WHERE path = ?", (path,)).fetchone()
    return known(found[0]) if found is not None else None


def sessions(root: Path, journals: Mapping[str, Journaled], wanted: set[Pair]) -> list[Saved]:
    """The saved sessions of these pairs, by all journals that have anything of them."""
    found = joined((root / path, journal) for path, journal in journals.items())
    return [saved for saved in found if pair(saved.agent, saved.session_id) in wanted]


def row(saved: Saved, root: Path, exact: bool = True) -> Row:
    """What is kept of it."""
    journal, stretch = saved.last.journal, saved.last.stretch
    cannot = bool(saved.refused) and stretch.refused_code != AUTH_REQUIRED
    return Row(
        id=saved.id,
        agent=plain(saved.agent),
        session_id=plain(saved.session_id),
        title=plain(saved.title[:TITLE]),
        cwd=plain(saved.cwd),
        created=saved.created,
        active=saved.active,
        broken_off=saved.broken_off,
        refused_at=journal.active if cannot else None,
        resumed=stretch.begun == "resume" and stretch.opened and not saved.refused,
        pid=journal.head.pid,
        started=journal.head.started,
        path=relative(saved.last.path, root),
        rest=_rest(saved, root),
        stands=_stands(saved),
        size=sum(max(0, part.stretch.end - part.stretch.asked) for part in saved.parts),
        titled=bool(saved.named),
        exact=exact,
    )


def journals_of(row: Row) -> list[str]:
    """Paths of its journals, in the order in which they were written."""
    return list(map(str, json.loads(row.rest)["journals"])) if row.rest else []


def relative(path: Path, root: Path) -> str:
    """As it is named in the index."""
    return path.relative_to(root).as_posix()


def _rest(saved: Saved, root: Path) -> str:
    return json.dumps(
        {
            "command": saved.command,
            "messages": saved.messages,
            "tool_calls": saved.tool_calls,
            "turns": saved.turns,
            "subagents": sum(len(part.stretch.children) for part in saved.parts),
            "cost": saved.cost,
            "branch": saved.branch,
            "uncertain": saved.uncertain,
            "refused": saved.refused,
            "newer": saved.newer,
            "journals": [relative(part.path, root) for part in saved.parts],
        }
    )


def _stands(saved: Saved) -> str:
    """How far its journals go; it changes where folding them gives more, and only there."""
    places = [(part, part.stretch) for part in saved.parts]
    return json.dumps(
        [
            (part.path.name, one.asked, one.since, one.until, one.end, not one.closed and part.journal.ended)
            for part, one in places
        ]
    )
