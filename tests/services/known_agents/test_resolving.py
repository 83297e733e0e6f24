"""What names mean, on machines that have this or that."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from acp_tui.base.config import AgentSettings, Settings
from acp_tui.base.config.model import KnownAgents
from acp_tui.cli import SUBCOMMANDS
from acp_tui.services.known_agents import consent, kept
from acp_tui.services.known_agents.catalog import bundled, dated
from acp_tui.services.known_agents.resolving import CannotStart, Start, meant, name_of, start
from acp_tui.services.launching import prepare
from acp_tui.ui.host import serves


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ACP_TUI_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def machine(tmp_path: Path, *programs: str) -> dict[str, str]:
    """An environment in which just these can be started."""
    shutil.rmtree(tmp_path / "bin", ignore_errors=True)
    (tmp_path / "bin").mkdir()
    for program in programs:
        (tmp_path / "bin" / program).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / program).chmod(0o755)
    return {"PATH": str(tmp_path / "bin")}


def test_our_list_is_whole() -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", dated())
    agents = bundled().agents
    assert {"claude", "codex", "gemini", "opencode", "fast-agent", "goose", "qwen"} <= {
        a.name for a in agents
    }
    names = [name for one in agents for name in one.names]
    assert len(names) == len(set(names))
    assert not set(names) & set(SUBCOMMANDS)
    for one in agents:
        assert one.title and one.about and one.programs and one.home.startswith("https://")
        assert re.fullmatch(r"[a-z][a-z-]*", one.name)
        assert len(one.about) <= 40


@pytest.mark.parametrize(
    ("command", "read"),
    [
        ("gemini --acp", False),
        ("/opt/bin/gemini --acp", False),
        ("npx -y @google/gemini-cli@0.61.0 --acp", False),
        ("node /x/bundle/gemini.js --acp", False),
        ("my-agent --model gemini-pro", True),
        ("codex-acp", True),
    ],
)
def test_what_an_agent_is_better_not_offered(command: str, read: bool) -> None:
    """However it is started; its writing and its commands stay offered."""
    offered = serves(None, tuple(command.split()))
    assert (offered.read, offered.write, offered.terminals) == (read, True, True)


@pytest.mark.parametrize(
    ("programs", "name", "command", "tool"),
    [
        (("gemini", "npx"), "gemini", ("gemini", "--acp"), None),
        (("npx", "uvx"), "gemini", ("npx", "-y", "@google/gemini-cli", "--acp"), "npx"),
        (("claude", "npx"), "claude", ("npx", "-y", "@agentclientprotocol/claude-agent-acp"), "npx"),
        (("npx",), "codex-acp", ("npx", "-y", "@agentclientprotocol/codex-acp"), "npx"),
        (("uvx",), "vibe", ("uvx", "--from", "mistral-vibe", "vibe-acp"), "uvx"),
        (("fast-agent", "uvx"), "fast-agent", ("fast-agent", "serve", "--transport", "acp"), None),
        (("opencode",), "opencode", ("opencode", "acp"), None),
    ],
)
def test_a_program_that_is_there_comes_before_a_package(
    tmp_path: Path, programs: tuple[str, ...], name: str, command: tuple[str, ...], tool: str | None
) -> None:
    found = start(None, meant(None, (name,)), machine(tmp_path, *programs))
    assert (found.command, found.tool) == (command, tool)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("codex", "no program codex-acp here, and no npx, which comes with Node.js (https://nodejs.org)"),
        ("vibe", "no uvx, which comes with uv (https://docs.astral.sh/uv)"),
        ("goose", "no program goose here. How to get it: https://"),
    ],
)
def test_where_nothing_starts_it_the_words_say_what_to_do(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(CannotStart) as caught:
        start(None, name, machine(tmp_path))
    assert said in str(caught.value)


def test_only_one_word_can_be_a_name_and_the_settings_come_first(tmp_path: Path) -> None:
    env = machine(tmp_path, "gemini", "mine")
    own = AgentSettings(command=("mine", "--gemini"))
    settings = Settings(agents={"gemini": own, "codex": AgentSettings(disabled=True), "x": AgentSettings()})
    assert meant(settings, ("gemini", "--acp")) == meant(settings, ("nobody",)) == meant(settings, ()) == ""
    assert start(settings, meant(settings, ("gemini",)), env) == Start("gemini", own.command)
    assert meant(settings, ("codex",)) == meant(settings, ("codex-acp",)) == ""
    with pytest.raises(CannotStart, match="your settings give it no command"):
        start(settings, meant(settings, ("x",)), env)
    disabled = Settings(agents={"gemini": AgentSettings(disabled=True)})
    assert name_of(settings, ("gemini", "--acp")) == ("gemini", {})
    assert name_of(disabled, ("gemini", "--acp")) == ("", {})


def test_settings_without_a_command_are_for_the_known_agent(tmp_path: Path) -> None:
    env = machine(tmp_path, "gemini")
    settings = Settings(agents={"gemini": AgentSettings(options={"mode": "plan"}, cwd="/")})
    for command, cwd in [(("gemini",), "/"), (("gemini", "--acp"), "/here")]:
        launch = prepare(settings, command, "/here", env)
        assert launch.command == ("gemini", "--acp")
        assert (launch.name, launch.cwd, dict(launch.options)) == ("gemini", cwd, {"mode": "plan"})
    forced = prepare(settings, ("gemini",), "/here", env, forced=True)
    assert (forced.command, forced.name, forced.cwd) == (("gemini",), "", "/here")


def test_no_package_is_started_by_a_name_before_the_user_agreed_to_its_exact_command(
    tmp_path: Path, state: Path
) -> None:
    env = machine(tmp_path, "npx")
    codex = start(None, "codex", env)
    launch = prepare(None, ("codex",), "/", env)
    assert launch.command == ("codex",) and "not asked about npx" in launch.told[0]
    consent.give(codex, 1.0)
    assert not consent.needed(codex)
    assert prepare(None, ("codex",), "/", env).command == codex.command
    for changed in [
        Start("codex", (*codex.command, "--more"), tool="npx"),
        Start("codex", codex.command, {"NODE_OPTIONS": "--require x"}, tool="npx"),
    ]:
        assert consent.needed(changed)
    consent.give(start(None, "gemini", env), 2.0)
    assert not consent.needed(codex)
    (state / "agreed.json").write_text("{")
    assert consent.needed(codex)


def test_what_is_shown_is_all_that_is_started() -> None:
    assert consent.shown(Start("x", ("npx", "-y", "a b"), {"B": "c d"})) == "B='c d' npx -y 'a b'"


REGISTRY = b"""{"version": "1.0.0", "agents": [
  {"id": "codex-acp", "name": "Codex", "version": "3.1.4", "description": "d",
   "distribution": {"npx": {"package": "@agentclientprotocol/codex-acp@3.1.4"}}},
  {"id": "newcomer", "name": "Newcomer", "version": "0.1.0", "description": "d",
   "distribution": {"uvx": {"package": "newcomer==0.1.0", "args": ["acp"], "env": {"QUIET": "1"}}}},
  {"id": "wheelbarrow", "name": "Wheelbarrow", "version": "1.0.0", "description": "d",
   "distribution": {"flatpak": {"ref": "org.example"}}}
]}"""


def test_the_registry_adds_agents_and_says_the_version_while_the_settings_name_it(tmp_path: Path) -> None:
    env = machine(tmp_path, "npx", "uvx")
    kept.keep("/list.json", REGISTRY, 1.0)
    settings = Settings(known_agents=KnownAgents(registry="/list.json"))
    codex = start(settings, meant(settings, ("codex",)), env)
    assert codex.command == ("npx", "-y", "@agentclientprotocol/codex-acp@3.1.4")
    newcomer = start(settings, meant(settings, ("newcomer",)), env)
    assert newcomer == Start("newcomer", ("uvx", "newcomer==0.1.0", "acp"), {"QUIET": "1"}, "uvx")
    consent.give(newcomer, 1.0)
    assert prepare(settings, ("newcomer",), "/", env).env["QUIET"] == "1"
    assert prepare(settings, newcomer.command, "/", env).env["QUIET"] == "1"
    with pytest.raises(CannotStart, match="cannot be started from here: it comes as flatpak"):
        start(settings, "wheelbarrow", env)
    for other in (None, Settings(), Settings(known_agents=KnownAgents(registry="/other.json"))):
        assert meant(other, ("newcomer",)) == ""
        assert start(other, "codex", env).command[-1] == "@agentclientprotocol/codex-acp"
