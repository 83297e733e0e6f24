from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.base import crash


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ACP_TUI_STATE_DIR", str(tmp_path))
    return tmp_path


def broken(words: str) -> Exception:
    hidden = "a value of a variable"
    try:
        raise ValueError(words)
    except ValueError as error:
        assert hidden
        return error


def test_a_report_names_the_place_and_no_values() -> None:
    path = crash.write(broken("what it said"), "drawing")
    assert path is not None
    text = path.read_text()
    assert "drawing" in text
    assert "ValueError: what it said" in text
    assert "test_crash.py" in text
    assert "a value of a variable" not in text.replace('hidden = "a value of a variable"', "")


def test_only_the_owner_reads_it(state: Path) -> None:
    path = crash.write(broken("x"), "")
    assert path is not None
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.is_relative_to(state)


def test_secrets_and_endless_lines_are_not_kept() -> None:
    text = crash.report(broken("token=abcdefgh12345678 " + "x" * 100_000), "")
    assert "abcdefgh12345678" not in text
    assert len(text) < 10_000


def test_hostile_words_do_no_harm() -> None:
    assert crash.write(broken("\ud800 \x1b[31m"), "\udcff") is not None


def test_old_reports_go() -> None:
    for number in range(crash.KEPT + 5):
        crash.write(broken(str(number)), "")
    assert len(list(crash.folder().iterdir())) == crash.KEPT


def test_where_nothing_can_be_written_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACP_TUI_STATE_DIR", "/dev/null/no")
    assert crash.write(broken("x"), "") is None


def test_the_same_mistake_has_the_same_place() -> None:
    assert crash.place(broken("one")) == crash.place(broken("two"))
    assert crash.place(broken("one")) != crash.place(KeyError("one"))
