"""The bridge in this process, a fake gateway before it, and a client behind it that knows nothing.

Everything is one event loop: no process is started, nothing sleeps, every wait has a limit. What was said is
held against the rules for agents when the stage goes down.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from acp_tui.aip.__main__ import serve
from acp_tui.aip.asked import Asked
from acp_tui.aip.core.vocabulary import Json
from tests.agent_rules import breaches
from tests.aip.conftest import settings
from tests.aip.fake import PATIENCE, FakeGateway
from tests.raw_client import INITIALIZE
from tests.trace import Line

CWD = "/work/parser"
ECHO: Json = {
    "id": "cap:echo",
    "name": "Echo",
    "input_schema": {
        "type": "object",
        "properties": {"text": {"type": "string"}, "times": {"type": "integer"}, "tags": {"type": "object"}},
        "required": ["text"],
    },
    "contract": {"idempotency": {"requirement": "optional"}, "execution": {"supports_cancel": True}},
}


class Client:
    """One connection of a client with the bridge."""

    def __init__(self, fake: FakeGateway, reader: asyncio.StreamReader, stdin: int) -> None:
        self.fake = fake
        self.trace: list[Line] = []
        self.session = ""
        self.answers: list[Json | None] = []
        """For the next questions; None leaves one open. Without any, nothing is chosen."""
        self.asked: list[Json] = []
        self._reader = reader
        self._stdin = stdin
        self._ids = 0

    # speaking

    def ask(self, method: str, params: Json) -> int:
        """Send a request; its id."""
        self._ids += 1
        self._send({"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params})
        return self._ids

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification about the session."""
        self._send({"jsonrpc": "2.0", "method": method, "params": {"sessionId": self.session, **params}})

    async def call(self, method: str, **params: Any) -> Json:
        """Send a request and wait for its answer, the whole of it."""
        return await self.answer(self.ask(method, params))

    async def answer(self, id: int) -> Json:
        """The answer to a request."""
        return await self.until(lambda m: "method" not in m and m.get("id") == id)

    async def open(self) -> None:
        """Initialize and make a session."""
        assert "result" in await self.call("initialize", **INITIALIZE)
        made = await self.call("session/new", cwd=CWD)
        assert "result" in made, made
        self.session = made["result"]["sessionId"]

    def prompt(self, words: str, *blocks: Json) -> int:
        """Send a prompt; its id."""
        prompt = [{"type": "text", "text": words}, *blocks]
        return self.ask("session/prompt", {"sessionId": self.session, "prompt": prompt})

    async def play(self, words: str, *blocks: Json) -> str:
        """Send a prompt and wait for the end of its turn; what the agent said in it."""
        start = len(self.trace)
        answer = await self.answer(self.prompt(words, *blocks))
        assert "result" in answer, answer
        await self.idle(start)
        chunks = (u for u in self.updates(start) if u["sessionUpdate"] == "agent_message_chunk")
        return "".join(u["content"]["text"] for u in chunks)

    async def refused(self, words: str, *blocks: Json) -> Json:
        """Send a prompt that is refused; the error."""
        answer = await self.answer(self.prompt(words, *blocks))
        return dict(answer["error"])

    # listening

    async def idle(self, start: int = 0) -> Json:
        """The end of a turn."""
        return await self.update(lambda u: u.get("state") == "idle" and "stopReason" in u, start)

    async def update(self, wanted: Callable[[Json], bool], start: int = 0) -> Json:
        """The first update that is wanted."""
        message = await self.until(lambda m: _update(m) is not None and wanted(_update(m) or {}), start)
        return _update(message) or {}

    async def status(self, status: str, start: int = 0, **more: Any) -> Json:
        """Wait until a tool call has this status; the call as it is then."""
        fields = {"status": status, **more}
        await self.update(lambda u: fields.items() <= _plain(u).items(), start)
        return self.tool()

    async def until(self, wanted: Callable[[Json], bool], start: int = 0) -> Json:
        """The first message that is wanted, read already or still to come."""
        for direction, message in self.trace[start:]:
            if direction == "<" and wanted(message):
                return dict(message)
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self._next()
                if wanted(message):
                    return message

    def updates(self, start: int = 0) -> list[Json]:
        """All updates so far."""
        return [u for d, m in self.trace[start:] if d == "<" and (u := _update(m)) is not None]

    def tool(self, call_id: str = "") -> Json:
        """A tool call as a client has it by now; the newest when none is named."""
        calls = [u for u in self.updates() if u["sessionUpdate"].startswith("tool_call")]
        wanted = call_id or [u["toolCallId"] for u in calls if "name" in u][-1]
        made: Json = {"content": []}
        for update in (u for u in calls if u["toolCallId"] == wanted):
            if update["sessionUpdate"] == "tool_call_content_chunk":
                made["content"] = [*made["content"], update["content"]]
            else:
                made.update(update)
        return made

    @property
    def act(self) -> str:
        """The newest action."""
        return str(self.tool()["toolCallId"])

    async def _next(self) -> Json:
        line = await self._reader.readline()
        assert line, f"the bridge has ended: {self.trace[-3:]}"
        message: Json = json.loads(line)
        self.trace.append(("<", message))
        if "method" in message and "id" in message:
            self.asked.append(message)
            answer = self.answers.pop(0) if self.answers else {"outcome": {"outcome": "cancelled"}}
            if answer is not None:
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": answer})
        return message

    def _send(self, message: Json) -> None:
        self.trace.append((">", message))
        os.write(self._stdin, json.dumps(message).encode() + b"\n")

    async def rest(self) -> None:
        """Read what is left, to the end."""
        async with asyncio.timeout(PATIENCE):
            while line := await self._reader.readline():
                self.trace.append(("<", json.loads(line)))


def chosen(option: str) -> Json:
    """The answer to a permission request."""
    return {"outcome": {"outcome": "selected", "optionId": option}}


def said(tool: Json) -> str:
    """All text of a tool call."""
    blocks = (item["content"] for item in tool["content"] if item["type"] == "content")
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")


def words(tool: Json) -> str:
    """What its line says."""
    return str(tool["_meta"]["acp-tui/status"]["words"])


@asynccontextmanager
async def bridged(
    fake: FakeGateway, *, rules: bool = True, complete: bool = True, **more: Any
) -> AsyncIterator[Client]:
    """A bridge to the gateway, and a client that is not initialized yet."""
    given = {"poll_seconds": 0.02, **more}
    (heard, stdin), (stdout, said_) = os.pipe(), os.pipe()
    served = asyncio.create_task(serve(Asked("work", settings(fake, **given)), stdin=heard, stdout=said_))
    reader = asyncio.StreamReader(limit=1 << 26)
    loop = asyncio.get_running_loop()
    out = os.fdopen(stdout, "rb")
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), out)
    client = Client(fake, reader, stdin)
    try:
        yield client
    finally:
        os.close(stdin)
        try:
            async with asyncio.timeout(PATIENCE):
                await served
        finally:
            served.cancel()
            os.close(said_)
            os.close(heard)
            await client.rest()
            transport.close()
    if rules:
        assert breaches(client.trace, complete=complete) == []


@asynccontextmanager
async def opened(fake: FakeGateway, **more: Any) -> AsyncIterator[Client]:
    """The same with a session."""
    fake.book.capabilities = [ECHO]
    async with bridged(fake, **more) as client:
        await client.open()
        yield client


def _update(message: Json) -> Json | None:
    if message.get("method") != "session/update":
        return None
    update = message["params"]["update"]
    return dict(update)


def _plain(update: Json) -> Json:
    return {k: v for k, v in update.items() if isinstance(v, str | int | None)}
