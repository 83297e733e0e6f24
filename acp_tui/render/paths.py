"""Paths as they are read: relative to the session's folder or to home. They are data, never opened here
(SF-05)."""

from __future__ import annotations


def relative(path: str, cwd: str) -> str:
    """The path as seen from `cwd`; outside of it, as it came."""
    root = cwd.rstrip("/\\")
    if root and path.startswith((root + "/", root + "\\")):
        return path[len(root) + 1 :]
    return "." if root and path.rstrip("/\\") == root else path


def shown(path: str, home: str) -> str:
    """The path with the home folder as `~`."""
    inside = relative(path, home)
    if inside == path:
        return path
    return "~" if inside == "." else "~/" + inside
