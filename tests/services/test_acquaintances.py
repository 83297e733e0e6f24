"""What was learnt of agents, by command."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui.services import acquaintances
from acp_tui.services.acquaintances import LONGEST, Acquaintance, remember, remembered

CODEX = ("npx", "-y", "codex-acp")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "agents.json"


def test_what_was_learnt_last_is_known_for_exactly_this_command(path: Path) -> None:
    assert remembered(CODEX, path) is None
    remember(CODEX, protocol=1, name="codex", version="1.0", at=1, path=path)
    remember(CODEX, protocol=2, name="codex \ud800", version="2.0", at=2, path=path)
    remember(("other\udcff",), protocol=1, name="", version="", at=3, path=path)
    assert remembered(CODEX, path) == Acquaintance(protocol=2, name="codex ?", version="2.0", at=2)
    assert remembered(("other\udcff",), path) == Acquaintance(protocol=1, at=3)
    for different in [("npx", "-y"), ("npx -y codex-acp",), ("npx", "-y", "codex-acp", "")]:
        assert remembered(different, path) is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_secrets_of_a_command_are_not_kept(path: Path) -> None:
    remember(("agent", "--api-key", "hunter2"), protocol=1, name="a", version="", at=1, path=path)
    assert remembered(("agent", "--api-key", "hunter2"), path) is not None
    assert "hunter2" not in path.read_text()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b'{"agents": 3}',
        b'{"agents": {"x": {"protocol": "no", "at": 1}}}',
        b"\xff\xfe",
        b'{"agents": {}}' + b" " * (1 << 20),
    ],
)
def test_a_damaged_file_is_an_empty_one_and_is_mended(path: Path, damage: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(damage)
    assert remembered(CODEX, path) is None
    remember(CODEX, protocol=2, name="", version="", at=1, path=path)
    assert remembered(CODEX, path) == Acquaintance(protocol=2, at=1)


def test_there_is_an_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acquaintances, "KEEP", 3)
    for at in range(5):
        remember((f"agent-{at}",), protocol=1, name="n" * 999, version="v" * 999, at=at, path=path)
    assert [remembered((f"agent-{at}",), path) is None for at in range(3)] == [True, True, False]
    newest = remembered(("agent-4",), path)
    assert newest is not None and len(newest.name) == len(newest.version) == LONGEST


def test_what_makes_no_sense_or_cannot_be_written_is_not_remembered(path: Path) -> None:
    remember(CODEX, protocol=0, name="", version="", at=1, path=path)
    assert not path.exists()
    path.parent.write_text("no folder")
    remember(CODEX, protocol=1, name="", version="", at=1, path=path)
    assert remembered(CODEX, path) is None


LEARNS = """
import sys
from pathlib import Path
from acp_tui.services import acquaintances
from acp_tui.services.acquaintances import remember
for n in range(10):
    remember((sys.argv[1], str(n)), protocol=1, name="", version="", at=n, path=Path(sys.argv[2]))
"""


def test_two_programs_learn_at_once(path: Path) -> None:
    both = [subprocess.Popen([sys.executable, "-c", LEARNS, name, str(path)]) for name in "ab"]
    try:
        assert [one.wait(timeout=30) for one in both] == [0, 0]
    finally:
        for one in both:
            one.kill()
    assert all(remembered((name, str(n)), path) for name in "ab" for n in range(10))
