"""What was meant to be sent, after any end of a run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui.aip.core.vocabulary import Call
from acp_tui.aip.core.words import Mode
from acp_tui.aip.kept import ledger as module
from acp_tui.aip.kept.ledger import Ledger, Outcome


def call(number: int) -> Call:
    return Call(
        action_id=f"act_{number}",
        capability_id="cap:x",
        input={"ä": [None, 1.5]},
        mode=Mode.ASYNC,
        idempotency_key="idem_1",
    )


def left(folder: Path) -> list[Call]:
    """What a run that starts now is uncertain about."""
    ledger = Ledger(folder)
    ledger.close()
    return ledger.uncertain()


def test_an_intent_is_on_the_disk_before_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    real = os.fsync

    def fsync(fd: int) -> None:
        real(fd)
        synced.append(b"".join(path.read_bytes() for path in tmp_path.glob("*.ndjson")))

    ledger = Ledger(tmp_path)
    monkeypatch.setattr(os, "fsync", fsync)
    ledger.intend(call(1))
    assert b"act_1" in synced[-1] and b"idem_1" in synced[-1]
    ledger.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from acp_tui.aip.core.vocabulary import Call
from acp_tui.aip.kept.ledger import Ledger, Outcome
ledger = Ledger(Path(sys.argv[1]))
for n in range(3):
    ledger.intend(Call(action_id=f"act_{n}", capability_id="cap:x", input=n))
ledger.outcome("act_0", Outcome.SETTLED)
ledger.outcome("act_1", Outcome.KNOWN)
ledger.reached("act_1", "offset:7", 3, "done")
os.write(ledger._file.fileno(), b'{"intent": "act_9", "ca')
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_run_leaves_its_open_ones_to_the_next(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], capture_output=True, timeout=30, check=False
    )
    assert done.returncode == -9, done.stderr
    ledger = Ledger(tmp_path)
    assert [one.action_id for one in ledger.uncertain()] == ["act_2"]
    assert set(ledger.entries) == {"act_1", "act_2"}
    entry = ledger.entries["act_1"]
    assert (entry.outcome, entry.cursor, entry.sequence, entry.ended) == (
        Outcome.KNOWN,
        "offset:7",
        3,
        "done",
    )
    assert len([*tmp_path.glob("*.ndjson")]) == 1, "what was taken over is in the new file"
    ledger.close()
    ledger = Ledger(tmp_path)
    assert set(ledger.entries) == {"act_1", "act_2"}, "and is taken over again"
    ledger.close()


def test_a_living_run_keeps_its_own(tmp_path: Path) -> None:
    first, second = Ledger(tmp_path), Ledger(tmp_path)
    first.intend(call(1))
    assert second.uncertain() == [] and left(tmp_path) == []
    second.close()
    first.close()
    assert left(tmp_path) == [call(1)]


@pytest.mark.parametrize("outcome", [Outcome.SETTLED, Outcome.REFUSED, Outcome.UNSENT, Outcome.GIVEN_UP])
def test_what_is_over_leaves_nothing(tmp_path: Path, outcome: Outcome) -> None:
    ledger = Ledger(tmp_path)
    ledger.intend(call(1))
    ledger.outcome("act_1", outcome)
    ledger.close()
    ledger.close()
    assert [*tmp_path.iterdir()] == []


def test_sent_again_it_is_uncertain_again(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.intend(call(1))
    ledger.outcome("act_1", Outcome.UNSENT)
    ledger.intend(call(1))
    assert ledger.uncertain() == [call(1)]
    ledger.close()


def test_only_so_much_of_the_past_is_kept_but_all_that_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 3)
    ledger = Ledger(tmp_path)
    for number in range(6):
        ledger.intend(call(number))
        if number:
            ledger.outcome(f"act_{number}", Outcome.KNOWN)
    ledger.close()
    ledger = Ledger(tmp_path)
    assert list(ledger.entries) == ["act_0", "act_3", "act_4", "act_5"]
    ledger.close()


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"intent":1}',
        b'{"action":"a"}',
        b'{"outcome":"odd","action":"a"}',
        b"\xff\xfe",
    ],
)
def test_a_line_that_cannot_be_read_costs_only_itself(tmp_path: Path, line: bytes) -> None:
    ledger = Ledger(tmp_path)
    ledger.intend(call(1))
    ledger.close()
    (path,) = tmp_path.glob("*.ndjson")
    path.write_bytes(line + b"\n" + path.read_bytes() + line + b"\n")
    assert left(tmp_path) == [call(1)]


def test_a_record_that_was_written_in_part_does_not_spoil_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(tmp_path)
    monkeypatch.setattr(ledger, "_file", Short(ledger._file))
    with pytest.raises(OSError, match="No space left"):
        ledger.intend(call(1))
    assert ledger.uncertain() == [], "and so it must not be sent"
    monkeypatch.undo()
    ledger.intend(call(2))
    ledger.close()
    assert left(tmp_path) == [call(2)]


class Short:
    """A file on a disk that fills up."""

    def __init__(self, file: object) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        written: int = self._file.write(data[:10])  # type: ignore[attr-defined]
        return written
