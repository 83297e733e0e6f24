"""Saved sessions for the pictures of the library: written as acp-tui keeps them, and indexed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

Said = tuple[Literal["<", ">"], dict[str, Any]]

HOUR, DAY = 3600.0, 86_400.0


@dataclass(frozen=True)
class Kept:
    """One of them."""

    title: str
    agent: str
    folder: str
    ago: float
    """Seconds before the picture."""
    asked: str = ""
    answered: str = ""
    cost: float = 0.0
    turns: int = 3
    ended: bool = True
    """Else it was interrupted."""


SESSIONS = (
    Kept(
        "Fix the tokenizer",
        "codex-acp",
        "parser",
        2 * 60,
        'why does lex("a..b") hang? look at @src/lex.py',
        "`next_token` never advanced on an empty match. It raises **LexError** now, and a test holds it:\n\n"
        "- `tests/test_lex.py::test_empty_match`\n- all 214 others pass",
        0.42,
        9,
    ),
    Kept("Why is CI red", "claude-code", "parser", 3 * HOUR, "why is CI red?", "A cache key.", 0.18, 4),
    Kept("Refactor the store", "codex-acp", "store", 9 * HOUR, "split store.py", "On it.", 0.07, 2, False),
    Kept("Port to 3.13", "gemini-cli", "parser", 1.2 * DAY, "port this to 3.13", "Done.", 0.0, 12),
    Kept("Speed up the lexer", "claude-code", "parser", 3 * DAY, "profile lex.py", "Twice as fast.", 1.3, 20),
    Kept("Write the changelog", "codex-acp", "site", 5 * DAY, "write the changelog", "Written.", 0.02, 1),
    Kept("A grammar for dates", "gemini-cli", "parser", 16 * DAY, "a grammar for dates?", "Here.", 0.0, 6),
    Kept("Deploy script", "claude-code", "site", 44 * DAY, "make deploy.sh safe", "It asks first.", 0.11, 3),
    Kept("漢字 in identifiers", "codex-acp", "parser", 400 * DAY, "allow 漢字 in names", "Allowed.", 0.05, 2),
)


def equip(now: float) -> dict[str, str]:
    """Install some agents that were used before; returns the environment in which they are found."""
    from acp_tui.base.paths import state_dir
    from acp_tui.base.recent import RecentCommand, add
    from acp_tui.services.acquaintances import remember

    programs = state_dir() / "bin"
    programs.mkdir(parents=True, exist_ok=True)
    for name in ("codex-acp", "gemini", "npx"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    remember(("codex-acp",), protocol=2, name="codex-acp", version="2.6.0", at=now - 2 * 60)
    remember(("gemini", "--acp"), protocol=1, name="gemini-cli", version="0.61.0", at=now - 1.2 * DAY)
    mine = ("./agent.py", "--verbose")
    add(RecentCommand(command=mine, cwd="/home/ada/src/site", used_at=now - 5 * DAY))
    add(RecentCommand(command=("codex-acp",), cwd="/home/ada/src/parser", used_at=now - 2 * 60))
    return {"PATH": str(programs)}


def fill(now: float) -> None:
    """Write and index them below the folders of `base.paths`; their folders are below `~/src`."""
    from acp_tui.base.paths import cache_dir, journal_dir, state_dir
    from acp_tui.journal.indexing import Indexing
    from acp_tui.journal.library import Library
    from acp_tui.journal.marks import Marks

    for number, kept in enumerate(SESSIONS):
        _write(number, kept, now - kept.ago)
    Indexing(journal_dir(), cache_dir() / "library", lambda _: None, lambda: False).run()
    library = Library()
    pinned = next(entry for entry in library.entries() if entry.title == "Port to 3.13")
    Marks(state_dir() / "marks.ndjson").pin(pinned.id, now)
    library.close()


def _write(number: int, kept: Kept, end: float) -> None:
    from acp_tui.base.paths import journal_dir
    from acp_tui.journal.log import Header, Journal

    said = [*_beginning(kept), *(one for turn in range(kept.turns) for one in _turn(kept, turn))]
    at = end - len(said)
    head = Header(
        started=at, pid=1000 + number, generation=1, command=(kept.agent,), cwd=_folder(kept), version="0"
    )
    journal = Journal(journal_dir(), head)
    for direction, message in said:
        at += 1.0
        session = None if message.get("method") == "initialize" or message.get("id") == "init" else "s"
        journal.append(direction, [(session, {"jsonrpc": "2.0", **message})], at)
    if kept.ended:
        journal.note("connection_lost", at, reason="", exit_code=0)
    journal.close(at)


def _folder(kept: Kept) -> str:
    return f"/home/ada/src/{kept.folder}"


def _beginning(kept: Kept) -> list[Said]:
    info = {"name": kept.agent, "version": "1"}
    agent = {"protocolVersion": 2, "info": info, "capabilities": {"session": {}}}
    return [
        (">", {"id": "init", "method": "initialize", "params": {"protocolVersion": 2}}),
        ("<", {"id": "init", "result": agent}),
        (">", {"id": 1, "method": "session/new", "params": {"cwd": _folder(kept)}}),
        ("<", {"id": 1, "result": {"sessionId": "s"}}),
        _update("session_info_update", title=kept.title),
    ]


def _turn(kept: Kept, number: int) -> list[Said]:
    asked = [{"type": "text", "text": kept.asked if not number else "go on"}]
    answer = [{"type": "text", "text": kept.answered if number == kept.turns - 1 else "Looking."}]
    prompt = {"sessionId": "s", "prompt": asked}
    said: list[Said] = [
        (">", {"id": 10 + number, "method": "session/prompt", "params": prompt}),
        _update("user_message", messageId=f"u{number}", content=asked),
        ("<", {"id": 10 + number, "result": {"messageId": f"u{number}"}}),
        _update("state_update", state="running"),
        _update("agent_message", messageId=f"a{number}", content=answer),
    ]
    if kept.cost:
        cost = {"amount": kept.cost, "currency": "USD"}
        said.append(_update("usage_update", used=20_000, size=200_000, cost=cost))
    return [*said, _update("state_update", state="idle", stopReason="end_turn")]


def _update(kind: str, **fields: Any) -> Said:
    params = {"sessionId": "s", "update": {"sessionUpdate": kind, **fields}}
    return "<", json.loads(json.dumps({"method": "session/update", "params": params}))
