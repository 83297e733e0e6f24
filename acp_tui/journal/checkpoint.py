"""Checkpoints: what folding a saved session gave, kept so that only what came after is folded again.

A cache: each may be deleted, damaged or old at any time, and then the session is folded from the start.
Invariants: a checkpoint is taken only where the session is at rest, so that nothing that waits is lost in it;
reading one makes plain data and our own facts, runs nothing of what it says and changes nothing else; one
made by other code, of other journals or with another checksum is passed over; big content stays in a file
beside it until somebody looks at it, and until then that file is held open.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

from acp_tui.base import atomic
from acp_tui.base.paths import private
from acp_tui.base.shelf import MEMORY, Gone, Shelf
from acp_tui.client.standing import Standing
from acp_tui.journal.folding import Folded
from acp_tui.journal.packing import FINGERPRINT, BadPack, pack, unpack
from acp_tui.journal.saved import Part, Saved
from acp_tui.journal.scanning import before

MAGIC = b"acp-tui checkpoint 1\n"
DIGEST = 32
"""Bytes of the checksum over all that follows it."""
STEP = 2_000
"""Records between two checkpoints of one folding, at least; and a fifth of all there were."""

Place = tuple[int, int, int]
"""In a blob: offset, size, checksum."""


class Checkpoints:
    """Those below `folder`, one or none for each saved session. Safe to use from several processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, saved: Saved, shelf: Shelf = MEMORY) -> Folded:
        """What the checkpoint has of it, where there is a good one; to be followed up."""
        return self._read(saved, shelf) or Folded(saved, shelf)

    def open(self, saved: Saved, shelf: Shelf = MEMORY) -> Folded:
        """The session as it stands: from the checkpoint if there is a good one, and what came after it.

        Raises `OSError` where a journal cannot be read.
        """
        folded = self.begin(saved, shelf)
        folded.follow()
        return folded

    def bring_up(self, saved: Saved, shelf: Shelf = MEMORY) -> Folded:
        """The same, and keep what that gave, on the way, too: the end of a session need not be at rest.

        Raises `OSError` where a journal cannot be read or a checkpoint cannot be written.
        """
        folded = self.begin(saved, shelf)
        kept = folded.count

        def rested() -> None:
            nonlocal kept
            if folded.count - kept >= max(STEP, folded.count // 5) and self.keep(folded):
                kept = folded.count

        folded.follow(rested=rested)
        if folded.count != kept:
            self.keep(folded)
        return folded

    def keep(self, folded: Folded) -> bool:
        """Write one, if the session is at rest. Raises `OSError`."""
        standing = folded.standing()
        if standing is None:
            return False
        private(self.folder)
        blob = _Written(self.folder, folded.saved.id)
        try:
            data = pack(standing, blob)
            blob.close()
            rest = _header(folded, blob) + data
            atomic.write(self._path(folded.saved.id), MAGIC + _digest(rest) + rest)
        except BadPack:
            blob.discard()
            return False
        except BaseException:
            blob.discard()
            raise
        self._tidy(folded.saved.id, blob.name)
        return True

    def forget(self, id: str) -> None:
        """Remove that of one saved session."""
        self._path(id).unlink(missing_ok=True)
        self._tidy(id, "")

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.checkpoint"

    def _tidy(self, id: str, keep: str) -> None:
        """Blobs of older checkpoints; who reads in one has it open."""
        for old in self.folder.glob(f"{id}.*.blob"):
            if old.name != keep:
                with suppress(OSError):
                    old.unlink()

    def _read(self, saved: Saved, shelf: Shelf) -> Folded | None:
        """What the checkpoint says; None if that is of no use."""
        try:
            data = self._path(saved.id).read_bytes()
            facts, start = _facts(data)
            blob = _Read(self.folder / facts.blob if facts.blob else None, facts.blob_size)
        except (OSError, ValueError):
            return None
        if not facts.stands_in(saved.parts):
            return None
        try:
            standing = unpack(memoryview(data)[start:], blob, shelf)
            return _folded(saved, facts, standing, shelf)
        except BadPack:
            return None


@dataclass(slots=True, kw_only=True)
class _Facts:
    """What stands before the pack."""

    code: str
    places: list[tuple[str, int, int, int, int]]
    """Of each journal: its name, how far it was folded, the checksum there, where the session was asked for
    and from where on its id meant it."""
    ids: list[str]
    at: float
    count: int
    blob: str = ""
    blob_size: int = 0
    problems: list[str] = field(default_factory=list)

    def stands_in(self, parts: tuple[Part, ...]) -> bool:
        """The journals are still those that were folded, the last perhaps longer."""
        try:
            last = len(self.places)
            pairs = enumerate(zip(parts, self.places, strict=False), 1)
            return 0 < last <= len(parts) and all(
                _matches(part, *place, last=n == last) for n, (part, place) in pairs
            )
        except (OSError, TypeError, ValueError):
            return False


def _matches(part: Part, name: str, offset: int, seen: int, asked: int, since: int, *, last: bool) -> bool:
    stretch = part.stretch
    if (name, asked, since) != (part.path.name, stretch.asked, stretch.since):
        return False
    with part.path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        ended = last or size == offset or (stretch.until is not None and offset >= stretch.until)
        return size >= offset and ended and before(file, offset) == seen


def _header(folded: Folded, blob: _Written) -> bytes:
    facts = {
        "code": FINGERPRINT,
        "places": [_place(part, offset) for part, offset in folded.places()],
        "ids": sorted(folded.ids),
        "at": folded.at,
        "count": folded.count,
        "blob": blob.name,
        "blob_size": blob.size,
        "problems": folded.problems,
    }
    return json.dumps(facts).encode() + b"\n"


def _place(part: Part, offset: int) -> tuple[str, int, int, int, int]:
    with part.path.open("rb") as file:
        seen = before(file, offset)
    return part.path.name, offset, seen, part.stretch.asked, part.stretch.since


def _facts(data: bytes) -> tuple[_Facts, int]:
    """And where the pack begins. Raises `ValueError`."""
    begin = len(MAGIC) + DIGEST
    end = data.find(b"\n", begin) + 1
    if not data.startswith(MAGIC) or not end or _digest(memoryview(data)[begin:]) != data[len(MAGIC) : begin]:
        raise ValueError("no whole checkpoint")
    try:
        facts = _Facts(**json.loads(data[begin:end]))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if facts.code != FINGERPRINT:
        raise ValueError("made by other code")
    if not isinstance(facts.blob, str) or "/" in facts.blob:
        raise ValueError("no blob of ours")
    return facts, end


def _digest(data: bytes | memoryview) -> bytes:
    return sha256(data).digest()


def _folded(saved: Saved, facts: _Facts, standing: Any, shelf: Shelf) -> Folded:
    """Raises `BadPack` for what cannot stand."""
    if not isinstance(standing, Standing):
        raise BadPack("something else")
    folded = Folded(saved, shelf)
    try:
        folded.stand(standing, [offset for _, offset, *_ in facts.places])
        folded.ids |= {str(id) for id in facts.ids}
        folded.at, folded.count = float(facts.at), int(facts.count)
        folded.problems += map(str, facts.problems)
    except Exception as error:  # whatever is wrong with it, the journals tell it again
        raise BadPack(str(error)) from None
    return folded


class _Written:
    """A blob that is being made; there is no file before the first piece."""

    def __init__(self, folder: Path, id: str) -> None:
        self._path = folder / f"{id}.{secrets.token_hex(6)}.blob"
        self._fd: int | None = None
        self.size = 0

    @property
    def name(self) -> str:
        """Of the file; empty: nothing is big."""
        return self._path.name if self.size else ""

    def put(self, data: bytes) -> Place:
        """At the end."""
        if self._fd is None:
            self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view) :]
        self.size += len(data)
        return self.size - len(data), len(data), crc32(data)

    def at(self, place: Place) -> Any:
        """Nobody reads it yet."""
        raise NotImplementedError

    def close(self) -> None:
        if self._fd is not None:
            os.fsync(self._fd)
            os.close(self._fd)
            self._fd = None

    def discard(self) -> None:
        """It is of no use."""
        with suppress(OSError):
            self.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


class _Read:
    """A blob that is read in; open as long as something of it is wanted. Raises `OSError`, `ValueError`."""

    def __init__(self, path: Path | None, size: int) -> None:
        self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC) if path is not None else None
        if self._fd is not None and os.fstat(self._fd).st_size != size:
            raise ValueError("another blob")

    def put(self, data: bytes) -> Place:
        """Nobody writes to it any more."""
        raise NotImplementedError

    def at(self, place: Place) -> _Slip:
        offset, size, seen = place
        return _Slip(self, int(offset), int(size), int(seen))

    def take(self, offset: int, size: int, seen: int) -> bytes:
        """What stands there. Raises `Gone`."""
        if self._fd is None:
            raise Gone("there is nothing of it")
        try:
            data = os.pread(self._fd, size, offset)
        except (OSError, ValueError, OverflowError) as error:
            raise Gone(str(error).lower()) from None
        if len(data) != size or crc32(data) != seen:
            raise Gone("it was damaged")
        return data

    def __del__(self) -> None:
        fd: int | None = getattr(self, "_fd", None)  # opening it may have failed
        if fd is not None:
            os.close(fd)


@dataclass(frozen=True, slots=True)
class _Slip:
    """Stands for a piece of the blob."""

    blob: _Read
    offset: int
    size: int
    seen: int

    def load(self) -> bytes:
        return self.blob.take(self.offset, self.size, self.seen)
