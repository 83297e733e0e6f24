from __future__ import annotations

from typing import Any

import pytest

from acp_tui.store.entities import Subagent
from acp_tui.store.keys import Kind
from acp_tui.store.session import NONE_SEEN, Session
from acp_tui.store.store import SESSIONS
from tests.store.seen import Fed


def announce(fed: Fed, id_: str = "k1", **fields: Any) -> tuple[Subagent, Session]:
    fed("subagent_update", sessionId=id_, **fields)
    line = fed[Kind.SUBAGENT, id_]
    assert isinstance(line, Subagent)
    return line, fed.store.sessions[line.child]


def tell(fed: Fed, child: Session, **update: Any) -> None:
    fed.feed(update, into=child)


def test_the_first_update_makes_the_child() -> None:
    fed = Fed(additional_directories=("/d",))
    told: list[Any] = []
    fed.store.watch(told.append, [SESSIONS])
    line, child = announce(fed, title="Research", capabilities={"cancel": {}}, state={"state": "running"})
    assert (line.title, line.cancellable, line.reported_state) == ("Research", True, "running")
    assert (child.parent, child.session_id, child.phase, child.state) == (
        fed.session.ref,
        "k1",
        "open",
        "running",
    )
    assert (child.cwd, child.additional_directories) == ("/w", ("/d",))
    assert fed.timeline == [("subagent", "k1")]
    assert told == [{SESSIONS}]


def test_later_ones_patch() -> None:
    fed = Fed()
    announce(fed, title="A", description="d", capabilities={"cancel": {}}, state={"state": "running"})
    line, child = announce(fed, title=None, capabilities=None, state=None, cwd="/sub")
    assert (line.title, line.description, line.cancellable, line.reported_state) == (None, "d", False, None)
    assert (child.state, child.cwd) == (NONE_SEEN, "/sub")
    announce(fed, cwd=None, additionalDirectories=["/x"])
    assert (child.cwd, child.additional_directories) == ("/w", ("/x",))
    announce(fed, additionalDirectories=None)
    assert child.additional_directories == ()
    assert len(fed.store.sessions) == 2


def test_the_same_again() -> None:
    fed = Fed()
    fields: dict[str, Any] = {"title": "A", "cwd": "/s", "state": {"state": "running", "background": []}}
    announce(fed, **fields, _meta={"k": 1})
    announce(fed, **fields, _meta={"k": 1})
    assert fed.dirty == frozenset()


def test_without_a_report_nothing_is_confirmed() -> None:
    line, child = announce(Fed())
    assert (line.reported_state, child.state, child.completions) == (None, NONE_SEEN, 0)


def test_a_state_reported_by_both_counts_once() -> None:
    fed = Fed()
    idle = {"state": "idle", "stopReason": "end_turn"}
    _, child = announce(fed, state={"state": "running"})
    tell(fed, child, sessionUpdate="state_update", state="running")
    tell(fed, child, sessionUpdate="state_update", **idle)
    announce(fed, state=idle)
    assert (child.completions, child.state, child.stop_reason) == (1, "idle", "end_turn")


@pytest.mark.parametrize("reason", ["error", "refusal"])
def test_a_bare_idle_of_the_parent_leaves_how_the_child_ended(reason: str) -> None:
    fed = Fed()
    error = {"code": 7, "message": "no more"}
    line, child = announce(fed, state={"state": "running"})
    tell(fed, child, sessionUpdate="state_update", state="idle", stopReason=reason, error=error)
    kept = (child.stop_reason, child.error, child.completions)
    announce(fed, state={"state": "idle"})
    assert line.reported_state == "idle"
    assert (child.stop_reason, child.error, child.completions) == kept
    announce(fed, state={"state": "running"})
    announce(fed, state={"state": "idle"})
    assert (child.stop_reason, child.error, child.completions) == (None, None, 2)


def test_a_replayed_child_completes_nothing() -> None:
    fed = Fed(replaying=True)
    _, child = announce(fed, state={"state": "running"})
    tell(fed, child, sessionUpdate="state_update", state="idle", stopReason="end_turn")
    assert (child.completions, child.state) == (0, "idle")


def test_its_entities_are_its_own() -> None:
    fed = Fed()
    _, child = announce(fed)
    tell(
        fed, child, sessionUpdate="agent_message", messageId="m", content=[{"type": "text", "text": "child"}]
    )
    fed("agent_message", messageId="m", content=[{"type": "text", "text": "parent"}])
    assert [key.id for key in child.timeline] == ["m"]
    assert child.entities[child.timeline[0]] is not fed[Kind.AGENT_MESSAGE, "m"]


def test_a_child_that_is_known_is_taken_up_again() -> None:
    fed = Fed()
    known = fed.store.add(Session(ref="k", cwd="/", session_id="k1", parent=fed.session.ref))
    stranger = fed.store.add(Session(ref="x", cwd="/", session_id="k2"))
    assert announce(fed)[1] is known
    assert announce(fed, "k2")[1] is not stranger


def test_a_child_of_a_child() -> None:
    fed = Fed()
    _, child = announce(fed)
    tell(fed, child, sessionUpdate="subagent_update", sessionId="k2")
    assert [session.parent for session in fed.store.sessions.values()] == [None, fed.session.ref, child.ref]


@pytest.mark.parametrize("id_", ["agent-1", "k1"])
def test_nobody_is_below_himself(id_: str) -> None:
    fed = Fed()
    _, child = announce(fed)
    fed.feed({"sessionUpdate": "subagent_update", "sessionId": id_}, into=child)
    assert fed.dropped == 1
    assert child.entities == {}
    assert len(fed.store.sessions) == 2
