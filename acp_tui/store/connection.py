"""What we know of the other end: the process, how the protocol was agreed, why it ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from acp_tui.base.shelf import MEMORY, Shelf
from acp_tui.base.spoken import spoken
from acp_tui.protocol.initialize import AgentCapabilities, AuthMethod, Implementation
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.entities import NoticeRecord
from acp_tui.store.held import ITEMWISE, held

Phase = Literal["starting", "initializing", "ready", "closing", "closed", "failed", "lost"]

MOST_TOLD = 500
"""Notices of our own that are kept; an agent that provokes them without end must not fill the memory."""


@held
@dataclass(slots=True, kw_only=True)
class Connection:
    """One connection after the other; `generation` counts the starts of the agent, the first is 1.

    failed: it never became ready (cannot start, refused, another version); lost: it was ready and its stdout
    ended.
    """

    shelf: Shelf = field(default=MEMORY, repr=False, compare=False)
    phase: Phase = "starting"
    generation: int = 0
    command: tuple[str, ...] = ()
    cwd: str = ""
    pid: int | None = None
    started_at: float = 0.0
    ready_at: float | None = None
    ended_at: float | None = None
    heard_at: float = 0.0
    exit_code: int | None = None
    signal: str | None = None
    stderr_tail: list[str] = field(default_factory=list)
    """Last lines of stderr as they came, not yet sanitised."""
    failure: str = ""
    """One sentence for the user: what went wrong and, where we know it, what to do."""
    protocol: int | None = None
    agent_info: Implementation | None = None
    capabilities: AgentCapabilities | None = None
    lists: bool = True
    """`session/list` exists; every v2 agent has it, and what follows, a v1 agent may not (V1-04)."""
    closes: bool = True
    """`session/close` exists."""
    resumes: bool = True
    """A session can be gone on with without its history."""
    replays: bool = True
    """And with it."""
    logs_out: bool = True
    """One can log out, where one can log in."""
    auth_methods: list[AuthMethod | Unknown] = field(default_factory=list)
    auth_required: bool = False
    auth_reason: str = ""
    """What the agent said when it asked for a login, not yet sanitised."""
    auth_asked: int = 0
    """How often it asked for one, over all connections."""
    login_failed: str = ""
    """Why the last login failed, not yet sanitised; empty: none has, or the next has begun."""
    login: str = ""
    """The method of the login that is under way; empty: none is."""
    login_at: float | None = None
    """When it began."""
    garbage: int = 0
    """Lines on stdout that were no protocol (TR-14)."""
    last_garbage: str = ""
    saved: bool = True
    """False while the journal cannot be written."""
    save_problem: str = ""
    """Why; while `saved` is true, what is missing of before."""
    told: list[NoticeRecord] = field(default_factory=list, metadata=ITEMWISE)
    """What acp-tui itself told the user about this agent; the last `MOST_TOLD`."""

    def tell(self, notice: NoticeRecord) -> None:
        """Keep a notice of ours for the notice log."""
        self.told.append(notice)
        del self.told[:-MOST_TOLD]

    @property
    def one_prompt_at_a_time(self) -> bool:
        """While a prompt works no other may be sent: it is queued here (V1-22)."""
        return self.protocol == 1

    @property
    def agent_name(self) -> str:
        """`info.title`, else `info.name`, else the program's name (IN-17)."""
        if self.agent_info is not None:
            return self.agent_info.title or self.agent_info.name
        return spoken(self.command)[0] if self.command else "agent"
