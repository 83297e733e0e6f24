"""Names of commands, for people."""

from __future__ import annotations

import pytest

from acp_tui.base.spoken import spoken


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("/opt/bin/agent --acp", "agent --acp"),
        ("/usr/bin/python3.13 -m acp_tui.aip work --mode sync", "aip work --mode sync"),
        ("python -m their.agent", "their.agent"),
        ("python agent.py", "python agent.py"),
        ("python -m", "python -m"),
        ("pythonic -c x", "pythonic -c x"),
        ("", ""),
    ],
)
def test_a_module_stands_for_itself(command: str, wanted: str) -> None:
    assert " ".join(spoken(command.split())) == wanted
