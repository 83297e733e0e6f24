from __future__ import annotations

from typing import Any

import pytest

from acp_tui.store.entities import Submission, SubmissionStatus, Turn
from acp_tui.store.keys import Kind
from acp_tui.store.session import NONE_SEEN, Cancel
from tests.store.seen import Fed, plain


def state(fed: Fed, state: str, **fields: Any) -> Fed:
    return fed("state_update", state=state, **fields)


def chunk(fed: Fed, id_: str = "m", words: str = "x") -> Fed:
    return fed("agent_message_chunk", messageId=id_, content={"type": "text", "text": words})


def turns(fed: Fed) -> list[Turn]:
    return [one for key in fed.session.timeline if isinstance(one := fed.session.entities[key], Turn)]


class TestCompletions:
    @pytest.mark.parametrize("busy", ["running", "requires_action", "hibernating", "unknown"])
    def test_from_any_busy_state_to_idle(self, busy: str) -> None:
        fed = state(state(Fed(), busy), "idle", stopReason="end_turn")
        assert fed.session.completions == 1
        (turn,) = turns(fed)
        assert turn.stop_reason == "end_turn"
        assert turn.key in fed.dirty

    @pytest.mark.parametrize("resting", ["idle", NONE_SEEN, "disconnected"])
    def test_not_where_no_work_was_seen(self, resting: str) -> None:
        fed = state(Fed(state=resting), "idle", stopReason="end_turn")
        assert (fed.session.completions, fed.session.state, fed.session.stop_reason) == (
            0,
            "idle",
            "end_turn",
        )
        assert turns(fed) == []

    def test_not_by_a_replay(self) -> None:
        fed = state(chunk(state(Fed(replaying=True), "running")), "idle", stopReason="cancelled")
        assert (fed.session.completions, fed.session.state, turns(fed)) == (0, "idle", [])
        assert fed[Kind.AGENT_MESSAGE, "m"].closed_at is not None

    def test_snapshots_are_idempotent(self) -> None:
        fed = state(state(Fed(), "running"), "running")
        assert fed.dirty == frozenset()
        began = fed.session.state_since
        state(fed, "running", background=[])
        assert (fed.session.state_since, fed.dirty) == (began, {fed.key(Kind.SESSION)})
        state(state(fed, "idle", stopReason="end_turn"), "idle", stopReason="end_turn")
        assert fed.dirty == frozenset()
        assert fed.session.completions == 1

    def test_nothing_else_ends_work(self) -> None:
        fed = state(Fed(), "running")
        chunk(fed)
        fed("tool_call_update", toolCallId="c", status="completed")
        fed("notice", severity="error", title="gone")
        assert fed.session.state == "running"
        state(state(fed, "idle"), "running")
        assert fed.session.completions == 1

    def test_late_text_changes_no_state(self) -> None:
        fed = chunk(state(state(Fed(), "running"), "idle", stopReason="end_turn"))
        assert (fed.session.state, fed.session.completions, fed.session.stop_reason) == (
            "idle",
            1,
            "end_turn",
        )


class TestOutcome:
    def test_the_error_belongs_to_its_stop_reason(self) -> None:
        error = {"code": -32000, "message": "m"}
        fed = state(state(Fed(), "running"), "idle", stopReason="error", error=error)
        assert plain(fed.session.error) == error
        assert plain(turns(fed)[0].error) == error
        state(state(fed, "running"), "idle", stopReason="end_turn", error=error)
        assert fed.session.error is None

    def test_it_stays_until_the_next_idle(self) -> None:
        fed = state(state(state(Fed(), "running"), "idle", stopReason="refusal"), "running")
        assert fed.session.stop_reason == "refusal"
        assert state(fed, "idle").session.stop_reason is None

    def test_a_state_nobody_knows_is_busy_and_tells_nothing_else(self) -> None:
        fed = state(state(Fed(), "running", background=[]), "hibernating", background=[])
        assert (fed.session.state, fed.session.background) == ("unknown:hibernating", None)
        assert fed.session.busy


class TestBackground:
    def test_each_report_replaces_and_none_is_none(self) -> None:
        listed = [{"type": "_acme/cron"}, {"type": "terminal", "terminalId": "t9"}]
        fed = state(Fed(), "idle", background=listed)
        assert plain(fed.session.background) == listed
        assert state(fed, "idle", background=listed).dirty == frozenset()
        assert state(fed, "idle", background=[]).session.background == []
        assert state(fed, "idle", background=[{"type": "terminal"}]).session.background is None
        assert state(fed, "idle").session.background is None


class TestTurns:
    def test_it_stands_at_the_end_of_its_turn(self) -> None:
        fed = chunk(state(Fed(), "running"), "a")
        began = fed.session.work_started_at
        state(fed, "idle")
        chunk(state(fed, "running"), "b")
        assert [kind for kind, _ in fed.timeline] == ["agent_message", "turn", "agent_message"]
        (turn,) = turns(fed)
        assert turn.started_at == began
        assert (turn.had_output, turn.cancel_asked_at) == (True, None)
        assert fed.session.work_started_at is not None

    @pytest.mark.parametrize(
        ("shown", "output"),
        [
            ({"sessionUpdate": "agent_message", "messageId": "m"}, False),
            (
                {
                    "sessionUpdate": "user_message",
                    "messageId": "m",
                    "content": [{"type": "text", "text": "x"}],
                },
                False,
            ),
            ({"sessionUpdate": "notice", "severity": "info", "title": "x"}, False),
            ({"sessionUpdate": "usage_update", "used": 1, "size": 1}, False),
            ({"sessionUpdate": "agent_message", "messageId": "m", "content": [{"type": "_x"}]}, True),
            ({"sessionUpdate": "agent_thought", "messageId": "m", "content": [{"type": "_x"}]}, False),
            ({"sessionUpdate": "tool_call_update", "toolCallId": "c"}, True),
            ({"sessionUpdate": "terminal_update", "terminalId": "t"}, True),
            ({"sessionUpdate": "compaction_update", "compactionId": "k", "status": "completed"}, True),
            ({"sessionUpdate": "subagent_update", "sessionId": "k1"}, True),
        ],
    )
    def test_whether_anything_was_shown(self, shown: dict[str, Any], output: bool) -> None:
        fed = chunk(Fed(), "before")
        state(state(fed, "running").feed(shown), "idle")
        assert turns(fed)[0].had_output is output

    def test_work_that_no_prompt_started(self) -> None:
        fed = state(state(Fed(), "running"), "idle")
        fed("user_message", messageId="u")
        state(state(fed, "running"), "idle")
        chunk(state(fed, "running"))
        state(fed, "idle")
        assert [turn.by_agent for turn in turns(fed)] == [True, False, True]

    @pytest.mark.parametrize(
        ("status", "by_agent"), [("pending", False), ("inserted", False), ("held", True)]
    )
    def test_a_prompt_that_has_no_message_yet(self, status: SubmissionStatus, by_agent: bool) -> None:
        fed = Fed()
        key = fed.key(Kind.SUBMISSION, "1")
        submission = Submission(key=key, created_at=1.0, number=1, blocks=(), status=status)
        fed.session.entities[key] = submission
        fed.session.tail.append(key)
        state(state(fed, "running"), "idle")
        assert turns(fed)[0].by_agent is by_agent

    @pytest.mark.parametrize(
        ("asked", "reason", "settled"),
        [
            ("asked", "cancelled", "confirmed"),
            ("no_answer", "cancelled", "confirmed"),
            ("asked", "end_turn", "finished"),
            ("asked", None, "finished"),
        ],
    )
    def test_a_cancel_is_settled_by_the_end(self, asked: Any, reason: str | None, settled: str) -> None:
        fed = state(Fed(), "running")
        fed.session.cancel = Cancel(asked_at=7.0, status=asked)
        state(fed, "running")
        assert fed.session.cancelling
        state(fed, "idle", stopReason=reason)
        assert (fed.session.cancel.status, fed.session.cancel.settled_at) == (settled, fed.at)
        assert turns(fed)[0].cancel_asked_at == 7.0

    def test_no_two_turns_have_one_name_even_if_the_agent_remembers_less(self) -> None:
        fed = chunk(chunk(state(Fed(), "running"), "a"), "b")
        first = state(fed, "idle").session.timeline[-1]
        fed.session.timeline[:] = [first, fed.key(Kind.AGENT_MESSAGE, "a")]
        assert state(state(fed, "running"), "idle").session.timeline[-1] != first
        assert len(turns(fed)) == 2

    def test_an_old_cancel_is_not_of_this_turn(self) -> None:
        fed = state(Fed(), "running")
        fed.session.cancel = Cancel(asked_at=7.0, status="confirmed", settled_at=8.0)
        state(fed, "idle", stopReason="cancelled")
        assert turns(fed)[0].cancel_asked_at is None
