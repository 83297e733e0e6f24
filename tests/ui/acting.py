"""Scripts for the agent that acts as it is told (`agents/acting.py`), and what it was told itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

AGENT = Path(__file__).parent / "agents" / "acting.py"


def acting(folder: Path, on: dict[str, Any], **agreed: Any) -> tuple[str, ...]:
    """The command of an agent that does this; `on` and `agreed` as the agent says."""
    script = folder / "script.json"
    script.write_text(json.dumps({"on": on, "agreed": agreed}))
    return (sys.executable, str(AGENT), str(script))


def heard(folder: Path, method: str | None = None) -> list[dict[str, Any]]:
    """The messages that reached it, those of one method or all."""
    lines = (folder / "script.heard").read_text().splitlines()
    messages = [json.loads(line) for line in lines]
    return [one for one in messages if method is None or one.get("method") == method]


def text(words: str) -> dict[str, str]:
    """A block."""
    return {"type": "text", "text": words}


def state(name: str, reason: str | None = None, **fields: Any) -> dict[str, Any]:
    """What the agent says it does."""
    more = {} if reason is None else {"stopReason": reason}
    return {"sessionUpdate": "state_update", "state": name, **more, **fields}


def says(words: str, id: str = "m1") -> dict[str, Any]:
    """A whole message of the agent."""
    return {"sessionUpdate": "agent_message", "messageId": id, "content": [text(words)]}


def chunk(words: str, id: str = "m1", kind: str = "agent_message_chunk") -> dict[str, Any]:
    """A piece of one."""
    return {"sessionUpdate": kind, "messageId": id, "content": text(words)}


def call(id: str = "c1", title: str = "Build", status: str = "in_progress", **more: Any) -> dict[str, Any]:
    """A tool call."""
    return {"sessionUpdate": "tool_call_update", "toolCallId": id, "title": title, "status": status, **more}
