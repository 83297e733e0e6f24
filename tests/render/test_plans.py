from __future__ import annotations

from typing import Any

from acp_tui.render.look import FALLBACK
from acp_tui.render.markdown import Page
from acp_tui.render.plan import Progress, plan_line, plan_lines, progress, weight
from acp_tui.store.entities import Plan
from acp_tui.store.keys import Kind
from tests.render.stage import Stage, texts


def plan(stage: Stage, **content: Any) -> Plan:
    stage.update("plan_update", plan={"planId": "p", **content})
    entity = stage.entity(Kind.PLAN, "p")
    assert isinstance(entity, Plan)
    return entity


def test_a_plan_in_one_line_and_whole(stage: Stage) -> None:
    entries = [
        {"content": "first", "priority": "low", "status": "completed"},
        {"content": "second\nstep", "priority": "high", "status": "in_progress"},
        {"content": "third", "priority": "odd", "status": "odd"},
        {"content": "fourth", "priority": "low", "status": "cancelled"},
    ]
    made = plan(stage, type="items", entries=entries)
    assert progress(made) == Progress(2, 4, 1, "second step")
    assert "".join(text for text, _ in plan_line(made, FALLBACK)) == "plan 2/4 · second step"
    page = Page(40, FALLBACK, (), FALLBACK.base)
    assert texts(plan_lines(made, page), 40) == [
        "✓ first",
        "◐ second",
        "  step  high",
        "· third  odd  odd",
        "⊘ fourth",
    ]


def test_other_plans(stage: Stage) -> None:
    page = Page(40, FALLBACK, (), FALLBACK.base)
    for content, line, lines in (
        ({"type": "markdown", "content": "# Do\nit"}, "plan · Do", ["Do", "it"]),
        ({"type": "markdown", "content": "- [x] a\n  1. [ ] b c"}, "plan 1/2 · b c", ["✓ a", "  ☐ b c"]),
        ({"type": "file", "uri": "file:///p"}, "plan · /p", ["/p"]),
        ({"type": "items", "entries": []}, "plan 0/0 · empty", []),
    ):
        made = plan(stage, **content)
        assert "".join(text for text, _ in plan_line(made, FALLBACK)) == line
        assert texts(plan_lines(made, page), 40) == lines
    made = plan(stage, type="odd", x=1)
    assert "unknown kind: odd" in "".join(text for text, _ in plan_line(made, FALLBACK))
    assert '   "x": 1' in texts(plan_lines(made, page), 40)


def test_what_is_finished_needs_no_line(stage: Stage) -> None:
    entry = {"content": "a", "priority": "low", "status": "completed"}
    assert not weight(plan(stage, type="items", entries=[entry]))
    assert not weight(plan(stage, type="items", entries=[]))
    assert not weight(plan(stage, type="markdown", content="- [x] a"))
    odd = weight(plan(stage, type="odd"))
    assert 0 < odd < weight(plan(stage, type="file", uri="file:///p"))
    assert (
        odd
        < weight(plan(stage, type="markdown", content="a"))
        < weight(plan(stage, type="markdown", content="- [ ] a"))
    )
    made = plan(stage, type="items", entries=[entry])
    assert "".join(text for text, _ in plan_line(made, FALLBACK)) == "plan 1/1 · all done"
