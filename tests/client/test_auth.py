"""Logging in: once, then what waited for it, once (AU)."""

from __future__ import annotations

from acp_tui.client.effects import Notify, Restore
from acp_tui.client.intents import ListSessions, Login, Logout, OpenSession
from tests.client.talk import Talk, names, only

REQUIRED = (-32000, "Please sign in.")


def test_a_session_waits_for_the_login_and_is_asked_for_again_once() -> None:
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.say("hello")
    talk.reply("session/new", error=REQUIRED)
    session = talk.store.sessions["a"]
    assert talk.store.connection.auth_required
    assert session.phase == "opening"
    assert session.failure is not None
    assert talk.submissions() == ["queued"]
    talk.want(Login("acct"))
    assert names(talk.reply("auth/login")) == ["session/new"]
    assert not talk.store.connection.auth_required
    [back] = only(talk.reply("session/new", error=REQUIRED), Restore)
    assert back.reason == "Please sign in."
    assert session.phase == "failed"
    assert talk.sent().count("session/new") == 2


def test_a_prompt_is_kept_and_sent_again_once() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.say("hello")
    assert only(talk.reply("session/prompt", error=REQUIRED), Restore) == []
    assert talk.submissions() == ["held"]
    talk.want(Login("acct"))
    assert names(talk.reply("auth/login")) == ["session/prompt"]
    assert only(talk.reply("session/prompt", error=REQUIRED), Restore)
    assert talk.tail() == []


def test_without_a_method_there_is_nothing_to_wait_for() -> None:
    talk = Talk()
    talk.start(authMethods=[])
    talk.want(OpenSession("a", "/w"))
    talk.reply("session/new", error=REQUIRED)
    assert talk.store.sessions["a"].phase == "failed"
    assert talk.want(Login("acct")) == []
    assert talk.want(Logout()) == []


def test_only_offered_methods_of_type_agent_are_used() -> None:
    talk = Talk()
    talk.start(
        authMethods=[
            {"type": "terminal", "methodId": "tty", "name": "T"},
            {"type": "_sso", "methodId": "sso", "name": "S"},
            {"type": "agent", "methodId": "acct", "name": "A"},
        ]
    )
    for method in ("tty", "sso", "nothing"):
        assert talk.want(Login(method)) == []
    assert names(talk.want(Login("acct"))) == ["auth/login"]
    assert talk.want(Login("acct")) == []


def test_a_login_that_fails_can_be_tried_again() -> None:
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.reply("session/new", error=REQUIRED)
    talk.want(Login("acct"))
    assert only(talk.reply("auth/login", error=(-32603, "browser closed")), Notify)
    assert talk.store.connection.auth_required
    talk.want(Login("acct"))
    assert names(talk.reply("auth/login")) == ["session/new"]


def test_work_that_ends_for_want_of_a_login_asks_for_one() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.update("state_update", state="running")
    error = {"code": -32000, "message": "expired"}
    talk.update("state_update", state="idle", stopReason="error", error=error)
    assert talk.store.connection.auth_required


def test_a_logout_requires_a_login() -> None:
    talk = Talk()
    talk.start()
    talk.want(Logout())
    talk.reply("auth/logout")
    assert talk.store.connection.auth_required


def test_any_request_may_find_that_out() -> None:
    talk = Talk()
    talk.start()
    talk.want(ListSessions())
    talk.reply("session/list", error=REQUIRED)
    assert talk.store.connection.auth_required
