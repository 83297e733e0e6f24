from __future__ import annotations

import base64
import sys
import tracemalloc
from typing import Any

import pytest

from acp_tui.render.look import FALLBACK, LOOK_PARTS, Look
from acp_tui.render.view import View
from acp_tui.store.keys import Kind
from tests.render.hostile import HOSTILE
from tests.render.stage import CWD, Stage, drawn

PATCH = (
    f"diff --git {CWD}/a.py {CWD}/a.py\n--- {CWD}/a.py\n+++ {CWD}/a.py\n@@ -1,2 +1,2 @@\n-old\n+new\n end\n"
)


def terminal(stage: Stage, **fields: Any) -> None:
    stage.update("terminal_update", terminalId="T", **fields)


def everything(stage: Stage, text: str) -> None:
    """One of each kind with `text` wherever an agent can put one."""
    block = {"type": "text", "text": text}
    blocks = [
        block,
        {"type": "image", "data": text, "mimeType": text, "uri": text},
        {"type": "audio", "data": text, "mimeType": text},
        {"type": "resource_link", "uri": text, "name": text, "title": text, "mimeType": text},
        {"type": "resource", "resource": {"uri": text, "text": text, "mimeType": text}},
        {"type": "resource", "resource": {"uri": text, "blob": text, "mimeType": text}},
        {"type": "x" + text, text: text},
    ]
    for kind in ("user_message", "agent_message", "agent_thought"):
        stage.update(kind, messageId=kind, content=blocks)
    stage.update(
        "session_message", messageId="s", senderSessionId=text, recipientSessionId=text, content=blocks
    )
    data = base64.b64encode(text.encode("utf-8", "surrogatepass")).decode()
    terminal(stage, command=text, cwd=text, output={"data": data}, exitStatus={"exitCode": 1, "signal": text})
    content = [
        *({"type": "content", "content": one} for one in blocks),
        {"type": "diff", "changes": [{"operation": "move", "oldPath": text, "path": text, "fileType": text}],
         "patch": {"format": "git_patch", "text": PATCH + text}},
        {"type": "terminal", "terminalId": "T"},
        {"type": "session", "sessionId": text},
        {"type": "y" + text, "value": text},
    ]  # fmt: skip
    for status in ("failed", "in_progress", text):
        stage.call(status, title=text, name=text, kind=text, status=status, content=content)
        stage.call(
            status,
            rawInput={text: text},
            rawOutput=[text],
            locations=[{"path": text, "line": 1}, {"path": text}],
        )
    stage.update("compaction_update", compactionId="k", status=text, error=text, summary=blocks)
    stage.update("subagent_update", sessionId="kid" + text, title=text, description=text)
    stage.update("state_update", state="idle", stopReason=text)
    stage.update("state_update", state="running")
    stage.update(
        "state_update", state="idle", stopReason="error", error={"code": 1, "message": text, "data": text}
    )
    stage.submit(text, "pending", text)


def all_open(view: View) -> None:
    view.folded = False
    for part in range(-2, 14):
        view.act(("part", part))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_view_lets_anything_through(stage: Stage, text: str) -> None:
    everything(stage, text)
    widths = (80, 9, 1) if len(text) < 400 else (80,)  # a long one is tens of thousands of rows there
    for view in stage.views():
        for width in widths:
            drawn(view, width)
        all_open(view)
        for width in widths:
            drawn(view, width)
            count = len(view.strips(width, FALLBACK))
            for line in range(count):
                assert 0 <= view.gutter(line) <= width
                assert view.soft(line) == (view.joint(line) != "\n")


def test_a_view_is_drawn_again_only_when_what_it_shows_changed(stage: Stage) -> None:
    everything(stage, "some *text*")
    for view in stage.views():
        view.folded = False
        first = view.strips(60, FALLBACK)
        lines = list(first)
        assert view.strips(60, FALLBACK) is first
        stage.store.touch(view.key)
        view.entity.revision += 1
        again = view.strips(60, FALLBACK)
        assert len(again) == len(lines)
        assert all(old is new for old, new in zip(lines, again, strict=True))


def test_a_new_look_draws_anew(stage: Stage) -> None:
    stage.say("text")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    first = view.strips(60, FALLBACK)[0]
    other = Look.from_styles({})
    assert view.strips(60, other)[0] is not first
    assert len(LOOK_PARTS) == len(set(LOOK_PARTS))


def test_what_is_out_of_sight_is_small(stage: Stage) -> None:
    everything(stage, "text " * 1000)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        views = [view for _ in range(4) for view in stage.views()]
        size = (tracemalloc.get_traced_memory()[0] - before) / len(views)
    finally:
        tracemalloc.stop()
    assert size < 2000
    for view in views:
        view.strips(80, FALLBACK)
        view.forget()
        assert sys.getsizeof(view) < 400
        assert drawn(view, 80)


@pytest.mark.parametrize("width", [40, 80])
def test_estimates_are_near_enough_and_cheap(stage: Stage, width: int) -> None:
    everything(stage, "some words in a line\n" * 10)
    for view in stage.views():
        exact = len(view.strips(width, FALLBACK))
        assert view.estimate(width) <= exact * 4 + 12
        assert exact <= view.estimate(width) * 4 + 60
