"""Where a rule of the user acted is to be seen in the timeline (PM-14): on the call that was asked about,
else by a member of its own.
"""

from __future__ import annotations

from acp_tui.client.wire import Wire
from acp_tui.protocol.permission import CommandPermissionSubject, ToolCallPermissionSubject
from acp_tui.store.entities import AgentRequest, ToolCall
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.change import close_last


def show_rule(wire: Wire, request: AgentRequest) -> None:
    """A rule has answered this."""
    session = wire.store.sessions.get(request.key.session)
    if session is None:
        return
    call = session.entities.get(Key(session.ref, Kind.TOOL_CALL, _call(request)))
    if isinstance(call, ToolCall):
        call.ruled = (*call.ruled, request.key)
        wire.changed(call)
    else:
        close_last(wire.store, session, wire.at)
        session.timeline.append(request.key)
        wire.touch(session, Kind.TIMELINE)


def _call(request: AgentRequest) -> str:
    """The id of the call it is about; empty if of none."""
    match getattr(request.params, "subject", None):
        case ToolCallPermissionSubject(tool_call=call):
            return call.tool_call_id
        case CommandPermissionSubject(tool_call_id=str(named)):
            return named
        case _:
            return ""
