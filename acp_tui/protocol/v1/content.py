"""What tool calls of v1 agents produce: the same as in v2, but for diffs (V1-33)."""

from __future__ import annotations

from typing import Any

from acp_tui.protocol.v1.diffs import git_patch


def items(raw: Any) -> Any:
    """The content of a tool call; what is malformed is left to be passed over by the reader."""
    return [_item(one) for one in raw] if isinstance(raw, list) else raw


def terminals(raw: Any) -> set[str]:
    """The terminals that the content of a tool call shows."""
    found = (one.get("terminalId") for one in raw if isinstance(one, dict) and one.get("type") == "terminal")
    return {name for name in found if isinstance(name, str)}


def _item(raw: Any) -> Any:
    if not isinstance(raw, dict) or raw.get("type") != "diff":
        return raw
    path, old, new = raw.get("path"), raw.get("oldText"), raw.get("newText")
    if not isinstance(path, str) or not isinstance(new, str):
        return {"type": "diff"}  # malformed: no changes, no diff
    old = old if isinstance(old, str) else None
    operation = "add" if old is None else "modify"
    diff: dict[str, Any] = {
        "type": "diff",
        "changes": [{"operation": operation, "path": path, "fileType": "text"}],
    }
    if text := git_patch(path, old, new):
        diff["patch"] = {"format": "git_patch", "text": text}
    if isinstance(raw.get("_meta"), dict):
        diff["_meta"] = raw["_meta"]
    return diff
