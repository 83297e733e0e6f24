"""What went wrong with logins in other clients, each a test named after its symptom."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.ui.screens.login import LoginScreen
from tests.clock import Clock
from tests.ui.acting import acting, heard, says, state
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio
METHODS = [{"type": "agent", "methodId": "in", "name": "Log in"}]
WANTED = {"error": {"code": -32000, "message": "Please sign in first"}}


async def offered(driven: Driven) -> LoginScreen:
    await driven.until(lambda: isinstance(driven.app.screen, LoginScreen))
    assert isinstance(driven.app.screen, LoginScreen)
    return driven.app.screen


async def test_an_agent_that_is_never_content_with_a_login_is_not_asked_without_end(tmp_path: Path) -> None:
    """S53, AU-08: error, login, error, login … without end."""
    async with driving(acting(tmp_path, {"session/new": [WANTED]}, authMethods=METHODS)) as driven:
        await offered(driven)
        await driven.press("enter")
        await driven.until(lambda: driven.store.connection.auth_asked == 2)
        await offered(driven)
        await driven.until("Please sign in first")
        await driven.pilot.pause(0.2)
        assert len(heard(tmp_path, "auth/login")) == 1
        assert len(heard(tmp_path, "session/new")) == 2


@pytest.mark.parametrize("where", ["prompt", "end of the work"])
async def test_a_login_that_ran_out_is_not_hidden_behind_an_error(tmp_path: Path, where: str) -> None:
    """S54, AU-09: "internal error", and no way to log in, and the prompt to be typed anew; here at a
    prompt, or as the end of its work.
    """
    error = {"code": -32000, "message": "Your login has expired"}
    ended = [state("running"), state("idle", "error", error=error)]
    first: list[dict[str, Any]] = [{"error": error}] if where == "prompt" else ended
    on = {"say hello": [first, [says("hello yourself")]]}
    async with driving(acting(tmp_path, on, authMethods=METHODS)) as driven:
        await driven.ready()
        await driven.say("hello")
        await offered(driven)
        await driven.until("Your login has expired")
        await driven.press("enter")
        await driven.until(lambda: not isinstance(driven.app.screen, LoginScreen))
        if where != "prompt":  # it was taken before: again only by the user's hand
            await driven.until(lambda: driven.composer.text == "hello")
            await driven.press("enter")
        await driven.until("hello yourself")


async def test_no_login_is_offered_where_the_agent_has_none(tmp_path: Path) -> None:
    """AU-01: whatever it says that it can."""
    capabilities: dict[str, Any] = {"session": {"prompt": {}}, "auth": {}}
    async with driving(acting(tmp_path, {}, authMethods=[], capabilities=capabilities)) as driven:
        await driven.ready()
        await driven.chat.run_action("login")
        await driven.until("Acting asks for no login")
        await driven.chat.run_action("logout")
        await driven.until("knows no login to log out from")
        assert not heard(tmp_path, "auth/login") and not heard(tmp_path, "auth/logout")


async def test_what_the_agent_asks_during_a_login_is_seen_and_answered(tmp_path: Path) -> None:
    """AU-13, EL-21: the login waited for a form that nobody saw."""
    clock = Clock()
    schema = {"type": "object", "properties": {}}
    form = {"mode": "form", "message": "Which account?", "requestedSchema": schema, "request": True}
    on = {"session/new": [[WANTED], [{"result": {"sessionId": "s1"}}]], "auth/login": [{"elicit": form}]}
    async with driving(acting(tmp_path, on, authMethods=METHODS), clock=clock, size=(80, 30)) as driven:
        await offered(driven)
        await driven.press("enter")
        await driven.until("Which account?")
        clock.at += 5
        await driven.press("ctrl+s")
        await driven.until(lambda: any("action" in str(one.get("result")) for one in heard(tmp_path)))
        assert {"action": "accept", "content": {}} in [one.get("result") for one in heard(tmp_path)]
