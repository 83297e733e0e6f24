from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import anyio
import pytest

from acp_tui.agent.leftovers import leftovers, remains
from acp_tui.base import processes
from acp_tui.client.effects import Ask, Notify
from acp_tui.client.intents import AnswerPermission
from acp_tui.journal.log import read
from acp_tui.journal.writers import writers
from acp_tui.store.entities import Submission
from acp_tui.store.keys import Kind

from .conftest import PATIENCE, Bench, running, scripted

pytestmark = pytest.mark.anyio


def journals(state: Path) -> list[list[dict[str, Any]]]:
    return [list(read(path)) for path in sorted(state.rglob("*.ndjson"))]


def methods(journal: list[dict[str, Any]], direction: str) -> list[str]:
    return [r["msg"]["method"] for r in journal if r.get("dir") == direction and "method" in r.get("msg", {})]


def running_records(state: Path) -> int:
    return len(list((state / "running").iterdir()))


def block(folder: Path) -> None:
    """A file where a folder should be."""
    folder.write_text("")


def dead(pid: int | None) -> bool:
    assert pid is not None
    found = processes.find(pid)
    return found is None or found.zombie


# The good days


async def test_a_prompt_is_answered_and_all_of_it_is_journaled(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        assert bench.phase == "ready"
        await bench.prompt("hello", "you said: hello")
        await bench.until(lambda: bench.session.state == "idle")
        pid = bench.store.connection.pid
        assert running_records(state) == 1
        assert leftovers() == []
    assert dead(pid)
    assert bench.phase == "closed" and bench.session.phase == "closed"
    assert running_records(state) == 0
    (journal,) = journals(state)
    assert methods(journal, ">") == ["initialize", "session/new", "session/prompt", "session/close"]
    assert [r["seq"] for r in journal[1:]] == list(range(len(journal) - 1))
    assert journal[0]["generation"] == 1 and journal[0]["command"][1].endswith("scripted.py")
    assert {r["session"] for r in journal if r.get("msg", {}).get("method") == "session/update"} == {"sess1"}
    assert journal[-1]["event"] == "connection_lost"


async def test_the_agent_gets_the_environment_folder_and_group_it_shall_have(
    tmp_path: Path, state: Path
) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("env SECRET_WORD", "pgid")
        facts = {"cwd": str(tmp_path), "env": "swordfish", "pgid": True}
        assert json.dumps(facts) in bench.text()


async def test_a_question_of_the_agent_waits_without_stopping_anything(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("ask")
        await bench.until(lambda: bench.store.requests)
        await bench.until(lambda: bench.session.state == "idle")
        (ask,) = [effect for effect in bench.effects if isinstance(effect, Ask)]
        bench.agent.do(AnswerPermission(ask.request, "yes"))
        assert bench.store.requests == []
    (journal,) = journals(state)
    answers = [r for r in journal if r.get("dir") == ">" and r["msg"].get("id") == "p1"]
    assert [a["msg"]["result"]["outcome"]["optionId"] for a in answers] == ["yes"]
    assert answers[0]["session"] == "sess1"


async def test_effects_wait_for_the_user_interface(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted("banner")) as bench:
        bench.agent.on_effect = None
        await bench.ready()
        late: list[object] = []
        bench.agent.on_effect = late.append
        assert any(isinstance(effect, Notify) for effect in late)


# Bad input


async def test_garbage_on_stdout_harms_nothing(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted("banner")) as bench:
        await bench.ready()
        await bench.prompt("garbage", "still here")
        assert bench.phase == "ready"
        assert bench.store.connection.garbage == 7
    (journal,) = journals(state)
    assert [r["raw"] for r in journal if "raw" in r][:2] == [
        "Welcome to agent 1.0!",
        "\x1b[1mloading\x1b[0m\r",
    ]


async def test_messages_come_whole_however_they_are_cut(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("split", "whole")
    (journal,) = journals(state)
    assert [r["msg"]["params"] for r in journal if r.get("msg", {}).get("method") == "_x"] == [{"t": "ä€😀"}]


async def test_big_messages_pass(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("huge 5000000", "after")


async def test_too_long_a_message_ends_the_connection_and_names_the_limit(
    tmp_path: Path, state: Path
) -> None:
    async with running(tmp_path, scripted("ignore-term"), limit=1 << 20) as bench:
        await bench.ready()
        await bench.prompt("endless")
        await bench.until(lambda: bench.phase == "lost")
        assert "1 MiB" in bench.store.connection.failure
        assert bench.store.connection.exit_code is None, "that it ended was our doing"


async def test_a_flood_on_stderr_is_drained_and_its_tail_kept(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted("stderr")) as bench:
        await bench.ready()
        await bench.prompt("stderr", "done")
        await bench.until(lambda: bench.store.connection.stderr_tail[-1:] == ["the end of it"])
        assert len(bench.store.connection.stderr_tail) <= 200


async def test_a_flood_of_messages_leaves_the_loop_its_turns(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        turns: list[float] = []

        async def key_presses() -> None:
            while True:
                turns.append(time.perf_counter())
                await anyio.lowlevel.checkpoint()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(key_presses)
            await bench.prompt("many 20000", "19999 ")
            tasks.cancel_scope.cancel()
        assert len([key for key in bench.session.timeline if key.kind == Kind.AGENT_MESSAGE]) == 200
        # Every slice of 64 messages is followed by several turns for everybody else.
        assert len(turns) > 4 * 20_000 / 64
    (journal,) = journals(state)
    assert len(journal) > 20_000


async def test_an_agent_that_does_not_read_blocks_nobody(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("deaf", "deaf now")
        start = time.monotonic()
        for _ in range(5):
            await bench.prompt("x" * 200_000)
        assert time.monotonic() - start < 2
    assert dead(bench.store.connection.pid)


async def test_a_fault_of_ours_leaves_out_one_message_only(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        receive = bench.agent.client.receive

        def faulty(message: Any, at: float) -> Any:
            if getattr(message, "method", "") == "_x":
                raise KeyError("planted")
            return receive(message, at)

        monkeypatch.setattr(bench.agent.client, "receive", faulty)
        await bench.prompt("split", "whole")
        assert bench.phase == "ready"
        (notice,) = [e.notice for e in bench.effects if isinstance(e, Notify)]
        assert "planted" in (notice.description or "")
    (journal,) = journals(state)
    assert [r["error"] for r in journal if r.get("event") == "fault"] == ["KeyError('planted')"]


# Ends


async def test_it_cannot_start(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, ("no-such-agent", "--token=hunter2")) as bench:
        await bench.ready()
        assert bench.phase == "failed"
        assert "no such program" in bench.store.connection.failure
        generation_before = bench.store.connection.generation
        await bench.agent.restart()
        assert bench.store.connection.generation == generation_before + 1
        assert bench.phase == "failed"
    assert "hunter2" not in repr(journals(state))


async def test_it_exits_at_start(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted("exit")) as bench:
        await bench.until(lambda: bench.phase == "failed")
        connection = bench.store.connection
        assert (connection.exit_code, connection.signal) == (3, None)
        assert connection.failure == "The agent exited with status 3."
        assert connection.stderr_tail == ["no key was given"]


async def test_a_silent_start_is_shown_and_can_be_left_or_killed(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted("mute")) as bench:
        await bench.until(lambda: bench.store.connection.stderr_tail)
        assert bench.phase == "initializing"
        bench.agent.kill()
        await bench.until(lambda: bench.phase == "failed")
        assert bench.store.connection.failure == "The agent was stopped."
        await bench.agent.restart()
        assert bench.phase == "initializing"
    assert bench.phase == "closed"


async def test_it_dies_in_the_middle(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("exit 4")
        await bench.until(lambda: bench.phase == "lost")
        assert bench.store.connection.exit_code == 4
        assert "last words" in bench.text(), "what it said before it died was read first, to the last byte"
        assert bench.session.state == "disconnected"


async def test_it_is_killed_with_a_prompt_unanswered(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        pid = bench.store.connection.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        await bench.prompt("anything")
        os.kill(pid, signal.SIGKILL)
        await bench.until(lambda: bench.phase == "lost")
        assert bench.store.connection.signal == "SIGKILL"
        (submission,) = [e for e in bench.session.entities.values() if isinstance(e, Submission)]
        assert submission.status == "uncertain"
    (journal,) = journals(state)
    assert methods(journal, ">")[-1] == "session/prompt"
    (record,) = (state / "running").iterdir()
    kept = json.loads(record.read_text())
    assert kept["died"] and kept["journal"] == str(bench.agent.journals[-1]), "the next start tells of it"
    assert writers(state / "running").journals == frozenset(), "nobody writes it any more"
    record.write_text(json.dumps({**kept, "client_birth": "another time"}))
    assert [running.journal for running in remains().untold] == [kept["journal"]]


async def test_it_closes_stdout_but_lives(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("mute")
        await bench.until(lambda: bench.phase == "lost")
        assert "still runs" in bench.store.connection.failure
        await bench.agent.restart()
        assert bench.phase == "initializing"


async def test_it_ends_but_a_child_holds_its_stdout(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("orphan")
        await bench.until(lambda: bench.phase == "lost")
        assert bench.store.connection.exit_code == 0
    pid = bench.store.connection.pid
    assert [p for p in processes.snapshot().values() if p.group == pid and not p.zombie] == []


async def test_a_stopped_agent_can_be_killed_and_restarted(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        pid = bench.store.connection.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        bench.agent.kill()
        await bench.until(lambda: bench.phase == "lost")
        await bench.agent.restart()
        await bench.until(lambda: bench.session.phase == "open")
        assert dead(pid)


async def test_a_family_that_ignores_term_goes_with_its_agent(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted("family", "ignore-term", "linger")) as bench:
        await bench.ready()
        assert len(bench.children()) == 2
        start = time.monotonic()
    assert bench.children() == []
    assert time.monotonic() - start < 6


async def test_cancellation_from_outside_ends_it_in_order(tmp_path: Path, state: Path) -> None:
    bench = Bench(tmp_path, scripted("family"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bench.agent.run)
        await bench.ready()
        tasks.cancel_scope.cancel()
    assert dead(bench.store.connection.pid)
    assert bench.children() == []
    (journal,) = journals(state)
    assert methods(journal, ">")[-1] == "session/close"


async def test_an_exception_outside_ends_it_too(tmp_path: Path, state: Path) -> None:
    bench = Bench(tmp_path, scripted())

    async def crash() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(bench.agent.run)
            await bench.ready()
            raise RuntimeError("the app broke")

    with pytest.raises(ExceptionGroup):
        await crash()
    assert dead(bench.store.connection.pid)


async def test_stopping_before_it_runs_and_twice(tmp_path: Path, state: Path) -> None:
    bench = Bench(tmp_path, scripted())
    await bench.agent.stop()
    with anyio.fail_after(PATIENCE):
        await bench.agent.run()
    await bench.agent.stop()
    await bench.agent.restart()
    assert bench.store.connection.generation == 0


# Again


async def test_a_restart_opens_what_was_open(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("hello", "you said")
        await bench.until(lambda: bench.session.state == "idle")
        first = bench.store.connection.pid
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(bench.agent.restart)
            tasks.start_soon(bench.agent.restart)
        assert bench.store.connection.generation == 2
        await bench.until(lambda: bench.session.phase == "open")
        assert dead(first)
        assert "from before" in bench.text()
        await bench.prompt("again", "you said: again")
    one, two = journals(state)
    assert methods(one, ">")[-1] == "session/close"
    assert methods(two, ">")[:2] == ["initialize", "session/resume"]


async def test_a_journal_that_cannot_be_written_is_said_and_the_chat_goes_on(
    tmp_path: Path, state: Path
) -> None:
    block(state)
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.prompt("hello", "you said: hello")
        assert not bench.store.connection.saved
        assert "not being saved" in bench.store.connection.save_problem
        await anyio.Path(state).unlink()
        await bench.until(lambda: bench.store.connection.saved)
    (journal,) = journals(state)
    assert methods(journal, ">")[:3] == ["initialize", "session/new", "session/prompt"]


async def test_what_is_kept_of_it_names_the_journal_that_was_begun_again(tmp_path: Path, state: Path) -> None:
    async with running(tmp_path, scripted()) as bench:
        await bench.ready()
        await bench.until(lambda: running_records(state) == 1)
        (record,), first = (state / "running").iterdir(), bench.agent.journals[-1]
        first.unlink()
        first.write_text("")
        await bench.prompt("hello", "you said: hello")
        await bench.until(lambda: bench.agent.journals[-1] != first)
        assert json.loads(record.read_text())["journal"] == str(bench.agent.journals[-1])


# The client is killed

CLIENT = """
import sys, anyio
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from agent.conftest import *

async def main():
    async with running(Path(sys.argv[2]), scripted(*sys.argv[3:])) as bench:
        await bench.ready()
        await bench.prompt("many 100000")
        last = 0
        while True:
            await bench.until(lambda: len(bench.session.timeline) > last)
            last = len(bench.session.timeline)
            print(last, flush=True)

anyio.run(main)
"""


@pytest.mark.parametrize("lines", [1, 20, 90])
async def test_a_killed_client_loses_nothing_and_its_agents_are_found(
    tmp_path: Path, state: Path, lines: int
) -> None:
    tests = str(Path(__file__).parent.parent)
    command = [sys.executable, "-c", CLIENT, tests, str(tmp_path), "family", "linger"]
    async with await anyio.open_process(command, stderr=None) as client:
        assert client.stdout is not None
        shown = b""
        while shown.count(b"\n") < lines:
            shown += await client.stdout.receive()
        client.kill()
        with anyio.move_on_after(PATIENCE):
            async for data in client.stdout:
                shown += data
    (journal,) = journals(state)
    assert methods(journal, ">")[:3] == ["initialize", "session/new", "session/prompt"]
    told = int(shown.split()[-1])
    kept = {
        r["msg"]["params"]["update"].get("messageId")
        for r in journal
        if r.get("dir") == "<" and "params" in r["msg"]
    }
    assert len(kept - {None}) >= told
    (left,) = leftovers()
    assert left.running.client_pid == client.pid
    assert await left.end() == []
    assert leftovers() == []
    assert running_records(state) == 0
    for pid in Bench(tmp_path, scripted()).children():
        os.kill(pid, signal.SIGKILL)
