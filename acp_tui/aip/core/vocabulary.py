"""The objects of AIP that are shown: read leniently, unknown fields kept and written again.

Invariants: a malformed optional field is absent, a malformed item of a list is left out; only what gives an
object its meaning (a status, a sequence, a code) must be there.
"""

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict

from acp_tui.aip.core.words import (
    AckStatus,
    ChunkKind,
    Decision,
    Mode,
    OrOther,
    Other,
    ResultStatus,
    SessionState,
    State,
)
from acp_tui.protocol.lenient import Items, ItemsOrEmpty, Lenient, Natural, OrEmpty

Json: TypeAlias = dict[str, Any]


class Fact(BaseModel):
    """What all of them share."""

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        defer_build=True,
        protected_namespaces=(),
    )

    def raw(self) -> Json:
        """As it was sent: the fields that were given, those we do not know among them."""
        return self.model_dump(exclude_unset=True)


class ProtocolError(Fact):
    """Why something was refused or failed, in the gateway's words."""

    code: str
    message: OrEmpty[str] = ""
    category: Lenient[str] = None
    retryable: Lenient[bool] = None
    retry_after_ms: Lenient[Natural] = None
    details: Any = None


class Ack(Fact):
    """The answer to a submission that is not its outcome."""

    action_id: OrEmpty[str] = ""
    status: Annotated[AckStatus | Other, OrOther(AckStatus)]
    reason: Lenient[str] = None
    retry_after_ms: Lenient[Natural] = None
    queue: Any = None


class ActionResult(Fact):
    """What came out of an action, or where it pauses."""

    action_id: OrEmpty[str] = ""
    status: Annotated[ResultStatus | Other, OrOther(ResultStatus)]
    output: Any = None
    message: ItemsOrEmpty[Json] = []
    usage: Lenient[Json] = None
    receipt: Any = None
    error: Lenient[ProtocolError] = None


class StreamChunk(Fact):
    """A piece of a stream; its place is its sequence."""

    action_id: OrEmpty[str] = ""
    sequence: Natural
    kind: Annotated[ChunkKind | Other, OrOther(ChunkKind)]
    data: Any = None
    part: Lenient[Json] = None


class ActionStatus(Fact):
    """The lifecycle view: a projection of records that may arrive at different times."""

    action_id: OrEmpty[str] = ""
    capability_id: Lenient[str] = None
    session_id: Lenient[str] = None
    correlation_id: Lenient[str] = None
    state: Annotated[State | Other, OrOther(State)]
    queued_state: Lenient[str] = None
    result_status: Lenient[str] = None
    approval_id: Lenient[str] = None
    transaction_id: Lenient[str] = None
    started_at: Lenient[str] = None
    updated_at: Lenient[str] = None
    completed_at: Lenient[str] = None
    retry: Any = None
    lease: Any = None
    result: Lenient[ActionResult] = None
    receipt_chain: Any = None
    chunks: ItemsOrEmpty[StreamChunk] = []
    links: Any = None


class Event(Fact):
    """Something that happened, in the gateway's log."""

    id: OrEmpty[str] = ""
    kind: str
    occurred_at: Lenient[str] = None
    session_id: Lenient[str] = None
    action_id: Lenient[str] = None
    correlation_id: Lenient[str] = None
    actor: Any = None
    data: Any = None


class Idempotency(Fact):
    """What the contract says of repeated intent."""

    requirement: Lenient[str] = None
    collision_behavior: Lenient[str] = None


class Execution(Fact):
    """What the contract says of how it can be run; None: it does not say."""

    supports_sync: Lenient[bool] = None
    supports_async: Lenient[bool] = None
    supports_streaming: Lenient[bool] = None
    supports_cancel: Lenient[bool] = None
    supports_retry: Lenient[bool] = None


class Contract(Fact):
    """The contract of a capability."""

    side_effects: Any = None
    idempotency: Lenient[Idempotency] = None
    execution: Lenient[Execution] = None


class Capability(Fact):
    """Something that can be called."""

    id: str
    name: Lenient[str] = None
    description: Lenient[str] = None
    kind: Lenient[str] = None
    input_schema: Lenient[Json] = None
    risk: Any = None
    requires_human_approval: Lenient[bool] = None
    contract: Lenient[Contract] = None


class SessionView(Fact):
    """A relationship between two principals."""

    id: str
    state: Annotated[SessionState | Other, OrOther(SessionState)]
    created_at: Lenient[str] = None
    updated_at: Lenient[str] = None
    expires_at: Lenient[str] = None
    initiator: Any = None
    responder: Any = None
    open_actions: Lenient[Natural] = None


class Approval(Fact):
    """A decision that is waited for, or was made. Only its id is sure; the rest is observed where given."""

    id: str
    status: Annotated[Decision | Other, OrOther(Decision)] = Decision.PENDING
    action_id: Lenient[str] = None
    capability_id: Lenient[str] = None
    reason: Lenient[str] = None
    expires_at: Lenient[str] = None


class Health(Fact):
    """What the gateway says of itself; everything else it said is in `raw()`."""

    status: Lenient[str] = None
    version: Lenient[str] = None


class Call(Fact):
    """What a person asks for: one invocation of one capability. `action_id` is ours, allocated before."""

    action_id: str
    capability_id: str
    input: Any
    mode: Mode | None = None
    idempotency_key: str | None = None
    timeout_ms: int | None = None
    session_id: str | None = None
    """Goes on the envelope, not into the action."""


Parts: TypeAlias = Items[Json]
