"""Plans and what a session has one of: commands, config options, usage, info; notices; the unknown."""

from __future__ import annotations

from typing import Any

from acp_tui.protocol.absent import Absent
from acp_tui.protocol.plan import PlanRemoved, PlanUpdate
from acp_tui.protocol.unknown import Invalid, Unknown
from acp_tui.protocol.updates import (
    AvailableCommandsUpdate,
    ConfigOptionUpdate,
    Notice,
    ReplayComplete,
    SessionInfoUpdate,
    UsageUpdate,
)
from acp_tui.store.entities import NoticeRecord, Plan, UnknownUpdate
from acp_tui.store.holding import same
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.change import changed, patched_meta, place, touch_session
from acp_tui.store.session import Info, Session, Usage
from acp_tui.store.store import Store


def plan(store: Store, session: Session, update: PlanUpdate, at: float) -> None:
    """A plan, replaced whole (PL-02), whatever its type was before (PL-06)."""
    key = Key(session.ref, Kind.PLAN, _plan_id(update.plan))
    known = session.entities.get(key)
    if not isinstance(known, Plan):
        known = Plan(shelf=store.shelf, key=key, created_at=at, plan=update.plan)
        place(store, session, known, at)
        session.plans.append(key)
    elif same(known.plan, update.plan):
        return
    known.plan = update.plan
    session.had_output = True
    changed(store, known, at)


def _plan_id(plan: Any) -> str:
    plan_id = plan.raw.get("planId") if isinstance(plan, Unknown) else plan.plan_id
    if not isinstance(plan_id, str):
        raise Invalid("a plan without planId")
    return plan_id


def plan_removed(store: Store, session: Session, update: PlanRemoved, at: float) -> None:
    """The plan is gone; ids we do not know are ignored (NW-03)."""
    key = Key(session.ref, Kind.PLAN, update.plan_id)
    if session.entities.pop(key, None) is not None:
        session.plans.remove(key)
        store.touch(key)


def commands(store: Store, session: Session, update: AvailableCommandsUpdate, at: float) -> None:
    """The complete list of commands (CM-01)."""
    if not same(session.commands, update.available_commands):
        session.commands = update.available_commands
        store.touch(Key(session.ref, Kind.COMMANDS))


def config_options(store: Store, session: Session, update: ConfigOptionUpdate, at: float) -> None:
    """The complete list of config options (CF-01)."""
    if not same(session.config_options, update.config_options):
        session.config_options = update.config_options
        store.touch(Key(session.ref, Kind.CONFIG_OPTIONS))


def usage(store: Store, session: Session, update: UsageUpdate, at: float) -> None:
    """Tokens are replaced (US-01), the cost is a patch (US-02), and so are the metadata (NW-05)."""
    old = session.usage
    cost = old.cost if old is not None and isinstance(update.cost, Absent) else update.cost
    new = Usage(
        used=update.used,
        size=update.size,
        cost=None if isinstance(cost, Absent) else cost,
        meta=patched_meta(old.meta if old is not None else None, update.meta),
    )
    if not same(old, new):
        session.usage = new
        store.touch(Key(session.ref, Kind.USAGE))


def info(store: Store, session: Session, update: SessionInfoUpdate, at: float) -> None:
    """Title, time and metadata are patches (SI-01)."""
    old = session.info
    new = Info(
        title=old.title if isinstance(update.title, Absent) else update.title,
        updated_at=old.updated_at if isinstance(update.updated_at, Absent) else update.updated_at,
        meta=patched_meta(old.meta, update.meta),
    )
    if not same(old, new):
        session.info = new
        store.touch(Key(session.ref, Kind.INFO))


def notice(store: Store, session: Session, update: Notice, at: float) -> None:
    """A live event: each one counts, nothing else changes (NT-01, NT-05)."""
    told = NoticeRecord(at, update.severity, update.title, update.description, shelf=store.shelf)
    session.notices.append(told)
    store.touch(Key(session.ref, Kind.NOTICES))


def replay_complete(store: Store, session: Session, update: ReplayComplete, at: float) -> None:
    """The history is complete (NW-02)."""
    if not session.replay_complete:
        session.replay_complete = True
        touch_session(store, session)


def unknown(store: Store, session: Session, update: Unknown, at: float) -> None:
    """Kept raw, without any effect (EX-05)."""
    session.unknown_updates.append(UnknownUpdate(at, update.raw, shelf=store.shelf))
    store.touch(Key(session.ref, Kind.UNKNOWN_UPDATES))
