"""Which of the user's rules answers what is asked. Imports no Textual.

Invariant: none does for a session that is not open or is being replayed, or that works for such a one: what
is replayed was answered long ago.
"""

from __future__ import annotations

import os

from acp_tui.base.config import Settings
from acp_tui.services.rules import Verdict, judge
from acp_tui.store.entities import AgentRequest
from acp_tui.store.keys import Key
from acp_tui.store.store import Store
from acp_tui.ui.conversation import Link


def decided(link: Link, key: Key, settings: Settings | None) -> Verdict | None:
    """The answer of a rule, still to be given; None: the user is asked."""
    request = link.store.entity(key)
    if settings is None or not settings.permissions.rules or not isinstance(request, AgentRequest):
        return None
    if not _live(link.store, key.session):
        return None
    return judge(settings.permissions.rules, link.store, request, names(link, settings))


def names(link: Link, settings: Settings) -> tuple[str, ...]:
    """What the agent goes by: in the settings, by its program, and as it says itself."""
    info = link.store.connection.agent_info
    said = (info.name, info.title or "") if info is not None else ()
    listed = (name for name, agent in settings.agents.items() if agent.command == link.command)
    program = os.path.basename(link.command[0]) if link.command else ""
    return tuple(name for name in dict.fromkeys((*listed, program, *said)) if name)


def _live(store: Store, ref: str | None) -> bool:
    while ref is not None:
        session = store.sessions.get(ref)
        if session is None or session.phase != "open" or session.replaying:
            return False
        ref = session.parent
    return True
