"""The gateway to try out, as a person starts it: one process, and our client."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import httpx
import pytest

from acp_tui.aip.core.lifecycle import Cancel, Presence
from acp_tui.aip.core.words import Decision, Mode
from acp_tui.aip.gateway.front import Gateway
from acp_tui.aip.gateway.told import ChunkHeard, End, Told
from acp_tui.aip.trial.alone import Alone
from acp_tui.aip.trial.server import Server
from acp_tui.base.config.gateways import GatewaySettings
from tests.aip.fake import PATIENCE, TOKEN

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def tried() -> AsyncIterator[tuple[Gateway, Alone]]:
    alone = Alone(TOKEN, step=0.0)
    async with Server(alone) as server:
        settings = GatewaySettings(
            url=server.url,
            token_env="GATEWAY_TOKEN",
            approvals=True,
            poll_seconds=0.01,
            profiles=("aip.native.http.v1",),
        )
        with anyio.fail_after(PATIENCE):
            async with Gateway(settings) as gateway:
                yield gateway, alone
        await alone.stop()


async def fallen(alone: Alone, id: str, state: str) -> None:
    """Wait until an action is in that state."""
    while alone.book.works[id].state != state:
        await alone.news.wait()


@pytest.mark.parametrize(
    ("capability", "input", "status"),
    [
        ("echo", {"text": "hi"}, "completed"),
        ("count", {"to": 3}, "completed"),
        ("fail", {}, "failed"),
        ("none", {}, "failed"),
    ],
)
async def test_what_it_can_do(capability: str, input: object, status: str) -> None:
    heard: list[Told] = []
    async with tried() as (gateway, _):
        action = await gateway.submit(f"cap:trial:{capability}", input, mode=Mode.STREAMING)
        ended = await gateway.follow(action.id, heard.append)
        assert ended.end is End.SETTLED
        assert action.settled is not None and action.settled.status == status
    if capability == "count":
        kinds = [one.chunk.kind.value for one in heard if isinstance(one, ChunkHeard)]  # type: ignore[union-attr]
        assert kinds == ["thought", *["progress", "data"] * 3, "done"]


async def test_a_report_waits_for_an_approval() -> None:
    async with tried() as (gateway, alone):
        action = await gateway.submit("cap:trial:report", {"title": "T"})
        await fallen(alone, action.id, "pending_approval")
        (waiting,) = await gateway.approvals()
        await gateway.decide(waiting, Decision.APPROVED)
        assert (await gateway.follow(action.id, lambda told: None)).end is End.SETTLED
        assert action.settled is not None and action.settled.output == {"sent": True}


async def test_work_without_an_end_is_cancelled() -> None:
    async with tried() as (gateway, _):
        action = await gateway.submit("cap:trial:wait", {})
        await gateway.cancel(action.id)
        assert (await gateway.follow(action.id, lambda told: None)).end is End.SETTLED
        assert action.cancel is not None and action.cancel.fact is Cancel.RECORDED


async def test_two_lose_their_answers() -> None:
    async with tried() as (gateway, _):
        assert (await gateway.submit("cap:trial:lose", {"text": "x"})).presence is Presence.KNOWN
        assert (await gateway.submit("cap:trial:vanish", {})).presence is Presence.UNCERTAIN
        assert {one.id for one in await gateway.capabilities()} >= {"cap:trial:lose", "cap:trial:vanish"}


async def test_a_session_of_it_is_opened_resumed_and_closed() -> None:
    async with tried() as (gateway, _):
        session = (await gateway.open_session()).id
        action = await gateway.submit("cap:trial:echo", {"text": "x"}, session_id=session)
        await gateway.follow(action.id, lambda told: None)
        _, events = await gateway.resume_session(session)
        assert {one.action_id for one in events} == {action.id}
        closed = await gateway.close_session(session)
        assert closed is not None and closed.state == "cancelled"


async def test_the_program_says_where_it_is_and_ends_when_told() -> None:
    command = [sys.executable, "-m", "acp_tui.aip.trial", "--port", "0"]
    with anyio.fail_after(PATIENCE * 2):
        async with await anyio.open_process(command) as process:
            try:
                assert process.stdout is not None
                said = (await process.stdout.receive()).decode()
                (url, again) = re.findall(r"http://[\d.:]+", said)
                assert url == again
                async with Gateway(GatewaySettings(url=url)) as gateway:
                    assert (await gateway.health()).version == "trial"
                process.send_signal(signal.SIGTERM)
                assert await process.wait() == 0
            finally:
                if process.returncode is None:
                    process.kill()


async def test_a_stream_is_kept_alive_while_only_others_have_news(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acp_tui.aip.trial.gateway.KEEP_ALIVE", 0.02)
    async with tried() as (gateway, alone), anyio.create_task_group() as group:
        action = await gateway.submit("cap:trial:wait", {})
        address = f"{gateway.settings.url}/aip/v1/actions/{action.id}/events?follow=true"

        async def others() -> None:
            while True:
                alone.book.changed()
                await anyio.lowlevel.checkpoint()

        group.start_soon(others)
        known = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(headers=known) as client, client.stream("GET", address) as response:
            assert ": keep-alive" in [line async for line in _until(response.aiter_lines(), ": keep")]
        group.cancel_scope.cancel()


async def _until(lines: AsyncIterator[str], wanted: str) -> AsyncIterator[str]:
    async for line in lines:
        yield line
        if line.startswith(wanted):
            return
