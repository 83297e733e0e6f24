"""Text files for agents: where a path really leads, what stands there, and putting something else there.

Invariants: `Place` is decided with all links followed, and what is opened afterwards is that place and no
other: the way to it is walked again, folder by folder, and a link that was put there meanwhile ends it.
Nothing but ordinary files is opened, no more than `MOST` bytes are kept, and a file is replaced whole or not
at all.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO, Any

from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.v1.diffs import git_patch
from acp_tui.services import guarded

MOST = 10 * 1024 * 1024
"""Bytes that are read or written at once."""
SHOWN = 256 * 1024
"""Bytes of a file up to which it is compared with what takes its place."""
_PIECE = 64 * 1024

_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class Refused(Exception):
    """It was not done; the agent is told why."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.error = Error(code=code, message=message)


class Abandoned(Exception):
    """Nobody waits for it any more; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads: `real` with all links followed, and why the user is to be asked (empty: he is
    not), as the end of a sentence.
    """

    real: str
    why: str = ""
    guarded: bool = False
    """It is not only elsewhere: one file of it is allowed at a time."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What is done without asking: inside `roots`, but for guarded places; `once` and `folders` are what the
    user allowed (real paths).
    """

    roots: tuple[str, ...]
    once: str = ""
    folders: tuple[str, ...] = ()
    home: str = ""
    ours: tuple[str, ...] = ()

    def place(self, path: str, *, writes: bool) -> Place:
        """Judge a path as the agent wrote it. Raises `Refused`."""
        if "\0" in path or not os.path.isabs(path):
            raise Refused(errors.INVALID_PARAMS, "The path must be absolute")
        try:
            real = os.path.realpath(path)
        except (OSError, ValueError) as error:
            raise _refused(error, path) from None
        if real == self.once:
            return Place(real)
        why = guarded.why(real, writes=writes, home=self.home, ours=self.ours)
        if why:
            return Place(real, why, guarded=True)
        inside = (*(os.path.realpath(root) for root in self.roots), *self.folders)
        if any(guarded.below(real, folder) for folder in inside):
            return Place(real)
        return Place(real, "it lies outside the session's folders")


def never() -> bool:
    """Nobody gives it up."""
    return False


def read(real: str, line: int | None, limit: int | None, given_up: Callable[[], bool] = never) -> str:
    """The text of a place, or `limit` lines of it from `line` on (from 1; 0 is 1), each with its end, so that
    pieces joined make the whole again. Raises `Refused`, `Abandoned`.
    """
    first = max(1, line or 1)
    try:
        with _opened(real) as file:
            whole = first == 1 and limit is None
            data = file.read(MOST + 1) if whole else _lines(file, first, limit, given_up)
    except OSError as error:
        raise _refused(error, real) from None
    if len(data) > MOST:
        hint = "; ask for fewer lines" if not whole else "; ask for a part of it, with line and limit"
        raise Refused(errors.INVALID_PARAMS, f"More than {MOST // 2**20} MiB: {real}{hint}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(errors.INVALID_PARAMS, f"Not a text file in UTF-8: {real}") from None


def check(real: str) -> None:
    """Raises `Refused` where there is nothing that could be read."""
    try:
        _check_ordinary(os.stat(real, follow_symlinks=False), real)
    except OSError as error:
        raise _refused(error, real) from None


def write(real: str, content: str, given_up: Callable[[], bool] = never) -> dict[str, Any]:
    """Put this text there and nothing else, with the mode of what was there; folders on the way are made.
    Returns the change as tool call content. Raises `Refused`, `Abandoned`.
    """
    data = _encoded(content)
    folder, name = os.path.split(real)
    try:
        with _walked(folder, make=True) as parent:
            was = _status(name, parent)
            _check_writable(name, parent, was, real)
            old = _text(name, parent) if was is not None else None
            _replace(name, parent, data, was, given_up)
    except OSError as error:
        raise _refused(error, real) from None
    return change(real, "" if was is None else old, content, new=was is None)


def would(real: str, content: str) -> dict[str, Any]:
    """The change that `write` would make, to be shown before. Changes nothing, raises nothing."""
    try:
        with _walked(os.path.dirname(real)) as parent:
            exists = _status(os.path.basename(real), parent) is not None
            old = _text(os.path.basename(real), parent) if exists else ""
    except OSError:
        exists, old = False, ""
    return change(real, old, content, new=not exists)


def change(path: str, old: str | None, content: str, *, new: bool) -> dict[str, Any]:
    """A diff as tool call content. Where lines cannot be compared (`old` None: no text, or too long), all of
    the new ones stand there as added.
    """
    found: dict[str, Any] = {"operation": "add" if new else "modify", "path": path, "fileType": "text"}
    diff: dict[str, Any] = {"type": "diff", "changes": [found]}
    if text := git_patch(path, None if new else old or "", content):
        diff["patch"] = {"format": "git_patch", "text": text}
    return diff


# The way there


@contextmanager
def _walked(folder: str, *, make: bool = False) -> Iterator[int]:
    """The folder of that real path, open; no step on the way is a link."""
    fd = os.open("/", _FOLDER)
    try:
        for part in filter(None, folder.split("/")):
            try:
                deeper = os.open(part, _FOLDER, dir_fd=fd)
            except FileNotFoundError:
                if not make:
                    raise
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=fd)
                deeper = os.open(part, _FOLDER, dir_fd=fd)
            os.close(fd)
            fd = deeper
        yield fd
    finally:
        os.close(fd)


@contextmanager
def _opened(real: str) -> Iterator[IO[bytes]]:
    """An ordinary file, to be read."""
    folder, name = os.path.split(real)
    if not name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with _walked(folder) as parent:
        _check_ordinary(os.stat(name, dir_fd=parent, follow_symlinks=False), real)
        with open(os.open(name, os.O_RDONLY | _FILE, dir_fd=parent), "rb") as file:
            _check_ordinary(os.fstat(file.fileno()), real)
            yield file


def _status(name: str, parent: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _check_ordinary(status: os.stat_result, real: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise Refused(errors.INVALID_PARAMS, f"Not a file but a folder: {real}")
    if stat.S_ISLNK(status.st_mode):
        raise Refused(errors.INVALID_PARAMS, f"It became a link just now: {real}")
    if not stat.S_ISREG(status.st_mode):
        raise Refused(errors.INVALID_PARAMS, f"Not an ordinary file: {real}")


def _check_writable(name: str, parent: int, was: os.stat_result | None, real: str) -> None:
    """What the user made read-only is not replaced either."""
    if not name:
        raise Refused(errors.INVALID_PARAMS, f"Not a file but a folder: {real}")
    if was is not None:
        _check_ordinary(was, real)
        if not os.access(name, os.W_OK, dir_fd=parent):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


# Reading and writing


def _lines(file: IO[bytes], first: int, limit: int | None, given_up: Callable[[], bool]) -> bytes:
    """Those lines, or more than `MOST` bytes of them."""
    kept: list[bytes] = []
    number, size = 1, 0
    while (limit is None or number < first + limit) and size <= MOST:
        piece = file.readline(_PIECE)
        if not piece:
            break
        if given_up():
            raise Abandoned
        if number >= first:
            kept.append(piece)
            size += len(piece)
        number += piece.endswith(b"\n")
    return b"".join(kept)


def _encoded(content: str) -> bytes:
    try:
        data = content.encode("utf-8")
    except UnicodeEncodeError:
        raise Refused(errors.INVALID_PARAMS, "The content is no text: it holds half a character") from None
    if len(data) > MOST:
        raise Refused(errors.INVALID_PARAMS, f"More than {MOST // 2**20} MiB at once")
    return data


def _text(name: str, parent: int) -> str | None:
    """What stands there now, if it can be shown."""
    try:
        with open(os.open(name, os.O_RDONLY | _FILE, dir_fd=parent), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(SHOWN + 1)
            return data.decode("utf-8") if len(data) <= SHOWN else None
    except (OSError, UnicodeDecodeError):
        return None


def _replace(
    name: str, parent: int, data: bytes, was: os.stat_result | None, given_up: Callable[[], bool]
) -> None:
    new = f".acp-tui-{os.getpid()}-{os.urandom(6).hex()}.new"
    made = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, 0o666, dir_fd=parent)
    try:
        with open(made, "wb") as file:
            file.write(data)
            if was is not None:
                _resemble(file.fileno(), was)
            file.flush()
            os.fsync(file.fileno())
        if given_up():
            raise Abandoned
        os.replace(new, name, src_dir_fd=parent, dst_dir_fd=parent)
    except BaseException:
        with suppress(OSError):
            os.unlink(new, dir_fd=parent)
        raise


def _resemble(fd: int, was: os.stat_result) -> None:
    """Owner where that is allowed, and mode."""
    mine = os.fstat(fd)
    if (mine.st_uid, mine.st_gid) != (was.st_uid, was.st_gid):
        with suppress(OSError):
            os.fchown(fd, was.st_uid, was.st_gid)
    os.fchmod(fd, stat.S_IMODE(was.st_mode))


def _refused(error: OSError | ValueError, path: str) -> Refused:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Refused(errors.RESOURCE_NOT_FOUND, f"No such file: {path}")
    if isinstance(error, IsADirectoryError):
        return Refused(errors.INVALID_PARAMS, f"Not a file but a folder: {path}")
    if isinstance(error, ValueError) or error.errno in (errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL):
        return Refused(errors.INVALID_PARAMS, f"No path that can be followed: {path}")
    return Refused(errors.INTERNAL_ERROR, f"{error.strerror or error}: {path}")
