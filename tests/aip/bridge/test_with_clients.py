"""The bridge as a process of its own: by our client, by the client of the official SDK, by hand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from acp_tui.aip.trial.alone import Alone
from acp_tui.aip.trial.server import Server
from acp_tui.store.entities import ToolCall
from acp_tui.store.keys import Kind
from tests.agent_rules import breaches
from tests.interop.node import FOLDER, NODE, Launch, install
from tests.interop.stage import Stage, staged

pytestmark = pytest.mark.anyio
BRIDGE = (sys.executable, "-m", "acp_tui.aip")


@pytest.fixture
async def url(anyio_backend: str) -> AsyncIterator[str]:
    """A trial gateway that works without a pause."""
    gateway = Alone(step=0.0)
    async with Server(gateway) as server:
        yield server.url
        await gateway.stop()


def call(stage: Stage, title: str) -> ToolCall:
    """The tool call of a capability."""
    (found,) = [one for one in stage.calls() if one.title == title]
    return found


async def over(stage: Stage, title: str) -> None:
    """Wait until it is completed."""
    await stage.until(lambda: (title, "completed") in [(one.title, one.status) for one in stage.calls()])


async def test_our_client_sees_what_the_gateway_does(url: str, state: Path, tmp_path: Path) -> None:
    launch = Launch((*BRIDGE, url, "--approvals"), {"ACP_TUI_STATE_DIR": str(state)})
    async with staged(launch, tmp_path) as stage:
        await stage.play('/call cap:trial:echo {"text": "hi"}')
        await over(stage, "Say it again")
        assert (call(stage, "Say it again").meta or {})["acp-tui/aip"]["state"]["state"] == "completed"

        stage.submit("/cap:trial:count")
        (form,) = await stage.asked()
        stage.fill(form, "accept", {"to": 3})
        await over(stage, "Count, one chunk each")
        assert any("I count to 3." in text for text in stage.said(Kind.AGENT_THOUGHT))

        await stage.play('/cap:trial:report {"title": "Q3"}')
        (question,) = await stage.asked()
        stage.choose(question, 0)
        await over(stage, "Write a report, once approved")

        stage.submit("/cap:trial:vanish {}")
        (question,) = await stage.asked()
        stage.choose(question, 2)
        await stage.until(lambda: stage.session.state == "idle")
        lost = call(stage, "Be lost on the way")
        assert (lost.status, lost.running) == ("paused", True)
        assert (lost.meta or {})["acp-tui/status"]["words"] == "outcome unknown"
        assert (stage.session.dropped, stage.session.unknown_updates) == (0, [])
    assert breaches(stage.lines, complete=False) == []


@pytest.mark.slow
async def test_the_official_client_takes_every_message(url: str, tmp_path: Path) -> None:
    await anyio.to_thread.run_sync(install)
    agent = json.dumps([*BRIDGE, url, "--mode", "streaming", "--approvals"])
    capabilities = ("echo", "count", "report", "fail", "lose", "vanish")
    prompts = ["hello", "/help", *(f'/call cap:trial:{name} {{"text": "x"}}' for name in capabilities)]
    prompts += ["/actions", "/status", "/result", "/events", "/approvals", "/capabilities", "/gateway"]
    with anyio.fail_after(100):
        done = await anyio.run_process(
            [str(NODE), str(FOLDER / "sdk_client.mjs"), agent, *prompts],
            cwd=tmp_path,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [line["kind"] for line in said]
    assert (kinds.count("prompt"), kinds.count("permission"), kinds.count("closed")) == (len(prompts), 2, 1)
    ends = {
        update["toolCallId"]: update["status"]
        for line in said
        if line["kind"] == "update" and "status" in (update := line["value"]["update"])
    }
    assert sorted(ends.values()) == ["completed", "completed", "completed", "completed", "failed", "paused"]


@pytest.mark.slow
async def test_without_a_screen_an_action_is_left_or_waited_for(
    url: str, state: Path, tmp_path: Path
) -> None:
    cwd = str(tmp_path)
    env = {**os.environ, "ACP_TUI_STATE_DIR": str(state), "ACP_TUI_CONFIG": str(tmp_path / "none")}

    def words(name: str, *options: str, prompt: str = "") -> list[str]:
        run = [
            sys.executable,
            "-m",
            "acp_tui",
            "run",
            *options,
            prompt or f"/call cap:trial:{name} {{}}",
            "--",
            *BRIDGE,
        ]
        return [*run, url]

    with anyio.fail_after(60):
        left = await anyio.run_process(words("wait"), stdin=subprocess.DEVNULL, cwd=cwd, env=env, check=False)
        assert (left.returncode, b"settled: no" in left.stdout) == (0, True)
        assert (
            b"not over, beside the work: Work until it is cancelled (--wait waits for its end" in left.stderr
        )
        failed = await anyio.run_process(words("fail", "--wait"), cwd=cwd, env=env, check=False)
        assert (failed.returncode, failed.stderr) == (7, b"acp-tui: failed: Fail\n")
        assert b"trial.failed: this capability always fails" in failed.stdout
        hidden = words("", "--wait", prompt="/follow act_00000000")
        unseen = await anyio.run_process(hidden, stdin=subprocess.DEVNULL, cwd=cwd, env=env, check=False)
        assert unseen.returncode == 7, unseen.stderr
        assert b"cannot be waited for: act_00000000: not visible to this identity" in unseen.stderr
        async with await anyio.open_process(words("wait", "--wait", "--json"), cwd=cwd, env=env) as waiting:
            assert waiting.stdout is not None
            told = b""
            async for some in waiting.stdout:
                ended = b'"idle"' in told
                told += some
                if b'"idle"' in told and not ended:
                    waiting.send_signal(signal.SIGINT)
            assert (await waiting.wait(), b"cancel recorded" in told) == (130, True)


@pytest.mark.parametrize(
    ("words", "status", "wanted"),
    [
        (["--help"], 0, "observed and not\nspecified"),
        (["nobody"], 2, "no [aip.nobody]"),
        (["http://gateway.example", "--token-env", "X"], 2, "only over https://"),
    ],
)
def test_the_words_of_the_command_line(words: list[str], status: int, wanted: str) -> None:
    done = subprocess.run([*BRIDGE, *words], capture_output=True, text=True, timeout=30)
    assert (done.returncode, wanted in done.stdout + done.stderr) == (status, True)
