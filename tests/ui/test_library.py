"""The library: what it lists, how it is narrowed and searched, and what can be done to a session in it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import monotonic

import pytest
from textual.widgets import Input

from acp_tui.base import paths
from acp_tui.journal.library import Library, Query
from acp_tui.journal.marks import Marks
from acp_tui.ui.library.rows import Sessions
from acp_tui.ui.screens.export import ExportScreen
from acp_tui.ui.screens.launcher import LauncherScreen
from acp_tui.ui.screens.library import LibraryScreen
from acp_tui.ui.screens.question import Question
from acp_tui.ui.screens.saved import SavedScreen
from acp_tui.ui.screens.setting_choice import ChoiceScreen
from acp_tui.ui.widgets.shelf import Shelf
from tests.journal.indexing_run import bring_up
from tests.journal.keeping import AGENT, INITIALIZE, Said, answer, ask, run, turn, update
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


def kept(
    title: str, *said: Said, cwd: str = "/w", at: float = 1000.0, agent: str = "test agent", id: str = "a"
) -> None:
    """A session that is over, in a run of its own."""
    result = {**AGENT, "info": {"name": agent, "version": "1"}}
    who = [INITIALIZE[0], answer("init", **result)]
    begun = [ask(1, "session/new", cwd=cwd), answer(1, sessionId=id)]
    named = update(id, "session_info_update", title=title)
    run(paths.journal_dir(), [*who, *begun, named, *(said or turn(id, 1, 2))], at=at, pid=int(at))


def indexed() -> None:
    """All that is kept can be found."""
    bring_up(paths.state_dir(), paths.cache_dir())


async def opened(driven: Driven, *, everywhere: bool = True) -> LibraryScreen:
    """The library, with its list."""
    await driven.press("f11")
    await driven.until(lambda: isinstance(driven.app.screen, LibraryScreen) and driven.app.screen._loaded)
    screen = driven.app.screen
    assert isinstance(screen, LibraryScreen)
    if everywhere and not screen.view.everywhere:
        await driven.press("tab")
        await driven.until(lambda: screen.view.everywhere)
    await settled(driven, screen)
    return screen


async def settled(driven: Driven, screen: LibraryScreen) -> None:
    """No question is open."""
    await driven.until(lambda: all(worker.is_finished for worker in screen.workers))


def titles(driven: Driven) -> list[str]:
    """First words of the sessions on the screen, without marks."""
    screen = driven.app.screen
    assert isinstance(screen, LibraryScreen)
    shelf = screen.query_one(Shelf)
    shown = driven.rows()[shelf.region.y : shelf.region.bottom : 2]
    return [row.lstrip("❯ ●!▲○⊘").split("  ")[0] for row in shown if row.strip(" ▁▂▃▄▅▆▇█")]


def shows(driven: Driven, expected: list[str]) -> bool:
    """These titles."""
    return titles(driven) == expected


async def test_the_last_active_comes_first_with_who_where_and_what_can_be_done() -> None:
    kept("The old one", at=1000.0)
    kept("The new one", at=5000.0, cwd="/elsewhere", agent="codex")
    async with driving() as driven:
        await opened(driven)
        await driven.until("all folders 2")
        assert titles(driven) == ["The new one", "The old one"]
        rows = driven.text()
        assert "codex · /elsewhere" in rows
        assert "saved" in rows
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))


async def test_it_begins_with_this_folder_and_says_how_many_there_are_elsewhere(tmp_path: Path) -> None:
    kept("Here", cwd=str(tmp_path))
    kept("There", cwd="/elsewhere", at=3000.0)
    async with driving(cwd=str(tmp_path)) as driven:
        screen = await opened(driven, everywhere=False)
        assert titles(driven) == ["Here"]
        await driven.until("all folders 2")
        await driven.press("tab")
        await settled(driven, screen)
        await driven.until(lambda: titles(driven) == ["There", "Here"])
        assert f"{tmp_path} 1" in driven.rows()[0] or " 1  all" in driven.rows()[0]
    async with driving(cwd="/") as driven:
        await driven.press("f11")
        await driven.until("There")


async def test_what_is_empty_says_what_to_do() -> None:
    async with driving(cwd="/tmp") as driven:
        await driven.press("f11")
        await driven.until("No session yet.")
        kept("Elsewhere", cwd="/elsewhere")
        await driven.press("escape", "f11")
        await driven.until("No session in this folder yet. Tab shows those of all folders: 1.")
        await driven.press("tab")
        await driven.until("Elsewhere")
        await driven.press("s")
        await driven.until("No session of this kind.")
        await driven.press("escape")
        await driven.until("Elsewhere")


async def test_what_was_read_of_the_library_is_there_for_the_next_look(tmp_path: Path) -> None:
    kept("Kept", cwd=str(tmp_path))
    async with driving(cwd=str(tmp_path)) as driven:
        first = (await opened(driven)).librarian
        await driven.press("enter")
        await driven.until("r resume")
        await driven.press("escape", "escape")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))
        again = (await opened(driven)).librarian
        assert again is first
        made = [await first.ask(Library.now) for _ in range(2)]
        assert made[0] is made[1]
    with pytest.raises(OSError, match="closed"):
        first.entry("1")


async def test_agents_and_states_are_filters_that_go_round() -> None:
    kept("By one", agent="one")
    kept("By two", agent="two", at=3000.0)
    async with driving() as driven:
        screen = await opened(driven)
        for expected in (["By two"], ["By one"], ["By two", "By one"]):
            await driven.press("a")
            await driven.until(partial(shows, driven, expected))
        await driven.press("s")
        assert "running" in driven.rows()[0]
        await driven.press("escape")
        assert screen.view.state is None


async def test_letters_find_titles_and_escape_lets_go_step_by_step() -> None:
    kept("Fix the tokenizer")
    kept("Port to 3.13", at=3000.0)
    async with driving() as driven:
        screen = await opened(driven)
        await driven.press("f", *"tokz")
        await driven.until(lambda: titles(driven) == ["Fix the tokenizer"])
        await driven.press("enter")
        assert screen.shelf.has_focus
        await driven.press("escape")
        await driven.until(lambda: len(titles(driven)) == 2)
        assert driven.app.screen is screen
        await driven.press("escape")
        await driven.until(lambda: driven.app.screen is not screen)


async def test_words_are_found_in_all_that_was_said_and_opened_where_they_stand() -> None:
    kept("First", *[said for n in range(1, 30) for said in turn("a", n, n + 1)])
    kept("Second", *turn("a", 77, 2), at=9000.0)
    indexed()
    async with driving() as driven:
        await opened(driven)
        await driven.press("slash", *"question", "space", *"7")
        await driven.until("question 7")
        await driven.until("First")
        await driven.press("enter", "end", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, SavedScreen))
        screen = driven.app.screen
        assert isinstance(screen, SavedScreen)
        assert screen.spot is not None and (screen.spot.id, screen.spot.words) == ("u7", "question")
        await driven.until("question 7")
        await driven.press("q")
        await driven.until(lambda: isinstance(driven.app.screen, LibraryScreen))


async def test_what_was_found_in_an_open_session_is_shown_where_it_stands_there(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.say(" ".join(["needle", *(f"w{n}" for n in range(40))]))
        await driven.until("you said w39")
        await driven.until(lambda: driven.host.claims.ids(driven.conversation))
        assert "you said needle" not in driven.text()
        indexed()
        screen = await opened(driven)
        await driven.press("slash", *"needle")
        await driven.until("you said needle")
        await driven.press("enter", "enter")
        await driven.until(lambda: driven.app.screen is not screen and "/ needle" in driven.text())
        await driven.until("you said needle")


async def test_words_that_stand_nowhere_are_said_to() -> None:
    kept("First")
    async with driving() as driven:
        await opened(driven)
        await driven.press("slash", *"nonesuch")
        await driven.until("Nothing with these words.")
        screen = driven.app.screen
        assert isinstance(screen, LibraryScreen)
        screen.field.value = "=>"
        await driven.until("Words are found by their letters and digits")


async def test_enter_reads_it_without_its_agent() -> None:
    kept("To be read")
    async with driving() as driven:
        await opened(driven)
        await driven.press("enter")
        await driven.until("saved · read only")
        await driven.until("answer 1")
        assert not driven.host.links


async def test_a_name_a_pin_and_the_trash_are_kept_and_can_be_undone() -> None:
    kept("One")
    kept("Two", at=3000.0)
    async with driving() as driven:
        screen = await opened(driven)
        await driven.press("down", "n")
        field = screen.query_one("#library-name", Input)
        assert field.value == "One"
        field.value = "Mine"
        await driven.press("enter")
        await driven.until(lambda: titles(driven) == ["Two", "Mine"])
        await driven.press("p")
        await driven.until(lambda: titles(driven) == ["Mine", "Two"])
        assert screen.marked is not None and screen.marked.title == "Mine", "the mark stays on it"
        await driven.pilot.resize_terminal(44, 20)
        await driven.until(lambda: driven.rows()[-1].strip().endswith("Esc back"))
        await driven.pilot.resize_terminal(80, 24)
        await driven.press("d")
        await driven.until(lambda: isinstance(driven.app.screen, ChoiceScreen))
        assert "Not on the agent: it does not run now. Start it" in driven.text()
        await driven.press("enter")
        await driven.until(lambda: titles(driven) == ["Two"])
        await driven.press("t")
        await driven.until(lambda: titles(driven) == ["Mine"])
        await driven.press("u")
        await driven.until("The trash is empty.")
        await driven.press("t")
        await driven.until(lambda: titles(driven) == ["Mine", "Two"])
        await driven.press("d", "enter")
        await driven.until(lambda: titles(driven) == ["Two"])
        await driven.press("u")
        await driven.until(lambda: titles(driven) == ["Mine", "Two"])
        assert screen.marked is not None and screen.marked.title == "Mine", "the one that came back"
    [mark] = Marks(paths.state_dir() / "marks.ndjson").all().values()
    assert (mark.name, mark.pinned, mark.trashed_at) == ("Mine", True, None)


async def answered(driven: Driven, key: str) -> None:
    """What is asked, when it listens."""
    asked = driven.app.screen
    assert isinstance(asked, Question)
    await driven.until(lambda: not asked.ear.deaf(monotonic()))
    await driven.press(key)


async def test_the_trash_is_emptied_after_it_was_said_what_goes(tmp_path: Path) -> None:
    for number, name in enumerate(("One", "Two", "Three"), 1):
        kept(name, at=1000.0 * number)
    async with driving() as driven:
        screen = await opened(driven)
        await driven.press("D")
        await driven.until("t shows the trash")
        for left in (2, 1):
            await driven.press("d", "enter")
            await driven.until(lambda left=left: len(titles(driven)) == left)  # type: ignore[misc]
        await driven.press("t")
        await driven.until(lambda: titles(driven) == ["Three", "Two"])
        assert "all folders 2" in driven.rows()[0] and "deleted" in driven.text()
        await driven.press("d")
        await driven.until("Remove “Three” for good?")
        assert "2 messages" in driven.text() and "Stays: what agents keep" in driven.text()
        await answered(driven, "escape")
        await driven.until(lambda: driven.app.screen is screen)
        await driven.press("d")
        await driven.until("Remove “Three” for good?")
        await answered(driven, "y")
        await driven.until(lambda: titles(driven) == ["Two"])
        await driven.press("D")
        await driven.until("for good: 1 session?")
        await answered(driven, "y")
        await driven.until("The trash is empty.")
    assert [entry.title for entry in Library().entries(Query(limit=9))] == ["One"]
    assert len(list(paths.journal_dir().rglob("*.ndjson"))) == 1


async def test_escape_leaves_the_name_as_it_was() -> None:
    kept("One")
    async with driving() as driven:
        screen = await opened(driven)
        await driven.press("n", *"xyz", "escape")
        assert screen.shelf.has_focus
        assert titles(driven) == ["One"]


async def test_it_is_exported_to_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    kept("To be given away", cwd=str(tmp_path))
    async with driving(cwd=str(tmp_path)) as driven:
        await opened(driven, everywhere=False)
        await driven.press("x")
        await driven.until(lambda: isinstance(driven.app.screen, ExportScreen))
        await driven.press("tab")
        await driven.until("one page that needs nothing else")
        await driven.press("shift+tab", "enter")
        await driven.until("Written to")
        made = tmp_path / "to-be-given-away.md"
        assert "answer 1" in made.read_text()
        await driven.until(lambda: isinstance(driven.app.screen, LibraryScreen))
        await driven.press("x")
        await driven.until("to-be-given-away-2.md")
        driven.app.screen.query_one(Input).value = str(made)
        await driven.press("enter")
        await driven.until("That is there already")


async def test_one_that_is_open_here_is_shown_not_deleted_and_can_be_closed(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.say("one")
        await driven.until("you said one")
        chat = driven.chat
        await driven.until(lambda: driven.host.claims.ids(driven.conversation))
        await opened(driven, everywhere=False)
        await driven.until("● one")
        await driven.press("d")
        await driven.until("It is open in this window")
        await driven.press("enter")
        await driven.until(lambda: driven.app.screen is chat)
        await opened(driven, everywhere=False)
        await driven.press("c")
        await driven.until(lambda: not driven.app.chats.screens)
        await driven.until(lambda: isinstance(driven.app.screen, LibraryScreen))
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))


async def test_the_index_is_made_while_the_list_is_there_already() -> None:
    kept("Not indexed yet")
    async with driving() as driven:
        await opened(driven)
        await driven.until(lambda: driven.host.indexer.running is False)
        await driven.until(lambda: Library().progress().state == "current")


def pages(screen: LibraryScreen) -> list[int]:
    """Those that are there."""
    assert isinstance(screen.shelf.rows, Sessions)
    return sorted(screen.shelf.rows.pages)


async def test_of_very_many_only_what_is_looked_at_is_asked_for() -> None:
    for number in range(250):
        kept(f"Number {number}", at=1000.0 + 100 * number, id=f"s{number}")
    indexed()
    async with driving() as driven:
        screen = await opened(driven)
        assert screen.shelf.rows.stops == 250
        assert pages(screen) == [0]
        await driven.press("end")
        await driven.until("Number 0 ")
        assert pages(screen) == [0, 2]
        await driven.press("home", "pagedown")
        assert screen.shelf.marked > 5


async def test_what_agents_call_their_sessions_does_nothing_to_the_screen() -> None:
    kept("\x1b]0;gone\x07\x1b[2J[bold]red[/] \u202etxet\nline", cwd="/w\x1b[31m")
    async with driving(size=(120, 40)) as driven:
        await opened(driven)
        await driven.until("[bold]red[/]")
        assert "\x1b" not in driven.text() and "\u202e" not in driven.text()


@pytest.mark.parametrize("size", [(40, 10), (80, 24), (120, 40), (200, 50)])
async def test_every_size_works(size: tuple[int, int]) -> None:
    kept("A session with quite a long title that does not fit everywhere")
    kept("Short", at=3000.0)
    async with driving(size=size) as driven:
        screen = await opened(driven)
        await driven.until("Short")
        await driven.press("down", "f", *"long")
        await driven.until(lambda: screen.shelf.rows.stops == 1)


async def test_a_click_marks_and_the_next_opens() -> None:
    kept("One")
    kept("Two", at=3000.0)
    async with driving() as driven:
        screen = await opened(driven)
        await driven.pilot.click(Shelf, offset=(6, 2))
        assert screen.shelf.marked == 1
        await driven.pilot.click(Shelf, offset=(6, 2))
        await driven.until("saved · read only")


async def test_who_leaves_before_the_answer_comes_is_asked_nothing_more() -> None:
    for number in range(30):
        kept(f"Number {number}", at=1000.0 + 100 * number, id=f"s{number}")
    async with driving(size=(120, 40)) as driven:
        for keys in (
            ("f11", "escape"),
            ("f11", "tab", "f11"),
            ("f11", "slash", *"abc", "f11"),
            ("f11", "end", "q"),
        ):
            await driven.press(*keys)
            await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))


async def test_the_list_does_not_move_under_who_scrolled_away_from_the_mark() -> None:
    for number in range(40):
        kept(f"Number {number}", at=1000.0 + 100 * number, id=f"s{number}")
    async with driving() as driven:
        screen = await opened(driven)
        screen.shelf.scroll_to(y=60, animate=False, force=True, immediate=True)
        await driven.until("Number 9 ")
        screen.reload()
        await settled(driven, screen)
        await driven.until("Number 9 ")
        assert screen.shelf.scroll_offset.y == 60
        await driven.press("down")
        await driven.until("Number 38 ")
