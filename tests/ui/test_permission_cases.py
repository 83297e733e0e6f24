"""What went wrong with permissions in other clients, each a test named after its symptom."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_tui.client.intents import AnswerPermission, CloseSession, Submit
from acp_tui.protocol.content import TextContent
from acp_tui.store.keys import Key
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.inbox import InboxScreen
from acp_tui.ui.widgets.forms import Forms
from acp_tui.ui.widgets.options import Option, Options
from tests.clock import Clock
from tests.ui.acting import acting, heard, says, state
from tests.ui.driving import Driven, asked, asked_text, driving, words

pytestmark = pytest.mark.anyio
AGENT = (sys.executable, str(Path(__file__).parent / "agents" / "permissions.py"))
NAMES = [f"option {n} " + "with a very long name " * 6 + f"end {n}" for n in range(1, 12)]


def tell(conversation: Conversation, *asks: dict[str, Any], **more: Any) -> None:
    """Let the agent ask for this."""
    text = json.dumps({"asks": asks, **more})
    conversation.do(Submit(conversation.ref, (TextContent(type="text", text=text),), now=True))


async def shown(driven: Driven, clock: Clock) -> None:
    """The panel is there, has the focus, and listens."""
    await driven.until(" asks ")
    driven.panel.focus()
    await driven.until(lambda: driven.panel.has_focus)
    await driven.pilot.pause()
    clock.at += 5


async def test_a_request_of_unexpected_shape_is_shown_and_can_be_answered() -> None:
    """S15, PM-06, PM-07: it was never rendered, and the agent waited for ever."""
    clock = Clock()
    odd = [{"optionId": "x1", "name": "Odd one", "kind": "_odd"}]
    async with driving(AGENT, clock=clock) as driven:
        await driven.ready()
        tell(driven.conversation, {"subject": {"type": "_wish", "depth": {"a": 1}}, "options": odd})
        await shown(driven, clock)
        text = asked_text(driven)
        assert '"type": "_wish"' in text and '"a": 1' in text and "1 Odd one" in text
        await driven.press("a", "r")
        clock.at += 5
        assert driven.panel.request is not None
        await driven.pilot.pause(0.3)
        driven.panel.focus()
        clock.at += 5
        await driven.press("1")
        await driven.until("answers: x1")


async def test_many_that_wait_are_gone_through_once_for_each_that_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SF-06, S13: each was looked for among all the others, so that a thousand held up everything else."""
    compared = 0

    def compare(one: Key, other: object) -> bool:
        nonlocal compared
        compared += 1
        return tuple.__eq__(one, other)

    async with driving(words(), clock=Clock()) as driven:
        await driven.ready()
        driven.submit("perm=100")
        await driven.until(lambda: len(driven.panel.waiting) == 100)
        monkeypatch.setattr(Key, "__eq__", compare)
        driven.panel.changed(frozenset())
        driven.app.screen.query_one(Forms).changed(frozenset())
        monkeypatch.undo()
    assert compared < 500


async def test_a_request_without_options_is_refused_and_never_silent() -> None:
    """S15, PM-17."""
    async with driving(AGENT) as driven:
        await driven.ready()
        tell(driven.conversation, {"options": []})
        await driven.until("answers: -32602")
        assert driven.panel.request is None


async def test_requests_of_idle_and_of_working_sessions_do_not_get_out_of_step() -> None:
    """S16, PM-24: a background task and the turn shared one channel of permissions."""
    clock = Clock()
    async with driving(AGENT, clock=clock) as driven:
        await driven.ready()
        second = driven.link.converse(str(Path.cwd()))
        second.open()
        await driven.until(lambda: second.session is not None and second.session.phase == "open")
        tell(driven.conversation, {"title": "while idle"}, idle=True)
        await driven.until(lambda: len(driven.store.requests) == 1)
        tell(second, {"title": "of another"})
        await driven.until(lambda: len(driven.store.requests) == 2)
        await shown(driven, clock)
        assert "while idle" in asked_text(driven)
        assert "─ Asking asks" in driven.text()
        await driven.press("tab")
        await driven.until(lambda: "of another" in asked_text(driven))
        assert "─ Asking · " in driven.text()  # which session asks, where it is not the one in sight
        clock.at += 5
        await driven.press("1")
        await driven.until(lambda: "while idle" in asked_text(driven))
        clock.at += 5
        await driven.press("2")
        await driven.until("answers: no")
        results = [request.outcome["outcome"]["optionId"] for request in driven.link.agent.client.requests]
        assert results == ["no", "yes"]


async def test_control_characters_do_not_rewrite_what_is_approved() -> None:
    """S18: also on the surface that others forgot, the list."""
    clock = Clock()
    title = "rm -rf ~\r\x1b[2Kls \u202edaer"
    async with driving(AGENT, clock=clock) as driven:
        await driven.ready()
        tell(driven.conversation, {"title": title})
        await driven.until(" asks ")
        text = driven.text()
        assert "rm -rf ~␍␛[2Kls <U+202E>daer" in text
        await driven.press("f9")
        await driven.until(lambda: isinstance(driven.app.screen, InboxScreen))
        await driven.until("rm -rf ~")
        assert not {"\x1b", "\r", "\u202e"} & {*driven.text(), *text}


async def test_always_of_the_last_start_is_not_in_force_here() -> None:
    """S19, PM-16: what "always" means is the agent's to remember; the first request of a start is shown."""
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls")
        driven.conversation.do(AnswerPermission(driven.store.requests[0], "always"))
        await driven.until("answer: always")
        await driven.say("command=ls")
        await driven.until(lambda: driven.store.requests)
        driven.conversation.do(AnswerPermission(driven.store.requests[0], "always"))
        await driven.until(lambda: not driven.store.requests)
        await driven.link.agent.restart()
        await driven.until(
            lambda: driven.session.phase == "open" and driven.store.connection.phase == "ready"
        )
        driven.submit("command=ls")
        await driven.until(lambda: driven.panel.request is not None)


async def test_a_dead_agent_leaves_no_request_behind() -> None:
    """S20: answering it did nothing, or hit a new process."""
    clock = Clock()
    async with driving(AGENT, clock=clock) as driven:
        await driven.ready()
        tell(driven.conversation, {"title": "of the dead"})
        await driven.until(" asks ")
        await driven.press("f9")
        await driven.until("Waiting 1")
        driven.link.agent.kill()
        await driven.until("Nothing waits for you.")
        await driven.press("tab")
        await driven.until("no answer: of the dead")
        assert "the agent was gone" in driven.text()


async def test_the_end_of_a_long_command_is_seen_before_it_is_approved() -> None:
    """PM-21."""
    clock = Clock()
    command = "echo " + "x" * 390 + "; rm -rf ~"
    async with driving(AGENT, clock=clock) as driven:
        await driven.ready()
        tell(driven.conversation, {"subject": {"type": "command", "command": command, "cwd": "/tmp"}})
        await driven.until(" asks ")
        await driven.until("; rm -rf ~")
        await driven.until("! 3 risks")
        assert "! in /tmp, outside the session's folders" in asked_text(driven)


async def test_many_options_with_long_names_are_all_readable_at_80x24() -> None:
    """PM-07: names in full."""
    clock = Clock()
    options = [{"optionId": f"o{n}", "name": name, "kind": "x"} for n, name in enumerate(NAMES, 1)]
    async with driving(AGENT, clock=clock) as driven:
        await driven.ready()
        tell(driven.conversation, {"options": options})
        await shown(driven, clock)
        seen = ""
        for _ in NAMES:
            seen += " ".join(asked_text(driven).split())
            await driven.press("m")
            await driven.pilot.pause()
        for name in NAMES:
            assert name in seen
        while "option 11 " not in asked_text(driven):
            await driven.press("m")
            await driven.pilot.pause()
        clock.at += 5
        number = [option.id for option in driven.panel.query_one(Options).shown].index("o11") + 1
        await driven.press(str(number))
        await driven.until("answers: o11")


async def test_a_diff_is_shown_side_by_side_on_a_key() -> None:
    clock = Clock()
    cwd = str(Path.cwd())
    patch = f"diff --git {cwd}/a {cwd}/a\n--- {cwd}/a\n+++ {cwd}/a\n@@ -1 +1 @@\n-old line\n+new line\n"
    diff = {"type": "diff", "changes": [{"operation": "modify", "path": f"{cwd}/a"}],
            "patch": {"format": "git_patch", "text": patch}}  # fmt: skip
    call = {"toolCallId": "c", "title": "Edit", "kind": "edit", "status": "pending", "content": [diff]}
    async with driving(AGENT, clock=clock) as driven:
        await driven.ready()
        tell(driven.conversation, {"subject": {"type": "tool_call", "toolCall": call}})
        await shown(driven, clock)

        def beside() -> bool:
            return any("old line" in row and "new line" in row for row in asked_text(driven).splitlines())

        assert not beside()
        await driven.press("d")
        await driven.until(beside)
        await driven.press("d")
        await driven.until(lambda: not beside())
        assert driven.panel.request is not None


async def test_a_change_outside_the_folders_is_told_also_through_a_link(tmp_path: Path) -> None:
    inside, outside = tmp_path / "work", tmp_path / "else"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    call = {"toolCallId": "c", "title": "Edit", "kind": "edit", "status": "pending",
            "locations": [{"path": f"{inside}/link/x"}, {"path": f"{inside}/fine"}]}  # fmt: skip
    async with driving(AGENT, cwd=str(inside), size=(200, 40)) as driven:
        await driven.ready()
        tell(driven.conversation, {"subject": {"type": "tool_call", "toolCall": call}})
        await driven.until("! 1 risk")
        await driven.until(lambda: f"folders: {inside}/link/x" in " ".join(asked_text(driven).split()))


async def test_rejecting_a_tool_does_not_stop_the_work(tmp_path: Path) -> None:
    """S17, PM-03, PM-04, PM-13: to reject one thing one had to stop everything."""
    clock = Clock()
    subject = {
        "type": "tool_call",
        "toolCall": {"toolCallId": "c9", "title": "Edit the file", "kind": "edit"},
    }
    on = {
        "say go": [state("running"), {"ask": {"title": "A question", "subject": subject}}],
        "say more": [says("another way"), state("idle", "end_turn")],
    }
    async with driving(acting(tmp_path, on), clock=clock, size=(80, 30)) as driven:
        await driven.ready()
        driven.submit("go")
        await shown(driven, clock)
        assert "Edit the file" in driven.text().partition(" asks ")[0], (
            "the call is there, under its own title"
        )
        await driven.press("r")
        await driven.until(lambda: answered(tmp_path))
        assert answered(tmp_path) == [{"outcome": {"outcome": "selected", "optionId": "no"}}]
        await driven.until(lambda: "A question" not in driven.text())
        await driven.until("◐ working")
        assert not heard(tmp_path, "session/cancel")
        driven.submit("more")
        await driven.until("another way")


@pytest.mark.parametrize("how", ["leave", "close"])
async def test_whoever_leaves_answers_what_is_open(tmp_path: Path, how: str) -> None:
    """PM-19, CL-01, CL-02: the agent waited for ever for an answer nobody could give any more."""
    on = {"say go": [state("running"), {"ask": {}}, {"ask": {"title": "And this?"}}]}
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        driven.submit("go")
        await driven.until("1 of 2")
        if how == "leave":
            await driven.link.agent.stop()
        else:
            driven.conversation.do(CloseSession(driven.conversation.ref))
        await driven.until(lambda: heard(tmp_path, "session/close"))
        cancelled = {"outcome": {"outcome": "cancelled"}}
        assert [one.get("result") for one in heard(tmp_path)][-3:] == [cancelled, cancelled, None]


def answered(folder: Path) -> list[Any]:
    """What the agent was answered."""
    return [one["result"] for one in heard(folder) if "result" in one]


@pytest.mark.parametrize("key", ["enter", "space", "y", "escape"])
async def test_no_key_that_means_something_else_approves(tmp_path: Path, key: str) -> None:
    """PM-20, CX-03: nothing is chosen beforehand."""
    clock = Clock()
    on = {"say go": [state("running"), {"ask": {}}], "session/cancel": [state("idle", "cancelled")]}
    async with driving(acting(tmp_path, on), clock=clock) as driven:
        await driven.ready()
        driven.submit("go")
        await shown(driven, clock)
        await driven.press(key)
        await driven.pilot.pause(0.2)
        assert answered(tmp_path) in ([], [{"outcome": {"outcome": "cancelled"}}])
        assert bool(driven.store.requests) is (key != "escape")


def test_an_option_that_wraps_has_its_rows_for_itself() -> None:
    options = Options()
    names = ("Allow once", "Allow every command that begins like this one", "Reject", "Reject all")
    options.show(tuple(Option(name, name, "other") for name in names))
    rows = [row.plain.strip() for row in options.rows(40)]
    assert rows == [
        "1 Allow once",
        "2 Allow every command that begins like",
        "this one",
        "3 Reject   4 Reject all",
    ]
