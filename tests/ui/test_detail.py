"""The detail screen: everything an entity holds, in tabs, at full width, live, from where it was read."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from textual.strip import Strip

from acp_tui.journal.log import Header, Journal
from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.render.clean import clean
from acp_tui.store.entities import AgentRequest
from acp_tui.store.keys import Key, Kind
from acp_tui.ui.screens.detail import DetailScreen
from tests.render.hostile import HOSTILE
from tests.store.seen import Fed
from tests.ui.detail_stage import Reading, b64, reading
from tests.ui.screen_text import screen_strips
from tests.ui.transcript.stage import prose, text

pytestmark = pytest.mark.anyio

PATCH = """\
diff --git a/src/lex.py b/src/lex.py
--- a/src/lex.py
+++ b/src/lex.py
@@ -38,4 +38,5 @@ def lex(text):
     while i < len(text):
-        i = m.end()
+        if m is None:
+            raise LexError(i)
         yield m
     return
@@ -80,3 +81,3 @@ def other():
     a
-    b
+    c
     d
"""


def item(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content", "content": block}


def call(fed: Fed, *content: dict[str, Any], **fields: Any) -> Fed:
    """A finished tool call `c1` that holds this."""
    facts = {"title": "run it", "kind": "execute", "status": "completed", **fields}
    return fed("tool_call_update", toolCallId="c1", content=list(content), **facts)


def diff(patch: str = PATCH) -> dict[str, Any]:
    change = {"operation": "modify", "path": "/w/src/lex.py"}
    return {"type": "diff", "changes": [change], "patch": {"format": "git_patch", "text": patch}}


def every_kind() -> tuple[Fed, list[Key]]:
    """A session with one entity of each kind."""
    fed = Fed()
    fed("user_message", messageId="u1", content=[text("why does it *hang*?")])
    fed("agent_thought", messageId="t1", content=[text("maybe an empty match")])
    fed("agent_message", messageId="a1", content=[text("# Title\n\nIt **never** advances.")])
    call(fed, {"type": "terminal", "terminalId": "x1"})
    fed("terminal_update", terminalId="x1", command="pytest -x", output={"data": b64("ran\n")})
    entries = [{"content": "look", "priority": "high", "status": "completed"}]
    fed("plan_update", plan={"type": "items", "planId": "p1", "entries": entries})
    fed("plan_update", plan={"type": "markdown", "planId": "p2", "content": "## Steps\n\n1. look"})
    fed("compaction_update", compactionId="k1", status="completed", summary=[text("we fixed **it**")])
    fed("session_message", messageId="s1", senderSessionId="me", content=[text("hello child")])
    fed("subagent_update", sessionId="child-1", title="look around", description="a helper")
    child = next(s for s in fed.store.sessions.values() if s.parent)
    fed.feed({"sessionUpdate": "agent_message", "messageId": "c", "content": [text("from the child")]}, child)
    error = {"code": -32603, "message": "it broke", "data": {"why": "disk"}}
    fed("state_update", state="running")
    fed("state_update", state="idle", stopReason="error", error=error)
    return fed, [*fed.session.timeline, *fed.session.plans, fed.key(Kind.TERMINAL, "x1")]


SHOWN = {
    Kind.USER_MESSAGE: "why does it hang?",
    Kind.AGENT_THOUGHT: "maybe an empty match",
    Kind.AGENT_MESSAGE: "It never advances.",
    Kind.TOOL_CALL: "$ pytest -x",
    Kind.TERMINAL: "ran",
    Kind.PLAN: "look",
    Kind.COMPACTION: "we fixed it",
    Kind.SESSION_MESSAGE: "hello child",
    Kind.SUBAGENT: "from the child",
    Kind.TURN: "it broke",
}


def test_the_table_has_every_kind() -> None:
    assert {key.kind for key in every_kind()[1]} == set(SHOWN)


@pytest.mark.parametrize("key", every_kind()[1], ids=lambda key: f"{key.kind}-{key.id}")
async def test_every_kind_shows_what_it_holds_and_its_facts(key: Key) -> None:
    fed, _ = every_kind()
    async with reading(fed, key.kind, key.id) as on:
        await on.until(SHOWN[key.kind])
        await on.press("tab")
        await on.until("last changed")
        assert f"kind            {key.kind.replace('_', ' ')}" in on.text()
        await on.press("tab")
        await on.until("There is no journal of this conversation.")


async def test_a_call_shows_each_item_whole_and_raw_values_in_tabs_of_their_own() -> None:
    resource = {"type": "resource", "resource": {"uri": "file:///w/a.json", "text": '{"a": 1}'}}
    fed = call(
        Fed(),
        item(text("\n".join(f"line {n}" for n in range(1000)))),
        diff(),
        item(resource),
        {"type": "hologram", "depth": 3},
        item({"type": "resource_link", "uri": "https://example.org/x", "name": "x", "size": 12}),
        rawInput={"command": "pytest"},
        rawOutput=["one", {"two": 2}],
        locations=[{"path": "/w/src/lex.py", "line": 40}],
    )
    async with reading(fed, Kind.TOOL_CALL, "c1", size=(80, 60)) as on:
        assert "line 40" in on.text() and "1,000 lines" in on.text()
        await on.press("end")
        for words in (
            "line 999",
            "✎ src/lex.py",
            "raise LexError(i)",
            '{"a": 1}',
            '"depth": 3',
            "example.org/x",
        ):
            assert words in on.text()
        await on.press("2")
        assert "src/lex.py:40" in on.text()
        await on.press("3")
        assert '"command": "pytest"' in on.text()
        await on.press("4")
        assert '"two": 2' in on.text()


async def test_d_switches_the_layout_and_brackets_go_from_change_to_change() -> None:
    async with reading(call(Fed(), diff()), Kind.TOOL_CALL, "c1", size=(100, 30)) as on:
        assert "│" not in on.text()

        def cursor() -> str:
            return next(row for row in on.body() if row.startswith("❯"))

        assert "src/lex.py" in cursor()
        await on.press("right_square_bracket")
        assert "i = m.end()" in cursor()
        await on.press("right_square_bracket")
        assert "81 -     b" in cursor()
        await on.press("left_square_bracket", "left_square_bracket")
        assert "src/lex.py" in cursor()
        await on.press("d")
        assert "│" in on.text()
        assert "raise LexError(i)" in on.text()
        await on.press("d")
        assert "│" not in on.text()


async def test_a_huge_diff_is_whole_and_lays_out_what_is_seen() -> None:
    body = "".join(f" same {n}\n-old {n}\n+new {n}\n" for n in range(5000))
    patch = f"--- a/src/lex.py\n+++ b/src/lex.py\n@@ -1,10000 +1,10000 @@\n{body}"
    async with reading(call(Fed(), diff(patch)), Kind.TOOL_CALL, "c1", size=(80, 40)) as on:
        assert on.sheet.pile.heights.total >= 15_000
        laid_out = sum(len(part._lines) > 0 for part in on.sheet.pile.parts)
        assert laid_out <= 4
        await on.press("end")
        assert "new 4999" in on.text() and "10000 +" in on.text()
        assert "more line" not in on.text()


async def test_it_lives_and_the_reader_keeps_his_place() -> None:
    fed = Fed()
    fed("state_update", state="running")
    fed("agent_message_chunk", messageId="m", content=text("first paragraph\n\n" + prose(1, 2000)))
    async with reading(fed, Kind.AGENT_MESSAGE, "m") as on:
        assert "growing" in on.text()
        await on.press("pagedown")
        before = on.body()
        fed("agent_message_chunk", messageId="m", content=text("\n\nand the last word"))
        await on.until(lambda: not on.tabbed.due)  # type: ignore[attr-defined]
        assert on.body() == before
        await on.press("end")
        assert "and the last word" in on.text()
        fed("agent_message_chunk", messageId="m", content=text("\n\n- one\n- two"))
        await on.until("• two")


async def test_a_place_outlives_another_tab_and_another_width() -> None:
    fed = Fed()
    fed("agent_message", messageId="m", content=[text("\n\n".join(f"par {n}" for n in range(200)))])
    async with reading(fed, Kind.AGENT_MESSAGE, "m") as on:
        await on.press("pagedown", "pagedown")
        top = on.body()[0]
        await on.press("tab", "shift+tab")
        assert on.body()[0] == top
        await on.pilot.resize_terminal(120, 30)
        await on.until(lambda: on.sheet.size.width == 120 and len(on.sheet.rows) > 22)
        assert on.body()[0] == top


async def test_wheel_page_home_and_end_move() -> None:
    fed = Fed()
    fed("agent_message", messageId="m", content=[text("\n\n".join(f"par {n}" for n in range(500)))])
    async with reading(fed, Kind.AGENT_MESSAGE, "m") as on:
        await on.press("end")
        await on.until(lambda: on.body()[-1].strip() == "par 499")
        on.sheet.scroll_relative(y=-3, animate=False, immediate=True)
        await on.until(lambda: "par 498" not in on.body()[-1] and on.body()[-1].strip() != "par 499")
        await on.press("home")
        assert on.body()[0].strip() == "par 0"
        await on.press("down", "down")
        assert on.body()[0].strip() == "par 1"
        await on.press("pagedown")
        assert on.body()[0].strip() != "par 1"
        on.sheet.scroll_to(y=500, animate=False, immediate=True)
        await on.until(lambda: abs(on.sheet.pile.top - 500) <= 1)
        await on.press("escape")
        await on.until(lambda: on.screen is not on.tabbed)


# Terminals


def output(fed: Fed, words: str, exited: bool = False) -> Fed:
    fed("terminal_output_chunk", terminalId="x1", data=b64(words))
    return fed("terminal_update", terminalId="x1", exitStatus={"exitCode": 1}) if exited else fed


def terminal(words: str = "", exited: bool = False) -> Fed:
    fed = call(Fed(), {"type": "terminal", "terminalId": "x1"}, status="in_progress")
    fed("terminal_update", terminalId="x1", command="make", cwd="/w")
    return output(fed, words, exited)


def colour_of(row: Strip) -> object:
    """The colour of the row's words."""
    return next(s.style.color for s in row if "line" in s.text and s.style is not None)


async def read_in(on: Reading) -> None:
    """Wait until all output was read."""
    await on.until(lambda: on.tabbed.whole.step(lambda: True))  # type: ignore[attr-defined]
    on.tabbed.again()
    await on.pilot.pause()


async def test_a_terminal_has_its_full_scrollback_with_colours() -> None:
    lines = "".join(f"\x1b[3{n % 8}mline {n}\x1b[0m\r\n" for n in range(8_000))
    async with reading(terminal(lines, exited=True), Kind.TOOL_CALL, "c1", size=(80, 30)) as on:
        await read_in(on)
        await on.press("end")
        assert on.body()[-1].strip() == "line 7999"
        await on.press("home")
        assert "$ make  exit 1" in on.text()
        row = next(strip for strip in screen_strips(on.app) if strip.text.startswith(" line 1 "))
        other = next(strip for strip in screen_strips(on.app) if strip.text.startswith(" line 2 "))
        assert colour_of(row) != colour_of(other)
        await on.press("slash")
        await on.type("line 4000")
        await on.until("1 of 1")
        assert "line 4000" in "\n".join(on.body())


async def test_the_end_of_a_long_output_is_there_before_its_beginning() -> None:
    fed = terminal("".join(f"line {n}\n" for n in range(60_000)))
    async with reading(fed, Kind.TERMINAL, "x1") as on:
        assert "line 59999" in on.text()
        await on.press("home")
        await on.until("line 0")
        assert "reading what stands above" not in on.text()


async def test_a_running_terminal_is_followed_and_lays_out_only_its_last_rows() -> None:
    fed = terminal("".join(f"line {n}\n" for n in range(3000)))
    async with reading(fed, Kind.TOOL_CALL, "c1") as on:
        await read_in(on)
        assert "line 2999" in on.text()
        drawn = {id(part): part._lines for part in on.sheet.pile.parts}
        for number in range(20):
            output(fed, f"more {number}\n")
        await on.until("more 19")
        changed = [part for part in on.sheet.pile.parts if drawn.get(id(part)) is not part._lines]
        assert len(changed) <= 3  # the head, the last rows, and those just finished
        await on.press("pageup")
        before = on.body()
        output(fed, "and more\n")
        await on.until(lambda: not on.tabbed.due)  # type: ignore[attr-defined]
        assert on.body() == before


async def test_output_that_is_replaced_is_read_anew() -> None:
    fed = terminal("old words\n")
    async with reading(fed, Kind.TERMINAL, "x1") as on:
        await on.until("old words")
        fed("terminal_update", terminalId="x1", output={"data": b64("new words\n")})
        await on.until("new words")
        assert "old words" not in on.text()


async def test_enter_on_a_terminal_opens_it_alone() -> None:
    async with reading(terminal("words\n", exited=True), Kind.TOOL_CALL, "c1") as on:
        await on.press("home", "right_square_bracket", "left_square_bracket", "enter")
        await on.until(lambda: on.screen is not on.tabbed)
        assert isinstance(on.screen, DetailScreen) and on.screen.key.kind is Kind.TERMINAL
        await on.press("escape")
        assert on.screen is on.tabbed


# Requests


async def test_a_request_shows_its_options_and_the_answer_as_it_comes() -> None:
    fed = Fed()
    raw = {
        "sessionId": "agent-1",
        "title": "May I?",
        "subject": {"type": "command", "command": "rm -rf \u202e build", "cwd": "/w"},
        "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}],
    }
    request = AgentRequest(
        key=fed.key(Kind.REQUEST, "1:1"),
        created_at=fed.at,
        generation=1,
        request_id=1,
        method="session/request_permission",
        params=RequestPermissionRequest.model_validate(raw),
    )
    fed.store.put_request(request)
    async with reading(fed, Kind.REQUEST, "1:1") as on:
        assert "rm -rf <U+202E> build" in on.text()
        assert "1  Yes  (allow_once)" in on.text() and "waits for you" in on.text()
        outcome = {"outcome": {"outcome": "selected", "optionId": "y"}}
        fed.store.settle_request(request.key, fed.at, outcome=outcome, by="user")
        await on.until("✓ 1  Yes")
        assert "answered by you" in on.text()


# Messages from the journal


def kept(folder: Path, count: int) -> tuple[Fed, Journal]:
    """A call that was told of in so many updates, and their journal."""
    fed = Fed()
    header = Header(generation=1, command=("agent",), cwd="/w", started=0.0, pid=1, version="0")
    journal = Journal(folder, header)
    for number in range(count):
        tell(fed, journal, f"step {number}")
    return fed, journal


def tell(fed: Fed, journal: Journal, title: str) -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "c1", "title": title, "_meta": {"n": 1}}
    params = {"sessionId": "agent-1", "update": update}
    journal.append("<", [("agent-1", {"method": "session/update", "params": params})], fed.at)
    fed.feed(update)


async def test_the_messages_are_there_raw_with_their_times_and_new_ones_come(tmp_path: Path) -> None:
    fed, journal = kept(tmp_path, 3)
    async with reading(fed, Kind.TOOL_CALL, "c1", journals=[journal.path], size=(80, 60)) as on:
        await on.press("shift+tab")
        await on.until("History 3")
        assert '"title": "step 2"' in on.text() and '"n": 1' in on.text()
        assert "01:40.000  agent  tool_call_update" in on.text()
        assert "+2.000 s" in on.text()
        await on.press("z")
        await on.until(lambda: '"title"' not in on.text())
        assert "title: step 2" in on.text()
        tell(fed, journal, "step 3")
        await on.until("History 4")
        assert "title: step 3" in on.text()
        await on.press("right_square_bracket", "enter")
        assert '"title": "step 1"' in on.text() and '"title": "step 2"' not in on.text()


async def test_many_messages_are_folded_and_open_one_by_one(tmp_path: Path) -> None:
    fed, journal = kept(tmp_path, 1000)
    async with reading(fed, Kind.TOOL_CALL, "c1", journals=[journal.path], size=(120, 24)) as on:
        await on.press("shift+tab")
        await on.until("History 1,000")
        await on.until(lambda: not on.tabbed.trail.reading)  # type: ignore[attr-defined]
        assert "title: step 10 " in on.text()
        await on.press("end")
        await on.until("title: step 999")


async def test_a_journal_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    fed, journal = kept(tmp_path, 1)
    gone = tmp_path / "gone.ndjson"
    async with reading(fed, Kind.TOOL_CALL, "c1", journals=[journal.path, gone]) as on:
        await on.press("shift+tab")
        await on.until("cannot be read: no such file or directory")
        assert '"title": "step 0"' in on.text()
        journal.path.unlink()
        await on.press("z", "z")
        await on.until("It cannot be read any more")


# Hostile agents


async def test_hostile_text_does_nothing_and_hides_nothing(tmp_path: Path) -> None:
    fed = Fed()
    header = Header(generation=1, command=("agent",), cwd="/w", started=0.0, pid=1, version="0")
    journal = Journal(tmp_path, header)
    blocks = [text(words) for words in HOSTILE]
    for words in HOSTILE:
        update = {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "c1",
            "title": words,
            "name": words,
            "kind": words,
            "status": words,
            "rawInput": {words: words},
            "rawOutput": words,
            "locations": [{"path": words}],
            "content": [
                *(item(block) for block in blocks),
                item({"type": "image", "data": words, "mimeType": words, "uri": words}),
                item({"type": "resource", "resource": {"uri": words, "text": words, "mimeType": words}}),
                item({"type": "resource_link", "uri": words, "name": words, "description": words}),
                item({"type": words, "x": words}),
                {"type": words, "y": words},
                {"type": "diff", "changes": [{"operation": "add", "path": words}],
                 "patch": {"format": "git_patch", "text": PATCH.replace("a\n", words + "\n")}},
                {"type": "session", "sessionId": words},
                {"type": "terminal", "terminalId": "x1"},
            ],
            "_meta": {words: words},
        }  # fmt: skip
        params = {"sessionId": "agent-1", "update": update}
        journal.append("<", [("agent-1", {"method": "session/update", "params": params})], fed.at)
        fed.feed(update)
    said = b64("".join(HOSTILE[:-2]).encode("utf-8", "replace"))
    command = {"command": "\x1b[31mx\u202e", "cwd": "\x1b]0;t\x07"}
    fed("terminal_update", terminalId="x1", output={"data": said}, **command)
    seen = 0
    async with reading(fed, Kind.TOOL_CALL, "c1", journals=[journal.path], size=(80, 50)) as on:
        for _ in range(5):
            await on.until(lambda: not on.tabbed.trail.reading)  # type: ignore[attr-defined]
            await on.press("home")
            for _ in range(6):
                seen += len(on.text())
                assert_clean(on)
                await on.press("pagedown")
            await on.press("end", "tab")
    assert seen > 10_000


def assert_clean(on: Reading) -> None:
    for strip in screen_strips(on.app):
        assert clean(strip.text) == strip.text, json.dumps(strip.text)
        for segment in strip:
            assert segment.style is None or "\x1b" not in (segment.style.link or "")


async def test_a_file_that_was_read_is_code_and_what_is_for_the_agent_is_marked() -> None:
    fed = Fed()
    rules = {"type": "text", "text": "rules", "annotations": {"audience": ["assistant"]}}
    source = item({"type": "text", "text": "def lex(text):\n    return text"})
    call(fed, source, item(rules), kind="read", locations=[{"path": "/w/lex.py"}])
    async with reading(fed, Kind.TOOL_CALL, "c1") as on:
        rows = on.body()
        assert "  def lex(text):" in rows and "      return text" in rows
        assert any("text · 1 line · for the agent, not for you" in row for row in rows)
        assert "  rules" in rows
    message = Fed()("agent_message", messageId="m", content=[text("yours"), rules])
    async with reading(message, Kind.AGENT_MESSAGE, "m") as on:
        assert "for the agent, not for you" in on.text() and "rules" in on.text()


async def test_a_picture_is_seen_and_a_sound_has_a_name_by_its_type() -> None:
    red = io.BytesIO()
    Image.new("RGB", (4, 4), (255, 0, 0)).save(red, "PNG")
    blocks = [
        {"type": "image", "data": b64(red.getvalue()), "mimeType": "image/png"},
        {"type": "audio", "data": b64("abcd"), "mimeType": "audio/wav"},
    ]
    fed = Fed()("agent_message", messageId="m", content=blocks)
    async with reading(fed, Kind.AGENT_MESSAGE, "m") as on:
        assert [row.strip() for row in on.body()].count("▀▀▀▀") == 2
        await on.press("right_square_bracket", "w")
        await on.until("Save the sound as: sound.wav")
