"""Where one may want to jump in a conversation: one's own messages, what failed, what was changed, into
the conversations of subagents, and to a place in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from acp_tui.protocol.tool_call import Diff, SessionLink
from acp_tui.render.diff import read
from acp_tui.store.entities import Compaction, Entity, SessionMessage, Subagent, Submission, ToolCall, Turn
from acp_tui.store.holding import is_diff, loaded, reference
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import Store


def prompts(entity: Entity) -> bool:
    """The user's own words."""
    return entity.key.kind in (Kind.USER_MESSAGE, Kind.SUBMISSION)


def failed(entity: Entity) -> bool:
    """It did not work."""
    if isinstance(entity, Turn):
        return entity.stop_reason in ("error", "disconnected")
    if isinstance(entity, Submission):
        return entity.status in ("rejected", "uncertain")
    return isinstance(entity, ToolCall | Compaction) and entity.status == "failed"


def changes(entity: Entity) -> bool:
    """A tool call that changed files."""
    return isinstance(entity, ToolCall) and any(map(is_diff, entity.content))


JUMPS: Mapping[str, Callable[[Entity], bool]] = {"message": prompts, "failure": failed, "change": changes}
"""By the name of what is jumped to."""


def child_of(entity: Entity, store: Store) -> str | None:
    """The session of the first subagent that an entry names, by our reference."""
    if isinstance(entity, Subagent):
        return entity.child
    named: list[str | None] = []
    if isinstance(entity, ToolCall):
        named = [one.session_id for one in map(reference, entity.content) if isinstance(one, SessionLink)]
    elif isinstance(entity, SessionMessage):
        named = [entity.sender_session_id, entity.recipient_session_id]
    for name in named:
        found = store.entity(Key(entity.key.session, Kind.SUBAGENT, name)) if name is not None else None
        if isinstance(found, Subagent):
            return found.child
    return None


def place_of(entity: Entity) -> tuple[str, int | None] | None:
    """Path and line of the first place in a file that an entry names, as the agent gave them."""
    if not isinstance(entity, ToolCall):
        return None
    if entity.locations:
        return entity.locations[0].path, entity.locations[0].line
    held = map(loaded, filter(is_diff, entity.content))
    diffs = (read(item) for item in held if isinstance(item, Diff))
    file = next((file for reading in diffs for file in reading.files), None)
    return (file.path, file.first_line) if file is not None else None
