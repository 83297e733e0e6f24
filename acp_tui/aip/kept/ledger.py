"""What was meant to be sent and what became of it, and how far each stream was read: one file of a run.

Invariants: append-only; an intent is on the disk before `intend` returns, and so before any of its bytes can
leave; an intent without an outcome is *uncertain*, in this run or in the next. A run has a file of its own,
under a lock: what a dead run left open is taken over, what a living one does is its own affair. Records are
one JSON object a line; a torn last line, or any other that cannot be read, is left out.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from io import FileIO
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from acp_tui.aip.core.vocabulary import Call
from acp_tui.base import atomic
from acp_tui.base.lock import Lock
from acp_tui.base.paths import private
from acp_tui.protocol import jsonio
from acp_tui.protocol.unknown import Invalid

REMEMBERED = 1000
"""Actions of earlier runs that are taken over; uncertain ones always are."""


class Outcome(StrEnum):
    """What became of an intent."""

    KNOWN = "known"
    """Answered, or found by a read."""
    REFUSED = "refused"
    UNSENT = "unsent"
    SETTLED = "settled"
    GIVEN_UP = "given up"
    """The user does not want to hear of it any more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One action, as far as the disk knows."""

    action_id: str
    call: Call | None = None
    """None: it was followed here, but submitted elsewhere."""
    outcome: Outcome | None = None
    """None: uncertain."""
    cursor: str | None = None
    sequence: int = -1
    ended: str = ""
    """`done` or `error`, once the stream said so."""


class Ledger:
    """The file of this run, and what earlier runs left."""

    def __init__(self, folder: Path) -> None:
        self._folder = private(folder)
        self.entries: dict[str, Entry] = {}
        """By action id, oldest first."""
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(4)}.ndjson"
        self._lock = Lock(self._path.with_suffix(".lock"))
        self._lock.take()
        self._file = _opened(self._path)
        self._torn = False
        self._take_over()

    def close(self) -> None:
        """Nothing is written after that; what is open stays for the next run. A second call does nothing."""
        if self._file.closed:
            return
        with suppress(OSError):
            os.fsync(self._file.fileno())
        self._file.close()
        if not any(map(_open, self.entries.values())):
            atomic.remove(self._path)
        self._lock.release()

    def intend(self, call: Call) -> None:
        """It is on the disk after that. Raises `OSError`, and then nothing may be sent."""
        entry = self._entry(call.action_id)
        self._write({"intent": call.action_id, "call": call.model_dump(mode="json")}, lasting=True)
        self.entries[call.action_id] = replace(entry, call=call, outcome=None)

    def outcome(self, action_id: str, outcome: Outcome) -> None:
        """What became of it. Raises `OSError`."""
        entry = self._entry(action_id)
        if entry.call is not None and entry.outcome is not outcome:
            self._write({"outcome": outcome.value, "action": action_id}, lasting=True)
        self.entries[action_id] = replace(entry, outcome=outcome)

    def reached(self, action_id: str, cursor: str | None, sequence: int, ended: str) -> None:
        """How far its stream was read. Losing the last of these costs a replay and nothing else."""
        entry = self._entry(action_id)
        if (entry.cursor, entry.sequence, entry.ended) != (cursor, sequence, ended):
            self._write(_place(action_id, cursor, sequence, ended), lasting=False)
            self.entries[action_id] = replace(entry, cursor=cursor, sequence=sequence, ended=ended)

    def uncertain(self) -> list[Call]:
        """Intents without an outcome, oldest first."""
        return [e.call for e in self.entries.values() if e.call is not None and e.outcome is None]

    def _entry(self, action_id: str) -> Entry:
        return self.entries.get(action_id) or Entry(action_id)

    def _write(self, record: dict[str, Any], lasting: bool) -> None:
        line = jsonio.dump(record) + b"\n"
        if self._torn:
            line = b"\n" + line
        self._torn = True
        if self._file.write(line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
        self._torn = False
        if lasting:
            os.fsync(self._file.fileno())

    def _take_over(self) -> None:
        """What dead runs left open becomes ours; their files go once it is on the disk."""
        taken: list[tuple[Path, Lock]] = []
        for path in sorted(self._folder.glob("*.ndjson"), key=_age):
            lock = Lock(path.with_suffix(".lock"))
            if path == self._path or lock.take() is not None:
                continue
            taken.append((path, lock))
            for record in _records(path):
                self._apply(record)
        self._forget()
        for entry in self.entries.values():
            self._repeat(entry)
        if taken:
            os.fsync(self._file.fileno())
        for path, lock in taken:
            atomic.remove(path)
            lock.release()

    def _forget(self) -> None:
        kept = [entry for entry in self.entries.values() if _open(entry)]
        surplus = max(0, len(kept) - REMEMBERED)
        old = {e.action_id for e in kept[:surplus] if e.outcome is not None}
        self.entries = {e.action_id: e for e in kept if e.action_id not in old}

    def _repeat(self, entry: Entry) -> None:
        if entry.call is not None:
            record = {"intent": entry.action_id, "call": entry.call.model_dump(mode="json")}
            self._write(record, lasting=False)
            if entry.outcome is not None:
                self._write({"outcome": entry.outcome.value, "action": entry.action_id}, lasting=False)
        if entry.cursor is not None or entry.sequence >= 0:
            self._write(_place(entry.action_id, entry.cursor, entry.sequence, entry.ended), lasting=False)

    def _apply(self, record: dict[str, Any]) -> None:
        try:
            if "intent" in record:
                call = Call.model_validate_json(jsonio.dump(record["call"]))
                self.entries[call.action_id] = replace(self._entry(call.action_id), call=call, outcome=None)
                return
            action_id = str(record["action"])
            entry = self._entry(action_id)
            if "outcome" in record:
                self.entries[action_id] = replace(entry, outcome=Outcome(record["outcome"]))
            else:
                cursor, sequence, ended = record["cursor"], int(record["sequence"]), str(record["ended"])
                self.entries[action_id] = replace(entry, cursor=cursor, sequence=sequence, ended=ended)
        except (KeyError, TypeError, ValueError, ValidationError):
            return


def _open(entry: Entry) -> bool:
    """Whether the next run should hear of it."""
    return entry.outcome in (None, Outcome.KNOWN) and (entry.call is not None or entry.cursor is not None)


def _place(action_id: str, cursor: str | None, sequence: int, ended: str) -> dict[str, Any]:
    return {"action": action_id, "cursor": cursor, "sequence": sequence, "ended": ended}


def _opened(path: Path) -> FileIO:
    """For appending, by the owner only; its name lasts too."""
    file = FileIO(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600), "w")
    atomic.sync_folder(path.parent)
    return file


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _records(path: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return  # its run ended well just now
    for line in lines:
        try:
            record = jsonio.parse(line)
        except Invalid:
            continue
        if isinstance(record, dict):
            yield record
