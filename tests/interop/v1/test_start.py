"""How the peer is started by who does not know it: our client, `acp-tui run`, the whole app."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui.commands.headless.outcome import Status
from tests.interop.stage import staged
from tests.interop.test_app_asking import asked
from tests.interop.test_app_words import Clock
from tests.interop.v1.stage import PEER, OldStage
from tests.ui.driving import driving

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


class Unknowing(OldStage):
    """Nothing was learnt of the agent before."""

    preferred = 2


async def test_an_agent_that_nobody_knows_is_asked_twice(tmp_path: Path) -> None:
    async with staged(PEER, tmp_path, Unknowing) as stage:
        await stage.play("HELLO")

    assert stage.store.connection.protocol == 1
    asked = [m["params"]["protocolVersion"] for d, m in stage.lines if m.get("method") == "initialize"]
    assert asked == [2, 1]
    assert stage.said() == ["Hello, *world* 漢字 👩‍💻"]


def test_a_prompt_without_a_screen(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "acp_tui", "run", "HELLO TOOL PERM", "-v", "--", *PEER.command]
    done = subprocess.run(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )

    assert done.stdout == "Hello, *world* 漢字 👩‍💻\n\nChosen: o-reject_once\n", done.stderr
    assert done.returncode == Status.UNASKED
    for line in ("✓ Read a.txt", "✗ Never begun", "there is nobody to ask: Delete a.txt"):
        assert line in done.stderr


async def test_the_whole_app(tmp_path: Path) -> None:
    """What is said, a diff, a plan, a question answered by its key, the mode, and the end of it all."""
    clock = Clock()
    async with driving(PEER.command, cwd=str(tmp_path), size=(120, 60), clock=clock) as driven:
        await driven.ready()
        await asked(driven, clock, "HELLO DIFF PLAN PERM MODE", "Delete a.txt")
        await driven.press("2")
        await driven.until(lambda: driven.session.completions == 1)

        await driven.until("Chosen: o-allow_always")
        for text in (
            "The v1 peer",
            "Small · Code",
            "Hello, world 漢字",
            "Edit three files",
            "+2 −2",
            "plan 1/3 · Do",
        ):
            await driven.until(text)
        assert driven.store.connection.protocol == 1
