"""One demo agent for many tests: each has a session of its own, and all of it has to keep the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.agent_rules import breaches
from tests.raw_client import INITIALIZE, RawClient, choosing
from tests.trace import Json

DEMO = (sys.executable, "-m", "acp_tui.demo", "--speed", "0")
CWD = "/work/parser"


@pytest.fixture
def fresh() -> Iterator[RawClient]:
    """A demo agent of this test's own, not initialized."""
    with RawClient(DEMO) as client:
        yield client


@pytest.fixture(scope="module")
def shared() -> Iterator[RawClient]:
    """A demo agent that the tests of a module share; at the end it must have kept the rules."""
    with RawClient(DEMO) as client:
        assert "result" in client.call("initialize", INITIALIZE)
        yield client
        assert client.close() == 0
        assert client.stderr == ""
        assert breaches(client.trace) == []


@pytest.fixture
def demo(shared: RawClient) -> Iterator[RawClient]:
    """The shared agent, answering permissions with the first option."""
    shared.answerer = choosing()
    yield shared


@pytest.fixture
def session(demo: RawClient) -> str:
    """A new session."""
    made: Json = demo.call("session/new", {"cwd": CWD})["result"]
    return str(made["sessionId"])
