"""What to do when an agent does not come up: from its exit status and its last words (LC-06, S42, S43).

Pure. Each piece of advice says why it is given; where we do not know, we say how to find out.
"""

from __future__ import annotations

import os
import shlex

from acp_tui.render.clean import one_line
from acp_tui.services.known_agents.catalog import TOOLS, Tool
from acp_tui.services.known_agents.resolving import GET
from acp_tui.store.connection import Connection


def headline(connection: Connection) -> str:
    """What could not be started; what fetches agents may have run itself, and failed to bring one."""
    name = one_line(connection.agent_name, 60)
    if name != _fetches(connection) or (connection.exit_code is None and not connection.signal):
        return f"{name} could not be started"
    if connection.signal:
        return f"{name} ran and was killed by {connection.signal}"
    return f"{name} ran and ended with status {connection.exit_code}"


def what_happened(connection: Connection) -> str:
    """One sentence: how it ended."""
    if connection.failure:
        return connection.failure
    if connection.signal:
        return f"The agent was killed by {connection.signal}."
    if connection.exit_code is not None:
        return f"The agent exited with status {connection.exit_code} before it could be used."
    return "The agent could not be used."


def advice(connection: Connection) -> list[str]:
    """What to try, the likeliest first."""
    said = "\n".join(connection.stderr_tail).lower()
    found = []
    if any(word in said for word in ("api key", "api_key", "login", "unauthorized", "authenticat")):
        found.append("It seems to want a login or a key: run the program by itself once, or set its key.")
    never_ran = connection.pid is None and connection.exit_code is None and not connection.signal
    fetches = _fetches(connection)
    if fetches is not None and never_ran:
        found.append(f"This needs {GET[fetches]}.")
    elif fetches is not None and connection.ready_at is None:
        found.append(f"{fetches} fetches the agent before it starts it: is there a way to the network?")
    if connection.garbage and connection.ready_at is None:
        found.append(
            "It wrote text where messages should be: most agents need an option or another program for ACP."
        )
    if never_ran:
        found.append("Is it installed? Its words are run as they are given, without a shell.")
    found.append(f"See for yourself: (cd {shlex.quote(connection.cwd)} && {shlex.join(connection.command)})")
    return found


def _fetches(connection: Connection) -> Tool | None:
    """What fetches this agent, if something does."""
    program = os.path.basename(connection.command[0]) if connection.command else ""
    return next((tool for tool in TOOLS if tool == program), None)
