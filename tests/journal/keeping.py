"""Journals as acp-tui writes them, of what was said: in a trace, a vector, or line by line in a test."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from acp_tui.base import redact
from acp_tui.inspection.record import read
from acp_tui.inspection.state import describe
from acp_tui.journal.folding import Folded
from acp_tui.journal.log import Header, Journal, after
from acp_tui.journal.playing import Player
from acp_tui.journal.record import Line
from acp_tui.journal.saved import Saved, joined
from acp_tui.journal.scanning import scan
from acp_tui.protocol.jsonrpc import Malformed, Request, from_raw, to_raw

TESTS = Path(__file__).parent.parent
TRACES = sorted((TESTS / "traces").glob("*.ndjson"))
VECTORS = sorted((TESTS / "vectors").glob("*.json"))

AGENT = {
    "protocolVersion": 2,
    "info": {"name": "test agent", "version": "1"},
    "capabilities": {"session": {}},
}
INITIALIZE = [
    (">", {"id": "init", "method": "initialize", "params": {"protocolVersion": 2}}),
    ("<", {"id": "init", "result": AGENT}),
]

CAPABLE = {"loadSession": True, "sessionCapabilities": {"list": {}, "resume": {}, "close": {}}}
V1_INITIALIZE = [
    (">", {"id": "init", "method": "initialize", "params": {"protocolVersion": 1, "clientInfo": {}}}),
    ("<", {"id": "init", "result": {"protocolVersion": 1, "agentCapabilities": CAPABLE}}),
]

Said = tuple[str, dict[str, Any] | str]
"""`>`, `<` or `#`, and the message, or the reason why the connection was lost."""


def said(record: Path) -> list[Said]:
    """What a trace or vector tells, with a beginning."""
    lines, protocol = read(record)
    begun = any(isinstance(line.message, Request) and line.message.method == "initialize" for line in lines)
    beginning = V1_INITIALIZE if protocol == 1 else INITIALIZE
    return [*(() if begun else beginning), *map(_said, lines)]


def _said(line: Line) -> Said:
    if line.message is None:
        return "#", line.reason
    if isinstance(line.message, Malformed):
        return "<", line.message.raw
    return "<" if line.side == "agent" else ">", to_raw(line.message)


_begun: list[Journal] = []


def close_all() -> None:
    """Close the files of all journals that were begun here."""
    while _begun:
        _begun.pop().close(0.0)


class Program:
    """One run of acp-tui: a client that lives, and the journal of each start of its agent."""

    def __init__(self, folder: Path, pid: int = 7, at: float = 1000.0, command: str = "agent") -> None:
        self.folder = folder
        self.live = Player()
        self.at = at
        self.pid = pid
        self.command = command
        self.generation = 0
        self.journal: Journal | None = None

    def start(self, before: Path | None = None) -> None:
        """The agent is started: a new journal; of what goes on from the one `before`."""
        self.generation += 1
        facts = {"generation": self.generation, "command": (self.command,), "cwd": "/w", "version": "0"}
        order = after(before, self.at)
        self.journal = Journal(self.folder, Header(started=self.at, pid=self.pid, order=order, **facts))
        _begun.append(self.journal)

    def say(self, many: Iterable[Said]) -> None:
        """Keep each as the running program does, and let the client have it, but for secrets."""
        for direction, message in many:
            self.at += 1.0
            if direction == "#":
                self._lost(str(message))
            else:
                self._say(direction, message)

    def _lost(self, reason: str) -> None:
        assert self.journal is not None
        self.journal.note("connection_lost", self.at, reason=reason, exit_code=1)
        self.live.step(Line("agent", None, self.at, reason))

    def _say(self, direction: str, message: dict[str, Any] | str) -> None:
        assert self.journal is not None
        if isinstance(message, str):
            self.journal.append("<", [(None, message)], self.at)
            line = Line("agent", Malformed("", None, message), self.at)
        else:
            kept = message.get("beside", {})
            known = from_raw(
                redact.message({name: said for name, said in message.items() if name != "beside"})
            )
            session = self.live.client.route(known, direction == ">")
            raw = known.raw if isinstance(known, Malformed) else to_raw(known)
            self.journal.append(">" if direction == ">" else "<", [(session, raw)], self.at, kept)
            line = Line("agent" if direction == "<" else "client", known, self.at)
        self.live.step(line)

    @property
    def path(self) -> Path:
        assert self.journal is not None
        return self.journal.path


def wronged(line: bytes) -> list[bytes]:
    """The record with each of its values replaced by some of other types."""
    record = json.loads(line)
    found: list[bytes] = []

    def walk(value: Any) -> None:
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            was = value[key]
            for other in (None, 7, "x", [], {}, float("inf"), True):
                value[key] = other
                found.append(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            value[key] = was
            if isinstance(was, dict | list):
                walk(was)

    walk(record)
    return found


def run(folder: Path, many: Iterable[Said], before: Path | None = None, **facts: Any) -> Program:
    """One program, one start of the agent."""
    program = Program(folder, **facts)
    program.start(before)
    program.say(many)
    return program


def library(folder: Path) -> list[Saved]:
    """What the journals below a folder have."""
    return joined((path, scan(path)) for path in sorted(folder.rglob("*.ndjson")))


def sessions(folded: Folded | Player) -> dict[str, Any]:
    """What is known of the sessions."""
    player = folded.player if isinstance(folded, Folded) else folded
    found: dict[str, Any] = describe(player)["sessions"]
    return found


# What is said


def ask(id: Any, method: str, **params: Any) -> Said:
    return ">", {"id": id, "method": method, "params": params}


def beside(said: Said, **kept: str) -> Said:
    """And what is kept with it."""
    direction, message = said
    assert isinstance(message, dict)
    return direction, {**message, "beside": kept}


def answer(id: Any, **result: Any) -> Said:
    return "<", {"id": id, "result": result}


def refuse(id: Any, code: int, message: str) -> Said:
    return "<", {"id": id, "error": {"code": code, "message": message}}


def update(session: str, kind: str, **fields: Any) -> Said:
    params = {"sessionId": session, "update": {"sessionUpdate": kind, **fields}}
    return "<", {"method": "session/update", "params": params}


def chunk(session: str, id: str, text: str, kind: str = "agent_message_chunk") -> Said:
    return update(session, kind, messageId=id, content={"type": "text", "text": text})


def state(session: str, now: str, **more: Any) -> Said:
    return update(session, "state_update", state=now, **more)


def opened(session: str, id: Any = 1) -> list[Said]:
    return [ask(id, "session/new", cwd="/w"), answer(id, sessionId=session)]


def resumed(session: str, id: Any, *replay: Said, from_start: bool = True) -> list[Said]:
    more = {"replayFrom": {"type": "start"}} if from_start else {}
    return [
        ask(id, "session/resume", sessionId=session, cwd="/w", **more),
        *replay,
        state(session, "idle"),
        answer(id),
    ]


def turn(session: str, number: int, id: Any) -> list[Said]:
    """A prompt, what the agent says to it, and its end."""
    words = {"type": "text", "text": f"question {number}"}
    return [
        ask(id, "session/prompt", sessionId=session, prompt=[words]),
        update(session, "user_message", messageId=f"u{number}", content=[words]),
        answer(id, messageId=f"u{number}"),
        state(session, "running"),
        chunk(session, f"a{number}", f"answer {number}: "),
        chunk(session, f"a{number}", json.dumps(number) * 3),
        update(session, "tool_call_update", toolCallId=f"c{number}", title="look", status="in_progress"),
        update(session, "tool_call_update", toolCallId=f"c{number}", status="completed"),
        state(session, "idle", stopReason="end_turn"),
    ]
