"""Sessions: setup, lists, prompts, commands and config options (SS, PR, CM, CF)."""

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from acp_tui.protocol.content import AnyContentBlock
from acp_tui.protocol.initialize import EnvVariable
from acp_tui.protocol.lenient import FirstOf, Items, ItemsOrEmpty, Lenient, NullAsEmpty, Tagged
from acp_tui.protocol.model import Model
from acp_tui.protocol.unknown import Unknown


class SessionConfigSelectOption(Model):
    """One choice."""

    value: str
    name: str
    description: Lenient[str] = None


class SessionConfigSelectGroup(Model):
    """Choices under a heading; malformed ones are skipped here, and only here (CF-14)."""

    group_id: str
    name: str
    options: ItemsOrEmpty[SessionConfigSelectOption]


SessionConfigSelectOptions = (
    Annotated[list[SessionConfigSelectOption], Field(min_length=1)]
    | Annotated[list[SessionConfigSelectGroup], Field(min_length=1)]
)


class SessionConfigSelect(Model):
    """One value out of several (CF-02)."""

    type: Literal["select"] = "select"
    config_id: str
    name: str
    description: Lenient[str] = None
    category: Lenient[str] = None
    current_value: str
    options: FirstOf[SessionConfigSelectOptions]


class SessionConfigBoolean(Model):
    """On or off (CF-03)."""

    type: Literal["boolean"] = "boolean"
    config_id: str
    name: str
    description: Lenient[str] = None
    category: Lenient[str] = None
    current_value: bool


SessionConfigOption = SessionConfigSelect | SessionConfigBoolean
AnySessionConfigOption = Annotated[SessionConfigOption | Unknown, Tagged("type", needs=("configId", "name"))]


class TextCommandInput(Model):
    """Everything after the command's name (CM-03)."""

    type: Literal["text"] = "text"
    hint: str


AvailableCommandInput = Annotated[TextCommandInput | Unknown, Tagged("type")]


class Command(Model):
    """A slash command of the agent (CM-02)."""

    type: Literal["command"] = "command"
    name: str
    description: str
    input: Lenient[AvailableCommandInput] = None


AvailableCommand = Command


def _with_type(value: Any) -> Any:
    return {"type": "command", **value} if isinstance(value, dict) and "type" not in value else value


AnyAvailableCommand = Annotated[
    AvailableCommand | Unknown,
    Tagged("type", needs=("name", "description")),
    BeforeValidator(_with_type),
]
"""A command as received; agents of older drafts leave out the type (CM-08)."""


class HttpHeader(Model):
    """One header, which may hold a credential (RP-20)."""

    name: str
    value: str


class McpServerHttp(Model):
    """An MCP server that is reached by HTTP."""

    type: Literal["http"] = "http"
    name: str
    url: str
    headers: NullAsEmpty[HttpHeader] = Field(default_factory=list)


class McpServerStdio(Model):
    """An MCP server that the agent starts."""

    type: Literal["stdio"] = "stdio"
    name: str
    command: str
    args: NullAsEmpty[str] = Field(default_factory=list)
    env: NullAsEmpty[EnvVariable] = Field(default_factory=list)


McpServer = McpServerHttp | McpServerStdio
AnyMcpServer = Annotated[McpServer | Unknown, Tagged("type")]


class NewSessionRequest(Model):
    """Parameters of `session/new` (SS-01)."""

    cwd: str
    additional_directories: NullAsEmpty[str] = Field(default_factory=list)
    mcp_servers: NullAsEmpty[AnyMcpServer] = Field(default_factory=list)


class NewSessionResponse(Model):
    """Result of `session/new`; null lists are read as absent (SS-02)."""

    session_id: str
    config_options: Lenient[Items[AnySessionConfigOption]] = None
    available_commands: Lenient[Items[AnyAvailableCommand]] = None


class ReplayFromStart(Model):
    """Everything retained, from its first entry (SS-10)."""

    type: Literal["start"] = "start"


ReplayFrom = Annotated[ReplayFromStart | Unknown, Tagged("type")]


class ResumeSessionRequest(Model):
    """Parameters of `session/resume` (SS-09)."""

    session_id: str
    cwd: str
    additional_directories: NullAsEmpty[str] = Field(default_factory=list)
    mcp_servers: NullAsEmpty[AnyMcpServer] = Field(default_factory=list)
    replay_from: ReplayFrom | None = None


class ResumeSessionResponse(Model):
    """Result of `session/resume`."""

    config_options: Lenient[Items[AnySessionConfigOption]] = None
    available_commands: Lenient[Items[AnyAvailableCommand]] = None


class ListSessionsRequest(Model):
    """Parameters of `session/list` (SS-19)."""

    cwd: str | None = None
    cursor: str | None = None


class SessionInfo(Model):
    """A session the agent has (SS-20)."""

    session_id: str
    cwd: str
    additional_directories: NullAsEmpty[str] = Field(default_factory=list)
    title: Lenient[str] = None
    updated_at: Lenient[str] = None


class ListSessionsResponse(Model):
    """One page of sessions; an empty `next_cursor` is a real cursor (SS-19)."""

    sessions: ItemsOrEmpty[SessionInfo]
    next_cursor: str | None = None


LEAVING = "acp-tui/leaving"
"""Key in `_meta` of our `session/close`, true: only the program ends, the user did not close the session."""


class CloseSessionRequest(Model):
    """Parameters of `session/close` (SS-23)."""

    session_id: str


class CloseSessionResponse(Model):
    """Result of `session/close`."""


class DeleteSessionRequest(Model):
    """Parameters of `session/delete` (SS-25)."""

    session_id: str


class DeleteSessionResponse(Model):
    """Result of `session/delete`."""


class PromptRequest(Model):
    """Parameters of `session/prompt` (PR-02); the key is newer than the bundled schema (NW-01)."""

    session_id: str
    prompt: Annotated[list[AnyContentBlock], Field(min_length=1)]
    idempotency_key: Annotated[str, Field(min_length=1, max_length=255)] | None = None


class PromptResponse(Model):
    """The prompt was inserted as this user message (PR-04)."""

    message_id: str


class CancelSessionNotification(Model):
    """Parameters of `session/cancel` (CX-01)."""

    session_id: str


class SetSessionConfigOptionRequest(Model):
    """Parameters of `session/set_config_option`: `id` with a string, `boolean` with a boolean (CF-05)."""

    session_id: str
    config_id: str
    type: str
    value: Any

    @model_validator(mode="after")
    def _value_fits(self) -> Self:
        wanted = {"id": str, "boolean": bool}.get(self.type, object)
        if not isinstance(self.value, wanted):
            raise ValueError(f"value does not fit type {self.type}")
        return self


class SetSessionConfigOptionResponse(Model):
    """The complete list after the change (CF-06)."""

    config_options: Items[AnySessionConfigOption]


class CancelToolCallRequest(Model):
    """Parameters of `tool_call/cancel` (TC-12)."""

    session_id: str
    tool_call_id: str


class CancelToolCallResponse(Model):
    """Accepted, not done (TC-13)."""


class CancelTerminalRequest(Model):
    """Parameters of `terminal/cancel` (TM-12)."""

    session_id: str
    terminal_id: str


class CancelTerminalResponse(Model):
    """Accepted, not done (TM-13)."""
