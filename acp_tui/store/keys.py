"""Names of everything the store knows: one key for each entity, one for each single thing of a session.

A key names the *session by our own reference* (`Session.ref`), never by the agent's id: a session exists here
before the agent has named it, and a resumed one is rebuilt beside the one that is shown.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

OURS = "acp-tui-"
"""So begin the names that we give to terminals and tool calls of our own; what follows is nobody's guess."""


class Kind(StrEnum):
    """Type part of a key. The values of the protocol's entities are the protocol's words (EN-01)."""

    USER_MESSAGE = "user_message"
    AGENT_MESSAGE = "agent_message"
    AGENT_THOUGHT = "agent_thought"
    TOOL_CALL = "tool_call"
    TERMINAL = "terminal"
    PLAN = "plan"
    COMPACTION = "compaction"
    SESSION_MESSAGE = "session_message"

    TURN = "turn"
    """Ours: the end of a turn, a timeline member with stop reason, error and what became of a cancel."""
    SUBAGENT = "subagent"
    """Ours: stands for a child session in its parent's timeline; the id is the agent's id of the child."""
    SUBMISSION = "submission"
    """Ours: a prompt of the user, from the composer until the agent's user message takes its place."""
    REQUEST = "request"
    """A permission or elicitation put before the user."""

    SESSION = "session"
    """Foreground state, cancel, background, activity: what the status line reads."""
    TIMELINE = "timeline"
    """The timeline or the tail of submissions gained or lost a member."""
    USAGE = "usage"
    INFO = "info"
    COMMANDS = "commands"
    CONFIG_OPTIONS = "config_options"
    NOTICES = "notices"
    UNKNOWN_UPDATES = "unknown_updates"

    CONNECTION = "connection"
    """The agent's process and the protocol spoken with it. Session part of the key: empty."""
    SESSIONS = "sessions"
    """The set of sessions changed. Session part: empty."""
    REQUESTS = "requests"
    """The inbox of waiting requests changed. Session part: empty."""


class Key(NamedTuple):
    """Identity of one thing: (session, type, id) as the protocol wants it, the session by our reference."""

    session: str
    kind: Kind
    id: str = ""


TIMELINE_KINDS = frozenset(
    {
        Kind.USER_MESSAGE,
        Kind.AGENT_MESSAGE,
        Kind.AGENT_THOUGHT,
        Kind.TOOL_CALL,
        Kind.COMPACTION,
        Kind.SESSION_MESSAGE,
    }
)
"""Timeline members by the protocol (EN-13); the timeline also holds what is ours: TURN, SUBAGENT, a
SUBMISSION of which no user message came, a REQUEST about no known call that a rule has answered."""

MESSAGE_KINDS = frozenset({Kind.USER_MESSAGE, Kind.AGENT_MESSAGE, Kind.AGENT_THOUGHT})
