"""`acp-tui run` asks in the user's terminal, also where the prompt comes from a pipe and the answer goes to
one; nothing it asks is answered by accident.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Run
from tests.pty.terminal import Terminal

pytestmark = pytest.mark.slow

RUN = (sys.executable, "-m", "acp_tui", "run")
TOLD = (sys.executable, str(Path(__file__).parents[1] / "commands" / "agents" / "told.py"))


def piped(run: Run, prompt: str, agent: tuple[str, ...] = WORDS) -> Terminal:
    """Between pipes."""
    inner = shlex.join([*RUN, "--", *agent])
    return run("/bin/sh", "-c", f"printf %s {shlex.quote(prompt)} | {inner} | cat > answer; echo over")


def steps(*parts: dict[str, Any]) -> str:
    return json.dumps(parts)


def test_it_asks_in_the_terminal_though_all_is_pipes(run: Run, tmp_path: Path) -> None:
    terminal = piped(run, r"command=rm_-rf_/tmp/x\x1b[31m")
    terminal.until("asks for your permission")
    terminal.type("1\n")  # before it listens
    terminal.until("1-3, then Enter:")
    shown = terminal.text()
    assert "$ rm -rf /tmp/x␛[31m" in shown
    assert "! deletes" in shown
    assert "1  Allow once\n" in shown and "3  Reject (reject once)" in shown
    assert not (tmp_path / "answer").read_text()
    terminal.type("7\n")
    terminal.until(lambda: terminal.text().count("1-3, then Enter:") == 2)
    terminal.type("3\n")
    terminal.until("over")
    assert (tmp_path / "answer").read_text() == "answer: no\n"
    terminal.check_ended()


def test_requests_are_asked_one_after_the_other(run: Run) -> None:
    terminal = run(*RUN, "perm=2 bye", "--", *WORDS)
    terminal.until("(1 of 2)")
    terminal.until("1-3, then Enter:")
    assert "bye" not in terminal.text()
    terminal.type("1\n")
    terminal.until("Request 2")
    terminal.until(lambda: terminal.text().count("1-3, then Enter:") == 2)
    terminal.type("2\n")
    terminal.until("answers: yes always")
    terminal.until("you said bye")
    terminal.check_ended()


def test_an_interrupt_at_a_question_cancels(run: Run) -> None:
    terminal = run(*RUN, "perm=2", "--", *WORDS, "child")
    terminal.until("1-3, then Enter:")
    terminal.type("\x03")
    terminal.until("answers: cancelled cancelled")
    terminal.check_ended(status=130)


def test_the_end_of_input_allows_nothing(run: Run) -> None:
    terminal = run(*RUN, "perm=1", "--", *WORDS)
    terminal.until("1-3, then Enter:")
    terminal.type("\x04")
    terminal.until("answers: no")
    terminal.check_ended()


def test_what_the_agent_takes_back_is_not_asked_any_more(run: Run, tmp_path: Path) -> None:
    params = {"title": "Never mind", "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]}
    back = {"withdraw": "session/request_permission", "when": "go", **params}
    os.mkfifo(tmp_path / "go")
    terminal = run(*RUN, steps(back, {"say": "after"}), "--", *TOLD)
    terminal.until("1, then Enter:")
    (tmp_path / "go").write_text("")
    terminal.until("This is not asked any more")
    terminal.until("after")
    terminal.check_ended()


FORM = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "title": "Your \x1b[2Jname", "minLength": 3},
        "age": {"type": "integer", "title": "Age"},
        "loud": {"type": "boolean", "title": "Loud", "default": True},
        "taste": {"type": "string", "title": "Taste", "enum": ["sweet", "sour"]},
        "many": {"type": "array", "title": "Many", "items": {"type": "string", "enum": ["a", "b", "c"]}},
    },
}


def test_a_form_is_filled_in_field_by_field(run: Run, tmp_path: Path) -> None:
    asked = {"ask": "elicitation/create", "mode": "form", "message": "Tell me", "requestedSchema": FORM}
    terminal = piped(run, steps(asked), TOLD)
    terminal.until("1-3, then Enter:")
    terminal.type("1\n")
    terminal.until("1 of 5: Your ␛[2Jname, needed")
    for answer, then in (
        ("", "! this is needed"),
        ("ab", "! "),
        ("Ada", "2 of 5: Age"),
        ("x", "! "),
        ("", "3 of 5: Loud"),
        ("", "4 of 5: Taste"),
        ("9", "! numbers of the list above"),
        ("2", "5 of 5: Many"),
        ("1 3", "1-4, then Enter:"),
        ("1", "over"),
    ):
        mark = len(terminal.raw)
        terminal.type(f"{answer}\n")
        terminal.until(lambda then=then, mark=mark: then.encode() in terminal.raw[mark:])
    said = json.loads((tmp_path / "answer").read_text())
    assert said == {
        "action": "accept",
        "content": {"name": "Ada", "loud": True, "taste": "sour", "many": ["a", "c"]},
    }
    terminal.check_ended()


def test_an_address_is_shown_and_not_opened(run: Run, tmp_path: Path) -> None:
    opener = tmp_path / "xdg-open"
    opener.write_text(f"#!/bin/sh\ntouch {tmp_path}/opened\n")
    opener.chmod(0o700)
    url = "http://bank.example@evil.example/x"
    asked = {"ask": "elicitation/create", "mode": "url", "message": "Go", "url": url, "elicitationId": "e"}
    terminal = piped(run, steps(asked), TOLD)
    terminal.until("1-3, then Enter:")
    assert url in terminal.text() and "It leads to evil.example." in terminal.text()
    terminal.type("2\n")
    terminal.until("over")
    assert json.loads((tmp_path / "answer").read_text()) == {"action": "decline"}
    assert not (tmp_path / "opened").exists()
    terminal.check_ended()


def test_a_job_in_the_background_has_nobody_to_ask(run: Run, tmp_path: Path) -> None:
    terminal = run("/bin/sh", "-im", PS1="shell> ", ENV="")
    terminal.until("shell>")
    terminal.say(f"{shlex.join([*RUN, 'perm=1', '--', *WORDS])} > answer 2>&1 &")
    terminal.until(lambda: (tmp_path / "answer").exists() and "answers" in (tmp_path / "answer").read_text())
    assert "rejected, for there is nobody to ask: Request 1" in (tmp_path / "answer").read_text()
    terminal.say("wait; exit")
    terminal.check_ended()
