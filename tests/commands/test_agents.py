"""Agents by name on the command line: listed, resolved, agreed to; and the registry read anew."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_tui.cli import by_name, main, parse
from acp_tui.commands.mistake import Mistake
from acp_tui.services import acquaintances

REGISTRY = {
    "agents": [
        {"id": "gemini", "distribution": {"npx": {"package": "@google/gemini-cli@9", "args": ["--acp"]}}},
        {"id": "newcomer", "version": "3", "distribution": {"npx": {"package": "newcomer@3"}}},
        {"id": "wheel", "distribution": {"flatpak": {}}},
        {"id": "no/good", "distribution": {}},
    ]
}


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With gemini, npx and a program that is called claude."""
    for name in ("STATE_DIR", "CACHE_DIR", "CONFIG_DIR"):
        monkeypatch.setenv(f"ACP_TUI_{name}", str(tmp_path / name))
    monkeypatch.delenv("ACP_TUI_CONFIG", raising=False)
    (tmp_path / "bin").mkdir()
    for program in ("gemini", "npx", "claude"):
        (tmp_path / "bin" / program).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def configured(tmp_path: Path, text: str) -> None:
    (tmp_path / "CONFIG_DIR").mkdir(exist_ok=True)
    (tmp_path / "CONFIG_DIR" / "config.toml").write_text(text)


def objects(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    assert main(["agents", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    return {one["name"]: one for one in map(json.loads, lines)}


def test_the_table_says_what_is_here_and_what_was_learnt(
    machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(
        machine,
        '[agents.mine]\ncommand = "m --api-key=sk-12345678901234567890"\n[agents.pi]\ndisabled = true',
    )
    acquaintances.remember(("gemini", "--acp"), protocol=1, name="gemini", version="0.61\x1b[0m", at=1.0)
    assert main(["agents"]) == 0
    told = capsys.readouterr()
    lines = told.out.splitlines()
    assert lines[0].split() == ["name", "here", "version", "protocol", "last", "used", "starts", "with"]
    assert lines[1].split()[:3] == ["mine", "your", "settings"]
    assert lines[2].split()[:4] == ["gemini", "installed", "0.61", "v1"] and lines[2].endswith("gemini --acp")
    by_line = {line.split()[0]: line for line in lines}
    assert "by npx, asks" in by_line["codex"] and "npx -y @agentclientprotocol/codex-acp" in by_line["codex"]
    assert "not here" in by_line["goose"] and "disabled" in by_line["pi"]
    assert "sk-1234" not in told.out and "\x1b" not in told.out
    assert "our own list is of 20" in told.err


def test_objects_have_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    found = objects(capsys)
    assert {frozenset(one) for one in found.values()} == {frozenset(found["codex"])}
    assert found["gemini"]["state"] == "installed" and found["gemini"]["command"] == ["gemini", "--acp"]
    assert found["codex"]["asks"] is True
    assert found["goose"]["command"] == [] and found["goose"]["home"].startswith("https://")


def test_one_is_told_with_how_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "vibe"]) == 0
    assert "uvx, which comes with uv" in capsys.readouterr().out
    assert main(["agents", "nobody"]) == 2
    assert "no agent has the name nobody" in capsys.readouterr().err
    assert main(["agents", "a", "b"]) == 2


def test_the_registry_is_read_anew_and_a_bad_one_changes_nothing(
    machine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["agents", "refresh"]) == 1
    assert "your settings name no registry" in capsys.readouterr().err
    configured(machine, '[known_agents]\nregistry = "http://example.org/x"')
    assert main(["agents", "refresh"]) == 1
    assert "known_agents.registry: it must begin with https://" in capsys.readouterr().err
    source = machine / "list.json"
    configured(machine, f'[known_agents]\nregistry = "{source}"')
    assert main(["agents", "refresh"]) == 1
    assert f"{source}: no such file" in capsys.readouterr().err
    source.write_text(json.dumps(REGISTRY))
    assert main(["agents", "refresh"]) == 0
    assert "3 agents" in (said := capsys.readouterr().out) and "1 made no sense" in said
    source.write_text("[]")
    assert main(["agents", "refresh"]) == 1
    assert "what was read before stays" in capsys.readouterr().err
    found = objects(capsys)
    assert found["newcomer"]["command"] == ["npx", "-y", "newcomer@3"]
    assert found["gemini"]["command"] == ["gemini", "--acp"]
    assert found["wheel"]["state"] == "never"


class Terminal(io.StringIO):
    """Somebody types there."""

    def isatty(self) -> bool:
        return True


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> Terminal:
    monkeypatch.setattr(sys, "stdin", Terminal(text))
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert isinstance(sys.stderr, Terminal)
    return sys.stderr


def test_a_package_is_agreed_to_once_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    env = dict(os.environ)
    said = typed(monkeypatch, "y\n")
    options, _ = by_name(parse(["codex"]), env)
    assert options.command == ("npx", "-y", "@agentclientprotocol/codex-acp")
    assert "\n    npx -y @agentclientprotocol/codex-acp\n" in said.getvalue()
    again = typed(monkeypatch, "")
    assert by_name(parse(["codex"]), env)[0] == options
    assert again.getvalue() == ""


@pytest.mark.parametrize("answer", ["\n", "n\n", "", "yes please\n"])
def test_anything_but_yes_starts_nothing(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    for _ in range(2):
        typed(monkeypatch, answer)
        with pytest.raises(Mistake, match="nothing was started"):
            by_name(parse(["codex"]), dict(os.environ))


def test_where_nobody_can_agree_the_command_to_give_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["codex"]) == 2
    assert "acp-tui -- npx -y @agentclientprotocol/codex-acp" in capsys.readouterr().err
    assert main(["run", "hello", "codex"]) == 2
    assert "nobody is here to agree" in capsys.readouterr().err


def test_the_order_is_name_then_program_and_a_second_meaning_is_told(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    env = dict(os.environ)
    assert by_name(parse(["gemini"]), env)[0].command == ("gemini", "--acp")
    assert capsys.readouterr().err == ""
    for words in (["--", "gemini"], ["gemini", "--acp"], ["unknown-program"]):
        assert by_name(parse(words), env)[0] == parse(words)
    said = typed(monkeypatch, "y\n")
    by_name(parse(["claude"]), env)
    assert "The program of that name: acp-tui -- claude" in said.getvalue()
    (machine / "bin" / "npx").unlink()
    with pytest.raises(Mistake, match=r"Install one of them\. The program of that name: acp-tui -- claude"):
        by_name(parse(["claude"]), env)
    configured(machine, "[agents.gemini]\ncommand = 'mine'")
    assert by_name(parse(["gemini"]), env)[0].command == ("mine",)
