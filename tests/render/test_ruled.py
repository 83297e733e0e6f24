"""What a rule of the user has answered, where it did (PM-14)."""

from __future__ import annotations

from typing import Any

from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.render.told import told
from acp_tui.render.views import make_view
from acp_tui.store.entities import AgentRequest, ToolCall
from acp_tui.store.keys import Key, Kind
from tests.render.stage import Stage, drawn

OPTIONS = [{"optionId": "y", "name": "Allow\x1b[2J once", "kind": "allow_once"}]


def answered(stage: Stage, *, why: str = "allow command ls", outcome: Any = None) -> AgentRequest:
    """A request that a rule has answered."""
    params = {"sessionId": "s", "title": "Run it?\n\u202eNow", "options": OPTIONS}
    request = AgentRequest(
        key=Key("s1", Kind.REQUEST, "1:1"),
        created_at=1.0,
        generation=1,
        request_id=1,
        method="session/request_permission",
        params=RequestPermissionRequest.model_validate(params),
        status="answered",
        outcome=outcome or {"outcome": {"outcome": "selected", "optionId": "y"}},
        answered_by="rule",
        answered_why=why,
    )
    stage.session.entities[request.key] = request
    return request


def test_it_stands_under_the_call_folded_or_not(stage: Stage) -> None:
    stage.call(title="List", status="completed")
    call = stage.entity(Kind.TOOL_CALL, "c1")
    assert isinstance(call, ToolCall)
    call.ruled = (answered(stage).key,)
    view = stage.view(Kind.TOOL_CALL, "c1")
    said = "   ↳ Allow once · by your rule “allow command ls”"
    assert drawn(view, 80) == [" ✓ · List", said]
    assert view.estimate(80) == 2
    view.folded = False
    assert said in drawn(view, 80)


def test_about_no_call_it_is_a_line_of_its_own_with_what_was_asked(stage: Stage) -> None:
    view = make_view(answered(stage), stage.store, lambda: stage.at)
    text = " ".join(" ".join(drawn(view, 60)).split())
    assert text.startswith("↳ Allow") and "by your rule “allow command ls” · Run it?" in text
    assert "Run it?" in told([view])


def test_a_long_rule_is_cut_and_an_outcome_nobody_knows_is_an_answer(stage: Stage) -> None:
    request = answered(stage, why="allow command " + 1000 * "x", outcome={"odd": 1})
    rows = drawn(make_view(request, stage.store, lambda: stage.at), 80)
    assert rows[0].startswith("   ↳ answered · by your rule “allow command")
    assert len(rows) < 5
