"""The secret store (checks 23, 33, 37)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from acp_tui.aip.kept.tokens import Token, Tokens


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "tokens"


def test_a_token_comes_back_and_is_replaced_whole(folder: Path) -> None:
    tokens = Tokens(folder)
    assert tokens.get("sess_1") is None
    tokens.replace(Token("sess_1", "one", "c"))
    tokens.replace(Token("sess_1", "two"))
    assert tokens.get("sess_1") == Token("sess_1", "two")
    assert "two" not in repr(tokens.get("sess_1"))
    assert len([*folder.iterdir()]) == 1


def test_33_modes_are_the_owners_alone_whatever_they_were(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    tokens = Tokens(folder)
    tokens.replace(Token("sess_1", "one"))
    (path,) = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)


@pytest.mark.parametrize("id", ["../../etc/passwd", "sess_1/../x", "", "ä" * 300])
def test_what_a_session_is_called_is_no_name_of_a_file(folder: Path, id: str) -> None:
    tokens = Tokens(folder)
    tokens.replace(Token(id, "one"))
    assert tokens.get(id) == Token(id, "one")
    assert [path.parent for path in folder.iterdir()] == [folder]


def test_23_a_replacement_that_fails_leaves_the_old_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = Tokens(folder)
    tokens.replace(Token("sess_1", "one"))

    def full(*names: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        tokens.replace(Token("sess_1", "two"))
    assert tokens.get("sess_1") == Token("sess_1", "one")
    assert len([*folder.iterdir()]) == 1


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"session":"sess_1"}', b'{"session":"sess_2","token":"x"}']
)
def test_what_cannot_be_read_is_no_token(folder: Path, content: bytes) -> None:
    tokens = Tokens(folder)
    tokens.replace(Token("sess_1", "one"))
    (path,) = folder.iterdir()
    path.write_bytes(content)
    assert tokens.get("sess_1") is None


def test_37_destroyed_is_destroyed(folder: Path) -> None:
    tokens = Tokens(folder)
    tokens.destroy("sess_1")
    tokens.replace(Token("sess_1", "one"))
    tokens.destroy("sess_1")
    assert tokens.get("sess_1") is None and [*folder.iterdir()] == []
