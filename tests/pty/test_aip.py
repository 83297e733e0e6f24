"""A gateway in a terminal: call, see the three facts, cancel, leave."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


@pytest.fixture
def url() -> Iterator[str]:
    """A trial gateway on a port that was free."""
    trial = [sys.executable, "-m", "acp_tui.aip.trial", "--port", "0", "--step", "0.05"]
    with subprocess.Popen(trial, stdout=subprocess.PIPE, text=True) as gateway:
        try:
            assert gateway.stdout is not None
            yield gateway.stdout.readline().split()[-1]
        finally:
            gateway.kill()


def test_an_action_from_its_call_to_its_cancel(start: Start, url: str) -> None:
    terminal = start("aip", url)
    terminal.until("○ ready")
    terminal.type("/call wai")
    terminal.until("❯ cap:trial:wait  Work until it is cancelled")
    terminal.press("enter")
    terminal.until("❯ /call cap:trial:wait")
    terminal.until_gone("Work until it is cancelled")
    terminal.press("enter")
    terminal.until("state running, ack queued")
    terminal.until("1 in background")
    terminal.press("tab")
    terminal.until("Enter open")
    terminal.press("enter")
    terminal.until("settled: no")
    for fact in ("acknowledged: queued", "state: running, read"):
        assert fact in terminal.text()
    terminal.press("tab")
    terminal.until("Enter send")
    terminal.type("/cancel ")
    terminal.until("state running · Work until")
    terminal.press("enter")
    terminal.until("cancel recorded, result cancelled")
    terminal.until_gone("in background")
    terminal.quit()
