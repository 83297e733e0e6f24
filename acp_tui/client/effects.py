"""What the machine wants done in the world; whoever drives it carries these out, in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from acp_tui.client.jobs import Job, Own, RequestId
from acp_tui.protocol.content import ContentBlock
from acp_tui.protocol.initialize import AuthMethodTerminal
from acp_tui.protocol.jsonrpc import Outgoing
from acp_tui.store.entities import NoticeRecord
from acp_tui.store.keys import Key


@dataclass(frozen=True, slots=True)
class Send:
    """Journal it, then write it to the agent. `ref`: the session it belongs to, None for the connection."""

    message: Outgoing
    ref: str | None = None
    beside: Mapping[str, str] = field(default_factory=dict)
    """Facts of ours that only the journal keeps with it, never the agent."""


@dataclass(frozen=True, slots=True)
class Restart:
    """Stop the process and start it again (IN-05)."""

    reason: str
    unused: bool = False
    """Nothing was agreed on yet: there is nobody to take leave of."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """The agent answered `initialize`: worth remembering for the next start (IN-05)."""

    protocol: int
    name: str
    version: str
    """Both as it calls itself; empty: it did not say."""


@dataclass(frozen=True, slots=True)
class RunLogin:
    """Suspend the screen and run the agent's own program with the method's arguments and environment, then
    say with `LoginEnded` how it went (AU-04).
    """

    method: AuthMethodTerminal


@dataclass(frozen=True, slots=True)
class Close:
    """The connection is of no use: close stdin and end the process. `reason` is for the user."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A request of the agent waits for the user."""

    request: Key


@dataclass(frozen=True, slots=True)
class Restore:
    """Give the blocks of a refused or withdrawn submission back to the composer of the session (PR-13,
    PR-14).
    """

    ref: str
    blocks: tuple[ContentBlock, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Notify:
    """Show a notice as a toast (NT-06). `repeats`: a problem of ours or the agent's that may come again and
    again.
    """

    ref: str | None
    notice: NoticeRecord


@dataclass(frozen=True, slots=True)
class Completed:
    """Foreground work ended on our watch (ST-10): the moment for a bell or a notification."""

    ref: str
    turn: Key


@dataclass(frozen=True, slots=True)
class Wake:
    """Call `tick` at this time, if nothing happened before."""

    at: float


@dataclass(frozen=True, slots=True)
class Serve:
    """Do this for the agent, then tell `Client.served` what came of it."""

    job: Job


@dataclass(frozen=True, slots=True)
class StopServing:
    """Nobody waits for this job any more: stop it."""

    id: RequestId


@dataclass(frozen=True, slots=True)
class ReleaseTerminals:
    """The session needs its terminals no more: end them all (V1-58)."""

    ref: str


@dataclass(frozen=True, slots=True)
class Keep:
    """Journal something that only we know; `Client.recall` gets it when the record is read."""

    own: Own


Effect = (
    Send
    | Restart
    | Agreed
    | RunLogin
    | Close
    | Ask
    | Restore
    | Notify
    | Completed
    | Wake
    | Serve
    | StopServing
    | ReleaseTerminals
    | Keep
)
