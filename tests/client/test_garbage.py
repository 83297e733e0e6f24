"""Lines that are no protocol (TR, RP)."""

from __future__ import annotations

from acp_tui.client.effects import Notify, Send
from acp_tui.protocol.jsonrpc import read
from tests.client.talk import Talk, answers, only


def test_a_flood_is_counted_told_once_and_answered_for_a_while() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    effects = [effect for _ in range(10_000) for effect in talk.receive(read(b"\x1b[31mlog line"))]
    assert len(only(effects, Notify)) == 1
    assert 0 < len(only(effects, Send)) <= 20
    assert talk.store.connection.garbage == 10_000
    assert talk.store.connection.last_garbage == "\x1b[31mlog line"
    talk.update("agent_message", messageId="m")
    assert len(talk.store.sessions["a"].timeline) == 1
    talk.now += 120
    assert answers(talk.receive(read(b"[]"))) == {None: -32600}


def test_each_connection_is_warned_about_once() -> None:
    talk = Talk()
    talk.start()
    assert only(talk.receive(read(b"x")), Notify)
    talk.lose()
    talk.start()
    assert talk.store.connection.garbage == 0
    assert only(talk.receive(read(b"x")), Notify)


def test_a_request_with_bad_params_is_answered_by_its_id() -> None:
    talk = Talk()
    talk.start()
    assert answers(talk.receive(read(b'{"jsonrpc":"2.0","id":4,"method":"x","params":[1]}'))) == {4: -32602}


def test_answers_nobody_waits_for_change_nothing() -> None:
    talk = Talk()
    talk.start()
    assert talk.hear({"id": 99, "result": {}}) == []
    assert talk.hear({"id": "0", "result": {}}) == []
    assert talk.hear({"id": None, "error": {"code": -32700, "message": "Parse error"}}) == []


def test_unknown_notifications_are_ignored() -> None:
    talk = Talk()
    talk.start()
    assert talk.hear({"method": "_acme/tick", "params": {}}) == []
    assert talk.hear({"method": "$/progress"}) == []
    assert talk.hear({"method": "$/cancel_request", "params": {"requestId": True}}) == []


def test_an_update_for_nobody_is_counted() -> None:
    talk = Talk()
    talk.start()
    talk.hear({"method": "session/update", "params": {"update": {"sessionUpdate": "notice"}}})
    assert talk.client.dropped == 1
