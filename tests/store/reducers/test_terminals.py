from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from acp_tui.store.entities import Cancel, Terminal
from acp_tui.store.keys import Kind
from tests.store.seen import Fed, plain


def b64(data: bytes) -> str:
    return b64encode(data).decode()


def chunk(fed: Fed, data: bytes, id_: str = "t") -> Terminal:
    return terminal(fed("terminal_output_chunk", terminalId=id_, data=b64(data)), id_)


def update(fed: Fed, id_: str = "t", **fields: Any) -> Terminal:
    return terminal(fed("terminal_update", terminalId=id_, **fields), id_)


def terminal(fed: Fed, id_: str = "t") -> Terminal:
    found = fed[Kind.TERMINAL, id_]
    assert isinstance(found, Terminal)
    return found


def test_it_is_no_member_of_the_timeline() -> None:
    fed = Fed()
    one = update(fed)
    assert fed.timeline == []
    assert (one.command, one.cwd, one.output.size, one.exited, one.size) == (None, None, 0, False, None)


def test_each_field_is_patched_on_its_own() -> None:
    fed = Fed()
    update(fed, command="make", cwd="/w", size={"cols": 80, "rows": 24}, capabilities={"cancel": {}})
    one = update(fed, command=None, size={"cols": 0, "rows": 24})
    assert (one.command, one.cwd, plain(one.size)) == (None, "/w", {"cols": 80, "rows": 24})
    assert one.cancellable
    assert not update(fed, capabilities=None).cancellable


def test_the_same_again_draws_nothing() -> None:
    fed = Fed()
    fields = {"command": "make", "cwd": "/w", "output": {"data": b64(b"x")}, "exitStatus": {"exitCode": 1}}
    for _ in range(2):
        update(fed, **fields, size={"cols": 80, "rows": 24}, _meta={"k": 1})
    assert fed.dirty == frozenset()
    chunk(fed, b"")
    assert fed.dirty == frozenset()


def test_bytes_are_exact_and_chunks_are_decoded_one_by_one() -> None:
    fed = Fed()
    for data in (b"a", b"\xff\xc3", b"\xa9\r\n"):
        one = chunk(fed, data)
    assert one.output.data() == b"a\xff\xc3\xa9\r\n"
    assert one.output.text() == "a\ufffdé\r\n"


@pytest.mark.parametrize("data", ["***", "YQ", "YQ==YmM=", "YQ==\n", "é", "_-8="])
def test_a_chunk_that_is_not_base64_is_dropped(data: str) -> None:
    fed = Fed()("terminal_output_chunk", terminalId="new", data=data)
    assert fed.session.entities == {}
    one = chunk(fed, b"A")
    fed("terminal_output_chunk", terminalId="t", data=data)
    assert (fed.dropped, fed.dirty, one.output.data()) == (2, frozenset(), b"A")
    assert chunk(fed, b"B").output.text() == "AB"


def test_a_snapshot_that_is_not_base64_leaves_the_bytes_and_the_rest_applies() -> None:
    fed = Fed()
    chunk(fed, b"A")
    one = update(fed, output={"data": "***"}, command="make")
    assert (one.output.data(), one.command, fed.dropped) == (b"A", "make", 0)


def test_null_clears_the_bytes() -> None:
    fed = Fed()
    chunk(fed, b"A")
    assert update(fed, output=None).output.data() == b""


class TestExit:
    def test_an_empty_status_is_an_exit_and_null_takes_it_back(self) -> None:
        fed = Fed()
        one = update(fed, exitStatus={})
        assert (one.exited, one.exited_at) == (True, fed.at)
        update(fed, exitStatus="gone")
        assert one.exited
        update(fed, exitStatus=None)
        assert (one.exited, one.exited_at) == (False, None)

    def test_the_first_report_gives_the_time(self) -> None:
        fed = Fed()
        one = update(fed, exitStatus={})
        ended = fed.at
        update(fed, exitStatus={"exitCode": 3221225786})
        assert (one.exited_at, plain(one.exit_status)) == (ended, {"exitCode": 3221225786})

    def test_it_settles_a_cancel_of_ours(self) -> None:
        fed = Fed()
        one = update(fed, capabilities={"cancel": {}})
        one.cancel = Cancel(asked_at=1.0, accepted=True)
        update(fed, exitStatus={"signal": "SIGTERM"})
        assert not one.cancelling
        assert one.cancel.status == "confirmed"

    def test_bytes_may_follow_and_are_late(self) -> None:
        fed = Fed()
        one = update(fed, exitStatus={"exitCode": 0})
        assert not one.late
        chunk(fed, b"tail")
        assert (one.output.text(), one.exited, one.late) == ("tail", True, True)


@pytest.mark.parametrize(
    "late", [{"sessionUpdate": "terminal_update"}, {"sessionUpdate": "terminal_output_chunk", "data": ""}]
)
def test_a_word_of_it_after_a_disconnect(late: dict[str, Any]) -> None:
    fed = Fed()
    one = update(fed)
    one.no_final = "disconnected"
    fed.feed({**late, "terminalId": "t"})
    assert (one.no_final, one.late) == ("", True)
    assert fed.key(Kind.TERMINAL, "t") in fed.dirty
