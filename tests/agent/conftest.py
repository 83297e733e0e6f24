"""Real agents, real processes: what the tests of this folder share."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from acp_tui.agent.front import Agent
from acp_tui.agent.process import Child, NotStarted, adopt
from acp_tui.agent.spawn import spawn
from acp_tui.base import processes
from acp_tui.client.effects import Effect
from acp_tui.client.intents import OpenSession, Submit
from acp_tui.client.machine import Client
from acp_tui.protocol.content import TextContent
from acp_tui.protocol.initialize import ClientCapabilities, Implementation
from acp_tui.protocol.jsonrpc import LIMIT
from acp_tui.store.session import Session
from acp_tui.store.store import Store

SCRIPTED = str(Path(__file__).parent / "agents" / "scripted.py")
PATIENCE = 20.0
"""Seconds after which waiting has failed; nothing here takes long on a machine that does something."""

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def start(command: tuple[str, ...], cwd: Path, env: Mapping[str, str]) -> Child | NotStarted:
    """A process and who looks after it."""
    return adopt(spawn(command, str(cwd), env), command, str(cwd), env)


class Bench:
    """One agent with a session, and words to wait for what it does."""

    def __init__(self, folder: Path, command: tuple[str, ...], limit: int = LIMIT) -> None:
        self.store = Store()
        info = Implementation(name="tests", version="0")
        client = Client(self.store, info=info, capabilities=ClientCapabilities(), protocol_versions=(2, 1))
        self.pids = folder / "pids"
        env = {"PATH": "/usr/bin:/bin", "PIDS": str(self.pids), "SECRET_WORD": "swordfish"}
        self.agent = Agent(self.store, client, command, str(folder), env, limit=limit)
        self.effects: list[Effect] = []
        self.agent.on_effect = self.effects.append
        self.changed = anyio.Event()
        self.store.on_dirty = self._dirty

    def _dirty(self) -> None:
        self.changed.set()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for a change of the store after which `condition` holds."""
        with anyio.fail_after(PATIENCE):
            while not condition():
                self.changed = anyio.Event()
                self.store.flush()
                await self.changed.wait()

    @property
    def phase(self) -> str:
        return self.store.connection.phase

    @property
    def session(self) -> Session:
        return self.store.sessions["s1"]

    def text(self) -> str:
        """Everything in the timeline, joined."""
        entities = (self.session.entities[key] for key in self.session.timeline)
        return "\n".join(e.content.text() for e in entities if hasattr(e, "content"))

    async def ready(self) -> None:
        """Wait for an open session."""
        self.agent.do(OpenSession("s1", self.agent.cwd))
        await self.until(lambda: self.session.phase == "open" or self.phase in ("failed", "lost"))

    async def prompt(self, text: str, until: str = "") -> None:
        """Send a prompt; wait until the answer holds `until`, where given."""
        self.agent.do(Submit("s1", (TextContent(type="text", text=text),)))
        if until:
            await self.until(lambda: until in self.text())

    def children(self) -> list[int]:
        """The stubborn processes that the agent started and that still live."""
        pids = [int(line) for line in self.pids.read_text().split()]
        return [pid for pid in pids if (p := processes.find(pid)) is not None and not p.zombie]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty state folder."""
    monkeypatch.setenv("ACP_TUI_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


@asynccontextmanager
async def running(folder: Path, command: tuple[str, ...], limit: int = LIMIT) -> AsyncIterator[Bench]:
    """An agent that runs while the block does, and is stopped after it."""
    bench = Bench(folder, command, limit)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bench.agent.run)
        try:
            yield bench
        finally:
            with anyio.CancelScope(shield=True):
                await bench.agent.stop()


def scripted(*modes: str) -> tuple[str, ...]:
    """The command of the scripted agent."""
    return (sys.executable, SCRIPTED, *modes)
