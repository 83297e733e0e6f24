"""Patches from two texts: true whatever the texts are, and bounded in cost."""

from __future__ import annotations

from difflib import SequenceMatcher
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.protocol.v1 import diffs
from acp_tui.protocol.v1.diffs import git_patch
from acp_tui.render.patch import read_patch

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "--- x\n", "@@ -1 +1 @@\n", "\\\n", "d\r\n"]))
TEXTS = st.builds(lambda lines, end: "".join(lines) + end, LINES, st.sampled_from(["", "end", " "]))


def applied(patch: str, old: str) -> str:
    """What a reader of the patch makes of the old text."""
    [section] = read_patch(patch).sections
    lines = old.split("\n")
    found: list[str] = []
    at = 0
    for hunk in section.hunks:
        start = hunk.old - 1 if hunk.old and any(line[0] in " -" for line in hunk.lines) else hunk.old
        found += lines[at:start]
        at = start + sum(line[0] in " -" for line in hunk.lines)
        found += [line[1:] for line in hunk.lines if line[0] in " +"]
    return "\n".join(found + lines[at:]).rstrip("\n")


@given(TEXTS, TEXTS)
def test_a_patch_makes_the_new_text_of_the_old(old: str, new: str) -> None:
    patch = git_patch("/p", old, new)
    assert bool(patch) == (old != new)
    if patch:
        assert applied(patch, old) == new.rstrip("\n")


@given(st.text(), st.text())
def test_any_path_is_read_back(path: str, new: str) -> None:
    [section] = read_patch(git_patch("/" + path.replace("\r", ""), None, new)).sections
    assert section.operation == "add"
    if new.strip("\n") and section.hunks:
        assert section.new == "/" + path.replace("\r", "")


def test_a_missing_last_newline_is_told() -> None:
    assert git_patch("/p", "a", "a\n") == (
        "diff --git /p /p\n--- /p\n+++ /p\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"
    )


def test_changes_far_apart_are_hunks_of_their_own() -> None:
    old = [f"{n}\n" for n in range(100)]
    new = [*old[:10], "new\n", *old[10:80], *old[81:]]
    patch = git_patch("/p", "".join(old), "".join(new))
    assert [line for line in patch.splitlines() if line.startswith("@@")] == [
        "@@ -8,6 +8,7 @@",
        "@@ -78,7 +79,6 @@",
    ]


@pytest.mark.parametrize("period", [1, 2, 7, 10_000])
def test_the_cost_is_bounded(period: int) -> None:
    """However often lines repeat, `difflib` gets no more to compare than was said."""
    old = "".join(f"{n % period}\n" for n in range(6000))
    new = "".join(f"{(n * 7 + 3) % period}\n" for n in range(6000))
    seen: list[int] = []

    class Counting(SequenceMatcher[str]):
        def __init__(self, junk: None, a: list[str], b: list[str], autojunk: bool) -> None:
            seen.append(len(a) * len(b))
            super().__init__(junk, a, b, autojunk)

    with patch.object(diffs, "SequenceMatcher", Counting):
        text = git_patch("/p", old + "x", new)
    assert sum(seen) <= diffs.BUDGET
    assert applied(text, old + "x") == new.rstrip("\n")
