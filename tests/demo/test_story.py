"""The story is true to itself: its patches fit its files, and its bug is a bug."""

from __future__ import annotations

import re
import sys
from types import ModuleType

import pytest

from acp_tui.demo import story

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def apply(source: str, hunks: str) -> str:
    """Apply one hunk, strictly."""
    header, *body = hunks.splitlines()
    found = HUNK.match(header)
    assert found is not None
    start, count = int(found[1]) - 1, int(found[2])
    old = [line[1:] for line in body if line[0] in " -"]
    new = [line[1:] for line in body if line[0] in " +"]
    lines = source.splitlines()
    assert lines[start : start + count] == old
    assert len(new) == int(found[4])
    lines[start : start + count] = new
    return "\n".join(lines) + "\n"


def test_the_fix_fits_and_works(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("lex")
    monkeypatch.setitem(sys.modules, "lex", module)
    exec(apply(story.LEX, story.FIX), module.__dict__)

    assert [token.text for token in module.lex("1..2")] == ["1", "..", "2"]
    with pytest.raises(module.LexError):
        list(module.lex("a..b"))


def test_the_bug_is_where_the_story_says() -> None:
    lines = story.LEX.splitlines()

    assert lines[story.LOOP_LINE - 1].strip() == "i = m.end()"


@pytest.mark.parametrize("hunks", [story.FIX, story.TEST, story.NOTES])
def test_the_counts_of_a_hunk_are_right(hunks: str) -> None:
    header, *body = hunks.splitlines()
    found = HUNK.match(header)
    assert found is not None

    assert sum(line[0] in " -" for line in body) == int(found[2] or 1)
    assert sum(line[0] in " +" for line in body) == int(found[4] or 1)


def test_a_path_is_quoted_the_way_git_does() -> None:
    assert story.patch("/w/a b.py", "").splitlines()[0] == "diff --git /w/a b.py /w/a b.py"
    assert (
        story.patch('/w/ü".py', "").splitlines()[0] == r'diff --git "/w/\303\274\042.py" "/w/\303\274\042.py"'
    )
    assert story.patch("/w/new", "", new=True).splitlines()[1:3] == ["new file mode 100644", "--- /dev/null"]
