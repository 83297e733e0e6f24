"""What the journals of a run say of one entity: the messages that told of it, with their times.

`Trail` is pure: record after record it says whether that belongs to the entity. `History` reads files and
goes on where it stopped, so that asking again costs only what was written since. Invariants: a message is
kept as a place in a file, never as text, so that the history of a long answer stays small; a line that is not
whole yet is left for the next time; what is read here was redacted when it was kept (DESIGN 5.8).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acp_tui.journal.log import parse
from acp_tui.store.keys import MESSAGE_KINDS, Kind

BATCH = 200
"""Messages handed over at a time …"""
STRETCH = 8 * 1024 * 1024
"""… or bytes read without a word."""
PREVIEW = 200
"""Characters of what a message changed."""

_IDS = {
    Kind.TOOL_CALL: "toolCallId",
    Kind.TERMINAL: "terminalId",
    Kind.PLAN: "planId",
    Kind.COMPACTION: "compactionId",
    Kind.SUBAGENT: "sessionId",
    Kind.SESSION_MESSAGE: "messageId",
    **dict.fromkeys(MESSAGE_KINDS, "messageId"),
}
"""The field that names an entity in its updates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whose history it is."""

    kind: Kind
    session_id: str | None
    """The agent's id of the session; None where a request belongs to none."""
    id: str = ""
    """The agent's id of the entity."""
    request_id: int | str | None = None
    """The JSON-RPC id of the request it came from: of our prompt, or of the agent's request."""
    generation: int | None = None
    """Only in the journal of this start of the agent."""
    since: float = 0.0
    until: float = float("inf")


@dataclass(frozen=True, slots=True)
class Found:
    """One message, and where it stands."""

    path: Path
    offset: int
    length: int
    generation: int
    at: float
    direction: str
    """`<` the agent's, `>` ours, `#` a note of ours."""
    what: str
    """The kind of update, the method, `answer`, or the event."""
    changed: str
    """What it says, in short; as it came, not cleaned."""

    def load(self) -> Any:
        """The message as it was kept; raises `OSError` or `ValueError` if it is not there any more."""
        with self.path.open("rb") as file:
            file.seek(self.offset)
            record = parse(file.read(self.length))
        if not isinstance(record, dict):
            raise ValueError("the record was overwritten")
        if "msg" in record:
            return record["msg"]
        return {name: value for name, value in record.items() if name not in ("seq", "t", "dir", "session")}


class Trail:
    """Follows one entity through the records of one journal."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._asked: set[tuple[str, str]] = set()
        """Requests of the trail that wait for an answer: who will answer, and the id as JSON."""
        self._needles = _needles(subject)

    def may(self, line: bytes) -> bool:
        """Cheap: False if this line cannot belong to it."""
        return bool(self._asked) or any(needle in line for needle in self._needles)

    def take(self, record: dict[str, Any]) -> bool:
        """Whether this record belongs to it."""
        if record.get("dir") == "#":
            return self._loses(record)
        message, direction = record.get("msg"), str(record.get("dir"))
        if not isinstance(message, dict):
            return False
        if "method" not in message:
            return self._answers(direction, message)
        if record.get("session") != self.subject.session_id or not self._tells(record, message):
            return False
        if "id" in message:
            self._asked.add(("<" if direction == ">" else ">", json.dumps(message["id"])))
        return True

    def _answers(self, direction: str, message: dict[str, Any]) -> bool:
        name = (direction, json.dumps(message.get("id")))
        if name not in self._asked:
            return False
        self._asked.remove(name)
        return True

    def _loses(self, record: dict[str, Any]) -> bool:
        lost = record.get("event") == "connection_lost"
        return lost and self.subject.kind is Kind.TURN and self._in_time(record)

    def _in_time(self, record: dict[str, Any]) -> bool:
        at = record.get("t")
        return isinstance(at, int | float) and self.subject.since <= at <= self.subject.until

    def _tells(self, record: dict[str, Any], message: dict[str, Any]) -> bool:
        subject, method = self.subject, message["method"]
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if method == "session/update":
            return self._updates(record, params.get("update"))
        if subject.kind is Kind.TURN:
            return method == "session/cancel" and self._in_time(record)
        if method == "$/cancel_request":
            asked = params.get("requestId")
            return asked is not None and _same_id(asked, subject.request_id)
        if subject.request_id is not None and "id" in message:
            from_us = record.get("dir") == ">"
            ours = subject.kind is not Kind.REQUEST
            return from_us is ours and _same_id(message["id"], subject.request_id)
        name = _IDS.get(subject.kind)
        return name is not None and subject.kind is not Kind.SUBAGENT and _named(params, name, subject.id)

    def _updates(self, record: dict[str, Any], update: Any) -> bool:
        kind = update.get("sessionUpdate") if isinstance(update, dict) else None
        subject = self.subject
        if not isinstance(kind, str):
            return False
        if subject.kind is Kind.TURN:
            return kind == "state_update" and self._in_time(record)
        if kind != subject.kind and not kind.startswith(subject.kind + "_"):
            return False
        name = _IDS.get(subject.kind)
        inner = update.get("plan") if subject.kind is Kind.PLAN else None
        return name is not None and (
            update.get(name) == subject.id or (isinstance(inner, dict) and inner.get(name) == subject.id)
        )


@dataclass(slots=True)
class _File:
    trail: Trail
    offset: int = 0
    generation: int = 0
    skipped: bool = False
    """It is the journal of another start of the agent."""
    unread: int = 0
    pending: list[Found] = field(default_factory=list)


class History:
    """The messages of one entity in some journals. Its methods belong to one thread at a time."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._files: dict[Path, _File] = {}

    def read(self, paths: Sequence[Path]) -> Iterator[list[Found]]:
        """What was not read before, oldest first, a batch at a time; empty batches say that it goes on.

        Raises `OSError` where a journal cannot be read.
        """
        for path in paths:
            known = self._files.setdefault(path, _File(Trail(self.subject)))
            if not known.skipped:
                yield from self._read(path, known)

    def _read(self, path: Path, known: _File) -> Iterator[list[Found]]:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < known.offset:
                known.offset = 0  # another file under this name
            file.seek(known.offset)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._take(path, known, line)
                if known.skipped:
                    return
                if len(known.pending) >= BATCH or known.unread > STRETCH:
                    yield self._handed(known)
        yield self._handed(known)

    def _handed(self, known: _File) -> list[Found]:
        found, known.pending, known.unread = known.pending, [], 0
        return found

    def _take(self, path: Path, known: _File, line: bytes) -> None:
        offset = known.offset
        known.offset += len(line)
        known.unread += len(line)
        if b'"acp-tui-journal"' in line[:40]:
            header = parse(line)
            known.generation = header.get("generation", 0) if isinstance(header, dict) else 0
            known.skipped = self.subject.generation not in (None, known.generation)
            return
        if not known.trail.may(line):
            return
        record = parse(line)
        if isinstance(record, dict) and known.trail.take(record):
            at, (what, changed) = record.get("t"), summary(record)
            known.pending.append(
                Found(
                    path,
                    offset,
                    len(line),
                    known.generation,
                    float(at) if isinstance(at, int | float) else 0.0,
                    str(record.get("dir")),
                    what,
                    changed,
                )
            )


def summary(record: dict[str, Any]) -> tuple[str, str]:
    """What a record is, and in short what it says."""
    message = record.get("msg")
    if not isinstance(message, dict):
        return str(record.get("event") or "text"), str(record.get("reason") or record.get("raw") or "")[
            :PREVIEW
        ]
    if "method" not in message:
        return "answer", _short(message.get("error") or message.get("result"))
    params = message.get("params")
    params = params if isinstance(params, dict) else {}
    update = params.get("update")
    if message["method"] == "session/update" and isinstance(update, dict):
        said = {name: value for name, value in update.items() if name not in _NAMES}
        content = said.get("content")
        if isinstance(content, dict) and isinstance(content.get("text"), str):
            return str(update.get("sessionUpdate")), json.dumps(content["text"][:PREVIEW], ensure_ascii=False)
        return str(update.get("sessionUpdate")), _fields(said)
    return str(message["method"]), _fields({n: v for n, v in params.items() if n not in _NAMES})


_NAMES = frozenset({"sessionUpdate", *_IDS.values()})


def _fields(said: dict[str, Any]) -> str:
    return "  ".join(f"{name}: {_short(value)}" for name, value in list(said.items())[:8])[:PREVIEW]


def _short(value: Any) -> str:
    match value:
        case str():
            return value[:80]
        case list():
            return f"[{len(value)}]"
        case dict():
            inner = ", ".join(f"{name}: {_bare(one)}" for name, one in list(value.items())[:4])
            return "{" + inner + "}"
        case _:
            return json.dumps(value)


def _bare(value: Any) -> str:
    return (
        "…"
        if isinstance(value, dict | list)
        else str(value)[:60]
        if isinstance(value, str)
        else json.dumps(value)
    )


def _named(params: dict[str, Any], name: str, id: str) -> bool:
    """A request about the entity: it names it, or its subject does, or the call in its subject."""
    places: list[Any] = [params, params.get("toolCall")]
    subject = params.get("subject")
    if isinstance(subject, dict):
        places += [subject, subject.get("toolCall")]
    return any(isinstance(place, dict) and place.get(name) == id for place in places)


def _same_id(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def _needles(subject: Subject) -> tuple[bytes, ...]:
    """What at least one of must stand in every line about it."""
    if subject.kind is Kind.TURN:
        return b'"state_update"', b'"session/cancel"', b'"connection_lost"'
    needles = []
    if subject.request_id is not None:
        named = json.dumps(subject.request_id).encode()
        needles += [b'"id":' + named, b'"requestId":' + named]
    if subject.kind in _IDS:
        needles.append(json.dumps(subject.id)[1:-1].encode())
        plain = json.dumps(subject.id, ensure_ascii=False)[1:-1]
        if not plain.isascii():
            needles.append(plain.encode("utf-8", "surrogatepass"))
    return tuple(needles)
