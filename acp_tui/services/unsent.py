"""Prompts that were not confirmed when the program ended, for the same session when it is there again, or the
next new one with the same agent in the same folder (CL-06).

Invariants: they are only handed out, never sent: each with the reason why it waits for the user (LC-08,
PR-17); a session gets its own and no other's, a new one all that was left for its agent, for most sessions
never come again; no agent gets what was meant for another; what another program that still runs keeps is left
alone; a file is replaced whole, and gone once all of it was handed out.
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
class Whom:
    """An agent: one that is started in the same way, or says that it is the same, is the same."""

    command: tuple[str, ...] = ()
    """Secrets redacted; empty: not known."""
    name: str = ""
    """As it names itself; empty: not known."""

    def may_have(self, other: Whom) -> bool:
        """What was meant for the other one, or for nobody knows whom."""
        if self.name and other.name:
            return self.name == other.name
        return not other.command or self.command == other.command


@dataclass(frozen=True, slots=True)
class Unsent:
    """One of them: give it to `Submit` with `held=why`."""

    blocks: tuple[ContentBlock, ...]
    why: str
    session: str = ""
    """The saved session it was meant for; empty: none is known."""
    agent: Whom = Whom()


class _Item(BaseModel):
    prompt: list[Any]
    why: str
    session: str = ""
    command: tuple[str, ...] = ()
    agent: str = ""

    @property
    def whom(self) -> Whom:
        return Whom(self.command, self.agent)


class _File(BaseModel):
    pid: int
    birth: str
    prompts: list[_Item]


def waiting(session: Session, name: str = "", agent: Whom = Whom()) -> list[Unsent]:
    """What a session has not confirmed, as it would be handed out; `name`: of the saved session."""
    return [Unsent(one.blocks, _WHY[one.status], name, agent) for one in tail(session) if one.status in _WHY]


def keep(cwd: str, found: Iterable[Unsent], folder: Path | None = None) -> None:
    """Keep these for one folder, in place of what was kept before. Raises `OSError`. From any thread, one at
    a time.
    """
    me = processes.find(os.getpid())
    items = [
        _Item(
            prompt=[v2.encode(block) for block in one.blocks],
            why=one.why,
            session=one.session,
            command=one.agent.command,
            agent=one.agent.name,
        )
        for one in found
    ]
    path = _folder(folder) / f"{_name(cwd)}.{os.getpid()}.json"
    _write(path, _File(pid=os.getpid(), birth=me.birth if me else "", prompts=items))


def _write(path: Path, kept: _File) -> None:
    if kept.prompts:
        atomic.write(path, json.dumps(kept.model_dump()).encode())  # pydantic takes no lone surrogates
    else:
        atomic.remove(path)


def take(cwd: str, folder: Path | None = None, session: str = "", agent: Whom | None = None) -> list[Unsent]:
    """What programs that run no more have kept for this saved session, or for this agent in this folder, the
    oldest first; it is kept no longer. None: for whichever.
    """
    found: list[Unsent] = []
    for path in _left(cwd, _folder(folder)):
        with contextlib.suppress(OSError, ValueError):
            kept = _File.model_validate(json.loads(path.read_bytes()))
            if processes.alive(kept.pid, kept.birth) and kept.pid != os.getpid():
                continue
            mine = [item for item in kept.prompts if _is_for(item, session, agent)]
            found += [one for item in mine if (one := _read(item)) is not None]
            kept.prompts = [item for item in kept.prompts if item not in mine]
            _write(path, kept)
            continue
        if not session:  # nobody can read it
            with contextlib.suppress(OSError):
                path.unlink()
    return found


def _is_for(item: _Item, session: str, agent: Whom | None) -> bool:
    if session:
        return item.session == session
    return agent is None or agent.may_have(item.whom)


def _left(cwd: str, folder: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from sorted(folder.glob(f"{_name(cwd)}.*.json"), key=lambda path: path.stat().st_mtime)


def _read(item: _Item) -> Unsent | None:
    try:
        prompt = v2.decode_params("session/prompt", {"sessionId": "", "prompt": item.prompt}).prompt
    except Invalid:
        return None
    return Unsent(tuple(prompt), item.why, item.session, item.whom)


def _name(cwd: str) -> str:
    return hashlib.sha256(cwd.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _folder(folder: Path | None) -> Path:
    return folder or state_dir() / "unsent"
