"""The agent's side of ACP v2 for agents of our own: lines, sessions, turns; a `Behaviour` does the rest."""
