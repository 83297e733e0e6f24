"""`acp-tui sessions`, `search`, `show` and `export`: what they print, and how they end."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui.cli import LIBRARY, main
from acp_tui.commands.mistake import Mistake
from acp_tui.commands.reading import read
from acp_tui.journal.marks import Marks
from tests.journal.exporting import EVERYTHING, REST
from tests.journal.keeping import INITIALIZE, chunk, library, opened, run, said, turn

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sessions of folder `/w`, and one of everything."""
    folder = tmp_path / "state"
    monkeypatch.setenv("ACP_TUI_STATE_DIR", str(folder))
    monkeypatch.setenv("ACP_TUI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TZ", "UTC")
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    journals = folder / "journal"
    journals.mkdir(parents=True)
    run(journals, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *turn("a", 2, 3)])
    many = [*turn("b", 7, 2), chunk("b", "x", "see the zebra \x1b[31mhere")]
    run(journals, [*INITIALIZE, *opened("b"), *many], pid=8, at=5000.0)
    run(journals, [*said(EVERYTHING), *REST], pid=9, at=9000.0)
    return folder


def ids(state: Path) -> list[str]:
    return [saved.id for saved in library(state)]


def test_a_table_of_sessions(state: Path, capsys: Printed) -> None:
    assert main(["sessions", "--all"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["id", "last", "active", "agent", "length", "state", "folder", "title"]
    assert [row.split()[0] for row in rows] == ids(state)[::-1]
    assert rows[2].endswith("question 1") and "test agent" in rows[2]
    assert len({row.index("/") for row in rows}) == 1


@pytest.mark.parametrize("words", [["--cwd", "/w", "sessions"], ["sessions", "--cwd=/w/"]])
def test_a_folder_is_named_before_the_command_or_after_it(
    state: Path, capsys: Printed, words: list[str]
) -> None:
    assert main([*words, "--plain"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["--cwd", "/w", "show", "--last"]) == 0
    assert capsys.readouterr().out
    assert main(["show", "--last", "--cwd", "/nowhere"]) == 1


def test_sessions_of_another_folder_are_not_listed(state: Path, capsys: Printed) -> None:
    assert main(["sessions"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "--all lists those of all folders" in err


def test_sessions_for_programs(state: Path, capsys: Printed) -> None:
    assert main(["sessions", "--all", "--json", "--limit=2"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["id"], second["id"]) == tuple(ids(state)[:0:-1])
    assert (second["title"], second["cwd"], second["sessionId"]) == ("question 7", "/w", "b")
    assert "saved" in second["badges"]


def test_the_trash_is_listed_and_emptied_when_that_is_meant(state: Path, capsys: Printed) -> None:
    gone, *others = ids(state)
    Marks(state / "marks.ndjson").trash(gone, 2000.0)
    assert main(["sessions", "--trash"]) == 0
    assert [row.split()[0] for row in capsys.readouterr().out.splitlines()[1:]] == [gone]
    assert main(["sessions", "--empty-trash"]) == 0
    assert re.search(
        r"in the trash: 1 session, .* kB of journals; --empty-trash --yes", capsys.readouterr().err
    )
    assert ids(state) == [gone, *others]
    assert main(["sessions", "--empty-trash", "--yes"]) == 0
    assert "removed for good: 1 session" in capsys.readouterr().err
    assert ids(state) == others
    assert main(["sessions", "--trash"]) == 0
    assert "nothing in the trash" in capsys.readouterr().err


def test_more_than_are_listed_is_said(state: Path, capsys: Printed) -> None:
    assert main(["sessions", "--all", "--agent", "test agent", "--limit", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 2
    assert "1 more: --limit 2" in err


def test_search_is_like_grep(state: Path, capsys: Printed) -> None:
    assert main(["search", "zebra"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert line == f"{ids(state)[1]}:agent_message/x: see the zebra here"
    assert main(["search", "--json", "zebra"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["entity"], found["found"]) == ("agent_message", "x", "zebra")
    assert found["session"]["id"] == ids(state)[1]
    assert main(["search", "nowhere", "at", "all"]) == 1
    assert capsys.readouterr().out == ""


def test_what_search_prints_can_be_shown(state: Path, capsys: Printed) -> None:
    assert main(["search", '"answer 2"']) == 0
    place = capsys.readouterr().out.split(": ")[0]
    assert main(["show", place]) == 0
    shown = capsys.readouterr().out
    assert "answer 2" in shown and "answer 1" not in shown and "question 2" not in shown


def test_show_prints_the_words_of_the_screen(state: Path, capsys: Printed) -> None:
    assert main(["show", ids(state)[0][:7], "--width", "60"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.partition("\n\n")[2].splitlines() == [
        *("▌ question 1", "", " answer 1: 111", ""),
        f"{' ✓ · look':<54}1.0 s",
        *("", "▌ question 2", "", " answer 2: 222", ""),
        f"{' ✓ · look':<54}1.0 s",
    ]


def test_numbers_lead_to_parts(state: Path, capsys: Printed) -> None:
    assert main(["show", ids(state)[0], "--numbers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    [number] = [line.split()[0] for line in lines if "question 2" in line and "▌" in line]
    assert main(["show", ids(state)[0], "--from", number, "--to", number]) == 0
    shown = capsys.readouterr().out
    assert "question 2" in shown and "answer" not in shown


def test_unfolded_all_is_shown(state: Path, capsys: Printed) -> None:
    id = ids(state)[2]
    assert main(["show", id]) == 0
    folded = capsys.readouterr().out
    assert main(["show", id, "--unfold"]) == 0
    unfolded = capsys.readouterr().out
    for words in ("The first thought, rewritten.", "a.py:2: # TODO 2", "We talked about tests."):
        assert words in unfolded and words not in folded
    for out in (folded, unfolded):
        assert "\x1b" not in out
        assert max(map(len, out.splitlines())) <= 80


def test_the_last_of_a_folder(
    state: Path, capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show", "--last"]) == 1
    assert "nothing was saved in this folder yet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "about"),
    [
        (["show", "zzz"], 1, "no session has an id that begins with zzz; acp-tui sessions --all"),
        (["show"], 2, "name one session"),
        (["show", "a", "b"], 2, "name one session"),
        (["show", ":x"], 2, "the id is empty"),
        (["show", "--width", "7", "a"], 2, "a number from 20 to 1000"),
        (["show", "--colour"], 2, "unknown option --colour of show (see acp-tui show --help)"),
        (["show", "--width"], 2, "--width needs a value"),
        (["show", "--last=1"], 2, "--last takes no value"),
        (["search"], 2, "what is sought?"),
        (["search", "(", "🎉"], 2, "there are none in what is sought"),
        (["search", "--here", "--all", "x"], 2, "which?"),
        (["sessions", "x"], 2, "takes options only"),
        (["export", "a", "--format", "pdf"], 2, "it is one of md, html, json, text, svg"),
        (["export", "a", "-o", "/no/such/folder/x"], 2, "no such folder"),
        (["export", "a", "-o", "/"], 2, "is a folder"),
    ],
)
def test_one_line_says_what_is_wrong(
    state: Path, capsys: Printed, words: list[str], status: int, about: str
) -> None:
    assert main(words) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("acp-tui: ") and err.count("\n") == 1 and about in err


def test_places_that_are_none(state: Path, capsys: Printed) -> None:
    id = ids(state)[0]
    for words, about in ((["--from", "99"], "numbered from 1"), (["--to", "nonsense"], "names no entry")):
        assert main(["show", id, *words]) == 1
        assert about in capsys.readouterr().err


@pytest.mark.parametrize("name", LIBRARY)
def test_help_teaches_and_fits(state: Path, capsys: Printed, name: str) -> None:
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "exit status" in out and f"acp-tui {name}" in out


def test_export_writes_a_file_once(state: Path, capsys: Printed, tmp_path: Path) -> None:
    id, file = ids(state)[0], tmp_path / "talk.html"
    assert main(["export", id, "-o", str(file)]) == 0
    assert capsys.readouterr() == ("", f"acp-tui: written to {file}\n")
    assert file.read_text().startswith("<!DOCTYPE html>")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("mine")
    assert main(["export", id, "-o", str(file)]) == 2
    assert "--force replaces it" in capsys.readouterr().err
    assert file.read_text() == "mine"
    assert main(["export", id, "-o", str(file), "--force", "--format", "json"]) == 0
    assert json.loads(file.read_text())["session"]["id"] == id
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ([], "# question 1\n"),
        (["--format", "md", "-o", "-"], "# question 1\n"),
        (["--format=text"], "question 1\n"),
        (["--format", "json"], '{"format":"acp-tui conversation","version":1'),
        (["--format", "svg"], "<svg"),
    ],
)
def test_export_to_standard_output(state: Path, capsys: Printed, words: list[str], begins: str) -> None:
    assert main(["export", ids(state)[0], *words]) == 0
    assert capsys.readouterr().out.startswith(begins)


def test_export_tells_its_schema(state: Path, capsys: Printed) -> None:
    assert main(["export", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "A conversation exported by acp-tui"


def test_a_file_that_cannot_be_written(
    state: Path, capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", ids(state)[0], "-o", "x" * 300]) == 1
    err = capsys.readouterr().err
    assert "could not be written: File name too long" in err and err.count("\n") == 1


def test_a_journal_that_is_gone(state: Path, capsys: Printed) -> None:
    assert main(["sessions", "--all"]) == 0
    for path in state.rglob("*.ndjson"):
        path.write_bytes(b"garbage\n")
    capsys.readouterr()
    assert main(["show", "0"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_options_and_words() -> None:
    words = read("x", ["a", "--one", "--two=2", "-", "--two", "3", "--", "--four"], ["--one"], ["--two"])
    assert words.rest == ("a", "-", "--four")
    assert words.options == {"--one": "", "--two": "3"}
    with pytest.raises(Mistake, match="number"):
        words.number("--one", 5)


def shell(state: Path, command: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PY": sys.executable, "PYTHONIOENCODING": "ascii"}
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, env=env, timeout=60, check=False
    )


def test_whoever_stops_reading_ends_it_quietly(state: Path) -> None:
    id = ids(state)[2]
    done = shell(state, f'"$PY" -m acp_tui show {id} --unfold | true; echo "${{PIPESTATUS[0]}}"')
    assert done.stderr == ""
    assert done.stdout in ("141\n", "0\n")
    done = shell(state, f'"$PY" -m acp_tui show {id} --unfold')
    assert (done.returncode, done.stderr) == (0, "")
    assert "? MESSAGES" in done.stdout
    if Path("/dev/full").exists():
        done = shell(state, f'"$PY" -m acp_tui show {id} --unfold >/dev/full')
        full = "acp-tui: not all of it could be written: the disk is full.\n"
        assert (done.returncode, done.stderr) == (1, full)


def test_a_pipe_gets_no_app_and_no_colour(state: Path) -> None:
    code = (
        "import sys\nfrom acp_tui.cli import main\nmain(['show', sys.argv[1]])\n"
        "print([n for n in sys.modules if n.startswith(('textual.app', 'textual.widget', 'acp_tui.ui'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, ids(state)[0]], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert not re.search("\x1b", done.stdout)
