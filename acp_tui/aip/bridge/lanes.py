"""Lanes: the sessions of ACP, and what is kept of each on disk so that another process can go on with it.

A lane is one file: a first line that says what it is, then every update that a replay has to repeat, as it
was sent. Invariants: readable by the owner only; whole lines, appended; nothing secret is in an update, so
nothing secret is here; a line that cannot be read is left out.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from acp_tui.agent_side.session import Session
from acp_tui.agent_side.wire import Json
from acp_tui.aip.gateway.front import folder_of
from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.base.paths import private
from acp_tui.protocol import jsonio
from acp_tui.protocol.unknown import Invalid

SHOWN: Final = 500
"""Lanes that are listed at most, the newest."""
_NUMBERED: Final = re.compile(r"(.+)_(\d+)")
_IDS: Final = ("messageId", "toolCallId")
_OPEN: Final = frozenset({"pending", "in_progress", "paused"})


@dataclass(slots=True)
class Lane:
    """One that is kept."""

    id: str
    cwd: str
    title: str | None = None
    path: Path = field(default_factory=Path)
    updated_at: str = ""

    def entry(self) -> Json:
        """Its line in `session/list`."""
        return {"sessionId": self.id, "cwd": self.cwd, "title": self.title, "updatedAt": self.updated_at}


class Lanes:
    """All lanes of one gateway."""

    def __init__(self, settings: GatewaySettings) -> None:
        self._folder = folder_of(settings) / "lanes"

    def listed(self) -> list[Lane]:
        """The newest first."""
        found = [lane for path in self._folder.glob("*.ndjson") if (lane := _lane(path)) is not None]
        return sorted(found, key=lambda lane: lane.updated_at, reverse=True)[:SHOWN]

    def find(self, lane_id: str) -> Lane | None:
        """The one with this id."""
        path = self._path(lane_id)
        return _lane(path) if path.exists() else None

    def begin(self, session: Session, *, now: bool = False) -> None:
        """Keep a session from its first words on; `now`: at once, because it is one at the gateway too."""
        path = self._path(session.id)
        head = {"lane": session.id, "cwd": session.cwd}

        def keep(update: Json) -> None:
            try:
                if not path.exists():
                    private(self._folder)
                    _append(path, head)
                _append(path, update)
            except OSError as error:
                sys.stderr.write(f"the lane cannot be kept: {error.strerror}\n")

        session.on_kept = keep
        if now and not path.exists():
            private(self._folder)
            _append(path, head)

    def remove(self, lane_id: str) -> None:
        """Nothing of it is kept any more."""
        self._path(lane_id).unlink(missing_ok=True)

    def history(self, lane: Lane) -> list[Json]:
        """Its updates, each entity said once."""
        return folded(_lines(lane.path, skip=1))

    def _path(self, lane_id: str) -> Path:
        return self._folder / f"{hashlib.sha256(lane_id.encode()).hexdigest()[:32]}.ndjson"


def restore(session: Session, history: list[Json]) -> None:
    """Give a session what is kept of it."""
    session.history = [(session.id, update) for update in history]
    for update in history:
        for name in _IDS:
            numbered = _NUMBERED.fullmatch(str(update.get(name)))
            if numbered is not None:
                prefix, number = numbered[1], int(numbered[2])
                session.counts[prefix] = max(session.counts[prefix], number)
        if update.get("sessionUpdate") == "session_info_update":
            session.title = update.get("title") or session.title


def open_calls(history: Iterable[Json]) -> list[Json]:
    """Tool calls that were not over."""
    calls = (each for each in history if each.get("sessionUpdate") == "tool_call_update")
    return [call for call in calls if call.get("status", "pending") in _OPEN]


def folded(updates: Iterable[Json]) -> list[Json]:
    """The same history in fewer updates: one for each tool call, as it was in the end, at its first place."""
    made: list[Json] = []
    calls: dict[str, Json] = {}
    for update in updates:
        kind, call_id = update.get("sessionUpdate"), str(update.get("toolCallId"))
        if kind not in ("tool_call_update", "tool_call_content_chunk"):
            made.append(update)
            continue
        known = calls.get(call_id)
        if known is None:
            known = calls[call_id] = {"sessionUpdate": "tool_call_update", "toolCallId": call_id}
            made.append(known)
        if kind == "tool_call_content_chunk":
            known["content"] = [*(known.get("content") or []), update.get("content")]
        else:
            fresh = update.get("_meta")
            meta = {**(known.get("_meta") or {}), **fresh} if isinstance(fresh, dict) else known.get("_meta")
            known.update(update)
            known["_meta"] = meta
    return made


def _lane(path: Path) -> Lane | None:
    try:
        lines = _lines(path)
        head, first = next(lines, None), next(lines, {})
        at = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    except OSError:
        return None
    if head is None or not isinstance(head.get("lane"), str) or not isinstance(head.get("cwd"), str):
        return None
    return Lane(head["lane"], head["cwd"], _words(first), path, at)


def _lines(path: Path, skip: int = 0) -> Iterator[Json]:
    with path.open("rb") as file:
        for number, line in enumerate(file):
            try:
                read: Any = jsonio.parse(line) if number >= skip else None
            except Invalid:
                continue
            if isinstance(read, dict):
                yield read


def _words(update: Json) -> str | None:
    """What a message says, for a title: the first words of the user."""
    blocks = update.get("content")
    texts = [str(block.get("text", "")) for block in blocks] if isinstance(blocks, list) else []
    return " ".join("".join(texts).split())[:60] or None


def _append(path: Path, line: Json) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, jsonio.dump(line) + b"\n")
    finally:
        os.close(descriptor)
