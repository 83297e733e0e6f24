from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.base import paths


def test_asking_makes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACP_TUI_STATE_DIR", str(tmp_path / "state"))
    assert paths.journal_dir() == tmp_path / "state" / "journal"
    assert list(tmp_path.iterdir()) == []


def test_each_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACP_TUI_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("ACP_TUI_CACHE_DIR", str(tmp_path / "cache"))
    assert (paths.config_dir(), paths.cache_dir()) == (tmp_path / "config", tmp_path / "cache")


def test_the_settings_file_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACP_TUI_CONFIG_DIR", str(tmp_path))
    monkeypatch.delenv("ACP_TUI_CONFIG", raising=False)
    assert paths.config_file() == tmp_path / "config.toml"
    monkeypatch.setenv("ACP_TUI_CONFIG", str(tmp_path / "other.toml"))
    assert paths.config_file() == tmp_path / "other.toml"


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACP_TUI_STATE_DIR", "")
    assert "acp-tui" in str(paths.state_dir())


def test_private_folders_are_for_the_owner_and_existing_ones_untouched(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    made = paths.private(tmp_path / "a" / "b")
    assert made == tmp_path / "a" / "b"
    assert [p.stat().st_mode & 0o777 for p in (tmp_path, made.parent, made)] == [0o755, 0o700, 0o700]


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(OSError):
        paths.private(tmp_path / "a" / "b")
