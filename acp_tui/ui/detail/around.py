"""What the screens to read in need of the world around the thing they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from acp_tui.client.intents import Intent
from acp_tui.store.store import Store
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.standing import Status


@dataclass(slots=True, kw_only=True)
class Around:
    """The store, a clock, and where things are kept and put."""

    store: Store
    now: Callable[[], float]
    cwd: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    journals: Callable[[], Sequence[Path]] = tuple
    """Files the messages of this run were kept in, oldest first."""
    do: Callable[[Intent], object] = lambda _: None
    """Asks something of the agent."""
    standing: Callable[[], Status] | None = None
    """How a saved session stands, also for the conversations in it; None: each as it lives."""


def around(conversation: Conversation) -> Around:
    """What is around everything of one agent."""
    agent = conversation.agent
    return Around(
        store=conversation.store,
        now=agent.now,
        cwd=conversation.cwd,
        env=agent.env,
        journals=lambda: agent.journals,
        do=conversation.do,
    )
