"""Prompts that were not confirmed when the program ended, for the next start in the same folder (CL-06).

Invariants: they are only handed out, never sent: each with the reason why it waits for the user (LC-08,
PR-17); what another program that still runs keeps is left alone; a file is replaced whole, and gone once it
was handed out.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from acp_tui.base import atomic, processes
from acp_tui.base.paths import state_dir
from acp_tui.client.queue import tail
from acp_tui.protocol import v2
from acp_tui.protocol.content import ContentBlock
from acp_tui.protocol.unknown import Invalid
from acp_tui.store.session import Session

_WHY = {
    "queued": "it waited when acp-tui ended",
    "held": "it waited when acp-tui ended",
    "pending": "it may have arrived before acp-tui ended",
    "uncertain": "it is not known whether it arrived",
}


@dataclass(frozen=True, slots=True)
class Unsent:
    """One of them: give it to `Submit` with `held=why`."""

    blocks: tuple[ContentBlock, ...]
    why: str


class _Item(BaseModel):
    prompt: list[Any]
    why: str


class _File(BaseModel):
    pid: int
    birth: str
    prompts: list[_Item]


def waiting(sessions: Iterable[Session]) -> list[Unsent]:
    """What these sessions have not confirmed, as it would be handed out."""
    return [
        Unsent(one.blocks, _WHY[one.status])
        for session in sessions
        for one in tail(session)
        if one.status in _WHY
    ]


def keep(cwd: str, found: Iterable[Unsent], folder: Path | None = None) -> None:
    """Keep these for one folder, in place of what was kept before. Where that cannot be written nothing else
    happens. From any thread, one at a time.
    """
    me = processes.find(os.getpid())
    items = [_Item(prompt=[v2.encode(block) for block in one.blocks], why=one.why) for one in found]
    path = _folder(folder) / f"{_name(cwd)}.{os.getpid()}.json"
    with contextlib.suppress(OSError):
        if items:
            kept = _File(pid=os.getpid(), birth=me.birth if me else "", prompts=items)
            atomic.write(path, json.dumps(kept.model_dump()).encode())  # pydantic takes no lone surrogates
        else:
            path.unlink(missing_ok=True)


def take(cwd: str, folder: Path | None = None) -> list[Unsent]:
    """What programs that run no more have kept for this folder, the oldest first; it is kept no longer."""
    found: list[Unsent] = []
    for path in _left(cwd, _folder(folder)):
        with contextlib.suppress(OSError, ValueError):
            kept = _File.model_validate(json.loads(path.read_bytes()))
            if processes.alive(kept.pid, kept.birth) and kept.pid != os.getpid():
                continue
            found += [one for item in kept.prompts if (one := _read(item)) is not None]
        with contextlib.suppress(OSError):
            path.unlink()
    return found


def _left(cwd: str, folder: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from sorted(folder.glob(f"{_name(cwd)}.*.json"), key=lambda path: path.stat().st_mtime)


def _read(item: _Item) -> Unsent | None:
    try:
        prompt = v2.decode_params("session/prompt", {"sessionId": "", "prompt": item.prompt}).prompt
    except Invalid:
        return None
    return Unsent(tuple(prompt), item.why)


def _name(cwd: str) -> str:
    return hashlib.sha256(cwd.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _folder(folder: Path | None) -> Path:
    return folder or state_dir() / "unsent"
