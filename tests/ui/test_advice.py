"""The words for an agent that did not come up; the machine is not asked."""

from __future__ import annotations

import pytest

from acp_tui.store.connection import Connection
from acp_tui.ui.advice import advice, headline

FETCHED = ("/usr/bin/npx", "-y", "some-agent")


@pytest.mark.parametrize(
    ("command", "exit_code", "signal", "expected"),
    [
        (FETCHED, 1, None, "npx ran and ended with status 1"),
        (FETCHED, 0, None, "npx ran and ended with status 0"),
        (FETCHED, -9, "SIGKILL", "npx ran and was killed by SIGKILL"),
        (FETCHED, None, None, "npx could not be started"),
        (("some-agent",), 1, None, "some-agent could not be started"),
    ],
)
def test_what_fetches_agents_and_ran_is_not_said_not_to_have_started(
    command: tuple[str, ...], exit_code: int | None, signal: str | None, expected: str
) -> None:
    assert headline(Connection(command=command, exit_code=exit_code, signal=signal)) == expected


def test_what_fetches_agents_and_is_missing_is_named_with_where_it_comes_from() -> None:
    missing = " ".join(advice(Connection(command=("uvx", "some-agent"), phase="failed")))
    assert "uvx, which comes with uv (https://docs.astral.sh/uv)" in missing
    assert "network" not in missing
    ran = " ".join(advice(Connection(command=("uvx", "some-agent"), phase="failed", pid=7, exit_code=1)))
    assert "network" in ran and "comes with" not in ran
