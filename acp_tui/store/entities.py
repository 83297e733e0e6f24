"""The things a session is made of: facts with a revision, changed only by the reducer and the client.

All times are seconds since the epoch as given by the caller (`at`); nothing here reads a clock. What an agent
says may be of any size in any field: see `store.held`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from acp_tui.base.shelf import MEMORY, Shelf
from acp_tui.protocol.content import ContentBlock
from acp_tui.protocol.errors import Error
from acp_tui.protocol.plan import Plan as PlanContent
from acp_tui.protocol.terminal import TerminalExitStatus, TerminalSize
from acp_tui.protocol.tool_call import ToolCallLocation
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.growing import Blocks
from acp_tui.store.held import ITEMWISE, held
from acp_tui.store.holding import Item, Place
from acp_tui.store.keys import Key
from acp_tui.store.output import Output

Meta = dict[str, Any]


CancelStatus = Literal["asked", "confirmed", "finished", "no_answer"]


@dataclass(slots=True)
class Cancel:
    """What became of a wish to stop something: asked → confirmed, finished anyway, or no answer (yet)."""

    asked_at: float
    status: CancelStatus = "asked"
    settled_at: float | None = None
    accepted: bool = False
    """The agent said that it will try; that it is over comes by an update (TC-13, TM-13)."""

    @property
    def open(self) -> bool:
        """It is still to be seen what becomes of it; an answer may come late."""
        return self.settled_at is None

    def settle(self, at: float, *, confirmed: bool) -> None:
        """It is over; what was settled stays as it was."""
        if self.open:
            self.status, self.settled_at = "confirmed" if confirmed else "finished", at


@held
@dataclass(slots=True, kw_only=True)
class Entity:
    """What all entities have. `revision` grows with each change that can be seen, never otherwise."""

    shelf: Shelf = field(default=MEMORY, repr=False, compare=False)
    """Where it puts aside what is big."""
    key: Key
    created_at: float
    revision: int = 0
    updated_at: float = 0.0
    meta: Meta | None = None
    turn: int = 0
    """`Session.completions` when it came: its turn has ended once the session counts more."""
    late: bool = False
    """Changed after it was final or after its turn had ended (DESIGN: late updates are kept and marked)."""


@held
@dataclass(slots=True, kw_only=True)
class Message(Entity):
    """User message, agent message or agent thought; which one is in `key.kind`."""

    content: Blocks = field(default_factory=Blocks, metadata=ITEMWISE)
    submission: int | None = None
    """The submission of ours that this user message is (PR-07)."""
    closed_at: float | None = None
    """When something came after it in the timeline, or its turn ended: it grows no more (MS-05)."""


@held
@dataclass(slots=True, kw_only=True)
class SessionMessage(Message):
    """A message between sessions (SA-05)."""

    sender_session_id: str | None = None
    recipient_session_id: str | None = None
    sender_message_id: str | None = None
    recipient_message_id: str | None = None


FINAL_STATUSES = frozenset({"completed", "failed", "cancelled"})

NoFinal = Literal["", "turn ended", "rejected", "disconnected"]
"""Why no final status is to be expected: the turn is over, the user had rejected it, or the agent is gone."""


@held
@dataclass(slots=True, kw_only=True)
class ToolCall(Entity):
    """One tool call. `status` is what the agent said; `shown_status` is what to show (CX-02, DESIGN 5.6)."""

    name: str | None = None
    title: str | None = None
    kind: str = "other"
    status: str = "pending"
    content: list[Item] = field(default_factory=list, metadata=ITEMWISE)
    content_generation: int = 0
    """Grows when `content` is replaced rather than appended to."""
    locations: list[ToolCallLocation | Place] = field(default_factory=list)
    raw_input: Any = field(default=None, metadata=ITEMWISE)
    raw_output: Any = field(default=None, metadata=ITEMWISE)
    cancellable: bool = False
    started_at: float | None = None
    """First seen `in_progress`, or any status past pending."""
    ended_at: float | None = None
    cancel_overlay: bool = False
    """We asked to cancel its turn and the agent has reported no status since (CX-02, CX-04)."""
    cancel: Cancel | None = None
    """What became of the last `tool_call/cancel` for it; None: never asked, or refused."""
    ruled: tuple[Key, ...] = ()
    """Requests about it that a rule of the user has answered (PM-14)."""
    rejected: bool = False
    """Refused when permission was asked for it last: shown if the agent gives no final status, or says that
    it was cancelled.
    """
    no_final: NoFinal = ""
    """Still open though its turn ended, or the agent is gone: shown as such, neither failed nor spinning."""

    @property
    def final(self) -> bool:
        """The agent reported a final status."""
        return self.status in FINAL_STATUSES

    @property
    def cancelling(self) -> bool:
        """`tool_call/cancel` was sent for it and is not settled (TC-13)."""
        return self.cancel is not None and self.cancel.open

    @property
    def display_status(self) -> str:
        """The status with the local overlay of CX-02; and what the user refused was not cancelled."""
        status = "cancelled" if self.cancel_overlay and not self.final else self.status
        return "rejected" if status == "cancelled" and self.rejected else status

    @property
    def running(self) -> bool:
        """Something may still move here: only then may a glyph turn."""
        return not (self.final or self.cancel_overlay or self.no_final)


@held
@dataclass(slots=True, kw_only=True)
class Terminal(Entity):
    """A terminal of the agent, for display only."""

    command: str | None = None
    cwd: str | None = None
    output: Output = field(default_factory=Output, metadata=ITEMWISE)
    exit_status: TerminalExitStatus | None = None
    exited_at: float | None = None
    size: TerminalSize | None = None
    cancellable: bool = False
    cancel: Cancel | None = None
    """What became of the last `terminal/cancel` for it; None: never asked, or refused."""
    no_final: Literal["", "disconnected"] = ""

    @property
    def cancelling(self) -> bool:
        """`terminal/cancel` was sent for it and is not settled (TM-13)."""
        return self.cancel is not None and self.cancel.open

    @property
    def exited(self) -> bool:
        """A concrete exit status was reported, even an empty one (TM-09)."""
        return self.exit_status is not None


@held
@dataclass(slots=True, kw_only=True)
class Plan(Entity):
    """One plan, replaced whole by each update (PL-02): items, markdown, file, or an unknown kind kept raw."""

    plan: PlanContent | Unknown


@held
@dataclass(slots=True, kw_only=True)
class Compaction(Entity):
    """A compaction of the agent's context; it deletes nothing here (CP-08)."""

    status: str = "in_progress"
    summary: Blocks = field(default_factory=Blocks, metadata=ITEMWISE)
    error: str | None = None


@held
@dataclass(slots=True, kw_only=True)
class Turn(Entity):
    """Ours: where foreground work ended (ST-10). Drawn only where there is something to say."""

    stop_reason: str | None = None
    """As reported; None if the agent gave none ("stopped"), "disconnected" where the agent was lost."""
    error: Error | None = None
    started_at: float | None = None
    cancel_asked_at: float | None = None
    had_output: bool = True
    by_agent: bool = False
    """No prompt of ours started it (ST-13)."""
    note: str = ""
    """A sentence of ours, for `stop_reason` "disconnected" or a restart."""


@held
@dataclass(slots=True, kw_only=True)
class Subagent(Entity):
    """A child as its parent sees it (SA-01 to SA-04); the child's transcript is a `Session` of its own."""

    child: str
    """`Session.ref` of the child."""
    title: str | None = None
    description: str | None = None
    cwd: str | None = None
    additional_directories: list[str] | None = None
    cancellable: bool = False
    reported_state: str | None = None
    """`idle`, `running`, …; None: not reported, or withdrawn by null (unconfirmed)."""


SubmissionStatus = Literal[
    "queued", "held", "pending", "inserted", "rejected", "withdrawn", "uncertain", "dismissed"
]


@held
@dataclass(slots=True, kw_only=True)
class Submission(Entity):
    """A prompt of the user. `key.id` is `str(number)`; the number is ours and never reused.

    queued: held by us until the work ends with `end_turn`; held: the work ended otherwise, so it waits for
    the user; pending: sent, not accepted; inserted, rejected, withdrawn (-32800), uncertain: as in the
    checklist (PR-04 … PR-18); dismissed: it was uncertain, and the user knows better. Only
    queued and held ones can be changed.
    """

    number: int
    blocks: tuple[ContentBlock, ...]
    status: SubmissionStatus
    request_id: int | str | None = None
    message_id: str | None = None
    error: Error | None = None
    reason: str = ""
    """Why it is held or uncertain, in words."""
    idempotency_key: str = ""
    sent_at: float | None = None
    stands: Literal["below", "here", "nowhere"] = "below"
    """Where its words are seen: in the tail; in the timeline, for no user message came that has them; or in
    such a message."""
    withdraw_asked_at: float | None = None
    """When the agent was asked to give a sent one back (PR-19); either answer may still come."""

    @property
    def text(self) -> str:
        """What goes back to the composer: the text blocks joined by newlines."""
        return "\n".join(b.text for b in self.blocks if b.type == "text")


@held
@dataclass(slots=True, kw_only=True)
class AgentRequest(Entity):
    """A permission or elicitation before the user; `key.id` is `GENERATION:JSON ID`, never the bare id."""

    generation: int
    request_id: int | str | None
    method: Literal["session/request_permission", "elicitation/create"]
    params: Any
    """`RequestPermissionRequest`, or one of the elicitation models."""
    status: Literal["pending", "answered", "void"] = "pending"
    """void: the connection ended first; nobody is left to answer (LC-05)."""
    outcome: Any = None
    """The result we sent, as JSON."""
    answered_at: float | None = None
    answered_by: str = ""
    """`user`, `rule`, `cancel` (session/cancel), `agent` ($/cancel_request), `close`."""
    answered_why: str = ""
    """Which rule, or what the user said beside a rejection."""
    completed_at: float | None = None
    """When the agent said that what its URL asked for is done (EL-13)."""
    ours: bool = False
    """We ask, before we do what the agent wants of us by the request of that id (V1-53)."""


@held
@dataclass(slots=True, frozen=True)
class NoticeRecord:
    """One notice with the time it came; live events, never history (NT-07)."""

    shelf: Shelf = field(default=MEMORY, repr=False, compare=False, kw_only=True)
    at: float
    severity: str
    title: str
    description: str | None


@held
@dataclass(slots=True, frozen=True)
class UnknownUpdate:
    """A session update of a kind we do not know, kept raw (EX-05)."""

    shelf: Shelf = field(default=MEMORY, repr=False, compare=False, kw_only=True)
    at: float
    raw: dict[str, Any]
