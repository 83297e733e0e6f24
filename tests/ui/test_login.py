"""Logging in: offered when the agent asks, explained, given up, repeated once, no loop (AU, S53, S54)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_tui.ui.screens.login import LoginScreen, ways
from tests.clock import Clock
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio

AGENT = str(Path(__file__).parent / "agents" / "login.py")
ODD: list[dict[str, Any]] = [
    {"type": "env_var", "methodId": "key", "name": "API key", "varName": "GATE_KEY"},
    {"type": "_sso", "methodId": "sso", "name": "Single sign-on"},
]


def gate(folder: Path, *arguments: str) -> tuple[str, ...]:
    """The command of an agent that wants a login."""
    return (sys.executable, AGENT, f"token={folder / 'token'}", *arguments)


async def asked(driven: Driven) -> LoginScreen:
    await driven.until(lambda: isinstance(driven.app.screen, LoginScreen))
    assert isinstance(driven.app.screen, LoginScreen)
    return driven.app.screen


async def test_the_login_is_offered_in_the_agents_words_and_what_was_written_is_sent_after_it(
    tmp_path: Path,
) -> None:
    async with driving(gate(tmp_path)) as driven:
        await asked(driven)
        await driven.until("Gate wants a login")
        await driven.until("It says: Please sign in")
        await driven.until("With your account.")
        await driven.until("The agent does it itself")
        await driven.press("escape")
        await driven.until("the agent wants a login first")
        await driven.say("hello")
        await driven.until("waiting here")
        await driven.press("enter")
        await asked(driven)
        await driven.until("What waits for it is kept: 1 prompt.")
        await driven.press("enter")
        await driven.until("you said hello")
        await driven.until("Logged in")


async def test_a_login_that_is_under_way_shows_since_when_and_can_be_given_up(tmp_path: Path) -> None:
    clock = Clock()
    async with driving(gate(tmp_path, "slow"), clock=clock) as driven:
        await asked(driven)
        await driven.press("enter")
        await driven.until("◐ logging in with Log in")
        clock.at += 7
        await driven.until("◐ logging in with Log in 7 s")
        await driven.press("escape")
        await driven.until(lambda: not driven.store.connection.login)
        assert isinstance(driven.app.screen, LoginScreen)
        await driven.until("Enter log in · Esc later")
        await driven.press("escape")
        await driven.until("the agent wants a login first")
        await driven.type("begun")
        assert "F12 log in" in driven.text(), "Enter would queue what is written"
        await driven.press("f12")
        await driven.until("Enter log in · Esc later")


async def test_a_login_left_alone_is_on_the_status_line_and_escape_gives_it_up(tmp_path: Path) -> None:
    async with driving(gate(tmp_path, "slow")) as driven:
        await asked(driven)
        await driven.press("enter")
        await driven.until("◐ logging in with")
        driven.app.pop_screen()
        await driven.until("Esc give it up")
        await driven.press("escape")
        await driven.until("the agent wants a login first")


async def test_a_login_that_fails_says_why_and_can_be_tried_again(tmp_path: Path) -> None:
    async with driving(gate(tmp_path, "refuses")) as driven:
        await asked(driven)
        await driven.press("enter")
        await driven.until("The last login failed: the browser was closed")
        await driven.until("Enter log in · Esc later")


async def test_auth_error_login_error_goes_back_to_the_user_and_never_round_and_round(tmp_path: Path) -> None:
    async with driving(gate(tmp_path, "wants=1")) as driven:
        await asked(driven)
        await driven.press("enter")
        await driven.until(lambda: driven.store.connection.auth_asked == 2)
        await asked(driven)
        assert driven.store.connection.login == ""
        await driven.press("enter")
        await driven.ready()
        await driven.say("hello")
        await driven.until("you said hello")


async def test_a_prompt_that_finds_the_login_expired_is_held_and_sent_after_the_next(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("in")
    async with driving(gate(tmp_path)) as driven:
        await driven.ready()
        (tmp_path / "token").unlink()
        await driven.say("hello")
        await asked(driven)
        await driven.until("Your login has expired")
        await driven.press("enter")
        await driven.until("you said hello")


async def test_logging_out_asks_first_and_offers_the_login_again(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("in")
    async with driving(gate(tmp_path)) as driven:
        await driven.ready()
        await driven.chat.run_action("logout")
        await driven.until("Log out from Gate?")
        driven.app.screen.ear.appeared(float("-inf"))  # type: ignore[attr-defined]
        driven.app.screen.ear.hears("yes", float("inf"))  # type: ignore[attr-defined]
        await driven.press("y")
        await asked(driven)
        assert not (tmp_path / "token").exists()


async def test_a_variable_is_named_and_never_asked_for_and_unknown_kinds_are_named(tmp_path: Path) -> None:
    async with driving(gate(tmp_path, f"methods={json.dumps(ODD)}"), size=(100, 30)) as driven:
        await asked(driven)
        await driven.until("GATE_KEY (not set now)")
        await driven.until("never asks for it and never keeps it")
        await driven.press("enter")
        await driven.until("This is not done from here")
        await driven.press("down")
        await driven.until("Of a kind that acp-tui does not know: _sso.")
        assert driven.store.connection.login == ""


async def test_an_agent_without_a_way_to_log_in_says_what_to_do(tmp_path: Path) -> None:
    async with driving(gate(tmp_path, "methods=[]")) as driven:
        await asked(driven)
        await driven.until("It offers no way to log in from here")
        await driven.press("escape")
        (tmp_path / "token").write_text("in")
        await driven.press("f5")
        await driven.ready()


async def test_terminal_logins_are_advertised(tmp_path: Path) -> None:
    async with driving(gate(tmp_path)) as driven:
        await asked(driven)
        await driven.until(lambda: driven.store.connection.stderr_tail)
        assert '"terminal": {}' in driven.store.connection.stderr_tail[0]


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        ({"varName": "A"}, "A (set now)"),
        ({"vars": [{"name": "A"}, {"name": "B"}, 3]}, "A (set now), B (not set now)"),
        ({"vars": ["B"], "varName": "B"}, "B (not set now)"),
    ],
)
def test_variables_are_found_in_the_shapes_that_agents_use(raw: dict[str, Any], names: str) -> None:
    from acp_tui.protocol.unknown import Unknown
    from acp_tui.store.connection import Connection

    method = Unknown("env_var", {"type": "env_var", "methodId": "k", "name": "Key", **raw})
    [way] = ways(Connection(auth_methods=[method]), {"A": "secret"})
    assert names in way.what[-1]
    assert "secret" not in "".join(way.what)
    assert way.method == ""
