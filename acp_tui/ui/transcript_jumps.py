"""Where one may want to jump in a conversation: one's own messages, what failed, what was changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from acp_tui.protocol.tool_call import Diff
from acp_tui.store.entities import Compaction, Entity, Submission, ToolCall, Turn
from acp_tui.store.keys import Kind


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
    return isinstance(entity, ToolCall) and any(isinstance(item, Diff) for item in entity.content)


JUMPS: Mapping[str, Callable[[Entity], bool]] = {"message": prompts, "failure": failed, "change": changes}
"""By the name of what is jumped to."""
