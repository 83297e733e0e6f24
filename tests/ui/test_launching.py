"""Agents, their options and MCP servers as the settings name them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.base.config import load
from acp_tui.cli import by_name, parse
from acp_tui.ui.screens.chat import ChatScreen

from .driving import driving

pytestmark = pytest.mark.anyio
PYTHON = sys.executable
FILE = f"""
[agents.mine]
command = ["{PYTHON}", "-m", "acp_tui.demo"]
options = {{ mode = "auto" }}

[mcp.files]
command = "{PYTHON}"

[mcp.gone]
command = "/no/such/program"
"""


@pytest.fixture
def file() -> str:
    return FILE


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(file)
    monkeypatch.setenv("ACP_TUI_CONFIG", str(path))
    return path


async def test_an_agent_of_the_settings_is_started_by_its_name_from_the_start_screen(config: Path) -> None:
    async with driving(config=load(config)) as driven:
        await driven.until("mine")
        await driven.press("down", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        await driven.ready()
        assert driven.link.launch.name == "mine"
        assert driven.link.command == (PYTHON, "-m", "acp_tui.demo")
        await driven.until(lambda: driven.session.config_options[0].current_value == "auto")


async def test_its_sessions_get_the_servers_there_are_and_the_rest_is_told(config: Path) -> None:
    async with driving(config=load(config)) as driven:
        await driven.press("down", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        await driven.until("MCP server gone is left out")
        await driven.ready()
        assert [server["name"] for server in driven.session.mcp_servers] == ["files"]


@pytest.mark.parametrize("file", [FILE.partition("[mcp")[0].replace("mode", "speed")])
async def test_an_option_the_agent_does_not_have_is_told(config: Path) -> None:
    async with driving(config=load(config)) as driven:
        await driven.press("down", "enter")
        await driven.until(lambda: "“speed”" in driven.text() and "thought," in driven.text())


@pytest.mark.parametrize("file", [FILE.partition("[mcp")[0].replace('mode = "auto"', 'MODE = "automatic"')])
async def test_options_and_values_may_be_named_as_they_are_shown(config: Path) -> None:
    async with driving(config=load(config)) as driven:
        await driven.press("down", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        await driven.ready()
        await driven.until(lambda: driven.session.config_options[0].current_value == "auto")


def test_the_command_line_knows_the_name_unless_it_is_forced(config: Path) -> None:
    options, _ = by_name(parse(["mine"]), {"PATH": ""})
    assert options.command == (PYTHON, "-m", "acp_tui.demo")
    for words in (["--", "mine"], ["mine", "more"], ["other"]):
        assert by_name(parse(words), {"PATH": ""})[0] == parse(words)
