"""What went wrong with what is shown in other clients, each a test named after its symptom."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from acp_tui.ui.screens.detail import DetailScreen
from tests.ui.acting import acting, call, chunk, says, state, text
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio
RUNNING = state("running")
DONE = state("idle", "end_turn")
BLOB = base64.b64encode(bytes(range(256)) * (6 * 2**20 // 256)).decode()
"""Eight megabytes of it."""
EVIL = "\x1b[2J\x1b]52;c;x\x07\x9b31m[red]r[/] [@click=app.quit]q[/] \u202ebad\u202c\rls\x08\x7f"


def image(data: str) -> dict[str, Any]:
    return {"type": "image", "mimeType": "image/png", "data": data}


def result(block: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "content", "content": block}]


SHAPES: dict[str, list[dict[str, Any]]] = {
    "text of a message": [says(BLOB)],
    "a picture": [{**says(""), "content": [image(BLOB)]}],
    "text of a tool": [call(status="completed", content=result(text(BLOB)))],
    "raw output": [call(status="completed", rawOutput={"image": BLOB})],
    "a picture of a tool": [call(status="completed", content=result(image(BLOB)))],
    "a line without blanks": [says("x" * 2**20)],
}


@pytest.mark.parametrize("said", SHAPES.values(), ids=SHAPES.keys())
async def test_a_blob_in_what_is_said_freezes_nothing(tmp_path: Path, said: list[dict[str, Any]]) -> None:
    """S55: it was laid out, line by line, and no key came through."""
    on = {"say go": [RUNNING, *said, says("after it", "m2"), DONE]}
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.until("after it")
        await driven.until("○ ready")
        await driven.type("a key")
        assert driven.composer.text == "a key"
        await driven.press("ctrl+c", "tab", "home")
        await driven.until(lambda: driven.rows()[1].split()[1:] == ["go"])
        if said is not SHAPES["text of a message"]:
            assert BLOB[:60] not in driven.text()


async def test_an_unknown_word_anywhere_stops_nothing(tmp_path: Path) -> None:
    """S29: one variant nobody knew froze the turn, or ended the connection."""
    odd: list[dict[str, Any]] = [
        {"sessionUpdate": "weather_update", "sky": {"deep": [None]}},
        {"sessionUpdate": None},
        {"sessionUpdate": "agent_message", "messageId": "m0", "content": [{"type": "_hologram", "x": 1}]},
        {"sessionUpdate": "agent_message", "messageId": "m1", "content": None, "_meta": 7, "more": "fields"},
        call("c1", "Odd one", "_paused", kind="_dance", locations=None, content=[{"type": "_map"}, None, 7]),
        {"sessionUpdate": "plan_update", "plan": {"type": "_tree", "planId": "p", "x": None}},
        {"sessionUpdate": "usage_update", "used": "many", "size": None},
        {"sessionUpdate": "notice", "severity": "_fatal", "title": "Odd notice"},
        state("_dreaming"),
        {"notify": "_acme/moved", "params": None},
        {"notify": "acme/moved", "params": {"x": 1}},
    ]
    on = {"say go": [RUNNING, *odd, says("still here", "m9"), state("idle", "_because")]}
    async with driving(acting(tmp_path, on), size=(100, 40)) as driven:
        await driven.ready()
        await driven.say("go")
        for words in ("still here", "unknown content: _hologram", "Odd one", "stopped: _because", "○ ready"):
            await driven.until(words)
        await driven.until("1 unknown update")
        assert driven.store.connection.phase == "ready"


HOSTILE: dict[str, list[dict[str, Any]]] = {
    "message": [says(EVIL + " end")],
    "pieces": [chunk("\x1b"), chunk("[2J"), chunk("\x1b]0;t"), chunk("\x07 end")],
    "thought": [chunk(EVIL, "t", "agent_thought_chunk"), says("end")],
    "title": [call(title=EVIL + " end")],
    "output": [call(title="end", status="failed", content=result(text(EVIL)), rawOutput=EVIL)],
    "place": [call(title="end", locations=[{"path": "/tmp/" + EVIL, "line": 1}])],
    "plan": [
        {"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "p", "entries": [
            {"content": EVIL, "priority": "low", "status": "in_progress"}]}},
        says("end"),
    ],
    "notice": [{"sessionUpdate": "notice", "severity": "error", "title": EVIL}, says("end")],
    "name": [{"sessionUpdate": "session_info_update", "title": EVIL}, says("end")],
    "why it stopped": [says("end"), state("idle", "error", error={"code": 1, "message": EVIL, "data": EVIL})],
    "compaction": [
        {"sessionUpdate": "compaction_update", "compactionId": "k", "status": "failed", "error": EVIL,
         "summary": [text(EVIL)]},
        says("end"),
    ],
}  # fmt: skip


def harmless(driven: Driven) -> bool:
    """Nothing on the screen acts on a terminal."""
    hidden = {chr(n) for n in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
    return not {c for c in driven.text() if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in hidden)}


@pytest.mark.parametrize("said", HOSTILE.values(), ids=HOSTILE.keys())
async def test_words_of_the_agent_do_nothing_to_the_terminal(
    tmp_path: Path, said: list[dict[str, Any]]
) -> None:
    """S18: one surface of several was always forgotten; here each, folded, open, and whole on a screen."""
    async with driving(acting(tmp_path, {"say go": [RUNNING, *said]}), size=(100, 30)) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.until("end")
        assert harmless(driven)
        await driven.press("tab", "end", "enter")
        await driven.pilot.pause()
        assert harmless(driven)
        for key in ("up", "up"):
            await driven.press("o")
            await driven.until(lambda: isinstance(driven.app.screen, DetailScreen))
            await driven.pilot.pause()
            assert harmless(driven)
            await driven.press("escape", key)
        await driven.press("f2")
        await driven.pilot.pause()
        assert harmless(driven)
        assert driven.app.return_value is None
