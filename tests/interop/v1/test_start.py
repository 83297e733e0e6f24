"""How the peer is started by who does not know it: our client, `acp-tui run`, the whole app."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui.client.intents import Cancel, LookAgain
from acp_tui.commands.headless.outcome import Status
from acp_tui.inspect import understand
from acp_tui.inspection.state import describe
from acp_tui.journal.playing import Player
from tests.clock import Clock
from tests.interop.stage import staged
from tests.interop.test_app_asking import asked
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


def test_prompts_without_a_screen(tmp_path: Path) -> None:
    """One, and another in the session of the first, which a second process of the peer loads."""
    peer = ("env", f"PEER_STATE={tmp_path / 'peer.state'}", *PEER.command)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "acp_tui", "run", "-v", *words]
        return subprocess.run(
            command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
        )

    first = run("HELLO TOOL PERM", "--", *peer)
    assert first.stdout == "Hello, *world* 漢字 👩‍💻\n\nChosen: o-reject_once\n", first.stderr
    assert first.returncode == Status.UNASKED
    *_, saved = lines = first.stderr.splitlines()
    for line in ("✓ Read a.txt", "✗ Never begun"):
        assert line in lines

    second = run("--continue", "just words")
    assert (second.stdout, second.returncode) == ("You said: just words\n", Status.DONE), second.stderr
    assert second.stderr.splitlines() == [saved]


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


async def test_the_journal_tells_the_same(tmp_path: Path) -> None:
    """What the adapter made of it while it happened is what it makes of the record."""
    async with staged(PEER, tmp_path, OldStage) as stage:
        for words in (
            "ECHO",
            "THOUGHTS TOOL NULLS DIFF",
            "PLAN USAGE INFO COMMANDS CONFIG",
            "ODD OWNBYTES FAIL",
        ):
            await stage.play(words)
        await stage.play("LATE")
        await stage.until(lambda: "After the end." in stage.said())
        await stage.play("RUN WRITE:a.txt READ:a.txt UNENDED")
        stage.submit("PERM MODE WAIT")
        (request,) = await stage.asked()
        stage.choose(request, 0)
        await stage.until(lambda: stage.said()[-1] == "Waiting.")
        stage.agent.do(Cancel(stage.ref))
        await stage.until(lambda: not stage.session.cancelling)
        await stage.enter(tmp_path)
        await stage.play("TOOL THOUGHTS")
        stage.agent.do(LookAgain(stage.ref))
        assert stage.session.replaying
        await stage.until(lambda: not stage.session.replaying)
        await stage.play("HELLO")
    live = Player()
    live.client = stage.agent.client
    (path,) = (tmp_path / "journal").rglob("*.ndjson")

    again = understand(path)

    was = describe(live)
    assert again["divergences"] == []
    assert again["sessions"] == was["sessions"]
