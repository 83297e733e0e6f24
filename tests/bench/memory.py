"""What an entity out of view costs in memory beside its own text, kind by kind; what big content costs.

Counted by `tracemalloc` in the store and in the views of a column, none of them ever drawn. Its text is what
the agent said of it: the characters of its content, and the paths it names.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from acp_tui.base.spill import Spill
from acp_tui.client.machine import Client
from acp_tui.protocol.jsonrpc import read
from acp_tui.render.look import FALLBACK
from acp_tui.render.views import make_view
from acp_tui.ui.transcript.column import Column
from tests.bench import updates
from tests.bench.connection import connected, tell
from tests.bench.rows import Row

COUNT, WORDS, GOAL = 1000, 300, 2.0
MB = 1_000_000
TERMINALS, TERMINALS_GOAL = 100, 30.0

Updates = list[dict[str, Any]]


def _words(number: int) -> str:
    return f"{number:08} " + "word " * ((WORDS - 9) // 5) + "."


def _message(number: int) -> Updates:
    return [{"sessionUpdate": "agent_message", "messageId": f"e{number}", "content": [_text(number)]}]


def _thought(number: int) -> Updates:
    return [{"sessionUpdate": "agent_thought", "messageId": f"e{number}", "content": [_text(number)]}]


def _streamed(number: int) -> Updates:
    words = _words(number)
    return [updates.message_chunk(f"e{number}", words[at : at + 5]) for at in range(0, len(words), 5)]


def _text(number: int) -> dict[str, Any]:
    return updates.text(_words(number))


def _call(number: int, **fields: Any) -> Updates:
    place = {"path": f"/src/part{number}.py", "line": number}
    return [updates.tool_call(f"e{number}", status="completed", locations=[place], **fields)]


def _read(number: int) -> Updates:
    content = [{"type": "content", "content": _text(number)}]
    return _call(number, kind="read", rawInput={"path": f"/src/part{number}.py"}, content=content)


def _edit(number: int) -> Updates:
    changes = [{"operation": "modify", "path": f"/src/part{number}.py"}]
    patch = {"format": "git_patch", "text": _words(number)}
    diff = {"type": "diff", "changes": changes, "patch": patch}
    return _call(number, kind="edit", rawInput={"path": f"/src/part{number}.py"}, content=[diff])


def _terminal(number: int) -> Updates:
    words = _words(number)
    chunks = [updates.terminal_chunk(f"t{number}", words[at : at + 30]) for at in range(0, len(words), 30)]
    named = {"sessionUpdate": "terminal_update", "terminalId": f"t{number}", "command": f"make {number}"}
    return [named, *chunks, updates.terminal_end(f"t{number}")]


def _compaction(number: int) -> Updates:
    told = {"sessionUpdate": "compaction_update", "compactionId": f"e{number}"}
    return [{**told, "status": "completed", "summary": [_text(number)]}]


def subagent(number: int) -> Updates:
    """Not one entity but two, and a session."""
    state = {"sessionUpdate": "state_update", "state": "idle"}
    told = {"sessionUpdate": "subagent_update", "sessionId": f"e{number}", "state": state}
    return [{**told, "title": f"Look {number}", "description": _words(number)}]


KINDS: dict[str, Callable[[int], Updates]] = {
    "message": _message,
    "thought": _thought,
    "message of 60 chunks": _streamed,
    "read": _read,
    "edit": _edit,
    "terminal of 10 chunks": _terminal,
    "compaction": _compaction,
}


def run() -> Iterator[Row]:
    """One row for each kind, then the big ones."""
    for kind, make in KINDS.items():
        yield Row(f"{kind}, beside its text", beside_text(make) / 1000, "kB", goal=GOAL)
    yield Row("subagent with its session, beside its text", beside_text(subagent) / 1000, "kB")
    yield Row(
        f"{TERMINALS} terminals of 1 MB, running", terminals(over=False) / MB, "MB", goal=TERMINALS_GOAL
    )
    yield Row(f"{TERMINALS} terminals of 1 MB, over", terminals(over=True) / MB, "MB", goal=1.0)
    yield Row("20 pictures of 1 MB", pictures() / MB, "MB", goal=1.0)


def beside_text(make: Callable[[int], Updates], count: int = COUNT) -> float:
    """Bytes of one entity and its view, without its text; the mean of so many."""
    client, column = _column()
    for number in range(-count // 10, 0):  # what is made once for all
        _tell(client, make(number))
    column.sync()
    lines = [updates.line(update) for number in range(count) for update in make(number)]

    def work() -> None:
        for line in lines:
            client.receive(read(line), 1.0)
        client.store.flush()
        column.sync()

    said = sum(_length(update) for number in range(count) for update in make(number))
    return (_grown(work) - said) / count


def _length(value: Any, name: str = "") -> int:
    """Characters of texts and paths in an update; of base64 what it stands for."""
    if isinstance(value, str):
        said = name in ("text", "path", "description")
        return len(value) if said else len(value) * 3 // 4 if name == "data" else 0
    if isinstance(value, dict):
        return sum(_length(item, name) for name, item in value.items())
    return sum(map(_length, value)) if isinstance(value, list) else 0


def terminals(over: bool, count: int = TERMINALS, size: int = MB) -> float:
    """Bytes in memory of terminals that together hold `count * size`."""
    with TemporaryDirectory() as folder:
        client, column = _column(Path(folder))
        piece = "0123456789 and so on, a line of output\n" * (size // 39 // 20)

        def work() -> None:
            for number in range(count):
                _tell(client, [updates.terminal_call(f"e{number}", f"t{number}")])
                for _ in range(20):
                    _tell(client, [updates.terminal_chunk(f"t{number}", piece)])
                if over:
                    _tell(client, [updates.terminal_end(f"t{number}")])
            column.sync()

        return _grown(work)


def pictures(count: int = 20, size: int = MB) -> float:
    """Bytes in memory of pictures, half of them in messages, half in tool calls."""
    with TemporaryDirectory() as folder:
        client, column = _column(Path(folder))

        def work() -> None:
            for number in range(count):
                block = {"type": "image", "mimeType": "image/png", "data": "A" * size}
                if number % 2:
                    _tell(client, _call(number, content=[{"type": "content", "content": block}]))
                else:
                    told = {"sessionUpdate": "agent_message", "messageId": f"e{number}"}
                    _tell(client, [{**told, "content": [block]}])
            column.sync()

        return _grown(work)


def _column(folder: Path | None = None) -> tuple[Client, Column]:
    client, session = connected(Spill(folder)) if folder is not None else connected()
    column = Column(client.store, session.ref, lambda entity: make_view(entity, client.store, time.time))
    column.look = FALLBACK
    column.set_width(100)
    return client, column


def _tell(client: Client, told: Updates) -> None:
    for update in told:
        tell(client, update)
    client.store.flush()


def _grown(work: Callable[[], None]) -> float:
    """Bytes that are held after the work and were not before."""
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        work()
        gc.collect()
        return float(tracemalloc.get_traced_memory()[0] - before)
    finally:
        tracemalloc.stop()
