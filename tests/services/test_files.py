"""The index of a session's files."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

import pytest

from acp_tui.services.files import FileIndex


def make(root: Path, *names: str, **texts: str) -> Path:
    for name in names:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("x")
    return root


def indexed(*roots: Path, most: int = 1000) -> FileIndex:
    index = FileIndex(tuple(map(str, roots)), most=most)
    for _ in index.build():
        pass
    assert index.done
    return index


def names(index: FileIndex) -> set[str]:
    return {match.path for match in index.best("", 1000)}


def test_files_and_folders_of_all_roots(tmp_path: Path) -> None:
    one = make(tmp_path / "one", "a.py", "src/b.py", ".github/ci.yml", ".git/config", "empty/")
    two = make(tmp_path / "two", "c.py")
    found = names(indexed(one, two, one / "src", one))
    assert found == {
        *("a.py", "src/", "src/b.py", ".github/", ".github/ci.yml", "empty/"),
        str(two / "c.py"),
    }


def test_ignore_files_count_as_for_git(tmp_path: Path) -> None:
    make(
        tmp_path, ".git/info/", "sub/keep.log", "sub/deep/a.log", "sub/deep/out/x", "out/y", "node_modules/z"
    )
    (tmp_path / ".gitignore").write_text("*.log\n/out/\nnode_modules\n")
    (tmp_path / "sub" / ".gitignore").write_text("!keep.log\n")
    (tmp_path / ".git" / "info" / "exclude").write_text("secret*\n")
    make(tmp_path, "secret.txt", "node_modules/.gitignore")
    (tmp_path / "node_modules" / ".gitignore").write_text("!z\n")
    files = {name for name in names(indexed(tmp_path)) if not name.endswith(("/", ".gitignore"))}
    assert files == {"sub/keep.log", "sub/deep/out/x"}
    below = {name for name in names(indexed(tmp_path / "sub" / "deep")) if not name.endswith("/")}
    assert below == {"out/x"}, "the rules of the repository above count too"


@pytest.mark.parametrize("text", ["[", "\x00\x01", "a\n" * 10_000, "[z-a]\n!\n/\n"])
def test_an_ignore_file_that_is_none_ignores_nothing_else(tmp_path: Path, text: str) -> None:
    make(tmp_path, "b.py")
    (tmp_path / ".gitignore").write_text(text)
    assert "b.py" in names(indexed(tmp_path))


def test_links_lead_nowhere_and_names_nobody_can_write_are_counted(tmp_path: Path) -> None:
    make(tmp_path, "src/a.py", "évil.py", "with blank.py")
    (tmp_path / "src" / "loop").symlink_to(tmp_path)
    (tmp_path / "dead").symlink_to(tmp_path / "nothing")
    for bad in ("\x1b[31mred", "line\nbreak", "\u202egnp.exe"):
        (tmp_path / bad).touch()
    with open(os.fsencode(tmp_path) + b"/\xff\xfe", "wb"):
        pass
    index = indexed(tmp_path)
    assert names(index) == {"src/", "src/a.py", "src/loop", "dead", "évil.py", "with blank.py"}
    assert index.unspeakable == 4


def test_what_cannot_be_read_is_counted(tmp_path: Path) -> None:
    index = indexed(tmp_path / "nowhere", make(tmp_path / "there", "a"))
    assert index.unreadable == 1
    assert len(index) == 1


def test_there_is_an_end(tmp_path: Path) -> None:
    make(tmp_path, *(f"f{n}" for n in range(20)))
    index = indexed(tmp_path, most=10)
    assert len(index) == 10
    assert index.truncated


def test_it_is_built_in_steps_and_can_be_searched_meanwhile(tmp_path: Path) -> None:
    make(tmp_path, *(f"f{n}.py" for n in range(20)))
    ticks = count()
    index = FileIndex((str(tmp_path),), clock=lambda: float(next(ticks)))
    building = index.build()
    next(building)
    assert 0 < len(index) < 20
    assert index.best("f")
    assert not index.done
    assert list(building)[-1] == 20
