"""A diff as lines: the changes are the truth, the patch adds the text (DF-01).

Invariants: every change is shown, whether the patch covers it or not; what the patch says beyond the
changes is shown, too; with `exact`, nothing is cut and control characters are written out (PM-21). Colours
never alone: signs say it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from rich.style import Style

from acp_tui.protocol.tool_call import Diff, DiffChange, DiffPathPairChange
from acp_tui.protocol.unknown import Unknown
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line, visible
from acp_tui.render.code import highlight, language_of
from acp_tui.render.look import Look, act
from acp_tui.render.markdown import Page
from acp_tui.render.patch import Hunk, Section, read_patch
from acp_tui.render.paths import relative
from acp_tui.render.wrap import Lines, Run, Runs, wrap

_GLYPHS = {"add": "+", "delete": "−", "modify": "✎", "move": "↦", "copy": "⧉"}
_WORDS = {"add": "added", "delete": "deleted", "modify": "", "move": "moved", "copy": "copied"}


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path: what happened to it, and what the patch says of it."""

    operation: str
    path: str
    old_path: str = ""
    file_type: str = ""
    section: Section | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A diff understood: its files, and the patch as it came where it is no `git_patch` that can be read."""

    files: tuple[FileChange, ...]
    raw: str = ""
    lines: int = field(default=0)

    @property
    def added(self) -> int:
        """Lines added."""
        return sum(one.section.added for one in self.files if one.section)

    @property
    def removed(self) -> int:
        """Lines removed."""
        return sum(one.section.removed for one in self.files if one.section)

    @property
    def counted(self) -> bool:
        """The counts say something: there is a patch with lines."""
        return any(one.section and (one.section.added or one.section.removed) for one in self.files)


def read(diff: Diff) -> Reading:
    """Match the sections of the patch to the changes by path (DF-06)."""
    patch = diff.patch
    sections = read_patch(patch.text) if patch is not None and patch.format == "git_patch" else []
    left = list(sections)
    files = [_change(change, left) for change in diff.changes]
    files += [
        FileChange("modify", section.new or section.old or "?", section=section)
        for section in left
        if section.paths or section.hunks
    ]
    raw = patch.text if patch is not None and patch.text.strip() and not sections else ""
    return Reading(tuple(files), raw, patch.text.count("\n") if patch is not None else 0)


def _change(change: DiffChange | Unknown, left: list[Section]) -> FileChange:
    if isinstance(change, Unknown):
        path = change.raw.get("path")
        return FileChange(change.type, path if isinstance(path, str) else "")
    old = change.old_path if isinstance(change, DiffPathPairChange) else ""
    section = _section(change.path, old, left)
    return FileChange(change.operation, change.path, old, change.file_type or "", section)


def _section(path: str, old: str, left: list[Section]) -> Section | None:
    """Take the section about this path out of those left; `a/` and `b/` before relative paths are
    forgiven."""
    for index, section in enumerate(left):
        if path in section.paths or (old and old in section.paths):
            return left.pop(index)
    for index, section in enumerate(left):
        for said in section.paths:
            if said[:2] in ("a/", "b/") and (path.endswith(said[1:])):
                return left.pop(index)
    return None


Layout = Literal["unified", "split", "auto"]
"""In one column, side by side, or by width."""


class DiffLines(Lines):
    """Lines of a diff, and the rows where a change begins: where `[` and `]` go."""

    __slots__ = ("changes",)

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[int] = []


def diff_lines(
    item: Diff | Reading,
    width: int,
    look: Look,
    *,
    cwd: str = "",
    left: Runs = (),
    layout: Layout = "auto",
    limit: int | None = None,
    exact: bool = False,
    head: bool = True,
    toggled: Collection[int] = (),
    index: int = 0,
) -> DiffLines:
    """A diff on lines of `width` cells, each after the gutter `left`.

    `limit`: about so many lines at first. What is folded or left out says so in a row with the act
    `("part", n)`; `toggled` are those n that were clicked once. `index` keeps the numbers of several diffs
    apart. `exact`: everything, written out, nothing folds (PM-21). `head`: name the file also where there
    is only one.
    """
    reading = item if isinstance(item, Reading) else read(item)
    page = Page(width, look, tuple(left), look.base)
    made = DiffLines()
    for one in reading.files:
        if limit is not None and len(made) >= limit:
            break
        made.changes.append(len(made))
        if head or len(reading.files) > 1 or one.section is None or not one.section.hunks:
            made.extend(_title(one, page, cwd, exact))
        if one.section is not None:
            made.extend(_body(one.section, one, page, limit and limit - len(made), exact))
    if reading.raw and (limit is None or len(made) < limit):
        made.extend(_raw(reading.raw, page, limit and limit - len(made), exact))
    if limit is not None and reading.lines > limit and len(made) >= limit:
        more = words.count(max(1, reading.lines - len(made)), "more line")
        made.extend(
            wrap([(f"… {more}", page.look.dim + act("toggle"))], page.width, page.look.base, first=page.left)
        )
    return made


def _title(one: FileChange, page: Page, cwd: str, exact: bool) -> Lines:
    look = page.look
    text: Callable[[str], str] = visible if exact else clean
    said = _WORDS.get(one.operation, one_line(one.operation, 30))
    runs: list[Run] = [(_GLYPHS.get(one.operation, "?") + " ", look.kind)]
    if one.old_path:
        runs += [(text(relative(one.old_path, cwd)), look.path), (" → ", look.dim)]
    runs.append((text(relative(one.path, cwd)) or "?", look.path + act("open", one.path, None)))
    facts = [said, one.file_type if one.file_type not in ("", "text") else ""]
    if one.section is not None:
        if one.section.added or one.section.removed:
            facts.append(words.changes(one.section.added, one.section.removed))
        facts += [text(note) for note in one.section.notes]
    runs += [(f"  {one_line(fact, 80)}", look.result) for fact in facts if fact]
    return wrap(runs, page.width, look.base, first=page.left, rest=[*page.left, ("  ", look.base)])


def _raw(text: str, page: Page, limit: int | None, exact: bool) -> Lines:
    made = Lines()
    for line in _first(text.split("\n"), limit):
        shown = visible(line) if exact else clean(line)
        made.extend(
            wrap([(shown, page.look.diff_context)], page.width, page.look.base, first=page.left, words=False)
        )
    return made


def _first(lines: list[str], limit: int | None) -> list[str]:
    return lines if limit is None else lines[: max(0, limit)]


def _body(section: Section, one: FileChange, page: Page, limit: int | None, exact: bool) -> Lines:
    made = Lines()
    look = page.look
    language = language_of(one.path)
    ends = [max(hunk.old, hunk.new) + len(hunk.lines) for hunk in section.hunks]
    size = max(4, len(str(max(ends, default=0))))
    for number, hunk in enumerate(section.hunks):
        if limit is not None and len(made) >= limit:
            break
        if number:
            title = (visible if exact else clean)(hunk.title)
            gap = [(" " * size + " ⋯ ", look.diff_hunk), (one_line(title), look.diff_hunk)]
            made.extend(wrap(gap, page.width, look.base, first=page.left))
        for line in _hunk(hunk, language, size, page, None if limit is None else limit - len(made), exact):
            made.extend(line)
    return made


def _hunk(
    hunk: Hunk, language: str, size: int, page: Page, limit: int | None, exact: bool
) -> Iterator[Lines]:
    look = page.look
    lines = _first(hunk.lines, limit)
    shown = [
        (visible if exact else clean)(line[1:].removesuffix("\r") if not exact else line[1:])
        for line in lines
    ]
    shown = [text.replace("\n", " ") for text in shown]
    coloured = highlight(shown, language, look)
    old, new = hunk.old, hunk.new
    for line, runs in zip(lines, coloured, strict=True):
        sign = line[0]
        if sign == "\\":
            yield wrap(
                [(clean(line), look.dim)],
                page.width,
                look.base,
                first=[*page.left, (" " * (size + 3), look.base)],
            )
            continue
        number = old if sign == "-" else new
        old += sign != "+"
        new += sign != "-"
        yield _line(sign, str(number), runs, size, page)


def _line(sign: str, number: str, runs: Runs, size: int, page: Page) -> Lines:
    look = page.look
    style = {"+": look.diff_add, "-": look.diff_delete}.get(sign, look.diff_context)
    mark = sign if sign in "+-" else " "
    under = [(text, _over(token, style, look)) for text, token in runs]
    first = [*page.left, (f"{number:>{size}} ", look.diff_number), (mark + " ", style)]
    rest = [*page.left, (" " * (size + 1), look.diff_number), ("  ", style)]
    return wrap(under, page.width, style, first=first, rest=rest, words=False)


@lru_cache(maxsize=1024)
def _over(token: Style, style: Style, look: Look) -> Style:
    """Colours of the code on the background of the change; without such a background the change's own
    colour."""
    if style.bgcolor is None or style.bgcolor == look.base.bgcolor:
        return style
    return token + Style(bgcolor=style.bgcolor)
