"""What was being written when the program ended, or was killed, for the same session when it is there again.

Invariants: a draft is that of a session, or of its folder while there is no session yet; a session that is
there again gets its own and no other, a new one what was left in its folder: for no session first, then for
one, for most sessions never come again and nothing is to be lost. A draft is handed out once, and only if
nobody has it open any more: not this program, and no other that still runs; what is handed out stays kept
until its new owner has kept it himself; a file is replaced whole. What cannot be kept stays due.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from acp_tui.base import atomic, processes
from acp_tui.base.paths import state_dir


@dataclass(frozen=True, slots=True)
class Draft:
    """What is being written."""

    text: str = ""
    pasted: Mapping[int, str] = field(default_factory=dict)
    """The long pastes in it, by number."""
    attached: tuple[str, ...] = ()
    """Absolute paths."""

    def __bool__(self) -> bool:
        return bool(self.text.strip() or self.attached)


class _File(BaseModel):
    pid: int
    birth: str
    session: str = ""
    text: str
    pasted: dict[int, str] = {}
    attached: list[str] = []


class Drafts:
    """The drafts of one run: each has a name, for which what was put last is what is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_dir() / "drafts"
        self._due: dict[Path, tuple[Draft, str]] = {}
        """What is to be written, and for which session."""
        self._open: set[Path] = set()
        self._run = secrets.token_hex(8)
        """No other run has files of these names, even if it had our pid."""
        self._lock = threading.Lock()
        me = processes.find(os.getpid())
        self._birth = me.birth if me else ""

    def take(self, cwd: str, name: str, session: str = "") -> Draft:
        """What was left for this session, or for a new one the newest in the folder; from now on it is kept
        under this name. `session` names one of all agents; empty: there is none yet.
        """
        mine = self._path(cwd, name)
        found = [(path, kept) for path in self._left(cwd) if (kept := self._read(path)) is not None]
        fit = [one for one in found if one[1].session == session] or ([] if session else found)
        self._open.add(mine)
        if not fit:
            return Draft()
        path, kept = fit[0]
        draft = Draft(kept.text, kept.pasted, tuple(kept.attached))
        self._due[mine] = draft, session
        if self.write():
            self._open.add(path)  # it is still the only copy
        else:
            with contextlib.suppress(OSError):
                path.unlink()
        return draft

    def put(self, cwd: str, name: str, draft: Draft, session: str = "") -> None:
        """To be kept by the next `write`; an empty one is forgotten."""
        self._due[self._path(cwd, name)] = draft, session

    def leave(self, cwd: str, name: str) -> None:
        """Nobody has this one open any more: the next who asks gets it."""
        self._open.discard(self._path(cwd, name))

    def write(self) -> str:
        """Write what is due, from any thread; why something could not be: it is due still, unless something
        newer is.
        """
        failed, problem = {}, ""
        with self._lock:
            while self._due:
                path, kept = self._due.popitem()
                try:
                    self._write(path, *kept)
                except OSError as error:
                    failed[path], problem = kept, atomic.why(error)
            for path, kept in failed.items():
                self._due.setdefault(path, kept)
        return problem

    def _write(self, path: Path, draft: Draft, session: str) -> None:
        if not draft:
            atomic.remove(path)
            return
        kept = {
            "pid": os.getpid(),
            "birth": self._birth,
            "session": session,
            "text": draft.text,
            "pasted": {str(number): text for number, text in draft.pasted.items()},
            "attached": draft.attached,
        }
        atomic.write(path, json.dumps(kept).encode())  # surrogates of file names as escapes

    def _left(self, cwd: str) -> Iterator[Path]:
        with contextlib.suppress(OSError):
            found = [(path.stat().st_mtime_ns, path) for path in self._folder.glob(f"{_hashed(cwd)}.*.json")]
            yield from (path for _, path in sorted(found, reverse=True))

    def _read(self, path: Path) -> _File | None:
        """None: somebody else has it open, it is empty, or it cannot be read."""
        if path in self._open:
            return None
        try:
            kept = _File.model_validate(json.loads(path.read_bytes()))
        except (OSError, ValueError):
            return None
        if kept.pid != os.getpid() and processes.alive(kept.pid, kept.birth):
            return None
        return kept if kept.text.strip() or kept.attached else None

    def _path(self, cwd: str, name: str) -> Path:
        return self._folder / f"{_hashed(cwd)}.{self._run}.{name}.json"


def _hashed(cwd: str) -> str:
    return hashlib.sha256(cwd.encode("utf-8", "surrogateescape")).hexdigest()[:32]
