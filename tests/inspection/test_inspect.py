"""The command itself: what it reads, what it prints, how it fails."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_tui.inspect import main, understand

NEW = {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": "/w"}}
NAMED = {"jsonrpc": "2.0", "id": 1, "result": {"sessionId": "A"}}
ASKED = {
    "jsonrpc": "2.0",
    "id": 5,
    "method": "session/request_permission",
    "params": {
        "sessionId": "A",
        "title": "t",
        "options": [{"optionId": "y", "name": "Y", "kind": "allow_once"}],
    },
}
CANCEL = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "A"}}
KEYS = {
    "connection",
    "auth",
    "sessions",
    "submissions",
    "agentRequests",
    "urlElicitations",
    "outbound",
    "divergences",
    "dropped",
}


def trace(folder: Path, *entries: dict[str, Any], name: str = "t.ndjson") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def test_one_file_is_one_object_with_every_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(trace(tmp_path))]) == 0
    state = json.loads(capsys.readouterr().out)
    assert set(state) == KEYS
    assert state["connection"]["action"] == "ready"


def test_several_files_are_an_object_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = trace(tmp_path, name="1"), trace(tmp_path, {"dir": "c2a", "msg": NEW}, name="2")
    assert main([str(one), str(two)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["file"] for line in lines] == [str(one), str(two)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{oops\n{}\n", "line 1 is not JSON"),
        ("[]\n[]\n", "entry 1 is no object"),
        ('{"dir": "up", "msg": {}}\n', "entry 1 has no direction"),
        ('{"dir": "a2c"}\n', "entry 1 has neither msg nor raw"),
        ("\xff\xfe", "line 1 is not JSON"),
    ],
)
def test_what_cannot_be_read_is_told(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad"
    path.write_bytes(text.encode("latin-1"))
    assert main([str(path), str(trace(tmp_path))]) == 1
    out, err = capsys.readouterr()
    assert f"{path}: {words}" in err
    assert len(out.splitlines()) == 1


def test_a_missing_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nothing")]) == 1
    assert "No such file" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 1


def test_without_a_file_it_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert main(["--help"]) == 0
    assert "usage: acp-tui inspect FILE..." in capsys.readouterr().out


@pytest.mark.parametrize("fulfilled", [True, False, None])
def test_a_recorded_answer_fulfils_the_automatic_one(fulfilled: bool | None, tmp_path: Path) -> None:
    automatic = {"outcome": {"outcome": "cancelled"}}
    other = {"outcome": {"outcome": "selected", "optionId": "y"}}
    answer = {"jsonrpc": "2.0", "id": 5, "result": automatic if fulfilled else other}
    entries: list[dict[str, Any]] = [
        {"dir": "c2a", "msg": NEW},
        {"dir": "a2c", "msg": NAMED},
        {"dir": "a2c", "msg": ASKED},
        {"dir": "c2a", "msg": CANCEL},
    ]
    if fulfilled is not None:
        entries.append({"dir": "c2a", "msg": answer})
    state = understand(trace(tmp_path, *entries))
    assert [sent["result"] for sent in state["outbound"]] == [automatic]
    assert state["agentRequests"]["5"]["outcome"] == {"outcome": "cancelled"}
    assert len(state["divergences"]) == (1 if fulfilled is False else 0)


def test_a_lost_connection(tmp_path: Path) -> None:
    path = trace(
        tmp_path, {"dir": "c2a", "msg": NEW}, {"dir": "a2c", "msg": NAMED}, {"event": "connection_lost"}
    )
    state = understand(path)
    assert state["sessions"]["A"]["state"] == "disconnected"
    assert state["connection"]["phase"] == "lost"


def test_a_journal_with_a_torn_end(tmp_path: Path) -> None:
    path = trace(
        tmp_path,
        {"acp-tui-journal": 1, "generation": 1},
        {"seq": 0, "t": 5.0, "dir": ">", "session": None, "msg": NEW},
        {"seq": 1, "t": 6.0, "dir": "<", "session": "A", "msg": NAMED},
        {"seq": 2, "t": 7.0, "dir": "<", "session": None, "raw": "npm notice"},
        {"seq": 3, "t": 7.0, "dir": "#", "session": None, "event": "gap", "missing": 3},
    )
    with path.open("a") as file:
        file.write('{"seq": 4, "t": 8.0, "dir": "<", "se')
    state = understand(path)
    assert state["sessions"]["A"]["state"] == "idle"
    assert state["connection"]["garbage"] == 1


def test_two_connections_in_one_record(tmp_path: Path) -> None:
    """A file that goes on after a loss: the second `initialize` begins a new generation."""
    params = {"protocolVersion": 2, "info": {"name": "c", "version": "1"}, "capabilities": {}}
    agreed = {"protocolVersion": 2, "info": {"name": "a", "version": "1"}, "capabilities": {"session": {}}}
    begin = [
        {"dir": "c2a", "msg": {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}},
        {"dir": "a2c", "msg": {"jsonrpc": "2.0", "id": 0, "result": agreed}},
    ]
    opened = [{"dir": "c2a", "msg": NEW}, {"dir": "a2c", "msg": NAMED}]
    resume = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "session/resume",
        "params": {"sessionId": "A", "cwd": "/w"},
    }
    back = [{"dir": "c2a", "msg": resume}, {"dir": "a2c", "msg": {"jsonrpc": "2.0", "id": 1, "result": {}}}]
    state = understand(trace(tmp_path, *begin, *opened, {"event": "connection_lost"}, *begin, *back))
    assert list(state["sessions"]) == ["A"]
    assert state["sessions"]["A"]["state"] == "unknown"
    assert state["connection"]["phase"] == "ready"


def test_the_program_knows_the_word(tmp_path: Path) -> None:
    path = trace(tmp_path, {"dir": "c2a", "msg": NEW}, {"dir": "a2c", "msg": NAMED})
    command = [sys.executable, "-m", "acp_tui", "inspect", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert list(json.loads(done.stdout)["sessions"]) == ["A"]
