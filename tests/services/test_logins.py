"""Logging in with the agent's own program."""

from __future__ import annotations

from acp_tui.protocol.initialize import AuthMethodTerminal
from acp_tui.services.logins import program


def test_the_method_adds_words_and_variables_to_the_agents_own_program() -> None:
    method = AuthMethodTerminal.model_validate(
        {"methodId": "tty", "name": "T", "args": ["login"], "env": [{"name": "A", "value": "2"}]}
    )
    words, env = program(("agent", "--acp"), {"A": "1", "B": "1"}, method)
    assert words == ("agent", "--acp", "login")
    assert env == {"A": "2", "B": "1"}
