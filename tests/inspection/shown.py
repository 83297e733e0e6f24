"""What `inspect` says about a conversation, in the words in which its end is written down (`ends_v1`)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from tests.inspection.ends_v1 import Item

WORDS = {"user_message": "user", "agent_message": "agent", "agent_thought": "thought"}


def shown(session: dict[str, Any]) -> list[Item]:
    """What stands in the conversation, in order."""
    found: list[Item] = []
    for kind, id in session["timeline"]:
        one = session["entities"][kind][id]
        if kind == "tool_call":
            places = [f"at {place['path']}" for place in one["locations"]]
            holds = [item for content in one["content"] for item in _held(session, content)]
            found.append(("call", one["title"], one["kind"], one["displayStatus"], *holds, *places))
        else:
            found.append((WORDS[kind], "".join(block["text"] for block in one["content"])))
    return found


def _held(session: dict[str, Any], content: dict[str, Any]) -> list[str]:
    """Diffs, text, and terminals: `terminal`, how it ended, its bytes as text."""
    if content["type"] == "diff":
        return [f"{change['operation']} {change['path']}" for change in content["changes"]]
    if content["type"] == "terminal":
        terminal = session["entities"]["terminal"][content["terminalId"]]
        ended = terminal["exitStatus"]
        how = "open" if not terminal["exited"] else (ended or {}).get("exitCode", "ended")
        return [f"terminal {how} {b64decode(terminal['output']).decode()}"]
    return [f"text {content['content']['text']}"]


def as_written(items: Sequence[Item], written: Sequence[Item]) -> list[Item | None]:
    """The items, each text cut where what was written is cut."""
    return [_cut(*pair) for pair in zip_longest(items, written)]


def _cut(item: Item | None, written: Item | None) -> Item | None:
    if (
        item
        and written
        and len(item) == 2
        and written[-1].endswith("…")
        and item[-1].startswith(written[-1][:-1])
    ):
        return (item[0], written[-1])
    return item


def asked(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Permissions: the title, and the option chosen or `cancelled`."""
    outcomes = [(one["title"], one["outcome"]) for one in state["agentRequests"].values()]
    return [(title, outcome.get("optionId", outcome["outcome"])) for title, outcome in outcomes]
