"""Markdown of somebody else never gets out of its place, whatever it is."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from acp_tui.render.markdown.contained import DEEPER, code_span, contained, escaped, fenced
from tests.render.hostile import HOSTILE

PARTS = st.sampled_from(
    [
        *(
            "```",
            "````",
            "~~~",
            "```py\n",
            "`",
            "``",
            "    ",
            "\t",
            "\n",
            "\n\n",
            "> ",
            "- ",
            "1. ",
            "# ",
            "## User\n",
        ),
        *(
            "User\n---\n",
            "User\n===",
            "<details>",
            "</details>",
            "<!--",
            "-->",
            "<script>",
            "<b>",
            "\\",
            "<",
            "&lt;b>",
        ),
        *(
            "| a | b |\n|---|---|\n",
            "[x]: http://y\n",
            "[x]",
            "![i](u)",
            "<http://x>",
            "words",
            "<?",
            "<![CDATA[",
            "<pre>",
        ),
        *("end", " ", "*", "_", "$$", "<a\nb>", "\\<i>"),
    ]
)
TEXTS = st.lists(PARTS, max_size=14).map("".join)


def kinds(text: str) -> list[str]:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return [token.type for token in reader.parse(text)]


@settings(deadline=None, max_examples=200)
@given(text=TEXTS)
@example(text="<!--\n```\n")
@example(text="- ```\n  <b>")
@example(text="> # a\n> <i>\n```")
def test_what_comes_after_stands_alone_and_nothing_is_html(text: str) -> None:
    made = contained(text)
    assert kinds(made + "\n\n## Agent\n\nsaid")[-6:] == [
        *("heading_open", "inline", "heading_close"),
        *("paragraph_open", "inline", "paragraph_close"),
    ]
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for token in reader.parse(made):
        assert token.type != "html_block"
        assert all(child.type != "html_inline" for child in token.children or ())
        if token.type == "heading_open" and not token.level:
            assert int(token.tag[1]) > DEEPER


@settings(deadline=None, max_examples=200)
@given(text=TEXTS)
def test_once_is_enough(text: str) -> None:
    made = contained(text)
    assert contained(made) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("plain *words*\n\n- a\n- b", "plain *words*\n\n- a\n- b"),
        ("```py\nx = '<b>'\n```", "```py\nx = '<b>'\n```"),
        ("```py\nx", "```py\nx\n```"),
        ("# Title\n\nwords", "#### Title\n\nwords"),
        ("User\n----\nwords", "##### User\nwords"),
        ("a <b>bold</b> `<i>`", "a \\<b>bold\\</b> `<i>`"),
        ("<details>\nx", "\\<details>\nx"),
        ("see <http://x.y>", "see <http://x.y>"),
        ("", ""),
    ],
)
def test_what_it_looks_like(text: str, made: str) -> None:
    assert contained(text) == made


@settings(deadline=None, max_examples=200)
@given(text=TEXTS)
def test_a_fence_holds_anything(text: str) -> None:
    found = kinds(fenced(text, "diff") + "\n\nwords")
    assert found == ["fence", "paragraph_open", "inline", "paragraph_close"]


@settings(deadline=None, max_examples=200)
@given(line=TEXTS.map(lambda text: " ".join(text.split())))
def test_a_line_is_one_span_or_words(line: str) -> None:
    reader = MarkdownIt("commonmark")
    if line:
        (_, inline, _) = reader.parse("x " + code_span(line))
        assert [child.type for child in inline.children or ()] == ["text", "code_inline"]
        assert (inline.children or [])[1].content == line
    if said := escaped(line):
        tokens = reader.parse(said)
        assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
        assert "".join(child.content for child in tokens[1].children or ()) == line


UNITS = ("[", "*a_", "`", "> ", "<", "![a](", "- ")


@pytest.mark.parametrize("text", [*HOSTILE, *(unit * 30_000 for unit in UNITS)])
def test_huge_hostile_text_comes_to_an_end(text: str) -> None:
    made = contained(text)
    assert made.strip("\n") == made


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_contained(text: str) -> None:
    assert kinds(contained(text) + "\n\nwords")[-3:] == ["paragraph_open", "inline", "paragraph_close"]
