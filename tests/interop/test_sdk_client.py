"""The demo agent, seen by the client of the official TypeScript SDK."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui.demo.scenes import SCENES
from tests.interop.node import FOLDER, NODE

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reference_packages")]

NOT_PLAYED = {"slow", "refuse", "crash"}
"""Scenes that need more than a prompt; the tests of the demo have them."""


def test_every_scene_is_valid_to_the_official_sdk(tmp_path: Path) -> None:
    agent = json.dumps([sys.executable, "-m", "acp_tui.demo", "--speed", "0"])
    prompts = [f"/{name}" for name in SCENES if name not in NOT_PLAYED]

    done = subprocess.run(
        [NODE, FOLDER / "sdk_client.mjs", agent, "hello", *prompts],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
    )

    assert (done.returncode, done.stderr) == (0, "")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["kind"] for line in said].count("prompt") == len(prompts) + 1
    assert [line["kind"] for line in said].count("permission") == 4  # the tour, two at once, the hostile one
    assert [line["kind"] for line in said].count("closed") == 1
