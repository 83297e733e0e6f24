"""What the library lists and finds: with its index, without, and in between."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from acp_tui.base import processes
from acp_tui.journal.checkpoint import Checkpoints
from acp_tui.journal.emptying import remove
from acp_tui.journal.library import Ambiguous, Badge, Entry, Library, Query, Unknown
from acp_tui.journal.listing import listed_id
from acp_tui.store.keys import Key, Kind
from tests.journal.indexing_run import bring_up
from tests.journal.keeping import (
    INITIALIZE,
    Program,
    Said,
    answer,
    ask,
    beside,
    chunk,
    opened,
    refuse,
    resumed,
    run,
    turn,
    update,
)
from tests.journal.keeping import library as library_of

LOST: Said = ("#", "The agent was stopped.")
CLOSE = [ask(90, "session/close", sessionId="a"), answer(90), LOST]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path, tmp_path / "cache")


def keep(tmp_path: Path, *said: Said, at: float = 1000.0, pid: int = 7, cwd: str = "/w") -> Program:
    """One session."""
    begun = [ask(1, "session/new", cwd=cwd), answer(1, sessionId="a")]
    return run(tmp_path / "journal", [*INITIALIZE, *begun, *said], at=at, pid=pid)


def titled(title: str) -> Said:
    return update("a", "session_info_update", title=title)


def titles(entries: list[Entry]) -> list[str]:
    return [entry.title for entry in entries]


@pytest.fixture(params=["indexed", "not indexed"])
def settle(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], None]:
    """The same is listed with the index and without."""

    def settled() -> None:
        if request.param == "indexed":
            bring_up(tmp_path, tmp_path / "cache")

    return settled


def test_nothing_is_there_at_first(library: Library) -> None:
    assert library.entries() == []
    assert library.search("x") == []
    assert library.agents() == []
    assert library.newest("/w") is None
    assert library.saved("0" * 12) is None
    assert library.progress().state == "missing"
    assert "not there yet" in library.progress().words


def test_the_facts_of_an_entry(tmp_path: Path, library: Library, settle: Callable[[], None]) -> None:
    cost = update("a", "usage_update", used=1, size=2, cost={"amount": 0.5, "currency": "EUR"})
    program = keep(tmp_path, titled("The parser"), *turn("a", 1, 2), cost, *CLOSE)
    settle()
    [entry] = library.entries()
    assert (entry.title, entry.agent, entry.session_id, entry.command) == (
        "The parser",
        "test agent",
        "a",
        ("agent",),
    )
    assert (entry.cwd, entry.messages, entry.tool_calls, entry.turns) == ("/w", 2, 1, 1)
    assert (entry.cost, entry.badges, entry.exact) == ((0.5, "EUR"), {Badge.SAVED}, True)
    assert (entry.created, entry.journals, entry.branch) == (1003.0, (program.path,), "")
    assert library.agents() == ["test agent"]


def test_the_branch_is_that_of_the_session(
    tmp_path: Path, library: Library, settle: Callable[[], None]
) -> None:
    """Of older journals, which did not keep it, the one the folder has now, and that is known of it."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/now\n")
    asked, told = ask(1, "session/new", cwd=str(folder)), answer(1, sessionId="a")
    back, *rest = resumed("a", 3)
    back = ask(3, "session/resume", sessionId="a", cwd=str(folder))
    first = [*INITIALIZE, beside(asked, branch="begun"), told, titled("gone on"), LOST]
    run(tmp_path / "journal", first, at=1000.0)
    run(tmp_path / "journal", [*INITIALIZE, beside(back, branch="topic"), *rest, LOST], at=2000.0)
    run(tmp_path / "journal", [*INITIALIZE, beside(asked, branch=""), told, titled("none"), LOST], at=3000.0)
    run(tmp_path / "journal", [*INITIALIZE, asked, told, titled("older"), LOST], at=4000.0)
    settle()
    found = {entry.title: (entry.branch, entry.branch_kept) for entry in library.entries()}
    assert found == {"gone on": ("topic", True), "none": ("", True), "older": ("now", False)}


def test_its_id_is_the_same_before_there_is_an_index(tmp_path: Path, library: Library) -> None:
    """Where a glance does not reach its beginning, which stands deep in a long journal."""
    far = [chunk("a", f"m{n}", "words " * 100) for n in range(100)]
    first = keep(tmp_path, *far, *opened("b", 5), *turn("b", 1, 6), LOST)
    before = {saved.session_id: saved.id for saved in library_of(tmp_path / "journal")}
    back, *rest = resumed("b", 3)
    back = beside(back, saved=before["b"], agent="test agent")
    run(tmp_path / "journal", [*INITIALIZE, back, *rest, *turn("b", 1, 4)], before=first.path, at=5000.0)
    glanced = {entry.session_id: entry.id for entry in library.entries()}
    bring_up(tmp_path, tmp_path / "cache")
    assert glanced == before == {entry.session_id: entry.id for entry in library.entries()}


def test_what_is_added_shows_before_it_is_indexed(tmp_path: Path, library: Library) -> None:
    program = keep(tmp_path, titled("before"))
    bring_up(tmp_path, tmp_path / "cache")
    assert titles(library.entries()) == ["before"]
    assert library.progress().state == "current"
    program.say([titled("after"), *turn("a", 1, 2)])
    keep(tmp_path, titled("new"), at=5000.0, pid=8)
    assert titles(library.entries()) == ["new", "after"]
    assert library.entries()[1].messages == 2
    assert library.progress().state == "behind"
    bring_up(tmp_path, tmp_path / "cache")
    assert titles(library.entries()) == ["new", "after"]
    assert library.progress().words == ""


def test_a_long_one_is_glanced_at(tmp_path: Path, library: Library) -> None:
    many = [chunk("a", f"m{n}", "words " * 100) for n in range(200)]
    keep(tmp_path, titled("long"), *many, LOST)
    [glanced] = library.entries()
    assert (glanced.title, glanced.exact) == ("long", False)
    assert 0 < glanced.messages < 200
    assert glanced.active > 1_000_000_000  # when it was written to
    bring_up(tmp_path, tmp_path / "cache")
    [entry] = library.entries()
    assert (entry.id, entry.exact, entry.messages) == (glanced.id, True, 200)


def test_sorted_and_filtered(tmp_path: Path, library: Library, settle: Callable[[], None]) -> None:
    for n, (title, cwd) in enumerate([("Lexer", "/w"), ("Écrire", "/w/sub"), ("Other", "/wider")]):
        keep(tmp_path, titled(title), chunk("a", "m", "hi"), at=1000.0 * n, pid=n, cwd=cwd)
    settle()
    assert titles(library.entries()) == ["Other", "Écrire", "Lexer"]
    assert titles(library.entries(Query(order="title"))) == ["Lexer", "Other", "Écrire"]
    assert titles(library.entries(Query(folder="/w"))) == ["Écrire", "Lexer"]
    assert titles(library.entries(Query(folder="/w/"))) == ["Écrire", "Lexer"]
    assert titles(library.entries(Query(folder="/"))) == ["Other", "Écrire", "Lexer"]
    assert titles(library.entries(Query(limit=1, offset=1))) == ["Écrire"]
    assert library.count(Query(folder="/w", limit=1)) == 2
    assert library.entries(Query(agent="nobody")) == []
    assert titles(library.entries(Query(badges=frozenset({Badge.INTERRUPTED})))) != []
    assert library.entries(Query(badges=frozenset({Badge.RUNNING}))) == []
    newest = library.newest("/w/")
    assert newest is not None
    assert newest.title == "Lexer"


def test_titles_are_found_by_a_few_letters(tmp_path: Path, library: Library) -> None:
    for n, title in enumerate(["Fix the parser", "Parse a date", "Two\nlines", "parser"]):
        keep(tmp_path, titled(title), at=1000.0 * n, pid=n)
    bring_up(tmp_path, tmp_path / "cache")
    found = library.entries(Query(words="parser"))
    assert titles(found)[:2] == ["parser", "Fix the parser"]
    assert found[1].matched == tuple(range(8, 14))
    assert titles(library.entries(Query(words="two lin"))) == ["Two\nlines"]
    assert library.entries(Query(words="qqq")) == []


def test_names_pins_and_the_trash(tmp_path: Path, library: Library, settle: Callable[[], None]) -> None:
    for n, title in enumerate(["one", "two", "three"]):
        keep(tmp_path, titled(title), chunk("a", "m", "common"), at=1000.0 * n, pid=n)
    settle()
    three, two, one = library.entries()
    library.marks.pin(one.id, 1.0)
    library.marks.rename(two.id, "The second", 2.0)
    library.marks.trash(three.id, 3.0)
    assert titles(library.entries()) == ["one", "The second"]
    assert [(entry.pinned, entry.named) for entry in library.entries()] == [(True, False), (False, True)]
    assert [entry.trashed_at for entry in library.entries(Query(trashed=True))] == [3.0]
    assert titles([hit.entry for hit in library.search("common")]) in ([], ["The second", "one"])
    assert library.entry(three.id).trashed_at == 3.0
    library.marks.restore(three.id, 4.0)
    assert titles(library.entries()) == ["one", "three", "The second"]


def test_an_id_may_be_shortened(tmp_path: Path, library: Library, settle: Callable[[], None]) -> None:
    for n in range(40):
        keep(tmp_path, titled(f"n{n}"), at=1000.0 * n, pid=n)
    settle()
    entries = library.entries()
    assert library.entry(entries[3].id) == entries[3]
    unique = next(id[:n] for id in [entries[3].id] for n in range(1, 13) if one_begins(entries, id[:n]))
    assert library.entry(unique.upper() + " ") == entries[3]
    same = next(d for d in "0123456789abcdef" if sum(e.id.startswith(d) for e in entries) > 1)
    with pytest.raises(Ambiguous, match="begins with") as many:
        library.entry(same)
    assert len(many.value.entries) > 1
    for prefix in ("", "zz", "%"):
        with pytest.raises(Unknown, match="no session"):
            library.entry(prefix)


def one_begins(entries: list[Entry], prefix: str) -> bool:
    return sum(entry.id.startswith(prefix) for entry in entries) == 1


# Badges


def list_of(*sessions: str, id: int = 70) -> list[Said]:
    told = [{"sessionId": name, "cwd": "/w", "title": f"Title of {name}"} for name in sessions]
    return [ask(id, "session/list"), answer(id, sessions=told)]


def test_what_agents_list_is_added(tmp_path: Path, library: Library, settle: Callable[[], None]) -> None:
    pages = [
        ask(70, "session/list"),
        answer(
            70,
            sessions=[{"sessionId": "x", "cwd": "/x", "updatedAt": "2026-01-02T00:00:00Z"}],
            nextCursor="2",
        ),
        ask(71, "session/list", cursor="2"),
        answer(71, sessions=[{"sessionId": "y", "cwd": "/y"}, {"sessionId": "a", "cwd": "/w"}]),
    ]
    keep(tmp_path, titled("mine"), *pages, *CLOSE)
    settle()
    found = {entry.session_id: entry for entry in library.entries()}
    assert found.keys() == {"a", "x", "y"}
    assert found["a"].badges == {Badge.SAVED, Badge.RESUMABLE}
    assert found["x"].badges == {Badge.LISTED, Badge.RESUMABLE}
    assert (found["x"].id, found["x"].journals) == (listed_id("test agent", "x"), ())
    assert (found["x"].active, found["y"].active) == (1_767_312_000.0, 0.0)
    assert library.saved(found["x"].id) is None
    assert library.newest("/x") is None


def test_what_the_agent_lists_it_as_names_a_session_without_a_title(
    tmp_path: Path, library: Library, settle: Callable[[], None]
) -> None:
    keep(tmp_path, *turn("a", 1, 2), *list_of("a"), *CLOSE)
    settle()
    assert titles(library.entries()) == ["Title of a"]
    run(tmp_path / "journal", [*INITIALIZE, *resumed("a", 3), titled("its own"), LOST], at=5000.0)
    settle()
    assert titles(library.entries()) == ["its own"]


def test_a_list_never_deletes(tmp_path: Path, library: Library, settle: Callable[[], None]) -> None:
    keep(tmp_path, *list_of("x", "y"), *list_of("y", id=71), at=1000.0)
    keep(tmp_path, *list_of(), ask(72, "session/delete", sessionId="y"), answer(72), at=9000.0, pid=8)
    settle()
    assert [e.session_id for e in library.entries() if Badge.LISTED in e.badges] == ["x"]


def test_refused_it_cannot_be_resumed_until_it_is_listed_again(
    tmp_path: Path, library: Library, settle: Callable[[], None]
) -> None:
    keep(tmp_path, *list_of("a"), *CLOSE)
    again = [ask(5, "session/resume", sessionId="a", cwd="/w"), refuse(5, -32002, "no such session"), LOST]
    run(tmp_path / "journal", [*INITIALIZE, *again], at=5000.0, pid=8)
    settle()
    [entry] = library.entries()
    assert entry.badges == {Badge.SAVED, Badge.NOT_RESUMABLE}
    assert entry.refused == "no such session"
    assert len(entry.journals) == 2
    run(tmp_path / "journal", [*INITIALIZE, *list_of("a"), LOST], at=9000.0, pid=9)
    settle()
    assert library.entries()[0].badges == {Badge.SAVED, Badge.RESUMABLE}


def test_what_wants_a_login_is_not_refused(
    tmp_path: Path, library: Library, settle: Callable[[], None]
) -> None:
    again = [ask(5, "session/resume", sessionId="a", cwd="/w"), refuse(5, -32000, "log in"), LOST]
    keep(tmp_path, *turn("a", 1, 2), *CLOSE)
    run(tmp_path / "journal", [*INITIALIZE, *again], at=5000.0, pid=8)
    settle()
    assert library.entries()[0].badges == {Badge.SAVED}


def test_where_nothing_was_said_there_is_nothing_to_list(
    tmp_path: Path, library: Library, settle: Callable[[], None]
) -> None:
    keep(tmp_path, *CLOSE)
    [blank] = library_of(tmp_path / "journal")
    settle()
    assert library.entries() == []
    assert library.count() == 0
    assert library.entry(blank.id).session_id == "a", "who knows its id can have it"
    library.marks.rename(blank.id, "mine", 9.0)
    assert titles(library.entries()) == ["mine"]


def test_deleted_by_the_agent_it_is_still_here(
    tmp_path: Path, library: Library, settle: Callable[[], None]
) -> None:
    keep(
        tmp_path, *turn("a", 1, 2), *list_of("a"), ask(6, "session/delete", sessionId="a"), answer(6), *CLOSE
    )
    settle()
    assert library.entries()[0].badges == {Badge.SAVED, Badge.NOT_RESUMABLE}


def test_resumed_in_another_journal_it_is_one(tmp_path: Path, library: Library) -> None:
    keep(tmp_path, titled("it"), *turn("a", 1, 2), *CLOSE)
    bring_up(tmp_path, tmp_path / "cache")
    [before] = library.entries()
    more = [*resumed("a", 5, from_start=False), *turn("a", 2, 6), LOST]
    run(tmp_path / "journal", [*INITIALIZE, *more], at=5000.0, pid=8)
    for _ in range(2):
        [entry] = library.entries()
        assert (entry.id, entry.messages, len(entry.journals)) == (before.id, 4, 2)
        assert entry.badges == {Badge.SAVED, Badge.RESUMABLE}
        bring_up(tmp_path, tmp_path / "cache")


@pytest.mark.parametrize("long", [False, True])
def test_what_was_removed_for_good_is_gone_at_once(long: bool, tmp_path: Path, library: Library) -> None:
    """Whatever else stands in its journal, and before anybody makes the index again."""
    many = [chunk("a", f"m{n}", "words " * 100) for n in range(200 if long else 1)]
    rest = [*opened("b", 3), *turn("b", 1, 4), *resumed("c", 7, from_start=False), *turn("c", 2, 8)]
    keep(tmp_path, titled("goes"), *many, *rest, LOST)
    run(tmp_path / "journal", [*INITIALIZE, *opened("c", 3), *turn("c", 1, 4), LOST], at=10.0, pid=8)
    bring_up(tmp_path, tmp_path / "cache")
    before = {entry.session_id: entry.id for entry in library.entries()}
    library.marks.trash(before.pop("a"), 5000.0)
    [gone] = library.entries(Query(trashed=True))
    assert remove(library, gone.id)
    assert library.entries(Query(trashed=True)) == []
    assert {entry.session_id: entry.id for entry in library.entries()} == before
    entry = library.entry(before["c"])
    assert (entry.messages, len(entry.journals)) == (4, 2)
    entry.journals[0].unlink()
    listed = [(entry.session_id, entry.messages) for entry in library.entries()]
    bring_up(tmp_path, tmp_path / "cache")
    assert listed == [(entry.session_id, entry.messages) for entry in library.entries()]


def test_running_and_interrupted(tmp_path: Path, library: Library, settle: Callable[[], None]) -> None:
    program = keep(tmp_path, *turn("a", 1, 2)[:4])
    settle()
    assert library.entries()[0].badges == {Badge.SAVED, Badge.INTERRUPTED}
    assert library.entries()[0].uncertain == 0
    me = processes.find(os.getpid())
    assert me is not None
    record = {
        "client_pid": os.getpid(),
        "client_birth": me.birth,
        "started": 0.0,
        "journal": str(program.path),
    }
    (tmp_path / "running").mkdir()
    (tmp_path / "running" / "1.json").write_text(json.dumps(record))
    (tmp_path / "running" / "2.json").write_text("{")
    assert library.entries()[0].badges == {Badge.SAVED, Badge.RUNNING}
    (tmp_path / "running" / "1.json").write_text(json.dumps({**record, "client_birth": "another"}))
    assert library.entries()[0].badges == {Badge.SAVED, Badge.INTERRUPTED}


def test_an_agent_that_died_at_work_leaves_it_interrupted(
    tmp_path: Path, library: Library, settle: Callable[[], None]
) -> None:
    keep(tmp_path, *turn("a", 1, 2)[:6], ("#", "The agent was killed by SIGKILL."))
    settle()
    assert library.entries()[0].badges == {Badge.SAVED, Badge.INTERRUPTED}


def test_an_agent_that_died_at_rest_interrupts_nothing(
    tmp_path: Path, library: Library, settle: Callable[[], None]
) -> None:
    keep(tmp_path, *turn("a", 1, 2), ("#", "The agent was killed by SIGKILL."))
    settle()
    assert library.entries()[0].badges == {Badge.SAVED}


# Search and opening


def test_hits_lead_to_where_it_was_said(tmp_path: Path, library: Library) -> None:
    keep(
        tmp_path, *turn("a", 1, 2), chunk("a", "t", "a hidden Café", "agent_thought_chunk"), *turn("a", 3, 4)
    )
    bring_up(tmp_path, tmp_path / "cache")
    [hit] = library.search("cafe hidd")
    assert (hit.kind, hit.id, hit.session_id) == ("agent_thought", "t", "a")
    assert (hit.snippet, hit.found) == ("a hidden Café", "hidden")
    assert [hit.snippet[start:end] for start, end in hit.matches] == ["hidden", "Café"]
    saved = library.saved(hit.entry.id)
    assert saved is not None
    folded = Checkpoints(library.checkpoints).open(saved)
    assert folded.session is not None
    assert Key(folded.session.ref, Kind(hit.kind), hit.id) in folded.session.entities
    assert [hit.id for hit in library.search("answer")] == ["a3", "a1"]
    assert [hit.id for hit in library.search("answer", limit=1, offset=1)] == ["a1"]
    assert library.search("answer", agent="nobody") == []


def test_everything_that_was_said_and_done_is_found(tmp_path: Path, library: Library) -> None:
    patch = "--- a/old.py\n+++ b/old.py\n@@ -1 +1 @@\n-wordone\n+wordtwo\n"
    change = {"operation": "modify", "path": "/w/changed.py"}
    said = [
        update(
            "a",
            "tool_call_update",
            toolCallId="c",
            title="run wordthree",
            rawInput={"command": ["ls", "wordfour"]},
        ),
        update("a", "tool_call_update", toolCallId="c", locations=[{"path": "/w/wordfive.py"}]),
        update(
            "a",
            "tool_call_update",
            toolCallId="c",
            content=[
                {"type": "terminal", "terminalId": "t"},
                {"type": "diff", "changes": [change], "patch": {"format": "git_patch", "text": patch}},
                {"type": "content", "content": {"type": "text", "text": "wordsix"}},
            ],
        ),
        update("a", "terminal_update", terminalId="t", command="make wordseven"),
        update("a", "terminal_output_chunk", terminalId="t", data="d29yZGVpZ2h0"),
        update(
            "a",
            "plan_update",
            plan={
                "type": "items",
                "planId": "p",
                "entries": [{"content": "wordnine", "priority": "high", "status": "pending"}],
            },
        ),
        titled("wordten"),
    ]
    keep(tmp_path, *said)
    bring_up(tmp_path, tmp_path / "cache")
    words = "one two three four five six seven eight nine ten"
    kinds = {word: [hit.kind for hit in library.search(f"word{word}")] for word in words.split()}
    assert kinds == {
        **{word: ["tool_call"] for word in words.split()[:8]},
        "nine": ["plan"],
        "ten": ["info"],
    }


def test_of_a_folder_and_those_below(tmp_path: Path, library: Library) -> None:
    for n, cwd in enumerate(["/w", "/w/sub", "/wider"]):
        keep(tmp_path, chunk("a", "m", "common words"), at=1000.0 * n, pid=n, cwd=cwd)
    bring_up(tmp_path, tmp_path / "cache")
    assert [hit.entry.cwd for hit in library.search("common", folder="/w")] == ["/w/sub", "/w"]
    assert [hit.entry.cwd for hit in library.search("common", folder="/w/sub/")] == ["/w/sub"]
    assert len(library.search("common", folder="/")) == 3
    assert library.search("common", folder="/nowhere") == []


def test_of_a_very_long_text_both_ends_are_found(tmp_path: Path, library: Library) -> None:
    keep(tmp_path, chunk("a", "m", "beginning " + "filler words " * 20_000 + " ending"))
    bring_up(tmp_path, tmp_path / "cache")
    assert [hit.found for hit in library.search("beginning")] == ["beginning"]
    assert [hit.found for hit in library.search("ending")] == ["ending"]


def test_a_running_session_is_opened_as_it_stands(tmp_path: Path, library: Library) -> None:
    program = keep(tmp_path, chunk("a", "m", "one"))
    bring_up(tmp_path, tmp_path / "cache")
    program.say([chunk("a", "n", "two")])
    saved = library.saved(library.entries()[0].id)
    assert saved is not None
    folded = Checkpoints(library.checkpoints).open(saved)
    assert folded.session is not None
    assert [key.id for key in folded.session.timeline] == ["m", "n"]


def test_it_may_be_asked_from_any_thread(tmp_path: Path, library: Library) -> None:
    keep(tmp_path, chunk("a", "m", "one"))
    bring_up(tmp_path, tmp_path / "cache")
    library.entries()
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(len(library.search("one"))))
    thread.start()
    thread.join(60)
    assert found == [1]
    library.close()
    assert len(library.search("one")) == 1


def test_strange_journals_raise_nothing(tmp_path: Path, library: Library, settle: Callable[[], None]) -> None:
    folder = tmp_path / "journal" / "2026-01"
    folder.mkdir(parents=True)
    (folder / "empty.ndjson").touch()
    (folder / "junk.ndjson").write_bytes(b"\x00\xff\n{}\n[]\n" * 10_000)
    (folder / "folder.ndjson").mkdir()
    (folder / "nowhere.ndjson").symlink_to("/nowhere")
    os.mkfifo(folder / "pipe.ndjson")
    (tmp_path / "journal" / "file").touch()
    keep(tmp_path, titled("good \ud800"), chunk("a", "\ud800", "half a letter: \ud800"))
    with suppress(OSError):
        settle()
    [entry] = library.entries()
    assert entry.title.startswith("good")
    assert len(library.search("letter")) in (0, 1)
