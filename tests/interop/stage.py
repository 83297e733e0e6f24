"""Our client, whole but for the screen, with a real agent; every line between them is kept and checked.

Nothing sleeps: `until` waits for changes of the store.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio

from acp_tui.agent.front import Agent
from acp_tui.client.effects import Effect
from acp_tui.client.intents import AnswerElicitation, AnswerPermission, OpenSession, Submit
from acp_tui.client.machine import Client
from acp_tui.protocol.content import TextContent
from acp_tui.protocol.initialize import (
    ClientCapabilities,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    ElicitationUrlCapabilities,
    Implementation,
)
from acp_tui.store.entities import AgentRequest, Entity, Message, Submission, ToolCall
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from tests.interop import client_rules
from tests.interop.node import NODE, Launch
from tests.trace import Line, load

T = TypeVar("T", bound=Entity)

TEE = str(Path(__file__).parent / "tee.py")
PATIENCE = 40.0
"""Seconds after which waiting has failed."""

CAPABILITIES = ClientCapabilities(
    elicitation=ElicitationCapabilities(form=ElicitationFormCapabilities(), url=ElicitationUrlCapabilities())
)


class Stage:
    """One agent with one session."""

    def __init__(self, launch: Launch, folder: Path) -> None:
        self.store = Store()
        client = self._client(Implementation(name="tests", version="0"))
        self.wire = folder / "wire.ndjson"
        command = (sys.executable, TEE, str(self.wire), *launch.argv)
        env = {"PATH": f"{NODE.parent}:/usr/bin:/bin", **launch.env}
        self.cwd = str(folder)
        self.ref = "s1"
        self.agent = Agent(self.store, client, command, self.cwd, env, folder / "journal")
        self.effects: list[Effect] = []
        self.agent.on_effect = self.effects.append
        self._changed = anyio.Event()
        self.store.on_dirty = lambda: self._changed.set()

    def _client(self, info: Implementation) -> Client:
        return Client(self.store, info=info, capabilities=CAPABILITIES)

    @property
    def session(self) -> Session:
        """The session that the stage opened last."""
        return self.store.sessions[self.ref]

    @property
    def lines(self) -> list[Line]:
        """What has gone over the wire."""
        return load(self.wire)

    def breaches(self) -> list[str]:
        """What our client did wrong."""
        return client_rules.breaches(self.lines)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until this is true."""
        with anyio.fail_after(PATIENCE):
            while not condition():
                self._changed = anyio.Event()
                self.store.flush()
                await self._changed.wait()

    async def open(self) -> None:
        """Open the session."""
        self.ref = self.store.new_ref()
        self.agent.do(OpenSession(self.ref, self.cwd))
        await self.until(lambda: self.session.phase == "open")

    def submit(self, words: str, *, now: bool = False) -> Submission:
        """Send a prompt, or queue it; what became of it."""
        self.agent.do(Submit(self.ref, (TextContent(type="text", text=words),), now))
        return self.of(Kind.SUBMISSION, Submission)[-1]

    async def play(self, words: str) -> None:
        """Send a prompt and wait for the end of its work."""
        before = self.session.completions
        self.submit(words)
        await self.until(lambda: self.session.completions > before)

    async def asked(self, count: int = 1) -> list[AgentRequest]:
        """Wait until so many questions wait, and give them, oldest first."""
        await self.until(lambda: len(self.store.requests) == count)
        found = [self.store.entity(key) for key in self.store.requests]
        return [each for each in found if isinstance(each, AgentRequest)]

    def choose(self, request: AgentRequest, option: int | None) -> None:
        """Choose an option of a permission by its place, or none."""
        chosen = None if option is None else request.params.options[option].option_id
        self.agent.do(AnswerPermission(request.key, chosen))

    def fill(self, request: AgentRequest, action: str, content: dict[str, Any] | None = None) -> None:
        """Answer an elicitation."""
        self.agent.do(AnswerElicitation(request.key, action, content))

    def of(self, kind: Kind, type_: type[T]) -> list[T]:
        """The entities of a kind, in the order in which they came."""
        return [e for key, e in self.session.entities.items() if key.kind is kind and isinstance(e, type_)]

    def said(self, kind: Kind = Kind.AGENT_MESSAGE) -> list[str]:
        """The texts of the messages of a kind, in the order of the timeline."""
        keys = [key for key in self.session.timeline if key.kind is kind]
        messages = [self.session.entities[key] for key in keys]
        return [message.content.text() for message in messages if isinstance(message, Message)]

    def calls(self) -> list[ToolCall]:
        """The tool calls, in order."""
        return self.of(Kind.TOOL_CALL, ToolCall)

    def entity(self, kind: Kind, id_: str) -> Entity:
        """One entity of the session."""
        return self.session.entities[Key(self.ref, kind, id_)]


@asynccontextmanager
async def staged(launch: Launch, folder: Path, made: type[Stage] = Stage) -> AsyncIterator[Stage]:
    """A stage with an open session; afterwards everything our client sent must have been right."""
    stage = made(launch, folder)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stage.agent.run)
        try:
            await stage.open()
            yield stage
        finally:
            with anyio.CancelScope(shield=True):
                await stage.agent.stop()
    assert stage.breaches() == []
