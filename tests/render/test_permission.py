from __future__ import annotations

from typing import Any

import pytest

from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.render.look import FALLBACK
from acp_tui.render.permission import REASONS, Found, Mark, asks_about, request_lines
from acp_tui.store.entities import AgentRequest
from acp_tui.store.keys import Key, Kind
from tests.render.hostile import HOSTILE
from tests.render.stage import CWD, Stage, drawn, texts

OPTIONS = [{"optionId": "a", "name": "Allow", "kind": "allow_once"}]


def ask(stage: Stage, **fields: Any) -> AgentRequest:
    """A permission request that waits."""
    params = RequestPermissionRequest.model_validate(
        {"sessionId": "x", "title": "Run?", "options": OPTIONS, **fields}
    )
    request = AgentRequest(
        key=Key("s1", Kind.REQUEST, "1:1"),
        created_at=stage.at,
        generation=1,
        request_id=1,
        method="session/request_permission",
        params=params,
    )
    stage.store.put_request(request)
    return request


def shown(stage: Stage, request: AgentRequest, width: int = 50) -> list[str]:
    return texts(request_lines(request, stage.store, width, FALLBACK), width)


def test_a_command_is_whole_and_written_out(stage: Stage) -> None:
    command = "rm -rf build && " + "x" * 100 + "\x1b[2K\u202e && ls\nsecond"
    request = ask(stage, description="why", subject={"type": "command", "command": command, "cwd": CWD})
    lines = shown(stage, request)
    assert lines[:2] == ["  Run?", "  why"]
    assert lines[2].startswith("  $ rm -rf build")
    assert lines[-1] == "    in this session's folder"
    joined = "".join(line[4:] for line in lines[2:-1])
    assert joined == "rm -rf build && " + "x" * 100 + "␛[2K<U+202E> && lssecond"


def test_a_call_is_shown_with_its_diff_or_its_input(stage: Stage) -> None:
    patch = f"diff --git {CWD}/a {CWD}/a\n--- {CWD}/a\n+++ {CWD}/a\n@@ -0,0 +1,300 @@\n" + "+x\n" * 300
    diff = {"type": "diff", "changes": [{"operation": "modify", "path": f"{CWD}/a"}],
            "patch": {"format": "git_patch", "text": patch}}  # fmt: skip
    stage.call(
        title="edit", content=[diff], rawInput={"secret": 1}, locations=[{"path": "/etc/x", "line": 3}]
    )
    request = ask(stage, subject={"type": "tool_call", "toolCall": {"toolCallId": "c1"}})
    lines = shown(stage, request)
    assert lines[1:3] == ["  edit", "  ✎ a  +300 −0"]
    assert len(lines) == 304
    assert lines[-1] == "  /etc/x:3"
    stage.call(content=[], locations=[])
    assert shown(stage, request)[2:] == ["  {", '    "secret": 1', "  }"]


def test_the_terminal_of_a_call_shows_its_command(stage: Stage) -> None:
    stage.update("terminal_update", terminalId="T", command="make\tall", cwd="/else")
    stage.call(content=[{"type": "terminal", "terminalId": "T"}])
    request = ask(stage, subject={"type": "tool_call", "toolCall": {"toolCallId": "c1"}})
    assert shown(stage, request) == ["  Run?", "  $ make    all", "    in /else"]


def test_nothing_is_said_twice(stage: Stage) -> None:
    stage.update("terminal_update", terminalId="T", command="make all", cwd=CWD)
    stage.call(title="make all", content=[{"type": "terminal", "terminalId": "T"}])
    request = ask(stage, subject={"type": "tool_call", "toolCall": {"toolCallId": "c1"}})
    assert shown(stage, request) == ["  Run?", "  $ make all"]
    stage.call(title="make  all")
    assert shown(stage, request) == ["  Run?", "  make  all", "  $ make all"]


def test_an_unknown_subject_is_shown_raw(stage: Stage) -> None:
    request = ask(stage, subject={"type": "wish", "x": "\x1b"})
    assert shown(stage, request) == ["  Run?", "  {", '    "type": "wish",', '    "x": "\\u001b"', "  }"]


def test_a_call_that_is_asked_about_says_that_it_waits(stage: Stage) -> None:
    stage.call(title="run", kind="execute", status="pending")
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert "waits for you" not in drawn(view)[0]
    request = ask(stage, subject={"type": "tool_call", "toolCall": {"toolCallId": "c1"}})
    assert asks_about(stage.store, request.key) == view.key
    assert request.key in view.related()
    assert drawn(view)[0].startswith(" ‖ $ run")
    assert "waits for you" in drawn(view)[0]


def test_a_diff_that_is_asked_about_stands_in_the_panel_alone(stage: Stage) -> None:
    path = f"{CWD}/a.py"
    diff = {"type": "diff", "changes": [{"operation": "modify", "path": path}]}
    stage.call(
        title="change", kind="edit", status="pending", content=[diff], locations=[{"path": path, "line": 3}]
    )
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert len(drawn(view)) > 1
    request = ask(stage, subject={"type": "tool_call", "toolCall": {"toolCallId": "c1"}})
    assert len(drawn(view)) == 1
    (_, _, head) = shown(stage, request)
    assert "a.py" in head


COMMAND = "cd x && rm -rf build; sudo rm -rf /\u202e"
MARKS = (Mark(8, 20, "deletes folders"), Mark(22, 36, "another user"), Mark(27, 36, "deletes folders"))


def marked(stage: Stage, request: AgentRequest, found: Found) -> str:
    """What of the command is underlined."""
    strips = request_lines(request, stage.store, 80, FALLBACK, found)
    runs = [run for strip in strips.strips for run in strip if run.style and run.style.underline]
    return "|".join(run.text for run in runs)


def test_risks_are_marked_in_the_command_and_told_below_it(stage: Stage) -> None:
    request = ask(stage, subject={"type": "command", "command": COMMAND, "cwd": "/else"})
    found = Found(COMMAND, MARKS, ("code in another language",), (), elsewhere=True)
    assert marked(stage, request, found) == "rm -rf build|sudo rm -rf /<U+202E>"
    lines = texts(request_lines(request, stage.store, 80, FALLBACK, found), 80)
    assert lines[1] == "  $ cd x && rm -rf build; sudo rm -rf /<U+202E>"
    assert lines[2:] == [
        "    ! in /else, outside the session's folders",
        "    ! deletes folders: rm -rf build and 1 more",
        "    ! another user: sudo rm -rf /",
        "    ? not understood, so nothing is marked in it: code in another language",
    ]


def test_nothing_found_says_nothing_about_safety(stage: Stage) -> None:
    request = ask(stage, subject={"type": "command", "command": "ls", "cwd": CWD})
    found = request_lines(request, stage.store, 50, FALLBACK, Found("ls"))
    assert texts(found, 50) == shown(stage, request)


def test_of_many_reasons_the_first_are_told(stage: Stage) -> None:
    command = " ".join("ab" for _ in range(5000))
    found = Found(command, tuple(Mark(n * 3, n * 3 + 2, f"why {n}") for n in range(5000)))
    request = ask(stage, subject={"type": "command", "command": command, "cwd": ""})
    lines = texts(request_lines(request, stage.store, 80, FALLBACK, found), 80)
    assert sum(line.startswith("    ! why") for line in lines) == REASONS
    assert lines[-1] == f"    ! and {5000 - REASONS} other things that are marked above"


def test_a_mark_never_parts_a_character_from_what_belongs_to_it(stage: Stage) -> None:
    command = "rm e\u0301 x"
    request = ask(stage, subject={"type": "command", "command": command, "cwd": ""})
    assert marked(stage, request, Found(command, (Mark(3, 4, "why"),))) == ""
    assert marked(stage, request, Found(command, (Mark(3, 5, "why"),))) == "e\u0301"


def test_paths_outside_the_roots_are_told(stage: Stage) -> None:
    stage.call(title="edit", kind="edit", locations=[{"path": "/etc/x"}])
    request = ask(stage, subject={"type": "tool_call", "toolCall": {"toolCallId": "c1"}})
    lines = texts(request_lines(request, stage.store, 80, FALLBACK, Found(outside=("/etc/x\x1b",))), 80)
    assert lines[-1] == "  ! outside the session's folders: /etc/x␛"


def test_a_command_in_the_input_of_a_call_stands_as_a_command(stage: Stage) -> None:
    raw = {"command": ["rm", "-rf", "a b"], "cwd": CWD, "timeout": 5}
    stage.call(title="shell", kind="execute", rawInput=raw)
    request = ask(stage, subject={"type": "tool_call", "toolCall": {"toolCallId": "c1"}})
    command = "rm -rf 'a b'"
    lines = texts(request_lines(request, stage.store, 80, FALLBACK, Found(command)), 80)
    assert lines[1:4] == ["  shell", f"  $ {command}", "    in this session's folder"]
    assert '"timeout": 5' in "".join(lines) and '"command"' not in "".join(lines)


def test_a_diff_side_by_side(stage: Stage) -> None:
    patch = f"diff --git {CWD}/a {CWD}/a\n--- {CWD}/a\n+++ {CWD}/a\n@@ -1 +1 @@\n-old\n+new\n"
    diff = {"type": "diff", "changes": [{"operation": "modify", "path": f"{CWD}/a"}],
            "patch": {"format": "git_patch", "text": patch}}  # fmt: skip
    stage.call(title="edit", content=[diff])
    request = ask(stage, subject={"type": "tool_call", "toolCall": {"toolCallId": "c1"}})
    one = texts(request_lines(request, stage.store, 80, FALLBACK), 80)
    two = texts(request_lines(request, stage.store, 80, FALLBACK, layout="split"), 80)
    assert any("old" in line and "new" in line for line in two)
    assert not any("old" in line and "new" in line for line in one)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_gets_through(stage: Stage, text: str) -> None:
    stage.call(title=text, rawInput={text: text}, locations=[{"path": text}])
    for subject in (
        {"type": "command", "command": text, "cwd": text},
        {"type": "tool_call", "toolCall": {"toolCallId": "c1"}},
        {"type": "x" + text, "y": text},
    ):
        request = ask(stage, title=text, description=text, subject=subject)
        found = Found(text, (Mark(0, len(text) // 2, "why"),), (text,), (text,), elsewhere=True)
        for width in (80, 5) if len(text) < 1000 else (80,):
            shown(stage, request, width)
            texts(request_lines(request, stage.store, width, FALLBACK, found), width)
