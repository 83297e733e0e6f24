"""The detail screen over what is very long: little at a time, by counting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count

import pytest

from acp_tui.protocol.tool_call import Diff
from acp_tui.render.diff_reading import Reading, read
from acp_tui.render.look import FALLBACK
from acp_tui.store.keys import Kind
from acp_tui.ui.detail import content
from acp_tui.ui.detail import marked as marked_module
from acp_tui.ui.detail.marked import Marked
from acp_tui.ui.detail.parts import Code, Part, code
from acp_tui.ui.detail.pile import Pile
from acp_tui.ui.detail.search import ROWS, SECTION, Hit, Logic, Search, Sections
from tests.store.seen import Fed
from tests.ui.detail_stage import reading

MANY = 3000


def marked() -> Marked:
    part = Marked()
    part.put(
        "\n\n".join(f"paragraph {n} has **words** that wrap: needle" for n in range(MANY)), growing=False
    )
    return part


def pile(*parts: Part, width: int = 60) -> Pile:
    made = Pile(parts)
    made.fit(width, FALLBACK)
    return made


def searched(made: Pile, sought: str, enough: Callable[[], bool] = lambda: False) -> tuple[Search, int]:
    """A search that is through, and how many steps it took."""
    search = Search(sought)
    for steps in count(1):
        if search.step(made.parts, made.lines, enough):
            return search, steps
    raise AssertionError


def test_a_search_counts_a_section_at_a_time_and_finds_all() -> None:
    made = pile(marked())
    search, steps = searched(made, "needle", lambda: True)
    assert len(search.hits) == MANY
    sections = -(-(2 * MANY - 1) // SECTION)  # blank lines are lines
    assert len({hit.section for hit in search.hits}) == sections <= steps


@pytest.mark.parametrize("width", [30, 60, 100])
def test_a_hit_is_the_same_at_any_width(width: int) -> None:
    search, _ = searched(pile(marked()), "needle")
    made = pile(marked(), width=width)
    lines = made.lines(0)
    while made.parts[0].behind:
        made.lines(0)
    for hit in search.hits[:: MANY // 10]:
        row = search.row(hit, made.parts[0], lines)
        assert "needle" in "".join(strip.text for strip in lines.strips[row : row + 2]).replace(" ", "")
        spans = search.spans(made.parts[0], lines, range(row, row + 1))
        assert any((span.section, span.nth) == hit[1:] for span in spans[row])


def test_what_is_marked_on_a_window_looks_at_its_sections_only(monkeypatch: pytest.MonkeyPatch) -> None:
    made = pile(marked())
    search, _ = searched(made, "needle")
    lines = made.lines(0)
    asked: list[int] = []
    logic = search.logic

    def counted(part: Part, sections: Sections, section: int) -> Logic:
        asked.append(section)
        return logic(part, sections, section)

    monkeypatch.setattr(search, "logic", counted)
    search.spans(made.parts[0], lines, range(4000, 4040))
    assert 1 <= len(asked) <= 2


def test_the_next_hit_goes_round_from_where_the_reader_is() -> None:
    search, _ = searched(pile(marked()), "needle")
    here = Hit(0, 5, -1)
    first = search.next(1, here)
    assert first is not None and (first.section, first.nth) == (5, 0)
    before = search.next(-1, here)
    assert before is not None and before.section == 4
    search.current = search.hits[-1]
    assert search.next(1, here) == search.hits[0]


def test_a_line_without_end_is_cut_into_sections_too() -> None:
    part = Marked()
    part.put("words " * 50_000, growing=False)
    made = pile(part)
    search, _ = searched(made, "words")
    sections = {hit.section for hit in search.hits}
    assert len(sections) == -(-len(made.lines(0)) // ROWS) > 4
    assert 50_000 - len(sections) <= len(search.hits) <= 50_000


def test_another_width_keeps_what_is_read_and_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marked_module, "SLICE", -1.0)  # a leaf at a time
    part = marked()
    made = pile(part, width=45)
    searched(made, "needle")  # lays all of it out
    made.stand(0, 4001)
    made.move(3)
    before = made.window(10)
    words = next(row.strip.text for row in before if "paragraph" in row.strip.text).split()[:2]
    share = made.top / made.heights.total
    made.fit(90, FALLBACK)
    waited = 0
    while not (rows := made.window(10)) or made.awaited:
        assert abs(made.top / made.heights.total - share) < 0.2
        waited += 1
        made.move(1)
        made.move(-1)
    assert waited > MANY // 4
    assert any(row.strip.text.split()[:2] == words for row in rows[:4])


def test_a_part_with_a_text_is_one_section() -> None:
    made = pile(*code("\n".join(f"value {n}" for n in range(1000))))
    search, _ = searched(made, "value")
    assert len(search.hits) == 1000
    assert {hit.section for hit in search.hits} == {0}


def test_another_width_asks_no_line_for_its_length() -> None:
    class Line(str):
        def __len__(self) -> int:
            asked.append(self)
            return super().__len__()

    asked: list[str] = []
    part = Code([Line("short"), Line("y" * 100)], "")
    asked.clear()
    assert part.estimate(52) == 4
    assert not asked


@pytest.mark.anyio
async def test_a_diff_that_was_put_aside_is_read_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def read_here(diff: Diff) -> Reading:
        threads.append(threading.current_thread())
        return read(diff)

    monkeypatch.setattr(content, "read", read_here)
    body = "".join(f" same {n}\n-old {n}\n+new {n}\n" for n in range(12_000))
    patch = f"--- a/src/lex.py\n+++ b/src/lex.py\n@@ -1,24000 +1,24000 @@\n{body}"
    change = {"operation": "modify", "path": "/w/src/lex.py"}
    diff = {"type": "diff", "changes": [change], "patch": {"format": "git_patch", "text": patch}}
    fed = Fed()("tool_call_update", toolCallId="c", title="edit", status="completed", content=[diff])
    async with reading(fed, Kind.TOOL_CALL, "c") as on:
        await on.until("new 0")
        assert on.sheet.pile.heights.total >= 36_000
        assert threads and threading.main_thread() not in threads
