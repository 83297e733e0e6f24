from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.base.shelf import Gone
from acp_tui.base.spill import Spill
from acp_tui.store.output import Output
from tests.store.lossy import WHY, Lossy


class TestOutput:
    def test_a_code_point_split_over_chunks(self) -> None:
        output = Output()
        for chunk in (b"x\xc3", b"\xa9\xe2", b"\x82\xacy"):
            output.append(chunk)
        assert output.text() == "xé€y"
        assert output.data() == "xé€y".encode()

    def test_an_incomplete_tail_is_left_out(self) -> None:
        output = Output()
        output.append(b"ok\xe2\x82")
        assert output.text() == "ok"
        assert output.data() == b"ok\xe2\x82"

    def test_bytes_that_are_no_text(self) -> None:
        output = Output()
        output.append(b"a\xffb")
        assert output.text() == "a\ufffdb"
        assert output.data() == b"a\xffb"

    def test_no_bytes_are_no_change(self) -> None:
        output = Output()
        assert not output.append(b"")
        assert (list(output.pieces()), output.size) == ([], 0)

    def test_a_snapshot_begins_anew(self) -> None:
        output = Output()
        output.append(b"\xc3")
        assert output.replace(b"ok\n")
        assert (output.text(), output.generation, output.size, output.newlines) == ("ok\n", 1, 3, 1)

    def test_the_same_snapshot_changes_nothing_and_a_grown_one_appends(self) -> None:
        output = Output()
        output.append(b"one\xc3")
        assert not output.replace(b"one\xc3")
        assert output.replace(b"one\xc3\xa9!")
        assert (output.generation, output.text()) == (0, "oneé!")

    def test_clearing(self) -> None:
        output = Output()
        assert not output.replace(b"")
        output.append(b"x")
        assert output.replace(b"")
        assert (output.data(), output.text(), output.generation) == (b"", "", 1)

    @given(st.lists(st.binary(max_size=6), max_size=12))
    def test_any_split_gives_the_text_of_the_whole(self, chunks: list[bytes]) -> None:
        parts, whole = Output(), Output()
        for chunk in chunks:
            parts.append(chunk)
        whole.append(b"".join(chunks))
        assert parts.text() == whole.text()
        assert parts.data() == b"".join(chunks)
        assert parts.newlines == b"".join(chunks).count(b"\n")


class Small(Output):
    KEEP = 16
    RECENT = 8
    PAGE = 4
    __slots__ = ()


class TestOutputIsBounded:
    def test_the_front_is_cut_at_a_line_start(self) -> None:
        output = Small()
        for number in range(9):
            output.append(b"%03d\n" % number)
        assert output.data() == b"005\n006\n007\n008\n"
        assert output.text() == output.data().decode()
        assert (output.cut, output.size, output.newlines, output.generation) == (20, 16, 4, 0)
        assert output.end == 36

    def test_a_line_without_end_is_cut_between_characters(self) -> None:
        output = Small()
        output.append("€".encode() * 11)
        assert output.text() == "€" * 6
        assert output.cut == 15

    def test_a_snapshot_of_what_was_cut_changes_nothing_and_a_grown_one_appends(self) -> None:
        output = Small()
        everything = b"".join(b"%03d\n" % number for number in range(9))
        output.append(everything)
        assert not output.replace(everything)
        assert output.replace(everything + b"009\n")
        assert (output.generation, output.newlines, output.end) == (0, 5, 40)
        assert output.replace(b"new\n")
        assert (output.data(), output.cut, output.generation) == (b"new\n", 0, 1)

    @given(
        st.lists(
            st.sampled_from([b"a", b"\n", b"\xe2", b"\x82", b"\xac", b"0123456789\n" * 3, None]), max_size=200
        )
    )
    def test_at_least_keep_and_at_most_twice_that_stay(self, chunks: list[bytes | None]) -> None:
        output, everything, read, place = Small(), b"", b"", 0
        for chunk in chunks:
            if chunk is None:
                output.rest()
                assert output.read(output.end) == (b"", output.end)
                continue
            output.append(chunk)
            everything += chunk
            assert min(len(everything), Small.KEEP) <= output.size <= 2 * Small.KEEP
            assert output.end == len(everything)
            assert everything.endswith(output.data())
            assert output.newlines == output.data().count(b"\n")
            place, read = (output.cut, b"") if place < output.cut else (place, read)
            while place < output.end:
                data, place = output.read(place)
                assert data
                read += data
            assert everything.endswith(read)


class TestOutputIsPutAside:
    def test_in_memory_stays_the_end_and_nothing_once_it_is_over(self, tmp_path: Path) -> None:
        shelf = Spill(tmp_path)
        output = Output(shelf)
        line = b"0123456789" * 9 + b"\n"
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(40_000):
                output.append(line)
            assert tracemalloc.get_traced_memory()[0] - before < 2 * Output.RECENT
            output.rest()
            assert tracemalloc.get_traced_memory()[0] - before < 40_000
        finally:
            tracemalloc.stop()
        assert output.data() == line * 40_000
        assert output.text() == output.data().decode()
        assert not output.replace(line * 40_000)

    def test_room_is_given_back_when_it_is_replaced(self, tmp_path: Path) -> None:
        shelf = Spill(tmp_path)
        output = Output(shelf)
        for number in range(5):
            output.replace(b"%d\n" % number * 500_000)
        assert shelf.size < 3 * 1_000_000

    def test_what_is_gone_says_so_in_its_place(self) -> None:
        output = Output(Lossy())
        output.append(b"x\n" * 200_000)
        output.append(b"end")
        assert WHY in output.text()
        assert output.text().endswith("x\nend")
        with pytest.raises(Gone, match=WHY):
            output.data()
        assert output.replace(b"x\n" * 200_000 + b"end")
        assert output.generation == 1
