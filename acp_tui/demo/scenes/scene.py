"""What a scene is, and the few steps that several scenes share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from acp_tui.agent_side.turn import Turn, shown
from acp_tui.agent_side.wire import Json
from acp_tui.demo import story

Play: TypeAlias = Callable[[Turn, str], Awaitable[Json | None]]
"""Plays a scene; gets the words after the command, returns how the turn ends when not by `end_turn`."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A slash command and what it does."""

    name: str
    description: str
    play: Play
    hint: str | None = None
    """What may stand after the command."""
    title: str | None = None
    """What a session that begins with it is called; else its description."""

    def command(self) -> Json:
        """The entry for the list of available commands (CM-02)."""
        hint = None if self.hint is None else {"type": "text", "hint": self.hint}
        return {"type": "command", "name": self.name, "description": self.description, "input": hint}


OPTIONS: list[Json] = [
    {"optionId": "once", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "always", "name": "Allow for this session", "kind": "allow_always"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]

PLAN = ("Read the lexer and its tests", "Reproduce the hang", "Raise an error on an empty match", "Test it")


def lex_py(t: Turn) -> str:
    """Path of the file the story is about."""
    return f"{t.session.cwd}/src/lex.py"


def plan(t: Turn, done: int, *, cancelled: bool = False) -> None:
    """Send the plan of the story with so many entries done (PL-02)."""
    now = "cancelled" if cancelled else "in_progress"
    after = "cancelled" if cancelled else "pending"
    statuses = ["completed"] * done + [now] + [after] * len(PLAN)
    priorities = ("medium", "high", "high", "low")
    entries = [
        {"content": content, "status": status, "priority": priority}
        for content, status, priority in zip(PLAN, statuses, priorities, strict=False)
    ]
    t.session.update("plan_update", plan={"type": "items", "planId": "fix", "entries": entries})


async def read(t: Turn, path: str, words: str, line: int | None = None) -> None:
    """Read a file."""
    where = {"path": path} if line is None else {"path": path, "line": line}
    title = f"Read {path.removeprefix(t.session.cwd + '/')}"
    call = t.call(title, "read", name="read_file", locations=[where], rawInput={"path": path})
    await t.pause(0.5)
    t.patch_call(call, status="completed", content=[shown(words)])
    await t.pause(0.2)


async def run(t: Turn, command: str, pieces: tuple[str, ...], code: int, *, call: str | None = None) -> str:
    """Run a command in a terminal, piece by piece; the id of its tool call."""
    call = call or t.call(command, "execute", name="bash", rawInput={"command": command})
    terminal = t.terminal(command, size={"cols": 80, "rows": 24})
    t.patch_call(call, status="in_progress", content=[{"type": "terminal", "terminalId": terminal}])
    for piece in pieces:
        t.output(terminal, piece)
        await t.pause(0.15)
    t.exited(terminal, code)
    t.patch_call(call, status="failed" if code else "completed", rawOutput={"exitCode": code})
    await t.pause(0.4)
    return call


def fix(t: Turn) -> Json:
    """The diff that repairs the lexer."""
    path = lex_py(t)
    return story.diff([story.modified(path)], story.patch(path, story.FIX))


def allowed(t: Turn, choice: str | None) -> bool:
    """Whether a choice among `OPTIONS` lets the agent go on; remembers *always* (PM-16)."""
    if choice == "always":
        t.session.config["mode"] = "auto"
    return choice in ("once", "always")


async def may(t: Turn, title: str, **fields: Any) -> bool:
    """Ask for permission, unless the session's mode or an earlier answer says that nobody need be asked."""
    if t.session.config.get("mode") == "auto":
        return True
    return allowed(t, await t.ask(title, OPTIONS, **fields))
