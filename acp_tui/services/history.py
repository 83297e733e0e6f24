"""Prompts that were sent, by folder, to have them again: whole, with all that was pasted and where it stands.

Invariants: an entry is one line, appended under a lock in one write, so that several programs can add at once
and a crash costs at most the last line; the file is for its owner only; what cannot be read is passed over,
where nothing can be written nothing is kept, and nothing else happens. Nobody sees a text twice: the same
text again counts as newer.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acp_tui.base import atomic
from acp_tui.base.paths import private, state_dir

KEEP = 1000
"""Prompts of a folder that are kept."""
LONGEST = 1_000_000
"""Characters of a prompt that is kept at all."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One of them."""

    text: str
    pasted: tuple[tuple[int, int], ...] = ()
    """Start and end of each long paste in it."""


class History:
    """The prompts of one folder. Reads and writes a file: not for a frame, but cheap enough for a key."""

    def __init__(self, cwd: str, path: Path | None = None, *, keep: int = KEEP) -> None:
        name = hashlib.sha256(cwd.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._path = path or state_dir() / "history" / f"{name}.ndjson"
        self._keep = keep

    def add(self, text: str, at: float, pasted: Sequence[tuple[int, int]] = ()) -> None:
        """Keep a prompt; `at` in seconds since the epoch, `pasted` as in `Prompt`."""
        if not text.strip() or len(text) > LONGEST:
            return
        entry = {"at": at, "text": text, **({"pasted": pasted} if pasted else {})}
        line = json.dumps(entry) + "\n"
        with contextlib.suppress(OSError), self._locked() as fd:
            torn = os.fstat(fd).st_size and os.pread(fd, 1, os.fstat(fd).st_size - 1) != b"\n"
            os.write(fd, (b"\n" if torn else b"") + line.encode())
            self._shorten(fd)

    def prompts(self) -> list[Prompt]:
        """Newest first, each once."""
        newest: dict[str, Prompt] = {}
        for prompt in reversed(self._read()):
            newest.setdefault(prompt.text, prompt)
        return list(newest.values())[: self._keep]

    def search(self, words: str) -> Iterator[Prompt]:
        """Newest first: those that hold every one of the words, regardless of case."""
        return searched(self.prompts(), words)

    def forget(self, text: str) -> None:
        """Take it out."""
        with contextlib.suppress(OSError), self._locked():
            lines = self._path.read_bytes().splitlines()
            self._replace([line for line in lines if _text(line) != text])

    def _read(self) -> list[Prompt]:
        try:
            lines = self._path.read_bytes().splitlines()
        except OSError:
            return []
        return [prompt for line in lines if (prompt := _prompt(line)) is not None]

    def _shorten(self, fd: int) -> None:
        """When twice as many stand there as are kept: only now and then, for it writes everything anew."""
        lines = self._path.read_bytes().splitlines() if os.fstat(fd).st_size > 100 * self._keep else []
        if len(lines) > 2 * self._keep:
            newest = {_text(line): line for line in lines}
            self._replace(list(newest.values())[-self._keep :])

    def _replace(self, lines: list[bytes]) -> None:
        atomic.write(self._path, b"".join(line + b"\n" for line in lines))

    @contextlib.contextmanager
    def _locked(self) -> Iterator[int]:
        """The file that bears the name now, for us alone."""
        private(self._path.parent)
        while True:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                if os.path.samestat(os.fstat(fd), os.stat(self._path)):
                    yield fd
                    return
            except FileNotFoundError:
                pass  # somebody replaced it meanwhile
            finally:
                os.close(fd)


def searched(prompts: Sequence[Prompt], words: str) -> Iterator[Prompt]:
    """Those that hold every one of the words, regardless of case, in their order."""
    wanted = words.lower().split()
    return (one for one in prompts if all(word in one.text.lower() for word in wanted))


def _text(line: bytes) -> str | None:
    prompt = _prompt(line)
    return prompt.text if prompt is not None else None


def _prompt(line: bytes) -> Prompt | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    text = entry.get("text") if isinstance(entry, dict) else None
    return Prompt(text, _spans(entry.get("pasted"))) if isinstance(text, str) else None


def _spans(found: Any) -> tuple[tuple[int, int], ...]:
    """What does not read as start and end is passed over."""
    spans = found if isinstance(found, list) else []
    return tuple(
        (span[0], span[1])
        for span in spans
        if isinstance(span, list) and len(span) == 2 and all(type(place) is int for place in span)
    )
