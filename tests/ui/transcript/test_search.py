"""Searching a session: from hit to hit, through what is folded and what was never drawn, and back again."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from textual import events

from acp_tui.render.clean import clean
from acp_tui.render.views.terminal import told_by
from acp_tui.render.wrap import Lines
from acp_tui.store.keys import Key, Kind
from acp_tui.store.output import Output
from acp_tui.ui.transcript.found import ROWS
from acp_tui.ui.transcript.look import FOUND, FOUND_HERE
from acp_tui.ui.transcript.search import Search, Seeker, Sought, Texts, Wrong, folded
from acp_tui.ui.transcript.selection import logical
from acp_tui.ui.widgets.search_bar import SearchBar
from tests.store.seen import Fed
from tests.ui.screen_text import screen_strips, screen_text
from tests.ui.transcript.stage import Stage, prose, stage, talk, text

pytestmark = pytest.mark.anyio


def session() -> Fed:
    """Needles in messages, folded thoughts, tool calls, terminals, diffs and errors; hay between them."""
    fed = talk(200)
    fed("user_message", messageId="u", content=[text("find the Needle")])
    fed("agent_thought", messageId="t", content=[text(f"{prose(1, 30)}\n\na needle in a thought")])
    fed(
        "tool_call_update",
        toolCallId="c",
        title="grep",
        kind="execute",
        status="completed",
        content=[
            {"type": "content", "content": text("first line\nneedle in a text")},
            {"type": "diff", "changes": [{"operation": "modify", "path": "/w/a.py"}], "patch": PATCH},
        ],
    )
    for number in range(200):
        fed("agent_message", messageId=f"after{number}", content=[text(prose(number, 20))])
    return fed


PATCH = {
    "format": "git_patch",
    "text": "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old\n+needle = 1\n",
}


def bar(on: Stage) -> str:
    """What the bar says, blanks at its ends left out; empty if it is not there."""
    widget = on.app.query_one(SearchBar)
    return screen_text(on.app)[widget.region.y].strip() if widget.display else ""


async def seek(on: Stage, words: str) -> None:
    on.transcript.focus()
    await on.press("slash")
    await on.press(*["space" if c == " " else c for c in words])


def styled(on: Stage, part: str) -> list[str]:
    """What is drawn as a hit."""
    style: Style = on.transcript._styles_seen[part]
    return [
        segment.text
        for strip in screen_strips(on.app)[: on.transcript.size.height]
        for segment in strip
        if segment.style is not None
        and (segment.style.bgcolor, segment.style.reverse) == (style.bgcolor, style.reverse)
    ]


async def test_typing_goes_to_the_next_place_and_escape_goes_back() -> None:
    async with stage(session()) as on:
        await on.wheel(-120)
        before = on.rows()
        await seek(on, "needle")
        assert "4/4" in bar(on), "none below: the nearest one above"
        assert styled(on, FOUND_HERE) == ["needle"]
        await on.press("escape")
        assert not bar(on)
        assert on.rows() == before
        assert not styled(on, FOUND)
        assert on.transcript.has_focus


async def walk(on: Stage, *keys: str) -> list[tuple[Key | None, str]]:
    """Where each key leads: the entry with the cursor, and the hit that is marked."""
    seen = []
    for key in keys:
        await on.press(key)
        seen.append((on.key_at_cursor(), "".join(styled(on, FOUND_HERE))))
    return seen


async def test_every_kind_of_entry_is_found_and_opened() -> None:
    fed = session()
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("home")
        await seek(on, "needle")
        assert "1/4" in bar(on)
        places = [(on.key_at_cursor(), "".join(styled(on, FOUND_HERE))), *await walk(on, *["enter"] * 4)]
        kinds = [Kind.USER_MESSAGE, Kind.AGENT_THOUGHT, Kind.TOOL_CALL, Kind.TOOL_CALL, Kind.USER_MESSAGE]
        assert [key.kind for key, _ in places if key is not None] == kinds
        assert [words for _, words in places] == ["Needle", "needle", "needle", "needle", "Needle"]
        assert await walk(on, "up") == [places[3]]
        assert "4/4" in bar(on)


LOG = [
    f"{number:05} compiled, {'the Needle' if number % 700 == 350 else 'hay'} is in {number}"
    for number in range(9000)
]


def long_outputs() -> Fed:
    """Needles far from the end of a terminal, and from the beginning of texts, one of which is put aside."""
    fed = talk(30)
    lines = "\n".join(LOG)
    fed("terminal_update", terminalId="x", output={"data": b64encode(lines.encode()).decode()}, exitStatus={})
    for name, item in (
        ("terminal", {"type": "terminal", "terminalId": "x"}),
        ("text", {"type": "content", "content": text("\n".join(LOG[:1500]))}),
        ("handle", {"type": "content", "content": text(lines)}),
    ):
        fed("tool_call_update", toolCallId=name, title=name, status="completed", content=[item])
    for number in range(30):
        fed("agent_message", messageId=f"after{number}", content=[text(prose(number, 20))])
    return fed


async def test_a_hit_in_text_that_is_not_drawn_leads_to_its_line() -> None:
    fed = long_outputs()
    hits = [line for line in LOG if "Needle" in line]
    async with stage(fed, (100, 30)) as on:
        on.transcript.focus()
        await on.press("home")
        await seek(on, "needle")
        total = len(hits) * 2 + 2
        assert f"1/{total}" in bar(on)
        for wanted in hits[1:4]:
            await on.press("enter")
            assert styled(on, FOUND_HERE) == ["Needle"]
            (row,) = (row for row in on.rows() if "Needle" in row and wanted[:5] in row)
            assert wanted in row
        await on.press("up", "up", "up", "up")
        assert f"{total}/{total}" in bar(on), "the last one of the handle"
        assert any(hits[-1] in row for row in on.rows())
        await on.wheel(-60)
        assert any("lines above" in row for row in on.rows())


async def test_a_hit_folded_away_in_a_diff_leads_near_to_it() -> None:
    fed = talk(5)
    body = "".join(f"+line {number} {'needle' if number == 900 else 'hay'}\n" for number in range(1000))
    head = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -0,0 +1,1000 @@\n"
    diff = {"type": "diff", "changes": [{"operation": "modify", "path": "/w/a.py"}]}
    patch = {"format": "git_patch", "text": head + body}
    fed(
        "tool_call_update",
        toolCallId="d",
        title="edit",
        status="completed",
        content=[{**diff, "patch": patch}],
    )
    async with stage(fed, (100, 30)) as on:
        await seek(on, "needle")
        assert "1/1" in bar(on)
        assert on.key_at_cursor() == fed.key(Kind.TOOL_CALL, "d")
        assert any("more" in row or "line 3" in row for row in on.rows()), on.rows()


async def test_what_was_opened_on_the_way_is_folded_again_unless_it_is_kept() -> None:
    fed = session()
    async with stage(fed) as on:
        thought, call = fed.key(Kind.AGENT_THOUGHT, "t"), fed.key(Kind.TOOL_CALL, "c")
        await seek(on, "in a thought")
        view = on.transcript.view_of(thought)
        assert view is not None
        folds = [view.folded]
        await on.press("escape")
        folds.append(view.folded)
        assert folds == [False, True]
        await seek(on, "in a thought")
        await on.press("enter", *["backspace"] * 7, *"text")
        other = on.transcript.view_of(call)
        assert other is not None
        assert (view.folded, other.folded) == (True, False)
        await on.press("escape")
        assert (view.folded, other.folded) == (False, True)
        assert not on.transcript.searching
        assert "in a thought" in " ".join(on.rows())


async def test_n_walks_on_while_reading_and_slash_asks_for_other_words() -> None:
    async with stage(session()) as on:
        await seek(on, "needle")
        on.transcript.focus()
        first = bar(on)
        await on.press("n")
        assert bar(on) != first
        await on.press("N")
        assert bar(on) == first
        await on.press("slash", *"hay")
        assert "not found" in bar(on)
        on.transcript.end_search()
        await on.settled()
        assert not bar(on)
        await on.press("n")
        assert "hay" in bar(on)


async def test_no_letter_is_lost_behind_the_slash() -> None:
    async with stage(session()) as on:
        on.transcript.focus()
        await on.settled()
        for key in "/needle":
            on.app.post_message(events.Key("slash" if key == "/" else key, key))
        await on.settled()
        assert on.app.query_one(SearchBar).field.value == "needle"
        assert on.app.query_one(SearchBar).field.selection.is_empty
        assert "/4" in bar(on)


async def test_expressions_case_and_what_is_wrong() -> None:
    async with stage(session()) as on:
        await seek(on, "Needle")
        assert "1/1" in bar(on) and "case ✓" in bar(on)
        await on.press("alt+c")
        assert "/4" in bar(on) and "case ✓" not in bar(on)
        await on.press("alt+r", *["backspace"] * 6, *"n.edle$")
        assert "regex ✓" in bar(on) and "/1" in bar(on)
        await on.press("left_parenthesis")
        assert "missing )" in bar(on)
        await on.press("backspace", *["backspace"] * 8, *"(e+)+x")
        assert "never end" in bar(on)
        await on.press("alt+r")
        assert "not found" in bar(on)


async def test_it_stays_right_while_text_streams_in() -> None:
    fed = session()
    async with stage(fed) as on:
        await seek(on, "needle")
        at, rows = bar(on).split("/")[0], on.rows()
        for number in range(10):
            await on.say("agent_message", "new", f"another needle {prose(number)}\n\n")
            await on.say("agent_message", f"new{number}", "and a needle")
            assert on.rows() == rows
        assert "/24" in bar(on)
        assert bar(on).split("/")[0] == at
        fed("user_message", messageId="u", content=[text("nothing any more")])
        await on.settled()
        assert "/23" in bar(on)


async def test_at_the_end_what_is_looked_at_stays_in_sight() -> None:
    fed = talk(50)
    fed("agent_message", messageId="last", content=[text("the needle is here")])
    async with stage(fed) as on:
        await seek(on, "needle")
        for number in range(30):
            await on.say("agent_message", f"new{number}", prose(number))
        assert "needle" in " ".join(on.rows())
        await on.press("escape")
        assert on.transcript.following


async def test_a_hit_that_is_wrapped_is_marked_on_both_rows() -> None:
    fed = Fed()
    fed("agent_message", messageId="a", content=[text("x" * 70 + " one two **three** four\nfive")])
    async with stage(fed, (80, 24)) as on:
        await seek(on, "two")
        assert styled(on, FOUND_HERE) == ["two"]
        await on.press(*["backspace"] * 3, *"four", "space", *"five")
        assert "1/1" in bar(on)
        assert styled(on, FOUND_HERE) == ["four five"]


async def test_another_session_ends_the_search() -> None:
    fed = session()
    async with stage(fed) as on:
        await seek(on, "needle")
        on.transcript.show("s-none")
        await on.settled()
        assert not on.transcript.searching and not bar(on)


# Without a screen


def searching(words: str, members: list[str], start: int = 0, **how: bool) -> Search:
    return Search(Seeker(Sought(words, **how)), Texts(lambda n: [members[n]]), len(members), start)


def test_only_what_changed_is_looked_through_again() -> None:
    members = [f"needle {n}" for n in range(10_000)]
    read: list[int] = []

    def reading(index: int) -> list[str]:
        read.append(index)
        return [members[index]]

    texts = Texts(reading)
    search = Search(Seeker(Sought("needle")), texts, len(members), 5000)
    search.step(lambda: len(read) >= 100)
    assert (search.done, read[0]) == (False, 5000)
    assert 0 <= len(read) - search.total <= 1, "the last one is read and not counted yet"
    assert len(read) < 300, "it asks often whether it is enough"
    search.step(lambda: False)
    assert (search.done, search.total, len(read)) == (True, 10_000, 10_000)
    members[7] = "hay"
    search.again(7)
    search.step(lambda: False)
    assert (search.total, len(read)) == (9_999, 10_001)
    Search(Seeker(Sought("9999")), texts, len(members)).step(lambda: False)
    assert len(read) == 10_001, "other words need no other texts"


@pytest.mark.parametrize("words", ["needle", "a needle"])
def test_a_long_output_is_read_and_looked_through_a_little_at_a_time(words: str) -> None:
    read: list[str] = []
    line = "hay \x1b[31ma needle\x1b[0m é\r\n"
    output = Output()
    for _ in range(1000):
        output.append(line.encode() * 100)

    def reading(_: int) -> Iterator[str]:
        for piece in told_by(output):
            read.append(piece)
            yield piece

    search = Search(Seeker(Sought(words)), Texts(reading), 1)
    before, steps = 0, 0

    def counted() -> bool:
        nonlocal before, steps
        done, before, steps = len(read) - before, len(read), steps + 1
        assert done <= 2
        return False

    search.step(counted)
    assert search.total == 100_000
    assert "".join(read) == clean(output.text()) == search.text(0)
    assert steps > 20 and len(read) > 20
    assert max(map(len, read)) < 2_000_000


def test_an_expression_sees_little_of_a_long_line_at_a_time() -> None:
    search = searching(".*x", ["a" * 100_000], regex=True)
    steps = 0

    def counted() -> bool:
        nonlocal steps
        steps += 1
        return False

    search.step(counted)
    assert steps >= 100


@pytest.mark.parametrize("words", ["(a+)+", "((a*)b)*", "(?:x{2,})+", "([(]a+)*", r"((\w+)\s)+"])
def test_an_expression_that_might_never_end_is_refused(words: str) -> None:
    with pytest.raises(Wrong):
        Seeker(Sought(words, regex=True))


@pytest.mark.parametrize("words", ["(a|b)+", "(ab)*c+", r"\(a+\)+", "[(a+)]+", "(a+)b", "[[a]", "a++"])
def test_other_expressions_are_not(words: str) -> None:
    Seeker(Sought(words, regex=True))


def test_hits_round_the_end() -> None:
    search = searching("a", ["a", "", "aa", "b", "a"])
    search.step(lambda: False)
    hits = [search.hit(n) for n in range(-1, 5)]
    assert hits == [(4, 0), (0, 0), (2, 0), (2, 1), (4, 0), (0, 0)]
    assert [search.ordinal(*hit) for hit in hits[1:5] if hit is not None] == [0, 1, 2, 3]


@given(st.text())
def test_lower_case_moves_nothing(words: str) -> None:
    assert len(folded(words)) == len(words)


@given(st.lists(st.text("ab\n ", max_size=12), max_size=6), st.text("ab", min_size=1, max_size=2))
def test_counts_what_is_there(members: list[str], words: str) -> None:
    search = searching(words, members, len(members) // 2)
    search.step(lambda: False)
    assert [search.hits[n] for n in range(len(members))] == [text.count(words) for text in members]


SOUGHT = st.text("ab ", min_size=1, max_size=2)


@given(st.lists(st.text("ab\n .", max_size=30), max_size=4), SOUGHT, st.booleans())
def test_one_of_them_by_its_number_is_one_of_all(parts: list[str], words: str, regex: bool) -> None:
    text = ("x" * 9000 + "\nab ").join(parts)
    seeker = Seeker(Sought(words, regex=regex))
    spans = seeker.spans(text)
    assert [seeker.nth(text, nth) for nth in range(len(spans))] == spans
    assert seeker.nth(text, len(spans)) is None


async def test_a_hit_in_a_very_long_message_is_looked_for_where_it_is_likely(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = [f"paragraph {n} with **words** and `code` in it" for n in range(6000)]
    words[4100] += " and a needle, the other **needle**"
    read: list[int] = []

    def counted(lines: Lines, start: int = 0, stop: int | None = None) -> tuple[str, list[int], list[int]]:
        read.append((len(lines) if stop is None else stop) - start)
        return logical(lines, start, stop)

    monkeypatch.setattr("acp_tui.ui.transcript.found.logical", counted)
    fed = Fed()("agent_message", messageId="m", content=[text("\n\n".join(words))])
    fed("agent_message", messageId="n", content=[text("the end")])
    async with stage(fed) as on:
        await seek(on, "needle")
        await on.settled()
        assert "/2" in bar(on)
        assert any("paragraph 4100" in row for row in on.rows())
        assert styled(on, FOUND_HERE) == ["needle"]
        first = bar(on)
        await on.press("enter")
        assert bar(on) != first and styled(on, FOUND_HERE) == ["needle"]
        assert max(read) < ROWS + 100 < 12_000
