"""Logging in: once, then what waited for it, once (AU)."""

from __future__ import annotations

import pytest

from acp_tui.client.effects import Notify, Restart, Restore, RunLogin
from acp_tui.client.intents import (
    CancelLogin,
    Leave,
    ListSessions,
    Login,
    LoginEnded,
    Logout,
    OpenSession,
    ResumeSession,
    SetConfigOption,
    Withdraw,
)
from tests.client.talk import Talk, names, only

REQUIRED = (-32000, "Please sign in.")
SWITCH = {"configId": "brave", "name": "Brave", "type": "boolean", "currentValue": False}


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


def test_a_prompt_that_was_taken_back_before_the_login_is_not_sent_after_it() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.say("hello")
    talk.reply("session/prompt", error=REQUIRED)
    [key] = talk.store.sessions["a"].tail
    assert only(talk.want(Withdraw(key)), Restore)
    talk.want(Login("acct"))
    assert names(talk.reply("auth/login")) == []


def test_a_login_is_given_up_while_somebody_reads_and_not_after_the_end() -> None:
    talk = Talk()
    talk.start()
    talk.want(Login("acct"))
    assert names(talk.want(CancelLogin())) == ["$/cancel_request"]
    talk.want(Leave())
    talk.later(60)
    assert names(talk.want(CancelLogin())) == []


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
    talk.update("state_update", state="running")
    talk.update("state_update", state="idle", stopReason="end_turn")
    assert talk.store.connection.auth_asked == 1, "later work does not ask once more"


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


def test_whatever_failed_for_want_of_a_login_is_done_again_once() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.update("config_option_update", configOptions=[SWITCH])
    talk.want(ListSessions())
    talk.want(SetConfigOption("a", "brave", True))
    assert only(talk.reply("session/list", error=REQUIRED), Notify) == []
    assert only(talk.reply("session/set_config_option", error=REQUIRED), Notify) == []
    talk.want(Login("acct"))
    assert names(talk.reply("auth/login")) == ["session/list", "session/set_config_option"]
    assert only(talk.reply("session/list", error=REQUIRED), Notify)
    assert only(talk.reply("session/set_config_option", error=REQUIRED), Notify)
    talk.want(Login("acct"))
    assert names(talk.reply("auth/login")) == []


def test_the_agents_words_and_the_login_under_way_are_known() -> None:
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.reply("session/new", error=REQUIRED)
    connection = talk.store.connection
    assert connection.auth_reason == "Please sign in."
    talk.want(Login("acct"))
    assert (connection.login, connection.login_at) == ("acct", talk.now)
    [cancel] = talk.want(CancelLogin())
    assert cancel.message.params == {"requestId": talk.requests("auth/login")[0].id}  # type: ignore[union-attr]
    assert connection.login == "acct"
    assert only(talk.reply("auth/login", error=(-32800, "cancelled")), Notify) == []
    assert connection.login == ""
    assert connection.auth_required
    assert talk.want(CancelLogin()) == []


TTY = {"type": "terminal", "methodId": "tty", "name": "T", "args": ["login"]}


@pytest.fixture
def tty() -> Talk:
    talk = Talk(terminal=True)
    talk.start(authMethods=[TTY])
    return talk


class TestTerminalLogin:
    """It is done by hand, then the agent starts anew (AU-04, AU-05)."""

    def again(self, talk: Talk) -> None:
        """The agent ends and starts again."""
        talk.lose()
        talk.start(authMethods=[TTY])

    def test_a_prompt_is_sent_again_once_when_its_session_is_open_again(self, tty: Talk) -> None:
        tty.open()
        tty.say("hello")
        tty.reply("session/prompt", error=REQUIRED)
        [run] = only(tty.want(Login("tty")), RunLogin)
        assert run.method.args == ["login"]
        assert only(tty.want(LoginEnded(True)), Restart)
        self.again(tty)
        tty.want(ResumeSession("a", "A", "/w"))
        tty.update("state_update", state="idle")
        assert names(tty.reply("session/resume")) == ["session/prompt"]
        assert only(tty.reply("session/prompt", error=REQUIRED), Restore)
        assert tty.sent().count("session/prompt") == 2

    def test_a_session_that_waited_keeps_what_was_written_for_it(self, tty: Talk) -> None:
        tty.want(OpenSession("a", "/w"))
        tty.say("hello")
        tty.reply("session/new", error=REQUIRED)
        tty.want(Login("tty"))
        tty.want(LoginEnded(True))
        self.again(tty)
        assert tty.submissions() == ["queued"]
        tty.want(OpenSession("a", "/w"))
        assert names(tty.reply("session/new", {"sessionId": "A"})) == ["session/prompt"]
        assert only(tty.effects, Restore) == []

    def test_one_that_failed_changes_nothing(self, tty: Talk) -> None:
        tty.open()
        tty.say("hello")
        tty.reply("session/prompt", error=REQUIRED)
        tty.want(Login("tty"))
        assert tty.want(Login("tty")) == []
        assert only(tty.want(LoginEnded(False, "It ended with status 1.")), Notify)
        assert tty.want(LoginEnded(True)) == []
        assert tty.submissions() == ["held"]
        assert only(tty.want(Login("tty")), RunLogin)

    def test_an_agent_that_is_lost_by_chance_gets_nothing_again(self, tty: Talk) -> None:
        tty.open()
        tty.say("hello")
        tty.reply("session/prompt", error=REQUIRED)
        tty.want(Login("tty"))
        self.again(tty)
        assert tty.store.connection.login == ""
        assert tty.want(LoginEnded(True)) == []
        tty.want(ResumeSession("a", "A", "/w"))
        tty.update("state_update", state="idle")
        assert names(tty.reply("session/resume")) == []
        assert tty.submissions() == ["held"]


def test_a_terminal_login_that_we_did_not_offer_is_not_obeyed() -> None:
    talk = Talk()
    talk.start(authMethods=[TTY])
    assert talk.want(Login("tty")) == []


def test_a_login_that_was_faster_than_its_withdrawal_is_a_login() -> None:
    """AU-12, CX-11."""
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.reply("session/new", error=REQUIRED)
    talk.want(Login("acct"))
    talk.want(CancelLogin())
    assert names(talk.reply("auth/login")) == ["session/new"]
    assert not talk.store.connection.auth_required


def test_after_a_logout_sessions_may_go_on_or_ask_for_a_login() -> None:
    """AU-10: each of them as the agent will."""
    talk = Talk()
    talk.start()
    talk.open()
    talk.open("b", "B")
    talk.want(Logout())
    assert talk.requests("auth/logout")[0].params == {}
    talk.reply("auth/logout")
    assert {one.phase for one in talk.store.sessions.values()} == {"open"}
    talk.say("goes on")
    talk.reply("session/prompt", {"messageId": "u"})
    assert talk.submissions() == ["inserted"]
    talk.say("does not", "b")
    talk.reply("session/prompt", error=REQUIRED)
    assert talk.submissions("b") == ["held"]
    assert talk.store.connection.auth_required


def test_malformed_methods_are_skipped_and_null_is_nothing() -> None:
    """AU-07, AU-11, AU-02."""
    talk = Talk(terminal=True)
    odd = {"type": "terminal", "methodId": "tty", "name": "T", "args": None, "env": None}
    talk.start(authMethods=[{"type": "agent", "name": "no id"}, 7, odd, {**AGENT_LOGIN, "more": 1}])
    assert [getattr(one, "method_id", None) for one in talk.store.connection.auth_methods] == ["tty", "acct"]
    [run] = only(talk.want(Login("tty")), RunLogin)
    assert (run.method.args or [], run.method.env or []) == ([], [])
    talk.want(LoginEnded(False, "no"))
    talk.want(Login("acct"))
    assert talk.requests("auth/login")[0].params == {"methodId": "acct"}


AGENT_LOGIN = {"type": "agent", "methodId": "acct", "name": "A"}
