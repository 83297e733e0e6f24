from __future__ import annotations

from typing import Any

import pytest

from acp_tui.protocol.plan import PlanUpdate
from acp_tui.protocol.unknown import Invalid, Unknown
from acp_tui.store.keys import Kind
from acp_tui.store.reduce import reduce
from tests.store.seen import Fed, plain


def items(*contents: str) -> list[dict[str, str]]:
    return [{"content": content, "priority": "low", "status": "pending"} for content in contents]


def plan(fed: Fed, id_: str = "p", type_: str = "items", **fields: Any) -> Fed:
    return fed("plan_update", plan={"type": type_, "planId": id_, **fields})


class TestPlans:
    def test_each_update_replaces_the_plan_whatever_its_type(self) -> None:
        fed = plan(Fed(), entries=items("a", "b"))
        plan(fed, entries=items("b"))
        assert plain(fed[Kind.PLAN, "p"].plan)["entries"] == items("b")
        plan(fed, type_="markdown", content="- [ ] a")
        assert plain(fed[Kind.PLAN, "p"].plan) == {"type": "markdown", "planId": "p", "content": "- [ ] a"}
        plan(fed, type_="_acme/gantt", bars=3)
        assert plain(fed[Kind.PLAN, "p"].plan) == {"type": "_acme/gantt", "planId": "p", "bars": 3}
        assert fed.timeline == []

    def test_the_same_again(self) -> None:
        fed = plan(plan(Fed(), entries=items("a")), entries=items("a"))
        assert fed.dirty == frozenset()

    def test_several_and_removal(self) -> None:
        fed = plan(plan(Fed(), entries=items("a")), "q", entries=[])
        assert [key.id for key in fed.session.plans] == ["p", "q"]
        fed("plan_removed", planId="p")
        assert [key.id for key in fed.session.plans] == ["q"]
        assert fed.dirty == {fed.key(Kind.PLAN, "p")}
        assert fed.key(Kind.PLAN, "p") not in fed.session.entities
        assert fed("plan_removed", planId="nope").dirty == frozenset()

    def test_an_unknown_type_without_an_id(self) -> None:
        fed = Fed()
        with pytest.raises(Invalid):
            reduce(fed.store, fed.session, PlanUpdate.model_construct(plan=Unknown("x", {"type": "x"})), 1.0)
        assert fed.session.entities == {}


@pytest.mark.parametrize(
    ("update", "name", "kind", "item"),
    [
        (
            "available_commands_update",
            "availableCommands",
            Kind.COMMANDS,
            {"type": "command", "name": "web", "description": "Search", "input": {"type": "_x", "of": 1}},
        ),
        (
            "config_option_update",
            "configOptions",
            Kind.CONFIG_OPTIONS,
            {"type": "boolean", "configId": "b", "name": "B", "currentValue": True},
        ),
    ],
)
def test_lists_are_replaced_whole(update: str, name: str, kind: Kind, item: dict[str, Any]) -> None:
    fed = Fed()
    fed(update, **{name: [item]})
    stored = fed.session.commands or fed.session.config_options
    assert plain(stored) == [item]
    assert fed.dirty == {fed.key(kind)}
    assert fed(update, **{name: [item]}).dirty == frozenset()
    assert fed(update, **{name: None}).dropped == 1
    fed(update, **{name: []})
    assert (fed.session.commands, fed.session.config_options) == ([], [])


class TestUsage:
    def test_cost_is_a_patch(self) -> None:
        fed = Fed()("usage_update", used=10, size=100, cost={"amount": 0.5, "currency": "USD"})
        for cost, kept in (({}, 0.5), ({"cost": {"amount": 1}}, 0.5), ({"cost": None}, None)):
            fed("usage_update", used=20, size=0, **cost)
            usage = fed.session.usage
            assert usage is not None
            assert (usage.used, usage.size, usage.cost and usage.cost.amount) == (20, 0, kept)

    def test_metadata_are_a_patch(self) -> None:
        fed = Fed()("usage_update", used=1, size=1, _meta={"a": 1})
        fed("usage_update", used=1, size=1, _meta={"b": 2})
        assert fed.session.usage is not None
        assert fed.session.usage.meta == {"a": 1, "b": 2}

    def test_the_same_again(self) -> None:
        fed = Fed()("usage_update", used=1, size=1)
        assert fed.dirty == {fed.key(Kind.USAGE)}
        assert fed("usage_update", used=1, size=1).dirty == frozenset()


def test_info_is_patched() -> None:
    fed = Fed()("session_info_update", title="One", updatedAt="yesterday", cwd="/x")
    fed("session_info_update", title=None)
    fed("session_info_update", title=5, _meta={"k": 1})
    info = fed.session.info
    assert (info.title, info.updated_at, info.meta, fed.session.cwd) == (None, "yesterday", {"k": 1}, "/w")
    assert fed.dirty == {fed.key(Kind.INFO)}
    assert fed("session_info_update", title=None).dirty == frozenset()


def test_notices_count_each_and_change_nothing_else() -> None:
    fed = Fed()
    for _ in range(2):
        fed("notice", severity="error", title="MCP down", description=4)
        assert fed.dirty == {fed.key(Kind.NOTICES)}
    assert [(n.severity, n.title, n.description) for n in fed.session.notices] == [
        ("error", "MCP down", None)
    ] * 2
    assert (fed.session.state, fed.timeline) == ("idle", [])


def test_the_unknown_is_kept_raw_and_has_no_effect() -> None:
    raw = {"sessionUpdate": "mood_update", "mood": "calm", "messageId": "m1"}
    fed = Fed().feed(raw)
    assert [one.raw for one in fed.session.unknown_updates] == [raw]
    assert fed.dirty == {fed.key(Kind.UNKNOWN_UPDATES)}
    assert fed.session.entities == {}


def test_a_replay_is_complete_once() -> None:
    fed = Fed()("replay_complete")
    assert fed.session.replay_complete
    assert fed.dirty == {fed.key(Kind.SESSION)}
    assert fed("replay_complete").dirty == frozenset()
    assert fed.session.unknown_updates == []
