"""Resume tokens: the one place where they are, and they are nowhere else.

Invariants: a file per session, readable by its owner only, in a folder that is the owner's; a new token is
whole on the disk (new file, fsync, rename) before anything of the answer that brought it is used; one resume
of a session at a time, across processes. What a crash left half-written is removed before the next use.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acp_tui.base import atomic
from acp_tui.base.lock import Lock
from acp_tui.base.paths import private
from acp_tui.protocol import jsonio
from acp_tui.protocol.unknown import Invalid

WAIT = 0.2
"""Seconds between two looks at a lock that another holds."""
PATIENCE = 60.0
"""Seconds until one gives up."""


class Busy(Exception):
    """Another process is resuming this session, and does not end."""


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a session. `repr` does not show the secret."""

    session_id: str
    secret: str
    cursor: str | None = None

    def __repr__(self) -> str:
        return f"Token({self.session_id!r}, …, {self.cursor!r})"


class Tokens:
    """The secret store of one gateway."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, session_id: str) -> Token | None:
        """The token of a session, or None when there is none that can be read."""
        try:
            raw = jsonio.parse(self._path(session_id).read_bytes())
        except (OSError, Invalid):
            return None
        return _token(raw) if isinstance(raw, dict) and raw.get("session") == session_id else None

    def replace(self, token: Token) -> None:
        """It takes the place of the old one, which is dead. Raises `OSError`, and then the old one stays."""
        self._own_folder()
        raw = {"session": token.session_id, "token": token.secret, "cursor": token.cursor}
        atomic.write(self._path(token.session_id), jsonio.dump(raw))

    def destroy(self, session_id: str) -> None:
        """It is gone after that. Raises `OSError`."""
        atomic.remove(self._path(session_id))
        atomic.sync_folder(self._folder)

    @asynccontextmanager
    async def turn(self, session_id: str, sleep: Callable[[float], Awaitable[None]]) -> AsyncIterator[None]:
        """Nobody else resumes this session meanwhile. Raises `Busy`."""
        self._own_folder()
        lock = Lock(self._path(session_id).with_suffix(".lock"))
        waited = 0.0
        while lock.take() is not None:
            if waited >= PATIENCE:
                raise Busy
            await sleep(WAIT)
            waited += WAIT
        try:
            for left in self._folder.glob(f".{self._path(session_id).name}.*.new"):
                atomic.remove(left)
            yield
        finally:
            lock.release()

    def _own_folder(self) -> None:
        private(self._folder)
        if self._folder.stat().st_mode & 0o077:
            os.chmod(self._folder, 0o700)

    def _path(self, session_id: str) -> Path:
        """Not the id itself: what a gateway calls its sessions is no name for a file."""
        return self._folder / f"{hashlib.blake2b(session_id.encode(), digest_size=12).hexdigest()}.json"


def _token(raw: dict[str, Any]) -> Token | None:
    secret, cursor = raw.get("token"), raw.get("cursor")
    if not isinstance(secret, str) or not secret:
        return None
    return Token(raw["session"], secret, cursor if isinstance(cursor, str) else None)
