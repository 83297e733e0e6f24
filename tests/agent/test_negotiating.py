"""An agent that speaks the other version is started once more, unseen, and known next time (IN-05, IN-07)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.agent.acquainting import Acquainting
from acp_tui.client.effects import Agreed, Notify
from acp_tui.services.acquaintances import remembered
from tests.agent.conftest import running

pytestmark = pytest.mark.anyio
ELDER = str(Path(__file__).parent / "agents" / "elder.py")


def asked(folder: Path) -> list[str]:
    """The versions that were asked for, a start each."""
    return (folder / "pids").read_text().split()


@pytest.mark.parametrize("mode", ["answers", "echoes", "refuses", "dies"])
async def test_it_is_started_once_more_and_nobody_notices(mode: str, tmp_path: Path, state: Path) -> None:
    command = (sys.executable, ELDER, mode)
    async with running(tmp_path, command) as bench:
        await bench.ready()
        assert (bench.phase, bench.session.phase) == ("ready", "open")
        await bench.prompt("hello", "you said: hello")
        await bench.until(lambda: bench.session.state == "idle")
        assert not [effect for effect in bench.effects if isinstance(effect, Notify)]
        assert asked(tmp_path) == ["2", "1"]
    known = remembered(command)
    assert known is not None and (known.protocol, known.name) == (1, "elder")
    async with running(tmp_path, command) as bench:
        await bench.ready()
        assert asked(tmp_path) == ["2", "1", "1"]


async def test_one_that_dies_in_either_is_gone_after_two_starts(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, (sys.executable, "-c", "import sys; sys.exit('no key')")) as bench:
        await bench.ready()
        assert bench.phase == "failed"
        assert bench.store.connection.generation == 2
        assert bench.store.connection.stderr_tail == ["no key"]


async def test_one_that_cannot_be_started_is_tried_once(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, (str(tmp_path / "none"),)) as bench:
        await bench.ready()
        assert (bench.phase, bench.store.connection.generation) == ("failed", 1)


def test_an_agent_that_has_grown_is_asked_for_more_next_time(tmp_path: Path, state: Path) -> None:
    def start(*, version: str) -> int | None:
        """One start of it; the version that was asked for, None: the newest."""
        acquainting = Acquainting(("agent",))
        first = acquainting.look()
        acquainting.learn(Agreed(1, "agent", version), at=1.0)
        return first

    assert [start(version=version) for version in ("1", "1", "2", "2", "2")] == [None, 1, 1, None, 1]
