"""Plans, replaced whole by each update (PL)."""

from typing import Annotated, Literal

from acp_tui.protocol.lenient import Items, Tagged
from acp_tui.protocol.model import Model
from acp_tui.protocol.unknown import Unknown


class PlanEntry(Model):
    """One step; unknown priorities and statuses are kept and shown neutrally (PL-03)."""

    content: str
    priority: str
    status: str


class PlanItems(Model):
    """A list of steps; malformed ones are skipped (PL-04)."""

    type: Literal["items"] = "items"
    plan_id: str
    entries: Items[PlanEntry]


class PlanMarkdown(Model):
    """A plan written as markdown (NW-03)."""

    type: Literal["markdown"] = "markdown"
    plan_id: str
    content: str


class PlanFile(Model):
    """A plan in a file, never opened without the user asking (NW-03)."""

    type: Literal["file"] = "file"
    plan_id: str
    uri: str


Plan = PlanItems | PlanMarkdown | PlanFile
PlanUpdateContent = Annotated[Plan | Unknown, Tagged("type", needs=("planId",))]
"""A plan as received: an unknown type needs a `planId` to be one (PL-06, PL-07)."""


class PlanUpdate(Model):
    """One plan, complete (PL-02)."""

    session_update: Literal["plan_update"] = "plan_update"
    plan: PlanUpdateContent


class PlanRemoved(Model):
    """A plan is gone; unknown ids are ignored (NW-03)."""

    session_update: Literal["plan_removed"] = "plan_removed"
    plan_id: str
