"""The command line: our options, then the agent's command as it is; a mistake is one line and status 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui import __version__
from acp_tui.cli import Mistake, Options, environment, folder, main, parse, unquoted


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["codex-acp"], ("codex-acp",)),
        (["npx", "@agentclientprotocol/codex-acp"], ("npx", "@agentclientprotocol/codex-acp")),
        (["my-agent", "--cwd", "/x", "--help"], ("my-agent", "--cwd", "/x", "--help")),
        (["--", "./my-agent", "--flag"], ("./my-agent", "--flag")),
        (["--", "demo"], ("demo",)),
        (["--", "--odd"], ("--odd",)),
        (["agent", "--", "x"], ("agent", "--", "x")),
        (["a b"], ("a b",)),
        (["-"], ("-",)),
    ],
)
def test_the_first_other_word_starts_the_command(words: list[str], command: tuple[str, ...]) -> None:
    assert parse(words) == Options(command=command, forced=words[0] == "--")


def test_our_options_come_first() -> None:
    words = ["--cwd", "/tmp", "--env", "A", "--env=B", "--theme=acp-light", "agent", "--env", "C"]
    assert parse(words) == Options(
        command=("agent", "--env", "C"), cwd="/tmp", env=("A", "B"), theme="acp-light"
    )


def test_a_saved_session_to_go_on_with() -> None:
    assert parse(["--continue"]) == Options(again=True)
    assert parse(["--resume", "1a2b"]) == Options(resume="1a2b")
    assert parse(["--resume=1a2b", "--cwd", "/x", "agent"]) == Options(
        resume="1a2b", cwd="/x", command=("agent",)
    )


def test_subcommands() -> None:
    assert parse(["demo"]) == Options(subcommand="demo")
    assert parse(["inspect", "a.jsonl", "b"]) == Options(subcommand="inspect", arguments=("a.jsonl", "b"))
    assert parse([]) == Options()


@pytest.mark.parametrize("words", [["--version"], ["-V"], ["--theme", "x", "--version"]])
def test_version_ends_the_reading(words: list[str]) -> None:
    assert parse([*words, "--no-such-thing"]).show == "version"


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (["--colour", "agent"], "unknown option --colour"),
        (["-x"], "unknown option -x"),
        (["--cwd"], "--cwd needs a value"),
        (["--resume"], "--resume needs a value"),
        (["--env="], "--env needs a value"),
        (["--"], "no command after it"),
        ([""], "the command is empty"),
    ],
)
def test_mistakes(words: list[str], about: str) -> None:
    with pytest.raises(Mistake, match=about):
        parse(words)


def test_the_folder_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert folder(Options(cwd=str(tmp_path))) == str(tmp_path)
    with pytest.raises(Mistake, match="no such folder"):
        folder(Options(cwd=str(tmp_path / "gone")))
    with pytest.raises(Mistake, match="not a folder"):
        folder(Options(cwd=str(tmp_path / "file")))


def test_the_folder_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    assert folder(Options(cwd="sub")) == str(tmp_path / "sub")
    assert folder(Options()) == str(tmp_path)


def test_a_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    here.rmdir()
    with pytest.raises(Mistake, match="--cwd"):
        folder(Options())


def test_a_command_in_one_quoted_word_is_taken_apart(tmp_path: Path) -> None:
    here, path = str(tmp_path), os.environ["PATH"]
    assert unquoted(("sh -c 'echo $HOME; ls *'",), here, path) == ("sh", "-c", "echo $HOME; ls *")
    assert unquoted(("sh", "-c ls"), here, path) == ("sh", "-c ls")
    assert unquoted(("sh 'unfinished",), here, path) == ("sh 'unfinished",)
    (tmp_path / "my agent").touch()
    assert unquoted(("my agent",), here, path) == ("my agent",)


def test_the_environment_is_a_copy_and_names_must_be_set() -> None:
    given = {"KEY": "secret"}
    assert environment(Options(env=("KEY",)), given) == given
    assert environment(Options(), given) is not given
    with pytest.raises(Mistake, match="--env OTHER"):
        environment(Options(env=("OTHER",)), given)


def test_a_value_on_the_command_line_is_refused_and_not_repeated() -> None:
    with pytest.raises(Mistake) as caught:
        environment(Options(env=("KEY=secret",)), {})
    assert "secret" not in str(caught.value)


def test_main_says_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--colour"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("acp-tui: ") and err.count("\n") == 1


def test_main_prints_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"acp-tui {__version__}\n"


def test_help_fits_a_narrow_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("acp-tui demo" in line for line in lines)


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "acp_tui", *words]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, env=os.environ
    )


def test_without_a_terminal_it_says_so(tmp_path: Path) -> None:
    done = run("true", cwd=tmp_path)
    assert done.returncode == 2
    assert "terminal" in done.stderr and done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_missing_folder_is_said_before_anything_starts(tmp_path: Path) -> None:
    done = run("--cwd", str(tmp_path / "gone"), "true", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"acp-tui: --cwd {tmp_path / 'gone'}: no such folder\n"
