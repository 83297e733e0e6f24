"""The enumerations of AIP, each with an *other* arm: a word nobody told us about is kept as it was sent.

Invariant: nothing is inferred from an `Other`; it is never terminal and never settles anything.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any, Final, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


class Other(str):
    """A word outside the enumeration, raw."""

    __slots__ = ()


class AckStatus(StrEnum):
    """What was said to a submission; none of it says that the work succeeded."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    QUEUED = "queued"
    STREAMING = "streaming"
    CACHED = "cached"


class ResultStatus(StrEnum):
    """What came out; the last two are pauses and settle nothing."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    PENDING_APPROVAL = "pending_approval"
    REQUIRES_HUMAN = "requires_human"


class State(StrEnum):
    """The lifecycle of an action, as one caller sees it."""

    UNKNOWN = "unknown"
    ACCEPTED = "accepted"
    QUEUED = "queued"
    RUNNING = "running"
    STREAMING = "streaming"
    PENDING_APPROVAL = "pending_approval"
    CANCELLING = "cancelling"
    CANCELLED = "cancelled"
    COMPLETED = "completed"
    FAILED = "failed"
    EXPIRED = "expired"
    DEAD_LETTERED = "dead_lettered"


class ChunkKind(StrEnum):
    """What a chunk carries; `done` ends the stream and is no result."""

    DATA = "data"
    PROGRESS = "progress"
    TOOL = "tool"
    THOUGHT = "thought"
    PREVIEW = "preview"
    PENDING_APPROVAL = "pending_approval"
    ERROR = "error"
    DONE = "done"


class SessionState(StrEnum):
    """Where a session stands."""

    NEW = "new"
    ACTIVE = "active"
    QUEUED = "queued"
    PROCESSING = "processing"
    STREAMING = "streaming"
    WAITING_FOR_HUMAN = "waiting_for_human"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    SETTLED = "settled"


class Decision(StrEnum):
    """Where an approval stands; the first is ours, the others are answers (observed, not specified)."""

    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"
    REVOKED = "revoked"


class Mode(StrEnum):
    """How an action is to be run."""

    SYNC = "sync"
    ASYNC = "async"
    STREAMING = "streaming"


TERMINAL: Final = frozenset(
    {State.CANCELLED, State.COMPLETED, State.FAILED, State.EXPIRED, State.DEAD_LETTERED}
)
"""The states that nothing follows."""
SETTLING: Final = frozenset({ResultStatus.COMPLETED, ResultStatus.FAILED, ResultStatus.CANCELLED})
"""The results that settle an action."""
ENDING: Final = frozenset({ChunkKind.DONE, ChunkKind.ERROR})
"""The chunks that end a stream."""

W = TypeVar("W", bound=StrEnum)


def read(kind: type[W], value: object) -> W | Other:
    """The word, or the raw text of what is none."""
    if isinstance(value, kind | Other):
        return value
    try:
        return kind(value)  # type: ignore[arg-type]  # what is no text is no word
    except ValueError:
        return Other(value if isinstance(value, str) else json.dumps(value, default=str))


class OrOther:
    """Marks a field `SomeEnum | Other`: read by `read`, written raw."""

    def __init__(self, kind: type[StrEnum]) -> None:
        self.kind = kind

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            lambda value: read(self.kind, value),
            serialization=core_schema.plain_serializer_function_ser_schema(str),
        )
