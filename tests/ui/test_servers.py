"""The MCP servers of a conversation: what was handed over, what not and why; no secret is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.base.config import load
from acp_tui.protocol.initialize import McpCapabilities
from acp_tui.services.launching import Launch
from acp_tui.ui.screens.servers import lines
from tests.ui.driving import driving, words

pytestmark = pytest.mark.anyio

STDIO = {
    "type": "stdio",
    "name": "files",
    "command": "/usr/bin/files",
    "args": ["--token=hush-hush-hush", "\x1b[31m"],
    "env": [{"name": "KEY", "value": "hush"}],
}
HTTP = {
    "type": "http",
    "name": "web",
    "url": "https://me:hush@example.org/mcp?token=hush",
    "headers": [{"name": "Authorization", "value": "Bearer hush"}],
}
LAUNCH = Launch(mcp_servers=(STDIO, HTTP), left_out=(("gone", "there is no program gone"),))
LATER = '[mcp.files]\ncommand = "a"\n[mcp.later]\ncommand = "b"\n'


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_what_the_agent_was_handed_and_what_not_and_why(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "config.toml"
    path.write_text(LATER)
    async with driving(words(), config=load(path), size=size) as driven:
        await driven.ready()
        driven.link.launch = LAUNCH
        driven.session.mcp_servers = LAUNCH.mcp_servers
        await driven.press("f3")
        await driven.until("What do you want to do?")
        await driven.type("mcp serv")
        await driven.until("The MCP servers of this conversation")
        await driven.press("enter")
        await driven.until("Not handed over")
        text = " ".join(driven.text().split())
        for said in (
            "gone: there is no program gone",
            "later: this agent was started without it",
        ):
            assert said in text
        assert "hush" not in text and "\x1b" not in text
        await driven.press("escape")
        await driven.until(lambda: driven.composer.has_focus)


async def test_an_agent_that_takes_both_kinds_and_one_that_takes_none() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        driven.link.launch = LAUNCH
        driven.session.mcp_servers = LAUNCH.mcp_servers
        capabilities = driven.store.connection.capabilities
        assert capabilities is not None and capabilities.session is not None
        capabilities.session.mcp = McpCapabilities.model_validate({"stdio": {}, "http": {}})
        told = "\n".join(line[1] for line in lines(driven.conversation, {}))
        assert "files  (stdio)" in told and "web  (http)" in told and "variables: KEY" in told
        assert "https://[redacted]@example.org/mcp?token=[redacted]" in told and "hush" not in told
        capabilities.session.mcp = McpCapabilities.model_validate({"stdio": {}})
        told = "\n".join(line[1] for line in lines(driven.conversation, {}))
        assert "has 1 server" in told and "web: the agent takes no servers over http" in told
        driven.session.mcp_servers = ()
        told = "\n".join(line[1] for line in lines(driven.conversation, {}))
        assert "files: left out, because the agent refused" in told


async def test_before_there_is_a_session_and_without_any() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.press("shift+f9")
        await driven.until("Your settings have none")
        await driven.press("q")
        await driven.until(lambda: driven.composer.has_focus)
        driven.link.launch = LAUNCH
        driven.conversation.ref = "none"
        told = "\n".join(line[1] for line in lines(driven.conversation, {}))
        assert "files: there is no session yet" in told
