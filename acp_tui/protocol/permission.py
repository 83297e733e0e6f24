"""Permission requests and their answers (PM)."""

from typing import Annotated, Literal

from pydantic import Field

from acp_tui.protocol.lenient import Lenient, Tagged
from acp_tui.protocol.model import Model, Untagged
from acp_tui.protocol.tool_call import ToolCallUpdate
from acp_tui.protocol.unknown import Unknown


class PermissionOption(Model):
    """One answer the agent offers; the kind is only a hint (PM-07)."""

    option_id: str
    name: str
    kind: str


class ToolCallPermissionSubject(Model):
    """The tool call it is about, applied like an update (PM-03)."""

    type: Literal["tool_call"] = "tool_call"
    tool_call: Annotated[ToolCallUpdate, Untagged()]


class CommandPermissionSubject(Model):
    """A command the agent would run; describes only, creates nothing (PM-05)."""

    type: Literal["command"] = "command"
    command: str
    cwd: str
    tool_call_id: Lenient[str] = None
    terminal_id: Lenient[str] = None


RequestPermissionSubject = ToolCallPermissionSubject | CommandPermissionSubject
AnyRequestPermissionSubject = Annotated[RequestPermissionSubject | Unknown, Tagged("type")]


class RequestPermissionRequest(Model):
    """Parameters of `session/request_permission`; options and subject forgive nothing (UP-19, PM-23)."""

    session_id: str
    title: str
    description: Lenient[str] = None
    subject: AnyRequestPermissionSubject | None = None
    options: Annotated[list[PermissionOption], Field(min_length=1)]


class CancelledPermissionOutcome(Model):
    """No option was chosen: not approved (PM-09)."""

    outcome: Literal["cancelled"] = "cancelled"


class SelectedPermissionOutcome(Model):
    """The option that was chosen (PM-08)."""

    outcome: Literal["selected"] = "selected"
    option_id: str


RequestPermissionOutcome = CancelledPermissionOutcome | SelectedPermissionOutcome


class RequestPermissionResponse(Model):
    """Our answer."""

    outcome: Annotated[RequestPermissionOutcome | Unknown, Tagged("outcome")]
