"""Tool calls and what they produce: content, diffs, references to terminals and sessions (TC, DF)."""

from typing import Annotated, Any, Literal

from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.content import AnyContentBlock
from acp_tui.protocol.lenient import Controls, Items, Lenient, Patch, Positive, Tagged
from acp_tui.protocol.model import Model, Upsert
from acp_tui.protocol.unknown import Unknown


class DiffPathChange(Model):
    """One path added, deleted or modified (DF-02)."""

    operation: Literal["add", "delete", "modify"]
    path: str
    file_type: Lenient[str] = None
    mime_type: Lenient[str] = None


class DiffPathPairChange(Model):
    """One path moved or copied (DF-02)."""

    operation: Literal["move", "copy"]
    old_path: str
    path: str
    file_type: Lenient[str] = None
    mime_type: Lenient[str] = None


DiffChange = DiffPathChange | DiffPathPairChange
AnyDiffChange = Annotated[DiffChange | Unknown, Tagged("operation")]


class DiffPatch(Model):
    """Text to render, and the format it is in (DF-05, DF-07)."""

    format: str
    text: str


class Content(Model):
    """A content block as the output of a tool."""

    type: Literal["content"] = "content"
    content: AnyContentBlock


class Diff(Model):
    """What happened to which paths; the patch only adds text (DF-01)."""

    type: Literal["diff"] = "diff"
    changes: Items[AnyDiffChange]
    patch: Lenient[DiffPatch] = None


class Terminal(Model):
    """A reference to a terminal, which may come before the terminal itself (TM-02)."""

    type: Literal["terminal"] = "terminal"
    terminal_id: str


class SessionLink(Model):
    """A reference to a session, such as a subagent's (SA-06)."""

    type: Literal["session"] = "session"
    session_id: str


ToolCallContent = Content | Diff | Terminal | SessionLink
AnyToolCallContent = Annotated[ToolCallContent | Unknown, Tagged("type")]


class ToolCallLocation(Model):
    """A place in a file; a malformed line loses only the line (TC-07)."""

    path: str
    line: Lenient[Positive] = None


class ToolCallCancelCapabilities(Model):
    """`tool_call/cancel` may be sent (TC-11)."""


class ToolCallCapabilities(Model):
    """What may be asked of a call now; replaced whole (TC-11)."""

    cancel: Lenient[ToolCallCancelCapabilities] = None


class ToolCallUpdate(Upsert):
    """Upsert of a tool call (TC-01); malformed capabilities mean none (TC-21)."""

    session_update: Literal["tool_call_update"] = "tool_call_update"
    tool_call_id: str
    name: Patch[str] = ABSENT
    title: Patch[str] = ABSENT
    kind: Patch[str] = ABSENT
    status: Patch[str] = ABSENT
    content: Patch[Items[AnyToolCallContent]] = ABSENT
    locations: Patch[Items[ToolCallLocation]] = ABSENT
    raw_input: Any = ABSENT
    raw_output: Any = ABSENT
    capabilities: Controls[ToolCallCapabilities] = ABSENT


class ToolCallContentChunk(Model):
    """One item to append (TC-06)."""

    session_update: Literal["tool_call_content_chunk"] = "tool_call_content_chunk"
    tool_call_id: str
    content: AnyToolCallContent
