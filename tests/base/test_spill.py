from __future__ import annotations

import gc
import os
from contextlib import suppress
from pathlib import Path

import pytest

from acp_tui.base.shelf import MEMORY, Gone
from acp_tui.base.spill import BLOCK, Spill

SIZES = (0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK)


def test_bytes_come_back_as_they_were(tmp_path: Path) -> None:
    for shelf in (Spill(tmp_path / "made" / "when needed"), MEMORY):
        data = [os.urandom(size) for size in SIZES]
        slips = [shelf.put(one) for one in data]
        assert [slip.load() for slip in slips] == data
        assert [slip.load() for slip in slips] == data


def test_nothing_is_made_before_something_comes(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    Spill(folder)
    assert not folder.exists()


def test_the_file_has_no_name_and_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    before = _open()
    spill = Spill(folder)
    slip = spill.put(b"secret" * 100)
    assert list(folder.iterdir()) == []
    assert folder.stat().st_mode & 0o777 == 0o700
    (fd,) = _open() - before
    assert os.fstat(fd).st_mode & 0o777 == 0o600
    assert not os.get_inheritable(fd)
    del spill
    assert slip.load() == b"secret" * 100
    del slip
    gc.collect()
    assert fd not in _open()


def _open() -> set[int]:
    """The descriptors there are."""
    found = set()
    for fd in range(256):
        with suppress(OSError):
            os.fstat(fd)
            found.add(fd)
    return found


def test_room_that_was_given_back_is_used_again(tmp_path: Path) -> None:
    spill = Spill(tmp_path)
    kept = spill.put(b"k" * BLOCK)
    for number in range(20):
        slip = spill.put(bytes([number]) * BLOCK * 3)
        assert slip.load() == bytes([number]) * BLOCK * 3
        del slip
    assert spill.size <= 7 * BLOCK
    assert kept.load() == b"k" * BLOCK


def test_where_the_disk_refuses_it_stays_in_memory(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    slip = Spill(file / "no folder").put(b"x" * BLOCK * 2)
    assert slip.load() == b"x" * BLOCK * 2


def test_a_file_that_was_cut_is_said_in_words(tmp_path: Path) -> None:
    before = _open()
    spill = Spill(tmp_path)
    slip = spill.put(b"x" * BLOCK)
    (fd,) = _open() - before
    os.ftruncate(fd, 10)
    with pytest.raises(Gone) as gone:
        slip.load()
    assert gone.value.why == "its file was cut"
    assert isinstance(gone.value, OSError)
