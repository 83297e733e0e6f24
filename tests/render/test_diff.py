from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.protocol.tool_call import Diff
from acp_tui.render.diff import diff_lines, read
from acp_tui.render.look import FALLBACK
from acp_tui.render.patch import read_patch
from tests.render.hostile import HOSTILE
from tests.render.stage import texts

PATCH = """diff --git /w/x.py /w/x.py
--- /w/x.py
+++ /w/x.py
@@ -1,3 +1,4 @@
 keep
-old
+new
+more
 end
@@ -90 +91 @@ def f():
-a
+b
\\ No newline at end of file
"""


def diff(*changes: dict[str, str], patch: str | None = None, form: str = "git_patch") -> Diff:
    raw: dict[str, object] = {"type": "diff", "changes": list(changes)}
    if patch is not None:
        raw["patch"] = {"format": form, "text": patch}
    return Diff.model_validate(raw)


def shown(value: Diff, limit: int | None = None, exact: bool = False, width: int = 50) -> list[str]:
    return texts(diff_lines(value, width, FALLBACK, cwd="/w", limit=limit, exact=exact), width)


def test_a_patch_is_shown_with_numbers_and_signs() -> None:
    value = diff({"operation": "modify", "path": "/w/x.py"}, patch=PATCH)
    reading = read(value)
    assert (reading.added, reading.removed) == (3, 2)
    assert shown(value) == [
        "✎ x.py  +3 −2",
        "   1   keep",
        "   2 - old",
        "   2 + new",
        "   3 + more",
        "   4   end",
        "     ⋯ def f():",
        "  90 - a",
        "  91 + b",
        "       \\ No newline at end of file",
    ]


def test_changes_alone_are_enough() -> None:
    assert shown(
        diff(
            {"operation": "add", "path": "/w/a.png", "fileType": "binary"},
            {"operation": "delete", "path": "/w/d", "fileType": "directory"},
            {"operation": "modify", "path": "/w/m"},
            {"operation": "move", "oldPath": "/w/o", "path": "/else/n"},
            {"operation": "copy", "oldPath": "/w/o", "path": "/w/c", "fileType": "symlink"},
            {"operation": "chmod", "path": "/w/s"},
        )
    ) == [
        "+ a.png  added  binary",
        "− d  deleted  directory",
        "✎ m",
        "↦ o → /else/n  moved",
        "⇉ o → c  copied  symlink",
        "? s  chmod",
    ]


def test_sections_belong_to_changes_by_path() -> None:
    patch = (
        'diff --git "/w/\\303\\251 \\"q\\"" "/w/\\303\\251 \\"q\\""\nnew file mode 100644\n--- /dev/null\n'
        '+++ "/w/\\303\\251 \\"q\\""\n@@ -0,0 +1 @@\n+x\n'
        "diff --git /w/b.bin /w/b.bin\nBinary files /w/b.bin and /w/b.bin differ\n"
        "diff --git /w/old name /w/new name\nsimilarity index 90%\n"
        "rename from /w/old name\nrename to /w/new name\n"
        "diff --git /w/extra /w/extra\n--- /w/extra\n+++ /w/extra\n@@ -1 +1 @@\n-1\n+2\n"
    )
    assert shown(
        diff(
            {"operation": "move", "oldPath": "/w/old name", "path": "/w/new name"},
            {"operation": "modify", "path": "/w/b.bin"},
            {"operation": "add", "path": '/w/é "q"'},
            patch=patch,
        ),
        width=80,
    ) == [
        "↦ old name → new name  moved  90 % alike",
        "✎ b.bin  binary",
        '▾ é "q"  added  +1 −0',
        "   1 + x",
        "▾ extra  +1 −1",
        "   1 - 1",
        "   1 + 2",
    ]


def test_prefixes_git_writes_by_itself_are_forgiven() -> None:
    patch = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"
    assert shown(diff({"operation": "modify", "path": "/w/x.py"}, patch=patch))[0] == "✎ x.py  +1 −1"


def test_what_is_no_patch_is_shown_raw() -> None:
    change = {"operation": "modify", "path": "/w/x"}
    assert shown(diff(change, patch="nonsense\n@@ here")) == ["✎ x", "nonsense", "@@ here"]
    assert shown(diff(change, patch="s/a/b/", form="sed")) == ["✎ x", "s/a/b/"]


def test_a_limit_counts_what_it_leaves_out() -> None:
    patch = "diff --git /w/x /w/x\n--- /w/x\n+++ /w/x\n@@ -0,0 +1,50 @@\n" + "+line\n" * 50
    made = shown(diff({"operation": "add", "path": "/w/x"}, patch=patch), limit=10)
    assert len(made) == 12
    assert made[-1] == "… 40 more lines"


def test_what_is_approved_is_whole_and_written_out() -> None:
    patch = (
        "diff --git /w/x /w/x\n--- /w/x\n+++ /w/x\n@@ -0,0 +1,2 @@\n+" + "y" * 200 + "\x1b[2K\r\n+\u202eend\n"
    )
    made = shown(diff({"operation": "add", "path": "/w/x"}, patch=patch), exact=True, width=30)
    assert "".join(line[7:] for line in made[1:]) == "y" * 200 + "␛[2K␍" + "<U+202E>end"


@given(
    st.lists(
        st.sampled_from(
            [*PATCH.splitlines(), "@@ -x +y @@", "+++ ", "--- ", "@@ -1,99999999 +1 @@", "+", "-", ""]
        )
    )
)
def test_reading_never_fails(lines: list[str]) -> None:
    patch = read_patch("\n".join(lines))
    kept = sum(len(hunk.lines) for section in patch.sections for hunk in section.hunks) + len(patch.stray)
    assert kept <= len(lines)
    shown(diff(patch="\n".join(lines)))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_patches_are_only_text(text: str) -> None:
    patch = (
        f"diff --git {text} {text}\n--- {text}\n+++ {text}\n@@ -1 +1,9 @@ {text}\n+{text}\n-{text}\n {text}"
    )
    for exact in (False, True):
        change = {"operation": "modify", "path": text or "x"}
        shown(diff(change, {"operation": text, "path": text}, patch=patch), exact=exact, width=20)
        shown(diff(change, patch=text, form=text), exact=exact, width=20)
