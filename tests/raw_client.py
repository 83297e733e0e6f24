"""A client that knows nothing: it speaks lines with an agent process and keeps the trace of both sides.

For tests of agents. It never sleeps: `until` reads on until something is there, and gives up after a limit.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.trace import Json, Line

LIMIT = 60.0
"""Seconds to wait for a line of the agent; only a broken agent needs them."""

Answerer = Callable[[Json], Json | None]
"""Makes the answer (`{"result": …}` or `{"error": …}`) to a request of the agent, or leaves it unanswered."""

INITIALIZE: Json = {
    "protocolVersion": 2,
    "info": {"name": "raw-client", "version": "1"},
    "capabilities": {"elicitation": {"form": {}, "url": {}}},
}


def choosing(option: int = 0) -> Answerer:
    """Answers every permission request with the option at an index, everything else with -32601."""

    def answer(request: Json) -> Json:
        if request["method"] != "session/request_permission":
            return {"error": {"code": -32601, "message": "Method not found"}}
        chosen = request["params"]["options"][option]["optionId"]
        return {"result": {"outcome": {"outcome": "selected", "optionId": chosen}}}

    return answer


class RawClient:
    """An agent process and the conversation with it; a context manager that leaves no process behind."""

    def __init__(
        self, argv: Sequence[str], *, env: dict[str, str] | None = None, cwd: Path | None = None
    ) -> None:
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            cwd=cwd,
        )
        self.trace: list[Line] = []
        self.answerer: Answerer = choosing()
        self._ids = 0
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._stderr = b""
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._read_stderr)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> RawClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    # ------------------------------------------------------------ speaking

    def send(self, message: Any) -> None:
        """Send one message as it is."""
        self.trace.append((">", message))
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def send_together(self, *messages: Json) -> None:
        """Send several messages in one write."""
        self.trace.extend((">", message) for message in messages)
        self.send_bytes(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes that need not be a message."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def ask(self, method: str, params: Json) -> int:
        """Send a request; its id."""
        self._ids += 1
        self.send({"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params})
        return self._ids

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def call(self, method: str, params: Json) -> Json:
        """Send a request and wait for its answer: the whole response."""
        return self.response(self.ask(method, params))

    def start(self, cwd: str = "/work/parser") -> str:
        """Initialize and make a session; its id."""
        assert "result" in self.call("initialize", INITIALIZE)
        return self.new(cwd)

    def new(self, cwd: str = "/work/parser") -> str:
        """Make one more session; its id."""
        return str(self.call("session/new", {"cwd": cwd})["result"]["sessionId"])

    def prompt(self, session: str, words: str, **more: Any) -> int:
        """Send a prompt; its id."""
        text = [{"type": "text", "text": words}]
        return self.ask("session/prompt", {"sessionId": session, "prompt": text, **more})

    def play(self, session: str, words: str) -> list[Json]:
        """Send a prompt and wait until the session is idle; the updates since."""
        start = len(self.trace)
        self.response(self.prompt(session, words))
        self.until_idle(session, since=start)
        return self.updates(session, since=start)

    def close(self) -> int:
        """Close the agent's stdin, read what it still has to say, and return its exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        while self._next() is not None:
            pass
        return self.process.wait(LIMIT)

    @property
    def stderr(self) -> str:
        """What the agent wrote to stderr, once it has ended."""
        self._threads[1].join(LIMIT)
        return self._stderr.decode(errors="replace")

    # ----------------------------------------------------------- listening

    def response(self, request: int) -> Json:
        """The answer to a request of ours."""
        return self.until(lambda m: "method" not in m and m.get("id") == request)

    def until_idle(self, session: str, *, since: int = 0) -> Json:
        """The idle update that ends the work of a session."""
        return self.until(lambda m: _update(m, session).get("state") == "idle", since=since)

    def until_update(self, session: str, *, since: int = 0, **fields: Any) -> Json:
        """The first update with these fields."""
        wanted = fields.items()
        found = self.until(lambda m: wanted <= _flat(_update(m, session)).items(), since=since)
        return dict(found["params"]["update"])

    def until(self, wanted: Callable[[Json], bool], *, since: int = 0) -> Json:
        """The first message of the agent that is wanted, read already or still to come."""
        for direction, message in self.trace[since:]:
            if direction == "<" and isinstance(message, dict) and wanted(message):
                return message
        while (message := self._next()) is not None:
            if isinstance(message, dict) and wanted(message):
                return message
        raise AssertionError(f"the agent ended without it: {self.trace[-3:]} {self.stderr[-2000:]}")

    def updates(self, session: str, *, since: int = 0) -> list[Json]:
        """All updates of a session so far."""
        found = (_update(m, session) for d, m in self.trace[since:] if d == "<" and isinstance(m, dict))
        return [update for update in found if update]

    def _next(self) -> Any:
        """The next message (`str`: a line that was no JSON), None at the end; requests get their answer."""
        line = self._lines.get(timeout=LIMIT)
        if not line:
            return None
        try:
            message = json.loads(line)
        except ValueError:
            message = line.decode(errors="replace").rstrip("\n")
        self.trace.append(("<", message))
        if isinstance(message, dict) and "method" in message and "id" in message:
            answer = self.answerer(message)
            if answer is not None:
                self.send({"jsonrpc": "2.0", "id": message["id"], **answer})
        return message

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        self._stderr = self.process.stderr.read()


def words_of(updates: list[Json], kind: str = "agent_message_chunk") -> str:
    """The text of all chunks of a kind."""
    return "".join(u["content"].get("text", "") for u in updates if u["sessionUpdate"] == kind)


def _update(message: Json, session: str) -> Json:
    params = message.get("params")
    if message.get("method") != "session/update" or not isinstance(params, dict):
        return {}
    return dict(params["update"]) if params.get("sessionId") == session else {}


def _flat(update: Json) -> Json:
    return {key: value for key, value in update.items() if isinstance(value, str | int | None)}
