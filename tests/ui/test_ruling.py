"""When a rule of the user may answer: never what is replayed, never in a session that is not open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from acp_tui.agent.front import Agent
from acp_tui.base.config import Rule, Settings
from acp_tui.client.effects import Ask, Completed
from acp_tui.client.intents import AnswerPermission, Intent
from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.store.entities import AgentRequest
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.conversation import Link
from acp_tui.ui.ruling import ruled

SUBJECT = {"type": "command", "command": "ls", "cwd": "/tmp"}
OPTIONS = [
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
    {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
]
RULES = (Rule(answer="allow", command="ls"),)
SETTINGS = Settings(permissions=replace(Settings().permissions, rules=RULES))


class Ear:
    """Hears what an agent is told."""

    def __init__(self) -> None:
        self.told: list[Intent] = []

    def do(self, intent: Intent) -> None:
        self.told.append(intent)


def asked(**fields: Any) -> tuple[Link, Ear, Ask]:
    """A subagent of a session asks."""
    store, ear = Store(), Ear()
    store.add(Session(ref="s1", cwd="/tmp", **{"phase": "open", **fields}))
    store.add(Session(ref="s2", cwd="/tmp", parent="s1", phase="open"))
    params = {"sessionId": "x", "title": "Run it?", "options": OPTIONS, "subject": SUBJECT}
    key = Key("s2", Kind.REQUEST, "1:1")
    store.put_request(
        AgentRequest(
            key=key,
            created_at=1.0,
            generation=1,
            request_id=1,
            method="session/request_permission",
            params=RequestPermissionRequest.model_validate(params),
        )
    )
    return Link(store, cast(Agent, ear), ("/bin/agent",)), ear, Ask(key)


def test_a_live_request_is_answered_and_told() -> None:
    link, ear, ask = asked()
    told = ruled(link, ask, SETTINGS)
    assert told is not None and "allow command ls" in told.text
    assert ear.told == [AnswerPermission(ask.request, "yes", by="rule", why="allow command ls")]


def test_nothing_is_answered_in_a_replay_or_in_a_session_that_is_not_open() -> None:
    for fields in ({"replaying": True}, {"phase": "closing"}, {"phase": "opening"}):
        link, ear, ask = asked(**fields)
        assert ruled(link, ask, SETTINGS) is None
        assert ear.told == []


def test_without_settings_or_rules_nothing_is_answered() -> None:
    link, ear, ask = asked()
    assert ruled(link, ask, None) is None
    assert ruled(link, ask, Settings()) is None
    assert ruled(link, Completed("s1", ask.request), SETTINGS) is None
    assert ear.told == []
