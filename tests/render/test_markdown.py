from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.markdown import Document, Page
from acp_tui.render.markdown.parser import PARAGRAPH, ROWS
from acp_tui.render.markdown.sift import Sift
from acp_tui.render.wrap import Lines
from tests.render.hostile import HOSTILE
from tests.render.stage import texts


def page(width: int = 40, look: Look = FALLBACK, breaks: bool = False) -> Page:
    return Page(width, look, (), look.base, breaks)


def lines_of(text: str, width: int = 40, breaks: bool = False) -> list[str]:
    lines = Lines()
    Document(text).grow(lines, page(width, breaks=breaks))
    return texts(lines, width)


@pytest.mark.parametrize("words", ["one", "*one*"])
def test_two_blanks_at_its_end_break_a_line(words: str) -> None:
    assert [line.strip() for line in lines_of(f"{words}  \ntwo\nthree")] == ["one", "two three"]


def test_blocks() -> None:
    assert lines_of("# One\ntext *a* **b** ~~c~~ `d`\nmore\n\n\n---\n\nSetext\n---\nend") == [
        "One",
        "text a b c d more",
        "",
        "─" * 39,
        "",
        "Setext",
        "end",
    ]


def test_nested_lists_keep_their_indentation_and_numbers() -> None:
    source = "1. a\n1. b\n\n   loose\n   - c\n     - d\n\n       deep\n1. e\n\n"
    source += "- [ ] f\n- [x] g\n* h\n\nend\n7) i\n"
    assert lines_of(source) == [
        "1. a",
        "2. b",
        "",
        "   loose",
        "   • c",
        "     ◦ d",
        "",
        "       deep",
        "3. e",
        "",
        "☐ f",
        "✓ g",
        "• h",
        "",
        "end 7) i",
    ]


def test_items_hang_when_they_wrap() -> None:
    assert lines_of("- one two three four\n12. five six seven", 12) == [
        "• one two",
        "  three",
        "  four",
        "12. five",
        "    six",
        "    seven",
    ]


def test_quotes_keep_their_bars() -> None:
    assert lines_of("> a b c d e\nlazy\n>\n> - x\n>   > y\n\nout", 13) == [
        "│ a b c d e",
        "│ lazy",
        "│",
        "│ • x",
        "│   │ y",
        "",
        "out",
    ]


def test_code_keeps_every_character_and_names_its_language() -> None:
    assert lines_of("```py\nx = 1\n\n\tlong_name = call(arguments)\n```\nend", 20) == [
        " py",
        " x = 1",
        "",
        "     long_name = cal",
        " l(arguments)",
        "end",
    ]
    assert lines_of("- a\n  ~~~\n  b\n   c\n  ~~~\n- d") == ["• a", "   b", "    c", "• d"]
    assert lines_of("a\n\n    code\n\n    more\n\nend") == ["a", "", " code", "", " more", "", "end"]
    assert lines_of("```\n~~~\n``\n````\nx") == [" ~~~", " ``", "x"]


def test_tables_fit_the_width_by_wrapping_cells() -> None:
    table = "| Name | Text |\n|:--|--:|\n| a | some longer words here |\n| `b\\|c` | x |\n\nend"
    assert lines_of(table) == [
        "Name │                   Text",
        "─────┼───────────────────────",
        "a    │ some longer words here",
        "b|c  │                      x",
        "",
        "end",
    ]
    assert lines_of(table, 20) == [
        "Name │         Text",
        "─────┼─────────────",
        "a    │  some longer",
        "     │   words here",
        "b|c  │            x",
        "",
        "end",
    ]


def test_a_table_too_wide_for_the_screen_becomes_records() -> None:
    shown = lines_of("|" + "h|" * 500 + "\n|" + "-|" * 500 + "\n|" + "v|" * 500)
    assert shown[:3] == ["────────", "h: v", "h: v"]
    assert len(shown) == 501


def test_a_long_table_keeps_its_columns() -> None:
    shown = lines_of("|a|b|\n|-|-|\n" + "|long cell|x|\n" * 500)
    assert shown[2:] == ["long cell │ x"] * 500


def test_links_show_where_they_lead() -> None:
    assert lines_of("[docs](https://e.com/x) [e.com](https://e.com)", 80) == ["docs (https://e.com/x) e.com"]
    assert lines_of("[google.com](https://evil.com/google.com)", 80) == [
        "google.com (https://evil.com/google.com)"
    ]
    assert lines_of("[lex.py](/w/src/lex.py:12) <http://a.b> ![pic](p.png)", 80) == [
        "lex.py http://a.b ▣ image: pic (p.png)"
    ]
    lines = Lines()
    Document("see https://e.com/a_b. [t](http://x)").grow(lines, page(80))
    acts = [segment.style.meta["act"] for segment in lines.strips[0] if segment.style and segment.style.meta]
    assert acts == [("link", "https://e.com/a_b"), ("link", "http://x"), ("link", "http://x")]


def test_references_resolve_after_their_definition_only() -> None:
    assert lines_of("[a] b\n\n[a]: http://x\n\n[a] b", 80) == [
        "[a] b",
        "",
        "[a]: http://x",
        "",
        "a (http://x) b",
    ]


def test_mathematics_and_html_stand_as_written() -> None:
    assert lines_of("a $x_1*y*z_2$ \\(a_b\\) <b>c</b> $5 and $6\n$$\nx^2\n$$\n<details>\nd\n\ne", 80) == [
        "a $x_1*y*z_2$ \\(a_b\\) <b>c</b> $5 and $6",
        " math",
        " x^2",
        "<details>",
        "d",
        "",
        "e",
    ]


def test_line_breaks_of_the_user_are_kept() -> None:
    assert lines_of("a\nb\n\nc", breaks=True) == ["a", "b", "", "c"]
    assert lines_of("a  \nb\\\nc") == ["a", "b", "c"]


SOURCES = st.lists(
    st.sampled_from(
        [
            "word ", "**bold**", "*em", "`code", "\n", "\n\n", "- item", "1. one", "   ", "    ", "# head",
            "> quote", "```py\n",
            "```\n", "~~~", "---\n", "===\n", "|a|b|\n|-|-|\n", "|c|d|\n", "[x](http://y)", "[r]: http://z\n",
            "[r]", "$$\n", "<div>\n", "\t", "\r\n", "日本", "\x1b[31m", "x" * 50, "- [ ] t", "\\",
        ]
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(SOURCES, st.data(), st.booleans())
def test_any_split_gives_the_lines_of_the_whole(parts: list[str], data: st.DataObject, growing: bool) -> None:
    text = "".join(parts)
    whole, split = Lines(), Lines()
    Document(text).grow(whole, page(24), growing=growing)
    document = Document()
    at = 0
    while at < len(text):
        size = data.draw(st.integers(1, 40))
        document.append(text[at : at + size])
        at += size
        if data.draw(st.booleans()):
            document.grow(split, page(24), calm=True, growing=True)
    document.grow(split, page(24), growing=growing)
    assert split.strips == whole.strips
    assert split.marks == whole.marks


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 3000), st.sampled_from(["word ", "x", "漢", "|a|b|", "`c` "]))
def test_long_lines_are_cut_at_the_same_places_however_they_come(size: int, word: str) -> None:
    text = word * (10_000 // len(word)) + "\nend"
    whole, split = Lines(), Lines()
    Document(text).grow(whole, page())
    document = Document()
    for at in range(0, len(text), size + 500):
        document.append(text[at : at + size + 500])
        document.grow(split, page())
    assert split.strips == whole.strips


@pytest.mark.parametrize("word", ["word ", "wo\nrd ", "漢字", "a **b** `c` ", "x"])
@pytest.mark.parametrize("before", ["", "> - "])
@pytest.mark.parametrize("step", [2500, 100_000])
def test_where_a_long_paragraph_is_cut_is_not_seen(word: str, before: str, step: int) -> None:
    text = before + "x " + (word * (30_000 // len(word))).rstrip()
    document, lines = Document(), Lines()
    for at in range(0, len(text), step):
        document.append(text[at : at + step])
        document.grow(lines, page())
    rows, left = texts(lines, 40), len(before)
    shown = "".join(row[left:] + lines.joint(number) for number, row in enumerate(rows))
    assert shown.rstrip("\n") == re.sub(r"[*`]", "", text[left:]).replace("\n", " ")
    assert min(cell_len(row) for row in rows[1:-1]) >= 34, "no row ends early"
    assert all(row.startswith("│   ") for row in rows[1:] if before)


def test_a_cut_at_a_line_break_that_stays_is_one() -> None:
    text = "x" * 4000 + "\n" + "y" * 4000
    for rows in (lines_of(text, breaks=True), lines_of(text.replace("\n", "\\\n"))):
        assert [row[:1] for row in rows if len(row) < 39] == ["x", "y"]


@pytest.mark.parametrize("end", ["\n-|-", "\n-|-\nx|x", "\n===", "\n\nnew", "\n# h", "\n```\ncode"])
def test_no_word_is_lost_where_a_paragraph_ends_at_a_cut(end: str) -> None:
    for size in range(PARAGRAPH - 12, PARAGRAPH + 4):
        text = ("word " * 1000)[: size - 6] + " e|nd "[: 6 - size % 2]
        document, lines = Document(text), Lines()
        document.grow(lines, page())
        document.append(end)
        document.grow(lines, page())
        seen = " ".join(texts(lines, 40))
        assert seen.count("word") == text.count("word") and seen.count("nd") == 1


@pytest.mark.parametrize(
    ("held", "step"),
    [
        ("Some **words** of `code`.\n\n- a\n- b\n\n```py\nx = 1\n```\n\n" * 1000, "more "),
        ("x\n\n```py\n" + "value = call(1)\n" * 4000, "y = 2\n"),
        ("one paragraph " * 6000, "word "),
        ("- " + "item\n- " * 6000, "x\n- "),
    ],
)
def test_a_chunk_costs_the_open_block_only(held: str, step: str) -> None:
    lines = Lines()
    document = Document(held)
    document.grow(lines, page())
    before, kept, drawn = list(lines.strips), lines.strips.known(0, len(lines) - 50), document.drawn
    for _ in range(10):
        document.append(step)
        document.grow(lines, page())
    assert document.drawn - drawn <= 20  # the open block, and one more where a block closed
    assert all(old is new for old, new in zip(kept, lines.strips.known(0, len(lines)), strict=False))
    assert before[:-50] == lines.strips[: len(before) - 50]


def test_open_blocks_are_bounded() -> None:
    document = Document()
    lines = Lines()
    for text in ("word " * 5000, "\n\n|a|\n|-|\n" + "|x|\n" * 1000, "\n```\n" + "code\n" * 1000):
        document.append(text)
        document.grow(lines, page())
        tail = document._tail
        assert sum(len("".join(leaf.lines)) for leaf in tail) <= 2 * PARAGRAPH
        assert all(len(leaf.lines) <= ROWS + 2 for leaf in tail)


def test_unfinished_marks_do_not_flicker() -> None:
    def shown(text: str) -> list[str]:
        lines = Lines()
        Document(text).grow(lines, page(), growing=True)
        return texts(lines, 40)

    assert shown("text\n-") == shown("text\n--") == shown("text\n") == ["text"]
    assert shown("a **bo") == ["a bo"]
    assert shown("a **") == ["a"]
    assert shown("a `co") == ["a co"]
    assert lines_of("a **bo") == ["a **bo"]


def test_an_open_fence_is_calm_in_between_and_right_at_the_end() -> None:
    text = "```js\n/* a\nb = 1 */\n"
    calm, whole = Lines(), Lines()
    document = Document(text)
    document.grow(calm, page(), calm=True, growing=True)
    Document(text).grow(whole, page())
    assert texts(calm, 40) == texts(whole, 40)
    assert calm.strips != whole.strips
    document.grow(calm, page(), growing=True)
    assert calm.strips == whole.strips
    document.append("c = 2")
    document.grow(calm, page(), calm=True, growing=True)
    assert calm.strips[:3] == whole.strips[:3], "what was right stays right"
    document.grow(calm, page())
    Document(text + "c = 2").grow(after := Lines(), page())
    assert calm.strips == after.strips


def test_a_line_of_a_fence_is_highlighted_after_what_stands_open_above_it() -> None:
    text = '```py\nx = """a\nfor b in c\n"""\ny = 1\n'
    calm, whole = Lines(), Lines()
    Document(text).grow(calm, page(), calm=True, growing=True)
    Document(text).grow(whole, page())
    assert calm.strips == whole.strips


@pytest.mark.parametrize(
    ("text", "width"),
    [(text, width) for text in HOSTILE for width in (1, 2, 7, 80) if len(text) < 50 * width],
)
def test_hostile_text_is_only_text(text: str, width: int) -> None:
    for wrapped in (
        text,
        f"# {text}",
        f"> {text}",
        f"- {text}",
        f"```{text}\n{text}\n```",
        f"|{text}|b|\n|-|-|\n|{text}|c|",
    ):
        lines_of(wrapped, width)


@pytest.mark.parametrize(
    "text", ["[" * 4000, "*_" * 2000, "`" * 4000, "> " * 2000, "- " * 2000, "<" * 4000, "![](" * 1000]
)
def test_hostile_nesting_ends(text: str) -> None:
    lines_of(text)


@settings(deadline=None)
@given(st.text(max_size=200), st.integers(1, 30))
def test_anything_is_drawn_at_any_width(text: str, width: int) -> None:
    lines_of(text, width)


DATA = "data:image/png;base64,iVBORw0KGgo" + "Ab/+" * 3000 + "=="


def test_a_picture_in_the_text_is_named_and_its_data_never_laid_out() -> None:
    assert lines_of(f"see ![a plot]({DATA}) there", 60) == ["see ▣ image: a plot (image/png, inline) there"]
    assert lines_of(f"![]({DATA})", 60) == ["▣ image (image/png, inline)"]
    assert lines_of(f"raw {DATA} end", 60) == ["raw data:image/png;base64,iVBORw0KGgoAb/+A… end"]
    assert lines_of("data:text/plain;base64,aGk= and x;base64,", 60) == [
        "data:text/plain;base64,aGk= and x;base64,"
    ]


@given(st.lists(st.integers(0, 12_200), max_size=6))
def test_data_is_left_out_however_the_text_is_cut(cuts: list[int]) -> None:
    text = f"a ;base6 ;base64,{'x' * 16} b {DATA} c"
    sift, made, at = Sift(), "", 0
    for cut in [*sorted(cuts), len(text)]:
        made += sift.more(text[at:cut])
        at = max(at, cut)
    assert made == f"a ;base6 ;base64,{'x' * 16} b data:image/png;base64,iVBORw0KGgoAb/+A… c"


def test_a_reference_that_comes_too_late_still_leads_somewhere() -> None:
    lines = Lines()
    Document("see [this][1]\n\n[1]: https://e.com/x\n\nand [that][1]").grow(lines, page(60))
    assert texts(lines, 60) == [
        "see [this][1]",
        "",
        "[1]: https://e.com/x",
        "",
        "and that (https://e.com/x)",
    ]
    links = [segment.style.link for segment in lines.strips[2] if segment.style and segment.style.link]
    assert links == ["https://e.com/x"]
