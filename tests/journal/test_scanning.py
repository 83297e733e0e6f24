"""What a scan says of a journal, and that it says the same however it is read."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.client.jobs import Own
from acp_tui.journal.folding import fold
from acp_tui.journal.log import after
from acp_tui.journal.saved import Journaled, joined
from acp_tui.journal.scanning import Scan, kept, known, scan
from acp_tui.journal.telling import RECENT
from tests.journal.keeping import (
    INITIALIZE,
    TRACES,
    answer,
    ask,
    beside,
    chunk,
    library,
    opened,
    refuse,
    resumed,
    run,
    said,
    sessions,
    state,
    turn,
    update,
    wronged,
)
from tests.journal.test_folding import CHILD, STORIES, tell


def test_the_facts_of_a_session(tmp_path: Path) -> None:
    facts = [
        update("a", "session_info_update", title="The parser"),
        update("a", "usage_update", used=1, size=2, cost={"amount": 0.25, "currency": "USD"}),
        update("a", "usage_update", used=1, size=2, cost={"amount": 1e308, "currency": "EUR"}),
        chunk("a", "t1", "hm", "agent_thought_chunk"),
    ]
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *facts, *turn("a", 2, 3)])
    [saved] = library(tmp_path)
    assert (saved.agent, saved.command, saved.cwd) == ("test agent", ("agent",), "/w")
    assert (saved.title, saved.cost, saved.uncertain) == ("The parser", (0.25, "USD"), 0)
    assert (saved.messages, saved.tool_calls, saved.turns) == (4, 2, 2)
    assert (saved.created, saved.active) == (1003.0, program.at)
    assert saved.broken_off  # its program lives, or died without a word
    stretch = saved.last.stretch
    assert (stretch.first_prompt, stretch.state, stretch.stop_reason) == ("question 1", "idle", "end_turn")
    assert stretch.end == program.path.stat().st_size
    assert len(saved.id) == 12
    assert int(saved.id, 16) >= 0


def test_without_a_title_it_is_called_by_its_first_prompt(tmp_path: Path) -> None:
    run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    assert library(tmp_path)[0].title == "question 1"


def test_who_the_agent_is_where_it_does_not_say(tmp_path: Path) -> None:
    run(tmp_path, opened("a"), command="codex-acp")
    assert library(tmp_path)[0].agent == "codex-acp"


@pytest.mark.parametrize(
    ("end", "broken_off"),
    [
        ([("#", "Gone.")], False),
        ([ask(9, "session/close", sessionId="a"), answer(9)], False),
        ([state("a", "running"), ("#", "Gone.")], True),
        ([ask(9, "session/prompt", sessionId="a", prompt=[]), ("#", "Gone.")], True),
        ([], True),
    ],
)
def test_how_it_ended(tmp_path: Path, end: Any, broken_off: bool) -> None:
    run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *end])
    assert library(tmp_path)[0].broken_off is broken_off


def test_closed_where_the_agent_cannot_be_asked(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), state("a", "running")])
    assert program.journal is not None
    program.journal.own(Own("a", "closed", {}), program.at)
    assert library(tmp_path)[0].broken_off is False


def test_a_prompt_of_which_nobody_knows(tmp_path: Path) -> None:
    prompt = ask(9, "session/prompt", sessionId="a", prompt=[])
    run(tmp_path, [*INITIALIZE, *opened("a"), prompt, ("#", "Gone.")])
    [saved] = library(tmp_path)
    assert saved.uncertain == 1
    assert saved.last.journal.reason == "Gone."


def test_a_replay_counts_once(tmp_path: Path) -> None:
    run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), ("#", "")], pid=1)
    program = run(tmp_path, [*INITIALIZE, *resumed("a", 1, *turn("a", 1, 2)[3:])], pid=2, at=2000.0)
    [saved] = library(tmp_path)
    assert (saved.messages, saved.tool_calls, saved.turns) == (2, 1, 1)
    assert saved.active < 2000.0
    program.say(turn("a", 2, 4))
    [later] = library(tmp_path)
    assert (later.id, later.messages, later.active) == (saved.id, 4, program.at)


def test_a_replay_counts_what_was_said_elsewhere(tmp_path: Path) -> None:
    run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), ("#", "")], pid=1)
    told = [one for n in (1, 2, 3) for one in turn("a", n, 2)[1:2] + turn("a", n, 2)[3:]]
    run(tmp_path, [*INITIALIZE, *resumed("a", 1, *told), *turn("a", 4, 3)], pid=2, at=2000.0)
    [saved] = library(tmp_path)
    assert (saved.messages, saved.tool_calls) == (8, 4)


def test_a_copy_of_a_journal_changes_nothing(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    (tmp_path / "copy").mkdir()
    (tmp_path / "copy" / program.path.name).write_bytes(program.path.read_bytes())
    [saved] = library(tmp_path)
    assert len(saved.parts) == 1


def test_a_session_that_was_begun_elsewhere_has_what_was_replayed(tmp_path: Path) -> None:
    run(tmp_path, [*INITIALIZE, *resumed("a", 1, *turn("a", 1, 2)[1:2], *turn("a", 1, 2)[3:])])
    [saved] = library(tmp_path)
    assert (saved.messages, saved.tool_calls, saved.turns) == (2, 1, 1)
    assert saved.title == "question 1"


def test_a_session_the_agent_never_gave_is_none(tmp_path: Path) -> None:
    new, resume = ask(1, "session/new", cwd="/w"), ask(2, "session/resume", sessionId="z", cwd="/w")
    run(tmp_path, [*INITIALIZE, new, refuse(1, -32603, "no"), resume, refuse(2, -32002, "gone")])
    assert library(tmp_path) == []


def test_what_came_before_its_name(tmp_path: Path) -> None:
    new = ask(1, "session/new", cwd="/w")
    early = chunk("a", "m1", "hello")
    run(tmp_path, [*INITIALIZE, new, early, chunk("b", "m1", "whose?"), answer(1, sessionId="a")])
    [saved] = library(tmp_path)
    assert saved.messages == 1
    assert saved.last.journal.early == {}


def test_what_the_agent_lists_and_deletes(tmp_path: Path) -> None:
    first = [{"sessionId": "x", "cwd": "/x", "title": "X", "updatedAt": "2026-01-01T00:00:00Z"}, {"no": "id"}]
    pages = [
        ask(1, "session/list"),
        answer(1, sessions=first, nextCursor="2"),
        ask(2, "session/list", cursor="2"),
        answer(2, sessions=[{"sessionId": "y", "cwd": "/y"}, 7]),
        ask(3, "session/delete", sessionId="y"),
        answer(3),
        ask(4, "session/delete", sessionId="z"),
        refuse(4, -32002, "unknown"),
        ask(5, "session/delete", sessionId="x"),
        refuse(5, -32603, "no"),
    ]
    program = run(tmp_path, [*INITIALIZE, *pages])
    journal = scan(program.path)
    [listed] = journal.listed.values()
    assert (listed.session_id, listed.title, listed.cwd) == ("x", "X", "/x")
    assert journal.deleted.keys() == {"y", "z"}


def test_an_interleaved_id_ends_where_it_is_given_anew(tmp_path: Path) -> None:
    close = [ask(5, "session/close", sessionId="a"), answer(5)]
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *close, *opened("a", 6)])
    first, second = scan(program.path).stretches
    assert first.until == second.since == second.asked
    assert (first.number, second.number) == (1, 2)


def test_many_entities_are_counted_in_bounded_memory(tmp_path: Path) -> None:
    many = [chunk("a", f"m{n}", "x") for n in range(3 * RECENT)]
    back = [chunk("a", f"m{3 * RECENT - 2}", "more")]
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *many, *back])
    [stretch] = scan(program.path).stretches
    assert stretch.live.messages == 3 * RECENT
    assert len(stretch.recent) == RECENT


def test_where_records_are_missing_a_session_may_have_begun_in_these(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    lines = program.path.read_bytes().splitlines(keepends=True)
    gap = b'{"seq":9,"t":5.0,"dir":"#","session":null,"event":"gap","missing":4}\n'
    program.path.write_bytes(b"".join([lines[0], gap, *lines[8:]]))
    journal = scan(program.path)
    [stretch] = journal.stretches
    assert journal.missing == 4
    assert stretch.midway
    assert stretch.asked == len(lines[0]) + len(gap)
    assert [saved.messages for saved in library(tmp_path)] == [1]


def test_only_whole_lines_are_taken(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    whole = program.path.read_bytes()
    program.path.write_bytes(whole[:-1])
    journal = scan(program.path)
    assert journal.offset == whole.rfind(b"\n", 0, -1) + 1
    program.path.write_bytes(whole)
    assert scan(program.path, journal) == scan(program.path)


@pytest.mark.parametrize("other", [b"", b"{}\n", b'{"seq":0}\n' * 3000])
def test_another_file_of_that_name_is_read_from_the_start(tmp_path: Path, other: bytes) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    journal = scan(program.path)
    program.path.write_bytes(other)
    assert scan(program.path, journal) == scan(program.path)


@pytest.mark.parametrize(
    "damage", [b"", b"nonsense", b"{}", b"[]", b'{"name":"x","stretches":[{}]}', b"[" * 100_000, b"\xff"]
)
def test_facts_that_were_damaged_are_made_again(damage: bytes) -> None:
    assert known(damage) is None


def test_no_line_ends_a_scan(tmp_path: Path) -> None:
    good = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)]).path
    lines = good.read_bytes().splitlines(keepends=True)
    scanned = Scan(Journaled(name="x"))
    for number, line in enumerate(lines):
        for bad in (b"\xff\n", b"[]\n", b'"x"\n', b"\n", line[: len(line) // 2] + b"\n", b'{"dir":"<"}\n'):
            scanned.take(bad)
        for wrong in wronged(line):
            scanned.take(wrong)
        if number:
            scanned.take(line)
    assert scanned.journal.broken


def test_lone_surrogates_are_kept(tmp_path: Path) -> None:
    title = update("a", "session_info_update", title="cut \ud83d")
    journal = scan(run(tmp_path, [*INITIALIZE, *opened("a\ud83d"), *opened("a", 2), title]).path)
    assert known(kept(journal)) == journal


class Slow(Scan):
    """A scan that parses everything."""

    def _quick(self, line: bytes) -> bool:
        return False


@pytest.mark.parametrize("record", TRACES, ids=lambda path: path.stem)
def test_what_is_told_by_bytes_is_what_parsing_tells(record: Path, tmp_path: Path) -> None:
    path = run(tmp_path, said(record)).path
    quick, slow = Scan(Journaled(name=path.name)), Slow(Journaled(name=path.name))
    for line in path.read_bytes().splitlines(keepends=True):
        quick.take(line)
        slow.take(line)
        assert asdict(quick.journal) == asdict(slow.journal)


@settings(deadline=None, max_examples=100)
@given(story=STORIES, data=st.data())
def test_any_portions_give_the_same(
    story: list[Any], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Also where the facts were kept between, and with every line parsed."""
    folder = tmp_path_factory.mktemp("scan")
    tell(folder, [*story, CHILD])
    for path in folder.rglob("*.ndjson"):
        whole, expected = path.read_bytes(), scan(path)
        journal: Journaled | None = None
        for cut in sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=4))):
            path.write_bytes(whole[:cut])
            journal = known(kept(scan(path, journal)))
            assert journal is not None
        path.write_bytes(whole)
        assert scan(path, journal) == expected


@settings(deadline=None, max_examples=100)
@given(story=STORIES)
def test_ids_stay_when_more_is_added(story: list[Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("ids")
    before = [saved.id for n in (1, len(story)) for saved in library(tell(folder / str(n), story[:n]).folder)]
    assert len(set(before)) >= len(library(folder / str(len(story))))
    first = [saved.id for saved in library(folder / "1")]
    whole = [saved.id for saved in library(folder / str(len(story)))]
    assert whole[: len(first)] == first
    assert len(set(whole)) == len(whole)


def test_files_in_the_order_of_their_beginning(tmp_path: Path) -> None:
    for pid, at in ((1, 3000.0), (2, 2000.0), (3, 1000.0)):
        run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", pid, 2), ("#", "")], pid=pid, at=at)
    found = library(tmp_path)
    assert [saved.last.journal.head.pid for saved in found] == [3, 2, 1]
    assert [saved.id for saved in joined([])] == []


@pytest.mark.parametrize("named", [True, False])
def test_a_clock_that_goes_back_parts_no_session(named: bool, tmp_path: Path) -> None:
    """Journals follow those they go on from, and a session is created before it is active."""
    first = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), ("#", "")], at=9000.0)
    [begun] = library(tmp_path)
    ask_again, *rest = resumed("a", 3)
    kept = {"saved": begun.id, "agent": "test agent"} if named else {}
    then = first.path
    for pid, at in ((8, 3000.0), (9, 1000.0)):
        told = [*INITIALIZE, beside(ask_again, **kept), *rest, *turn("a", pid, 4), ("#", "")]
        then = run(tmp_path, told, before=then, pid=pid, at=at).path
    [saved] = library(tmp_path)
    assert saved.id == begun.id
    assert [part.journal.head.pid for part in saved.parts] == [7, 8, 9]
    assert saved.created == 9003.0 <= saved.active
    told = sessions(fold(saved))["a"]["timeline"]
    assert [id for kind, id in told if kind == "user_message"] == ["u1", "u8", "u9"]


def test_a_session_is_never_active_before_it_was_created(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a")], at=9000.0)
    program.at = 1000.0
    program.say(turn("a", 1, 2))
    [saved] = library(tmp_path)
    assert saved.active == saved.created == 9003.0


@pytest.mark.parametrize("spoilt", ["", "[1]", '{"order":null}', '{"order":1e300}', '{"order":-5}'])
def test_what_goes_on_from_a_spoilt_journal_is_as_old_as_its_clock_says(spoilt: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(spoilt)
    assert [after(tmp_path / "x", 5.0), after(tmp_path / "none", 5.0), after(None, 5.0)] == [5.0] * 3


@pytest.mark.parametrize(
    ("saved", "agent", "is_it"),
    [("0123456789ab", "test agent", True), ("0123456789ab", "other", False), ("../x", "test agent", False)],
)
def test_where_its_beginning_is_gone_it_keeps_the_id_that_was_named(
    saved: str, agent: str, is_it: bool, tmp_path: Path
) -> None:
    ask_again, *rest = resumed("a", 3)
    kept = beside(ask_again, saved=saved, agent=agent)
    run(tmp_path, [*INITIALIZE, kept, *rest, *turn("a", 1, 4)])
    [found] = library(tmp_path)
    assert (found.id == saved) is is_it


def test_what_a_session_was_begun_below_is_kept_with_it(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *opened("b", 3)])
    assert program.journal is not None
    program.journal.note("continues", 2000.0, new="b", saved="0123456789ab")
    program.journal.note("continues", 2000.0, new="nobody", saved="x")
    program.say(turn("b", 2, 4))
    above, below = library(tmp_path)
    assert (above.continues, below.continues) == ("", "0123456789ab")
    assert fold(below).problems == []
