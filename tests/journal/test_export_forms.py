"""The forms of a conversation: what they look like, that all of it is there, and that nothing gets out."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from acp_tui.journal.export import FORMATS, Excerpt, Facts, NoSuchPlace, excerpt_of, export
from acp_tui.journal.export.excerpt import excerpt_of_saved, period
from acp_tui.journal.export.picture import MOST, TooLong
from acp_tui.journal.export.schema import SCHEMA
from tests.journal.exporting import EXPECTED, everything, golden, one, utc
from tests.journal.keeping import INITIALIZE, ask, chunk, opened, state, turn, update
from tests.render.hostile import HOSTILE
from tests.render.stage import FORBIDDEN, Stage
from tests.render.test_all_views import everything as all_kinds

VOID = {"meta", "img", "br", "hr"}


@pytest.fixture(autouse=True)
def _greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    utc()
    yield
    monkeypatch.undo()
    import time

    time.tzset()


class Page(HTMLParser):
    """Elements as they are nested, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words.append(data)


def made(form: str, excerpt: Excerpt, width: int = 80) -> str:
    return "".join(export(form, excerpt, width))


@pytest.mark.parametrize("form", EXPECTED)
def test_one_of_everything(form: str, tmp_path: Path) -> None:
    """Written anew by `python -m tests.journal.exporting`."""
    assert made(form, everything(tmp_path)) == golden(form).read_text("utf-8")


WORDS = [
    *("A replaced, then appended: A3", "The first thought, rewritten.", "a.py:2: # TODO 2", "404 not found"),
    *(
        "x = 2",
        "progress 100%",
        "snapshot only",
        "Look around",
        "We talked about tests.",
        "the model refused",
    ),
    *("Look for callers", "I look.", "grep lex", "Found 3 callers.", "the model is away", "are you there?"),
    *("Nothing here.", "not known whether it arrived"),
]


@pytest.mark.parametrize("form", ["md", "html", "text"])
def test_all_words_are_there_and_no_notice(form: str, tmp_path: Path) -> None:
    text = made(form, everything(tmp_path))
    if form == "html":
        text = "".join(Page(text).words)
    assert [word for word in WORDS if word not in text] == []
    assert "notice" not in text.lower().replace("NOTICES".lower(), "")
    assert "\x1b" not in text


def strict(schema: Any) -> Any:
    """The schema without room for what it does not name."""
    if isinstance(schema, dict):
        inner = {key: strict(value) for key, value in schema.items()}
        return {**inner, "additionalProperties": False} if "required" in schema else inner
    return [strict(value) for value in schema] if isinstance(schema, list) else schema


def test_json_is_as_documented(tmp_path: Path) -> None:
    data = json.loads(made("json", everything(tmp_path)))
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(strict(SCHEMA)).validate(data)
    own, kid, grandkid = data["conversations"]
    assert (kid["parent"], grandkid["parent"]) == (own["sessionId"], "kid")
    assert {member["type"] for member in own["timeline"]} >= {
        *("user_message", "agent_message", "agent_thought", "tool_call", "compaction", "session_message"),
        *("turn", "subagent", "submission"),
    }


def test_html_is_whole_by_itself(tmp_path: Path) -> None:
    page = Page(made("html", everything(tmp_path)))
    assert page.open == []
    assert not {"script", "link", "iframe", "object", "form", "base"}.intersection(page.tags)
    fetched = [value for name, value in page.attributes if name in ("src", "href", "srcset", "action")]
    assert fetched and all(
        value.startswith("data:image/png;base64,") or "audio" in value for value in fetched
    )
    assert "details" in page.tags


def test_the_picture_is_whole_by_itself(tmp_path: Path) -> None:
    picture = made("svg", everything(tmp_path))
    root = ET.fromstring(picture)
    assert root.tag.endswith("svg")
    assert "url(http" not in picture and "@font-face" not in picture


def test_a_picture_nobody_could_look_at_is_refused(tmp_path: Path) -> None:
    entry, folded = one(tmp_path, [*INITIALIZE, *opened("a"), chunk("a", "m", "line\n\n" * MOST)])
    with pytest.raises(TooLong, match="name a part"):
        made("svg", excerpt_of_saved(entry, folded))


# From one place to another


def three_turns(folder: Path) -> tuple[Any, Any]:
    talk = [one for number in (1, 2, 3) for one in turn("a", number, 10 + number)]
    return one(folder, [*INITIALIZE, *opened("a"), *talk])


@pytest.mark.parametrize(
    ("start", "end", "there", "missing"),
    [
        ("", "", "123", ""),
        ("5", "", "23", "1"),
        ("", "3", "1", "23"),
        ("user_message/u2", "tool_call/c2", "2", "13"),
        ("5", "5", "2", "13"),
    ],
)
def test_a_part(tmp_path: Path, start: str, end: str, there: str, missing: str) -> None:
    excerpt = excerpt_of_saved(*three_turns(tmp_path), start, end)
    for form in ("md", "html", "text", "json"):
        text = made(form, excerpt)
        body = text.partition("<main>")[2] or text.partition("\n\n")[2] or text
        body = body.partition('"conversations"')[2] or body
        assert [number for number in "123" if f"question {number}" in body] == list(there), form
        assert not [number for number in missing if f"answer {number}" in body], form
    assert excerpt.whole is (not start and not end)


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        ("0", "", "numbered from 1 to 12"),
        ("13", "", "no entry 13"),
        ("9" * 30, "", "names no entry"),
        ("nonsense", "", "names no entry"),
        ("user_message/u9", "", "no user_message/u9 among"),
        ("5", "2", "Entry 5 stands behind entry 2"),
    ],
)
def test_places_that_are_none(tmp_path: Path, start: str, end: str, said: str) -> None:
    entry, folded = three_turns(tmp_path)
    with pytest.raises(NoSuchPlace, match=said):
        excerpt_of_saved(entry, folded, start, end)


def test_what_stands_in_something_is_found_there(tmp_path: Path) -> None:
    whole = everything(tmp_path)
    numbers = {(key.kind, key.id): number for number, key in enumerate(whole.session.timeline, 1)}
    child = numbers["subagent", "kid"]
    part = excerpt_of(
        whole.facts, whole.store, whole.session, whole.at, "agent_message/g1", "agent_message/g1"
    )
    assert (part.first, part.last) == (child, child)
    terminal = next(key for key in whole.session.entities if key.kind == "terminal")
    part = excerpt_of(whole.facts, whole.store, whole.session, whole.at, f"terminal/{terminal.id}")
    assert whole.session.timeline[part.first - 1].kind == "tool_call"


def test_text_that_is_not_wrapped(tmp_path: Path) -> None:
    long = "many words in one line " * 20
    entry, folded = one(tmp_path, [*INITIALIZE, *opened("a"), chunk("a", "m", long), state("a", "idle")])
    excerpt = excerpt_of_saved(entry, folded)
    assert long.strip() in made("text", excerpt, 0)
    assert max(map(len, made("text", excerpt, 40).splitlines()[3:])) <= 40


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (0, 0, ""),
        (0, 5, ""),
        (60, 70, "1970-01-01 00:01"),
        (60, 180, "1970-01-01 00:01–00:03"),
        (60, 100_000, "1970-01-01 00:01 – 1970-01-02 03:46"),
    ],
)
def test_when_it_was(start: float, end: float, said: str) -> None:
    assert period(start, end) == said


# Secrets


SECRETS = ["sk-abcdefghijklmnopqrstuvwx", "hunter2-hunter2", "ghp_abcdefghijklmnopqrstuvwxyz"]


def test_secrets_are_masked_wherever_they_were_said(tmp_path: Path) -> None:
    key, password, token = SECRETS
    prompt = [{"type": "text", "text": f"my key is {key}"}]
    told = [
        *opened("a"),
        ask(2, "session/prompt", sessionId="a", prompt=prompt),
        update("a", "user_message", messageId="u", content=prompt),
        chunk("a", "m", f"I keep {key[:9]}"),
        chunk("a", "m", f"{key[9:]} and https://u:{password}@host/x"),
        chunk("a", "t", f"password: {password}", "agent_thought_chunk"),
        update("a", "terminal_update", terminalId="T", command=f"curl -H 'Authorization: Bearer {token}'",
               output={"data": "G1szMW1UT0tFThtbMG09aHVudGVyMi1odW50ZXIyCg=="}),
        update("a", "tool_call_update", toolCallId="c", title=f"export KEY={token}", status="completed",
               rawInput={"password": password, "deep": [f"token={token}"]},
               content=[{"type": "terminal", "terminalId": "T"},
                        {"type": "diff", "changes": [{"operation": "modify", "path": f"/x/{token}"}],
                         "patch": {"format": "git_patch", "text": f"+API_KEY={password}\n"}}]),
        update("a", "plan_update", plan={"type": "markdown", "planId": "p", "content": f"use {token}"}),
        update("a", "session_info_update", title=f"about {key}"),
    ]  # fmt: skip
    entry, folded = one(tmp_path, [*INITIALIZE, *told])
    for form in FORMATS:
        text = made(form, excerpt_of_saved(entry, folded), 200)
        assert [secret for secret in SECRETS if secret in text] == [], form
        assert "[redacted]" in text


# Hostile texts


def staged(text: str) -> Excerpt:
    stage = Stage()
    stage.update("state_update", state="running")
    all_kinds(stage, text)
    facts = Facts(id="0" * 12, title=text, agent=text, session_id=text, cwd=text, cost=(1.0, text))
    return excerpt_of(facts, stage.store, stage.session, stage.at)


ODD = st.lists(
    st.sampled_from(
        [
            *(
                "```",
                "````\n",
                "~~~\n",
                "</details>",
                "</summary>",
                "<script>",
                "<!--",
                "-->",
                "</pre>",
                "\n\n",
                "\n",
            ),
            *(
                '"',
                "'",
                "&lt;",
                "&#27;",
                "<b onclick=x>",
                "](javascript:x)",
                "![",
                "[a](b)",
                "# ",
                "## User\n",
                "- ",
            ),
            *(
                "\x1b[31m",
                "\u202e",
                "\x9b",
                "\ud800",
                "words",
                " ",
                "    ",
                "]]>",
                "</svg>",
                "</textarea>",
                "\\",
            ),
        ]
    ),
    max_size=8,
).map("".join)
TEXTS = st.one_of(ODD, st.sampled_from([text for text in HOSTILE if len(text) < 600]))


@settings(max_examples=40)
@given(text=TEXTS)
def test_html_holds_anything(text: str) -> None:
    page = Page(made("html", staged(text)))
    assert page.open == []
    assert not {"script", "iframe", "textarea"}.intersection(page.tags)
    names = {name for name, _ in page.attributes}
    assert not {name for name in names if name.startswith("on")}
    links = [value for name, value in page.attributes if name == "href"]
    assert not [
        link for link in links if re.match(r"\s*(javascript|data|vbscript|file):", link, re.IGNORECASE)
    ]
    assert not FORBIDDEN.search("".join(page.words).replace("\n", "").replace("\t", ""))


@settings(max_examples=40)
@given(text=TEXTS)
def test_markdown_holds_anything(text: str) -> None:
    text = made("md", staged(text))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    blocks = [token.content.strip() for token in tokens if token.type == "html_block"]
    ours = re.compile(r"<details>\n<summary>[^<>\n]*</summary>|</details>|<!-- -->")
    assert all(map(ours.fullmatch, blocks)), blocks
    assert sum("<details>" in block for block in blocks) == blocks.count("</details>")
    spans = [
        child.content for token in tokens for child in token.children or () if child.type == "html_inline"
    ]
    assert spans == ["<sub>", "</sub>"]
    heads = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"
             and not token.level and token.tag in ("h1", "h2", "h3")]  # fmt: skip
    assert {*heads[1:]} <= {"User", "Agent", "Message between sessions", "Plan"}
    assert not FORBIDDEN.search(text.replace("\n", "").replace("\t", ""))


@settings(max_examples=40)
@given(text=TEXTS, width=st.sampled_from([0, 20, 80]))
def test_lines_hold_nothing_for_a_terminal(text: str, width: int) -> None:
    for line in made("text", staged(text), width).split("\n"):
        assert not FORBIDDEN.search(line)


@settings(max_examples=40)
@given(text=TEXTS)
def test_json_and_pictures_hold_anything(text: str) -> None:
    excerpt = staged(text)
    data = json.loads(made("json", excerpt))
    jsonschema.Draft202012Validator(SCHEMA).validate(data)
    assert not FORBIDDEN.search(json.dumps(data, ensure_ascii=False).replace("\\n", "").replace("\\t", ""))
    ET.fromstring(made("svg", excerpt))
