"""One session update applied to what we know: the reducer.

Pure of clocks and effects: the same updates at the same times give the same store. An update that changes
nothing raises no revision and makes no key dirty. Whatever raises `Invalid` has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from acp_tui.protocol.unknown import Unknown
from acp_tui.protocol.updates import SessionUpdate
from acp_tui.store.reducers import facts, messages, state, subagents, terminals, tools
from acp_tui.store.session import Session
from acp_tui.store.store import Store

REDUCERS: Final[Mapping[str, Callable[[Store, Session, Any, float], None]]] = {
    "user_message": messages.message,
    "user_message_chunk": messages.message_chunk,
    "agent_message": messages.message,
    "agent_message_chunk": messages.message_chunk,
    "agent_thought": messages.message,
    "agent_thought_chunk": messages.message_chunk,
    "session_message": messages.session_message,
    "session_message_chunk": messages.session_message_chunk,
    "compaction_update": messages.compaction,
    "compaction_summary_chunk": messages.compaction_chunk,
    "tool_call_update": tools.tool_call,
    "tool_call_content_chunk": tools.tool_call_chunk,
    "terminal_update": terminals.terminal,
    "terminal_output_chunk": terminals.terminal_chunk,
    "plan_update": facts.plan,
    "plan_removed": facts.plan_removed,
    "available_commands_update": facts.commands,
    "config_option_update": facts.config_options,
    "usage_update": facts.usage,
    "session_info_update": facts.info,
    "notice": facts.notice,
    "replay_complete": facts.replay_complete,
    "state_update": state.state,
    "subagent_update": subagents.subagent,
}
"""One function for each kind of update, by the value of `sessionUpdate`."""


def reduce(store: Store, session: Session, update: SessionUpdate | Unknown, at: float) -> None:
    """Apply one update that came at `at`. Raises `Invalid` for what no schema can tell (TM-08, SA-01)."""
    if isinstance(update, Unknown):
        facts.unknown(store, session, update, at)
    else:
        REDUCERS[update.session_update](store, session, update, at)
    session.heard_at = at
