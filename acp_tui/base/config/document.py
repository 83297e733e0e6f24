"""The settings as the README has them: tables made from the model, so that they cannot rot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING

from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.base.config.model import AgentSettings, McpServer, Rule, Settings, Slot, simple, slots

_TABLES = (
    ("[[permissions.rules]]", Rule),
    ("[agents.NAME]", AgentSettings),
    ("[mcp.NAME]", McpServer),
    ("[aip.NAME]", GatewaySettings),
)


def markdown() -> str:
    """A table of the settings that stand in one place, and one for each kind of table."""
    rows = [_row(".".join(path), slot) for path, slot in simple()]
    keys = next(slot for slot in slots(Settings) if slot.name == "keys")
    parts = [_table("setting", [*rows, _row("keys", keys)])]
    for name, section in _TABLES:
        about = " ".join((section.__doc__ or "").split())
        parts.append(f"**`{name}`** {about}\n\n" + _table("in it", [_row(s.name, s) for s in slots(section)]))
    return "\n\n".join(parts) + "\n"


def _table(title: str, rows: list[str]) -> str:
    return "\n".join([f"| {title} | default | what it does | may be |", "| --- | --- | --- | --- |", *rows])


def _row(name: str, slot: Slot) -> str:
    cells = (f"`{name}`", default(slot), slot.what, slot.allowed)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def default(slot: Slot) -> str:
    """As the file would say it; nothing where there is no need to say it."""
    if slot.default is MISSING:
        return "needed"
    return " ".join(f"`{word}`" for word in _words(slot.default))


def _words(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, str) and value:
        yield f'"{value}"'
    elif isinstance(value, tuple) and value:
        yield "[" + ", ".join(f'"{one}"' for one in value) + "]"
