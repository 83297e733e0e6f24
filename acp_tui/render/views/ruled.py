"""What a rule of the user has answered for him, where it did (PM-14): under the call it was asked about, or
on a line of its own.

Invariant: who answered is always said; the words of the agent come last and on one line.
"""

from __future__ import annotations

from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look
from acp_tui.render.view import Lookup, View
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import AgentRequest, ToolCall


def told(request: AgentRequest) -> str:
    """The answer and the rule."""
    inner = request.outcome.get("outcome") if isinstance(request.outcome, dict) else None
    chosen = inner.get("optionId") if isinstance(inner, dict) else None
    options = request.params.options if isinstance(request.params, RequestPermissionRequest) else ()
    name = next((option.name for option in options if option.option_id == chosen), "answered")
    return f"{one_line(name, 60)} · by your rule “{one_line(request.answered_why, 160)}”"


def told_of(call: ToolCall, store: Lookup) -> list[str]:
    """The same for each request about a call that a rule has answered."""
    found = (store.entity(key) for key in call.ruled)
    return [told(request) for request in found if isinstance(request, AgentRequest)]


class RequestView(View):
    """A request about no call that is known."""

    __slots__ = ()

    compact = True
    entity: AgentRequest

    def source(self) -> str:
        title = getattr(self.entity.params, "title", "")
        return f"{told(self.entity)} · {one_line(str(title), 200)}"

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        lines = self.begin(width, look)
        lines.extend(ruled_lines([self.source()], width, look))
        return lines


def ruled_lines(said: list[str], width: int, look: Look) -> Lines:
    """Such answers, each from a line of its own."""
    lines = Lines()
    for one in said:
        first: list[Run] = [("   ", look.base), ("↳ ", look.dim)]
        lines.extend(wrap([(one, look.dim)], width, look.base, first=first))
    return lines
