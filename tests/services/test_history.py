"""Prompts that were sent, by folder."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui.services.history import LONGEST, History, Prompt


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "history" / "h.ndjson"


def texts(history: History) -> list[str]:
    return [prompt.text for prompt in history.prompts()]


def test_newest_first_each_once_and_whole(path: Path) -> None:
    history = History("/w", path)
    paste = "\n".join(f"line {n} \x1b[31m ü \ud800" for n in range(100))
    for at, text in enumerate(["one", paste, "two", "one", "  ", ""]):
        history.add(text, at)
    assert texts(History("/w", path)) == ["one", "two", paste]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_folders_have_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACP_TUI_STATE_DIR", str(tmp_path))
    History("/a").add("in a", 1)
    History("/b\udcff").add("in b", 1)
    assert texts(History("/a")) == ["in a"]
    assert texts(History("/b\udcff")) == ["in b"]


def test_search_wants_every_word(path: Path) -> None:
    history = History("/w", path)
    for text in ["fix the parser", "Fix the lexer", "write docs"]:
        history.add(text, 1)
    assert [one.text for one in history.search("fix THE")] == ["Fix the lexer", "fix the parser"]
    assert list(history.search("")) == history.prompts()
    assert list(history.search("nothing")) == []


def test_there_is_an_end(path: Path) -> None:
    history = History("/w", path, keep=5)
    for n in range(100):
        history.add(f"prompt {n} " + "x" * 100, n)
    assert [text.split()[1] for text in texts(history)] == ["99", "98", "97", "96", "95"]
    assert len(path.read_bytes().splitlines()) <= 11
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    history.add("y" * (LONGEST + 1), 200)
    assert texts(history)[0].startswith("prompt 99")


def test_what_is_torn_or_strange_costs_nothing_else(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"at":1,"text":"one"}\n[]\n{"text":5}\n\xff\xfe\n{"at":2,"text":"tor')
    history = History("/w", path)
    assert texts(history) == ["one"]
    history.add("two", 3)
    assert texts(history) == ["two", "one"]


def test_what_is_forgotten_is_gone(path: Path) -> None:
    history = History("/w", path)
    history.add("my password", 1)
    history.add("other", 2)
    history.forget("my password")
    assert texts(history) == ["other"]
    assert b"password" not in path.read_bytes()


def test_where_nothing_can_be_written_nothing_happens(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    history = History("/w", tmp_path / "file" / "h.ndjson")
    history.add("one", 1)
    history.forget("one")
    assert texts(history) == []


def test_several_programs_add_at_once(path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from acp_tui.services.history import History\n"
        "history = History('/w', Path(sys.argv[1]), keep=80)\n"
        "for n in range(60): history.add(f'{sys.argv[2]} {n} ' + 'x' * 300, n)"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(path), name]) for name in "ab"]
    assert [one.wait(60) for one in running] == [0, 0]
    kept = [text.split()[:2] for text in texts(History("/w", path, keep=80))]
    assert len(kept) == 80
    for name in "ab":
        mine = [int(number) for who, number in kept if who == name]
        assert mine == sorted(mine, reverse=True)
        assert mine[:1] == [59] or not mine


def test_it_is_known_what_of_it_was_pasted(path: Path) -> None:
    history = History("/w", path)
    history.add("see <paste>", 1, [(4, 11)])
    assert history.prompts() == [Prompt("see <paste>", ((4, 11),))]
    with path.open("a") as file:
        file.write('{"text":"odd","pasted":[[1],[2,true],["a",3],[1,2],5]}\n{"text":"none","pasted":7}\n')
    assert [one.pasted for one in history.prompts()] == [(), ((1, 2),), ((4, 11),)]
