from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from acp_tui.protocol.tool_call import Diff
from acp_tui.render.clean import clean
from acp_tui.render.diff import Layout, diff_lines
from acp_tui.render.diff_paint import paint, spoken
from acp_tui.render.diff_rows import BAR, DiffLines
from acp_tui.render.look import FALLBACK
from acp_tui.render.wrap import JOINTS
from tests.render.stage import texts

PIECES = [
    "漢字",
    "👩‍👩‍👧",
    "❤️",
    "👍🏽",
    "🇨🇭",
    "e\u0301\u0323",
    "\u0301",
    "\u200d",
    "\ufe0f",
    "\t",
    "a b",
    "أهلا",
    "\x1b[31m",
]
ANY = st.text(st.characters(exclude_characters="\n\r"), max_size=8)
TEXT = st.lists(st.sampled_from([*PIECES, "x" * 30]) | ANY, max_size=8).map("".join)
LINE = st.builds("{}.{}".format, st.sampled_from(" -+"), TEXT)
"""A mark at the very beginning would stand on the cell before it, in the gutter; hence the dot."""
WIDTHS = st.integers(30, 160)
LAYOUTS: st.SearchStrategy[Layout] = st.sampled_from(["unified", "split", "auto"])


def patch(lines: list[str], path: str = "/w/x.py", start: int = 1) -> str:
    old = sum(line[0] in " -" for line in lines)
    new = sum(line[0] in " +" for line in lines)
    head = f"diff --git {path} {path}\n--- {path}\n+++ {path}\n@@ -{start},{old} +{start},{new} @@\n"
    return head + "".join(f"{line}\n" for line in lines)


def laid(text: str, width: int, layout: Layout = "unified", **more: object) -> DiffLines:
    change = {"operation": "modify", "path": "/w/x.py"}
    value = {"type": "diff", "changes": [change], "patch": {"format": "git_patch", "text": text}}
    made = diff_lines(Diff.model_validate(value), width, FALLBACK, layout=layout, head=False, **more)  # type: ignore[arg-type]
    texts(made, width)
    return made


def bare(text: str) -> str:
    """Without blanks: those at the end of a row cannot be told from what fills it."""
    return text.replace(" ", "")


def side(lines: list[str], signs: str) -> list[str]:
    return [bare(clean(line[1:])) for line in lines if line[0] in signs]


def copied(made: DiffLines) -> list[str]:
    """The rows without their gutters, soft wraps joined again."""
    text = ""
    for strip, mark in zip(made.strips, made.marks, strict=True):
        text += bare(strip.crop(mark >> 2).text) + JOINTS[mark & 3]
    return text.split("\n")[:-1] if text else []


def by_sign(made: DiffLines, signs: str) -> list[str]:
    """The lines with one of these signs, from the rows of one column."""
    found: list[list[str]] = []
    wanted = open_ = False
    for strip, mark in zip(made.strips, made.marks, strict=True):
        gutter = mark >> 2
        if not open_:
            wanted = strip.crop(gutter - 2, gutter - 1).text in signs
            if wanted:
                found.append([])
        if wanted:
            found[-1].append(bare(strip.crop(gutter).text))
        open_ = JOINTS[mark & 3] != "\n"
    return ["".join(parts) for parts in found]


@given(st.lists(LINE, min_size=1, max_size=20), WIDTHS)
def test_one_column_holds_both_sides(lines: list[str], width: int) -> None:
    made = laid(patch(lines), width)
    assert by_sign(made, " +") == side(lines, " +")
    assert by_sign(made, " -") == side(lines, " -")


@given(st.lists(LINE, min_size=1, max_size=20), st.integers(60, 160))
def test_side_by_side_what_is_copied_is_the_new_side(lines: list[str], width: int) -> None:
    made = laid(patch(lines), width, "split")
    if {"+", "-"} <= {line[0] for line in lines}:
        assert copied(made) == side(lines, " +")
        olds = "".join(bare(strip.crop(7, (width - 1) - (width - 1) // 2).text) for strip in made.strips)
        assert olds == "".join(side(lines, " -"))


@given(st.lists(LINE, min_size=1, max_size=12), WIDTHS, LAYOUTS, st.booleans())
def test_painted_lines_spell_what_is_shown_and_widths_add_up(
    lines: list[str], width: int, layout: Layout, exact: bool
) -> None:
    painted = paint(tuple(lines), "python", FALLBACK, exact)
    for runs, text in zip(painted.runs, spoken(lines, exact), strict=True):
        assert "".join(run for run, _ in runs) == text
        assert sum(cell_len(run) for run, _ in runs) == cell_len(text)
    laid(patch(lines), width, layout, exact=exact)


@given(st.lists(LINE, min_size=1, max_size=12), LAYOUTS)
def test_changes_begin_where_it_says(lines: list[str], layout: Layout) -> None:
    made = laid(patch(lines), 120, layout)
    begins = sum(
        now[0] in "+-" and before[0] not in "+-" for before, now in zip([" ", *lines], lines, strict=False)
    )
    assert len(made.changes) == max(1, begins)
    assert made.changes == sorted(set(made.changes))
    assert all(0 <= row < max(1, len(made)) for row in made.changes)
    if begins:
        assert all({"+", "-"} & set(made.strips[row].text) for row in made.changes)


@given(st.integers(1, 60), st.lists(LINE, max_size=4), LAYOUTS)
def test_any_width_is_exact(width: int, lines: list[str], layout: Layout) -> None:
    laid(patch(lines), width, layout, left=[("   ", FALLBACK.base)])


def test_side_by_side() -> None:
    lines = [" same", "-old", "-gone", "+new", " end", "+more"]
    made = laid(patch(lines), 61, "split")
    assert texts(made, 61) == [
        f"{left:<30}{BAR}{right}".rstrip()
        for left, right in (
            ("   1   same", "   1   same"),
            ("   2 - old", "   2 + new"),
            ("   3 - gone", ""),
            ("   4   end", "   3   end"),
            ("", "   4 + more"),
        )
    ]
    assert made.changes == [1, 4]
    assert copied(made) == ["same", "new", "end", "more"]


def test_what_has_no_newline_is_said_on_its_side() -> None:
    note = "\\ No newline at end of file"
    made = texts(laid(patch(["-old", note, "+new"]), 81, "split"), 81)
    assert made[0] == f"{'   1 - old':<40}{BAR}   1 + new"
    assert made[1] == f"{'       ' + note:<40}{BAR}"


def test_versions_of_a_line_stand_beside_each_other() -> None:
    lines = ["-value = compute(first)", "+# a new comment", "+value = compute(second)"]
    made = texts(laid(patch(lines), 101, "split"), 101)
    assert made == [
        f"{'':<50}{BAR}   1 + # a new comment",
        f"{'   1 - value = compute(first)':<50}{BAR}   2 + value = compute(second)",
    ]


def test_a_new_file_has_nothing_to_stand_beside() -> None:
    assert texts(laid(patch(["+a", "+b"]), 80, "split"), 80) == ["   1 + a", "   2 + b"]


def test_narrow_screens_have_room_for_text_before_numbers() -> None:
    assert texts(laid(patch(["-a", "+漢字漢字漢字漢字漢字"]), 20), 20) == [
        "- a",
        "+ 漢字漢字漢字漢字漢",
        "  字",
    ]
    assert texts(laid(patch(["-a", "+b"]), 30, "split"), 30) == ["   1 - a", "   1 + b"]


def test_line_endings_are_shown_where_they_differ() -> None:
    assert texts(laid(patch(["-a\r", "+a", " b\r"]), 40), 40) == ["   1 - a␍", "   1 + a", "   2   b␍"]
    assert texts(laid(patch(["-a\r", "+b\r"]), 40), 40) == ["   1 - a", "   1 + b"]
