"""Writing: new lines, pastes, Ctrl+C, and a draft that survives whatever comes."""

from __future__ import annotations

import base64
import signal

import pytest
from rich.cells import cell_len

from tests.pty.agents import WORDS
from tests.pty.conftest import Start
from tests.pty.terminal import Terminal

pytestmark = pytest.mark.slow

SHIFT_LEFT = "\x1b[1;2D"


def test_keys_that_make_a_new_line_and_a_paste_that_sends_nothing(start: Start) -> None:
    terminal = start(*WORDS, size=(80, 40))
    terminal.until("○ ready")
    terminal.type("one\\")
    terminal.press("enter")
    terminal.type("two")
    terminal.press("ctrl+j")
    terminal.type("three")
    terminal.press("alt+enter")
    terminal.type("four")
    terminal.press("shift+enter")
    terminal.paste("five\nsix\r\nseven\n")
    terminal.type("eight")
    terminal.until("eight")
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    assert [row.removeprefix(" ❯").strip() for row in terminal.rows()[-9:-1]] == words
    assert "▌" not in terminal.text()
    terminal.press("enter")
    terminal.until("you said eight")
    terminal.until("○ ready")
    assert terminal.text().count("▌ ") == 8
    terminal.quit()


def test_control_c_copies_then_clears_then_cancels_then_tells_how_to_quit(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.type("abc" + 2 * SHIFT_LEFT)
    terminal.until("❯ abc")
    terminal.press("ctrl+c")
    copied = b"\x1b]52;c;" + base64.b64encode(b"bc") + b"\x07"
    terminal.until(lambda: copied in terminal.raw)
    assert "❯ abc" in terminal.text()
    terminal.type("\x1b[C")
    terminal.quiet(0.2)
    terminal.press("ctrl+c")
    terminal.until_gone("❯ abc")
    terminal.press("ctrl+underscore")
    terminal.until("❯ abc")
    terminal.press("ctrl+c")
    terminal.until_gone("❯ abc")
    terminal.press("ctrl+c")
    terminal.until("Ctrl+Q quits")
    terminal.say("wait")
    terminal.until("◐ working")
    terminal.press("ctrl+c")
    terminal.until("cancelled by you")
    terminal.press("ctrl+q")
    terminal.check_ended(copied=copied)


def test_the_draft_survives_a_request_and_the_end_of_the_program(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("later perm=1")
    terminal.until("◐ working")
    terminal.type("go")
    terminal.press("alt+s")
    terminal.type("half a thou")
    terminal.until("Tab answer")
    terminal.type("ght 1")
    terminal.until("❯ half a thought 1")
    assert "Allow once" in terminal.text(), "the digit was writing, not an answer"
    terminal.press("tab")
    terminal.until_lasted("waits for you", 1)
    terminal.press("1")
    terminal.until("answers: yes")
    assert "❯ half a thought 1" in terminal.text()
    terminal.quit()

    again = start(*WORDS)
    again.until("○ ready")
    assert "❯ half a thought 1" in again.text()
    again.quit()


def stands_behind(terminal: Terminal, text: str) -> bool:
    """The terminal's cursor is right behind this text."""
    x, y = terminal.cursor()
    before, found, _ = terminal.rows()[y].partition(text)
    return bool(found) and x == cell_len(before + text)


def test_the_terminals_cursor_stands_where_the_text_goes(start: Start) -> None:
    """So input methods show there what they compose, also while the agent writes and panels come and go."""
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.type("日本")
    terminal.until(lambda: stands_behind(terminal, "日本"))
    terminal.press("ctrl+j")
    terminal.type("ab")
    terminal.until(lambda: stands_behind(terminal, "ab"))
    terminal.press("ctrl+b")
    terminal.until(lambda: stands_behind(terminal, "   a"))
    terminal.press("ctrl+c")
    terminal.say("a b c d e f g h i j k l m n o p q r s t u v later perm=1")
    terminal.until("you said v")
    terminal.type("go")
    terminal.press("alt+s")
    terminal.type("half")
    terminal.until("Allow once")
    terminal.until(lambda: stands_behind(terminal, "❯ half"))
    terminal.resize(60, 30)
    terminal.until(lambda: stands_behind(terminal, "❯ half"))
    terminal.press("escape")
    terminal.until("cancelled")
    terminal.press("ctrl+c")
    terminal.quit()


def test_a_paste_in_brackets_is_one_thing_and_its_lines_send_nothing(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    lines = "\n".join(f"line {n}" for n in range(42)) + "\n"
    terminal.type("see ")
    terminal.paste(lines)
    terminal.type("and")
    terminal.until("❯ see [pasted 42 lines #1]and")
    terminal.press("alt+v")
    terminal.until("Pasted: 42 lines")
    terminal.press("escape")
    terminal.until_gone("Pasted: 42 lines")
    terminal.until("❯ see [pasted 42 lines #1]and")
    terminal.press("enter")
    terminal.until("you said and")
    terminal.until("○ ready")
    terminal.quit()


def test_what_is_written_survives_kill_9(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.type("half a thought ")
    terminal.paste("\n".join(f"line {n}" for n in range(30)))
    terminal.until("[pasted 30 lines #1]")
    drafts = terminal.folder / "state" / "drafts"
    terminal.until(lambda: drafts.is_dir() and any("line 29" in p.read_text() for p in drafts.glob("*.json")))
    terminal.signal(signal.SIGKILL)
    terminal.until(lambda: terminal.process.poll() is not None)

    again = start(*WORDS)
    again.until("❯ half a thought [pasted 30 lines #1]")
    again.until("○ ready")
    again.press("enter")
    again.until("you said 29")
    again.until("○ ready")
    again.quit()


def test_ctrl_g_writes_in_the_editor_and_comes_back(start: Start) -> None:
    editor = 'sh -c \'cat "$0" >> seen; printf "from the editor\\n" > "$0"\''
    terminal = start(*WORDS, EDITOR=editor)
    terminal.until("○ ready")
    terminal.type("before")
    terminal.press("ctrl+g")
    terminal.until("❯ from the editor")
    assert (terminal.folder / "seen").read_text() == "before"
    terminal.press("ctrl+underscore")
    terminal.until("❯ before")
    terminal.press("ctrl+c")
    terminal.quit()


def test_no_editor_is_said_and_nothing_is_lost(start: Start) -> None:
    terminal = start(*WORDS, EDITOR="no-such-editor")
    terminal.until("○ ready")
    terminal.type("before")
    terminal.press("ctrl+g")
    terminal.until("no-such-editor is not there")
    terminal.until(lambda: stands_behind(terminal, "❯ before"))
    terminal.press("ctrl+c")
    terminal.quit()


def test_escape_and_a_letter_in_one_read_lose_no_letter_without_a_word(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.type("\x1bhello")
    terminal.until("Alt+H does nothing here")
    terminal.until("❯ ello")
    terminal.press("ctrl+c")
    terminal.quit()
