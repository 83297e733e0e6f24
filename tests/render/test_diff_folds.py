from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from textual.strip import Strip

from acp_tui.protocol.tool_call import Diff
from acp_tui.render import diff_files, diff_paint, wrap
from acp_tui.render.diff import DiffLines, Reading, diff_lines, owner, read
from acp_tui.render.look import FALLBACK
from acp_tui.store.keys import Kind
from tests.render.stage import CWD, Stage, drawn, texts


def section(path: str, lines: int, text: str = "line") -> str:
    body = "".join(f"+{text} {number}\n" for number in range(lines))
    return f"diff --git {path} {path}\n--- /dev/null\n+++ {path}\n@@ -0,0 +1,{lines} @@\n{body}"


def files(*sizes: int) -> Reading:
    text = "".join(section(f"/w/{number}.py", size) for number, size in enumerate(sizes))
    value = {"type": "diff", "changes": [], "patch": {"format": "git_patch", "text": text}}
    return read(Diff.model_validate(value))


def parts(made: DiffLines) -> dict[str, int]:
    """The rows that fold and unfold, by their text."""
    found = {}
    for strip in made.strips:
        for segment in strip:
            act = segment.style.meta.get("act", ()) if segment.style is not None else ()
            if act[:1] == ("part",):
                found[strip.text.strip()] = act[1]
    return found


def lay(reading: Reading, *toggled: int, **more: Any) -> DiffLines:
    made = diff_lines(reading, 60, FALLBACK, cwd="/w", toggled=toggled, **more)
    texts(made, 60)
    return made


def test_huge_files_among_others_are_one_row() -> None:
    reading = files(2, 5000, 3)
    made = lay(reading)
    rows = texts(made, 60)
    assert rows[3] == "▸ 1.py  added  +5000 −0"
    assert len(rows) == 1 + 2 + 1 + 1 + 3
    assert made.changes == [1, 3, 5]
    part = parts(made)[rows[3]]
    opened = texts(lay(reading, part), 60)
    assert opened[3] == "▾ 1.py  added  +5000 −0"
    assert opened[4 + diff_files.PAGE] == "… 4,500 more lines"


def test_counts_of_what_is_left_out_bring_more() -> None:
    reading = files(1200)
    made = lay(reading, limit=40)
    assert texts(made, 60)[-1] == "… 1,160 more lines"
    more = lay(reading, parts(made)["… 1,160 more lines"], limit=40)
    assert texts(more, 60)[-1] == "… 660 more lines"
    assert len(more) == len(made) + diff_files.PAGE
    both = (parts(made)["… 1,160 more lines"], parts(more)["… 660 more lines"])
    assert texts(lay(reading, *both, limit=40), 60)[-1] == "… 160 more lines"


def test_folding_a_file_opens_no_other() -> None:
    reading = files(10, 10, 10, 35)
    made = lay(reading, limit=40)
    assert texts(made, 60)[-1] == "▸ 3.py  added  +35 −0"
    folded = texts(lay(reading, parts(made)["▾ 0.py  added  +10 −0"], limit=40), 60)
    assert folded[0] == "▸ 0.py  added  +10 −0"
    assert folded[-1] == "▸ 3.py  added  +35 −0"
    assert len(folded) == len(made) - 10


def test_very_many_files_are_counted() -> None:
    reading = files(*[1] * 500)
    made = lay(reading, limit=10)
    assert texts(made, 60)[-1] == "… 300 more files"
    assert texts(lay(reading, parts(made)["… 300 more files"], limit=10), 60)[-1] == "… 100 more files"


def test_who_decides_sees_everything() -> None:
    reading = files(2, 700, *[1] * 250)
    assert len(lay(reading, limit=5, exact=True)) == 252 + 2 + 700 + 250


def test_parts_know_their_diff() -> None:
    for index in (0, 1, 77):
        made = lay(files(2, 5000), index=index)
        assert {owner(part) for part in parts(made).values()} == {index}
    assert owner(-2) == owner(3) == -1


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, int]]:
    """How many strips are made and characters highlighted."""
    counts = {"strips": 0, "characters": 0}
    strip, highlight = wrap.strip, diff_paint.highlight

    def strips(*arguments: Any) -> Strip:
        counts["strips"] += 1
        return strip(*arguments)

    def highlighted(lines: list[str], *rest: Any) -> Any:
        counts["characters"] += sum(map(len, lines))
        return highlight(lines, *rest)

    monkeypatch.setattr(wrap, "strip", strips)
    monkeypatch.setattr(diff_paint, "highlight", highlighted)
    diff_paint.paint.cache_clear()
    yield counts
    diff_paint.paint.cache_clear()


def test_what_is_folded_costs_its_row(counted: dict[str, int]) -> None:
    lay(files(400, 100_000))
    assert counted == {"strips": 2, "characters": 0}


def test_a_monstrous_file_costs_what_is_shown(counted: dict[str, int]) -> None:
    made = lay(files(100_000), limit=400)
    assert len(made) == 402
    assert counted["strips"] == 402
    assert counted["characters"] < 5000


def test_highlighting_has_an_end_and_is_done_once(counted: dict[str, int]) -> None:
    reading = files(*[90] * 11)
    for one in reading.files:
        for hunk in one.hunks:
            hunk.lines = [line + " = some(longer, code)" * 3 for line in hunk.lines]
    lay(reading)
    spent = counted["characters"]
    assert 0 < spent <= diff_files.PAINTED + 100
    lay(reading, head=False)
    assert counted["characters"] == spent


def test_long_lines_are_cut_and_counted_unless_somebody_decides() -> None:
    text = section("/w/x.js", 2, "y" * 100_000)
    value = {"type": "diff", "changes": [], "patch": {"format": "git_patch", "text": text}}
    reading = read(Diff.model_validate(value))
    made = lay(reading)
    assert len(made) < 200
    assert "96,003 more characters" in "".join(texts(made, 60))
    assert sum(strip.text.count("y") for strip in lay(reading, exact=True).strips) == 200_000


def call(stage: Stage, *sizes: int) -> None:
    text = "".join(section(f"{CWD}/{number}.py", size) for number, size in enumerate(sizes))
    content = [
        {"type": "content", "content": {"type": "text", "text": "done"}},
        {"type": "diff", "changes": [], "patch": {"format": "git_patch", "text": text}},
    ]
    stage.call(title="edit", status="completed", content=content)


def test_parts_of_a_diff_open_in_its_call(stage: Stage) -> None:
    call(stage, 2, 500)
    view = stage.view(Kind.TOOL_CALL, "c1")
    view.toggle()
    before = drawn(view)
    assert "   ▸ 1.py  added  +500 −0" in before
    made = DiffLines()
    made.strips = view.strips(60, FALLBACK)
    assert view.act(("part", parts(made)["▸ 1.py  added  +500 −0"]))
    assert len(drawn(view)) == len(before) + 500
    assert drawn(view)[1] == "   done"


def test_d_switches_a_call_with_a_diff(stage: Stage) -> None:
    stage.call(title="edit", status="completed", content=[
        {"type": "diff", "changes": [], "patch": {"format": "git_patch", "text": (
            f"diff --git {CWD}/a {CWD}/a\n--- {CWD}/a\n+++ {CWD}/a\n@@ -1 +1 @@\n-old\n+new\n"
        )}},
    ])  # fmt: skip
    stage.call("c2", title="read", status="completed")
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert not stage.view(Kind.TOOL_CALL, "c2").act(("layout",))
    assert len(drawn(view, 80)) == 1
    assert view.act(("layout",))
    assert drawn(view, 80)[2:4] == ["      1 - old", "      1 + new"]
    assert view.act(("layout",))
    assert drawn(view, 80)[2] == f"{'      1 - old':<41}│   1 + new"
    assert view.act(("layout",))
    assert drawn(view, 80)[2:4] == ["      1 - old", "      1 + new"]
    wide = stage.view(Kind.TOOL_CALL, "c1")
    wide.toggle()
    assert drawn(wide, 160)[2].split() == ["1", "-", "old", "│", "1", "+", "new"]
