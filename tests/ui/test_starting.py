"""From nothing to a session, and what is shown where that fails (S42, S43, S50, LC-06)."""

from __future__ import annotations

import sys

import pytest

from acp_tui.ui.screens.failure import FailureScreen
from acp_tui.ui.screens.launcher import LauncherScreen
from tests.ui.driving import driving, words

pytestmark = pytest.mark.anyio


async def test_a_session_opens_and_the_header_says_who_and_where() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.until("○ ready")
        assert driven.rows()[0].strip().startswith("Words · ")


async def test_a_prompt_written_while_the_agent_starts_waits_for_the_session() -> None:
    async with driving(words()) as driven:
        await driven.say("hello")
        await driven.until("you said hello")


async def test_a_command_that_does_not_exist() -> None:
    async with driving(("/no/such/agent", "--flag")) as driven:
        await driven.until("could not be started")
        text = driven.text()
        assert "/no/such/agent --flag" in text
        assert "What to do" in text


async def test_an_agent_that_exits_shows_status_and_its_last_words_without_acting_on_them() -> None:
    async with driving(words("fail=3")) as driven:
        await driven.until("could not be started")
        await driven.until("cannot find my settings")
        text = driven.text()
        assert "status 3" in text
        assert "[bold]" in text and "\x1b" not in text


async def test_enter_starts_it_again_and_escape_goes_back_to_the_start_screen() -> None:
    at = [1_000_000.0]
    async with driving(words("fail=3"), clock=lambda: at[0]) as driven:
        await driven.until("could not be started")
        await driven.press("q", "enter", "escape")  # typed before anybody could know
        assert isinstance(driven.app.screen, FailureScreen)
        started = driven.store.connection.generation
        assert started == 2  # once for each version of the protocol
        at[0] += 1
        await driven.press("enter")
        await driven.until(lambda: driven.store.connection.generation > started)
        await driven.until("could not be started")
        assert isinstance(driven.app.screen, FailureScreen)
        at[0] += 1
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))
        assert driven.host.links == []


async def test_an_agent_that_wants_a_login_is_said_to_and_can_be_asked_again() -> None:
    async with driving(words("login")) as driven:
        await driven.until("Words wants a login")
        await driven.press("escape")
        await driven.until("the agent wants a login first")
        ref = driven.conversation.ref
        await driven.press("f5")
        await driven.until(lambda: driven.conversation.ref != ref)
        await driven.until("Words wants a login")


async def test_an_agent_that_says_nothing_can_be_left() -> None:
    at = [1_000_000.0]
    async with driving(words("mute"), clock=lambda: at[0]) as driven:
        await driven.until("starting")
        await driven.until(lambda: driven.store.connection.stderr_tail)
        at[0] += 13
        await driven.until("still loading")
        await driven.until("has not answered yet")
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))


async def test_the_start_screen_starts_what_was_typed() -> None:
    async with driving() as driven:
        await driven.until("demo")
        await driven.press("tab")
        await driven.type("nobody knows this")
        await driven.press("enter")
        await driven.until("could not be started")
        await driven.until("nobody knows this")


async def test_an_open_quote_on_the_start_screen_is_said() -> None:
    async with driving() as driven:
        await driven.until("demo")
        await driven.press("tab")
        await driven.type('agent "x')
        await driven.press("enter")
        await driven.until("does not read as a command")


async def test_what_was_used_is_offered_next_time() -> None:
    async with driving(words()) as driven:
        await driven.ready()
    async with driving() as driven:
        await driven.until("just now")
        await driven.press("enter")
        await driven.ready()
        assert driven.link.command == words()


async def test_version_one_only_is_said() -> None:
    script = (
        "import sys,json\nfor l in sys.stdin:\n m=json.loads(l)\n "
        "print(json.dumps({'jsonrpc':'2.0','id':m['id'],'result':{'protocolVersion':7}}),flush=True)"
    )
    async with driving((sys.executable, "-c", script)) as driven:
        await driven.until("could not be started")
