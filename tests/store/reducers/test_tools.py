from __future__ import annotations

from typing import Any

import pytest

from acp_tui.store.entities import Cancel, ToolCall
from acp_tui.store.holding import BIG, Handle
from acp_tui.store.keys import Kind
from acp_tui.store.reducers.tools import overlay_cancelled
from tests.store.seen import Fed, plain


def item(words: str) -> dict[str, Any]:
    return {"type": "content", "content": {"type": "text", "text": words}}


def call(fed: Fed, id_: str = "c") -> ToolCall:
    found = fed[Kind.TOOL_CALL, id_]
    assert isinstance(found, ToolCall)
    return found


def update(fed: Fed, id_: str = "c", **fields: Any) -> ToolCall:
    return call(fed("tool_call_update", toolCallId=id_, **fields), id_)


def test_first_sight_gives_defaults() -> None:
    one = update(Fed())
    assert (one.title, one.name, one.kind, one.status) == (None, None, "other", "pending")
    assert (one.content, one.locations, one.raw_input, one.raw_output, one.cancellable) == (
        [],
        [],
        None,
        None,
        False,
    )


def test_null_resets() -> None:
    fed = Fed()
    full = {
        "title": "T",
        "name": "n",
        "kind": "edit",
        "status": "in_progress",
        "rawInput": 1,
        "rawOutput": "o",
    }
    update(fed, **full, locations=[{"path": "/a"}], capabilities={"cancel": {}}, content=[item("x")])
    one = update(fed, **dict.fromkeys(full), locations=None, capabilities=None, content=None)
    assert (one.title, one.name, one.kind, one.status) == (None, None, "other", "pending")
    assert (one.content, one.locations, one.raw_input, one.raw_output, one.cancellable) == (
        [],
        [],
        None,
        None,
        False,
    )


@pytest.mark.parametrize(
    ("capabilities", "cancellable"),
    [
        ({"cancel": {}}, True),
        ({"cancel": None}, False),
        ({}, False),
        ({"cancel": True}, False),
        ("all", False),
    ],
)
def test_the_control_follows_the_latest_capabilities(capabilities: Any, cancellable: bool) -> None:
    fed = Fed()
    update(fed, capabilities={"cancel": {}})
    update(fed, status="in_progress")
    assert call(fed).cancellable
    assert update(fed, capabilities=capabilities).cancellable is cancellable


def test_false_and_nought_are_values_and_three_different_ones() -> None:
    fed = Fed()
    for value in (False, 0, 0.0, "", []):
        update(fed, rawOutput=value)
        assert plain(call(fed).raw_output) == value
        assert type(call(fed).raw_output) is type(value)
        assert fed.dirty


def test_content_grows_behind_what_is_kept() -> None:
    fed = Fed()
    update(fed, content=[item("one")])
    fed("tool_call_content_chunk", toolCallId="c", content=item("two"))
    update(fed, content=[item("one"), item("two"), item("three")])
    assert call(fed).content_generation == 0
    update(fed, content=[item("one"), item("two"), item("three")])
    assert fed.dirty == frozenset()
    one = update(fed, content=[item("two")])
    assert (one.content_generation, plain(one.content)) == (1, [item("two")])


def test_big_output_is_held_and_comes_back() -> None:
    fed = Fed()
    big = item("x" * (BIG + 1))
    one = update(fed, content=[big], rawOutput={"log": "x" * (BIG + 1)})
    assert isinstance(one.content[0], Handle)
    assert isinstance(one.raw_output, Handle)
    assert plain(one.content) == [big]
    assert plain(one.raw_output) == {"log": "x" * (BIG + 1)}
    update(fed, content=[big], rawOutput={"log": "x" * (BIG + 1)})
    assert fed.dirty == frozenset()


class TestStatus:
    def test_it_moves_in_any_direction(self) -> None:
        fed = Fed()
        for status in ("completed", "in_progress", "queued", "failed", "paused", "pending"):
            assert update(fed, status=status).status == status
        assert not call(fed).final

    def test_times(self) -> None:
        fed = Fed()
        assert update(fed, title="T").started_at is None
        one = update(fed, status="in_progress")
        began = fed.at
        update(fed, status="paused")
        update(fed, status="completed")
        ended = fed.at
        update(fed, status="failed")
        assert (one.started_at, one.ended_at) == (began, ended)
        assert update(fed, status="in_progress").ended_at is None

    def test_a_replay_tells_no_times(self) -> None:
        assert update(Fed(replaying=True), status="completed").started_at is None

    def test_changed_after_it_was_final_is_late(self) -> None:
        fed = Fed()
        one = update(fed, status="completed")
        update(fed, status="completed")
        assert fed.dirty == frozenset()
        assert not one.late
        update(fed, rawOutput="corrected")
        assert one.late

    def test_a_chunk_after_it_was_final_is_late(self) -> None:
        fed = Fed()
        update(fed, status="failed")
        fed("tool_call_content_chunk", toolCallId="c", content=item("x"))
        assert call(fed).late

    def test_a_final_one_is_no_longer_being_cancelled(self) -> None:
        fed = Fed()
        one = update(fed, status="in_progress", capabilities={"cancel": {}})
        one.cancel = Cancel(asked_at=1.0)
        update(fed, title="T")
        assert one.cancelling
        update(fed, status="cancelled")
        assert not one.cancelling

    def test_open_calls(self) -> None:
        fed = Fed()
        for id_, status in (("a", "completed"), ("b", "paused"), ("d", None)):
            update(fed, id_, status=status)
        fed("tool_call_content_chunk", toolCallId="c", content=item("x"))
        update(fed, "a", status="in_progress")
        update(fed, "b", status="failed")
        assert sorted(key.id for key in fed.session.open_calls) == ["a", "c", "d"]


class TestCancelOverlay:
    def cancelled(self) -> Fed:
        fed = Fed()
        update(fed, "a", status="in_progress")
        update(fed, "done", status="completed")
        update(fed, "bg", status="in_progress")
        fed("state_update", state="running", background=[{"type": "tool_call", "toolCallId": "bg"}])
        overlay_cancelled(fed.store, fed.session, fed.at)
        return fed.flush()

    def test_open_calls_show_cancelled_but_not_listed_ones(self) -> None:
        fed = self.cancelled()
        shown = {id_: call(fed, id_).display_status for id_ in ("a", "done", "bg")}
        assert shown == {"a": "cancelled", "done": "completed", "bg": "in_progress"}
        assert {key.id for key in fed.dirty} == {"a"}
        assert call(fed, "a").status == "in_progress"

    def test_again_is_nothing_new(self) -> None:
        fed = self.cancelled()
        overlay_cancelled(fed.store, fed.session, fed.at)
        assert fed.flush().dirty == frozenset()

    def test_content_leaves_it_and_any_status_lifts_it(self) -> None:
        fed = self.cancelled()
        fed("tool_call_content_chunk", toolCallId="a", content=item("x"))
        assert update(fed, "a", title="T").display_status == "cancelled"
        assert update(fed, "a", status="in_progress").display_status == "in_progress"
        assert fed.dirty

    def test_the_end_of_the_turn_adds_nothing_to_it(self) -> None:
        fed = self.cancelled()
        fed("state_update", state="idle", stopReason="cancelled", background=[])
        assert call(fed, "a").no_final == ""
        assert call(fed, "bg").no_final == "turn ended"


class TestEndOfTurn:
    def ended(self, **idle: Any) -> Fed:
        fed = Fed()("state_update", state="running")
        update(fed, "a", status="in_progress")
        update(fed, "done", status="completed")
        return fed("state_update", state="idle", stopReason="end_turn", **idle)

    def test_open_and_not_listed(self) -> None:
        fed = self.ended(background=[])
        assert call(fed, "a").no_final == "turn ended"
        assert not call(fed, "a").running
        assert call(fed, "a").status == "in_progress"
        assert call(fed, "done").no_final == ""

    def test_listed(self) -> None:
        fed = self.ended(background=[{"type": "tool_call", "toolCallId": "a"}])
        assert call(fed, "a").running

    def test_not_reported_means_that_nothing_is_known(self) -> None:
        assert call(self.ended(), "a").running

    def test_a_later_report_may_still_tell(self) -> None:
        fed = self.ended()
        fed("state_update", state="idle", background=[])
        assert call(fed, "a").no_final == "turn ended"
        fed("state_update", state="idle", background=[{"type": "tool_call", "toolCallId": "a"}])
        assert call(fed, "a").no_final == ""

    def test_any_later_update_takes_it_back_and_is_late(self) -> None:
        for late in (
            {"sessionUpdate": "tool_call_update"},
            {"sessionUpdate": "tool_call_update", "status": "completed"},
            {"sessionUpdate": "tool_call_content_chunk", "content": item("x")},
        ):
            fed = self.ended(background=[]).feed({**late, "toolCallId": "a"})
            assert call(fed, "a").no_final == ""
            assert call(fed, "a").late
            assert fed.key(Kind.TOOL_CALL, "a") in fed.dirty


def test_who_shows_a_terminal_or_a_subagent_is_known_before_they_are() -> None:
    fed = Fed()
    terminal, child = {"type": "terminal", "terminalId": "t"}, {"type": "session", "sessionId": "kid"}
    update(fed, "c1", content=[terminal, child, terminal])
    fed("tool_call_content_chunk", toolCallId="c2", content=terminal)
    fed("terminal_update", terminalId="t", command="make")
    shown = fed.session.shown_in
    first, second = fed.key(Kind.TOOL_CALL, "c1"), fed.key(Kind.TOOL_CALL, "c2")
    assert shown[fed.key(Kind.TERMINAL, "t")] == [first, second]
    assert shown[fed.key(Kind.SUBAGENT, "kid")] == [first]
    update(fed, "c2", content=[])
    assert fed.key(Kind.TERMINAL, "t") in fed.dirty
    assert shown[fed.key(Kind.TERMINAL, "t")] == [first]
    update(fed, "c1", content=[child, item("words")])
    assert shown[fed.key(Kind.TERMINAL, "t")] == []
