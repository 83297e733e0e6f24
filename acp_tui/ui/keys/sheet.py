"""The table of keys to be read: for the help screen and the README."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from acp_tui.ui.keys.current import listed
from acp_tui.ui.keys.deeds import TITLES, Deed
from acp_tui.ui.keys.names import spelled
from acp_tui.ui.keys.table import BOUND, TABLE


def help_rows(changed: Mapping[str, str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Place by place: its title and rows of (keys, what they do)."""
    for place, title in TITLES.items():
        rows = [(labels(deed, changed), deed.what) for deed in TABLE if deed.where == place]
        if rows:
            yield title, rows


def markdown() -> str:
    """The tables of the README."""
    parts = []
    for title, rows in help_rows({}):
        lines = [f"**{title}**", "", "| key | does |", "| --- | --- |"]
        lines += [f"| {keys} | {what} |".replace("`\\`", "`` \\ ``") for keys, what in rows]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def labels(deed: Deed, changed: Mapping[str, str]) -> str:
    """All keys of a deed in words; a numbered one as a range."""
    if deed.numbered:
        ids = [f"{deed.id}.{number}" for number in range(1, len(deed.keys) + 1)]
        named = [spelled(_first(id, changed)) for id in ids]
        return ", ".join(named) if any(id in changed for id in ids) else f"{named[0]} … {named[-1]}"
    return spelled(listed(changed[deed.id]) if deed.id in changed else deed.keys)


def _first(id: str, changed: Mapping[str, str]) -> tuple[str, ...]:
    return (listed(changed[id]) if id in changed else BOUND[id][1])[:1]
