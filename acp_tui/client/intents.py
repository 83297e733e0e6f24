"""What the user, or the program for him, wants of the agent: the only way in from above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

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
    """A prompt. While the session works: queued by us, or with `now` sent at once (PR-06); an agent that
    takes one prompt at a time (`Connection.one_prompt_at_a_time`) gets none at once.
    """

    ref: str
    blocks: tuple[ContentBlock, ...]
    now: bool = False
    held: str = ""
    """Not sent, only put before the user, for this reason: what waited when the program ended (LC-08)."""


@dataclass(frozen=True, slots=True)
class SendHeld:
    """Send a queued or held submission at once; where the agent takes one prompt at a time and works, let it
    wait for its turn instead.
    """

    submission: Key


@dataclass(frozen=True, slots=True)
class ReleaseQueue:
    """Let everything that is held go on, one after the other."""

    ref: str


@dataclass(frozen=True, slots=True)
class EditWaiting:
    """Other blocks for a queued or held submission; none take it away. One that left meanwhile stays as it
    was, and the blocks come back as a `Restore` effect.
    """

    submission: Key
    blocks: tuple[ContentBlock, ...]


@dataclass(frozen=True, slots=True)
class MoveWaiting:
    """So many places later (earlier if negative) among the queued and held submissions of its session."""

    submission: Key
    step: int


@dataclass(frozen=True, slots=True)
class SendAgain:
    """Send one whose outcome is unknown a second time, with its old key (PR-17, NW-01)."""

    submission: Key


@dataclass(frozen=True, slots=True)
class LookAgain:
    """Let the agent tell an idle session's history again, to see what became of an uncertain prompt. If it
    refuses, everything stays as it was.
    """

    ref: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """One whose outcome is unknown leaves the list; its text comes back as a `Restore` effect: who knows that
    it arrived can clear it, nobody can type it again from memory.
    """

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
    by: Literal["user", "rule"] = "user"
    why: str = ""
    """The rule that decided (PM-14)."""


@dataclass(frozen=True, slots=True)
class RejectAndSay:
    """An offered option that allows nothing, or None, and why: the next prompt, sent at once or, where the
    agent takes one prompt at a time, first in the queue. For a subagent it goes to the session it works for.
    """

    request: Key
    option_id: str | None
    blocks: tuple[ContentBlock, ...]


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
    """`auth/login` for a method of type `agent` (AU-02), a `RunLogin` effect for one of type `terminal`."""

    method_id: str


@dataclass(frozen=True, slots=True)
class LoginEnded:
    """The program of a terminal login ended; `succeeded`: with status 0 (AU-04). Otherwise `reason` is a
    sentence for the user, or empty if he gave up himself.
    """

    succeeded: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CancelLogin:
    """Ask the agent to give a pending `auth/login` up (AU-12)."""


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
    | ReleaseQueue
    | EditWaiting
    | MoveWaiting
    | SendAgain
    | LookAgain
    | Dismiss
    | Withdraw
    | Cancel
    | CancelToolCall
    | CancelTerminal
    | AnswerPermission
    | RejectAndSay
    | AnswerElicitation
    | SetConfigOption
    | Login
    | LoginEnded
    | CancelLogin
    | Logout
    | Leave
)
