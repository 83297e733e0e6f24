"""What a frame costs, by counting: no clocks."""

from __future__ import annotations

import base64
import gc
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest
from textual.binding import Binding
from textual.scroll_view import ScrollView

from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.view import View
from acp_tui.render.views import make_view
from acp_tui.render.wrap import Lines
from acp_tui.store.keys import Kind
from acp_tui.ui import keys
from acp_tui.ui.transcript.grouped import GroupedColumn
from acp_tui.ui.transcript.widget import Transcript
from tests.store.seen import Fed
from tests.ui.transcript.stage import prose, stage, talk, text

pytestmark = pytest.mark.anyio


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """How often each entity was asked for its lines."""
    count: Counter[str] = Counter()
    lines = View.lines

    def counted(self: View, width: int, look: Look) -> Lines:
        count[self.key.id] += 1
        return lines(self, width, look)

    monkeypatch.setattr(View, "lines", counted)
    yield count


def long() -> Fed:
    """Ten thousand entities."""
    fed = Fed()
    for number in range(10_000):
        fed("agent_message", messageId=f"m{number}", content=[text(f"{number}: {prose(number % 50, 5)}")])
    return fed


async def test_a_frame_over_ten_thousand_entities_asks_only_for_what_is_seen(asked: Counter[str]) -> None:
    async with stage(long()) as on:
        rows = on.transcript.size.height
        asked.clear()
        await on.say("agent_message", "m9999", "more")
        assert 0 < asked.total() <= rows + 2
        asked.clear()
        await on.wheel(-3)
        assert asked.total() <= rows + 2 + 3
        asked.clear()
        await on.pilot.resize_terminal(60, 24)
        await on.settled()
        assert asked.total() <= 4 * (rows + 2)  # Textual says it more than once


async def test_what_streams_out_of_sight_draws_nothing(asked: Counter[str]) -> None:
    async with stage(talk(300)) as on:
        await on.say("agent_message", "new", "begins")
        await on.wheel(-100)
        asked.clear()
        for number in range(30):
            await on.say("agent_message", "new", f"{prose(number)}\n\n")
        assert not asked
        assert on.transcript.max_scroll_y - on.transcript.scroll_y > 100


async def test_a_chunk_draws_its_entity_once_a_frame(asked: Counter[str]) -> None:
    fed = talk(50)
    async with stage(fed) as on:
        asked.clear()
        for number in range(20):
            fed("agent_message_chunk", messageId="new", content=text(f"word{number} "))
        await on.settled()
        assert asked["new"] <= 2
        assert "word19" in " ".join(on.rows())


async def test_what_no_entry_shows_settles_nothing(asked: Counter[str]) -> None:
    fed = talk(50)
    async with stage(fed) as on:
        shown = on.transcript.steady.shown.copy()
        asked.clear()
        fed("usage_update", used=1, size=2)
        fed("session_info_update", title="another")
        fed("state_update", state="running")
        fed.store.touch(fed.key(Kind.PLAN, "p"))
        fed.flush()
        assert not on.transcript.pending
        assert (await on.settled()).transcript.steady.shown == shown
        assert not asked


async def test_a_second_passing_makes_only_running_lines_anew() -> None:
    fed = talk(40)
    async with stage(fed) as on:
        assert not on.transcript.ticking
        fed("tool_call_update", toolCallId="run", title="sleep 100", kind="execute", status="in_progress")
        await on.settled()
        assert on.transcript.ticking
        before = [row.strip for row in on.transcript.rows]
        fed.at += 5
        on.transcript.tick()
        await on.settled()
        after = [row.strip for row in on.transcript.rows]
        made = [y for y, (a, b) in enumerate(zip(before, after, strict=True)) if a is not b]
        assert len(made) <= 2
        assert "5.0 s" in on.rows()[made[-1]] or "5 s" in on.rows()[made[-1]]
        fed("tool_call_update", toolCallId="run", status="completed")
        assert not (await on.settled()).transcript.ticking


async def test_a_terminal_draws_the_tool_call_that_shows_it(asked: Counter[str]) -> None:
    fed = talk(10)
    async with stage(fed) as on:
        content = [{"type": "terminal", "terminalId": "t"}]
        fed(
            "tool_call_update",
            toolCallId="run",
            title="make",
            kind="execute",
            status="failed",
            content=content,
        )
        fed("terminal_update", terminalId="t", command="make")
        await on.settled()
        asked.clear()
        fed("terminal_output_chunk", terminalId="t", data=base64.b64encode(b"no rule to make it").decode())
        await on.settled()
        assert asked["run"]
        assert "no rule to make it" in " ".join(on.rows())


async def test_growing_text_waits_for_its_turn_and_a_move_does_not(
    asked: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = 1000.0
    monkeypatch.setattr("acp_tui.ui.transcript.widget.TEXT_RATE", 1 / turn)
    fed = talk(30)
    async with stage(fed) as on:
        await on.say("agent_message", "new", "begins ")
        asked.clear()
        fed("agent_message_chunk", messageId="new", content=text("and goes on"))
        handle = on.transcript._settle_handle
        assert handle is not None and not asked
        assert handle.when() >= on.transcript._settled_at + turn
        on.transcript.move(-1)
        handle = on.transcript._settle_handle
        assert handle is None or handle.when() < on.transcript._settled_at + turn


async def test_in_a_flood_what_comes_leaves_time_for_more_and_a_move_does_not_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fed = talk(30)
    async with stage(fed) as on:
        await on.say("agent_message", "new", "begins ")
        transcript = on.transcript
        monkeypatch.setattr("acp_tui.ui.transcript.scroll.LONGEST", 2000.0)
        for took, rest in ((500.0, 1500.0), (900.0, 2000.0)):
            transcript._took = took
            fed("agent_message", messageId=f"after {took}", content=[text("more")])
            fed.flush()
            handle = transcript._settle_handle
            assert handle is not None and handle.when() == transcript._settled_at + rest
            transcript.move(-1)
            handle = transcript._settle_handle
            assert handle is not None and handle.when() < transcript._settled_at + rest
            await on.settled()
        assert transcript._took < 500.0


async def test_far_views_forget_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acp_tui.ui.transcript.column.KEPT", 5)
    forgotten: set[str] = set()
    forget = View.forget
    monkeypatch.setattr(View, "forget", lambda self: (forgotten.add(self.key.id), forget(self))[1])
    async with stage(talk(200)) as on:
        await on.wheel(-20)
        rows = on.rows()
        for _ in range(30):
            await on.wheel(-20)
        assert "m199" in forgotten
        for _ in range(30):
            await on.wheel(20)
        assert on.rows() == rows


MEANT = {
    *(
        "DEFAULT_CSS",
        "COMPONENT_CLASSES",
        "BINDINGS",
        "on_mount",
        "notify_style_update",
        "refresh",
        "scroll_to",
    ),
    *("render_line", "render_lines", "watch_scroll_y", "selection_updated", "get_selection"),
}
"""Names of its bases that the transcript has anew on purpose."""


def test_no_attribute_of_the_transcript_hides_one_of_its_bases() -> None:
    class Plain(ScrollView, inherit_bindings=False):
        """What Textual itself puts into a subclass."""

    fed = Fed()
    base = ScrollView()
    taken = set(vars(base)) | set(dir(ScrollView))
    on_self = set(vars(Transcript(fed.store, fed.session.ref, lambda: 0.0))) - set(vars(base))
    assert not on_self & taken
    ours = Transcript.__mro__[: Transcript.__mro__.index(ScrollView)]
    on_class = {name for cls in ours for name in vars(cls) if not name.startswith("__")} - set(vars(Plain))
    assert on_class & taken <= MEANT


def test_every_key_has_its_action() -> None:
    for binding in keys.bindings("transcript"):
        assert isinstance(binding, Binding)
        assert hasattr(Transcript, "action_" + binding.action.split("(")[0]), binding


def test_what_was_never_drawn_costs_little_beside_its_entity() -> None:
    fed = talk(3000)
    make = partial(make_view, store=fed.store, now=lambda: 0.0)
    GroupedColumn(fed.store, fed.session.ref, make).sync()  # what is made once is made
    gc.collect()
    tracemalloc.start()
    try:
        column = GroupedColumn(fed.store, fed.session.ref, make)
        column.look = FALLBACK
        column.set_width(100)
        column.sync()
        column.window(40)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] / 3000 < 1300
    finally:
        tracemalloc.stop()


async def test_another_width_of_ten_thousand_is_sums(asked: Counter[str]) -> None:
    estimated: Counter[str] = Counter()
    async with stage(long()) as on:
        column = on.transcript.column
        assert column is not None
        estimate = column._estimate
        column._estimate = lambda index: (estimated.update(["one"]), estimate(index))[1]  # type: ignore[method-assign]
        asked.clear()
        column.set_width(61)
        assert estimated.total() == 10_000
        assert asked.total() <= 2, "only what the reader stands at"
