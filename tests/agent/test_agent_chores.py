from __future__ import annotations

import errno
from pathlib import Path

import anyio
import pytest

from acp_tui.agent.chores import Alarm, Saver
from acp_tui.journal.log import Header, Journal

from .conftest import PATIENCE

pytestmark = pytest.mark.anyio
HEADER = Header(generation=1, command=("agent",), cwd="/", started=0.0, pid=1, version="0")


async def test_the_alarm_rings_for_each_time_once_and_in_order() -> None:
    now, rung = [100.0], []
    alarm = Alarm(lambda: now[0])
    done = anyio.Event()

    def ring() -> None:
        rung.append(now[0])
        if len(rung) == 1:
            alarm.set(99.5)  # set while it rings
        if len(rung) == 3:
            done.set()

    for at in (99.0, 98.0, 98.0):
        alarm.set(at)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(alarm.run, ring)
        with anyio.fail_after(PATIENCE):
            await done.wait()
        tasks.cancel_scope.cancel()
    assert rung == [100.0, 100.0, 100.0]


async def test_the_alarm_waits_for_the_clock() -> None:
    alarm = Alarm(lambda: 100.0)
    alarm.set(101.0)
    with anyio.move_on_after(0.05) as waited:
        await alarm.run(lambda: pytest.fail("too early"))
    assert waited.cancelled_caught


async def test_the_journal_is_synced_after_a_poke_and_not_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    told = anyio.Event()
    saver = Saver(journal, lambda: 1.0, told.set)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(saver.run)
        assert journal.dirty
        saver.poke()
        with anyio.fail_after(PATIENCE):
            await told.wait()
        assert not journal.dirty
        tasks.cancel_scope.cancel()


async def test_a_sync_that_fails_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path, HEADER)
    now, times, done = [0.0], [0], anyio.Event()
    fine = journal.sync_job

    def sync_job(at: float) -> object:
        times[0] += 1
        if times[0] == 1:
            raise OSError(errno.EIO, "Input/output error")
        return fine(at)

    def told() -> None:
        now[0] += 2
        if times[0] == 1:
            assert "input/output error" in journal.problem
        elif not journal.problem:
            done.set()

    monkeypatch.setattr(journal, "sync_job", sync_job)
    saver = Saver(journal, lambda: now[0], told)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(saver.run)
        saver.poke()
        with anyio.fail_after(PATIENCE):
            await done.wait()
        tasks.cancel_scope.cancel()
    assert times[0] >= 2
