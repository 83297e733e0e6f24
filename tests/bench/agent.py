"""An agent that streams as it is told and measures its client meanwhile.

A prompt is one workload: `stream KIND WIDTH RATE COUNT TAG` sends COUNT chunks of WIDTH characters to one
message, thought, terminal or call, RATE a second (0: as fast as the client reads), then `⟦TAG⟧` in a
paragraph of its own: text that is not ASCII is drawn in one piece; `live` does the same without pauses to
measure in, `work SECONDS TAG` nothing for so long before that. `whole SIZE TAG` sends one message of SIZE
characters, `turns COUNT TAG` COUNT turns at once, as in a replay.
What happened when, and what CPU the client had used by then, goes to the file named by BENCH_LOG.
"""

from __future__ import annotations

import array
import fcntl
import json
import os
import sys
import termios
import threading
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

from tests.bench import corpus, updates
from tests.bench.processor import cpu

TENTHS = 10
SETTLE = 0.15
"""Seconds in which what was read is drawn, too: two frames of growing text."""

_numbers = count(1)
_lock = threading.Lock()


def main() -> None:
    """Serve one client until it closes our input."""
    for line in sys.stdin:
        message = json.loads(line)
        number, method = message.get("id"), message.get("method")
        if method == "initialize":
            info = {"name": "bench", "title": "Bench", "version": "1"}
            _answer(number, {"protocolVersion": 2, "info": info, "capabilities": {"session": {"prompt": {}}}})
        elif method == "session/new":
            _answer(number, {"sessionId": updates.SESSION})
        elif method == "session/prompt":
            _prompt(number, message["params"]["prompt"])
        elif number is not None:
            _answer(number, {})


def _prompt(number: Any, blocks: list[dict[str, Any]]) -> None:
    id_ = f"u{next(_numbers)}"
    _send({"sessionUpdate": "user_message", "messageId": id_, "content": blocks})
    _answer(number, {"messageId": id_})
    words = "".join(block["text"] for block in blocks).split()
    threading.Thread(target=_work, args=(words,), daemon=True).start()


def _work(words: list[str]) -> None:
    _send({"sessionUpdate": "state_update", "state": "running"})
    match words:
        case ["stream", kind, width, rate, total, tag]:
            _stream(kind, int(width), float(rate), int(total), tag, TENTHS)
        case ["live", kind, width, rate, total, tag]:
            _stream(kind, int(width), float(rate), int(total), tag)
        case ["work", seconds, tag]:
            _note("first")
            time.sleep(float(seconds))
            _note("last")
            _send(updates.message_chunk(f"end {tag}", corpus_end(tag)))
        case ["whole", size, tag]:
            _note("first")
            body = f"{corpus.markdown(int(size))}\n```\n\n⟦{tag}⟧"
            _send({"sessionUpdate": "agent_message", "messageId": tag, "content": [updates.text(body)]})
            _note("last")
        case ["turns", total, tag]:
            _note("first")
            for update in updates.turns(int(total)):
                _send(update)
            _send(updates.message_chunk(f"end {tag}", corpus_end(tag)))
            _note("last")
    _send({"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"})


def _stream(kind: str, width: int, rate: float, total: int, tag: str, parts: int = 0) -> None:
    """Send the chunks at their times; note the client's CPU after each part, once it has drawn that."""
    start = time.monotonic()
    paused = 0.0
    _note("first")
    for sent, line in enumerate(_lines(kind, width, total, tag), 1):
        if rate:
            time.sleep(max(0.0, start + paused + sent / rate - time.monotonic()))
        _write(line)
        if parts and rate and sent % (total // parts) == 0:
            paused += _drained()
            _note("tenth")
    if kind == "terminal":
        _send(updates.terminal_end(tag))
    if kind in ("terminal", "call"):
        _send(updates.tool_call(f"call {tag}", status="completed"))
    ending = corpus_end(tag)
    _write(updates.line(updates.message_chunk(tag if kind == "message" else f"end {tag}", ending)))
    _note("last")


def corpus_end(tag: str) -> str:
    """Closes a fence that may be open, and says that this was all."""
    return f"\n```\n\n⟦{tag}⟧"


def _lines(kind: str, width: int, total: int, tag: str) -> Iterator[bytes]:
    if kind == "terminal":
        _send(updates.terminal_call(f"call {tag}", tag))
        for piece in corpus.chunks(corpus.log(width * total), width):
            yield updates.line(updates.terminal_chunk(tag, piece))
    elif kind == "call":
        for number, piece in enumerate(corpus.chunks(corpus.markdown(width * total), width)):
            yield updates.line(updates.progress(f"call {tag}", number, piece))
    else:
        update = "agent_thought_chunk" if kind == "thought" else "agent_message_chunk"
        for piece in corpus.chunks(corpus.markdown(width * total), width):
            yield updates.line(updates.message_chunk(tag, piece, update))


def _drained() -> float:
    """Wait until the client has read and drawn everything; returns how long that took."""
    start = time.monotonic()
    left = array.array("i", [1])
    while left[0]:
        fcntl.ioctl(1, termios.FIONREAD, left)
        time.sleep(0.005)
    time.sleep(SETTLE)
    return time.monotonic() - start


def _note(event: str) -> None:
    fact = {"event": event, "at": time.monotonic(), "cpu": cpu(os.getppid())}
    with open(os.environ["BENCH_LOG"], "a", encoding="utf-8") as file:
        file.write(json.dumps(fact) + "\n")


def _answer(number: Any, result: Any) -> None:
    _write(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode() + b"\n")


def _send(update: dict[str, Any]) -> None:
    _write(updates.line(update))


def _write(line: bytes) -> None:
    with _lock:
        view = memoryview(line)
        while view:
            view = view[os.write(1, view) :]


if __name__ == "__main__":
    main()
