"""What Codex and a scripted model said, recorded, on the screen of the real app: whole screens of 80x24."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.clock import Clock
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio

REPLAY = Path(__file__).parent / "agents" / "replay.py"
TRACES = Path(__file__).parent.parent / "traces"
WHERE = "/tmp/lab/work/eye"
"""The folder in which it was recorded."""
MINUTE = 60.0

COMMAND = r"touch lab-marker; echo lab-shell-ok; printf '\033[32mgreen\033[0m\n'; pwd"

ASKED = rf"""
▌ {{word}}

 I will use a tool now.

 ‖ $ touch lab-marker; echo lab-shell-ok; printf '\033…  waits for you









─ Codex asks ───────────────────────────────────────────────────────────────────
  Run command?
  lab justification
  $ {COMMAND}
  1 a Yes, proceed
  2 Yes, and don't ask again for commands that start with `touch lab-marker`
  3 r No, and tell Codex what to do differently
 ❯
 ‖ waits for you  1–3 answer · w why not · Tab read · Esc cancel work · F1 help
"""

RUN = r"""
▌ {word}

 I will use a tool now.

 ✓ $ touch lab-marker; echo lab-shell-ok; printf '\033[32mgreen\03…   1 m 00 s

 The tool said:

  Chunk ID: {chunk}                                                        copy
  Wall time: 0.0000 seconds
  Process exited with code 0
  Original token count: 12
  Output:
  lab-shell-ok
  green
  /tmp/lab/work/eye


 That is all, done.


 ❯
 ○ ready                              Enter send · Alt+Enter new line · F1 help
"""

EDIT = """
▌ TOOL:edit

 I will use a tool now.

 ✓ ✎ Editing files  lab-patch.txt                                +1 −0

 The tool said:

  Exit code: 0                                                            copy
  Wall time: 0.3 seconds
  Output:
  Success. Updated the following files:
  A lab-patch.txt


 That is all, done.





 ❯
 ○ ready                              Enter send · Alt+Enter new line · F1 help
"""

THINK = """
▌ THINK

 ▸ thought

 Mock answer

 Hello from the mock model. You said: THINK

 1. First item with bold
 2. Second item with a link (http://127.0.0.1/)

  python                                                                  copy
  def greet(name: str) -> str:
      return f"hello {name}"   # a comment

 column │ value
 ───────┼──────
 wide   │  漢字
 emoji  │ 👩‍💻 ok

 │ A quote, and the end.
 ❯
 ○ ready                              Enter send · Alt+Enter new line · F1 help
"""


@dataclass
class Told(Driven):
    """Shows the folder of the record in the place of ours, whose name is as long."""

    folder: str = ""

    def rows(self) -> list[str]:
        return [row.replace(self.folder, WHERE) for row in super().rows()]


@asynccontextmanager
async def told(word: str, clock: Clock) -> AsyncIterator[Told]:
    """The app, with the agent that says what Codex said to this word."""
    trace = TRACES / f"codex.words-{word.replace(':', '-')}.ndjson"
    with TemporaryDirectory(prefix="eye-", dir="/tmp") as folder:
        assert len(folder) == len(WHERE)
        command = (sys.executable, str(REPLAY), str(trace), WHERE, folder)
        async with driving(command, cwd=folder, clock=clock) as driven:
            await driven.ready()
            await driven.say(word)
            yield Told(driven.app, driven.pilot, driven.host, folder)


async def ended(driven: Driven) -> None:
    """Wait for the end of the turn, and of what comes after it."""
    await driven.until(lambda: driven.session.completions and not driven.session.busy)
    await driven.until("○ ready")


async def shows(driven: Driven, screen: str) -> None:
    """Wait for just this below the header."""
    expected = screen.strip("\n").splitlines()
    await driven.until(lambda: driven.text().splitlines()[1:] == expected)


@pytest.mark.parametrize(("word", "chunk"), [("TOOL:shell", "3b4770"), ("TOOL:plan", "fca6a6")])
async def test_a_command_is_asked_for_and_run(word: str, chunk: str) -> None:
    """This Codex has no tool for plans: the model takes the shell instead."""
    clock = Clock()
    async with told(word, clock) as driven:
        await shows(driven, ASKED.format(word=word))
        clock.at += MINUTE
        driven.panel.focus()
        await driven.press("1")
        await ended(driven)
        await shows(driven, RUN.format(word=word, chunk=chunk))
        header = driven.rows()[0].rstrip()
        assert header.startswith(" Codex · ") and "Mock session" in header
        assert header.endswith("5.5 · Workspace access  ╾───────  0%")
        await driven.press("shift+tab", "k", "enter")
        await driven.until(f"   $ {COMMAND}")
        assert "\n   lab-shell-ok\n   green\n   /tmp/lab/work/eye\n" in driven.text()


async def test_a_file_is_edited() -> None:
    async with told("TOOL:edit", Clock()) as driven:
        await ended(driven)
        await shows(driven, EDIT)
        await driven.press("shift+tab", "k", "enter")
        await driven.until("1 + Hello from the lab.")
        assert "added" in driven.text()


async def test_a_thought_and_an_answer() -> None:
    async with told("THINK", Clock()) as driven:
        await ended(driven)
        await shows(driven, THINK)
        await driven.press("shift+tab", "z", "home")
        await driven.until("▾ thought")
        assert "   Step one: read the words. Step two: pick an answer." in driven.text()


async def test_a_big_answer_is_followed_to_its_end() -> None:
    """Most of its middle is left out of the record."""
    async with told("BIG", Clock()) as driven:
        await ended(driven)
        await driven.until("Line 02999 of")
        assert driven.rows()[-3].startswith(" fill it up. Line 02999 of a big answer, with some")
        await driven.press("shift+tab", "home")
        await driven.until("Line 00000 of a big answer")
        assert driven.rows()[1].startswith(("▌ BIG", "❯ BIG"))
