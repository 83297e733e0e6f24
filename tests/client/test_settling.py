"""Accepted prompts of which no user message comes, or late, or under another name (PR-07 to PR-11)."""

from __future__ import annotations

import pytest

from acp_tui.store.entities import Message, Submission
from acp_tui.store.keys import Kind
from tests.client.talk import AGENT, Talk
from tests.client.test_resuming import again


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.start()
    talk.open()
    return talk


def seen(talk: Talk, ref: str = "a") -> list[str]:
    """What stands there from top to bottom: words of the user, `-` for output, `.` for the end of a turn."""
    session = talk.store.sessions[ref]
    found = []
    for key in [*session.timeline, *session.tail]:
        entity = session.entities[key]
        if isinstance(entity, Submission):
            found += [] if entity.stands == "nowhere" else [entity.text]
        elif isinstance(entity, Message) and key.kind is Kind.USER_MESSAGE:
            found.append(entity.content.text())
        else:
            found.append("." if key.kind is Kind.TURN else "-")
    return found


def echo(talk: Talk, name: str, text: str) -> None:
    talk.update("user_message_chunk", messageId=name, content={"type": "text", "text": text})


def output(talk: Talk, name: str) -> None:
    talk.update("agent_message_chunk", messageId=name, content={"type": "text", "text": "…"})


def running(talk: Talk) -> None:
    talk.update("state_update", state="running")


def idle(talk: Talk, reason: str = "end_turn") -> None:
    talk.update("state_update", state="idle", stopReason=reason)


def accepted(talk: Talk, text: str = "hello", name: str = "u1", *, now: bool = False) -> None:
    talk.say(text, now=now)
    talk.reply("session/prompt", {"messageId": name})


class TestNoMessageComes:
    def test_it_stands_above_the_output_that_came_of_it(self, talk: Talk) -> None:
        accepted(talk)
        running(talk)
        assert talk.submissions() == ["inserted"]
        output(talk, "m")
        assert (talk.tail(), seen(talk)) == ([], ["hello", "-"])
        idle(talk)
        assert seen(talk) == ["hello", "-", "."]

    def test_it_settles_at_the_end_of_a_turn_that_put_nothing_out(self, talk: Talk) -> None:
        accepted(talk)
        running(talk)
        idle(talk)
        assert (talk.tail(), seen(talk)) == ([], ["hello", "."])

    def test_the_turn_is_the_users_all_the_same(self, talk: Talk) -> None:
        accepted(talk)
        running(talk)
        output(talk, "m")
        idle(talk)
        session = talk.store.sessions["a"]
        assert not session.entities[session.timeline[-1]].by_agent  # type: ignore[attr-defined]

    def test_accepted_only_when_all_is_done_it_stands_where_it_was_sent(self, talk: Talk) -> None:
        talk.say("hello")
        running(talk)
        output(talk, "m")
        idle(talk)
        assert seen(talk) == ["-", ".", "hello"]  # PR-16: nothing of that says that it was accepted
        talk.reply("session/prompt", {"messageId": "u1"})
        assert (talk.tail(), seen(talk)) == ([], ["hello", "-", "."])

    def test_sent_while_work_runs_it_waits_for_the_end_of_that(self, talk: Talk) -> None:
        running(talk)
        output(talk, "m")
        accepted(talk, now=True)
        output(talk, "n")
        assert seen(talk) == ["-", "-", "hello"]
        idle(talk)
        assert (talk.tail(), seen(talk)) == ([], ["-", "hello", "-", "."])

    def test_several_keep_their_order(self, talk: Talk) -> None:
        running(talk)
        accepted(talk, "one", "u1", now=True)
        accepted(talk, "two", "u2", now=True)
        output(talk, "m")
        idle(talk)
        assert seen(talk) == ["one", "two", "-", "."]

    def test_two_with_the_same_words_are_two(self, talk: Talk) -> None:
        for name in ("u1", "u2"):
            accepted(talk, "hello", name)
            running(talk)
            output(talk, f"m-{name}")
            idle(talk)
        assert seen(talk) == ["hello", "-", ".", "hello", "-", "."]

    def test_an_agent_lost_at_work_has_it_settled(self, talk: Talk) -> None:
        accepted(talk)
        running(talk)
        talk.lose()
        assert (talk.tail(), seen(talk)) == ([], ["hello", "."])


class TestTheMessageComesLate:
    def test_it_stands_where_the_agent_told_of_it_and_only_there(self, talk: Talk) -> None:
        accepted(talk)
        running(talk)
        output(talk, "m")
        assert seen(talk) == ["hello", "-"]
        echo(talk, "u1", "hel")
        echo(talk, "u1", "lo there")
        assert seen(talk) == ["-", "hello there"]  # PR-10, PR-11
        idle(talk)
        assert seen(talk) == ["-", "hello there", "."]

    def test_even_after_the_turn(self, talk: Talk) -> None:
        accepted(talk)
        running(talk)
        idle(talk)
        echo(talk, "u1", "hello")
        assert seen(talk) == [".", "hello"]
        session = talk.store.sessions["a"]
        message = session.entities[session.timeline[-1]]
        assert isinstance(message, Message)
        assert message.submission == 1


class TestTheMessageHasAnotherName:
    def test_the_words_stand_there_once(self, talk: Talk) -> None:
        accepted(talk)
        running(talk)
        echo(talk, "other", "hello")
        output(talk, "m")
        assert (talk.tail(), seen(talk)) == ([], ["hello", "-"])

    def test_nothing_is_tied_by_words(self, talk: Talk) -> None:
        accepted(talk)
        echo(talk, "other", "hello")
        output(talk, "m")
        session = talk.store.sessions["a"]
        message = session.entities[session.timeline[0]]
        assert isinstance(message, Message)
        assert message.submission is None  # PR-07

    def test_before_the_answer_too(self, talk: Talk) -> None:
        talk.say("hello")
        running(talk)
        echo(talk, "other", "hello")
        output(talk, "m")
        idle(talk)
        talk.reply("session/prompt", {"messageId": "u1"})
        assert (talk.tail(), seen(talk)) == ([], ["hello", "-", "."])

    def test_each_stands_for_one(self, talk: Talk) -> None:
        accepted(talk, "hello", "u1")
        echo(talk, "other", "hello")
        output(talk, "m")
        accepted(talk, "hello", "u2")
        output(talk, "n")
        assert seen(talk) == ["hello", "-", "hello", "-"]

    def test_other_words_are_not_taken_for_it(self, talk: Talk) -> None:
        accepted(talk)
        echo(talk, "other", "from another client")
        output(talk, "m")
        assert seen(talk) == ["hello", "from another client", "-"]

    def test_what_was_told_before_it_was_sent_is_not_it(self, talk: Talk) -> None:
        echo(talk, "old", "hello")
        talk.now += 1
        accepted(talk)
        output(talk, "m")
        assert seen(talk) == ["hello", "hello", "-"]


class TestReplay:
    def unheard(self, talk: Talk) -> None:
        """A turn whose prompt was never shown, and the agent is gone."""
        accepted(talk)
        running(talk)
        output(talk, "m")
        idle(talk)
        assert seen(talk) == ["hello", "-", "."]
        talk.lose()
        again(talk)

    @pytest.mark.parametrize("name", ["u1", "other"])
    def test_a_message_in_the_replay_has_the_words(self, talk: Talk, name: str) -> None:
        self.unheard(talk)
        echo(talk, name, "hello")
        output(talk, "m")
        idle(talk)
        talk.reply("session/resume")
        assert [one for one in seen(talk) if one != "."] == ["hello", "-"]

    def test_a_replay_without_it_leaves_it_in_its_place(self, talk: Talk) -> None:
        self.unheard(talk)
        output(talk, "m")
        idle(talk)
        talk.reply("session/resume")
        assert seen(talk) == ["hello", "-", "."]

    def test_a_resume_without_replay_changes_nothing_and_the_message_may_still_come(self, talk: Talk) -> None:
        self.unheard(talk)
        talk.reply("session/resume", AGENT)
        echo(talk, "u1", "hello")
        assert [one for one in seen(talk) if one != "."] == ["-", "hello"]

    def test_one_that_was_accepted_and_is_not_in_the_replay_settles(self, talk: Talk) -> None:
        output(talk, "m")
        accepted(talk)
        talk.lose()
        again(talk)
        output(talk, "m")
        idle(talk)
        talk.reply("session/resume")
        assert (talk.tail(), seen(talk)) == ([], ["-", "hello"])
