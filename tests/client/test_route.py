"""Which session a message belongs to, before it is applied (DESIGN 5.1)."""

from __future__ import annotations

import pytest

from acp_tui.client.effects import Send
from acp_tui.client.intents import AnswerPermission, OpenSession
from acp_tui.protocol.jsonrpc import Incoming, Malformed, Notification, Outgoing, Request, Response
from acp_tui.store.keys import Key, Kind
from tests.client.talk import Talk


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.start()
    talk.open()
    return talk


@pytest.mark.parametrize(
    ("message", "named"),
    [
        (Notification("session/update", {"sessionId": "X", "update": {}}), "X"),
        (Request(5, "session/request_permission", {"sessionId": "kid"}), "kid"),
        (Request(5, "_acme/ping", {}), None),
        (Notification("session/update", {"sessionId": 7}), None),
        (Malformed("?", None, "?"), None),
        (Response(99, {}), None),
    ],
)
def test_what_comes_in(talk: Talk, message: Incoming, named: str | None) -> None:
    assert talk.client.route(message, False) == named


@pytest.mark.parametrize(
    ("message", "named"),
    [
        (Request(5, "session/prompt", {"sessionId": "X", "prompt": []}), "X"),
        (Notification("session/cancel", {"sessionId": "X"}), "X"),
        (Request(5, "session/new", {"cwd": "/"}), None),
        (Request(5, "session/list", {}), None),
    ],
)
def test_what_goes_out(talk: Talk, message: Outgoing, named: str | None) -> None:
    assert talk.client.route(message, True) == named


def test_answers_belong_where_the_request_did(talk: Talk) -> None:
    talk.say("hello")
    prompt = talk.requests("session/prompt")[0]
    assert talk.client.route(Response(prompt.id, {"messageId": "u"}), False) == "A"
    assert talk.client.route(Notification("$/cancel_request", {"requestId": prompt.id}), True) == "A"
    assert talk.client.route(Notification("$/cancel_request", {"requestId": 5}), False) is None
    talk.ask(5)
    assert talk.client.route(Notification("$/cancel_request", {"requestId": 5}), False) == "A"
    [send] = talk.want(AnswerPermission(Key("a", Kind.REQUEST, "1:5"), "y"))
    assert isinstance(send, Send)
    assert send.ref == "a"
    assert talk.client.route(send.message, True) == "A"


def test_a_new_session_is_named_by_its_answer(talk: Talk) -> None:
    talk.want(OpenSession("b", "/w"))
    new = talk.requests("session/new")[-1]
    assert talk.client.route(Response(new.id, {"sessionId": "B"}), False) == "B"
    assert talk.client.route(Response(new.id, {"sessionId": 7}), False) is None
    assert "b" in talk.store.sessions
    assert talk.store.sessions["b"].session_id is None


def test_a_form_for_a_request_belongs_to_its_session(talk: Talk) -> None:
    talk.say("hello")
    prompt = talk.requests("session/prompt")[0]
    form = Request(1, "elicitation/create", {"requestId": prompt.id, "mode": "form", "message": "?"})
    assert talk.client.route(form, False) == "A"
