"""What went wrong with writing in other clients, each a test named after its symptom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual import events

from tests.ui.acting import acting, heard, says, state
from tests.ui.driving import driving

pytestmark = pytest.mark.anyio
RUNNING = state("running")
PASTES = {
    "a newline at its end": "make test\n",
    "the newline of another system": "make test\r\n",
    "nothing but newlines": "\n\n",
    "many lines": "\n".join(f"line {n}" for n in range(200)) + "\n",
}


@pytest.mark.parametrize("paste", PASTES.values(), ids=PASTES.keys())
async def test_a_paste_that_ends_in_a_newline_is_not_sent(tmp_path: Path, paste: str) -> None:
    async with driving(acting(tmp_path, {})) as driven:
        await driven.ready()
        driven.composer.post_message(events.Paste(paste))
        await driven.until(lambda: driven.composer.text)
        await driven.pilot.pause()
        assert not heard(tmp_path, "session/prompt") and driven.session.tail == []


async def test_enter_pressed_twice_sends_once(tmp_path: Path) -> None:
    async with driving(acting(tmp_path, {})) as driven:
        await driven.ready()
        driven.composer.focus()
        await driven.type("hello")
        await driven.press("enter", "enter", "enter")
        await driven.until(lambda: heard(tmp_path, "session/prompt"))
        await driven.until(lambda: not driven.session.tail)
        assert len(heard(tmp_path, "session/prompt")) == 1
        assert len(heard(tmp_path, "session/new")) == 1


async def test_typing_and_sending_during_a_slow_start_makes_one_session(tmp_path: Path) -> None:
    """S50, PR-01: two sessions for one chat, and later prompts in the wrong one."""
    async with driving(acting(tmp_path, {"session/new": []})) as driven:
        await driven.until(lambda: len(heard(tmp_path, "session/new")) == 1)
        await driven.say("first")
        await driven.say("second")
        await driven.pilot.pause()
        assert [one["method"] for one in heard(tmp_path)] == ["initialize", "session/new"]
        assert driven.composer.text == ""
        assert "first" in driven.text() and "second" in driven.text()


@pytest.mark.parametrize("how", ["refuses", "takes both", "never answers"])
async def test_a_prompt_that_is_sent_while_it_works_is_neither_lost_nor_lied_about(
    tmp_path: Path, how: str
) -> None:
    """S07: one agent refuses it, another folds it in, a third never says a word about it."""
    acts = {
        "refuses": [{"error": {"code": -32600, "message": "a prompt is already active"}}],
        "takes both": [says("both, then", "m2")],
        "never answers": [{"silence": True}],
    }
    script = {"say go": [RUNNING], "say steer": acts[how]}
    async with driving(acting(tmp_path, script)) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.until("◐ working")
        driven.composer.put("half a thought")
        driven.submit("steer")
        if how == "refuses":
            await driven.until("a prompt is already active")
            await driven.until(lambda: driven.composer.text == "steer\nhalf a thought")
        elif how == "takes both":
            await driven.until("both, then")
            await driven.until(lambda: not driven.session.tail)
        else:
            await driven.until("sent, not accepted yet · take it back")
        assert "half a thought" in driven.composer.text
        assert "◐ working" in driven.text()


async def test_a_panel_that_comes_and_goes_leaves_the_draft_as_it_was(tmp_path: Path) -> None:
    """The words were gone with the dialog, and a letter of them had answered it."""
    on = {"say go": [RUNNING, {"ask": {}}], "session/cancel": [state("idle", "cancelled")]}
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.type("yes, ar")
        await driven.until(" asks ")
        await driven.type("e you 1 a r")
        assert driven.store.requests
        await driven.press("escape")
        await driven.until(lambda: driven.panel.request is None)
        await driven.until("cancelled by you")
        assert driven.composer.text == "yes, are you 1 a r"
        assert [one["result"] for one in heard(tmp_path) if "result" in one] == [
            {"outcome": {"outcome": "cancelled"}}
        ]


async def test_a_command_of_the_agent_reaches_it_as_it_was_written(tmp_path: Path) -> None:
    """CM-02, CM-07, CM-09: and what the agent has no more is text again."""
    command: dict[str, Any] = {"type": "command", "name": "web", "description": "Search the web"}
    command["input"] = {"type": "text", "hint": "query"}
    none = {"sessionUpdate": "available_commands_update", "availableCommands": []}
    on = {
        "session/new": [{"result": {"sessionId": "s1", "availableCommands": [command]}}],
        "say gone": [none],
    }
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.type("/we")
        await driven.until("Search the web")
        await driven.press("tab")
        await driven.type("acp spec")
        await driven.press("enter")
        await driven.until(lambda: heard(tmp_path, "session/prompt"))
        await driven.say("gone")
        await driven.until(lambda: not driven.session.commands)
        driven.composer.focus()
        await driven.type("/we")
        await driven.pilot.pause()
        assert "Search the web" not in driven.text()
        await driven.press("escape", "enter")
        await driven.until(lambda: len(heard(tmp_path, "session/prompt")) == 3)
        sent = [one["params"]["prompt"][0]["text"] for one in heard(tmp_path, "session/prompt")]
        assert sent == ["/web acp spec", "gone", "/we"]
