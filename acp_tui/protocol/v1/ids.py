"""Names for what v1 agents leave nameless: messages, the plan, the options we make of modes and models.

Invariants: what we make up begins with `synth:` and goes on with a word; a name of the agent that begins so
gets another colon, so that none can be one of ours (V1-21) and each can be given back as it came.
"""

from __future__ import annotations

OURS = "synth:"
PLAN = f"{OURS}plan"
MODE = f"{OURS}mode"
MODEL = f"{OURS}model"


def made(word: str, number: int) -> str:
    """The name of the n-th nameless thing of a kind."""
    return f"{OURS}{word}:{number}"


def is_made(name: str) -> bool:
    """It was made up here."""
    return name.startswith(OURS) and not name.startswith(f"{OURS}:")


def number(name: str) -> int:
    """Which one it is of its kind; 0 where it has no number."""
    last = name.rpartition(":")[2]
    return int(last) if last.isdecimal() and last.isascii() else 0


def taken(name: str) -> str:
    """The agent's name, as it is called here."""
    return f"{OURS}:{name[len(OURS) :]}" if name.startswith(OURS) else name


def given(name: str) -> str:
    """What `taken` made, as the agent calls it."""
    return OURS + name[len(OURS) + 1 :] if name.startswith(f"{OURS}:") else name
