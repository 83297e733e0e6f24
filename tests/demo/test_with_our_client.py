"""The demo agent and our client with each other: nothing is dropped, nothing breaks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.client.intents import Cancel
from acp_tui.demo.scenes import SCENES
from acp_tui.store.keys import Kind
from tests.agent_rules import breaches
from tests.interop.node import Launch
from tests.interop.stage import Stage, staged

pytestmark = pytest.mark.anyio

DEMO = Launch((sys.executable, "-m", "acp_tui.demo", "--speed", "0"), {})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def play(stage: Stage, words: str) -> None:
    """Play a scene, saying yes to every question, and nothing to a form."""
    before = stage.session.completions
    stage.submit(words)
    while stage.session.completions == before:
        await stage.until(lambda: stage.store.requests or stage.session.completions > before)
        for request in await stage.asked(len(stage.store.requests)):
            if request.method == "session/request_permission":
                stage.choose(request, 0)
            else:
                stage.fill(request, "decline")


async def test_every_scene(tmp_path: Path) -> None:
    async with staged(DEMO, tmp_path) as stage:
        for name in SCENES:
            if name not in {"slow", "refuse", "crash", "unknown"}:
                await play(stage, f"/{name}")
        assert (stage.session.dropped, stage.session.unknown_updates) == (0, [])
        assert stage.session.info.title is not None
        (child,) = [each for each in stage.store.sessions.values() if each.parent is not None]
        assert [key.kind for key in child.timeline][-1] is Kind.TURN

        await play(stage, "/unknown")
        assert len(stage.session.unknown_updates) == 2

        stage.submit("/slow")
        await stage.until(lambda: stage.session.state == "running")
        stage.agent.do(Cancel("s1"))
        await stage.until(lambda: not stage.session.cancelling)
        assert stage.session.stop_reason == "cancelled"

    assert {breach.rule for breach in breaches(stage.lines)} == {"mints_no_kinds"}


async def test_a_crash_leaves_the_story_readable(tmp_path: Path) -> None:
    async with staged(DEMO, tmp_path) as stage:
        await play(stage, "hello")
        stage.submit("/crash")
        await stage.until(lambda: stage.store.connection.phase == "lost")

        assert stage.store.connection.exit_code == 3
        assert any("this crash was asked for" in line for line in stage.store.connection.stderr_tail)
        assert "I have a bad feeling about" in stage.said()[-1]
