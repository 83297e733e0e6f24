from __future__ import annotations

from typing import Any

import pytest

from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.render.look import FALLBACK
from acp_tui.render.permission import asks_about, request_lines
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


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_gets_through(stage: Stage, text: str) -> None:
    stage.call(title=text, rawInput={text: text}, locations=[{"path": text}])
    for subject in (
        {"type": "command", "command": text, "cwd": text},
        {"type": "tool_call", "toolCall": {"toolCallId": "c1"}},
        {"type": "x" + text, "y": text},
    ):
        for width in (80, 5):
            shown(stage, ask(stage, title=text, description=text, subject=subject), width)
