"""What is asked, answered and sent may be huge, too: it is on the shelf alone, and told whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.base.spill import Spill
from acp_tui.client.effects import Send
from acp_tui.client.intents import Submit
from acp_tui.client.machine import Client
from acp_tui.protocol.content import TextContent
from acp_tui.protocol.errors import Error
from acp_tui.protocol.jsonrpc import Request, Response
from acp_tui.store.entities import AgentRequest, Submission
from acp_tui.store.holding import BIG
from acp_tui.store.session import Session
from tests.bench import updates
from tests.bench.connection import connected
from tests.store.reach import oversized

HUGE = "huge " * (BIG // 4)
OPTION = {"optionId": "o", "name": "Allow", "kind": "allow_once"}


@pytest.fixture
def talk(tmp_path: Path) -> tuple[Client, Session]:
    return connected(Spill(tmp_path))


@pytest.mark.parametrize(
    "params",
    [
        {"title": HUGE, "options": [OPTION]},
        {"title": "may I", "options": [{**OPTION, "name": HUGE}]},
        {"title": "may I", "options": [OPTION], "_meta": {"why": HUGE}},
        {"title": "may I", "options": [OPTION], "subject": {"type": "command", "command": HUGE, "cwd": "/"}},
        {"title": "may I", "options": [OPTION], "subject": {"type": "_x", "data": [HUGE]}},
    ],
)
def test_a_request(talk: tuple[Client, Session], params: dict[str, Any]) -> None:
    client, _ = talk
    asked = {"sessionId": updates.SESSION, **params}
    client.receive(Request(7, "session/request_permission", asked), 1.0)
    [request] = client.store.waiting()
    assert isinstance(request, AgentRequest)
    assert oversized(client.store) == []
    assert request.params.title == params["title"]
    assert request.params.options[0].name == params["options"][0]["name"]
    assert HUGE in repr(request.params)


def test_a_request_by_a_huge_name_is_answered_by_it(talk: tuple[Client, Session]) -> None:
    client, _ = talk
    asked = {"sessionId": updates.SESSION, "title": "may I", "options": [OPTION]}
    for end in "ab":
        client.receive(Request(HUGE + end, "session/request_permission", asked), 1.0)
    first, second = client.store.waiting()
    assert oversized(client.store) == []
    assert (first.request_id, second.request_id) == (HUGE + "a", HUGE + "b")


def test_a_prompt_and_why_it_was_refused(talk: tuple[Client, Session]) -> None:
    client, session = talk
    blocks = (TextContent(text=HUGE),)
    [sent] = client.intent(Submit(session.ref, blocks), 1.0)
    assert isinstance(sent, Send) and isinstance(sent.message, Request)
    [key] = session.tail
    one = session.entities[key]
    assert isinstance(one, Submission)
    assert oversized(client.store) == []
    assert one.blocks == blocks and one.text == HUGE
    client.receive(Response(sent.message.id, error=Error(code=-32602, message=HUGE, data=HUGE)), 2.0)
    assert oversized(client.store) == []
    assert one.error is not None and (one.error.message, one.error.data) == (HUGE, HUGE)
    assert client.store.connection.told[-1].description == HUGE
