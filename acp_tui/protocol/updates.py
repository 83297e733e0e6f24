"""Session updates: the 19 kinds of the bundled schema, the newer ones, and what they carry."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import PlainValidator, TypeAdapter, ValidationError

from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.content import AnyContentBlock
from acp_tui.protocol.errors import Error
from acp_tui.protocol.lenient import (
    Controls,
    Items,
    Lenient,
    Natural,
    NonEmpty,
    Number,
    Patch,
    StrictPatch,
    Tagged,
)
from acp_tui.protocol.model import Base, Model, Untagged, Upsert, invalid
from acp_tui.protocol.plan import PlanRemoved, PlanUpdate
from acp_tui.protocol.session import AnyAvailableCommand, AnySessionConfigOption
from acp_tui.protocol.terminal import TerminalOutputChunk, TerminalUpdate
from acp_tui.protocol.tool_call import ToolCallContentChunk, ToolCallUpdate
from acp_tui.protocol.unknown import Invalid, Unknown


class UserMessage(Upsert):
    """A whole user message (MS-01)."""

    session_update: Literal["user_message"] = "user_message"
    message_id: str
    content: Patch[Items[AnyContentBlock]] = ABSENT


class AgentMessage(Upsert):
    """A whole agent message (MS-01)."""

    session_update: Literal["agent_message"] = "agent_message"
    message_id: str
    content: Patch[Items[AnyContentBlock]] = ABSENT


class AgentThought(Upsert):
    """A whole thought (MS-01)."""

    session_update: Literal["agent_thought"] = "agent_thought"
    message_id: str
    content: Patch[Items[AnyContentBlock]] = ABSENT


class ContentChunk(Model):
    """One block to append to a message or thought (MS-02)."""

    session_update: Literal["user_message_chunk", "agent_message_chunk", "agent_thought_chunk"]
    message_id: str
    content: AnyContentBlock


class BackgroundTerminal(Model):
    """A terminal that runs beside the foreground work."""

    type: Literal["terminal"] = "terminal"
    terminal_id: str


class BackgroundToolCall(Model):
    """A tool call that runs beside the foreground work."""

    type: Literal["tool_call"] = "tool_call"
    tool_call_id: str


class BackgroundSubagent(Model):
    """A child session that runs beside the foreground work (SA-06)."""

    type: Literal["subagent"] = "subagent"
    session_id: str


BackgroundWork = BackgroundTerminal | BackgroundToolCall | BackgroundSubagent
Background = Lenient[list[Annotated[BackgroundWork | Unknown, Tagged("type")]]]
"""Complete, or not reported at all: one malformed item makes it None (BG-02, BG-03)."""


class RunningStateUpdate(Model):
    """Foreground work is in progress (ST-01)."""

    session_update: Literal["state_update"] = "state_update"
    state: Literal["running"] = "running"
    background: Background = None


class IdleStateUpdate(Model):
    """No foreground work; `error` belongs to the stop reason `error` only (ST-04 to ST-07)."""

    session_update: Literal["state_update"] = "state_update"
    state: Literal["idle"] = "idle"
    stop_reason: Lenient[str] = None
    error: Lenient[Error] = None
    background: Background = None


class RequiresActionStateUpdate(Model):
    """All foreground work is blocked on the user (ST-01)."""

    session_update: Literal["state_update"] = "state_update"
    state: Literal["requires_action"] = "requires_action"
    background: Background = None


class UnknownStateUpdate(Model):
    """A state we do not know, `state` says which; what else it means is unknown too (ST-02, ST-03)."""

    session_update: Literal["state_update"] = "state_update"
    state: str


StateUpdate = RunningStateUpdate | IdleStateUpdate | RequiresActionStateUpdate | UnknownStateUpdate
"""Always one of these, never `Unknown`: an unrecognised state is still a state."""
AnyStateUpdate = Annotated[StateUpdate, Tagged("state")]


class AvailableCommandsUpdate(Model):
    """The complete list of commands (CM-01)."""

    session_update: Literal["available_commands_update"] = "available_commands_update"
    available_commands: Items[AnyAvailableCommand]


class ConfigOptionUpdate(Model):
    """The complete list of config options (CF-01)."""

    session_update: Literal["config_option_update"] = "config_option_update"
    config_options: Items[AnySessionConfigOption]


class SessionInfoUpdate(Upsert):
    """Title and time of the session (SI-01)."""

    session_update: Literal["session_info_update"] = "session_info_update"
    title: Patch[str] = ABSENT
    updated_at: Patch[str] = ABSENT


class Cost(Model):
    """Cumulative, in a currency or another unit (US-02, US-03)."""

    amount: Number
    currency: str


class UsageUpdate(Upsert):
    """Tokens in the context and size of the window (US-01); newer agents patch its `_meta` (NW-05)."""

    session_update: Literal["usage_update"] = "usage_update"
    used: Natural
    size: Natural
    cost: Patch[Cost] = ABSENT


class Notice(Model):
    """A live event without id and history (NT-01); the title is never empty (NT-02)."""

    session_update: Literal["notice"] = "notice"
    severity: str
    title: NonEmpty
    description: Lenient[str] = None


class CompactionUpdate(Upsert):
    """Upsert of a compaction; a status that is not there keeps the last one (CP-01, NW-04)."""

    session_update: Literal["compaction_update"] = "compaction_update"
    compaction_id: str
    status: StrictPatch[str] = ABSENT
    summary: Patch[Items[AnyContentBlock]] = ABSENT
    error: Patch[str] = ABSENT


class CompactionSummaryChunk(Model):
    """One block to append to a summary (CP-04)."""

    session_update: Literal["compaction_summary_chunk"] = "compaction_summary_chunk"
    compaction_id: str
    content: AnyContentBlock


class SessionCancelCapabilities(Model):
    """`session/cancel` may be sent for the child."""


class SubagentSessionCapabilities(Model):
    """What may be asked of a child session (SA-03)."""

    cancel: Lenient[SessionCancelCapabilities] = None


class SubagentUpdate(Upsert):
    """Upsert of a child session on its parent (SA-01); `session_id` is the child's."""

    session_update: Literal["subagent_update"] = "subagent_update"
    session_id: str
    title: Patch[str] = ABSENT
    description: Patch[str] = ABSENT
    capabilities: Controls[SubagentSessionCapabilities] = ABSENT
    state: Annotated[Patch[AnyStateUpdate], Untagged()] = ABSENT
    cwd: StrictPatch[str] = ABSENT
    additional_directories: StrictPatch[list[str]] = ABSENT


class SessionMessage(Upsert):
    """A message between sessions (SA-05)."""

    session_update: Literal["session_message"] = "session_message"
    message_id: str
    sender_session_id: Patch[str] = ABSENT
    recipient_session_id: Patch[str] = ABSENT
    sender_message_id: Patch[str] = ABSENT
    recipient_message_id: Patch[str] = ABSENT
    content: Patch[Items[AnyContentBlock]] = ABSENT


class SessionMessageChunk(Model):
    """One block to append to a message between sessions (SA-05)."""

    session_update: Literal["session_message_chunk"] = "session_message_chunk"
    message_id: str
    content: AnyContentBlock


class ReplayComplete(Model):
    """The replay that was asked for is complete (NW-02)."""

    session_update: Literal["replay_complete"] = "replay_complete"


SessionUpdate = (
    UserMessage
    | AgentMessage
    | AgentThought
    | ContentChunk
    | StateUpdate
    | ToolCallUpdate
    | ToolCallContentChunk
    | TerminalUpdate
    | TerminalOutputChunk
    | PlanUpdate
    | PlanRemoved
    | AvailableCommandsUpdate
    | ConfigOptionUpdate
    | SessionInfoUpdate
    | UsageUpdate
    | Notice
    | CompactionUpdate
    | CompactionSummaryChunk
    | SubagentUpdate
    | SessionMessage
    | SessionMessageChunk
    | ReplayComplete
)

UPDATE_TYPES: dict[str, Any] = {
    "user_message": UserMessage,
    "user_message_chunk": ContentChunk,
    "agent_message": AgentMessage,
    "agent_message_chunk": ContentChunk,
    "agent_thought": AgentThought,
    "agent_thought_chunk": ContentChunk,
    "state_update": AnyStateUpdate,
    "tool_call_update": ToolCallUpdate,
    "tool_call_content_chunk": ToolCallContentChunk,
    "terminal_update": TerminalUpdate,
    "terminal_output_chunk": TerminalOutputChunk,
    "plan_update": PlanUpdate,
    "plan_removed": PlanRemoved,
    "available_commands_update": AvailableCommandsUpdate,
    "config_option_update": ConfigOptionUpdate,
    "session_info_update": SessionInfoUpdate,
    "usage_update": UsageUpdate,
    "notice": Notice,
    "compaction_update": CompactionUpdate,
    "compaction_summary_chunk": CompactionSummaryChunk,
    "subagent_update": SubagentUpdate,
    "session_message": SessionMessage,
    "session_message_chunk": SessionMessageChunk,
    "replay_complete": ReplayComplete,
}
"""What each value of `sessionUpdate` is read as; any other string is kept raw (EX-05)."""

_validators: dict[str, Callable[..., Any]] = {}
"""Built when a kind is first seen: building all of them costs more than starting the agent."""


def decode_update(raw: Any) -> SessionUpdate | Unknown:
    """Read one `update` object; raises `Invalid` for what is to be dropped (UP-05, UP-06)."""
    kind = raw.get("sessionUpdate") if isinstance(raw, dict) else None
    if not isinstance(kind, str):
        raise Invalid("sessionUpdate: no string")
    validate = _validators.get(kind)
    if validate is None:
        if kind not in UPDATE_TYPES:
            return Unknown(kind, raw)
        validate = _validators[kind] = TypeAdapter(UPDATE_TYPES[kind]).validator.validate_python
    try:
        update: SessionUpdate = validate(raw, by_alias=True, by_name=False)
    except ValidationError as error:
        raise invalid(error) from None
    return update


def _read_update(value: Any) -> SessionUpdate | Unknown:
    return value if isinstance(value, Base | Unknown) else decode_update(value)  # type: ignore[return-value]


class UpdateSessionNotification(Model):
    """Parameters of `session/update`."""

    session_id: str
    update: Annotated[SessionUpdate | Unknown, PlainValidator(_read_update)]
