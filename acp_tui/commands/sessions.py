"""`acp-tui sessions`: what there is to read and to go on with, as a table or for programs."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from acp_tui.commands.finding import query
from acp_tui.commands.mistake import Mistake
from acp_tui.commands.printing import failed, printed, remark
from acp_tui.commands.reading import Words, read
from acp_tui.commands.table import table
from acp_tui.journal.entry import Badge, Entry
from acp_tui.journal.library import Library
from acp_tui.journal.shared import homely, washed
from acp_tui.render.clean import one_line
from acp_tui.render.words import count, size

USAGE = """\
acp-tui sessions - all sessions of this folder, or of all folders

  acp-tui sessions                the library; through a pipe: a table
  acp-tui sessions --plain        a table
  acp-tui sessions --json         an object a line, for programs
  acp-tui sessions --trash        what is in the trash, of all folders
  acp-tui sessions --empty-trash  what would be removed for good; --yes does it

options
  --here           only of this folder and below; this is the default
  --all            of all folders
  --cwd FOLDER     of this folder instead of the current one
  --agent NAME     only of this agent
  --limit N        at most so many; default: 100, with --json 10000
  --help           this

With the id, or enough of the beginning of it:
  acp-tui show ID   acp-tui export ID   acp-tui --resume ID

Every conversation is saved by itself, word by word as it comes, and is read
without its agent. Work goes on as long as its acp-tui: with the terminal it
ends in order, saved, to be gone on with by --resume or --continue. Begun
inside tmux it outlives the terminal:
  tmux new -A -s work acp-tui codex      the same line comes back to it

exit status
  0 listed, even if there are none   1 something in the trash stayed
  2 wrong words   141 nobody reads any more
"""
HEAD = ("id", "last active", "agent", "length", "state", "folder", "title")
DROPPED = ("folder", "length", "state", "agent")
"""Columns a narrow terminal does without, the first first."""
LEAST = 24
"""Cells that titles need."""
_STATES = (Badge.RUNNING, Badge.INTERRUPTED, Badge.LISTED, Badge.NOT_RESUMABLE, Badge.RESUMABLE)


def words_of(arguments: Sequence[str]) -> Words:
    """Raises `Mistake`."""
    flags = ("--plain", "--json", "--here", "--all", "--trash", "--empty-trash", "--yes")
    words = read("sessions", arguments, flags, ("--agent", "--limit", "--cwd"))
    if words.rest:
        raise Mistake(f"sessions takes options only, not {words.rest[0]} (acp-tui search finds words)")
    if words.has("--yes") and not words.has("--empty-trash"):
        raise Mistake("--yes goes with --empty-trash")
    return words


def main(arguments: Sequence[str]) -> int:
    """Do it; returns the exit status. Raises `Mistake`."""
    words = words_of(arguments)
    if words.has("--help"):
        return printed([USAGE])
    if words.has("--empty-trash"):
        return _empty(words.has("--yes"))
    trash = words.has("--trash")
    asked = query(words, everywhere=trash, limit=10_000 if words.has("--json") else 100)
    asked = replace(asked, trashed=trash)
    with closing(Library()) as library:
        now = library.now()
        entries, total = now.page(asked), now.count(asked)
    if words.has("--json"):
        return printed(json.dumps(described(entry), ensure_ascii=False) + "\n" for entry in entries)
    if not entries:
        where = "" if asked.folder is None else " in this folder; --all lists those of all folders"
        remark(f"nothing in the trash{where}" if trash else f"no sessions{where}")
    status = printed(table(HEAD, [_row(entry) for entry in entries], DROPPED, LEAST))
    if len(entries) < total:
        remark(f"{total - len(entries)} more: --limit {total} lists them all")
    return status


def _empty(sure: bool) -> int:
    from acp_tui.journal.emptying import empty, weigh

    with closing(Library()) as library:
        weight = weigh(library)
        what = f"{count(len(weight.ids), 'session')}, {size(weight.size)} of journals"
        if not sure:
            remark(f"in the trash: {what}; --empty-trash --yes removes it from this machine for good")
            return 0
        done = empty(library, weight.ids)
    remark(f"removed for good: {count(len(done.removed), 'session')}")
    if done.kept:
        return failed(f"{len(done.kept)} stayed: open somewhere, or their journals cannot be written")
    return 0


def _row(entry: Entry) -> tuple[str, ...]:
    active = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.active)) if entry.active else "-"
    return (
        entry.id,
        active,
        one_line(washed(entry.agent), 20) or "-",
        str(entry.messages) if entry.exact else f"{entry.messages}+",
        next((str(badge) for badge in _STATES if badge in entry.badges), "-"),
        one_line(homely(washed(entry.cwd)), 40) or "-",
        one_line(washed(entry.title), 200) or "-",
    )


def iso(at: float) -> str | None:
    """UTC, ISO 8601; None: not known."""
    try:
        return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")[:-6] + "Z" if at else None
    except (ValueError, OverflowError, OSError):
        return None


def described(entry: Entry) -> dict[str, Any]:
    """An entry for programs; every name is always there."""
    return {
        "id": entry.id,
        "title": one_line(washed(entry.title)),
        "agent": one_line(washed(entry.agent)),
        "sessionId": one_line(entry.session_id),
        "command": [one_line(washed(word)) for word in entry.command],
        "cwd": one_line(washed(entry.cwd)),
        "branch": one_line(entry.branch) or None,
        "branchKept": entry.branch_kept,
        "created": iso(entry.created),
        "active": iso(entry.active),
        "messages": entry.messages,
        "toolCalls": entry.tool_calls,
        "turns": entry.turns,
        "cost": {"amount": entry.cost[0], "currency": one_line(entry.cost[1])} if entry.cost else None,
        "badges": sorted(badge.name.lower() for badge in entry.badges),
        "pinned": entry.pinned,
        "trashed": iso(entry.trashed_at or 0.0),
        "exact": entry.exact,
    }
