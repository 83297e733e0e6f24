"""One session: its timeline, its entities and the single facts about it.

A plain record: the reducer (`store.reduce`) and the client change it, everybody else reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

from acp_tui.base.shelf import MEMORY, Shelf
from acp_tui.protocol.errors import INVALID_PARAMS, Error
from acp_tui.protocol.session import AvailableCommand, SessionConfigOption
from acp_tui.protocol.unknown import Unknown
from acp_tui.protocol.updates import BackgroundWork, Cost
from acp_tui.store.entities import Cancel, Entity, NoticeRecord, UnknownUpdate
from acp_tui.store.held import ITEMWISE, held
from acp_tui.store.keys import Key

NONE_SEEN: Final = "unknown"
"""State of a resumed session before its first state update; shown as busy (SS-12)."""


@dataclass(slots=True, frozen=True)
class Usage:
    """The current context: `used` of `size` tokens, and the cumulative cost."""

    used: int
    size: int
    cost: Cost | None = None
    meta: dict[str, Any] | None = None


@dataclass(slots=True, frozen=True)
class Info:
    """What `session_info_update` patches."""

    title: str | None = None
    updated_at: str | None = None
    meta: dict[str, Any] | None = None


@held
@dataclass(slots=True, kw_only=True)
class Session:
    """Everything known about one session."""

    shelf: Shelf = field(default=MEMORY, repr=False, compare=False)
    """Where it puts aside what is big: that of the store that knows it."""
    ref: str
    """Our reference; never sent, never derived from the agent's id."""
    cwd: str
    session_id: str | None = None
    """The agent's id; None until `session/new` is answered."""
    additional_directories: tuple[str, ...] = ()
    mcp_servers: tuple[dict[str, Any], ...] = ()
    continues: str | None = None
    """`ref` of the session whose conversation stands above this one: the agent could not go on with it."""
    parent: str | None = None
    """`ref` of the parent session, for subagents: read-only but for what `capabilities` allow (SA-03)."""
    phase: Literal["opening", "open", "closing", "closed", "failed"] = "opening"
    failure: Error | None = None
    replay_asked: bool = False
    """The last resume asked for its history."""
    inactive: bool = False
    """Failed because the agent had put it away in the midst of it; it may be resumed (PR-26)."""

    state: str = "idle"
    """`idle`, `running`, `requires_action`, `unknown:RAW`, `unknown` (none seen yet), `disconnected`."""
    state_since: float = 0.0
    stop_reason: str | None = None
    error: Error | None = None
    completions: int = 0
    background: list[BackgroundWork | Unknown] | None = None
    """None: the agent does not report; [] : nothing is running (BG-02)."""
    cancel: Cancel | None = None
    """What became of the last `session/cancel`."""
    work_started_at: float | None = None
    """When the foreground work that runs now began."""
    had_output: bool = False
    """The agent has shown something since `work_started_at`."""
    heard_at: float = 0.0
    """When the agent last said anything about this session."""

    timeline: list[Key] = field(default_factory=list, metadata=ITEMWISE)
    """In order of first appearance; append-only (EN-04)."""
    tail: list[Key] = field(default_factory=list, metadata=ITEMWISE)
    """Submissions that no user message stands for yet; shown after the timeline."""
    entities: dict[Key, Entity] = field(default_factory=dict, metadata=ITEMWISE)
    """All entities, also terminals, plans and those of ours."""
    subagents: list[Key] = field(default_factory=list, metadata=ITEMWISE)
    plans: list[Key] = field(default_factory=list, metadata=ITEMWISE)
    shown_in: dict[Key, list[Key]] = field(default_factory=dict, metadata=ITEMWISE)
    """Terminals and subagents, known yet or not: the tool calls whose content names them, in order."""
    open_calls: dict[Key, None] = field(default_factory=dict, metadata=ITEMWISE)
    """Tool calls without a final status, in order: what a cancel or the end of a turn has to look at."""

    usage: Usage | None = None
    info: Info = field(default_factory=Info)
    commands: list[AvailableCommand | Unknown] = field(default_factory=list)
    config_options: list[SessionConfigOption | Unknown] = field(default_factory=list)
    """As the agent confirmed them; never what was only asked for (CF-07)."""
    options_asked: dict[str, str | bool] = field(default_factory=dict, metadata=ITEMWISE)
    """Values asked for and not answered yet, the latest of each option by its `configId`."""
    notices: list[NoticeRecord] = field(default_factory=list, metadata=ITEMWISE)
    unknown_updates: list[UnknownUpdate] = field(default_factory=list, metadata=ITEMWISE)
    dropped: int = 0
    """Updates discarded as invalid."""
    replaying: bool = False
    """A resume with replay is under way: nothing rings, nothing counts as a completion."""
    replay_complete: bool = False
    """The agent said that it has replayed everything it kept (NW-02)."""

    @property
    def busy(self) -> bool:
        """Anything but idle, disconnected or closed (ST-02: an unrecognised state is busy)."""
        return self.state not in ("idle", "disconnected") and self.phase in ("open", "closing")

    @property
    def refused_with_servers(self) -> bool:
        """The agent refused its parameters, and MCP servers may have been among them (SS-08)."""
        failure = self.failure if self.phase == "failed" else None
        return failure is not None and failure.code == INVALID_PARAMS and bool(self.mcp_servers)

    @property
    def refused_with_replay(self) -> bool:
        """The agent refused a resume, perhaps because it was to tell the history (SS-17)."""
        failure = self.failure if self.phase == "failed" and self.session_id is not None else None
        return failure is not None and failure.code == INVALID_PARAMS and self.replay_asked

    @property
    def cancelling(self) -> bool:
        """Cancel was asked and neither confirmed nor overtaken (CX-05)."""
        return self.cancel is not None and self.cancel.open
