"""What we do on this machine for a v1 agent: the job, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acp_tui.protocol.errors import Error
from acp_tui.protocol.served import Service, Wanted

RequestId = int | str | None


@dataclass(frozen=True, slots=True)
class Serves:
    """What we offer to do (V1-02). Only a v1 agent is told of it, and only what it was told of is done."""

    read: bool = False
    write: bool = False
    terminals: bool = False

    def offers(self, service: Service) -> bool:
        """It is among it."""
        return bool(getattr(self, service))

    @property
    def capabilities(self) -> dict[str, Any]:
        """As a v1 agent is told of it."""
        fs = {"readTextFile": self.read, "writeTextFile": self.write}
        return {"fs": fs, "terminal": self.terminals}


NO_SERVICE = Serves()
EVERY_SERVICE = Serves(read=True, write=True, terminals=True)


@dataclass(frozen=True, slots=True)
class Job:
    """One request of an agent, to be done."""

    id: RequestId
    ref: str
    """The session it is for."""
    wanted: Wanted
    roots: tuple[str, ...]
    """The session's folders, its own first."""
    name: str = ""
    """Of a terminal that is to be made: no other has, had or will have it."""
    once: str = ""
    """A place elsewhere that the user allowed for this request."""
    folders: tuple[str, ...] = ()
    """Folders that he allowed for the session, for things of this kind."""


@dataclass(frozen=True, slots=True)
class Done:
    """The answer."""

    id: RequestId
    result: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Failed:
    """It was not done."""

    id: RequestId
    error: Error


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """It was not begun: the user is to be asked. Answered with another `Serve`, or not at all."""

    id: RequestId
    real: str
    """Where it would happen, links followed."""
    why: str
    """The end of a sentence."""
    folder: str = ""
    """What may be allowed for the whole session; empty: nothing is offered but this once."""
    change: dict[str, Any] | None = None
    """What would be written, as tool call content."""


@dataclass(frozen=True, slots=True)
class Wrote:
    """A file was written."""

    id: RequestId
    real: str
    change: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Began:
    """The terminal of a job is there and runs."""

    id: RequestId
    command: str
    """As one would type it."""
    cwd: str
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Output:
    """A terminal of ours printed more."""

    ref: str
    name: str
    data: bytes
    kept: bool = True
    """False: there is so much of it that the journal does not get it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The first process of a terminal ended, by itself or not."""

    ref: str
    name: str
    exit_code: int | None
    signal: str | None
    left_out: int = 0
    """Bytes of its output that the journal did not get; `tail` are the last of them."""
    tail: bytes = b""


Result = Done | Failed | Elsewhere | Wrote | Began | Output | Ended


@dataclass(frozen=True, slots=True)
class Own:
    """Something of ours that a session has and nobody said, as the journal keeps it.

    update: a `session/update` of our own; request: a permission that we ask for; answer: what the user
    answered to it; closed: it was closed here, by an agent that cannot be asked for that.
    """

    session_id: str
    event: str
    facts: dict[str, Any]
