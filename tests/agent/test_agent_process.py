from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from acp_tui.agent import failures
from acp_tui.agent.process import Child, NotStarted
from acp_tui.agent.spawn import spawn
from acp_tui.agent.stderr import LINES, SIZE, Tail

from .conftest import SCRIPTED, start

pytestmark = pytest.mark.anyio
ENV = {"PATH": "/usr/bin:/bin"}


def failure(command: tuple[str, ...], cwd: Path, env: dict[str, str] = ENV) -> str:
    outcome = start(command, cwd, env)
    assert isinstance(outcome, NotStarted)
    return outcome.failure


def script(path: Path, text: str, mode: int = 0o755) -> str:
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_what_cannot_start_says_why(tmp_path: Path) -> None:
    assert "no such program in PATH (/usr/bin:/bin)" in failure(("no-such-agent",), tmp_path)
    assert "separate words" in failure(("npx some-agent",), tmp_path)
    assert "no such file" in failure(("./agent",), tmp_path)
    assert "does not exist" in failure(("true",), tmp_path / "gone")
    assert "is not a folder" in failure(("true",), Path("/etc/passwd"))
    assert "is a folder" in failure((str(tmp_path),), tmp_path)
    assert "chmod +x" in failure((script(tmp_path / "plain", "#!/bin/sh\n", 0o644),), tmp_path)
    assert "first line" in failure((script(tmp_path / "nodeless", "#!/no/such/node\n"),), tmp_path)
    assert "no program for this machine" in failure((script(tmp_path / "text", "hello"),), tmp_path)
    assert "not allowed" in failure(("tr\0ue",), tmp_path)
    assert "not allowed" in failure(("true", "\udfff\ud800"), tmp_path)
    assert "No agent command" in failure((), tmp_path)


def test_a_relative_command_is_looked_up_in_the_agents_folder(tmp_path: Path) -> None:
    script(tmp_path / "agent", "#!/bin/sh\n")
    child = start(("./agent",), tmp_path, ENV)
    assert isinstance(child, Child)
    child._popen.wait()
    child.release()


def test_exits_in_words() -> None:
    assert failures.ended(3, True) == "The agent exited with status 3."
    assert "PATH" in failures.ended(127, False)
    assert "executed" in failures.ended(126, False)
    assert failures.ended(-9, True) == "The agent was killed by SIGKILL."
    assert "SIGTERM" in failures.ended(143, True)
    assert failures.ended(199, True) == "The agent exited with status 199."
    assert "`acp`" in failures.ended(0, False)
    assert "still runs" in failures.ended(None, True)
    assert failures.signal_name(99) == "signal 99"
    assert "64 MiB" in failures.too_long(64 * 2**20)


def test_the_tail_is_bounded_and_whole_lines() -> None:
    tail = Tail()
    assert tail.lines() == []
    tail.feed(b"one\r\ntwo \xff\nthr")
    tail.feed(b"ee")
    assert tail.lines() == ["one", "two \ufffd", "three"]
    for number in range(100_000):
        tail.feed(b"line %d\n" % number)
    lines = tail.lines()
    assert len(lines) == LINES and lines[-1] == "line 99999" and lines[0] == f"line {100_000 - LINES}"
    tail.feed(b"x" * (3 * SIZE))
    assert tail.lines() == ["x" * SIZE]


async def test_a_family_that_ignores_term_is_ended_whole(tmp_path: Path) -> None:
    env = {**ENV, "PIDS": str(tmp_path / "pids")}
    child = start((sys.executable, SCRIPTED, "family", "ignore-term", "linger"), tmp_path, env)
    assert isinstance(child, Child)
    assert child.stdin is not None
    os.write(child.stdin, b'{"jsonrpc":"2.0","id":0,"method":"initialize"}\n')
    await anyio.wait_readable(child.stdout)
    living = child.family.look()
    assert len(living) == 3
    assert await child.end(grace=0.1) == []
    assert child.exit_code == -9
    assert child.family.look() == []
    child.release()


async def test_an_agent_that_heeds_stdin_is_not_signalled(tmp_path: Path) -> None:
    child = start(("cat",), tmp_path, ENV)
    assert isinstance(child, Child)
    assert await child.end() == []
    assert child.exit_code == 0
    child.release()


async def test_a_stopped_agent_is_woken_to_end(tmp_path: Path) -> None:
    child = start(("sleep", "600"), tmp_path, ENV)
    assert isinstance(child, Child)
    os.kill(child.pid, 19)
    assert await child.end(grace=0.1) == []
    assert child.exit_code == -15
    child.release()


async def test_what_ended_before_leaves_its_status(tmp_path: Path) -> None:
    child = start(("sh", "-c", "exit 7"), tmp_path, ENV)
    assert isinstance(child, Child)
    with anyio.fail_after(10):
        assert await child.exited() == 7
        assert await child.exited() == 7
        assert await child.end() == []
    child.release()


async def test_who_left_the_group_of_an_agent_that_died_is_found_by_the_session(tmp_path: Path) -> None:
    code = "import subprocess; subprocess.Popen(['sleep', '60'], process_group=0)"
    child = start((sys.executable, "-c", code), tmp_path, ENV)
    assert isinstance(child, Child)
    with anyio.fail_after(10):
        await child.exited()
    assert len(child.family.look()) == (1 if sys.platform == "linux" else 0)
    assert await child.end() == []
    assert child.family.look() == []
    child.release()


async def test_one_that_is_not_talked_to_in_the_end_is_ended(tmp_path: Path) -> None:
    spawned = spawn((sys.executable, SCRIPTED, "family", "ignore-term", "linger"), str(tmp_path), ENV)
    assert isinstance(spawned.process, subprocess.Popen)
    spawned.abandon()
    assert spawned.process.returncode == -signal.SIGKILL
    assert spawned.process.stdin is not None and spawned.process.stdin.closed
    spawned.abandon()


async def test_abandoning_what_could_not_start_is_nothing(tmp_path: Path) -> None:
    spawn(("/no/such/agent",), str(tmp_path), ENV).abandon()
    spawn((), str(tmp_path), ENV).abandon()
