"""One module for each kind of entity; `make_view` finds the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.views.message import (
    MessageView,
    OpenThoughtView,
    SessionMessageView,
    ThoughtView,
    UserView,
)
from acp_tui.render.views.rule import CompactionView, TurnView
from acp_tui.render.views.ruled import RequestView
from acp_tui.render.views.subagent import SubagentView
from acp_tui.render.views.submission import SubmissionView
from acp_tui.render.views.tool_call import ToolCallView
from acp_tui.store.entities import Entity
from acp_tui.store.keys import Kind

__all__ = ["make_view"]

_VIEWS: dict[Kind, Callable[[Any, Lookup, Now], View]] = {
    Kind.USER_MESSAGE: UserView,
    Kind.AGENT_MESSAGE: MessageView,
    Kind.AGENT_THOUGHT: ThoughtView,
    Kind.TOOL_CALL: ToolCallView,
    Kind.COMPACTION: CompactionView,
    Kind.SESSION_MESSAGE: SessionMessageView,
    Kind.TURN: TurnView,
    Kind.SUBAGENT: SubagentView,
    Kind.SUBMISSION: SubmissionView,
    Kind.REQUEST: RequestView,
}
_OPEN: dict[Kind, Callable[[Any, Lookup, Now], View]] = {Kind.AGENT_THOUGHT: OpenThoughtView}


def make_view(entity: Entity, store: Lookup, now: Now, *, thoughts_open: bool = False) -> View:
    """The view of a member of the timeline or its tail; `thoughts_open`: a thought is, while it grows."""
    kind = entity.key.kind
    return (_OPEN if thoughts_open and kind in _OPEN else _VIEWS)[kind](entity, store, now)
