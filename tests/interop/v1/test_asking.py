"""What the peer asks: permissions, forms, files and commands of this machine."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from acp_tui.base import processes
from acp_tui.client import permits
from acp_tui.client.intents import Cancel, CloseSession
from acp_tui.store.entities import Terminal, ToolCall
from acp_tui.store.keys import Kind
from tests.interop.v1.stage import OldStage

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


async def ended(stage: OldStage) -> None:
    await stage.until(lambda: stage.session.completions == 1)


# ---------------------------------------------------------------- permissions


@pytest.mark.parametrize(
    ("option", "chosen", "status"),
    [
        (0, "o-allow_once", "completed"),
        (1, "o-allow_always", "completed"),
        (2, "o-reject_once", "failed"),
        (None, "cancelled", "failed"),
    ],
)
async def test_a_permission(stage: OldStage, option: int | None, chosen: str, status: str) -> None:
    stage.submit("PERM")
    (request,) = await stage.asked()
    assert stage.session.state == "requires_action"  # V1-25
    assert (request.params.title, request.params.subject.tool_call.tool_call_id) == ("Delete a.txt", "perm")
    (call,) = stage.calls()
    assert (call.title, call.status, len(call.content)) == ("Delete a.txt", "pending", 1)

    stage.choose(request, option)
    assert stage.session.state == "running"
    await ended(stage)

    assert (stage.said(), call.status) == ([f"Chosen: {chosen}"], status)


async def test_a_permission_without_title_and_options(stage: OldStage) -> None:
    stage.submit("PERMNONE")
    (request,) = await stage.asked()
    assert (request.params.options, bool(request.params.title)) == ([], True)
    stage.choose(request, None)
    await ended(stage)

    assert stage.said() == ["Chosen: cancelled"]
    assert [call.key.id for call in stage.calls()] == ["bare"]


async def test_two_permissions_in_the_other_order(stage: OldStage) -> None:
    stage.submit("PERMTWO")
    first, second = await stage.asked(2)
    stage.choose(second, 0)
    assert stage.session.state == "requires_action"
    stage.choose(first, 1)
    assert stage.session.state == "running"
    await ended(stage)

    assert stage.said() == ["Chosen: o-reject_once, o-allow_once"]


async def test_cancel_answers_what_is_asked(stage: OldStage) -> None:
    stage.submit("PERM WAIT")
    await stage.asked()
    stage.agent.do(Cancel(stage.ref))
    assert stage.store.requests == []
    await ended(stage)

    assert stage.said()[0] == "Chosen: cancelled"


async def test_a_form(stage: OldStage) -> None:
    stage.submit("FORM")
    (request,) = await stage.asked()
    assert (request.method, request.params.message) == ("elicitation/create", "Who are you?")
    stage.fill(request, "accept", {"name": "漢"})
    await ended(stage)

    assert json.loads(stage.said()[0].removeprefix("Answer: ")) == {
        "action": "accept",
        "content": {"name": "漢"},
    }


# ---------------------------------------------------------------------- files


async def test_reading(stage: OldStage, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo 漢\nthree\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    await stage.play("READ:a.txt READ:a.txt,2,1 READ:a.txt,9 READ:none.txt READ:. READ:binary")

    whole, some, beyond, missing, folder, binary = stage.said()[0].splitlines()
    assert whole == "Read: 'one\\ntwo 漢\\nthree\\n'"
    assert some.startswith("Read: 'two 漢")
    assert (beyond, missing, folder) == ("Read: ''", "Read: error -32002", "Read: error -32602")
    assert binary.startswith("Read: error")


async def test_writing(stage: OldStage, tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("before\n")
    (tmp_path / "run.sh").chmod(0o750)
    await stage.play("WRITE:run.sh WRITE:deep/er/new.txt")

    assert stage.said() == ["Write: ok\n"] * 2
    for name in ("run.sh", "deep/er/new.txt"):
        assert (tmp_path / name).read_text() == "written\nby the peer\n"
    assert (tmp_path / "run.sh").stat().st_mode & 0o777 == 0o750
    assert sorted(name for *_, names in os.walk(tmp_path) for name in names) == ["new.txt", "run.sh"]


@pytest.mark.parametrize(("option", "read"), [(permits.ONCE, True), (permits.REJECT, False), (None, False)])
async def test_reading_elsewhere_is_asked_for(
    stage: OldStage, tmp_path_factory: pytest.TempPathFactory, option: str | None, read: bool
) -> None:
    other = tmp_path_factory.mktemp("other") / "secret.txt"
    other.write_text("secret")
    link = Path(stage.cwd) / "link.txt"
    link.symlink_to(other)
    stage.submit("READ:link.txt")
    (request,) = await stage.asked()
    assert request.ours
    names = [one.option_id for one in request.params.options]
    stage.choose(request, None if option is None else names.index(option))
    await ended(stage)

    assert ("secret" in stage.said()[0]) is read
    assert ("error" in stage.said()[0]) is not read


async def test_writing_elsewhere_does_nothing_until_it_is_allowed(
    stage: OldStage, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "new.txt"
    stage.submit(f"WRITE:{other}")
    (request,) = await stage.asked()
    assert not other.exists()
    stage.choose(request, [one.option_id for one in request.params.options].index(permits.ONCE))
    await ended(stage)

    assert other.read_text() == "written\nby the peer\n"


# ------------------------------------------------------------------ terminals


def terminal(stage: OldStage) -> tuple[Terminal, ToolCall]:
    """The only one there is, and the call that shows it."""
    (found,) = stage.of(Kind.TERMINAL, Terminal)
    (shown,) = stage.session.shown_in[found.key]
    call = stage.session.entities[shown]
    assert isinstance(call, ToolCall)
    return found, call


async def test_a_command(stage: OldStage, tmp_path: Path) -> None:
    await stage.play("RUN")

    words = f"from the agent\n{tmp_path}\nerr"
    assert stage.answer() == {
        "waited": [3, 3],
        "output": [words, False, [3, None]],
        "released": "error -32002",
    }
    found, call = terminal(stage)
    assert (found.cwd, bytes(found.output.data())) == (str(tmp_path), words.encode())
    assert found.command is not None
    assert found.command.startswith("sh -c ")
    assert found.exit_status is not None
    assert (found.exit_status.exit_code, found.exit_status.signal) == (3, None)
    assert [one.key for one in stage.calls()] == [call.key]  # none of ours beside it
    assert (call.title, call.status) == ("In a terminal", "failed")


async def test_a_command_that_is_killed(stage: OldStage) -> None:
    await stage.play("KILL")

    assert stage.answer() == {"before": None, "code": None, "signal": "SIGTERM"}
    found, _ = terminal(stage)
    assert found.exit_status is not None
    assert (found.exit_status.exit_code, found.exit_status.signal) == (None, "SIGTERM")


async def test_output_is_cut_from_the_front_at_a_character(stage: OldStage) -> None:
    await stage.play("LIMIT")

    assert stage.answer() == ["字xyz", True, [0, None]]
    assert bytes(terminal(stage)[0].output.data()) == "abc漢字xyz".encode()


async def test_a_wait_that_is_taken_back(stage: OldStage) -> None:
    await stage.play("TAKEBACK")

    assert stage.said() == ["Taken back: error -32800"]
    assert terminal(stage)[0].exited


async def test_what_cannot_be_started(stage: OldStage) -> None:
    await stage.play("NOWHERE")

    missing, unknown = stage.said()[0].removeprefix("Nowhere: ").split(", ")
    assert missing.startswith("error")
    assert unknown == "error -32002"


async def test_a_command_ends_with_its_session(stage: OldStage) -> None:
    await stage.play("LEFT")
    found, _ = terminal(stage)
    await stage.until(lambda: found.output.data())
    pid = int(bytes(found.output.data()).decode())
    process = processes.find(pid)
    assert process is not None
    assert not found.exited

    stage.agent.do(CloseSession(stage.ref))
    await stage.until(lambda: stage.session.phase == "closed")
    await stage.until(lambda: found.exited)

    assert not processes.alive(pid, process.birth)


async def test_cancel(stage: OldStage) -> None:
    stage.submit("WAIT")
    await stage.until(lambda: stage.said())
    stage.agent.do(Cancel(stage.ref))
    (call,) = stage.calls()
    assert (call.display_status, stage.session.cancelling) == ("cancelled", True)
    await ended(stage)

    assert stage.session.stop_reason == "cancelled"
    assert stage.session.cancel is not None
    assert stage.session.cancel.status == "confirmed"
    assert stage.said() == ["Waiting. Stopped."]
