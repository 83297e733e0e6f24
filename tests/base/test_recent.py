from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.base.recent import KEEP, RecentCommand, add, load


def used(name: str, cwd: str = "/w", at: float = 1.0) -> RecentCommand:
    return RecentCommand(command=(name, "--flag"), cwd=cwd, used_at=at)


def test_newest_first_each_once_and_not_too_many(tmp_path: Path) -> None:
    path = tmp_path / "recent.json"
    for number in range(KEEP + 3):
        add(used(f"agent{number}"), path)
    add(used("agent7", at=2.0), path)
    names = [known.command[0] for known in load(path)]
    assert names[:2] == ["agent7", f"agent{KEEP + 2}"]
    assert len(names) == len(set(names)) == KEEP


def test_it_is_kept_in_the_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACP_TUI_STATE_DIR", str(tmp_path))
    assert load() == []
    add(used("agent"))
    assert load() == [used("agent")]


@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"[]", b'{"commands": [{"command": []}]}', b'{"commands": 3}']
)
def test_a_damaged_file_reads_as_empty_and_heals(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "recent.json"
    path.write_bytes(content)
    assert load(path) == []
    add(used("agent"), path)
    assert load(path) == [used("agent")]


def test_commands_with_secrets_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "recent.json"
    add(RecentCommand(command=("agent", "--api-key", "abcdef"), cwd="/", used_at=0.0), path)
    assert not path.exists()


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    add(used("agent"), tmp_path / "file" / "recent.json")
    assert load(tmp_path / "file" / "recent.json") == []
