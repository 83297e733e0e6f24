from __future__ import annotations

from typing import Any

import pytest

from acp_tui.store.entities import Submission
from acp_tui.store.keys import Kind
from tests.store.seen import Fed, plain

AGENT, USER, THOUGHT = Kind.AGENT_MESSAGE, Kind.USER_MESSAGE, Kind.AGENT_THOUGHT


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def test_replacing_discards_chunks_and_chunks_append_to_the_replacement() -> None:
    fed = Fed()
    fed("agent_message", messageId="m", content=[text("A")])
    fed("agent_message_chunk", messageId="m", content=text("B"))
    fed("agent_message", messageId="m", content=[text("C")])
    fed("agent_message_chunk", messageId="m", content=text("D"))
    assert plain(fed[AGENT, "m"].content) == [text("C"), text("D")]


def test_a_chunk_creates_and_its_metadata_stays_its_own() -> None:
    fed = Fed()("agent_thought_chunk", messageId="t", content=text("hm"), _meta={"k": 1})
    assert fed.timeline == [("agent_thought", "t")]
    assert fed[THOUGHT, "t"].meta is None


def test_metadata_is_patched_one_level_deep() -> None:
    fed = Fed()("agent_message", messageId="m", _meta={"a": 1, "n": {"x": 1}})
    fed("agent_message", messageId="m", _meta={"a": None, "n": {"y": 2}, "c": False})
    assert fed[AGENT, "m"].meta == {"n": {"y": 2}, "c": False}
    fed("agent_message", messageId="m", _meta={})
    assert fed.dirty == frozenset()
    fed("agent_message", messageId="m", _meta={"c": 0})
    assert fed[AGENT, "m"].meta["c"] is not False
    fed("agent_message", messageId="m", _meta=None)
    assert fed[AGENT, "m"].meta is None


def test_updates_that_change_nothing_draw_nothing() -> None:
    fed = Fed()("agent_message", messageId="m", content=[text("A")], _meta={"a": 1})
    revision = fed[AGENT, "m"].revision
    for same in ({}, {"content": [text("A")]}, {"_meta": {"a": 1}}, {"content": "malformed"}):
        fed("agent_message", messageId="m", **same)
        assert fed.dirty == frozenset()
    assert fed[AGENT, "m"].revision == revision


def test_the_place_is_that_of_the_first_mention() -> None:
    fed = Fed()("agent_message_chunk", messageId="a", content=text("1"))
    fed("agent_message_chunk", messageId="b", content=text("2"))
    fed("agent_message_chunk", messageId="a", content=text("3"))
    assert fed.timeline == [("agent_message", "a"), ("agent_message", "b")]
    assert fed.key(Kind.TIMELINE) not in fed.dirty


def test_a_message_is_closed_by_what_comes_after_it() -> None:
    fed = Fed()("state_update", state="running")
    fed("agent_message_chunk", messageId="a", content=text("1"))
    assert fed[AGENT, "a"].closed_at is None
    fed("terminal_update", terminalId="t")
    assert fed[AGENT, "a"].closed_at is None
    fed("tool_call_update", toolCallId="c")
    assert fed[AGENT, "a"].closed_at == fed.at
    assert fed.key(AGENT, "a") in fed.dirty


def test_a_message_is_closed_by_the_end_of_its_turn_and_late_afterwards() -> None:
    fed = Fed()("state_update", state="running")
    fed("agent_message_chunk", messageId="a", content=text("1"))
    fed("state_update", state="idle")
    message = fed[AGENT, "a"]
    assert message.closed_at == fed.at
    assert not message.late
    fed("agent_message_chunk", messageId="a", content=text("2"))
    assert message.late
    fed("agent_message_chunk", messageId="b", content=text("idle talk"))
    assert not fed[AGENT, "b"].late


def test_while_idle_nothing_is_presumed_to_grow() -> None:
    fed = Fed()("agent_message_chunk", messageId="a", content=text("1"))
    assert fed[AGENT, "a"].closed_at == fed.at


class TestClaiming:
    def submission(self, fed: Fed, message_id: str | None) -> Submission:
        submission = Submission(
            key=fed.key(Kind.SUBMISSION, "4"),
            created_at=1.0,
            number=4,
            blocks=(),
            status="inserted" if message_id else "pending",
            message_id=message_id,
        )
        fed.session.entities[submission.key] = submission
        fed.session.tail.append(submission.key)
        return submission

    def test_an_accepted_submission_leaves_the_tail_to_its_message(self) -> None:
        fed = Fed()
        submission = self.submission(fed, "u1")
        fed("user_message_chunk", messageId="u1", content=text("hi"))
        assert fed[USER, "u1"].submission == 4
        assert fed.session.tail == []
        assert submission.key in fed.dirty

    @pytest.mark.parametrize(
        ("known", "kind", "id_"),
        [(None, "user_message", "u1"), ("u1", "user_message", "u2"), ("u1", "agent_message", "u1")],
    )
    def test_nothing_else_takes_its_place(self, known: str | None, kind: str, id_: str) -> None:
        fed = Fed()
        submission = self.submission(fed, known)
        fed(kind, messageId=id_, content=[text("hi")])
        assert fed.session.tail == [submission.key]


class TestSessionMessages:
    def test_participants_may_come_at_any_time_and_are_patched(self) -> None:
        fed = Fed()("agent_message", messageId="q", content=[text("same id")])
        fed("session_message_chunk", messageId="q", content=text("do "))
        fed("session_message", messageId="q", senderSessionId="s1", recipientSessionId="k1")
        fed("session_message_chunk", messageId="q", content=text("this"))
        fed("session_message", messageId="q", recipientSessionId=None, senderMessageId="x")
        message = fed[Kind.SESSION_MESSAGE, "q"]
        assert fed.timeline == [("agent_message", "q"), ("session_message", "q")]
        assert message.content.text() == "do this"
        assert (message.sender_session_id, message.recipient_session_id) == ("s1", None)
        assert (message.sender_message_id, message.recipient_message_id) == ("x", None)

    def test_the_same_again(self) -> None:
        fed = Fed()("session_message", messageId="q", senderSessionId="s1")
        fed("session_message", messageId="q", senderSessionId="s1")
        assert fed.dirty == frozenset()


class TestCompactions:
    def test_summary_replaced_then_appended_to(self) -> None:
        fed = Fed()("compaction_summary_chunk", compactionId="k", content=text("x"))
        entity = fed[Kind.COMPACTION, "k"]
        assert entity.status == "in_progress"
        fed("compaction_update", compactionId="k", status="in_progress", summary=[text("R")])
        fed("compaction_summary_chunk", compactionId="k", content=text("y"))
        fed("compaction_update", compactionId="k", status="completed")
        assert (entity.status, entity.summary.text(), entity.late) == ("completed", "Ry", False)

    @pytest.mark.parametrize("nothing", [None, []])
    def test_clearing(self, nothing: Any) -> None:
        fed = Fed()("compaction_update", compactionId="k", status="failed", summary=[text("p")], error="e")
        fed("compaction_update", compactionId="k", status="failed", summary=nothing, error=None)
        entity = fed[Kind.COMPACTION, "k"]
        assert (entity.summary.text(), entity.error) == ("", None)

    def test_a_status_that_is_absent_or_null(self) -> None:
        fed = Fed()("compaction_update", compactionId="k", status="warming")
        fed("compaction_update", compactionId="k", summary=[text("p")])
        assert fed[Kind.COMPACTION, "k"].status == "warming"
        fed("compaction_update", compactionId="k", status=None)
        assert fed[Kind.COMPACTION, "k"].status == "in_progress"

    def test_late_once_final(self) -> None:
        fed = Fed()("compaction_update", compactionId="k", status="completed")
        fed("compaction_update", compactionId="k", status="completed")
        assert fed.dirty == frozenset()
        assert not fed[Kind.COMPACTION, "k"].late
        fed("compaction_update", compactionId="k", status="failed")
        assert fed[Kind.COMPACTION, "k"].late
        fed("compaction_summary_chunk", compactionId="l", content=text("x"))
        fed("compaction_update", compactionId="l", status="completed")
        fed("compaction_summary_chunk", compactionId="l", content=text("y"))
        assert fed[Kind.COMPACTION, "l"].late
