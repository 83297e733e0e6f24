"""The journal of one connection: an append-only ndjson file, the truth about what was said.

First line: the header. Then records `{"seq", "t", "dir", "session", "msg" | "raw" | "event"}`; `dir` is `>`
ours, `<` the agent's, `#` a note of ours (of what we did for a session: `own_…`); `beside`, before `msg`:
what we know of a message of ours and did not send. Invariants:

- what `append` was given stands in the file when it returns (a crash of this program loses none of it), or
  waits in memory while `problem` says why; the disk never raises through it;
- `seq` counts without gaps; records given up for want of memory are told by a note `gap`;
- secrets are taken out before a record is made (DESIGN 5.8);
- the file ends with a whole record, except while one is written; a torn one is cut off before the next.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from acp_tui.base import redact
from acp_tui.base.atomic import sync_folder, why
from acp_tui.base.paths import private

if TYPE_CHECKING:
    from acp_tui.client.jobs import Own

Direction = Literal[">", "<"]
Entry = tuple[str | None, dict[str, Any] | str]
"""The agent's id of the session it belongs to (None: the connection); the message, or text that was none."""

KEEP_WAITING = 16 * 1024 * 1024
"""Bytes kept in memory while the file cannot be written."""
KEEP_RAW = 64 * 1024
"""Characters kept of a line that was no message."""
HEAD = 256 * 1024
"""Bytes of a header, at most."""
STEP = 0.001
"""Between the orders of two journals of which one goes on from the other."""
FAR = 1e12
"""No order is beyond this: seconds since the epoch."""
OWN = "own_"
"""So begin the events that tell of something of ours (`Own`)."""
RETRY = 1.0
"""Seconds between attempts while the file cannot be written."""

_ASCII = json.JSONEncoder(separators=(",", ":"))
"""For text with lone surrogates, which UTF-8 cannot hold, and for what is nested deeper than any message."""
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Which connection this is the journal of."""

    generation: int
    command: tuple[str, ...]
    cwd: str
    started: float
    pid: int
    """Of this program, not of the agent."""
    version: str
    order: float = 0.0
    """Where it stands among others: as `started`, but after the journals it goes on from, whatever the clock
    says; 0: not kept.
    """


class Journal:
    """Writes one new file below `folder`. All methods belong to one thread; the work of `sync_job` to any."""

    def __init__(self, folder: Path, header: Header) -> None:
        self.path = folder
        """The file, once there is one."""
        self.problem = ""
        """One sentence while, or because, not everything is kept."""
        self.dirty = False
        """Something is not on the disk yet: call `sync_job` soon."""
        self._folder = folder
        self._header = header
        self._seq = 0
        self._fd: int | None = None
        self._identity: tuple[int, int] | None = None
        """Device and inode of the file we began; another file under its name is not ours."""
        self._whole = 0
        """Length of the file up to its last whole record."""
        self._found = 0
        """Length of the file when it was last found under its name."""
        self._lasting = ""
        """Problem that stays: an earlier part is missing."""
        self._reason = ""
        """Why it could not be written when that was last tried."""
        self._waiting = [self._header_line(0)]
        self._waiting_size = 0
        self._missing = 0
        """Records given up since the last that was kept."""
        self._retry_at = 0.0
        self._write(header.started)

    @property
    def keeps(self) -> bool:
        """What is said now is kept, whatever `problem` says of what was said before."""
        return self.problem == self._lasting

    def append(
        self,
        direction: Direction,
        entries: Iterable[Entry],
        at: float,
        beside: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Keep messages in this order, with one write for all; `beside` each of them."""
        more = {"beside": {name: redact.text(said) for name, said in beside.items()}} if beside else {}
        for session, said in entries:
            if isinstance(said, str):
                self._keep(at, direction, session, raw=redact.text(said[:KEEP_RAW]))
            else:
                self._keep(at, direction, session, **more, msg=redact.message(said))
        self._write(at)

    def note(self, event: str, at: float, **facts: Any) -> None:
        """Keep something that happened and was not said: an exit, a loss, a fault."""
        self._keep(at, "#", None, event=event, **facts)
        self._write(at)

    def own(self, own: Own, at: float) -> None:
        """Keep something of a session that only we know."""
        self._keep(at, "#", own.session_id, event=f"{OWN}{own.event}", **redact.message(own.facts))
        self._write(at)

    def sync_job(self, at: float) -> Callable[[], None] | None:
        """Work for a thread that makes last what was written; an `OSError` it raises belongs to `failed`."""
        self._write(at)
        if self._fd is not None and self._vanished():
            self._write(at)
        if self._fd is None:
            return None
        self.dirty = False
        return partial(_sync, os.dup(self._fd), self.path.parent)

    def failed(self, error: OSError, at: float) -> None:
        """The disk refused: say so, and try again later from the last whole record on."""
        self._reason = why(error) if error.filename else f"{why(error)} ({self.path})"
        self.problem = f"This conversation is not being saved: {self._reason}."
        self._retry_at = at + RETRY
        self.dirty = True
        self._release()

    def close(self, at: float) -> None:
        """Write and sync what can be, and say what was lost; blocks."""
        self._retry_at = 0.0  # the last attempt there is
        try:
            if job := self.sync_job(at):
                job()
        except OSError as error:
            self.failed(error, at)
        self._release()
        if self._waiting:
            lost = self._missing + b"".join(self._waiting).count(b"\n")
            what = f"The last {lost:,} records of this conversation" if self._whole else "This conversation"
            self.problem = f"{what} could not be saved: {self._reason}."

    def _keep(self, at: float, direction: str, session: str | None, **said: Any) -> None:
        if self._waiting_size > KEEP_WAITING:
            self._missing += 1
            return
        if self._missing:
            missing, self._missing = self._missing, 0
            self._lasting = f"Saved again from here on; before, {missing:,} messages could not be kept."
            self._keep(at, "#", None, event="gap", missing=missing)
        line = _line({"seq": self._seq, "t": at, "dir": direction, "session": session, **said})
        self._seq += 1
        self._waiting.append(line)
        self._waiting_size += len(line)

    def _write(self, at: float) -> None:
        """Everything that waits, unless the last attempt failed just now."""
        if not self._waiting if self._fd is not None else 0 < self._retry_at - at <= RETRY:
            return
        try:
            fd = self._fd if self._fd is not None else self._open()
            data = b"".join(self._waiting)
            _write_all(fd, data)
        except OSError as error:
            self.failed(error, at)
            return
        self._whole += len(data)
        self._waiting.clear()
        self._waiting_size = 0
        self.dirty = True
        self.problem = self._lasting

    def _open(self) -> int:
        """Our file again, without what a failed write left of a record; a new one where there is none."""
        if self._identity is not None and _identity(self.path) != self._identity:
            self._lose()
        if self._identity is None:
            self.path, self._fd = _create(self._folder, self._header)
            self._identity = _identity(self._fd)
        else:
            self._fd = os.open(self.path, _FLAGS)
            os.ftruncate(self._fd, self._whole)
        return self._fd

    def _vanished(self) -> bool:
        """Somebody removed or replaced the file: what we would still write to it nobody would find."""
        if _identity(self.path) == self._identity:
            self._found = self._whole
            return False
        self._lose()
        return True

    def _lose(self) -> None:
        """Let go of a file that was taken away: the next record begins another, with what was said since the
        file was last seen; who removed the rest wanted that.
        """
        self._lasting = f"Saved again from here on; the journal before was removed: {self.path}."
        if self._whole:
            since = self._since()
            self._waiting.insert(0, since)
            count = b"".join(self._waiting).count(b"\n")
            self._waiting.insert(0, self._header_line(self._seq - count))
        self._identity = None
        self._whole = self._found = 0
        self._release()

    def _since(self) -> bytes:
        """What was written to the file after it was last seen; not its header."""
        if self._fd is None:
            return b""
        try:
            data = os.pread(self._fd, self._whole - self._found, self._found)
        except OSError:
            return b""
        return data if self._found else data.partition(b"\n")[2]

    def _header_line(self, first: int) -> bytes:
        facts = {**asdict(self._header), "command": redact.command(self._header.command)}
        return _line({"acp-tui-journal": 1, **facts, "first": first})

    def _release(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Header and records of a journal, also of one that is being written; what is torn is passed over."""
    with path.open("rb") as file:
        for line in file:
            record = parse(line)
            if isinstance(record, dict):
                yield record


def beside(record: dict[str, Any]) -> dict[str, str]:
    """What was kept with the message of a record."""
    kept = record.get("beside")
    return {k: v for k, v in kept.items() if isinstance(v, str)} if isinstance(kept, dict) else {}


def after(path: Path | None, started: float) -> float:
    """The order of a journal that goes on from the one there."""
    if path is None:
        return started
    try:
        with path.open("rb") as file:
            header = parse(file.readline(HEAD))
    except OSError:
        return started
    said = header.get("order") or header.get("started") if isinstance(header, dict) else None
    if not isinstance(said, int | float) or not 0 < said < FAR:
        return started
    return max(started, said + STEP)


def repair(path: Path) -> int:
    """Cut a torn last record off a journal whose writer is dead; returns how many bytes that was."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        tail = b""
        while b"\n" not in tail and len(tail) < size:
            file.seek(max(0, size - 2 * len(tail) - 4096))
            tail = file.read()
        torn = len(tail) - (tail.rfind(b"\n") + 1)
        if torn:
            file.truncate(size - torn)
        return torn


def parse(line: bytes) -> Any:
    """The record of one line; None if it is none."""
    from pydantic_core import from_json  # not before a line is read: a list out of the index reads none

    try:
        return from_json(line)
    except ValueError:
        pass
    try:
        return json.loads(line)  # knows lone surrogates, which the fast parser refuses
    except (ValueError, RecursionError):
        return None


def _line(record: dict[str, Any]) -> bytes:
    from pydantic_core import PydanticSerializationError, to_json

    try:
        return to_json(record) + b"\n"
    except PydanticSerializationError:
        return _ASCII.encode(record).encode() + b"\n"


def _create(folder: Path, header: Header) -> tuple[Path, int]:
    """`YYYY-MM/TIME-PID-GENERATION.ndjson`, with a number where two begin in the same second."""
    begun = time.gmtime(header.started)
    month = private(folder / time.strftime("%Y-%m", begun))
    name = f"{time.strftime('%Y%m%dT%H%M%SZ', begun)}-{header.pid}-{header.generation}"
    path = month / f"{name}.ndjson"
    number = 1
    while True:
        try:
            return path, os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            number += 1
            path = month / f"{name}.{number}.ndjson"


def _identity(file: Path | int) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _sync(fd: int, folder: Path) -> None:
    try:
        os.fsync(fd)
        sync_folder(folder)
    finally:
        os.close(fd)
