"""The gateway of the pictures: actions whose facts are set by hand, shown by the bridge's own rows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from acp_tui import __version__
from acp_tui.agent_side.runtime import END_TURN, Runtime, Stop
from acp_tui.agent_side.session import Job, Session
from acp_tui.agent_side.turn import Pace, Turn
from acp_tui.agent_side.wire import Json
from acp_tui.aip.bridge.behaviour import Bridge
from acp_tui.aip.bridge.carrying import OPTIONS
from acp_tui.aip.bridge.door import Door
from acp_tui.aip.bridge.row import Row
from acp_tui.aip.core.chunks import Verdict
from acp_tui.aip.core.lifecycle import Action, Cancel
from acp_tui.aip.core.vocabulary import Ack, ActionResult, ActionStatus, Capability, StreamChunk
from acp_tui.aip.gateway.told import ChunkHeard
from acp_tui.base.config.gateways import GatewaySettings

AT = 1_795_000_000.0
NAMES = {
    "cap:mail:send": "Send a mail",
    "cap:index:rebuild": "Rebuild the index",
    "cap:report:build": "Build a report",
    "cap:backup:run": "Back everything up",
    "cap:invoice:pay": "Pay an invoice",
}


def acked(row: Row, status: str) -> None:
    row.action.acked(Ack.model_validate({"status": status}), AT)


def read(row: Row, state: str) -> None:
    row.action.read(ActionStatus.model_validate({"state": state}), AT)


def settle(row: Row, status: str, output: object = None) -> None:
    read(row, status)
    row.action.resulted(ActionResult.model_validate({"status": status, "output": output}), AT)
    row.close()


def approved(row: Row) -> None:
    acked(row, "queued")
    row.decision = "approved"
    row.note("approval appr_7f31: you said approved")
    settle(row, "completed", {"sent": 41})


def cancelled(row: Row) -> None:
    acked(row, "queued")
    row.action.cancelling(Cancel.ASKED, AT)
    row.action.cancelling(Cancel.RECORDED, AT)
    settle(row, "cancelled")


def streaming(row: Row) -> None:
    acked(row, "streaming")
    read(row, "streaming")
    row.refresh()
    row.hear(ChunkHeard(_chunk(1, "progress", "chapter 2 of 5"), Verdict.NEW))
    row.hear(ChunkHeard(_chunk(2, "data", "# Third quarter\n"), Verdict.NEW))


def queued(row: Row) -> None:
    acked(row, "queued")
    read(row, "queued")
    row.refresh()


def uncertain(row: Row) -> None:
    row.action.lost()
    read(row, "unknown")
    row.refresh()


DOING: dict[str, Callable[[Row], None]] = {
    "cap:mail:send": approved,
    "cap:index:rebuild": cancelled,
    "cap:report:build": streaming,
    "cap:backup:run": queued,
    "cap:invoice:pay": uncertain,
}


def _chunk(sequence: int, kind: str, text: str) -> StreamChunk:
    return StreamChunk.model_validate({"sequence": sequence, "kind": kind, "data": text})


class Still(Bridge):
    """Talks to nobody."""

    def __init__(self) -> None:
        super().__init__(Door(GatewaySettings(url="https://gateway.example"), "work"), __version__)
        listed = [Capability.model_validate({"id": one, "name": name}) for one, name in NAMES.items()]
        self.door.capabilities = {one.id: one for one in listed}

    def check(self, session: Session, prompt: list[Json]) -> None:
        """All of them are right."""

    async def work(self, turn: Turn) -> Stop:
        """Show an action as it is then."""
        turn.entitle(turn.session.title or "Month end")
        name = turn.words.split()[1]
        number = turn.session.new_id("act").rpartition("_")[2]
        row = Row(turn.session, Action(f"act_{number.zfill(6)}", name), self.door.capability(name))
        row.announce()
        DOING[name](row)
        if DOING[name] is uncertain:
            description = "The answer to the submission was lost: it may have arrived or not."
            title = f"{row.title}: outcome unknown. What now?"
            subject = {"type": "tool_call", "toolCall": {"toolCallId": row.id}}
            await turn.ask(title, list(OPTIONS), description=description, subject=subject)
        elif not row.done:
            job = Job(asyncio.create_task(turn.until_cancelled()), row.id, outlives=True)
            turn.session.leave(job, lambda cancelled: None)
        return END_TURN


def serve(heard: int, said: int) -> None:
    """As an agent, for one client."""
    asyncio.run(Runtime(Still(), Pace(0), stdin=heard, stdout=said).run())
