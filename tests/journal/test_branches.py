"""The branch of a folder, whatever stands in its git files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from acp_tui.journal.branches import LONGEST, branch


def head(folder: Path, said: bytes) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_bytes(said)
    return folder


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (b"ref: refs/heads/main\n", "main"),
        (b"ref: refs/heads/fix/the-parser\n", "fix/the-parser"),
        (b"0123456789abcdef0123456789abcdef01234567\n", "0123456"),
        (b"", ""),
        (b"\n\n", ""),
        (b"ref: refs/heads/" + b"x" * 9000, "x" * LONGEST),
        (b"ref: refs/heads/a\nb\x1b[31m", "a"),
    ],
)
def test_of_the_folder_and_those_below(tmp_path: Path, said: bytes, name: str) -> None:
    repository = head(tmp_path / "repository", said)
    (repository / "src" / "deep").mkdir(parents=True)
    assert branch(str(repository)) == branch(str(repository / "src" / "deep")) == name


def test_of_a_worktree(tmp_path: Path) -> None:
    main = head(tmp_path / "main", b"ref: refs/heads/main\n")
    (main / ".git" / "worktrees" / "w").mkdir(parents=True)
    (main / ".git" / "worktrees" / "w" / "HEAD").write_text("ref: refs/heads/other\n")
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_text("gitdir: ../main/.git/worktrees/w\n")
    assert branch(str(tmp_path / "w")) == "other"
    assert branch(str(tmp_path / "w" / "not" / "there")) == "other"


@pytest.mark.parametrize("folder", ["", "here", "/nowhere/at/all", "/a\0b", "/"])
def test_without_git_there_is_none(folder: str) -> None:
    assert branch(folder) == ""


def test_a_pipe_holds_up_nobody(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    assert branch(str(tmp_path)) == ""
