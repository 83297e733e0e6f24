"""Three facts side by side (checks 6 to 9, 20, 21, 36)."""

from __future__ import annotations

from acp_tui.aip.core.chunks import Verdict
from acp_tui.aip.core.lifecycle import Action, Cancel, Presence, Seen
from acp_tui.aip.core.vocabulary import Ack, ActionResult, ActionStatus, StreamChunk
from acp_tui.aip.core.words import AckStatus, Other, State


def status(state: str, **more: object) -> ActionStatus:
    return ActionStatus.model_validate({"action_id": "act_1", "state": state, **more})


def result(word: str, **more: object) -> ActionResult:
    return ActionResult.model_validate({"action_id": "act_1", "status": word, **more})


def ack(word: str) -> Ack:
    return Ack.model_validate({"action_id": "act_1", "status": word})


def test_06_and_07_done_settles_nothing_and_a_result_does() -> None:
    action = Action("act_1")
    assert action.chunks.judge(StreamChunk.model_validate({"sequence": 1, "kind": "done"})) is Verdict.NEW
    action.read(status("running"), 1.0)
    assert action.chunks.ended == "done"
    assert not action.terminal and action.settled is None
    action.resulted(result("failed"), 2.0)
    assert action.settled is not None and action.settled.status == "failed"
    assert action.state is not None and action.state.fact.state is State.RUNNING, "no fact overwrites another"


def test_08_a_pause_settles_nothing_and_takes_no_result_away() -> None:
    action = Action("act_1")
    action.resulted(result("requires_human"), 1.0)
    assert action.settled is None and action.result is not None
    action.resulted(result("completed"), 2.0)
    action.resulted(result("pending_approval"), 3.0)
    assert action.settled is not None and action.settled.status == "completed"


def test_09_unknown_words_are_kept_raw_and_end_nothing() -> None:
    action = Action("act_1")
    action.acked(ack("parked"), 1.0)
    action.read(status("hibernating"), 2.0)
    action.resulted(result("shrugged"), 3.0)
    assert action.acknowledged is not None and isinstance(action.acknowledged.fact.status, Other)
    assert action.state is not None and action.state.fact.state == "hibernating"
    assert not action.terminal and action.settled is None and action.presence is Presence.KNOWN


def test_an_acknowledgement_is_no_completion() -> None:
    for word in AckStatus:
        action = Action("act_1")
        action.acked(ack(word), 1.0)
        assert action.settled is None and not action.terminal
        refused = word is AckStatus.REJECTED
        assert action.presence is (Presence.REFUSED if refused else Presence.KNOWN)


def test_an_uncertain_action_is_adopted_by_what_is_seen_only() -> None:
    action = Action("act_1")
    action.lost()
    action.read(status("unknown"), 1.0)
    assert action.presence is Presence.UNCERTAIN and action.hidden
    action.failed(Presence.UNSENT)
    assert action.presence is Presence.UNCERTAIN, "an earlier attempt may have arrived"
    action.read(status("queued"), 2.0)
    assert action.presence is Presence.KNOWN and not action.hidden


def test_20_what_completes_in_spite_of_a_cancel_finished_anyway() -> None:
    action = Action("act_1")
    action.cancelling(Cancel.ASKED, 1.0)
    action.cancelling(Cancel.RECORDED, 2.0)
    action.read(status("completed"), 3.0)
    assert action.cancel == Seen(Cancel.FINISHED_ANYWAY, 3.0)


def test_21_a_lost_answer_to_a_cancel_is_decided_by_the_state() -> None:
    action = Action("act_1")
    action.cancelling(Cancel.UNANSWERED, 1.0)
    action.read(status("running"), 2.0)
    assert action.cancel == Seen(Cancel.UNANSWERED, 1.0)
    action.read(status("cancelled"), 3.0)
    assert action.cancel == Seen(Cancel.RECORDED, 3.0)


def test_a_refused_cancel_stays_refused_and_an_expiry_is_no_cancel() -> None:
    refused, asked = Action("act_1"), Action("act_2")
    refused.cancelling(Cancel.REFUSED, 1.0)
    refused.read(status("completed"), 2.0)
    asked.cancelling(Cancel.UNANSWERED, 1.0)
    asked.read(status("expired"), 2.0)
    assert refused.cancel == Seen(Cancel.REFUSED, 1.0) and asked.cancel == Seen(Cancel.UNANSWERED, 1.0)


def test_36_a_failure_without_a_reason_is_a_failure() -> None:
    action = Action("act_1")
    action.resulted(result("failed", error={"no": "code"}), 1.0)
    assert action.settled is not None and action.settled.error is None


def test_the_age_of_a_fact_is_never_negative() -> None:
    assert Seen("x", 10.0).age(12.5) == 2.5
    assert Seen("x", 10.0).age(9.0) == 0.0
