from __future__ import annotations

from typing import Any

import pytest

from acp_tui.render.views import make_view
from acp_tui.store.entities import Cancel, SubmissionStatus
from acp_tui.store.keys import Kind
from tests.render.stage import Stage, drawn


def end_turn(stage: Stage, **fields: Any) -> list[str]:
    if fields.pop("output", True):
        stage.say("x")
    stage.update("state_update", state="idle", **fields)
    turns = [view for view in stage.views() if view.key.kind == Kind.TURN]
    return [line.split(" · ")[0].strip(" ─") for line in drawn(turns[-1])]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"stopReason": "max_tokens"}, "ended: the answer reached the token limit"),
        ({"stopReason": "refusal"}, "ended: the model refused to go on"),
        ({"stopReason": "_vendor"}, "stopped: _vendor"),
        ({}, "stopped"),
        (
            {"stopReason": "error", "error": {"code": -1, "message": "rate\nlimited"}},
            "▸ stopped: rate limited (-1)",
        ),
        ({"stopReason": "error"}, "stopped by an error"),
        ({"stopReason": "end_turn", "output": False}, "ended without any output"),
        ({"stopReason": "refusal", "output": False}, "ended: the model refused to go on"),
    ],
)
def test_the_end_of_a_turn_says_why(stage: Stage, fields: dict[str, Any], said: str) -> None:
    assert end_turn(stage, **fields) == [said]


def test_an_error_opens_to_its_data(stage: Stage) -> None:
    end_turn(stage, stopReason="error", error={"code": 1, "message": "m", "data": {"retry": 3}})
    view = stage.views()[-1]
    assert drawn(view)[0].startswith(" ── ▸ stopped: m (1)")
    view.act(("toggle",))
    assert '      "retry": 3' in drawn(view)


def test_a_long_error_opens_to_its_whole_message(stage: Stage) -> None:
    end_turn(stage, stopReason="error", error={"code": 1, "message": "first\n  second " + "x" * 300})
    view = stage.views()[-1]
    assert drawn(view)[0].startswith(" ── ▸ stopped: first second xxx")
    view.toggle()
    assert drawn(view)[1:3] == ["   first", "     second"]
    assert view.source().startswith("first\n")


def test_what_the_agent_did_by_itself_is_marked(stage: Stage) -> None:
    stage.update("state_update", state="idle", stopReason="end_turn")
    stage.update("state_update", state="running")
    assert end_turn(stage, stopReason="end_turn") == ["the agent worked by itself"]
    stage.update("state_update", state="running")
    end_turn(stage, stopReason="refusal", output=False)
    line = drawn(stage.views()[-1], 100)[0]
    assert "the model refused to go on · no output · the agent worked by itself" in line


def test_a_compaction_is_a_rule_with_its_summary_folded(stage: Stage) -> None:
    stage.update("compaction_update", compactionId="k", status="in_progress")
    view = stage.view(Kind.COMPACTION, "k")
    assert drawn(view)[0].startswith(" ── compacting the conversation")
    assert view.folded is None
    stage.at += 12
    assert drawn(view)[0].startswith(" ── compacting the conversation · 12 s ──")
    stage.update("state_update", state="idle", stopReason="end_turn")
    assert " s " not in drawn(view)[0]
    assert not view.ticking
    stage.update("compaction_update", compactionId="k", status="failed", error="no room",
                 summary=[{"type": "text", "text": "We **did**"}])  # fmt: skip
    assert drawn(view)[0].startswith(" ── compacting failed · ▸ summary")
    assert drawn(view)[1:] == ["   no room"]
    view.toggle()
    assert drawn(view)[1:] == ["   no room", "   We did"]
    assert view.source() == "We **did**"


def test_a_prompt_that_left_says_where_it_is_until_its_message_is_there(stage: Stage) -> None:
    made = stage.submit("my\nwords", "pending")
    view = make_view(made, stage.store, lambda: stage.at)
    assert drawn(view) == ["▌ my", "▌ words", "  sent, not accepted yet · take it back"]
    assert view.source() == "my\nwords"
    made.withdraw_asked_at, made.revision = 1.0, made.revision + 1
    assert drawn(view)[-1] == "  not accepted yet · the agent was asked to give it back"
    made.status, made.revision = "inserted", made.revision + 1
    assert drawn(view) == ["▌ my", "▌ words", "  accepted"]


@pytest.mark.parametrize("status", ["queued", "held", "uncertain"])
def test_a_prompt_that_is_listed_above_the_composer_is_not_drawn_twice(
    stage: Stage, status: SubmissionStatus
) -> None:
    view = make_view(stage.submit("words", status, "why"), stage.store, lambda: stage.at)
    assert drawn(view) == []
    assert view.estimate(80) == 0


def test_work_that_ended_well_although_a_cancel_was_asked_for_says_so(stage: Stage) -> None:
    stage.update("state_update", state="running")
    stage.session.cancel = Cancel(asked_at=stage.at)
    stage.update("state_update", state="idle", stopReason="end_turn")
    assert "finished anyway" in drawn(stage.view(Kind.TURN, "1"))[0]


def test_a_subagent_is_one_line_with_its_state(stage: Stage) -> None:
    stage.update("subagent_update", sessionId="kid", title="Look at\nit")
    view = stage.view(Kind.SUBAGENT, "kid")
    assert "↳ Look at it" in drawn(view)[0] and "not confirmed" in drawn(view)[0]
    child = stage.store.sessions[view.entity.child]  # type: ignore[attr-defined]
    child.state, child.state_since = "running", stage.at
    stage.at += 5
    assert drawn(view)[0].endswith("working     5 s")
    assert view.ticking
    child.state = "idle"
    ends = {"end_turn": "✓ idle", "error": "✗ stopped by an error", "cancelled": "⊘ cancelled"}
    for child.stop_reason, said in ends.items():
        line = drawn(view)[0].split()
        assert [line[0], *line[5:]] == said.split(), "it does not look done where it is not"
