from __future__ import annotations

import base64
from typing import Any

import pytest

from acp_tui.render.look import FALLBACK
from acp_tui.store.entities import Cancel, Terminal
from acp_tui.store.keys import Key, Kind
from acp_tui.store.output import Output
from tests.render.stage import CWD, Stage, drawn

PATCH = (
    f"diff --git {CWD}/a.py {CWD}/a.py\n--- {CWD}/a.py\n+++ {CWD}/a.py\n@@ -1,2 +1,2 @@\n-old\n+new\n end\n"
)


def test_a_call_is_one_line_with_its_numbers_at_the_right(stage: Stage) -> None:
    stage.call(title=f"Read {CWD}/src/lex.py", kind="read", status="in_progress")
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert drawn(view) == [" ◐ → Read src/lex.py"]
    assert view.ticking
    stage.at += 2
    stage.call(status="completed", locations=[{"path": f"{CWD}/src/lex.py", "line": 4}, {"path": "/x"}])
    assert drawn(view) == [" ✓ → Read src/lex.py …                                2.0 s"]
    assert drawn(view, 30) == [" ✓ → Read src/lex.py …"]
    stage.call("c2", name="grep", locations=[{"path": f"{CWD}/a.py", "line": 40}])
    assert drawn(stage.view(Kind.TOOL_CALL, "c2")) == [" ○ · grep  a.py:40                      not started"]


def test_a_change_without_a_place_names_its_file(stage: Stage) -> None:
    changes = [{"operation": "modify", "path": f"{CWD}/a.py"}, {"operation": "add", "path": f"{CWD}/b.py"}]
    diff = {"type": "diff", "changes": changes[:1], "patch": {"format": "git_patch", "text": PATCH}}
    stage.call(title="Editing files", kind="edit", status="completed", content=[diff])
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert drawn(view)[0] == " ✓ ✎ Editing files  a.py".ljust(46) + "+1 −1"
    stage.call("c2", title="Edit a.py", content=[{"type": "diff", "changes": changes}])
    assert drawn(stage.view(Kind.TOOL_CALL, "c2"))[0].startswith(" ○ · Edit a.py … ")
    stage.call("c2", locations=[{"path": f"{CWD}/a.py", "line": 2}])
    assert drawn(stage.view(Kind.TOOL_CALL, "c2"))[0].startswith(" ○ · Edit a.py … "), "it changes b.py, too"


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"status": "cancelled"}, "⊘ · tool call cancelled"),
        ({"status": "paused"}, "‖ · tool call paused"),
        ({"status": "odd\x1b[2J"}, "◐ · tool call odd"),
        ({"kind": "strange", "status": "completed"}, "✓ · strange"),
    ],
)
def test_statuses_are_said_in_words_where_the_glyph_is_not_enough(
    stage: Stage, fields: dict[str, str], shown: str
) -> None:
    stage.call(**fields)
    assert drawn(stage.view(Kind.TOOL_CALL, "c1"))[0].split() == shown.split()


def test_the_agent_has_words_of_its_own_for_a_status(stage: Stage) -> None:
    stage.call(title="echo", _meta={"acp-tui/status": {"words": "ack queued\x1b[2J", "seen": stage.at}})
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert drawn(view)[0].split() == ["○", "·", "echo", "ack", "queued"]
    assert view.ticking
    stage.at += 12
    assert drawn(view)[0].split() == ["○", "·", "echo", "ack", "queued,", "12", "s", "ago"]
    stage.call(status="failed", _meta={"acp-tui/status": {"words": "expired"}})
    assert drawn(view)[0].split() == ["✗", "·", "echo", "expired"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("result completed, state completed, ack queued", "result completed, state completed"),
        (
            "cancel recorded, result cancelled, state cancelled, ack queued",
            "cancel recorded, result cancelled",
        ),
        ("w" * 70, "w" * 42 + "…"),
    ],
)
def test_the_words_for_a_status_leave_the_title_its_share(stage: Stage, said: str, shown: str) -> None:
    stage.call(title="Count, one chunk each", status="completed", _meta={"acp-tui/status": {"words": said}})
    view = stage.view(Kind.TOOL_CALL, "c1")
    narrow, wide = (drawn(view, width)[0] for width in (80, 120))
    assert narrow.startswith(" ✓ · Count, one chunk each  ") and narrow.endswith(f"  {shown}")
    assert wide.endswith(f"  {said}")


@pytest.mark.parametrize(
    "said", [None, "queued", 7, {"words": 7}, {"words": " "}, {"seen": 5.0}, {"words": "", "seen": True}]
)
def test_what_is_no_word_for_a_status_changes_nothing(stage: Stage, said: object) -> None:
    stage.call(title="echo", status="paused", _meta={"acp-tui/status": said})
    assert drawn(stage.view(Kind.TOOL_CALL, "c1"))[0].split() == ["‖", "·", "echo", "paused"]


def test_a_call_left_open_is_neither_failed_nor_running(stage: Stage) -> None:
    stage.call(title="x", status="in_progress")
    entity: Any = stage.entity(Kind.TOOL_CALL, "c1")
    entity.no_final = "turn ended"
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert "◌" in drawn(view)[0] and "no final status reported" in drawn(view)[0]
    assert not view.ticking


CANCELS = {"asked": "cancel asked", "no_answer": "cancel asked, no answer"}
ENDED = {"cancelled": "cancel confirmed", "completed": "finished anyway", "failed": "finished anyway"}


@pytest.mark.parametrize("status", CANCELS)
def test_a_cancel_we_asked_for_is_shown_until_it_is_settled(stage: Stage, status: Any) -> None:
    stage.call(title="x", status="in_progress")
    entity: Any = stage.entity(Kind.TOOL_CALL, "c1")
    entity.cancel = Cancel(asked_at=1.0, status=status)
    assert CANCELS[status] in drawn(stage.view(Kind.TOOL_CALL, "c1"))[0]


@pytest.mark.parametrize("status", ENDED)
def test_what_became_of_a_cancel_is_said_in_other_words(stage: Stage, status: str) -> None:
    stage.call(title="x", status="in_progress")
    entity: Any = stage.entity(Kind.TOOL_CALL, "c1")
    entity.cancel = Cancel(asked_at=1.0)
    stage.call(status=status)
    assert ENDED[status] in drawn(stage.view(Kind.TOOL_CALL, "c1"))[0]


def test_a_failure_opens_by_itself(stage: Stage) -> None:
    stage.call(title="run", kind="execute", status="in_progress", rawInput={"a": 1})
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert len(drawn(view)) == 1
    stage.call(
        status="failed", content=[{"type": "content", "content": {"type": "text", "text": "no such file"}}]
    )
    head = " ✗ $ run                                     failed"
    assert drawn(view) == [head, "   no such file"]
    view.toggle()
    assert drawn(view) == [head]
    stage.call("c2", title="run", status="failed", rawOutput={"error": "why"})
    lines = drawn(stage.view(Kind.TOOL_CALL, "c2"))
    assert lines == [head.replace("$", "·"), "    {", '      "error": "why"', "    }"]


def test_an_opened_call_shows_all_it_holds(stage: Stage) -> None:
    stage.call(
        title="a title\nof two lines",
        name="tool",
        status="completed",
        rawInput={"path": "x", "deep": {"a": []}},
        rawOutput="ok",
        locations=[{"path": f"{CWD}/a.py", "line": 3}, {"path": "/b"}],
        content=[
            {"type": "content", "content": {"type": "text", "text": "**out**"}},
            {"type": "diff", "changes": [{"operation": "modify", "path": f"{CWD}/a.py"}],
             "patch": {"format": "git_patch", "text": PATCH}},
            {"type": "session", "sessionId": "child"},
            {"type": "graph", "x": 1},
        ],
    )  # fmt: skip
    view = stage.view(Kind.TOOL_CALL, "c1")
    view.toggle()
    assert drawn(view) == [
        " ✓ · a title of two lines  a.py:3 …           +1 −1",
        "   a title",
        "   of two lines",
        "   a.py:3",
        "   /b",
        "   out",
        "   ✎ a.py  +1 −1",
        "      1 - old",
        "      1 + new",
        "      2   end",
        "   ↳ session child",
        "   ▸ unknown content: graph",
        "   ▸ input  path: x, deep: {…}",
        "   ▸ output  ok",
        "   done · tool · c1",
    ]
    view.act(("part", -1))
    view.act(("part", 3))
    assert '      "path": "x",' in drawn(view)
    assert '      "x": 1' in drawn(view)
    assert view.source().splitlines()[:2] == ["a title of two lines", "**out**"]


def test_an_opened_command_stands_there_once_and_its_raw_input_says_where_it_is_cut(stage: Stage) -> None:
    command = "touch marker; " * 5 + "pwd"
    terminal(stage, command=command, output={"data": ""})
    content = [{"type": "terminal", "terminalId": "T"}]
    stage.call(
        title=command, kind="execute", status="completed", rawInput={"command": command}, content=content
    )
    view = stage.view(Kind.TOOL_CALL, "c1")
    view.toggle()
    lines = drawn(view)
    assert sum("pwd" in line for line in lines) == 1
    assert any(line.startswith("   $ touch marker;") for line in lines)
    assert any(line.startswith("   ▸ input  command: touch") and line.endswith("…") for line in lines)


def terminal(stage: Stage, **fields: Any) -> None:
    stage.update("terminal_update", terminalId="T", **fields)


def output(stage: Stage, data: bytes) -> None:
    stage.update("terminal_output_chunk", terminalId="T", data=base64.b64encode(data).decode())


def test_a_terminal_in_a_call_shows_its_last_lines(stage: Stage) -> None:
    stage.call(
        title="`make`",
        kind="execute",
        status="in_progress",
        content=[{"type": "terminal", "terminalId": "T"}],
    )
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert drawn(view) == [" ◐ $ make", "   terminal: nothing known of it yet"]
    assert view.related() == (Key("s1", Kind.TERMINAL, "T"),)
    terminal(stage, command="make", cwd=CWD)
    output(stage, b"".join(b"\x1b[3%dmline %d\x1b[0m\r\n" % (n % 8, n) for n in range(20)))
    assert drawn(view) == [" ◐ $ make", "   … 16 lines", *(f"   line {n}" for n in range(16, 20))]
    terminal(stage, exitStatus={"exitCode": 2})
    stage.call(status="failed")
    lines = drawn(view)
    assert lines[0].split() == ["✗", "$", "make", "exit", "2"]
    assert lines[1:] == ["   … 10 lines", *(f"   line {n}" for n in range(10, 20))]
    view.toggle()
    view.toggle()
    assert drawn(view)[1] == "   $ make  exit 2"
    terminal(stage, cwd=f"{CWD}/sub", command="make all")
    stage.at += 3
    assert drawn(view)[1] == "   $ make all  in sub · exit 2"
    assert drawn(view)[2] == "   line 0"


def test_what_a_terminal_says_after_its_end_is_added(stage: Stage) -> None:
    stage.call(status="in_progress", content=[{"type": "terminal", "terminalId": "T"}])
    view = stage.view(Kind.TOOL_CALL, "c1")
    terminal(stage, exitStatus={})
    output(stage, b"late \xe2\x82")
    output(stage, b"\xac\n")
    assert drawn(view)[1:] == ["   late €"]
    terminal(stage, output=None)
    assert drawn(view)[1:] == []


def test_a_long_output_is_read_from_near_its_end(stage: Stage) -> None:
    stage.call(status="in_progress", content=[{"type": "terminal", "terminalId": "T"}])
    for _ in range(40):
        output(stage, b"some words in a line\n" * 1000)
    output(stage, b"the end\n")
    view: Any = stage.view(Kind.TOOL_CALL, "c1")
    assert drawn(view)[1:] == ["   … 39,997 lines", *["   some words in a line"] * 3, "   the end"]
    (player,) = view.items.seen.players.values()
    assert player.screen.count < 15_000


def test_a_flood_is_not_read_line_by_line(stage: Stage) -> None:
    stage.call(status="in_progress", content=[{"type": "terminal", "terminalId": "T"}])
    view: Any = stage.view(Kind.TOOL_CALL, "c1")
    output(stage, b"begin\n")
    drawn(view)
    (player,) = view.items.seen.players.values()
    output(stage, b"some words in a line\n" * 100_000)
    output(stage, b"the end")
    assert drawn(view)[1:] == ["   … 99,998 lines", *["   some words in a line"] * 3, "   the end"]
    assert player.screen.count < 4000
    output(stage, b", and more\n")
    screen = player.screen
    assert drawn(view)[-1] == "   the end, and more"
    assert player.screen is screen


def test_a_terminal_followed_for_long_goes_on_after_its_front_was_cut(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Output, "KEEP", 4_000_000)
    stage.call(status="in_progress", content=[{"type": "terminal", "terminalId": "T"}])
    view: Any = stage.view(Kind.TOOL_CALL, "c1")
    chunk = b"x" * 99 + b"\n"
    output(stage, b"begin\n")
    drawn(view)
    (player,) = view.items.seen.players.values()
    screen = player.screen
    entity = stage.entity(Kind.TERMINAL, "T")
    assert isinstance(entity, Terminal)
    for _ in range(90):
        output(stage, chunk * 1000)
        drawn(view)
    output(stage, b"last\n")
    assert entity.output.cut
    assert drawn(view, 120)[-1] == "   last"
    assert "not kept" in drawn(view, 120)[1]
    assert player.screen is screen
    assert player.count == 90 * 1000 + 2


def test_a_terminal_of_two_calls_is_drawn_in_the_last_and_named_in_the_other(stage: Stage) -> None:
    item = {"type": "terminal", "terminalId": "T"}
    stage.call("c1", title="start", status="in_progress", content=[item, item])
    output(stage, b"shared\n")
    terminal(stage, command="make")
    first = stage.view(Kind.TOOL_CALL, "c1")
    assert drawn(first)[1:] == ["   $ make", "   shared"]
    stage.call("c2", title="wait", status="in_progress", content=[item])
    second = stage.view(Kind.TOOL_CALL, "c2")
    assert drawn(first)[1:] == ["   $ make  shown below: wait"]
    assert drawn(second)[1:] == ["   $ make", "   shared"]
    output(stage, b"more\n")
    before = first.strips(60, FALLBACK)[1]
    assert drawn(second)[2:] == ["   shared", "   more"]
    assert first.strips(60, FALLBACK)[1] is before
    stage.call("c2", content=[])
    assert drawn(first)[1:] == ["   $ make", "   shared", "   more"]


def test_a_running_terminal_says_where_it_runs_if_the_title_does_not(stage: Stage) -> None:
    stage.call(title="Run tests", status="in_progress", content=[{"type": "terminal", "terminalId": "T"}])
    terminal(stage, command="pytest -x", cwd=f"{CWD}/sub")
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert drawn(view)[1:] == ["   $ pytest -x  in sub"]
    stage.call(title="pytest -x")
    assert drawn(view)[1:] == []
    stage.call(status="completed")
    view.toggle()
    stage.at += 2
    assert drawn(view)[1] == "   $ pytest -x  in sub · running · 2 s"
    ticked = view.ticking
    terminal(stage, exitStatus={"signal": "SIGTERM"})
    assert ticked > view.ticking
    assert "SIGTERM" in drawn(view)[0]


def test_a_subagent_stands_under_the_call_that_names_it(stage: Stage) -> None:
    stage.update("subagent_update", sessionId="kid", title="Look at it")
    own = stage.view(Kind.SUBAGENT, "kid")
    assert len(drawn(own)) == own.estimate(60) == 1
    stage.call(title="delegate", status="in_progress", content=[{"type": "session", "sessionId": "kid"}])
    assert drawn(own) == []
    assert own.estimate(60) == 0
    view = stage.view(Kind.TOOL_CALL, "c1")
    child = stage.store.sessions[own.entity.child]  # type: ignore[attr-defined]
    assert Key(child.ref, Kind.SESSION) in view.related()
    assert drawn(view)[1].split() == ["○", "↳", "Look", "at", "it", "not", "confirmed"]
    child.state, child.state_since = "running", stage.at
    stage.call(status="completed")
    stage.at += 5
    assert view.folded
    assert view.ticking
    assert drawn(view)[1].split()[-3:] == ["working", "5", "s"]
    assert view.estimate(60) == 2
    stage.call("c2", content=[{"type": "session", "sessionId": "kid"}])
    assert drawn(view)[1].split() == ["↳", "Look", "at", "it", "shown", "below:", "tool", "call"]
    stage.call("c2", content=[])
    stage.call(content=[])
    assert len(drawn(own)) == 1


def test_a_long_time_keeps_its_distance(stage: Stage) -> None:
    stage.update("subagent_update", sessionId="kid", title="Look at it", state={"state": "running"})
    view = stage.view(Kind.SUBAGENT, "kid")
    stage.at += 65
    assert drawn(view)[-1].rstrip().endswith("working 1 m 05 s")


def test_many_subagents_are_counted(stage: Stage) -> None:
    links = [{"type": "session", "sessionId": f"kid{n}"} for n in range(10)]
    stage.call(status="completed", content=links)
    view = stage.view(Kind.TOOL_CALL, "c1")
    lines = drawn(view)
    assert lines[1] == "   ↳ session kid0"
    assert lines[-1] == "   … 2 more subagents"
    assert len(lines) == view.estimate(60) == 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Found 1 match\nx", "1 match"),
        ("1,204 results in 3 files", "1,204 results"),
        ("No files found", "no files"),
        ("```\na.py:1: x\nb/c.py:20:y\n```", "2 matches"),
        ("a.py:1: x\nand more", ""),
        ("a.py\nb.py", ""),
        ("", ""),
    ],
)
def test_what_a_search_found_is_counted_where_its_text_tells(stage: Stage, text: str, said: str) -> None:
    content = [{"type": "content", "content": {"type": "text", "text": text}}]
    stage.call(title="find", kind="search", status="completed", content=content)
    assert drawn(stage.view(Kind.TOOL_CALL, "c1"))[0].removeprefix(" ✓ ⌕ find").strip() == said


def test_places_are_links_and_code_in_a_result_can_be_copied(stage: Stage) -> None:
    fence = [{"type": "content", "content": {"type": "text", "text": "```sh\nls\n```"}}]
    places = [{"path": f"{CWD}/a b.py", "line": 3}, {"path": "/x/../y"}]
    stage.call(title="read", status="completed", content=fence, locations=places)
    view = stage.view(Kind.TOOL_CALL, "c1")
    view.toggle()
    styles = {s.text.strip(): s.style for strip in view.strips(60, FALLBACK) for s in strip if s.style}
    assert styles["a b.py:3"].link == f"file://{CWD}/a%20b.py"
    assert styles["a b.py:3"].meta == {"act": ("open", f"{CWD}/a b.py", 3)}
    assert not styles["/x/../y"].link
    assert "act" not in styles["/x/../y"].meta
    assert styles["copy"].meta == {"act": ("copy", 0, 1)}
    assert view.excerpt(0, 1) == "ls"
    assert view.excerpt(7, 1) == ""


def test_lines_that_did_not_change_are_the_same_objects(stage: Stage) -> None:
    stage.call(
        title="edit",
        status="in_progress",
        content=[
            {"type": "diff", "changes": [{"operation": "modify", "path": f"{CWD}/a.py"}],
             "patch": {"format": "git_patch", "text": PATCH}},
            {"type": "terminal", "terminalId": "T"},
        ],
    )  # fmt: skip
    output(stage, b"one\n")
    view = stage.view(Kind.TOOL_CALL, "c1")
    before = list(view.strips(60, FALLBACK))
    output(stage, b"two\n")
    after = list(view.strips(60, FALLBACK))
    assert len(after) == len(before) + 1
    assert all(old is new for old, new in zip(before, after, strict=False))
    stage.at += 1
    assert view.strips(60, FALLBACK)[1:6] == before[1:6]


def test_base64_in_raw_values_is_measured_not_shown(stage: Stage) -> None:
    data = base64.b64encode(bytes(range(256)) * 40).decode()
    stage.call(title="shot", status="completed", rawOutput={"image": [data], "words": "a b " * 200})
    view = stage.view(Kind.TOOL_CALL, "c1")
    view.toggle()
    view.act(("part", -2))
    text = "".join(line.strip() for line in drawn(view, 100))
    assert f'"{data[:16]}… (10 kB of base64)"' in text
    assert "a b " * 20 in text


def test_the_text_of_a_file_that_was_read_is_code_by_the_name_of_the_file(stage: Stage) -> None:
    source = "def lex(text):\n    # a comment\n\treturn text\n"
    content = [{"type": "content", "content": {"type": "text", "text": source}}]
    places = [{"path": f"{CWD}/src/lex.py"}]
    stage.call(title="Read src/lex.py", kind="read", status="completed", content=content, locations=places)
    view = stage.view(Kind.TOOL_CALL, "c1")
    view.toggle()
    assert drawn(view)[1:4] == ["    def lex(text):", "        # a comment", "        return text"]
    styles = {s.text.strip(): s.style for strip in view.strips(60, FALLBACK) for s in strip}
    assert styles["def"] == FALLBACK.code_keyword and styles["# a comment"] == FALLBACK.code_comment


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "search"}, "one two"),
        ({"status": "failed"}, "one two"),
        ({"locations": [{"path": "/w/a.md"}]}, "one two"),
        ({"locations": [{"path": "/w/a.conf"}]}, "one"),
        ({"locations": [{"path": "/w/a.py"}, {"path": "/w/b.py"}]}, "one two"),
        ({"locations": []}, "one two"),
    ],
)
def test_other_texts_are_words_unless_lines_are_all_that_is_known(
    stage: Stage, fields: dict[str, Any], words: str
) -> None:
    facts = {"kind": "read", "status": "completed", "locations": [{"path": "/w/a.py"}], **fields}
    stage.call(
        title="x", content=[{"type": "content", "content": {"type": "text", "text": "one\ntwo"}}], **facts
    )
    view = stage.view(Kind.TOOL_CALL, "c1")
    view.folded = False
    assert words in [line.strip() for line in drawn(view)]


def test_what_a_call_holds_for_the_agent_alone_is_folded(stage: Stage) -> None:
    block = {"type": "text", "text": "rules", "annotations": {"audience": ["assistant"]}}
    stage.call(title="x", status="completed", content=[{"type": "content", "content": block}])
    view = stage.view(Kind.TOOL_CALL, "c1")
    view.folded = False
    assert drawn(view)[1] == "   ▸ ≡ text · 1 line · for the agent, not for you"
    view.act(("part", 0))
    assert drawn(view)[2].strip() == "rules"


def test_a_new_word_alone_is_a_change(stage: Stage) -> None:
    stage.call(title="echo", status="in_progress")
    view = stage.view(Kind.TOOL_CALL, "c1")
    assert drawn(view)[0].split() == ["◐", "·", "echo"]
    stage.call(_meta={"acp-tui/status": {"words": "streaming"}})
    assert drawn(view)[0].split() == ["◐", "·", "echo", "streaming"]
