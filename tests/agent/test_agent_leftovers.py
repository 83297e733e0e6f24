from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from acp_tui.agent.leftovers import Running, leftovers, register
from acp_tui.agent.process import Child
from acp_tui.base import paths, processes

from .conftest import start

pytestmark = pytest.mark.anyio


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Child]:
    child = start(("sleep", "600"), tmp_path, {"PATH": "/usr/bin:/bin"})
    assert isinstance(child, Child)
    yield child
    child.kill()
    child._popen.wait()
    child.release()


def orphaned(child: Child, **changes: object) -> Path:
    """As if the client that started it were dead."""
    path = register(child, ("sleep", "--token=hunter2"), "/", 1.0, str(paths.state_dir() / "journal.ndjson"))
    assert path is not None
    running = json.loads(path.read_bytes())
    path.write_text(json.dumps({**running, "client_birth": "another time", **changes}))
    return path


async def test_an_agent_without_client_is_found_and_can_be_ended(state: Path, agent: Child) -> None:
    path = orphaned(agent)
    (left,) = leftovers()
    assert [p.pid for p in left.living] == [agent.pid]
    assert left.running.command == ["sleep", "--token=[redacted]"]
    assert await left.end() == []
    assert leftovers() == []
    assert not path.exists()


def test_one_with_a_living_client_is_left_alone(state: Path, agent: Child) -> None:
    path = register(agent, ("sleep",), "/", 1.0)
    assert path is not None
    assert leftovers() == []
    assert path.exists()


def test_a_pid_that_was_used_again_is_nobody_of_ours(state: Path, agent: Child) -> None:
    path = orphaned(agent, birth="another time")
    assert leftovers() == []
    assert not path.exists()
    assert processes.alive(agent.pid, agent.birth)


def test_what_is_left_of_a_group_is_found_after_its_first_process_died(state: Path, tmp_path: Path) -> None:
    script = "import subprocess; subprocess.Popen(['sleep', '600']); print('up', flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", script], start_new_session=True, stdout=subprocess.PIPE
    ) as first:
        assert first.stdout is not None and first.stdout.readline() == b"up\n"
        first.stdout.close()
        first.wait()
    running = Running(
        pid=first.pid, birth="x", command=["a"], cwd="/", started=0.0, client_pid=first.pid, client_birth="x"
    )
    paths.private(paths.running_dir())
    (paths.running_dir() / "1-2.json").write_text(json.dumps(asdict(running)))
    (left,) = leftovers()
    assert len(left.living) == 1
    os.killpg(first.pid, 9)


def test_the_journal_of_a_killed_client_is_repaired(state: Path, agent: Child) -> None:
    orphaned(agent, birth="another time")
    journal = paths.state_dir() / "journal.ndjson"
    journal.write_bytes(b'{"seq":0}\n{"seq":')
    assert leftovers() == []
    assert journal.read_bytes() == b'{"seq":0}\n'


def test_a_damaged_record_is_put_away(state: Path) -> None:
    path = paths.private(paths.running_dir()) / "1-2.json"
    path.write_bytes(b"\xff{")
    assert leftovers() == []
    assert not path.exists()


def test_a_state_folder_that_cannot_be_written_harms_nothing(state: Path, agent: Child) -> None:
    state.write_text("")
    assert register(agent, ("sleep",), "/", 1.0) is None
    assert leftovers() == []


def test_a_leftover_says_its_pids_and_its_command_without_secrets(state: Path, agent: Child) -> None:
    orphaned(agent)
    (left,) = leftovers()
    assert left.words == f"pid {agent.pid} of sleep '--token=[redacted]'"
