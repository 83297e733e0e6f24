"""A login in the user's terminal: the agent's own program has it until it ends; the agent is heard meanwhile
(AU-03 to AU-05).

Invariants: the program that runs is the agent's, with what the method adds, and nothing else; however it ends
the terminal is ours again and the client hears how; Ctrl+C there ends it and not us.
"""

from __future__ import annotations

import asyncio
import signal

from textual.app import SuspendNotSupported

from acp_tui.client.intents import LoginEnded
from acp_tui.protocol.initialize import AuthMethodTerminal
from acp_tui.services.logins import program
from acp_tui.ui.calling import Calling
from acp_tui.ui.conversation import Link

GIVEN_UP = frozenset({-signal.SIGINT, 128 + signal.SIGINT})
"""Statuses of a program that the user has ended."""


async def log_in(app: Calling, link: Link, method: AuthMethodTerminal) -> None:
    """Lend the terminal, then say how it went."""
    agent = link.agent
    words, env = program(agent.command, agent.env, method)
    try:
        with app.batch_update(), app.suspend():
            process = await asyncio.create_subprocess_exec(*words, cwd=agent.cwd, env=env)
            status = await process.wait()
    except (OSError, ValueError) as error:
        agent.do(LoginEnded(False, f"Its program could not be started: {error}"))
    except SuspendNotSupported:
        agent.do(LoginEnded(False, "This terminal cannot be lent to a program."))
    else:
        agent.do(LoginEnded(status == 0, _reason(status)))


def _reason(status: int) -> str:
    """Why it did not go well; nothing where it did, or the user gave it up."""
    if status == 0 or status in GIVEN_UP:
        return ""
    if status < 0:
        return f"Its program was ended by {signal.Signals(-status).name}."
    return f"Its program ended with status {status}."
