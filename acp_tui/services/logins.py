"""How a terminal login is run: the agent's own program, with what the method adds (AU-04).

Invariant: the method cannot name another program; its words come behind those of the launch, its variables
lie over those of the environment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from acp_tui.protocol.initialize import AuthMethodTerminal


def program(
    command: Sequence[str], env: Mapping[str, str], method: AuthMethodTerminal
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Words and environment to start it with; `command` and `env` are those the agent was started with."""
    return (*command, *method.args), {**env, **{variable.name: variable.value for variable in method.env}}
