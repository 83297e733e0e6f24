"""A client that streams a conversation and tells what it shows, killed at any moment: `kills` drives it.

Everything is loaded once; each conversation is a fork of that, so that hundreds cost seconds. Reads `FOLDER
REPORTS MICROSECONDS` a line: a conversation begins there, and is killed with SIGKILL so long after so many
reports; writes the last whole report, a JSON object a line.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import anyio._backends._asyncio  # which anyio would load in each fork

from acp_tui.agent.front import Agent
from acp_tui.client.effects import Ask, Effect
from acp_tui.client.intents import AnswerPermission, OpenSession, Submit
from acp_tui.client.machine import Client
from acp_tui.journal.folding import fold
from acp_tui.journal.saved import joined
from acp_tui.journal.scanning import scan
from acp_tui.protocol.content import TextContent
from acp_tui.protocol.initialize import ClientCapabilities, Implementation
from acp_tui.store.entities import AgentRequest, Message, Submission, ToolCall
from acp_tui.store.store import Store

AGENT = Path(__file__).parent / "agents" / "streaming.py"
FRAME = 0.001
"""Seconds from a change to its frame: more frames than a screen has, so that more can be missed."""


def shown(store: Store) -> dict[str, str]:
    """What a screen shows: texts, and how calls and questions stand."""
    found = {}
    for session in store.sessions.values():
        for key, entity in session.entities.items():
            name = f"{key.kind} {key.id}"
            match entity:
                case Submission():
                    found[name] = "".join(getattr(block, "text", "") for block in entity.blocks)
                case Message():
                    found[name] = entity.content.text()
                case ToolCall() | AgentRequest():
                    found[name] = entity.status
    return found


class Conversation:
    """One, from its first process to its sudden end."""

    def __init__(self, folder: Path, report: int) -> None:
        self.report = report
        self.store = Store()
        info = Implementation(name="streamed", version="0")
        client = Client(self.store, info=info, capabilities=ClientCapabilities())
        command = (sys.executable, "-I", "-S", str(AGENT))
        self.agent = Agent(self.store, client, command, str(folder), {"PATH": "/usr/bin:/bin"})
        self.agent.on_effect = self.answer
        self.prompts = self.questions = 0

    def answer(self, effect: Effect) -> None:
        """Every other question."""
        if isinstance(effect, Ask):
            self.questions += 1
            if self.questions % 2:
                self.agent.do(AnswerPermission(effect.request, "yes"))

    def frame(self) -> None:
        """Tell who watches, then whoever is to compare; go on when the agent has come to an end."""
        self.store.flush()
        session = self.store.sessions["s1"]
        os.write(self.report, json.dumps(shown(self.store)).encode() + b"\n")
        if session.phase == "open" and not session.busy and not session.tail:
            self.prompts += 1
            words = TextContent(type="text", text=f"prompt {self.prompts}")
            self.agent.do(Submit("s1", (words,)))

    async def run(self) -> None:
        """Until killed."""
        changed = anyio.Event()

        def dirty() -> None:
            changed.set()

        self.store.on_dirty = dirty
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.agent.run)
            self.agent.do(OpenSession("s1", self.agent.cwd))
            while True:
                await changed.wait()
                await anyio.sleep(FRAME)
                changed = anyio.Event()
                self.frame()


def kill(folder: str, reports: int, microseconds: int) -> bytes:
    """Begin one, end it; the last that it showed."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        os.environ["ACP_TUI_STATE_DIR"] = folder
        anyio.run(Conversation(Path.cwd(), write).run)
        os._exit(1)
    os.close(write)
    said = b""
    while said.count(b"\n") < reports and (data := os.read(read, 1 << 20)):
        said += data
    end = time.monotonic() + microseconds / 1e6
    while (left := end - time.monotonic()) > 0 and select.select([read], [], [], left)[0]:
        if not (data := os.read(read, 1 << 20)):
            break
        said += data
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    while data := os.read(read, 1 << 20):
        said += data
    os.close(read)
    whole = said.rpartition(b"\n")[0]
    return whole.rpartition(b"\n")[2] or b"{}"


def warm_up() -> None:
    """What is made when it is first needed is made now, once for all."""
    with TemporaryDirectory() as folder:
        kill(folder, 20, 0)
        (path,) = Path(folder).glob("journal/*/*.ndjson")
        for saved in joined([(path, scan(path))]):
            fold(saved)
    gc.freeze()


def main() -> None:
    warm_up()
    for line in sys.stdin:
        folder, reports, microseconds = json.loads(line)
        os.write(1, kill(folder, reports, microseconds) + b"\n")


if __name__ == "__main__":
    main()
