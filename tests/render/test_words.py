from __future__ import annotations

import pytest

from acp_tui.render import words
from acp_tui.render.paths import relative, shown


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-1, "0.0 s"), (0.44, "0.4 s"), (9.96, "10 s"), (59.4, "59 s"), (59.6, "1 m 00 s"), (72, "1 m 12 s"),
     (3600, "1 h 00 m"), (90_061, "1 d 01 h")],
)  # fmt: skip
def test_durations(seconds: float, said: str) -> None:
    assert words.duration(seconds) == said


def test_running_times_are_whole_seconds() -> None:
    assert [words.running(s) for s in (0.9, 1.9, 12.9, 75)] == ["", "1 s", "12 s", "1 m 15 s"]


def test_sizes_tokens_costs_and_counts() -> None:
    assert [words.size(n) for n in (0, 999, 1000, 12_345, 999_600, 5_000_000, 10**15)] == [
        "0 B", "999 B", "1.0 kB", "12 kB", "1.0 MB", "5.0 MB", "1000.0 TB",
    ]  # fmt: skip
    assert [words.tokens(n) for n in (812, 1200, 12_000, 999_900)] == ["812", "1.2k", "12k", "1.0M"]
    assert words.cost(0.42, "USD") == "$0.42"
    assert words.cost(0.004, "USD") == "$0.004"
    assert words.cost(3.1, "EUR") == "3.10 EUR"
    assert words.cost(1e308, "x" * 99) == "1.0e+308 xxxxxxx…"
    assert words.count(1, "line") == "1 line"
    assert words.count(1234, "entry", "entries") == "1,234 entries"
    assert words.changes(3, 1) == "+3 −1"


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "0 lines"), ("a", "1 line"), ("a\n", "1 line"), ("a\nb", "2 lines"), ("\n", "1 line")],
)
def test_a_newline_at_the_end_begins_no_line(text: str, said: str) -> None:
    assert words.lines(text) == said


def test_what_we_do_not_know_is_said_as_it_came() -> None:
    assert words.stop_reason(None) == "stopped"
    assert words.stop_reason("_odd\x1b[2J") == "stopped: _odd"
    assert words.status("odd\n") == "odd"
    assert words.status_glyph("odd") == words.status_glyph("in_progress")
    assert words.state("unknown:hibernating") == "busy: hibernating"
    assert words.state("unknown") == "state not known yet"
    assert words.exit_status(None, None) == "ended"
    assert words.exit_status(-1, None) == "exit -1"
    assert words.exit_status(1, "SIG\x07KILL") == "SIGKILL"


def test_paths_are_seen_from_the_folder() -> None:
    assert relative("/w/a/b", "/w/a") == "b"
    assert relative("/w/ab", "/w/a") == "/w/ab"
    assert relative("/w/a", "/w/a/") == "."
    assert relative("/x", "") == "/x"
    assert shown("/home/u/x", "/home/u") == "~/x"
    assert shown("/home/u", "/home/u") == "~"
