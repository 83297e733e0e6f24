"""What the settings give an agent that is started."""

from __future__ import annotations

import sys
from pathlib import Path

from acp_tui.base.config import Settings, load
from acp_tui.services.launching import prepare

FILE = """
[agents.parser]
command = ["parse-agent", "--acp"]
env = { TOKEN = "${MY_TOKEN}" }
cwd = "~/src"
options = { model = "small", fast = true }
mcp = ["files"]

[mcp.files]
command = "python3"
args = ["-m", "files"]
env = { KEY = "${MY_KEY}" }

[mcp.web]
url = "https://example.org/mcp"
headers = { Authorization = "Bearer ${MY_TOKEN}" }
"""


def settings(tmp_path: Path, text: str = FILE) -> Settings:
    path = tmp_path / "config.toml"
    path.write_text(text)
    config = load(path)
    assert config.problems == ()
    return config.settings


def environ(tmp_path: Path, **more: str) -> dict[str, str]:
    program = tmp_path / "python3"
    program.unlink(missing_ok=True)
    program.symlink_to(sys.executable)
    return {"PATH": str(tmp_path), **more}


def test_an_agent_is_known_by_its_name_and_by_its_command(tmp_path: Path) -> None:
    known = settings(tmp_path)
    by_name = prepare(known, ("parser",), "/here", {})
    assert (by_name.name, by_name.command) == ("parser", ("parse-agent", "--acp"))
    assert by_name.cwd == str(Path.home() / "src")
    by_command = prepare(known, ("parse-agent", "--acp"), "/here", {})
    assert (by_command.name, by_command.cwd) == ("parser", "/here")
    assert prepare(known, ("parse-agent",), "/here", {}).name == ""
    assert prepare(None, ("parser",), "/here", {"A": "b"}).env == {"A": "b"}


def test_it_gets_its_variables_options_and_servers(tmp_path: Path) -> None:
    env = environ(tmp_path, MY_TOKEN="t", MY_KEY="k")
    launch = prepare(settings(tmp_path), ("parser",), "/", env)
    assert (launch.name, launch.env["TOKEN"], launch.told) == ("parser", "t", ())
    assert launch.options == {"model": "small", "fast": True}
    (server,) = launch.mcp_servers
    assert server == {
        "type": "stdio",
        "name": "files",
        "command": str(tmp_path / "python3"),
        "args": ["-m", "files"],
        "env": [{"name": "KEY", "value": "k"}],
    }


def test_an_agent_that_is_not_named_gets_every_server_and_no_option(tmp_path: Path) -> None:
    launch = prepare(settings(tmp_path), ("other",), "/", environ(tmp_path, MY_TOKEN="t", MY_KEY="k"))
    assert [server["name"] for server in launch.mcp_servers] == ["files", "web"]
    assert launch.mcp_servers[1]["headers"] == [{"name": "Authorization", "value": "Bearer t"}]
    assert (launch.name, launch.options) == ("", {})


def test_what_is_missing_is_told_and_only_that_is_left_out(tmp_path: Path) -> None:
    launch = prepare(settings(tmp_path), ("other",), "/", {"PATH": "", "MY_TOKEN": "t"})
    assert [server["name"] for server in launch.mcp_servers] == ["web"]
    assert launch.told == ("MCP server files is left out: there is no program python3",)
    without = prepare(settings(tmp_path), ("parser",), "/", environ(tmp_path))
    assert without.told == (
        "parser: there is no variable MY_TOKEN in your environment",
        "MCP server files is left out: there is no variable MY_KEY in your environment",
    )
