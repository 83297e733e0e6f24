"""What waits here can be changed, moved, taken back and let go; what nobody knows is the user's to settle."""

from __future__ import annotations

import pytest

from acp_tui.client.effects import Notify, Restore
from acp_tui.client.intents import (
    Dismiss,
    EditWaiting,
    LookAgain,
    MoveWaiting,
    ReleaseQueue,
    SendAgain,
    SendHeld,
    Submit,
    Withdraw,
)
from acp_tui.protocol.content import ContentBlock, ImageContent, TextContent
from acp_tui.store.entities import Submission
from acp_tui.store.keys import Key
from tests.client.talk import Talk, names, only


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.start()
    talk.open()
    return talk


def text(words: str) -> tuple[ContentBlock, ...]:
    return (TextContent(text=words),)


def waiting(talk: Talk) -> list[str]:
    found = (talk.store.entity(key) for key in talk.tail())
    return [one.text for one in found if isinstance(one, Submission)]


def one(talk: Talk, place: int = 0) -> Submission:
    found = talk.store.entity(talk.tail()[place])
    assert isinstance(found, Submission)
    return found


def work(talk: Talk, *prompts: str) -> None:
    talk.update("state_update", state="running")
    for prompt in prompts:
        talk.say(prompt)


def sent(talk: Talk) -> list[str]:
    return [request.params["prompt"][0]["text"] for request in talk.requests("session/prompt")]


class TestWhatWaits:
    def test_other_words_leave_under_another_key(self, talk: Talk) -> None:
        work(talk, "one")
        before = one(talk).idempotency_key
        assert names(talk.want(EditWaiting(talk.tail()[0], text("two")))) == []
        assert waiting(talk) == ["two"]
        talk.update("state_update", state="idle", stopReason="end_turn")
        assert sent(talk) == ["two"]
        assert one(talk).idempotency_key != before

    def test_no_words_take_it_away(self, talk: Talk) -> None:
        work(talk, "one")
        assert talk.want(EditWaiting(talk.tail()[0], ())) == []
        assert talk.tail() == []

    def test_words_for_one_that_left_come_back(self, talk: Talk) -> None:
        talk.say("one")
        [back] = only(talk.want(EditWaiting(talk.tail()[0], text("two"))), Restore)
        assert back.blocks == text("two")
        assert back.reason
        assert waiting(talk) == ["one"]

    def test_what_the_agent_cannot_take_is_not_put_in(self, talk: Talk) -> None:
        work(talk, "one")
        image = ImageContent(data="", mime_type="image/png")
        assert only(talk.want(EditWaiting(talk.tail()[0], (image,))), Notify)
        assert waiting(talk) == ["one"]

    @pytest.mark.parametrize(
        ("place", "step", "order"),
        [(2, -1, "acb"), (2, -9, "cab"), (0, 1, "bac"), (0, 9, "bca"), (1, 0, "abc")],
    )
    def test_it_moves(self, talk: Talk, place: int, step: int, order: str) -> None:
        talk.say("on its way")
        for prompt in "abc":
            talk.say(prompt)
        talk.want(MoveWaiting(talk.tail()[place + 1], step))
        assert waiting(talk) == ["on its way", *order]

    def test_what_was_sent_does_not_move(self, talk: Talk) -> None:
        talk.say("on its way")
        talk.say("later")
        talk.want(MoveWaiting(talk.tail()[0], 1))
        assert waiting(talk) == ["on its way", "later"]


class TestHeld:
    def test_it_goes_on_one_after_the_other_when_let_go(self, talk: Talk) -> None:
        work(talk, "one", "two")
        talk.update("state_update", state="idle", stopReason="refusal")
        assert talk.submissions() == ["held", "held"]
        assert one(talk).reason == "the agent refused to go on"
        assert names(talk.want(ReleaseQueue("a"))) == ["session/prompt"]
        assert talk.submissions() == ["pending", "queued"]

    def test_let_go_while_it_works_it_waits_for_the_end(self, talk: Talk) -> None:
        work(talk, "one")
        talk.update("state_update", state="idle", stopReason="cancelled")
        talk.update("state_update", state="running")
        assert names(talk.want(ReleaseQueue("a"))) == []
        assert names(talk.update("state_update", state="idle", stopReason="end_turn")) == ["session/prompt"]

    def test_what_waited_when_the_program_ended_is_never_sent_by_itself(self, talk: Talk) -> None:
        talk.want(Submit("a", text("yesterday"), held="from before the restart"))
        assert (one(talk).status, one(talk).reason) == ("held", "from before the restart")
        talk.say("today")
        talk.reply("session/prompt", {"messageId": "u"})
        work(talk)
        talk.update("state_update", state="idle", stopReason="end_turn")
        talk.later(60)
        assert sent(talk) == ["today"]
        assert names(talk.want(SendHeld(talk.tail()[0]))) == ["session/prompt"]

    def test_the_queue_survives_a_lost_agent_and_waits_for_the_user(self, talk: Talk) -> None:
        work(talk, "one")
        talk.lose()
        assert (one(talk).status, one(talk).reason) == ("held", "the connection was lost")
        assert names(talk.want(ReleaseQueue("a"))) == []


class TestWithdrawing:
    def test_the_agent_is_asked_once(self, talk: Talk) -> None:
        talk.say("hello")
        key = talk.tail()[0]
        assert names(talk.want(Withdraw(key))) == ["$/cancel_request"]
        assert one(talk).withdraw_asked_at == talk.now
        assert talk.want(Withdraw(key)) == []

    def test_an_agent_that_was_faster_has_it(self, talk: Talk) -> None:
        talk.say("hello")
        talk.want(Withdraw(talk.tail()[0]))
        assert only(talk.reply("session/prompt", {"messageId": "u"}), Restore) == []
        assert talk.submissions() == ["inserted"]

    def test_what_came_back_does_not_come_back_again(self, talk: Talk) -> None:
        talk.say("hello")
        talk.reply("session/prompt", {})
        key = talk.tail()[0]
        assert only(talk.want(Withdraw(key)), Restore)
        for intent in (Withdraw(key), SendAgain(key), SendHeld(key), Dismiss(key)):
            assert talk.want(intent) == []


class TestUncertain:
    @pytest.fixture
    def key(self, talk: Talk) -> Key:
        talk.say("hello")
        talk.reply("session/prompt", {})
        assert talk.submissions() == ["uncertain"]
        return talk.tail()[0]

    def test_it_is_sent_again_with_its_old_key_when_the_user_says_so(self, talk: Talk, key: Key) -> None:
        assert names(talk.later(600)) == []
        assert names(talk.want(SendHeld(key))) == []
        assert names(talk.want(SendAgain(key))) == ["session/prompt"]
        first, second = talk.requests("session/prompt")
        assert first.params == second.params
        assert first.id != second.id
        talk.reply("session/prompt", {"messageId": "u"})
        talk.update("user_message", messageId="u")
        assert talk.tail() == []

    def test_it_leaves_the_screen_when_the_user_knows_and_its_text_comes_back(
        self, talk: Talk, key: Key
    ) -> None:
        [back] = talk.want(Dismiss(key))
        assert isinstance(back, Restore)
        assert (back.blocks, back.reason) == (talk.store.entity(key).blocks, "")  # type: ignore[union-attr]
        assert talk.tail() == []
        assert talk.want(Dismiss(key)) == []

    def test_looking_again_shows_what_the_agent_has(self, talk: Talk, key: Key) -> None:
        talk.update("agent_message", messageId="m")
        assert names(talk.want(LookAgain("a"))) == ["session/resume"]
        assert talk.requests("session/resume")[0].params["replayFrom"] == {"type": "start"}
        session = talk.store.sessions["a"]
        assert (session.phase, session.state) == ("open", "idle")
        talk.update("user_message", messageId="u", content=[{"type": "text", "text": "hello"}])
        talk.update("agent_message", messageId="m")
        assert [entity.id for entity in session.timeline] == ["m"]
        talk.update("state_update", state="idle", stopReason="end_turn")
        talk.reply("session/resume")
        assert [entity.id for entity in session.timeline] == ["u", "m"]
        assert session.completions == 0
        assert talk.submissions() == ["uncertain"]

    def test_what_is_written_meanwhile_waits_for_that(self, talk: Talk, key: Key) -> None:
        talk.want(LookAgain("a"))
        assert names(talk.say("next", now=True)) == []
        talk.update("state_update", state="idle")
        assert names(talk.reply("session/resume")) == ["session/prompt"]

    def test_a_refusal_changes_nothing(self, talk: Talk, key: Key) -> None:
        talk.update("agent_message", messageId="m", content=[{"type": "text", "text": "before"}])
        talk.want(LookAgain("a"))
        talk.update("state_update", state="running")
        talk.update("agent_message", messageId="n", content=[{"type": "text", "text": "meanwhile"}])
        assert only(talk.reply("session/resume", error=(-32603, "not now")), Notify)
        session = talk.store.sessions["a"]
        assert [entity.id for entity in session.timeline] == ["m", "n"]
        assert (session.phase, session.state, session.replaying) == ("open", "running", False)
        assert talk.say("next", now=True)

    def test_nobody_looks_while_it_works(self, talk: Talk, key: Key) -> None:
        talk.update("state_update", state="running")
        assert names(talk.want(LookAgain("a"))) == []

    def test_a_connection_lost_meanwhile_is_lost(self, talk: Talk, key: Key) -> None:
        talk.want(LookAgain("a"))
        talk.lose()
        session = talk.store.sessions["a"]
        assert session.state == "disconnected"
        assert not session.replaying
        assert talk.submissions() == ["uncertain"]


def test_an_agent_that_takes_one_prompt_at_a_time_gets_one() -> None:
    talk = Talk(versions=(2, 1))
    talk.start_v1()
    talk.open()
    assert names(talk.say("go")) == ["session/prompt"]
    assert names(talk.say("stop that", now=True)) == []
    talk.reply("session/prompt", {"stopReason": "cancelled"})
    talk.say("something else")
    assert names(talk.want(SendHeld(talk.tail()[0]))) == []
    assert talk.submissions() == ["queued"]
    assert names(talk.reply("session/prompt", {"stopReason": "end_turn"}))[-1] == "session/prompt"
