"""Plans above the composer: the line, the whole of it on a key, one plan after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from acp_tui.ui.transcript.widget import Transcript
from acp_tui.ui.widgets.plan_line import PlanLine
from tests.render.hostile import HOSTILE
from tests.render.stage import FORBIDDEN
from tests.store.seen import Fed
from tests.ui.screen_text import widget_text

pytestmark = pytest.mark.anyio


class Planned(App[None]):
    """A plan line and nothing else; what it asks for is kept."""

    CSS = "PlanLine { height: auto; padding: 0 1; }"

    def __init__(self, fed: Fed) -> None:
        super().__init__()
        self.fed = fed
        self.got: list[object] = []

    def compose(self) -> ComposeResult:
        yield PlanLine()

    def on_mount(self) -> None:
        self.query_one(PlanLine).show(self.fed.store, self.fed.session.ref)

    def on_transcript_editor_wanted(self, event: Transcript.EditorWanted) -> None:
        self.got.append((event.path, event.line))

    def on_transcript_link(self, event: Transcript.Link) -> None:
        self.got.append(event.url)


class Shown:
    """The app while it runs."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        app = pilot.app
        assert isinstance(app, Planned)
        self.app, self.line = app, app.query_one(PlanLine)

    async def rows(self) -> list[str]:
        self.app.fed.flush()
        await self.pilot.pause()
        return [row.strip() for row in widget_text(self.line)] if self.line.display else []


@asynccontextmanager
async def shown(fed: Fed, size: tuple[int, int] = (60, 24)) -> AsyncIterator[Shown]:
    async with Planned(fed).run_test(size=size) as pilot:
        await pilot.pause()
        yield Shown(pilot)


def plan(fed: Fed, name: str, done: int, total: int, **entry: Any) -> None:
    status = ["completed"] * done + ["in_progress"] + ["pending"] * total
    entries = [
        {"content": f"{name} {number}", "priority": "medium", "status": status[number], **entry}
        for number in range(total)
    ]
    fed("plan_update", plan={"type": "items", "planId": name, "entries": entries})


async def test_one_line_while_there_is_something_to_do_and_the_whole_of_it_on_the_key() -> None:
    fed = Fed()
    async with shown(fed) as on:
        assert not await on.rows()
        assert not on.line.turn()
        plan(fed, "step", 1, 3)
        (row,) = await on.rows()
        assert row.split() == ["plan", "1/3", "·", "step", "1", "Alt+P", "all"]
        assert on.line.turn()
        rows = await on.rows()
        assert rows[0].split() == ["plan", "1/3", "Alt+P", "close"]
        assert rows[1:] == ["✓ step 0", "◐ step 1", "○ step 2"]
        plan(fed, "step", 3, 3)
        assert (await on.rows())[1:] == ["✓ step 0", "✓ step 1", "✓ step 2"]
        await on.pilot.click(on.line)
        assert not await on.rows()
        on.line.turn()
        assert len(await on.rows()) == 4


async def test_a_long_plan_is_shown_from_the_step_it_is_at_and_counts_the_rest() -> None:
    fed = Fed()
    plan(fed, "step", 8, 20)
    async with shown(fed) as on:
        on.line.turn()
        rows = await on.rows()
        assert rows[0].startswith("plan 8/20 · lines 8–14 of 20")
        assert rows[0].endswith("Alt+P more")
        assert rows[1:] == [f"✓ step {7}", "◐ step 8", *(f"○ step {n}" for n in range(9, 14))]
        on.line.turn()
        assert "lines 15–20" in (await on.rows())[0]
        on.line.turn()
        rows = await on.rows()
        assert "lines 1–7" in rows[0]
        assert rows[0].endswith("close")
        on.line.turn()
        assert len(await on.rows()) == 1


async def test_the_key_goes_through_all_plans_and_the_one_worked_on_comes_first() -> None:
    fed = Fed()
    plan(fed, "a", 1, 2)
    plan(fed, "b", 2, 2)
    plan(fed, "c", 0, 1)
    plan(fed, "a", 1, 2, priority="high")
    async with shown(fed, (70, 24)) as on:
        assert (await on.rows())[0].startswith("plan 1/2 · a 1")
        assert "1 of 3 plans" in (await on.rows())[0]
        seen = []
        for _ in range(3):
            on.line.turn()
            seen.append((await on.rows())[1])
        assert seen == ["✓ a 0", "✓ b 0", "◐ c 0"]
        fed("plan_removed", planId="c")
        assert len(await on.rows()) == 1
        for name in ("a", "b"):
            fed("plan_removed", planId=name)
        assert not await on.rows()


async def test_a_file_is_opened_on_a_click_only() -> None:
    fed = Fed()
    fed("plan_update", plan={"type": "file", "planId": "f", "uri": "file:///w/PLAN.md"})
    async with shown(fed) as on:
        assert (await on.rows())[0].startswith("plan · /w/PLAN.md")
        await on.pilot.click(on.line, offset=(10, 0))
        assert on.app.got == [("/w/PLAN.md", None)]
        fed("plan_update", plan={"type": "file", "planId": "f", "uri": "https://e.com/plan"})
        await on.rows()
        await on.pilot.click(on.line, offset=(12, 0))
        assert on.app.got[1:] == ["https://e.com/plan"]


async def test_a_plan_drawn_again_without_a_change_costs_nothing() -> None:
    fed = Fed()
    plan(fed, "step", 1, 3)
    async with shown(fed) as on:
        await on.rows()
        rows = on.line._rows(on.line.size.width)
        fed("usage_update", used=1, size=2)
        await on.rows()
        assert on.line._rows(on.line.size.width) is rows


@pytest.mark.parametrize("size", [(60, 24), (9, 5)])
async def test_hostile_plans(size: tuple[int, int]) -> None:
    fed = Fed()
    for number, text in enumerate(HOSTILE):
        plans: tuple[dict[str, Any], ...] = (
            {"type": "items", "entries": [{"content": text, "priority": text, "status": text}]},
            {"type": "markdown", "content": text},
            {"type": "file", "uri": text},
            {"type": "x" + text, "text": text},
        )
        for kind, content in enumerate(plans):
            fed("plan_update", plan={"planId": f"{number} {kind}", **content})
    async with shown(fed, size) as on:
        for number in range(len(on.line.plans)):
            on.line.open = (number, 1)
            rows = on.line._rows(on.line.size.width)
            assert not any(FORBIDDEN.search(row.text) for row in rows)
            assert {row.cell_length for row in rows} == {on.line.size.width}
        await on.rows()


async def test_a_plan_without_steps_says_so() -> None:
    fed = Fed()("plan_update", plan={"type": "items", "planId": "p", "entries": []})
    async with shown(fed) as on:
        on.line.turn()
        assert (await on.rows())[0].startswith("a plan without steps")
