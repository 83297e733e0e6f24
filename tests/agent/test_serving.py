"""Files and commands for v1 agents, for real (V1-51 to V1-60)."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from anyio.abc import TaskGroup

from acp_tui.agent import leftovers, terminals
from acp_tui.agent.serving import Server, World
from acp_tui.base import processes
from acp_tui.base.paths import running_dir
from acp_tui.client.jobs import Began, Done, Elsewhere, Ended, Failed, Job, Output, Result, Wrote
from acp_tui.protocol import v2
from acp_tui.protocol.served import SERVED

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("state")]
PATIENCE = 20.0


class Bench:
    """A server and what it told."""

    def __init__(self, folder: Path, tasks: TaskGroup) -> None:
        self.folder = folder.resolve()
        self.results: list[Result] = []
        self.faults: list[Exception] = []
        self._told = anyio.Event()
        self._ids = count()
        env = {"PATH": "/usr/bin:/bin", "OURS": "1", "SHELL": "/bin/sh"}
        register = lambda one, command, cwd: leftovers.register(one, tuple(command), cwd, 1.0)  # noqa: E731
        self.server = Server(World(env, self._heard, register, self.faults.append, lambda left: None), tasks)

    def _heard(self, result: Result) -> None:
        self.results.append(result)
        self._told.set()

    async def until(self, found: Callable[[], Any]) -> Any:
        with anyio.fail_after(PATIENCE):
            while not (result := found()):
                self._told = anyio.Event()
                await self._told.wait()
        return result

    def begin(self, method: str, ref: str = "a", **params: Any) -> Job:
        wanted: Any = v2.decode(SERVED[method][1], {"sessionId": "A", **params})
        id = next(self._ids)
        job = Job(id, ref, wanted, (str(self.folder),), f"t{id}")
        self.server.serve(job)
        return job

    async def answer(self, job: Job) -> Any:
        """What came of it: the result, or the code of the error."""
        mine = lambda: [one for one in self.results if getattr(one, "id", None) == job.id]  # noqa: E731
        [result] = await self.until(mine)
        return result.result if isinstance(result, Done) else getattr(result, "error", result)

    async def ask(self, method: str, **params: Any) -> Any:
        return await self.answer(self.begin(method, **params))

    async def run(self, command: str, *args: str, **params: Any) -> str:
        job = self.begin("terminal/create", command=command, args=list(args), **params)
        assert isinstance(await self.answer(job), Began)
        return job.name

    async def exit_of(self, name: str) -> Any:
        return await self.ask("terminal/wait_for_exit", terminalId=name)

    def shown(self, name: str) -> bytes:
        return b"".join(one.data for one in self.results if isinstance(one, Output) and one.name == name)


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Bench]:
    async with anyio.create_task_group() as tasks:
        bench = Bench(folder, tasks)
        try:
            yield bench
        finally:
            with anyio.CancelScope(shield=True):
                await bench.server.end()
    assert not bench.faults


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def living(pids: list[int]) -> list[int]:
    return [pid for pid in pids if (p := processes.find(pid)) is not None and not p.zombie]


async def test_a_command_prints_as_for_a_person_and_what_it_wrote_is_told(tmp_path: Path) -> None:
    code = "import os,sys; print(sys.stdout.isatty(), os.get_terminal_size(), os.getcwd()); sys.exit(3)"
    async with serving(tmp_path) as bench:
        name = await bench.run(*python(code + "\n"), env=[{"name": "OURS", "value": "2"}])
        assert await bench.exit_of(name) == {"exitCode": 3, "signal": None}
        told = await bench.ask("terminal/output", terminalId=name)
        size = os.terminal_size((terminals.COLUMNS, terminals.ROWS))
        assert told["output"] == f"True {size} {bench.folder}\n"
        assert (told["truncated"], told["exitStatus"]) == (False, {"exitCode": 3, "signal": None})
        assert bench.shown(name) == told["output"].encode()
        assert [one.exit_code for one in bench.results if isinstance(one, Ended)] == [3]


async def test_a_whole_line_is_run_by_the_shell_with_our_variables_and_those_given(tmp_path: Path) -> None:
    async with serving(tmp_path) as bench:
        line = "echo $OURS-$MORE; read x || echo nobody types; ( : </dev/tty ) 2>/dev/null || echo no tty >&2"
        name = await bench.run(line, env=[{"name": "MORE", "value": "m"}])
        await bench.exit_of(name)
        told = await bench.ask("terminal/output", terminalId=name)
        assert told["output"] == "1-m\nnobody types\nno tty\n"


async def test_output_is_cut_from_the_front_between_characters(tmp_path: Path) -> None:
    async with serving(tmp_path) as bench:
        name = await bench.run(*python("print('é' * 100, end='', flush=True)"), outputByteLimit=7)
        await bench.exit_of(name)
        told = await bench.ask("terminal/output", terminalId=name)
        assert (told["output"], told["truncated"]) == ("ééé", True)
        assert bench.shown(name).decode() == "é" * 100


async def test_a_flood_is_told_whole_and_kept_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminals, "KEPT", 100_000)
    async with serving(tmp_path) as bench:
        name = await bench.run(*python("for n in range(60_000): print(n)"))
        await bench.exit_of(name)
        data = bench.shown(name)
        assert data == b"".join(b"%d\n" % n for n in range(60_000))
        outputs = [one for one in bench.results if isinstance(one, Output)]
        kept = sum(len(one.data) for one in outputs if one.kept)
        [ended] = [one for one in bench.results if isinstance(one, Ended)]
        assert kept <= 100_000 and kept + ended.left_out == len(data)
        assert data.endswith(ended.tail) and ended.tail
        assert len(outputs) < len(data) / 2_000, "it came in bursts"


async def test_several_wait_and_kill_keeps_what_release_frees(tmp_path: Path) -> None:
    stubborn = "import signal,subprocess as s,sys,time,os; signal.signal(15, signal.SIG_IGN); \
p = s.Popen(['sleep', '99']); print(os.getpid(), p.pid, flush=True); time.sleep(99)"
    async with serving(tmp_path) as bench:
        name = await bench.run(*python(stubborn))
        await bench.until(lambda: bench.shown(name).endswith(b"\n"))
        pids = [int(word) for word in bench.shown(name).split()]
        waiting = [bench.begin("terminal/wait_for_exit", terminalId=name) for _ in range(2)]
        assert await bench.ask("terminal/kill", terminalId=name) == {}
        assert living(pids) == []
        for job in waiting:
            assert await bench.answer(job) == {"exitCode": None, "signal": "SIGKILL"}
        told = await bench.ask("terminal/output", terminalId=name)
        assert told["output"] and told["exitStatus"]["signal"] == "SIGKILL"
        assert await bench.ask("terminal/release", terminalId=name) == {}
        for method in ("output", "wait_for_exit", "kill", "release"):
            assert (await bench.ask(f"terminal/{method}", terminalId=name)).code == -32002


async def test_nothing_lives_on_when_it_ends(tmp_path: Path) -> None:
    async with serving(tmp_path) as bench:
        names = [await bench.run("sleep 98 & echo $! $$; sleep 97") for _ in range(2)]
        names.append(await bench.run("sleep 96 & echo $! $$"))  # ended, and left one behind
        for name in names:
            await bench.until(lambda name=name: bench.shown(name).endswith(b"\n"))
        pids = [int(word) for name in names for word in bench.shown(name).split()]
        await bench.exit_of(names[2])
        assert len(living(pids)) >= 5
        waiting = bench.begin("terminal/wait_for_exit", terminalId=names[0])
        await anyio.lowlevel.checkpoint()
    assert living(pids) == []
    assert list(running_dir().glob("*.json")) == []
    assert not [one for one in bench.results if getattr(one, "id", None) == waiting.id]


async def test_the_terminals_of_one_session_end_with_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as bench:
        mine, other = await bench.run("sleep", "95"), bench.begin("terminal/create", "b", command="sleep 94")
        await bench.answer(other)
        assert (await bench.ask("terminal/kill", terminalId=other.name)).code == -32002
        bench.server.release("a")
        await bench.until(lambda: [one for one in bench.results if isinstance(one, Ended)])
        assert [one.name for one in bench.results if isinstance(one, Ended)] == [mine]


async def test_what_is_stopped_tells_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as bench:
        name = await bench.run("sleep 93")
        waiting = bench.begin("terminal/wait_for_exit", terminalId=name)
        begun = bench.begin("terminal/create", command="sleep 92")
        bench.server.stop(waiting.id)
        bench.server.stop(begun.id)
        await bench.ask("terminal/release", terminalId=name)
        assert not {waiting.id, begun.id} & {getattr(one, "id", None) for one in bench.results}
        assert (await bench.ask("terminal/output", terminalId=begun.name)).code == -32002


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"command": "no-such-program-here"}, -32002),
        ({"command": "echo", "args": ["nul\0"]}, -32602),
        ({"command": "echo", "env": [{"name": "A=B", "value": ""}]}, -32602),
        ({"command": "echo", "cwd": "relative"}, -32602),
        ({"command": "echo", "cwd": "/no/such/folder"}, -32602),
    ],
)
async def test_what_cannot_begin_says_why(tmp_path: Path, params: dict[str, Any], code: int) -> None:
    async with serving(tmp_path) as bench:
        assert (await bench.ask("terminal/create", **params)).code == code


async def test_a_folder_elsewhere_is_asked_about(tmp_path: Path) -> None:
    async with serving(tmp_path) as bench:
        found = await bench.ask("terminal/create", command="ls", cwd="/")
        assert isinstance(found, Elsewhere) and (found.real, found.folder) == ("/", "/")


async def test_files_are_served_in_the_order_in_which_they_were_asked_for(tmp_path: Path) -> None:
    async with serving(tmp_path) as bench:
        path = str(tmp_path / "f")
        jobs = []
        for n in range(5):
            bench.begin("fs/write_text_file", path=path, content=f"{n}\n")
            jobs.append(bench.begin("fs/read_text_file", path=path))
        assert [(await bench.answer(job))["content"] for job in jobs] == [f"{n}\n" for n in range(5)]
        assert len([one for one in bench.results if isinstance(one, Wrote)]) == 5


async def test_files_elsewhere_are_asked_about_if_there_is_anything_to_ask(tmp_path: Path) -> None:
    async with serving(tmp_path / "in") as bench:
        (tmp_path / "out").write_text("x")
        found = await bench.ask("fs/read_text_file", path=str(tmp_path / "out"))
        assert isinstance(found, Elsewhere) and found.folder == str(bench.folder.parent)
        assert (await bench.ask("fs/read_text_file", path=str(tmp_path / "none"))).code == -32002
        found = await bench.ask("fs/write_text_file", path=str(tmp_path / "new"), content="y")
        assert isinstance(found, Elsewhere) and found.change
        assert not (tmp_path / "new").exists()
        assert not [one for one in bench.results if isinstance(one, Failed) and one.error.code == -32603]
