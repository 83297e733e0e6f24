"""The user's rules at work: what one of them decides is answered before a panel can show it.

Invariants: nothing is answered that `deciding` leaves to the user; he is told of each answer.
"""

from __future__ import annotations

from acp_tui.base.config import Settings
from acp_tui.client.effects import Ask, Effect
from acp_tui.render.clean import one_line
from acp_tui.services.rules import words
from acp_tui.store.entities import AgentRequest
from acp_tui.ui.asker import asker
from acp_tui.ui.conversation import Link
from acp_tui.ui.deciding import decided
from acp_tui.ui.inbox import what
from acp_tui.ui.told import Told


def ruled(link: Link, effect: Effect, settings: Settings | None) -> Told | None:
    """Let a rule answer what is asked, and say so; None: the user is asked."""
    verdict = decided(link, effect.request, settings) if isinstance(effect, Ask) else None
    if verdict is None:
        return None
    request = link.store.entity(verdict.answer.request)
    link.agent.do(verdict.answer)
    asked = what(request) if isinstance(request, AgentRequest) else ""
    said = f"{one_line(verdict.option.name, 60)}: {one_line(asked, 120)}"
    who = asker(link.store, verdict.answer.request.session)
    return Told(f"{said}\n{who} · your rule “{one_line(words(verdict.rule), 120)}”", "Answered by your rule")
