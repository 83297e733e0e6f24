"""The words after `acp-tui aip`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from acp_tui import cli
from acp_tui.aip.asked import USAGE, Wrong, asked, known, wants_help, words_for
from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.cli import main
from acp_tui.commands import aip
from acp_tui.commands.mistake import Mistake

URL = "https://gateway.example"
WORK = GatewaySettings(url=URL, token_env="WORK_TOKEN", approvals=True)


def test_an_address_and_flags() -> None:
    words = [
        "--token-file",
        "t",
        "--tenant=me",
        "--dialect",
        "b",
        "--mode",
        "sync",
        "--profile",
        "one",
        "--profile",
        "two",
    ]
    name, settings = asked([URL, *words], {})
    assert (name, settings.url, settings.tenant, settings.stream, settings.mode) == (
        URL,
        URL,
        "me",
        "b",
        "sync",
    )
    assert settings.profiles == ("one", "two") and not settings.approvals
    assert settings.token_file == str(Path.cwd() / "t"), "found from every folder"


def test_a_name_of_the_settings_and_what_is_different_this_time() -> None:
    assert asked(["work"], {"work": WORK}).settings == WORK
    assert asked(["work", "--mode", "sync"], {"work": WORK}).settings == replace(WORK, mode="sync")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ([], "name one gateway"),
        ([URL, "x"], "name one gateway"),
        (["home"], "no [aip.home] in your settings, and it is no address; there are work"),
        ([URL, "--token", "secret"], "name that with --token-env"),
        ([URL, "--bearer=secret"], "name that with --token-env"),
        ([URL, "--token-env", "sk-secret"], "never the token itself"),
        ([URL, "--mode", "later"], "one of sync, async, streaming"),
        ([URL, "--tenant"], "needs a value"),
        (["https://me:secret@gateway.example"], "name that with --token-env"),
        ([f"{URL}?token=secret"], "name that with --token-env"),
        (["http://gateway.example", "--token-env", "X"], "only over https://"),
        (["work", "--token-file", "x"], "either in a variable or in a file"),
    ],
)
def test_what_cannot_be_meant(words: list[str], wanted: str) -> None:
    with pytest.raises(Wrong) as wrong:
        asked(words, {"work": WORK})
    assert wanted in str(wrong.value)
    assert "secret" not in str(wrong.value)


@pytest.mark.parametrize(
    "words", [[URL], [URL, "--tenant", "me", "--approvals"], ["work", "--profile", "a", "--profile", "b"]]
)
def test_the_words_for_the_bridge_mean_the_same(words: list[str]) -> None:
    gateways = {"work": WORK}
    meant = asked(words, gateways)
    assert asked(words_for(*meant, gateways.get(meant.name)), gateways) == meant


def test_the_command_of_the_bridge_is_an_agent_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'[aip.work]\nurl = "{URL}"\ntoken_env = "WORK_TOKEN"\n')
    monkeypatch.setenv("ACP_TUI_CONFIG", str(file))
    monkeypatch.setenv("WORK_TOKEN", "secret")
    assert known()["work"].token_env == "WORK_TOKEN"
    assert aip.command(["work", "--tenant", "me"])[1:] == ("-m", "acp_tui.aip", "work", "--tenant", "me")
    with pytest.raises(Mistake):
        aip.command(["nobody"])
    assert aip.help_wanted(["--help"]) and capsys.readouterr().out == USAGE


def test_the_subcommand(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert (main(["aip", "--help"]), capsys.readouterr().out) == (0, USAGE)
    assert main(["aip", "nobody"]) == 2
    assert "no [aip.nobody]" in capsys.readouterr().err
    started: list[tuple[str, ...]] = []

    def start(options: cli.Options) -> None:
        started.append(options.command)
        raise Mistake("far enough")

    monkeypatch.setattr(cli, "_start", start)
    assert main(["aip", URL, "--tenant", "me"]) == 2
    assert started == [(sys.executable, "-m", "acp_tui.aip", URL, "--tenant", "me")]


def test_without_the_library_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aip, "find_spec", lambda name: None)
    with pytest.raises(Mistake, match=r"pip install 'acp-tui\[aip\]'"):
        aip.command([URL])


def test_the_help_fits_and_names_what_is_not_built() -> None:
    assert max(map(len, USAGE.splitlines())) <= 80
    assert all(word in USAGE for word in ("signing", "federation", "delegation", "callbacks", "transactions"))
    assert wants_help([]) and wants_help(["x", "-h"]) and not wants_help(["x"])
