"""A command as people call it: what Python runs as a module stands for itself, and ours by its short name."""

from __future__ import annotations

from collections.abc import Sequence


def spoken(command: Sequence[str]) -> tuple[str, ...]:
    """`/usr/bin/python3 -m acp_tui.aip work` is `aip work`, `/opt/bin/agent --acp` is `agent --acp`."""
    if not command:
        return ()
    program, *rest = command
    name = program.rpartition("/")[2]
    if name.startswith("python") and len(rest) > 1 and rest[0] == "-m":
        return rest[1].removeprefix("acp_tui."), *rest[2:]
    return name, *rest
