"""From a line of JSON to the store, beside `json.loads` of the same line."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from acp_tui.protocol.jsonrpc import Reader
from tests.bench import updates
from tests.bench.connection import connected
from tests.bench.rows import Row

HOT = frozenset({"agent_message_chunk", "agent_thought_chunk", "user_message_chunk", "terminal_output_chunk"})
"""Come with every word of the agent."""
GOAL = 4.0
ROUNDS = 15


def run() -> Iterator[Row]:
    """Microseconds for one update of each kind."""
    for kind, many in updates.each_kind().items():
        lines = [updates.line(update) for update in many]
        ours, parsed = _least((partial(_apply, lines), partial(_parse, lines)))
        goal = GOAL if kind in HOT else None
        yield Row(kind, ours / len(lines) * 1e6, "µs", parsed / len(lines) * 1e6, goal)


def _least(works: Sequence[Callable[[], float]]) -> list[float]:
    """The least CPU time of each, taken in turns: the machine may be busy."""
    gc.disable()
    try:
        rounds = [[work() for work in works] for _ in range(ROUNDS)]
    finally:
        gc.enable()
    return [min(times) for times in zip(*rounds, strict=True)]


def _apply(lines: list[bytes]) -> float:
    client, session = connected()
    reader = Reader()
    start = time.process_time()
    for line in lines:
        for message in reader.feed(line):
            client.receive(message, 1.0)
    spent = time.process_time() - start
    assert not session.dropped and (
        session.timeline or session.entities or session.usage or session.state_since
    )
    return spent


def _parse(lines: list[bytes]) -> float:
    start = time.process_time()
    for line in lines:
        json.loads(line)
    return time.process_time() - start
