"""`acp-tui config`: path, show, check, edit."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from acp_tui.base.config.reading import parse
from acp_tui.base.paths import config_file
from acp_tui.cli import main
from acp_tui.ui.keys import BOUND

GOOD = """\
theme = "acp-light"
mouse.capture = false

[keys]
chat.plan = ["f20", "f22"]

[agents.codex]
command = "codex-acp --token hunter2"
options = { fast = true }
mcp = []

[mcp.git]
command = "git-mcp"
env = ["GIT"]

[mcp.web]
url = "https://me:hunter2@x.org"
headers = { Authorization = "Bearer ${T}", X-Odd = "hunter2" }

[[permissions.rules]]
answer = "allow"
command = "ls *"
"""


def write(text: str) -> Path:
    place = config_file()
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


def test_the_example_of_the_readme_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    write(readme.partition("```toml\n")[2].partition("```")[0])
    assert (main(["config", "check"]), capsys.readouterr().out.endswith("all well\n")) == (0, True)


def test_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "path"]) == 0
    assert capsys.readouterr().out == f"{config_file()}\n"


def test_what_holds_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "show"]) == 0
    out = capsys.readouterr().out
    config = parse(config_file(), out.encode())
    assert config.problems == ()
    assert config.settings.theme == "" and config.settings.keys == {}
    assert all(f'# "{id}" = ' in out for id in BOUND)
    assert main(["config", "check"]) == 0
    assert "not there" in capsys.readouterr().out


def test_what_is_shown_could_be_the_file_but_for_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    place = write(GOOD)
    assert main(["config", "check"]) == 0
    assert "all well" in capsys.readouterr().out
    assert main(["config", "show"]) == 0
    out = capsys.readouterr().out
    assert "hunter2" not in out and 'theme = "acp-light"' in out and "# line 1" in out
    said, meant = parse(place, out.partition("\n")[2].encode()), parse(place, GOOD.encode())
    assert said.settings.mouse == meant.settings.mouse
    assert said.settings.keys == meant.settings.keys
    assert said.settings.permissions == meant.settings.permissions
    assert said.settings.mcp["git"] == meant.settings.mcp["git"]
    assert tomllib.loads(out)["mcp"]["web"]["headers"]["Authorization"] == "Bearer ${T}"


def test_every_mistake_is_a_line_and_the_exit_status_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    place = write("theme = 'acp-drk'\n[keys]\nchat.plan = 'f5'\n[composer]\nvim = '\\u001b[2J'\n")
    assert main(["config", "check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" ")[0] for line in lines] == [f"{place}:{n}:" for n in (1, 3, 5)]
    assert main(["config", "show"]) == 0
    assert len(capsys.readouterr().err.splitlines()) == 3


def test_the_editor_and_then_the_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "true")
    assert main(["config", "edit"]) == 0
    assert config_file().read_text().startswith("# Settings of acp-tui.")
    monkeypatch.setenv("EDITOR", "sh -c 'echo thme = 1 >> $0'")
    assert main(["config", "edit"]) == 1
    assert "did you mean theme?" in capsys.readouterr().out
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    assert main(["config", "edit"]) == 1
    assert "could not be edited" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["show", "me"], ["shwo"]])
def test_what_makes_no_sense_is_explained(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", *words]) == 2
    assert "acp-tui config check" in capsys.readouterr().err
