"""A diff understood: each path with what happened to it and what the patch says of it (DF-01, DF-06).

Invariants: every change is there, whether the patch covers it or not; what the patch says beyond the
changes is there, too. Linear in the diff, no layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from acp_tui.protocol.tool_call import Diff, DiffChange, DiffPathPairChange
from acp_tui.protocol.unknown import Unknown
from acp_tui.render import words
from acp_tui.render.patch import Hunk, Section, read_patch

_WORDS = {"add": "added", "delete": "deleted", "modify": "", "move": "moved", "copy": "copied"}
_TYPES = {"120000": "symlink", "160000": "submodule", "040000": "directory"}


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path: what happened to it, and what the patch says of it."""

    operation: str
    path: str
    old_path: str = ""
    file_type: str = ""
    section: Section | None = None

    @property
    def hunks(self) -> list[Hunk]:
        """What can be shown of it line by line."""
        return self.section.hunks if self.section is not None else []

    @property
    def size(self) -> int:
        """Lines of its hunks."""
        return sum(len(hunk.lines) for hunk in self.hunks)

    @property
    def first_line(self) -> int | None:
        """Where its first hunk begins in the new file."""
        return next((max(1, hunk.new) for hunk in self.hunks if not hunk.raw), None)

    @property
    def one_sided(self) -> bool:
        """Nothing stands on one of its sides: a new or a deleted file."""
        return self.section is not None and not (self.section.added and self.section.removed)

    def facts(self, exact: bool) -> list[str]:
        """What is to be said of it beside its path; with `exact`, the header as Git wrote it."""
        said = [_WORDS.get(self.operation, self.operation)]
        said.append(self.file_type if self.file_type != "text" else "")
        if self.section is not None:
            if self.section.added or self.section.removed:
                said.append(words.changes(self.section.added, self.section.removed))
            said += self.section.notes if exact else _notes(self.section)
        return list(dict.fromkeys(fact for fact in said if fact))


class Reading:
    """A diff understood: its files, and the text of the patch that belongs to none."""

    def __init__(self, files: tuple[FileChange, ...], raw: str = "") -> None:
        self.files = files
        self.raw = raw

    @cached_property
    def added(self) -> int:
        """Lines added."""
        return sum(one.section.added for one in self.files if one.section)

    @cached_property
    def removed(self) -> int:
        """Lines removed."""
        return sum(one.section.removed for one in self.files if one.section)

    @property
    def counted(self) -> bool:
        """The counts say something: there is a patch with lines."""
        return bool(self.added or self.removed)


def read(diff: Diff) -> Reading:
    """Match the sections of the patch to the changes by path (DF-06)."""
    patch = diff.patch
    text = patch.text if patch is not None else ""
    sections, stray = read_patch(text) if patch is not None and patch.format == "git_patch" else ([], [text])
    left = _Sections(sections)
    files = [_change(change, left) for change in diff.changes]
    files += [_beyond(section) for section in left.rest()]
    raw = "\n".join(stray)
    return Reading(tuple(files), raw if raw.strip() else "")


def _change(change: DiffChange | Unknown, left: _Sections) -> FileChange:
    if isinstance(change, Unknown):
        path = change.raw.get("path")
        path = path if isinstance(path, str) else ""
        return FileChange(change.type, path, section=left.take(path, "") if path else None)
    old = change.old_path if isinstance(change, DiffPathPairChange) else ""
    return FileChange(change.operation, change.path, old, change.file_type or "", left.take(change.path, old))


def _beyond(section: Section) -> FileChange:
    """A file that only the patch speaks of."""
    pair = section.operation in ("move", "copy")
    return FileChange(
        section.operation,
        section.new or section.old or section.head or "?",
        (section.old or "") if pair else "",
        section=section,
    )


class _Sections:
    """Sections that are still to be matched, by what they say of their paths."""

    def __init__(self, sections: list[Section]) -> None:
        self._left = {id(section): section for section in sections}
        self._by_path: dict[str, list[Section]] = {}
        for section in sections:
            for path in section.paths:
                self._by_path.setdefault(path, []).append(section)

    def take(self, path: str, old: str) -> Section | None:
        """The section about this path; `a/` and `b/` before relative paths are forgiven."""
        for name in (path, old, *_prefixed(path)):
            for section in self._by_path.get(name, ()) if name else ():
                if self._left.pop(id(section), None) is not None:
                    return section
        return None

    def rest(self) -> Iterator[Section]:
        """Those no change asked for, in order."""
        yield from self._left.values()


def _prefixed(path: str) -> Iterator[str]:
    """What Git would have called it, seen from any of the folders above it."""
    parts = path.replace("\\", "/").strip("/").split("/")
    for start in range(min(len(parts), 64)):
        tail = "/".join(parts[start:])
        yield "b/" + tail
        yield "a/" + tail


def _notes(section: Section) -> Iterator[str]:
    """The header in words."""
    old_mode = ""
    for note in section.notes:
        name, _, value = note.rpartition(" ")
        value = value.strip()
        if name == "old mode":
            old_mode = value
        elif name == "new mode":
            yield f"mode {old_mode[-3:]} → {value[-3:]}" if old_mode else f"mode {value[-3:]}"
        elif name in ("new file mode", "deleted file mode"):
            if value != "100644":
                yield _TYPES.get(value, f"mode {value[-3:]}")
        elif name == "similarity index":
            yield "unchanged" if value == "100%" else f"{value.removesuffix('%')} % alike"
        elif name == "dissimilarity index":
            yield f"{value.removesuffix('%')} % new"
        else:
            yield "binary"
    if section.binary:
        yield "binary"
