"""Scenes of work: tool calls, plans, terminals, diffs, permissions, background work and a subagent."""

from __future__ import annotations

import asyncio

from acp_tui.agent_side.turn import Turn, shown, text
from acp_tui.agent_side.wire import Json
from acp_tui.demo import story
from acp_tui.demo.scenes.scene import OPTIONS, Scene, allowed, fix, lex_py, plan, read, run

_BAR = 32
_TICKS = 20


async def tools(t: Turn, words: str) -> Json | None:
    """A call of each kind, and every status a call can have."""
    await t.say("Some tools, each with its own kind:\n")
    await read(t, lex_py(t), story.LEX, story.LOOP_LINE)
    for title, kind, result in (
        ("Search for TODO", "search", "src/parse.py:88: # TODO: positions\n"),
        ("Fetch https://docs.python.org/3/library/re.html", "fetch", "Regular expression operations, 41 kB"),
        ("Move src/tok.py to src/token.py", "move", "Moved, 2 imports changed"),
        ("Delete build/", "delete", "12 files deleted"),
        ("Compare two patterns", "think", "The second one cannot match nothing."),
    ):
        call = t.call(title, kind)
        await t.pause(0.4)
        t.patch_call(call, status="completed", content=[shown(result)])
    await _edit_with_two_files(t)
    await t.say("And some that do not end well, or not at once:\n")
    missing = t.call("Fetch https://example.org/grammar.txt", "fetch")
    await t.pause(0.6)
    t.patch_call(missing, status="failed", content=[shown("404 Not Found")], rawOutput={"status": 404})
    waits = t.call("Wait for the build lock", "other", name="lock", status="pending")
    await t.pause(0.6)
    t.patch_call(waits, status="in_progress")
    await t.pause(0.6)
    t.patch_call(waits, status="paused")
    await t.pause(0.6)
    t.patch_call(waits, status="cancelled", content=[shown("Somebody else holds it; not needed any more.")])
    return None


async def _edit_with_two_files(t: Turn) -> None:
    test = f"{t.session.cwd}/tests/test_lex.py"
    call = t.call("Edit 2 files", "edit", locations=[{"path": lex_py(t), "line": story.LOOP_LINE}])
    await t.pause(0.6)
    changes = [story.modified(lex_py(t)), story.modified(test)]
    patches = story.patch(lex_py(t), story.FIX), story.patch(test, story.TEST)
    t.patch_call(call, status="completed", content=[story.diff(changes, *patches)])


async def make_plan(t: Turn, words: str) -> Json | None:
    """A plan that is worked through, and changed on the way."""
    await t.say("Four steps. Watch the line above the composer.\n")
    for done in range(5):
        plan(t, done)
        await t.pause(0.9)
    await t.say("Done. A plan is replaced as a whole each time, so it can change while I work.\n")
    return None


async def terminal(t: Turn, words: str) -> Json | None:
    """A progress bar, colours, a cut character, a failure."""
    await t.say("A download with a progress bar, then tests in colour:\n")
    bars = [_bar(percent) for percent in range(0, 101, 4)]
    await run(t, "pip install hypothesis", ("Collecting hypothesis\r\n", *bars, _INSTALLED), 0)
    await run(t, "pytest tests/test_lex.py -x", story.FAILING, 1)
    call = t.call("printf '…'", "execute", name="bash")
    term = t.terminal("printf '…'")
    t.patch_call(call, content=[{"type": "terminal", "terminalId": term}])
    for piece in _cut("split in the middle: 漢字 👩‍💻\r\n".encode(), 3):
        t.output(term, piece)
        await t.pause(0.05)
    t.output(
        term,
        "\x1b[38;5;208m256 colours\x1b[0m \x1b[48;2;30;60;120mtrue colour\x1b[0m \x1b[1;4mbold\x1b[0m\r\n",
    )
    t.exited(term, 0)
    t.patch_call(call, status="completed")
    return None


_INSTALLED = "\r\n\x1b[32mSuccessfully installed hypothesis-6.170\x1b[0m\r\n"


def _bar(percent: int) -> str:
    full = _BAR * percent // 100
    return f"\r  \x1b[36m{'━' * full}\x1b[90m{'━' * (_BAR - full)}\x1b[0m {percent:3} %"


def _cut(data: bytes, size: int) -> list[bytes]:
    return [data[i : i + size] for i in range(0, len(data), size)]


async def diff(t: Turn, words: str) -> Json | None:
    """All kinds of changes: modify, add, move, delete, modes, links, binary, and a large file."""
    await t.say("First an edit of two files, then a new one, a larger change, and changes without text:\n")
    await _edit_with_two_files(t)
    notes = f"{t.session.cwd}/CHANGES.md"
    call = t.call("Write CHANGES.md", "edit", locations=[{"path": notes}])
    await t.pause(0.5)
    added = {"operation": "add", "path": notes, "fileType": "text", "mimeType": "text/markdown"}
    new = story.diff([added], story.patch(notes, story.NOTES, new=True))
    t.patch_call(call, status="completed", content=[new])
    call = t.call("Rework the tokens", "edit")
    await t.pause(0.5)
    t.patch_call(call, status="completed", content=[story.reworked(t.session.cwd)])
    call = t.call("Tidy up", "move")
    await t.pause(0.5)
    t.patch_call(call, status="completed", content=[story.diff(_tidied(t.session.cwd))])
    return None


def _tidied(cwd: str) -> list[Json]:
    """Changes that no patch can show."""
    logo = {"path": f"{cwd}/docs/logo.png", "fileType": "binary", "mimeType": "image/png"}
    return [
        {"operation": "add", "path": f"{cwd}/docs/img", "fileType": "directory"},
        {"operation": "move", "oldPath": f"{cwd}/logo.svg", "path": f"{cwd}/docs/img/logo.svg"},
        {"operation": "copy", "oldPath": f"{cwd}/LICENSE", "path": f"{cwd}/docs/LICENSE"},
        {"operation": "delete", "path": f"{cwd}/src/old_lex.py", "fileType": "text"},
        {"operation": "modify", **logo},
    ]


async def permission(t: Turn, words: str) -> Json | None:
    """Two questions at once: a command with risks and many options, and an edit with its diff."""
    await t.say("I need two things from you. Answer them in any order, or press **Esc** to stop me.\n")
    async with asyncio.TaskGroup() as both:
        command = both.create_task(_ask_command(t))
        edit = both.create_task(_ask_edit(t))
    ran, changed = command.result(), edit.result()
    await t.say(
        f"You {'let me run' if ran else 'did not let me run'} the command and "
        f"{'let me change' if changed else 'did not let me change'} the file.\n"
    )
    return None


async def _ask_command(t: Turn) -> bool:
    command = "rm -rf build ../wheels && sudo pip install -q . && pytest -q"
    call = t.call(command, "execute", name="bash", status="pending", rawInput={"command": command})
    subject = {"type": "command", "command": command, "cwd": t.session.cwd, "toolCallId": call}
    options: list[Json] = [
        OPTIONS[0],
        {"optionId": "always", "name": "Allow pytest … for this session", "kind": "allow_always"},
        {"optionId": "folder", "name": "Allow everything below this folder", "kind": "allow_always"},
        {"optionId": "dry", "name": "Only show what would be deleted", "kind": "_demo_dry_run"},
        OPTIONS[2],
        {"optionId": "never", "name": "Reject, and never ask for sudo again", "kind": "reject_always"},
    ]
    description = "A clean build first, so that no old wheel hides the mistake."
    choice = await t.ask("Run the test suite?", options, description=description, subject=subject)
    if choice in ("once", "always", "folder"):
        await run(t, command, story.PASSING, 0, call=call)
        return True
    t.patch_call(call, status="failed", content=[shown("Rejected by the user")])
    return False


async def _ask_edit(t: Turn) -> bool:
    call = t.call("Edit src/lex.py", "edit", status="pending", content=[fix(t)])
    subject = {"type": "tool_call", "toolCall": {"toolCallId": call}}
    description = "Raises LexError where nothing matches, instead of looping for ever."
    choice = await t.ask("Change src/lex.py?", OPTIONS, description=description, subject=subject)
    if allowed(t, choice):
        t.patch_call(call, status="completed")
        return True
    t.patch_call(call, status="failed", content=[fix(t), shown("Rejected by the user")])
    return False


async def background(t: Turn, words: str) -> Json | None:
    """A server that goes on after the turn, and can be stopped by itself."""
    command = "python -m http.server 8000"
    call = t.call(command, "execute", name="bash", capabilities={"cancel": {}})
    term = t.terminal(command, capabilities={"cancel": {}})
    t.patch_call(call, content=[{"type": "terminal", "terminalId": term}])

    def ended(cancelled: bool) -> None:
        status = {"signal": "SIGTERM"} if cancelled else {"exitCode": 0}
        t.session.update("terminal_update", terminalId=term, exitStatus=status, capabilities=None)
        final = "cancelled" if cancelled else "completed"
        t.session.update("tool_call_update", toolCallId=call, status=final, capabilities=None)

    t.in_background(_serve(t, term), ended, call_id=call, terminal_id=term)
    await t.say(
        "The server runs **beside** us now: I am idle, it is not. Stop it by itself, or just type on.\n"
    )
    return None


async def _serve(t: Turn, term: str) -> None:
    """Log some requests; without pauses there is nothing to wait for, so it stays until it is stopped."""
    t.output(term, "Serving HTTP on 127.0.0.1 port 8000 …\r\n")
    for number in range(1, _TICKS + 1 if t.pace.speed > 0 else 4):
        await t.pause(1.5)
        t.output(term, f"127.0.0.1 - \x1b[32mGET\x1b[0m /docs/{number}.html \x1b[36m200\x1b[0m\r\n")
    if t.pace.speed == 0:
        await t.until_cancelled()


async def subagent(t: Turn, words: str) -> Json | None:
    """A child session that writes a test and reports back."""
    session, child = t.session, f"{t.session.id}/{t.session.new_id('helper')}"
    await t.say("I give a part of the work to a helper with a session of its own.\n")
    named = {"title": "Test writer", "description": "Writes a regression test for the lexer"}
    session.update("subagent_update", sessionId=child, **named)
    task = [text('Write a test that fails while lex("a..b") hangs.')]
    session.update(
        "session_message", messageId=session.new_id("note"), recipientSessionId=child, content=task
    )
    session.update_child(child, "session_message", messageId="task", senderSessionId=session.id, content=task)
    _child_state(t, child, {"state": "running"})
    try:
        await _write_test(t, child)
    except asyncio.CancelledError:
        _child_state(t, child, {"state": "idle", "stopReason": "cancelled"})
        raise
    _child_state(t, child, {"state": "idle", "stopReason": "end_turn"})
    report = [text("Done: `test_an_empty_match_is_an_error`.")]
    session.update("session_message", messageId=session.new_id("note"), senderSessionId=child, content=report)
    await t.say("The helper is through, and its test is good.\n")
    return None


def _child_state(t: Turn, child: str, state: Json) -> None:
    """A child's state, on its own session and mirrored on ours (SA-04)."""
    t.session.update_child(child, "state_update", **state)
    t.session.update("subagent_update", sessionId=child, state=state)


async def _write_test(t: Turn, child: str) -> None:
    test = f"{t.session.cwd}/tests/test_lex.py"
    for piece in ("A test that must not ", "hang itself: I expect ", "the error."):
        await t.pause(0.4)
        t.session.update_child(child, "agent_thought_chunk", messageId="why", content=text(piece))
    edit = {"toolCallId": "write", "title": "Edit tests/test_lex.py", "kind": "edit"}
    t.session.update_child(child, "tool_call_update", **edit, status="in_progress")
    await t.pause(0.8)
    content = [story.diff([story.modified(test)], story.patch(test, story.TEST))]
    t.session.update_child(child, "tool_call_update", toolCallId="write", status="completed", content=content)
    await t.pause(0.4)
    done = [text("I added `test_an_empty_match_is_an_error`.")]
    t.session.update_child(child, "agent_message", messageId="done", content=done)


WORK = (
    Scene("tools", "Tool calls of every kind and status", tools),
    Scene("plan", "A plan that is worked through", make_plan),
    Scene("terminal", "Colours, a progress bar, exit codes", terminal),
    Scene("diff", "Changed, new, moved, deleted and binary files", diff),
    Scene("permission", "Two questions at once", permission),
    Scene("background", "A server that runs on while I am idle", background),
    Scene("subagent", "A helper with a session of its own", subagent),
)
