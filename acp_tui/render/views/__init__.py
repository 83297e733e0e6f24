"""One module for each kind of entity; `make_view` finds the right one."""

from __future__ import annotations

from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.views.message import MessageView, SessionMessageView, ThoughtView, UserView
from acp_tui.store.entities import Entity, Message, SessionMessage
from acp_tui.store.keys import Kind

__all__ = ["make_view"]


def make_view(entity: Entity, store: Lookup, now: Now) -> View:
    """The view of a member of the timeline or its tail."""
    if isinstance(entity, SessionMessage):
        return SessionMessageView(entity, store, now)
    if isinstance(entity, Message):
        if entity.key.kind == Kind.USER_MESSAGE:
            return UserView(entity, store, now)
        if entity.key.kind == Kind.AGENT_THOUGHT:
            return ThoughtView(entity, store, now)
        return MessageView(entity, store, now)
    raise TypeError(f"no view for {entity.key.kind}")
