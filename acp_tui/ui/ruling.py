"""The user's rules at work: what one of them decides is answered before a panel can show it.

Invariants: nothing is answered for a session that is not open or is being replayed, nor while there are no
rules; the user is told of each answer.
"""

from __future__ import annotations

import os

from acp_tui.base.config import Settings
from acp_tui.client.effects import Ask, Effect
from acp_tui.render.clean import one_line
from acp_tui.services.rules import judge, words
from acp_tui.store.entities import AgentRequest
from acp_tui.store.store import Store
from acp_tui.ui.asker import asker, top
from acp_tui.ui.conversation import Link
from acp_tui.ui.inbox import what
from acp_tui.ui.told import Told


def ruled(link: Link, effect: Effect, settings: Settings | None) -> Told | None:
    """Let a rule answer what is asked, and say so; None: the user is asked."""
    rules = settings.permissions.rules if settings is not None else ()
    if settings is None or not rules or not isinstance(effect, Ask):
        return None
    request = link.store.entity(effect.request)
    if not isinstance(request, AgentRequest) or not _live(link.store, request.key.session):
        return None
    verdict = judge(rules, link.store, request, names(link, settings))
    if verdict is None:
        return None
    link.agent.do(verdict.answer)
    said = f"{one_line(verdict.option.name, 60)}: {one_line(what(request), 120)}"
    who = asker(link.store, request.key.session)
    return Told(f"{said}\n{who} · your rule “{one_line(words(verdict.rule), 120)}”", "Answered by your rule")


def _live(store: Store, ref: str) -> bool:
    """It works before the user's eyes: what is replayed was answered long ago."""
    sessions = [store.sessions.get(ref), store.sessions.get(top(store, ref))]
    return all(one is not None and one.phase == "open" and not one.replaying for one in sessions)


def names(link: Link, settings: Settings) -> tuple[str, ...]:
    """What the agent goes by: in the settings, by its program, and as it says itself."""
    info = link.store.connection.agent_info
    said = (info.name, info.title or "") if info is not None else ()
    listed = (name for name, agent in settings.agents.items() if agent.command == link.command)
    program = os.path.basename(link.command[0]) if link.command else ""
    return tuple(name for name in dict.fromkeys((*listed, program, *said)) if name)
