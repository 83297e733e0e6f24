"""Our client with the peer: one process for a module, each scene in a session and a folder of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from acp_tui.client.jobs import EVERY_SERVICE
from acp_tui.client.machine import Client
from acp_tui.protocol.initialize import Implementation
from acp_tui.store.entities import Entity, Message, ToolCall
from acp_tui.store.keys import Kind
from tests.interop import client_rules
from tests.interop.node import Launch
from tests.interop.stage import CAPABILITIES, Stage
from tests.schema_check import stable, v1
from tests.trace import Line

ROOT = Path(__file__).parents[3]
PEER = Launch((sys.executable, "-m", "tests.interop.v1.peer"), {"PYTHONPATH": str(ROOT)})


class OldStage(Stage):
    """It speaks both versions, and does for the agent what a v1 agent may ask for."""

    preferred = 1

    def _client(self, info: Implementation) -> Client:
        client = Client(
            self.store,
            info=info,
            capabilities=CAPABILITIES,
            protocol_versions=(1, 2),
            serves=EVERY_SERVICE,
        )
        client.prefer(self.preferred)
        return client

    async def enter(self, folder: Path) -> None:
        """A new session in this folder."""
        self.cwd = str(folder)
        self.effects.clear()
        await self.open()

    def breaches(self) -> list[str]:
        """What our client did wrong, on each connection by the rules of what it began it with."""
        return [problem for lines in _connections(self.lines) for problem in _breaches(lines)]

    def answer(self) -> Any:
        """What the peer said last, if that is JSON."""
        return json.loads(self.said()[-1])

    def shape(self, ref: str = "") -> list[tuple[str, str]]:
        """The timeline of a session in short: kinds, with titles or texts; where turns end is left out."""
        session = self.store.sessions[ref or self.ref]
        keys = (key for key in session.timeline if key.kind is not Kind.TURN)
        return [(key.kind.value, _short(session.entities[key])) for key in keys]


def _short(entity: Entity) -> str:
    match entity:
        case Message():
            return entity.content.text()
        case ToolCall():
            return str(entity.title)
        case _:
            return ""


def _connections(lines: Iterable[Line]) -> list[list[Line]]:
    found: list[list[Line]] = []
    for line in lines:
        if line[0] == ">" and line[1].get("method") == "initialize":
            found.append([])
        found[-1].append(line)
    return found


def _breaches(lines: list[Line]) -> list[str]:
    version = lines[0][1]["params"]["protocolVersion"]
    return client_rules.breaches(lines, v1() if version == 1 else stable())
