"""Agreeing on a version (IN), and saying clearly why not."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.client.effects import Close, Restart
from acp_tui.client.intents import OpenSession
from acp_tui.client.machine import Client
from acp_tui.protocol.initialize import ClientCapabilities, Implementation
from acp_tui.protocol.jsonrpc import Request, Response
from acp_tui.store.store import Store
from tests.client.talk import AGENT, Talk, answers, only


def test_initialize_is_first_and_asks_for_version_2() -> None:
    talk = Talk()
    talk.client.start(0.0)
    talk = Talk(elicitation=False)
    [send] = talk.client.start(1.0)
    message = send.message  # type: ignore[union-attr]
    assert isinstance(message, Request)
    assert message.method == "initialize"
    assert message.params == {
        "protocolVersion": 2,
        "info": {"name": "acp-tui", "version": "0"},
        "capabilities": {},
    }
    assert talk.store.connection.phase == "initializing"
    assert talk.store.connection.generation == 1


def test_nothing_else_leaves_before_the_answer() -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    talk.want(OpenSession("a", "/w"))
    assert talk.sent() == ["initialize"]
    assert talk.store.sessions["a"].phase == "opening"
    talk.reply("initialize", AGENT)
    assert talk.sent() == ["initialize", "session/new"]
    assert talk.store.connection.phase == "ready"
    assert talk.store.connection.agent_name == "paper"


@pytest.mark.parametrize(
    ("answer", "outcome", "words"),
    [
        ({"protocolVersion": 1, "agentInfo": {"name": "old"}}, "fallback_v1", "old speaks ACP v1;"),
        ({"protocolVersion": 1}, "fallback_v1", "The agent speaks ACP v1; this version of acp-tui needs v2."),
        ({"protocolVersion": 2, "agentCapabilities": {}}, "fallback_v1", "speaks ACP v1"),
        ({"protocolVersion": 2}, "fallback_v1", "speaks ACP v1"),
        ({"protocolVersion": 2, "capabilities": {}}, "close", "info"),
        ({"protocolVersion": 3, "info": {}}, "close", "version 3; acp-tui speaks v2"),
        ({"protocolVersion": 0}, "close", "version 0"),
        ({"protocolVersion": "2025-01"}, "close", "version '2025-01'"),
        ({"protocolVersion": True}, "close", "version True"),
        ({}, "close", "version none"),
        (7, "close", "version none"),
    ],
)
def test_what_cannot_be_used_is_closed_with_a_sentence(answer: Any, outcome: str, words: str) -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    [closed] = only(talk.reply("initialize", answer), Close)
    assert talk.client.outcome == outcome
    assert talk.store.connection.phase == "failed"
    assert words in talk.store.connection.failure
    assert closed.reason == talk.store.connection.failure


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"requested": 2, "supported": [3, 4]}, "; it speaks v3, v4."),
        (7, "v2."),
        ({"supported": ["x"]}, "v2."),
    ],
)
def test_refused_version_names_the_versions_there_are(data: Any, words: str) -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    request = talk.requests("initialize")[0]
    talk.hear({"id": request.id, "error": {"code": -32022, "message": "no", "data": data}})
    assert talk.client.outcome == "close"
    assert talk.store.connection.failure.endswith(words)


def test_another_error_is_shown() -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    talk.reply("initialize", error=(-32602, "what is this?"))
    assert talk.client.outcome == "error"
    assert "what is this? (-32602)" in talk.store.connection.failure


def test_with_v1_spoken_the_agent_is_started_anew() -> None:
    store = Store()
    client = Client(
        store,
        info=Implementation(name="acp-tui", version="0"),
        capabilities=ClientCapabilities(),
        protocol_versions=(1, 2),
    )
    client.start(0.0)
    effects = client.receive(Response(0, {"protocolVersion": 1}), 1.0)
    assert only(effects, Restart) != []
    assert only(effects, Close) == []


def test_the_agent_is_refused_and_ignored_until_it_has_answered() -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    assert answers(talk.ask(5)) == {5: -32600}
    talk.update("notice", severity="info", title="early")
    talk.reply("initialize", AGENT)
    assert talk.store.requests == []
    assert talk.client.dropped == 0


def test_a_session_that_waits_fails_with_the_connection() -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    talk.want(OpenSession("a", "/w"))
    talk.lose("The agent ended with exit status 1.")
    assert talk.store.connection.phase == "failed"
    assert talk.store.connection.failure == "The agent ended with exit status 1."
    assert talk.store.sessions["a"].phase == "failed"


def test_a_failure_keeps_its_reason_when_the_process_ends() -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    talk.reply("initialize", {"protocolVersion": 1})
    talk.lose("The agent ended.")
    assert "ACP v1" in talk.store.connection.failure
    assert talk.store.connection.phase == "failed"


def test_an_agent_without_sessions_opens_none() -> None:
    talk = Talk()
    talk.start(capabilities={})
    talk.want(OpenSession("a", "/w"))
    assert talk.sent() == ["initialize"]
    failure = talk.store.sessions["a"].failure
    assert failure is not None
    assert failure.message == "The agent offers no sessions."
