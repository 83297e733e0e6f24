"""Going on with a saved session: its agent is started below what is kept here; what is in the way is said."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from acp_tui.base import paths
from acp_tui.base.config import AgentSettings, Config, Settings
from acp_tui.client.queue import tail
from acp_tui.journal.library import Library
from acp_tui.journal.saved import joined
from acp_tui.journal.scanning import scan
from acp_tui.protocol.content import ContentBlock, TextContent
from acp_tui.services.returning import Way
from acp_tui.ui.arriving import arrive, reader
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.resume import ResumeScreen
from acp_tui.ui.screens.saved import SavedScreen
from tests.ui.acting import AGENT, acting, chunk, heard, says, state, text
from tests.ui.driving import Driven, driving
from tests.ui.test_library import opened
from tests.ui.test_saved import another, only

pytestmark = pytest.mark.anyio
DONE = [state("running"), says("the answer"), state("idle", "end_turn")]
SAID = {"sessionUpdate": "user_message", "messageId": "u0", "content": [text("one")]}
GONE = {"error": {"code": -32002, "message": "no such session", "data": {"sessionId": "s1"}}}


def again(folder: Path, *acts: dict[str, Any], **agreed: Any) -> None:
    """What the agent does from now on when it is asked to go on with the session."""
    acting(folder, {"session/resume": list(acts)} if acts else {}, **agreed)


def text_of(blocks: tuple[ContentBlock, ...]) -> str:
    """What was written."""
    return "".join(block.text for block in blocks if isinstance(block, TextContent))


async def spoken(folder: Path, draft: str = "") -> str:
    """A conversation that is over: its id."""
    accepted = [SAID, {"result": {"messageId": "u0"}}]
    async with driving(acting(folder, {"say one": [*accepted, *DONE]}), cwd=str(folder)) as driven:
        await driven.ready()
        await driven.say("one")
        await driven.until("the answer")
        await driven.until(lambda: driven.session.completions)
        if draft:
            driven.composer.put(draft)
            await driven.until(lambda: driven.conversation.draft == draft)
        driven.app.keep_drafts()
        (folder / "script.heard").write_text("")
    return only()


async def read_again(folder: Path, id: str) -> str:
    """What a saved session shows."""
    async with driving(cwd=str(folder)) as driven:
        driven.app.returning.read(id)
        await driven.until("r resume")
        await driven.until(lambda: driven.app.screen.query("Transcript"))
        await driven.until("▌ one")
        return driven.text()


async def back(driven: Driven, id: str) -> None:
    """Read it, then go on with it."""
    driven.app.returning.read(id)
    await driven.until("r resume")
    await driven.until(lambda: driven.app.screen.query("Transcript"))
    await driven.press("r")


async def test_the_agent_goes_on_below_what_is_kept(tmp_path: Path) -> None:
    id = await spoken(tmp_path, draft="half a thought")
    again(tmp_path, SAID, chunk("the answer"), state("idle"), {"result": {}})
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        assert "the answer" in driven.text(), "before the agent has said anything"
        await driven.until("○ ready")
        assert driven.text().count("the answer") == 1
        assert driven.composer.text == "half a thought"
        [asked] = heard(tmp_path, "session/resume")
        assert asked["params"] == {"sessionId": "s1", "cwd": str(tmp_path), "replayFrom": {"type": "start"}}
        assert heard(tmp_path, "session/new") == heard(tmp_path, "session/prompt") == []
        driven.composer.put("")
        await driven.say("two")
        await driven.until(lambda: heard(tmp_path, "session/prompt"))
        await driven.until(lambda: [key.id for key in driven.session.timeline if key.id.startswith("u")][1:])
    [entry] = Library().entries()
    assert (entry.id, len(entry.journals), entry.messages) == (id, 2, 3)
    last = entry.journals[-1]
    [alone] = joined([(last, scan(last))])
    assert (alone.id, alone.branch) == (id, ""), "by that journal alone"


async def test_the_users_name_for_it_stands_above_it_too(tmp_path: Path) -> None:
    id = await spoken(tmp_path)
    library = Library()
    library.marks.rename(id, "Mine", 5.0)
    theirs = {"sessionUpdate": "session_info_update", "title": "Theirs"}
    again(tmp_path, SAID, chunk("the answer"), theirs, state("idle"), {"result": {}})
    async with driving(cwd=str(tmp_path), size=(100, 24)) as driven:
        await back(driven, id)
        await driven.until("○ ready")
        await driven.until(lambda: driven.session.info.title == "Theirs")
        await driven.until(lambda: "Mine" in driven.rows()[0])
        screen = await opened(driven, everywhere=False)
        await driven.press("n")
        screen.query_one("#library-name", Input).value = ""
        await driven.press("enter")
        await driven.until(lambda: not library.entry(id).named)
        await driven.press("escape")
        await driven.until(lambda: "Theirs" in driven.rows()[0])


async def test_an_agent_that_remembers_less_is_not_believed(tmp_path: Path) -> None:
    """S46: the history was replaced by what the agent still knew: nothing."""
    id = await spoken(tmp_path)
    again(tmp_path, state("idle"), {"result": {}})
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until("The agent remembers 0 of 2 messages")
        await driven.until("○ ready")
        assert "the answer" in driven.text()


async def test_a_session_that_is_gone_leaves_what_was_said_and_a_new_one_below(tmp_path: Path) -> None:
    id = await spoken(tmp_path)
    again(tmp_path, GONE)
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until("F5 new session")
        assert "the answer" in driven.text() and heard(tmp_path, "session/new") == []
        await driven.press("f5")
        await driven.until("○ ready")
        assert "the answer" in driven.text()
        await driven.say("two")
        await driven.until(lambda: heard(tmp_path, "session/prompt"))
        await driven.until(lambda: driven.session.timeline)
        held = set(driven.host.claims.ids(driven.conversation).values())
    old, new = sorted(Library().entries(), key=lambda entry: entry.created)
    assert held == {old.id, new.id}, (
        "what is held is what the library lists, though the agent used its id again"
    )
    assert old.id == id and (old.messages, new.messages) == (2, 1)
    assert "two" not in (await read_again(tmp_path, old.id))
    linked = await read_again(tmp_path, new.id)
    assert "the answer" in linked and "two" in linked


async def test_an_agent_that_tells_no_history_goes_on_without_when_told(tmp_path: Path) -> None:
    """SS-17: and not by itself."""
    id = await spoken(tmp_path)
    refused = [{"error": {"code": -32602, "message": "no replay here"}}]
    acting(tmp_path, {"session/resume": [refused, [state("idle"), {"result": {}}]]})
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until("F5 without its history")
        assert len(heard(tmp_path, "session/resume")) == 1
        await driven.press("f5")
        await driven.until("○ ready")
        assert "replayFrom" not in heard(tmp_path, "session/resume")[1]["params"]
        assert "the answer" in driven.text()


async def test_an_agent_that_wants_a_login_first_is_asked_again_after_it(tmp_path: Path) -> None:
    """AU-08."""
    id = await spoken(tmp_path)
    refused = [{"error": {"code": -32000, "message": "log in first"}}]
    acts = {"session/resume": [refused, [state("idle"), {"result": {}}]]}
    acting(tmp_path, acts, authMethods=[{"type": "agent", "methodId": "in", "name": "Log in"}])
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until("Log in")
        await driven.press("enter")
        await driven.until(lambda: len(heard(tmp_path, "session/resume")) == 2)
        await driven.until("○ ready")
        assert "the answer" in driven.text()


async def test_an_agent_without_sessions_says_so(tmp_path: Path) -> None:
    id = await spoken(tmp_path)
    again(tmp_path, capabilities={})
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until("The agent offers no sessions")
        assert "the answer" in driven.text() and heard(tmp_path, "session/resume") == []


async def test_a_session_that_is_open_here_is_shown_and_not_attached_twice(tmp_path: Path) -> None:
    """S41."""
    id = await spoken(tmp_path)
    again(tmp_path)
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until("○ ready")
        chat = driven.app.screen
        driven.app.returning.resume(id)
        driven.app.returning.read(id)
        await driven.pilot.pause()
        assert driven.app.screen is chat
        assert len(driven.host.links) == len(heard(tmp_path, "session/resume")) == 1


async def test_two_wishes_at_once_start_one_agent(tmp_path: Path) -> None:
    id = await spoken(tmp_path)
    again(tmp_path)
    async with driving(cwd=str(tmp_path)) as driven:
        driven.app.returning.read(id)
        await driven.until("r resume")
        await driven.until(lambda: driven.app.screen.query("Transcript"))
        screen = driven.app.screen
        assert isinstance(screen, SavedScreen)
        driven.app.returning.go_on(screen)
        driven.app.returning.go_on(screen)
        await driven.until("○ ready")
        assert len(driven.host.links) == 1


async def test_what_another_acp_tui_has_open_is_read_and_not_attached(tmp_path: Path) -> None:
    id = await spoken(tmp_path)
    async with driving(cwd=str(tmp_path)) as driven:
        driven.app.returning.read(id)
        await driven.until("r resume")
        with another(id) as pid:
            await driven.press("r")
            await driven.until(f"open in another acp-tui, pid {pid}")
            assert not driven.host.links
        await driven.until("r resume")
        await driven.press("r")
        await driven.until("○ ready")


async def test_what_was_not_sent_comes_back_to_its_session_once(tmp_path: Path) -> None:
    """CL-06: queued prompts from what was kept, those that left from the journal, none of them twice."""
    acts = {
        "say one": [SAID, {"result": {"messageId": "u0"}}, state("running")],
        "say two": [{"silence": True}],
    }
    async with driving(acting(tmp_path, acts), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.say("one")
        await driven.until(lambda: driven.session.busy)
        driven.submit("two")
        await driven.until(lambda: len(heard(tmp_path, "session/prompt")) == 2)
        await driven.say("three")
        await driven.until("1 queued")
        driven.app.keep_drafts()
    (tmp_path / "script.heard").write_text("")
    again(tmp_path)
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, only())
        await driven.until("○ ready")
        waiting = tail(driven.session)
        found = {text_of(one.blocks): one.status for one in waiting}
        assert found == {"two": "uncertain", "three": "held"} and len(waiting) == 2
        assert heard(tmp_path, "session/prompt") == []


async def test_a_command_that_is_gone_is_asked_for(tmp_path: Path) -> None:
    id = await spoken(tmp_path)
    _changed_command(tmp_path, "/not/there", "agent")
    again(tmp_path)
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until(lambda: isinstance(driven.app.screen, ResumeScreen))
        await driven.until("The program of its agent is not there any more: /not/there")
        field = driven.app.screen.query_one("#new-command")
        assert field.has_focus
        field.value = "elsewhere/also not"  # type: ignore[attr-defined]
        await driven.press("enter")
        await driven.until("not there any more: elsewhere/also not")
        field = driven.app.screen.query_one("#new-command")
        field.value = f"{sys.executable} {AGENT} {tmp_path / 'script.json'}"  # type: ignore[attr-defined]
        await driven.press("enter")
        await driven.until("○ ready")
        assert len(heard(tmp_path, "session/resume")) == 1


async def test_an_agent_of_that_name_in_the_settings_takes_its_place(tmp_path: Path) -> None:
    id = await spoken(tmp_path)
    _changed_command(tmp_path, "agent", "--token=[redacted]")
    again(tmp_path)
    command = [sys.executable, str(AGENT), str(tmp_path / "script.json")]
    agents = {"acting": AgentSettings(command=tuple(command))}
    config = Config(Path("none"), Settings(agents=agents))
    async with driving(cwd=str(tmp_path), config=config) as driven:
        await back(driven, id)
        await driven.until("○ ready")
        assert driven.link.command == tuple(command)


async def test_a_folder_that_is_gone_is_asked_for(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    id = await spoken(work)
    work.rename(tmp_path / "moved")
    (tmp_path / "script.json").write_text(json.dumps({"on": {}, "agreed": {}}))
    _changed_command(tmp_path, sys.executable, str(AGENT), str(tmp_path / "script.json"))
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until("The folder is not there any more")
        field = driven.app.screen.query_one("#new-folder")
        assert field.has_focus
        field.value = str(tmp_path / "moved")  # type: ignore[attr-defined]
        await driven.press("enter")
        await driven.until("○ ready")
        [asked] = heard(tmp_path, "session/resume")
        assert asked["params"]["cwd"] == str(tmp_path / "moved")
        await driven.press("escape")


async def test_only_reading_it_is_an_answer_too(tmp_path: Path) -> None:
    id = await spoken(tmp_path)
    _changed_command(tmp_path, "/not/there")
    async with driving(cwd=str(tmp_path)) as driven:
        await back(driven, id)
        await driven.until(lambda: isinstance(driven.app.screen, ResumeScreen))
        await driven.press("escape")
        await driven.until("○ saved · read only")
        assert list((paths.state_dir() / "locks").iterdir()) == []


async def test_at_the_start_the_chat_is_there_at_once(tmp_path: Path) -> None:
    """`--continue`: nothing stands between the first picture and the chat."""
    id = await spoken(tmp_path)
    again(tmp_path)
    async with driving(cwd=str(tmp_path)) as driven:
        read = reader(driven.host, driven.app.librarian, id)
        read.load()
        found = await arrive(driven.host, read)
        assert isinstance(found, Conversation)
        driven.app.begin(driven.host, found)
        await driven.until("the answer")
        await driven.until("○ ready")


async def test_at_the_start_what_is_in_the_way_is_asked(tmp_path: Path) -> None:
    """`--resume ID /not/there`: it went on with the command it had."""
    id = await spoken(tmp_path)
    async with driving(cwd=str(tmp_path)) as driven:
        read = reader(driven.host, driven.app.librarian, id)
        read.load()
        found = await arrive(driven.host, read, ("/not/there", "agent"))
        assert isinstance(found, Way)
        driven.app.begin(driven.host, None, (read, found))
        await driven.until("not there any more: /not/there agent")
        assert not driven.host.links
        await driven.press("escape")
        await driven.until("the answer")


def _changed_command(folder: Path, *command: str) -> None:
    """As if it had been started by another command."""
    [journal] = paths.journal_dir().rglob("*.ndjson")
    head, _, rest = journal.read_bytes().partition(b"\n")
    changed = {**json.loads(head), "command": command, "cwd": str(folder)}
    journal.write_bytes(json.dumps(changed, separators=(",", ":")).encode() + b"\n" + rest)
