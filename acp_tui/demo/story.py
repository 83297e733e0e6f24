"""The project of the story that the demo tells: a small lexer that hangs, its tests, and the way out.

Texts only. Line numbers in patches and locations agree with `LEX`.
"""

from __future__ import annotations

from acp_tui.agent_side.wire import Json

LEX = '''\
"""Cut a text into tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PATTERN = re.compile(
    r"(?P<dots>[.]+)"
    r"|(?P<space>[ ]+)"
    r"|(?P<number>[0-9]*)"
)


class LexError(ValueError):
    """There is no token at this place."""


@dataclass(frozen=True)
class Token:
    kind: str
    text: str


def lex(text: str) -> Iterator[Token]:
    """All tokens but white space."""
    i = 0
    while i < len(text):
        m = PATTERN.match(text, i)
        i = m.end()
        if m.lastgroup != "space":
            yield Token(m.lastgroup, m.group())
'''

LOOP_LINE = 31
"""Where the fix goes in `LEX`."""

FIX = """\
@@ -28,6 +28,8 @@ def lex(text: str) -> Iterator[Token]:
     i = 0
     while i < len(text):
         m = PATTERN.match(text, i)
-        i = m.end()
+        if m.end() == i:
+            raise LexError(i)
+        i = m.end()
         if m.lastgroup != "space":
             yield Token(m.lastgroup, m.group())
"""

TEST = """\
@@ -18,2 +18,7 @@ def test_numbers():
 def test_dots():
     assert kinds("1..2") == ["number", "dots", "number"]
+
+
+def test_an_empty_match_is_an_error():
+    with pytest.raises(LexError):
+        list(lex("a..b"))
"""

NOTES = """\
@@ -0,0 +1,4 @@
+# Changes
+
+- `lex` raises `LexError` where nothing matches; it used to hang.
+- Grüße an alle, die `"a..b"` gemeldet haben. 漢字 too.
"""

RENAMED = """\
@@ -12,5 +12,6 @@ class Token:
 class Token:
-    kind: str
+    kind: Kind  # 種類, one of a few
     text: str
+    start: int = 0
     def __str__(self) -> str:
-        return f"{self.kind}:{self.text}"
+        return f"{self.kind.name}:{self.text} at {self.start}"
"""

FAILING = (
    "\x1b[1m==================== test session starts ====================\x1b[0m\r\n",
    "platform linux -- Python 3.13.0, pytest-9.2.0\r\n",
    "collected 12 items\r\n\r\n",
    "tests/test_lex.py \x1b[32m.......\x1b[0m",
    "\x1b[32m....\x1b[0m",
    "\x1b[31mF\x1b[0m",
    "                                    \x1b[31m[100%]\x1b[0m\r\n\r\n",
    "\x1b[31m========================= FAILURES ==========================\x1b[0m\r\n",
    "\x1b[31m\x1b[1m___________________ test_letters_and_dots ___________________\x1b[0m\r\n\r\n",
    "    def test_letters_and_dots():\r\n",
    '>       assert list(lex(\x1b[33m"a..b"\x1b[0m))\r\n',
    '\x1b[1m\x1b[31mE       TimeoutError: lex("a..b") is still busy after 2 s\x1b[0m\r\n\r\n',
    "\x1b[1mtests/test_lex.py\x1b[0m:31: TimeoutError\r\n",
    "\x1b[31m============= \x1b[1m1 failed\x1b[0m\x1b[31m, \x1b[32m11 passed\x1b[31m in 2.04s "
    "==============\x1b[0m\r\n",
)

PASSING = (
    "\x1b[1m==================== test session starts ====================\x1b[0m\r\n",
    "collected 13 items\r\n\r\n",
    "tests/test_lex.py \x1b[32m......\x1b[0m",
    "\x1b[32m......\x1b[0m",
    "\x1b[32m.\x1b[0m",
    "                                   \x1b[32m[100%]\x1b[0m\r\n\r\n",
    "\x1b[32m==================== \x1b[1m13 passed\x1b[0m\x1b[32m in 0.12s =====================\x1b[0m\r\n",
)


def patch(path: str, hunks: str, *, new: bool = False) -> str:
    """One section of a git patch as ACP wants it: absolute paths without prefixes (DF-05)."""
    name = _quoted(path)
    old, mode = ("/dev/null", "new file mode 100644\n") if new else (name, "")
    return f"diff --git {name} {name}\n{mode}--- {old}\n+++ {name}\n{hunks}"


def reworked(cwd: str) -> Json:
    """A larger change: a rename with edits, a file of hundreds of lines, a mode, a symbolic link."""
    names = "src/tok.py", "src/token.py", "src/tables.py", "tools/check", "docs/latest"
    old, new, table, tool, link = (f"{cwd}/{name}" for name in names)
    rows = "".join(f'+    {number}: "U+{number:04X}",\n' for number in range(418))
    return diff(
        [
            {"operation": "move", "oldPath": old, "path": new, "fileType": "text"},
            {"operation": "add", "path": table, "fileType": "text"},
            {"operation": "modify", "path": tool, "fileType": "text"},
            {"operation": "add", "path": link, "fileType": "symlink"},
        ],
        f"diff --git {old} {new}\nsimilarity index 86%\nrename from {old}\nrename to {new}\n"
        f"--- {old}\n+++ {new}\n{RENAMED}",
        patch(table, f"@@ -0,0 +1,420 @@\n+NAMES = {{\n{rows}+}}\n", new=True),
        f"diff --git {tool} {tool}\nold mode 100644\nnew mode 100755\n",
        f"diff --git {link} {link}\nnew file mode 120000\n--- /dev/null\n+++ {link}\n"
        "@@ -0,0 +1 @@\n+../CHANGES.md\n\\ No newline at end of file\n",
    )


def diff(changes: list[Json], *patches: str) -> Json:
    """Tool call content that shows changes."""
    content: Json = {"type": "diff", "changes": changes}
    return {**content, "patch": {"format": "git_patch", "text": "".join(patches)}} if patches else content


def modified(path: str) -> Json:
    """A change of a text file."""
    return {"operation": "modify", "path": path, "fileType": "text", "mimeType": "text/x-python"}


def _quoted(path: str) -> str:
    """The way Git writes a path: in quotes, with octal escapes, when it holds anything odd."""
    if all(0x20 <= ord(c) < 0x7F and c not in '"\\' for c in path):
        return path
    plain = (chr(b) if 0x20 <= b < 0x7F and chr(b) not in '"\\' else f"\\{b:03o}" for b in path.encode())
    return '"' + "".join(plain) + '"'
