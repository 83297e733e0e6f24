"""Makes journals as acp-tui would have kept them: one long session, or a library of many.

    python tests/bench/library_maker.py FOLDER --updates 100000
    python tests/bench/library_maker.py FOLDER --sessions 10000 --bytes 5e9

FOLDER is a journal folder (`$ACP_TUI_STATE_DIR/journal`). The same arguments make the same files. Session
number n says `needle-n` once; about every twentieth is resumed in a second journal, some are cut off.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.corpus import WORDS, log, markdown

BEGUN = 1_790_000_000.0
"""Seconds since the epoch when the newest session began."""
VARIANTS = 40
NUMBER = "@N@"
"""Stands in a template for the number of the turn."""
AGENTS = (("codex-acp", "@agentclientprotocol/codex-acp"), ("claude-acp", "claude"), ("gemini", "gemini-cli"))

Body = tuple[str, bytes]
"""`<` or `>`, and the message with `SESSION` and `NUMBER` in it."""
SESSION = "@S@"


class Kept(NamedTuple):
    """A journal that was made."""

    path: Path
    session_id: str
    updates: int
    size: int


class Writer:
    """Writes one journal."""

    def __init__(self, folder: Path, number: int, at: float, agent: int, cwd: str, part: int = 1) -> None:
        self.command, self.agent = AGENTS[agent]
        begun = time.gmtime(at)
        name = f"{time.strftime('%Y%m%dT%H%M%SZ', begun)}-{1000 + number}-{part}.ndjson"
        self.path = folder / time.strftime("%Y-%m", begun) / name
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.file = self.path.open("wb", buffering=1 << 20)
        self.session_id, self.at, self.seq, self.size, self.cwd = f"s-{number}", at, 0, 0, cwd
        facts = {
            "generation": part,
            "command": [self.command],
            "cwd": cwd,
            "started": at,
            "pid": 1000 + number,
        }
        self._write(_dump({"acp-tui-journal": 1, **facts, "version": "0.1.0", "first": 0}) + b"\n")

    def say(self, direction: str, message: dict[str, Any], *, session: bool = True) -> None:
        """One message."""
        self.body(direction, _dump({"jsonrpc": "2.0", **message}), session=session)

    def body(self, direction: str, message: bytes, *, session: bool = True) -> None:
        """One message, already encoded."""
        self.at += 0.05
        who = f'"{self.session_id}"' if session else "null"
        head = f'{{"seq":{self.seq},"t":{self.at:.3f},"dir":"{direction}","session":{who},"msg":'
        self.seq += 1
        self._write(head.encode() + message + b"}\n")

    def note(self, event: str, **facts: Any) -> None:
        record = {"seq": self.seq, "t": self.at, "dir": "#", "session": None, "event": event, **facts}
        self._write(_dump(record) + b"\n")

    def _write(self, line: bytes) -> None:
        self.file.write(line)
        self.size += len(line)

    def open(self, *, resume: bool = False) -> None:
        """`initialize` and the session."""
        self.say(">", {"id": 0, "method": "initialize", "params": {"protocolVersion": 2}}, session=False)
        can = {"session": {"delete": {}, "prompt": {"image": {}}}}
        info = {"name": self.agent, "title": self.agent.title(), "version": "1.0"}
        result = {"protocolVersion": 2, "info": info, "capabilities": can}
        self.say("<", {"id": 0, "result": result}, session=False)
        asked: dict[str, Any] = {"cwd": self.cwd}
        if resume:
            asked["sessionId"] = self.session_id
            self.say(">", {"id": 1, "method": "session/resume", "params": asked})
            self.say("<", _update(self.session_id, {"sessionUpdate": "state_update", "state": "idle"}))
            self.say("<", {"id": 1, "result": {}})
        else:
            self.say(">", {"id": 1, "method": "session/new", "params": asked}, session=False)
            self.say("<", {"id": 1, "result": {"sessionId": self.session_id}})

    def turns(self, count: int, first: int = 0) -> int:
        """So many turns; how many updates these were."""
        updates, session_id = 0, self.session_id.encode()
        for number in range(first, first + count):
            written = str(number + 2).encode()
            for direction, body in TURNS[number % VARIANTS]:
                filled = body.replace(SESSION.encode(), session_id).replace(NUMBER.encode(), written)
                self.body(direction, filled)
                updates += direction == "<"
            self.at += 20
        return updates

    def end(self, how: str = "closed") -> None:
        """`closed` in order, `lost` by its agent, or `cut` in the middle of a turn by our death."""
        if how == "cut":
            for direction, body in TURNS[0][:6]:
                self.body(direction, body.replace(SESSION.encode(), self.session_id.encode()))
        elif how == "closed":
            params = {"sessionId": self.session_id}
            self.say(">", {"id": 999_999, "method": "session/close", "params": params})
            self.say("<", {"id": 999_999, "result": {}})
        if how != "cut":
            self.note("connection_lost", reason="The agent was stopped.", exit_code=0)
        self.file.close()


def session(folder: Path, updates: int, number: int = 0) -> Kept:
    """One session of so many updates."""
    writer = Writer(folder, number, BEGUN, 0, "/home/me/project")
    writer.open()
    told, turn = 0, 0
    while told < updates:
        told += writer.turns(1, turn)
        turn += 1
    writer.end()
    return Kept(writer.path, writer.session_id, told, writer.size)


def library(folder: Path, sessions: int, size: int) -> int:
    """So many sessions with so many bytes in all, most of them short; how many bytes there are now."""
    rng = random.Random(11)
    weights = [rng.paretovariate(1.2) for _ in range(sessions)]
    share, whole = size / sum(weights), 0
    for number, weight in enumerate(weights):
        at = BEGUN - 2000.0 * number
        cwd = f"/home/me/projects/{WORDS[number % len(WORDS)]}-{number % 60}"
        writer = Writer(folder, number, at, number % len(AGENTS), cwd)
        writer.open()
        title = {"sessionUpdate": "session_info_update", "title": _title(rng)}
        writer.say("<", _update(writer.session_id, title))
        needle = {"sessionUpdate": "agent_message", "messageId": "n", "content": [_text(f"needle-{number}")]}
        writer.say("<", _update(writer.session_id, needle))
        turn = _fill(writer, weight * share, 0)
        writer.end("cut" if number % 97 == 5 else "lost" if number % 20 == 7 else "closed")
        whole += writer.size
        if number % 20 == 7:
            again = Writer(folder, number, at + 1000, number % len(AGENTS), cwd, part=2)
            again.open(resume=True)
            again.turns(1, turn)
            again.end()
            whole += again.size
    return whole


def _fill(writer: Writer, size: float, turn: int) -> int:
    while writer.size < size or not turn:
        writer.turns(1, turn)
        turn += 1
    return turn


def _turn(rng: random.Random, source: str, printed: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A question, thoughts, two looks at files, a change, sometimes a command, the answer."""
    n = NUMBER
    words = source[(start := rng.randrange(len(source) - 3000)) : start + 120]
    prompt = {"sessionId": SESSION, "prompt": [_text(words)]}
    yield ">", {"id": "@ID@", "method": "session/prompt", "params": prompt}
    yield "<", _update(SESSION, _message("user_message", f"u{n}", content=[_text(words)]))
    yield "<", {"id": "@ID@", "result": {"messageId": f"u{n}"}}
    yield "<", _update(SESSION, {"sessionUpdate": "state_update", "state": "running"})
    yield from _chunks("agent_thought_chunk", f"t{n}", source[start : start + 200], 30)
    for step in range(2):
        yield from _call(f"c{n}-{step}", source[start : start + rng.choice((300, 900, 2500))])
    if rng.random() < 0.3:
        yield from _command(f"x{n}", printed[: rng.choice((800, 4000))])
    yield from _chunks("agent_message_chunk", f"a{n}", source[start : start + rng.choice((300, 700))], 30)
    cost = {"amount": 0.01, "currency": "USD"}
    usage = {"sessionUpdate": "usage_update", "used": 1000, "size": 200_000, "cost": cost}
    yield "<", _update(SESSION, usage)
    idle = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"}
    yield "<", _update(SESSION, idle)


def _chunks(kind: str, id: str, text: str, width: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for at in range(0, len(text), width):
        yield "<", _update(SESSION, _message(kind, id, content=_text(text[at : at + width])))


def _call(id: str, words: str) -> Iterator[tuple[str, dict[str, Any]]]:
    first = {"title": f"Read {id}.py", "kind": "read", "status": "pending", "rawInput": {"path": f"{id}.py"}}
    rest = [
        {"status": "in_progress", "locations": [{"path": f"/src/{id}.py", "line": 7}]},
        {"status": "completed", "content": [{"type": "content", "content": _text(words)}]},
    ]
    for fields in (first, *rest):
        yield "<", _update(SESSION, {"sessionUpdate": "tool_call_update", "toolCallId": id, **fields})


def _command(id: str, printed: str) -> Iterator[tuple[str, dict[str, Any]]]:
    shown = [{"type": "terminal", "terminalId": id}]
    fields = {"title": "make test", "kind": "execute", "status": "in_progress", "content": shown}
    yield "<", _update(SESSION, {"sessionUpdate": "tool_call_update", "toolCallId": id, **fields})
    for at in range(0, len(printed), 400):
        data = base64.b64encode(printed[at : at + 400].encode()).decode()
        yield (
            "<",
            _update(SESSION, {"sessionUpdate": "terminal_output_chunk", "terminalId": id, "data": data}),
        )
    exited = {"sessionUpdate": "terminal_update", "terminalId": id, "exitStatus": {"exitCode": 0}}
    yield "<", _update(SESSION, exited)
    done = {"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed"}
    yield "<", _update(SESSION, done)


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def _message(kind: str, id: str, **fields: Any) -> dict[str, Any]:
    return {"sessionUpdate": kind, "messageId": id, **fields}


def _update(session_id: str, update: dict[str, Any]) -> dict[str, Any]:
    return {"method": "session/update", "params": {"sessionId": session_id, "update": update}}


def _title(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(5)).capitalize()


def _dump(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def _turns() -> list[list[Body]]:
    rng, source, printed = random.Random(13), markdown(80_000, seed=9), log(5000)
    return [
        [
            (direction, _dump({"jsonrpc": "2.0", **message}).replace(b'"@ID@"', NUMBER.encode()))
            for direction, message in _turn(rng, source, printed)
        ]
        for _ in range(VARIANTS)
    ]


TURNS: Sequence[list[Body]] = _turns()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--updates", type=int)
    options.add_argument("--sessions", type=int)
    options.add_argument("--bytes", type=float, default=5e9)
    chosen = options.parse_args()
    if chosen.updates:
        print(session(chosen.folder, chosen.updates))
    if chosen.sessions:
        print(f"{library(chosen.folder, chosen.sessions, int(chosen.bytes)):,} bytes")


if __name__ == "__main__":
    main()
