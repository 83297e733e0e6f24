"""Prompts: sent, queued, held, tied to their message, given back (PR)."""

from __future__ import annotations

import pytest

from acp_tui.client import intents as want
from acp_tui.client.effects import Completed, Notify, Restore
from acp_tui.client.intents import OpenSession, SendHeld, Withdraw
from acp_tui.protocol.content import ImageContent
from acp_tui.store.entities import Message, Submission
from acp_tui.store.keys import Key, Kind
from tests.client.talk import Talk, names, only


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.start()
    talk.open()
    return talk


def run(talk: Talk, reason: str = "end_turn") -> list[object]:
    """A turn of the agent."""
    talk.update("state_update", state="running")
    return talk.update("state_update", state="idle", stopReason=reason)  # type: ignore[return-value]


def test_a_prompt_carries_its_key_and_stands_in_the_tail(talk: Talk) -> None:
    talk.say("hello")
    assert talk.requests("session/prompt")[0].params == {
        "sessionId": "A",
        "prompt": [{"type": "text", "text": "hello"}],
        "idempotencyKey": "key-1",
    }
    assert talk.submissions() == ["pending"]


@pytest.mark.parametrize("first", ["answer", "message"])
def test_the_message_takes_the_place_of_the_submission(talk: Talk, first: str) -> None:
    talk.say("hello")
    if first == "answer":
        talk.reply("session/prompt", {"messageId": "u"})
        assert talk.submissions() == ["inserted"]
        talk.update("user_message_chunk", messageId="u", content={"type": "text", "text": "hello"})
    else:
        talk.update("user_message_chunk", messageId="u", content={"type": "text", "text": "hello"})
        assert talk.submissions() == ["pending"]
        talk.reply("session/prompt", {"messageId": "u"})
    assert talk.tail() == []
    message = talk.store.entity(Key("a", Kind.USER_MESSAGE, "u"))
    assert isinstance(message, Message)
    assert message.submission == 1


def test_while_work_runs_prompts_queue_and_go_on_one_by_one(talk: Talk) -> None:
    talk.update("state_update", state="running")
    talk.say("one")
    talk.say("two")
    assert talk.submissions() == ["queued", "queued"]
    effects = talk.update("state_update", state="idle", stopReason="end_turn")
    assert names(effects) == ["session/prompt"]
    assert only(effects, Completed)
    assert talk.submissions() == ["pending", "queued"]
    talk.reply("session/prompt", {"messageId": "u1"})
    assert names(run(talk)) == ["session/prompt"]
    assert [r.params["prompt"][0]["text"] for r in talk.requests("session/prompt")] == ["one", "two"]


def test_a_second_prompt_waits_for_the_first_to_be_accepted(talk: Talk) -> None:
    talk.say("one")
    talk.say("two")
    assert talk.submissions() == ["pending", "queued"]


@pytest.mark.parametrize("reason", ["cancelled", "error", "refusal", "max_tokens", "_odd", None])
def test_after_any_other_end_the_queue_is_held(talk: Talk, reason: str | None) -> None:
    talk.update("state_update", state="running")
    talk.say("later")
    effects = talk.update("state_update", state="idle", stopReason=reason)
    assert names(effects) == []
    assert talk.submissions() == ["held"]
    held = talk.store.entity(talk.tail()[0])
    assert isinstance(held, Submission)
    assert held.reason
    assert names(talk.want(SendHeld(held.key))) == ["session/prompt"]
    assert talk.submissions() == ["pending"]


def test_now_is_now(talk: Talk) -> None:
    talk.update("state_update", state="running")
    assert names(talk.say("stop that", now=True)) == ["session/prompt"]


def test_what_waits_can_be_taken_back(talk: Talk) -> None:
    talk.update("state_update", state="running")
    talk.say("later")
    effects = talk.want(Withdraw(talk.tail()[0]))
    [back] = only(effects, Restore)
    assert (back.ref, back.blocks[0].text, back.reason) == ("a", "later", "")
    assert talk.tail() == []
    assert names(talk.update("state_update", state="idle", stopReason="end_turn")) == []


def test_what_was_sent_is_asked_back_and_either_answer_counts(talk: Talk) -> None:
    talk.say("hello")
    effects = talk.want(Withdraw(talk.tail()[0]))
    assert names(effects) == ["$/cancel_request"]
    assert effects[0].message.params == {"requestId": talk.requests("session/prompt")[0].id}  # type: ignore[union-attr]
    [back] = only(talk.reply("session/prompt", error=(-32800, "cancelled")), Restore)
    assert back.reason == ""
    assert talk.tail() == []


def test_a_refusal_gives_the_text_back_with_its_reason_and_holds_the_queue(talk: Talk) -> None:
    talk.say("one")
    talk.say("two")
    effects = talk.reply("session/prompt", error=(-32602, "no images"))
    [back] = only(effects, Restore)
    assert (back.blocks[0].text, back.reason) == ("one", "no images")
    [told] = talk.store.connection.told
    assert (told.title, told.description) == ("Not sent", "no images")
    assert only(effects, Notify) == [Notify("a", told)]
    assert talk.submissions() == ["held"]
    assert talk.store.sessions["a"].state == "idle"


def test_an_answer_that_names_no_message_is_uncertain(talk: Talk) -> None:
    talk.say("hello")
    assert only(talk.reply("session/prompt", {}), Restore) == []
    assert talk.submissions() == ["uncertain"]
    [back] = only(talk.want(Withdraw(talk.tail()[0])), Restore)
    assert back.blocks[0].text == "hello"
    assert talk.tail() == []


def test_the_queue_of_an_agent_that_reports_no_work_goes_on(talk: Talk) -> None:
    """An agent that answers without running and idle must not keep the queue for ever."""
    talk.say("one")
    talk.say("two")
    talk.reply("session/prompt", {"messageId": "u1"})
    assert names(talk.later(1)) == []
    assert names(talk.later(2.5)) == ["session/prompt"]
    assert names(talk.later(60)) == []


def test_prompts_typed_before_the_session_exists_are_sent_then() -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    talk.want(OpenSession("a", "/w"))
    talk.say("first")
    talk.say("second")
    assert talk.submissions() == ["queued", "queued"]
    talk.hear(
        {
            "id": 0,
            "result": {
                "protocolVersion": 2,
                "info": {"name": "x", "version": "1"},
                "capabilities": {"session": {}},
            },
        }
    )
    effects = talk.reply("session/new", {"sessionId": "A"})
    assert names(effects) == ["session/prompt"]
    assert talk.submissions() == ["pending", "queued"]


def test_what_the_agent_cannot_take_is_not_sent(talk: Talk) -> None:
    image = ImageContent(type="image", data="", mime_type="image/png")
    [back] = only(talk.want(want.Submit("a", (image,))), Restore)
    assert back.reason == "This agent takes no image in a prompt."
    assert talk.tail() == []


@pytest.mark.parametrize("ref", ["nobody", "kid"])
def test_where_nothing_can_be_sent_the_text_comes_back(talk: Talk, ref: str) -> None:
    talk.update("subagent_update", sessionId="kid")
    child = next(s.ref for s in talk.store.sessions.values() if s.parent is not None)
    [back] = only(talk.say("hello", child if ref == "kid" else ref), Restore)
    assert back.reason


def test_the_state_is_the_agents_alone(talk: Talk) -> None:
    talk.say("hello")
    talk.reply("session/prompt", {"messageId": "u"})
    assert talk.store.sessions["a"].state == "idle"
    talk.update("state_update", state="running")
    talk.say("more", now=True)
    talk.reply("session/prompt", error=(-32603, "busy"))
    assert talk.store.sessions["a"].state == "running"


def test_an_agent_may_hold_a_prompt_for_as_long_as_it_likes(talk: Talk) -> None:
    """PR-05: there is no time limit, and nothing is sent again."""
    talk.say("hello")
    talk.later(24 * 3600)
    assert talk.submissions() == ["pending"]
    assert len(talk.requests("session/prompt")) == 1
    talk.reply("session/prompt", {"messageId": "u"})
    assert talk.submissions() == ["inserted"]


def test_the_same_words_twice_are_two_prompts(talk: Talk) -> None:
    """PR-07, PR-12, S25: tied by id, whatever the order of the answers and whatever the words."""
    talk.say("yes", now=True)
    talk.say("yes", now=True)
    first, second = talk.requests("session/prompt")
    talk.update("user_message", messageId="u2", content=[{"type": "text", "text": "yes"}])
    talk.hear({"id": second.id, "result": {"messageId": "u2"}})
    assert talk.submissions() == ["pending"]
    talk.hear({"id": first.id, "result": {"messageId": "u1"}})
    assert talk.submissions() == ["inserted"]
    talk.update("user_message", messageId="u1", content=[{"type": "text", "text": "yes"}])
    assert talk.tail() == []
    assert [key.id for key in talk.store.sessions["a"].timeline] == ["u2", "u1"]


def test_what_is_sent_while_a_request_waits_answers_it_not(talk: Talk) -> None:
    """PR-23."""
    talk.update("state_update", state="requires_action")
    talk.ask(1)
    assert names(talk.say("more", now=True)) == ["session/prompt"]
    assert talk.store.requests


def test_what_was_inserted_stays_also_if_it_is_never_answered(talk: Talk) -> None:
    """PR-24."""
    talk.say("hello")
    talk.update("user_message", messageId="u", content=[{"type": "text", "text": "hello"}])
    talk.reply("session/prompt", {"messageId": "u"})
    run(talk, "error")
    assert Key("a", Kind.USER_MESSAGE, "u") in talk.store.sessions["a"].timeline


def test_what_was_not_inserted_when_its_session_closes_comes_back_also_after_that(talk: Talk) -> None:
    """SS-24: the agent answers the close first."""
    talk.say("hello")
    talk.want(want.CloseSession("a"))
    talk.reply("session/close")
    [back] = only(talk.reply("session/prompt", error=(-32800, "closed")), Restore)
    assert back.blocks[0].text == "hello"
    assert talk.tail() == []
