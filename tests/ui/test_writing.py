"""What was written before and comes back: history, drafts, what no agent has confirmed (CL-06, LC-08)."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from textual import events

from acp_tui.base import processes
from acp_tui.services import unsent
from acp_tui.services.history import History
from acp_tui.ui.drafts import Draft, Drafts
from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.widgets.recalling import Hits, Recalling
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio
LONG = "\n".join(f"line {n}" for n in range(42))
PIECE = "[pasted 42 lines #1]"


def sent(cwd: str, *texts: str) -> None:
    """Prompts of an earlier run."""
    for at, text in enumerate(texts):
        History(cwd).add(text, at)


async def paste(driven: Driven, text: str) -> None:
    """The way that keys come, behind them."""
    driver = driven.app._driver
    assert driver is not None
    driver.process_message(events.Paste(text))
    await driven.pilot.pause()


def files(name: str) -> dict[Path, bytes]:
    """What is kept on disk, as it would be found if the program was killed now."""
    folder = Path(os.environ["ACP_TUI_STATE_DIR"], name)
    found: dict[Path, bytes] = {}
    for path in folder.glob("*.json"):
        with suppress(FileNotFoundError), path.open("rb") as file:  # it may go while we look
            assert os.fstat(file.fileno()).st_mode & 0o077 == 0, "for its owner only"
            found[path] = file.read()
    return found


def kept(name: str) -> str:
    return b"".join(files(name).values()).decode()


async def another(driven: Driven) -> None:
    """A conversation in the same folder, and that is shown."""
    other = driven.link.converse(driven.conversation.cwd)
    other.open()
    there = driven.app.show(other)
    assert there is not None
    await there
    await driven.until(lambda: driven.chat.conversation is other and driven.composer.has_focus)


# Earlier prompts


async def test_prompts_of_earlier_runs_come_with_up(tmp_path: Path) -> None:
    sent(str(tmp_path), "one", "two")
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.type("dra")
        await driven.press("up")
        assert driven.composer.text == "two"
        await driven.type("!")
        await driven.press("up")
        assert driven.composer.text == "one"
        await driven.press("up", "down")
        assert driven.composer.text == "two!", "what was changed on the way is still there"
        await driven.press("down")
        assert driven.composer.text == "dra"
        await driven.press("down")
        assert driven.composer.text == "dra"


async def test_a_long_paste_comes_back_as_a_piece_in_the_next_run(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.type("see ")
        await paste(driven, LONG)
        await driven.press("enter")
        await driven.until("you said 41")
        await driven.until(lambda: History(str(tmp_path)).prompts())
    assert History(str(tmp_path)).prompts()[0].text == f"see {LONG}"
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.press("up")
        assert driven.composer.text == f"see {PIECE}"
        await driven.press("enter")
        await driven.until("you said 41")


async def test_ctrl_r_searches_and_goes_on_and_enter_takes(tmp_path: Path) -> None:
    sent(str(tmp_path), "fix the lexer", "write docs", "Fix the parser\nnow")
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.type("draft")
        await driven.press("ctrl+r")
        await driven.type("fix")
        await driven.until("❯ Fix the parser ⏎ now")
        assert "1/2" in driven.text() and "docs" not in driven.text()
        await driven.press("ctrl+r")
        await driven.until("❯ fix the lexer")
        await driven.press("ctrl+r", "ctrl+s", "ctrl+s")
        await driven.until("❯ Fix the parser")
        await driven.press("ctrl+r", "enter")
        await driven.until(lambda: driven.composer.text == "fix the lexer")
        assert driven.composer.has_focus and not driven.chat.query_one(Recalling).display
        await driven.press("ctrl+underscore")
        assert driven.composer.text == "draft"


async def test_what_is_typed_right_behind_ctrl_r_is_sought(tmp_path: Path) -> None:
    sent(str(tmp_path), "one fish", "two fish", "a bird")
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        driven.composer.put("draft")
        for key in ("ctrl+r", "f", "i", "s", "h", "ctrl+r", "enter", "!"):
            driven.composer.post_message(events.Key(key, key if len(key) == 1 else None))
        await driven.until(lambda: driven.composer.text == "one fish!")


async def test_escape_gives_back_what_was_written(tmp_path: Path) -> None:
    sent(str(tmp_path), "one")
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.type("draft")
        await driven.press("ctrl+r")
        await driven.type("nothing has this")
        await driven.until("nothing has these words")
        await driven.press("enter", "ctrl+r", "escape")
        await driven.until(lambda: driven.composer.has_focus)
        await driven.type("!")
        assert driven.composer.text == "draft!"
        await driven.press("ctrl+r")
        await driven.until("❯ one")
        await driven.pilot.click(Hits)
        await driven.until(lambda: driven.composer.text == "one")


# Drafts


async def test_what_is_being_written_is_on_disk_while_it_is_written(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.type("half ")
        await paste(driven, LONG)
        await driven.until(lambda: "line 41" in kept("drafts"))
        driven.composer.put("")
        await driven.until(lambda: kept("drafts") == "")


async def test_a_paste_in_a_draft_survives_the_end_of_the_program(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.type("half ")
        await paste(driven, LONG)
        await driven.until(PIECE)
        await driven.press("ctrl+q")
        await driven.until(lambda: driven.app.return_value is not None)
        driven.app.keep_drafts()
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.until(f"half {PIECE}")
        await driven.press("enter")
        await driven.until("you said 41")


def test_every_conversation_has_a_draft_of_its_own(tmp_path: Path) -> None:
    first = Drafts(tmp_path)
    for name, text in enumerate(["one", "two", ""]):
        assert not first.take("/w", str(name))
        first.put("/w", str(name), Draft(text, attached=("/a.png",) if text == "two" else ()))
    first.write()
    assert not first.take("/w", "3"), "open in this run"
    again = Drafts(tmp_path)
    found = [again.take("/w", str(name)) for name in range(4)]
    assert {draft.text for draft in found} == {"one", "two", ""}
    assert {draft.attached for draft in found if draft} == {("/a.png",), ()}
    assert not Drafts(tmp_path).take("/other", "0")


def test_a_draft_that_was_left_goes_to_the_next_in_its_folder(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.take("/w", "0")
    drafts.put("/w", "0", Draft("left"))
    drafts.write()
    drafts.leave("/w", "0")
    assert drafts.take("/w", "1").text == "left"
    assert len(list(tmp_path.iterdir())) == 1


def leftover(folder: Path, **drafts: str) -> None:
    """A run that has ended left these, each for the session of that name; `new` for none."""
    run = Drafts(folder)
    for session, text in drafts.items():
        run.put("/w", session, Draft(text), "" if session == "new" else session)
    run.write()


def test_a_session_that_is_there_again_has_its_own_draft_and_no_other(tmp_path: Path) -> None:
    leftover(tmp_path, a="of a", b="of b", new="of none")
    again = Drafts(tmp_path)
    assert again.take("/w", "0", "b").text == "of b"
    assert not again.take("/w", "1", "c")
    assert again.take("/w", "2", "a").text == "of a"
    assert not again.take("/w", "3", "a"), "handed out once"
    assert again.take("/w", "4").text == "of none"


def test_a_new_session_has_what_no_session_had_then_what_is_left(tmp_path: Path) -> None:
    leftover(tmp_path, new="of none", a="of a")
    again = Drafts(tmp_path)
    assert [again.take("/w", str(n)).text for n in range(3)] == ["of none", "of a", ""]


def test_what_was_taken_for_a_session_is_kept_for_it(tmp_path: Path) -> None:
    leftover(tmp_path, new="text")
    first = Drafts(tmp_path)
    assert first.take("/w", "0").text == "text"
    first.put("/w", "0", Draft("text"), "a")
    first.write()
    again = Drafts(tmp_path)
    assert not again.take("/w", "0", "b")
    assert again.take("/w", "1", "a").text == "text"


def test_another_program_that_runs_keeps_its_draft(tmp_path: Path) -> None:
    """Two windows on one folder: neither takes the other's, nor writes over it."""
    here = processes.find(os.getppid())
    assert here is not None
    theirs = {"pid": here.pid, "birth": here.birth, "session": "", "text": "theirs"}
    ours = Drafts(tmp_path)
    ours.put("/w", "0", Draft("ours"))
    ours.write()
    [path] = tmp_path.iterdir()
    other = path.with_name(path.name.split(".")[0] + ".other.0.json")
    other.write_text(json.dumps(theirs))
    again = Drafts(tmp_path)
    assert [again.take("/w", str(n)).text for n in range(2)] == ["ours", ""]
    assert json.loads(other.read_text()) == theirs


def test_what_cannot_be_read_is_no_draft(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.put("/w", "0", Draft("\ud800 x"))
    drafts.write()
    [path] = tmp_path.iterdir()
    assert Drafts(tmp_path).take("/w", "9").text == "\ud800 x"
    [path] = tmp_path.iterdir()
    path.write_text('{"pid": 1}')
    assert not Drafts(tmp_path).take("/w", "1")
    path.write_text('{"pid": 1, "birth": "", "text": "of another that is gone"}')
    assert Drafts(tmp_path).take("/w", "1").text == "of another that is gone"
    (tmp_path / "file").write_text("")
    nowhere = Drafts(tmp_path / "file" / "drafts")
    nowhere.put("/w", "0", Draft("x"))
    nowhere.write()


async def test_two_conversations_in_a_folder_keep_two_drafts(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.type("first")
        await another(driven)
        await driven.type("second")
        driven.app.keep_drafts()
        driven.app.action_step(1)
        await driven.until("❯ first")
    left = Drafts()
    assert {left.take(str(tmp_path), str(n)).text for n in range(2)} == {"first", "second"}


async def test_a_conversation_that_is_ended_leaves_its_draft_to_the_next_and_the_others_theirs(
    tmp_path: Path,
) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.type("first")
        first = driven.chat
        await another(driven)
        await driven.type("second")
        await driven.pilot.pause()
        first.post_message(ChatScreen.Left(first))
        await driven.until(lambda: len(driven.app.chats.screens) == 1)
        await another(driven)
        await driven.until("❯ first")
        await driven.type("!")
        await driven.pilot.pause()
        driven.app.keep_drafts()
    left = Drafts()
    assert {left.take(str(tmp_path), str(n)).text for n in range(2)} == {"first!", "second"}


# What no agent has confirmed


async def test_a_prompt_that_waited_when_the_program_was_killed_is_shown_and_not_sent(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.say("wait")
        await driven.until("◐ working")
        await driven.say("later on")
        await driven.until(lambda: "later on" in kept("unsent"))
        killed = files("unsent")
    for path, data in killed.items():
        path.write_bytes(data)
    async with driving(words("name=another"), cwd=str(tmp_path)) as driven:
        await driven.ready()
        assert driven.chat.writing.submissions("held") == [], "it was not meant for this agent"
    async with driving(words("started=otherwise"), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.until("later on")
        [one] = driven.chat.writing.submissions("held")
        assert "it waited when acp-tui ended" in one.reason
        assert driven.session.timeline == []
        await another(driven)
        assert driven.chat.writing.submissions("held") == [], "handed out once"
    assert [one.why for one in unsent.take(str(tmp_path))] == ["it waited when acp-tui ended"]


async def test_a_refused_prompt_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """S06, S07: the reason is shown, the words and files are kept."""
    (tmp_path / "a.log").write_text("x")
    (tmp_path / "w").mkdir()
    async with driving(words(), cwd=str(tmp_path / "w")) as driven:
        await driven.ready()
        await paste(driven, str(tmp_path / "a.log"))
        await driven.until("+ a.log")
        await paste(driven, LONG)
        await driven.type(" refuse")
        await driven.press("enter")
        await driven.until("Not sent")
        assert driven.composer.text == f"{PIECE} refuse"
        assert driven.conversation.composing.attached == [str(tmp_path / "a.log")]
        await driven.until("+ a.log")
        await driven.press("f2")
        await driven.until("Not sent  by acp-tui")
