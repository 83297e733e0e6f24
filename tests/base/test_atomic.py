from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.base import atomic


def test_the_file_is_replaced_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file"
    atomic.write(path, b"one")
    atomic.write(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.mkdir()
    with pytest.raises(OSError):
        atomic.write(path, b"data")
    assert list(tmp_path.iterdir()) == [path]
