"""The rules of a stream (checks 1 to 5)."""

from __future__ import annotations

import pytest

from acp_tui.aip.core import chunks as module
from acp_tui.aip.core.chunks import Chunks, Verdict
from acp_tui.aip.core.vocabulary import StreamChunk


def chunk(sequence: int, data: object = "x", kind: str = "data", **more: object) -> StreamChunk:
    return StreamChunk.model_validate({"sequence": sequence, "kind": kind, "data": data, **more})


def judged(*given: StreamChunk) -> list[str]:
    chunks = Chunks()
    return [chunks.judge(one).value for one in given]


@pytest.mark.parametrize(
    ("given", "verdicts"),
    [
        pytest.param([chunk(1), chunk(1)], ["new", "duplicate"], id="01 the same bytes again"),
        pytest.param(
            [chunk(1, {"a": 1, "b": 2}, action_id="act_1"), chunk(1, {"b": 2, "a": 1})],
            ["new", "duplicate"],
            id="01 the same content in another order",
        ),
        pytest.param(
            [chunk(1), chunk(1, "y"), chunk(1, "y"), chunk(1)],
            ["new", "conflict", "duplicate", "duplicate"],
            id="02 other content in the same place, told once",
        ),
        pytest.param([chunk(1), chunk(1, extra=1)], ["new", "conflict"], id="02 unknown fields count"),
        pytest.param([chunk(1), chunk(2), chunk(5)], ["new", "new", "gap"], id="03 a gap is accepted"),
        pytest.param([chunk(7), chunk(3), chunk(8)], ["new", "lower", "new"], id="04 a lower one is refused"),
        pytest.param(
            [chunk(1, kind="done"), chunk(2), chunk(1, kind="done")],
            ["new", "late", "duplicate"],
            id="05 nothing after done",
        ),
        pytest.param([chunk(1, kind="error"), chunk(2)], ["new", "late"], id="05 nothing after error"),
        pytest.param([chunk(1, kind="odd"), chunk(2)], ["new", "new"], id="09 an unknown kind ends nothing"),
    ],
)
def test_each_chunk_has_its_place(given: list[StreamChunk], verdicts: list[str]) -> None:
    assert judged(*given) == verdicts


def test_only_what_is_new_applies() -> None:
    assert {verdict for verdict in Verdict if verdict.applies} == {Verdict.NEW, Verdict.GAP}


def test_a_stream_of_any_length_costs_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMPARED", 10)
    chunks = Chunks()
    assert {chunks.judge(chunk(number)) for number in range(1000)} == {Verdict.NEW}
    assert [chunks.judge(chunk(number, "y")) for number in (5, 995)] == [Verdict.DUPLICATE, Verdict.CONFLICT]
    assert len(chunks._digests) == 10


def test_what_an_earlier_run_saw_is_left_out() -> None:
    chunks = Chunks(last=4)
    assert [chunks.judge(chunk(n)) for n in (3, 4, 5)] == [Verdict.DUPLICATE, Verdict.DUPLICATE, Verdict.NEW]
