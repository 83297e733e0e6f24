"""What the user, or the program for him, wants of the agent: the only way in from above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acp_tui.protocol.content import ContentBlock
from acp_tui.store.keys import Key


@dataclass(frozen=True, slots=True)
class OpenSession:
    """`session/new` in `cwd` (absolute). `ref` is the caller's fresh `Session.ref`."""

    ref: str
    cwd: str
    additional_directories: tuple[str, ...] = ()
    mcp_servers: tuple[dict[str, Any], ...] = ()
    continues: str | None = None
    """The session that this one is to stand below (`Session.continues`)."""


@dataclass(frozen=True, slots=True)
class ResumeSession:
    """`session/resume`; with `replay` into a fresh projection that is swapped in when the answer is in
    (SS-14).
    """

    ref: str
    session_id: str
    cwd: str
    replay: bool = True
    additional_directories: tuple[str, ...] = ()
    mcp_servers: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class CloseSession:
    """Answer what is pending, then `session/close` (CL-01, SS-23)."""

    ref: str


@dataclass(frozen=True, slots=True)
class DeleteSession:
    """`session/delete`, only where the agent can (SS-25)."""

    session_id: str


@dataclass(frozen=True, slots=True)
class ListSessions:
    """`session/list`, one page."""

    cwd: str | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Submit:
    """A prompt. While the session works: queued by us, or with `now` sent at once (PR-06)."""

    ref: str
    blocks: tuple[ContentBlock, ...]
    now: bool = False


@dataclass(frozen=True, slots=True)
class SendHeld:
    """Send a queued or held submission at once."""

    submission: Key


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take a submission back: a queued one at once, a sent one with `$/cancel_request` (PR-19), an uncertain
    one off the screen. Its text comes back as a `Restore` effect."""

    submission: Key


@dataclass(frozen=True, slots=True)
class Cancel:
    """`session/cancel` and everything that goes with it (CX-01 to CX-06, PM-10)."""

    ref: str


@dataclass(frozen=True, slots=True)
class CancelToolCall:
    """`tool_call/cancel` (TC-12)."""

    tool_call: Key


@dataclass(frozen=True, slots=True)
class CancelTerminal:
    """`terminal/cancel` (TM-12)."""

    terminal: Key


@dataclass(frozen=True, slots=True)
class AnswerPermission:
    """Choose an offered option, or None for `cancelled` (PM-08, PM-09)."""

    request: Key
    option_id: str | None


@dataclass(frozen=True, slots=True)
class AnswerElicitation:
    """`accept` with content, `decline` or `cancel` (EL-10)."""

    request: Key
    action: str
    content: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SetConfigOption:
    """`session/set_config_option`: a value id for selects, a bool for booleans (CF-05)."""

    ref: str
    config_id: str
    value: str | bool


@dataclass(frozen=True, slots=True)
class Login:
    """`auth/login` with a method of type `agent` (AU-02)."""

    method_id: str


@dataclass(frozen=True, slots=True)
class Logout:
    """`auth/logout` (AU-10)."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The program ends or the agent is stopped: answer what is pending, close every open session (CL-02)."""


Intent = (
    OpenSession
    | ResumeSession
    | CloseSession
    | DeleteSession
    | ListSessions
    | Submit
    | SendHeld
    | Withdraw
    | Cancel
    | CancelToolCall
    | CancelTerminal
    | AnswerPermission
    | AnswerElicitation
    | SetConfigOption
    | Login
    | Logout
    | Leave
)
