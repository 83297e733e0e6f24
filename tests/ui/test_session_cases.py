"""What went wrong with sessions in other clients, each a test named after its symptom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.services.launching import Launch
from acp_tui.ui.screens.conversations import ConversationsScreen
from acp_tui.ui.screens.quit import QuitScreen
from tests.ui.acting import acting, call, chunk, heard, says, state, text
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio
RUNNING = state("running")
DONE = state("idle", "end_turn")
GONE = {"error": {"code": -32002, "message": "no such session", "data": {"sessionId": "s1"}}}
SERVER = {
    "type": "stdio",
    "name": "files",
    "command": "/bin/files",
    "env": [{"name": "K", "value": "secret"}],
}


@pytest.mark.parametrize("named", [True, False])
async def test_a_session_that_was_put_away_is_resumed_and_not_replaced(tmp_path: Path, named: bool) -> None:
    """PR-26: the prompt came back, and all that was offered was a session that remembered nothing."""
    refused = GONE if named else {"error": {"code": -32002, "message": "no such session"}}
    again = [says("the answer"), state("idle"), {"result": {}}]
    on = {"say one": [RUNNING, says("the answer"), DONE], "say two": [[refused], []], "session/resume": again}
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.say("one")
        await driven.until("the answer")
        await driven.say("two")
        await driven.until("the agent has put this session away")
        await driven.until("F5 resume it")
        assert driven.composer.text == "two" and "the answer" in driven.text()
        await driven.press("f5")
        await driven.ready()
        await driven.until("○ ready")
        [resumed] = heard(tmp_path, "session/resume")
        assert resumed["params"]["sessionId"] == "s1"
        assert len(heard(tmp_path, "session/new")) == 1
        assert driven.text().count("the answer") == 1
        await driven.press("enter")
        await driven.until(lambda: len(heard(tmp_path, "session/prompt")) == 3)


async def test_where_it_is_gone_for_good_a_new_one_is_offered(tmp_path: Path) -> None:
    """SS-17: and none is made without being asked for."""
    on = {"say two": [GONE], "session/resume": [GONE]}
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.say("two")
        await driven.until("F5 resume it")
        await driven.press("f5")
        await driven.until("the agent does not know this session any more")
        await driven.until("F5 new session")
        assert len(heard(tmp_path, "session/new")) == 1
        await driven.press("f5")
        await driven.ready()
        assert len(heard(tmp_path, "session/new")) == 2
        assert driven.composer.text == "two"


async def test_servers_that_are_refused_are_named_and_left_out_when_told(tmp_path: Path) -> None:
    """SS-08: "invalid params", and the same again with each try; however much is said, what helps is, too."""
    why = {"details": "files: no " + "very " * 40 + "strange servers"}
    refused = [{"error": {"code": -32602, "message": "unsupported server", "data": why}}]
    on = {"session/new": [[{"result": {"sessionId": "s1"}}], refused, [{"result": {"sessionId": "s2"}}]]}
    capabilities: dict[str, Any] = {"session": {"mcp": {"stdio": {}}}}
    async with driving(acting(tmp_path, on, capabilities=capabilities)) as driven:
        await driven.ready()
        driven.link.launch = Launch(mcp_servers=(SERVER,))
        conversation = driven.link.converse(str(tmp_path))
        conversation.open()
        driven.app.chats.open(conversation)
        await driven.until("no session: unsupported server: files")
        await driven.until("files (stdio)")
        await driven.until("F5 without MCP servers")
        await driven.until("very strange servers")  # whole, above
        assert "secret" not in driven.text()
        await driven.press("f5")
        await driven.until("○ ready")
        _, refusal, opened = heard(tmp_path, "session/new")
        assert refusal["params"]["mcpServers"] == [SERVER]
        assert "mcpServers" not in opened["params"]


async def test_closing_one_session_leaves_the_connection_to_the_others(tmp_path: Path) -> None:
    """S21, SS-26: closing one of two killed both."""
    async with driving(acting(tmp_path, {"say still": [says("still here")]})) as driven:
        await driven.ready()
        await second(driven, tmp_path)
        await driven.press("f6")
        await driven.until(lambda: isinstance(driven.app.screen, ConversationsScreen))
        await driven.press("end", "delete")
        await driven.until(lambda: heard(tmp_path, "session/close"))
        assert heard(tmp_path, "session/close")[0]["params"] == {"sessionId": "s2"}
        await driven.press("escape")
        await driven.until("○ ready")
        await driven.say("still")
        await driven.until("still here")


async def test_what_runs_beside_the_work_is_not_ended_without_a_question(tmp_path: Path) -> None:
    """CL-01, BG-07: the session was closed, and what it had left running with it."""
    on = {"say go": [state("idle", background=[{"type": "terminal", "terminalId": "t"}])]}
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await second(driven, tmp_path)
        driven.submit("go")
        await driven.until(lambda: driven.session.background)
        await driven.press("f6")
        await driven.until(lambda: isinstance(driven.app.screen, ConversationsScreen))
        await driven.press("home", "delete")
        await driven.until("End this conversation? This ends:")
        await driven.until("in background: terminal")
        assert isinstance(driven.app.screen, QuitScreen)
        driven.app.screen.ear.appeared(float("-inf"))
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, ConversationsScreen))
        assert not heard(tmp_path, "session/close")


async def second(driven: Driven, folder: Path) -> None:
    """Another conversation with the agent, before the user."""
    conversation = driven.link.converse(str(folder))
    conversation.open()
    await driven.until(lambda: conversation.session is not None and conversation.session.phase == "open")
    driven.app.chats.open(conversation)
    await driven.until("2/2")


async def test_what_comes_while_nothing_runs_is_not_dropped(tmp_path: Path) -> None:
    """S24, S27, TC-17: results of the background came after the turn, and were thrown away as stale."""
    late = [call(title="Watch it", status="completed"), says("it changed", "m2")]
    on = {"say go": [RUNNING, says("gone"), DONE, *late]}
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.until("Watch it")
        await driven.until("it changed")
        await driven.until("○ ready")


@pytest.mark.parametrize("echo", ["before", "after", "never", "chunks"])
async def test_no_message_of_mine_stands_there_twice_and_none_is_missing(tmp_path: Path, echo: str) -> None:
    """S25, PR-08 to PR-12: local echo and the agent's; and two that were the same were taken for one."""
    turns: list[list[dict[str, Any]]] = []
    for id in ("u1", "u2"):
        whole = {"sessionUpdate": "user_message", "messageId": id, "content": [text("same words")]}
        pieces = [chunk("same ", id, "user_message_chunk"), chunk("words", id, "user_message_chunk")]
        answer = {"result": {"messageId": id}}
        work = [RUNNING, says(f"answer to {id}", f"m{id}"), DONE]
        before = {"before": [whole], "chunks": pieces}.get(echo, [])
        turns.append([*before, answer, *([whole] if echo == "after" else []), *work])
    async with driving(acting(tmp_path, {"say same words": turns}), size=(80, 30)) as driven:
        await driven.ready()
        for count, id in enumerate(("u1", "u2"), 1):
            await driven.say("same words")
            await driven.until(f"answer to {id}")
            await driven.until("○ ready")
            assert driven.text().count("▌ same words") == count
            assert "same words" not in driven.text().replace("▌ same words", "")


async def test_updates_before_the_session_has_its_name_are_all_there_afterwards(tmp_path: Path) -> None:
    """S22, SS-04, SS-05: no commands, no usage, no options; agents changed their order to please clients."""
    option: dict[str, Any] = {
        "configId": "mode",
        "name": "Mode",
        "category": "mode",
        "type": "select",
        "currentValue": "ask",
    }
    option["options"] = [{"value": "ask", "name": "Ask first"}]
    command = {"type": "command", "name": "deploy", "description": "Ship it"}
    early: list[dict[str, Any]] = [
        {"sessionUpdate": "available_commands_update", "availableCommands": [command]},
        {"sessionUpdate": "config_option_update", "configOptions": [option]},
        {"sessionUpdate": "usage_update", "used": 38, "size": 100},
        {"sessionUpdate": "session_info_update", "title": "A name"},
        says("welcome"),
    ]
    answer = {"result": {"sessionId": "s1", "availableCommands": [], "configOptions": []}}
    on = {"session/new": [*(one | {"session": "s1"} for one in early), answer]}
    async with driving(acting(tmp_path, on), size=(100, 30)) as driven:
        await driven.ready()
        for words in ("welcome", "A name", "38%", "Ask first"):
            await driven.until(words)
        await driven.type("/dep")
        await driven.until("Ship it")


async def test_the_last_words_of_an_agent_that_is_left_are_kept(tmp_path: Path, own_folders: Path) -> None:
    """CL-02, CL-03: it hears no close, and says them when its stdin has ended; nobody answers it."""
    last = [{"stderr": "good bye"}, says("the last words"), {"ask": {}}]
    on = {"say go": [RUNNING], "session/close": [], "end": last}
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.until("◐ working")
        store = driven.store
        await driven.link.agent.stop()
        assert "good bye" in store.connection.stderr_tail
        assert any(b"the last words" in one for one in written(own_folders))
        assert heard(tmp_path)[-1]["method"] == "session/close"


def written(folder: Path) -> list[bytes]:
    """Every file of ours, as it is."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
