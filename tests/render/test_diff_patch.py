from __future__ import annotations

import pytest

from acp_tui.protocol.tool_call import Diff
from acp_tui.render.diff import diff_lines, read
from acp_tui.render.look import FALLBACK
from acp_tui.render.patch import read_patch
from tests.render.stage import texts


def reading(patch: str, *changes: dict[str, str]) -> Diff:
    value = {"type": "diff", "changes": list(changes), "patch": {"format": "git_patch", "text": patch}}
    return Diff.model_validate(value)


def shown(patch: str, *changes: dict[str, str], exact: bool = False) -> list[str]:
    return texts(diff_lines(reading(patch, *changes), 70, FALLBACK, cwd="/w", exact=exact), 70)


def section(path: str, *lines: str) -> str:
    return "".join(f"{line}\n" for line in (f"diff --git {path} {path}", *lines))


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["old mode 100644", "new mode 100755"], "✎ x  mode 644 → 755"),
        (["new file mode 120000"], "+ x  added  symlink"),
        (["new file mode 100755"], "+ x  added  mode 755"),
        (["new file mode 100644"], "+ x  added"),
        (["deleted file mode 160000"], "− x  deleted  submodule"),
        (["Binary files /w/x and /w/x differ"], "✎ x  binary"),
        (["GIT binary patch", "literal 3", "zcmZ", "", "delta 4", "zcm"], "✎ x  binary"),
        (["similarity index 100%", "rename from /w/y", "rename to /w/x"], "↦ y → x  moved  unchanged"),
        (["similarity index 91%", "copy from /w/y", "copy to /w/x"], "⇉ y → x  copied  91 % alike"),
        (["dissimilarity index 80%"], "✎ x  80 % new"),
    ],
)
def test_headers_in_words(lines: list[str], title: str) -> None:
    assert shown(section("/w/x", *lines)) == [title]


def test_who_decides_sees_the_header_as_it_came() -> None:
    made = shown(
        section("/w/x", "old mode 100644", "new mode 100755", "GIT binary patch", "lit\x1bral"), exact=True
    )
    assert made == ["✎ x  old mode 100644  new mode 100755", "lit␛ral"]


def test_what_is_broken_stands_as_text_where_it_stood() -> None:
    """DF-06: the patch has one of two files, and its second hunk is broken."""
    patch = section(
        "/w/x",
        "--- /w/x",
        "+++ /w/x",
        "@@ -1 +1 @@",
        "-a",
        "+b",
        "@@ nonsense @@",
        "-c",
        "?d",
        "@@ -9 +9 @@",
        "-e",
        "+f",
    )
    changes = ({"operation": "modify", "path": "/w/x"}, {"operation": "delete", "path": "/w/y"})
    assert shown(patch, *changes) == [
        "▾ x  +2 −2",
        "   1 - a",
        "   1 + b",
        "@@ nonsense @@",
        "-c",
        "?d",
        "     ⋯",
        "   9 - e",
        "   9 + f",
        "− y  deleted",
    ]


def test_wrong_counts_are_forgiven() -> None:
    patch = section("/w/x", "--- /w/x", "+++ /w/x", "@@ -1,1 +1,1 @@", "-a", "+b", "+c", " d") + section(
        "/w/y", "--- /w/y", "+++ /w/y", "@@ -1,9 +1,9 @@", "-a", "+b"
    )
    one, two = read_patch(patch).sections
    assert [one.hunks[0].lines, two.hunks[0].lines] == [["-a", "+b", "+c", " d"], ["-a", "+b"]]
    assert (one.added, one.removed, two.added, two.removed) == (2, 1, 1, 1)


def test_files_without_the_line_of_git_are_told_apart() -> None:
    patch = "--- /w/x\n+++ /w/x\n@@ -1 +1 @@\n-a\n+b\n--- /w/y\n+++ /dev/null\n@@ -1,1 +0,0 @@\n--- c\n"
    one, two = read_patch(patch).sections
    assert (one.new, two.old, two.new, two.operation) == ("/w/x", "/w/y", None, "delete")
    assert two.hunks[0].lines == ["--- c"]


def test_text_around_the_sections_is_kept() -> None:
    patch = "From: someone\n\n" + section(
        "/w/x", "--- /w/x", "+++ /w/x", "@@ -1 +1 @@", "-a", "+b", "-- ", "2.40"
    )
    assert shown(patch) == ["✎ x  +1 −1", "   1 - a", "   1 + b", "--", "2.40", "From: someone", ""]


def test_stripped_blanks_of_empty_lines_are_forgiven() -> None:
    patch = section("/w/x", "--- /w/x", "+++ /w/x", "@@ -1,3 +1,3 @@", " a", "", "-b", "+c")
    assert read_patch(patch).sections[0].hunks[0].lines == [" a", " ", "-b", "+c"]


def test_a_section_that_says_nothing_is_still_named() -> None:
    assert shown("diff --git /w/a b /w/c d\n") == ["✎ a b /w/c d"]


def test_prefixes_with_blanks_in_paths() -> None:
    patch = "diff --git a/my file b/my file\nold mode 100644\nnew mode 100755\n"
    change = {"operation": "modify", "path": "/w/my file"}
    assert shown(patch, change) == ["✎ my file  mode 644 → 755"]


def test_thousands_of_files_are_matched_once_each() -> None:
    paths = [f"/w/{number}" for number in range(3000)]
    patch = "".join(section(path, f"--- {path}", f"+++ {path}", "@@ -1 +1 @@", "-a", "+b") for path in paths)
    changes = [{"operation": "modify", "path": path} for path in reversed(paths)]
    files = read(reading(patch, *changes)).files
    assert [one.path for one in files] == paths[::-1]
    assert all(one.section is not None and one.section.new == one.path for one in files)
