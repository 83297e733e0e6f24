"""Replace a file as a whole or not at all, readable by its owner only.

After `write` returned, a crash or power cut leaves the new content; before, the old one; never a mixture.
"""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from acp_tui.base.paths import private


def write(path: Path, data: bytes) -> None:
    """New file beside it, fsync, rename. Raises `OSError` and then leaves no trace."""
    private(path.parent)
    new = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    sync_folder(path.parent)


def remove(path: Path) -> None:
    """It is not there after that. Raises `OSError`."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        path.unlink()


def why(error: OSError) -> str:
    """Why something could not be written, for the user, without a full stop."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    reason = "the disk is full" if full else (error.strerror or str(error)).lower()
    return f"{reason} ({error.filename})" if error.filename else reason


def sync_folder(folder: Path) -> None:
    """Make the rename itself last; some file systems cannot, and then the content is still whole."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
