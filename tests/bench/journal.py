"""A record of a conversation written as it comes, and read back into a store."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from acp_tui.inspection.record import read
from acp_tui.journal.log import Header, Journal
from acp_tui.journal.playing import Player
from tests.bench import updates
from tests.bench.corpus import chunks, markdown
from tests.bench.rows import Row

BURST = 64
COUNT = 10_000
GOAL = 5.0
OPENED: tuple[tuple[str, dict[str, Any]], ...] = (
    (">", {"jsonrpc": "2.0", "id": 0, "method": "session/new", "params": {"cwd": "/"}}),
    ("<", {"jsonrpc": "2.0", "id": 0, "result": {"sessionId": updates.SESSION}}),
)


def run() -> Iterator[Row]:
    """Microseconds for a message, beside plain JSON to and from a file; seconds for a whole conversation."""
    pieces = [
        updates.message_chunk(f"m{n // 100}", text) for n, text in enumerate(chunks(markdown(40 * COUNT), 40))
    ]
    with TemporaryDirectory() as folder:
        kept, path = _keep(pieces, Path(folder))
        plain = _plain(pieces, Path(folder))
        yield Row("keep a chunk", kept / len(pieces) * 1e6, "µs", plain / len(pieces) * 1e6)
        back, parsed = _replay(path), _parse(path)
        yield Row(
            "read a chunk back into a store", back / len(pieces) * 1e6, "µs", parsed / len(pieces) * 1e6
        )
        _, path = _keep(updates.conversation(COUNT), Path(folder))
        yield Row("read 10,000 entities back into a store", _replay(path), "s", goal=GOAL)


def _messages(many: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [json.loads(updates.line(update)) for update in many]


def _bursts(messages: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(messages), BURST):
        yield messages[start : start + BURST]


def _keep(many: list[dict[str, Any]], folder: Path) -> tuple[float, Path]:
    header = Header(generation=1, command=("bench",), cwd="/", started=0.0, pid=os.getpid(), version="1")
    journal = Journal(folder, header)
    for direction, message in OPENED:
        journal.append(">" if direction == ">" else "<", [(updates.SESSION, message)], 0.0)
    messages = _messages(many)
    start = time.process_time()
    for burst in _bursts(messages):
        journal.append("<", [(updates.SESSION, message) for message in burst], 1.0)
    spent = time.process_time() - start
    journal.close(2.0)
    return spent, journal.path


def _plain(many: list[dict[str, Any]], folder: Path) -> float:
    messages = _messages(many)
    start = time.process_time()
    with (folder / "plain").open("wb", buffering=0) as file:
        for burst in _bursts(messages):
            file.write(b"".join(json.dumps(message).encode() + b"\n" for message in burst))
    return time.process_time() - start


def _replay(path: Path) -> float:
    start = time.process_time()
    player = Player()
    player.play(*read(path))
    spent = time.process_time() - start
    (session,) = player.client.store.sessions.values()
    assert len(session.timeline) >= 100
    return spent


def _parse(path: Path) -> float:
    start = time.process_time()
    for line in path.read_bytes().splitlines():
        json.loads(line)
    return time.process_time() - start
