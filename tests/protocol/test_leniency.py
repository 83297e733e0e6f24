"""What is forgiven and what is not, rule by rule, on the updates that agents send."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.content import TextContent
from acp_tui.protocol.tool_call import Content, ToolCallUpdate
from acp_tui.protocol.unknown import Invalid, Unknown
from acp_tui.protocol.updates import UPDATE_TYPES, RunningStateUpdate, UnknownStateUpdate
from acp_tui.protocol.v2 import decode_update, encode

TEXT = {"type": "text", "text": "x"}
CHOICE = {"value": "a", "name": "A"}
SELECT = {"type": "select", "configId": "m", "name": "M", "currentValue": "a", "options": [CHOICE]}


def update(kind: str, **fields: Any) -> Any:
    return decode_update({"sessionUpdate": kind, **fields})


def message(**fields: Any) -> Any:
    return update("agent_message", messageId="m", **fields)


def call(**fields: Any) -> Any:
    return update("tool_call_update", toolCallId="c", **fields)


def terminal(**fields: Any) -> Any:
    return update("terminal_update", terminalId="t", **fields)


# UP-01: three states of a patch field


@pytest.mark.parametrize(
    ("fields", "expected"),
    [({}, ABSENT), ({"content": None}, None), ({"content": []}, []), ({"content": "oops"}, ABSENT)],
)
def test_absent_null_and_value_differ(fields: dict[str, Any], expected: object) -> None:
    assert message(**fields).content == expected


@pytest.mark.parametrize(("value", "expected"), [(None, None), ({"a": 1}, {"a": 1}), (5, ABSENT)])
def test_metadata_of_an_upsert_is_a_patch(value: object, expected: object) -> None:  # UP-09
    assert call(_meta=value).meta == expected
    assert update("usage_update", used=1, size=2, _meta=value).meta == expected  # NW-05


def test_metadata_of_other_objects_is_their_own() -> None:  # UP-10
    assert update("agent_message_chunk", messageId="m", content=TEXT, _meta=None).meta is None
    assert update("agent_message_chunk", messageId="m", content=TEXT).meta is None
    assert update("agent_message_chunk", messageId="m", content=TEXT, _meta="bad").meta is None


# UP-03, UP-04, UP-06, UP-07: arrays and variants


def test_malformed_items_are_skipped_and_unknown_ones_kept() -> None:
    odd = {"type": "hologram", "data": [1]}
    blocks = message(content=[None, TEXT, {"type": "text"}, 5, odd, {"type": 3}]).content
    assert [encode(block) for block in blocks] == [TEXT, odd]
    assert blocks[1] == Unknown("hologram", odd)


def test_nothing_left_is_an_empty_array() -> None:
    assert message(content=[{"type": "image"}, None]).content == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("agent_message_chunk", {"messageId": "m", "content": {"type": "text", "text": None}}),
        ("agent_message_chunk", {"messageId": "m", "content": None}),
        ("tool_call_content_chunk", {"toolCallId": "c", "content": {"type": "diff", "changes": 1}}),
        ("plan_update", {"plan": {"type": "items", "planId": "p"}}),  # PL-04
        ("plan_update", {"plan": {"type": "other"}}),  # PL-07
        ("available_commands_update", {"availableCommands": None}),  # CM-08
        ("config_option_update", {"configOptions": None}),
        ("state_update", {"state": 5}),  # ST-15
        ("state_update", {}),
        ("notice", {"severity": "info", "title": ""}),  # NT-02
        ("notice", {"title": "t"}),
        ("usage_update", {"used": -1, "size": 1}),  # US-05
        ("usage_update", {"used": 1.5, "size": 1}),
        ("usage_update", {"used": True, "size": 1}),
        ("compaction_update", {"compactionId": "c", "status": 5}),
        ("terminal_output_chunk", {"terminalId": "t", "data": [1]}),
        ("session_message", {"content": [TEXT]}),
        ("subagent_update", {"sessionId": "s", "cwd": 5}),
    ],
)
def test_invalid_updates_are_refused(kind: str, fields: dict[str, Any]) -> None:  # UP-05
    with pytest.raises(Invalid):
        update(kind, **fields)


@pytest.mark.parametrize("raw", [None, [], "x", {}, {"sessionUpdate": None}, {"sessionUpdate": ["notice"]}])
def test_an_update_needs_a_kind(raw: object) -> None:
    with pytest.raises(Invalid):
        decode_update(raw)


def test_an_unknown_update_is_kept_whole() -> None:  # EX-05
    raw = {"sessionUpdate": "_x.dev/hint", "content": {"deep": [None]}}
    assert decode_update(raw) == Unknown("_x.dev/hint", raw)


@pytest.mark.parametrize(
    "kind", [kind for kind in UPDATE_TYPES if not kind.endswith(("_info_update", "_complete"))]
)
def test_a_known_kind_is_never_read_as_an_unknown_one(kind: str) -> None:
    with pytest.raises(Invalid):
        update(kind)


def test_attribute_names_are_not_wire_names() -> None:
    with pytest.raises(Invalid):
        update("agent_message", message_id="m")
    assert encode(message(message_id="other"))["message_id"] == "other"


# UP-17, TR-11: numbers


def test_whole_numbers_may_be_written_as_fractions() -> None:
    assert update("usage_update", used=3.0, size=4).used == 3


def test_big_integers_stay_exact() -> None:
    assert terminal(exitStatus={"exitCode": -(2**63)}).exit_status.exit_code == -(2**63)
    assert update("usage_update", used=2**64 - 1, size=0).used == 2**64 - 1
    assert (
        update("usage_update", used=0, size=0, cost={"amount": 2**60 + 1, "currency": "x"}).cost.amount
        == 2**60 + 1
    )


@pytest.mark.parametrize(("line", "expected"), [(1, 1), (0, None), (1.5, None), ("7", None), (None, None)])
def test_a_malformed_line_loses_only_the_line(line: object, expected: int | None) -> None:  # TC-07
    places = call(locations=[{"path": "/a", "line": line}, {"line": 3}, {"path": "/b"}]).locations
    assert [(place.path, place.line) for place in places] == [("/a", expected), ("/b", None)]


@pytest.mark.parametrize("size", [{"cols": 0, "rows": 1}, {"cols": 65536, "rows": 1}, {"cols": 80}, "80x24"])
def test_a_malformed_size_changes_nothing(size: object) -> None:  # TM-11
    assert terminal(size=size).size is ABSENT


@pytest.mark.parametrize(("priority", "expected"), [(0, 0), (1.0, 1.0), (1.5, None), (-1, None), ("1", None)])
def test_annotations_are_dropped_one_by_one(priority: object, expected: object) -> None:  # CB-07
    hints = {"audience": ["user", 5, "robot"], "priority": priority, "lastModified": 5}
    (block,) = message(content=[{**TEXT, "annotations": hints}]).content
    assert block.annotations.audience == ["user", "robot"]
    assert block.annotations.priority == expected
    assert block.annotations.last_modified is None


# tool calls, terminals, background


@pytest.mark.parametrize(
    ("capabilities", "can_cancel"),
    [
        ({"cancel": {}}, True),
        ({"cancel": {"x": 1}}, True),
        ({"cancel": True}, False),
        ({"cancel": None}, False),
        ({}, False),
    ],
)
def test_controls_are_objects(capabilities: object, can_cancel: bool) -> None:  # TC-11, TC-21, TM-12
    for made in (call(capabilities=capabilities), terminal(capabilities=capabilities)):
        assert (made.capabilities.cancel is not None) is can_cancel


def test_malformed_controls_clear() -> None:  # TC-21
    assert call(capabilities=True).capabilities is None
    assert terminal(capabilities=[]).capabilities is None
    assert update("subagent_update", sessionId="s", capabilities="all").capabilities is None
    assert call().capabilities is ABSENT


def test_raw_values_take_any_json() -> None:  # TC-08
    assert call().raw_input is ABSENT
    assert call(rawInput=None).raw_input is None
    assert call(rawInput=[1, {"a": None}]).raw_input == [1, {"a": None}]
    assert encode(call(rawOutput=None)) == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "c",
        "rawOutput": None,
    }


def test_diff_changes() -> None:  # DF-02, DF-03, DF-04
    changes: list[dict[str, Any]] = [
        {"operation": "add", "path": "/a", "fileType": 5},
        {"operation": "move", "path": "/b"},
        {"operation": "swap", "left": "/c"},
    ]
    diff = call(content=[{"type": "diff", "changes": changes, "patch": {"format": "git_patch"}}]).content[0]
    assert [change if isinstance(change, Unknown) else change.path for change in diff.changes] == [
        "/a",
        Unknown("swap", changes[2]),
    ]
    assert diff.changes[0].file_type is None
    assert diff.patch is None


def test_a_link_to_a_session() -> None:  # SA-06
    (link,) = call(content=[{"type": "session", "sessionId": "child"}, {"type": "session"}]).content
    assert link.session_id == "child"


def test_even_an_empty_exit_status_is_one() -> None:  # TM-09
    status = terminal(exitStatus={}).exit_status
    assert (status.exit_code, status.signal) == (None, None)
    assert terminal(exitStatus=None).exit_status is None
    assert terminal(exitStatus=0).exit_status is ABSENT


@pytest.mark.parametrize(
    ("background", "expected"),
    [
        (None, None),
        ([], []),
        ([{"type": "terminal", "terminalId": "t"}, {"type": "terminal"}], None),
        ("x", None),
    ],
)
def test_one_malformed_background_item_spoils_the_report(
    background: object, expected: object
) -> None:  # BG-03
    assert update("state_update", state="running", background=background).background == expected


def test_background_items() -> None:  # BG-01, BG-04, SA-06
    items = [
        {"type": "terminal", "terminalId": "t"},
        {"type": "tool_call", "toolCallId": "c"},
        {"type": "subagent", "sessionId": "s"},
        {"type": "daemon", "pid": 5},
    ]
    found = update("state_update", state="idle", background=items).background
    assert [item.type for item in found] == ["terminal", "tool_call", "subagent", "daemon"]
    assert [encode(item) for item in found] == items


# state


@pytest.mark.parametrize("reason", ["end_turn", "made_up", "_x", None])
def test_stop_reasons_are_open(reason: str | None) -> None:  # ST-06
    assert update("state_update", state="idle", stopReason=reason).stop_reason == reason


def test_idle_survives_malformed_details() -> None:  # ST-04, ST-07
    made = update("state_update", state="idle", stopReason=5, error={"code": "x"})
    assert (made.stop_reason, made.error) == (None, None)


def test_an_unrecognised_state_is_a_state() -> None:  # ST-02
    raw = {"sessionUpdate": "state_update", "state": "dreaming", "background": [1]}
    made = decode_update(raw)
    assert isinstance(made, UnknownStateUpdate)
    assert (made.state, encode(made)) == ("dreaming", raw)


# plans, commands, options


def test_plans() -> None:  # PL-03, PL-04, PL-06, NW-03
    entries = [{"content": "a", "priority": "urgent", "status": "stuck"}, {"content": "b"}]
    items = update("plan_update", plan={"type": "items", "planId": "p", "entries": entries}).plan
    assert [(entry.content, entry.priority) for entry in items.entries] == [("a", "urgent")]
    other = update("plan_update", plan={"type": "graph", "planId": "p", "nodes": []}).plan
    assert other == Unknown("graph", {"type": "graph", "planId": "p", "nodes": []})
    assert (
        update("plan_update", plan={"type": "markdown", "planId": "p", "content": "# x"}).plan.content
        == "# x"
    )
    assert (
        update("plan_update", plan={"type": "file", "planId": "p", "uri": "file:///x"}).plan.uri
        == "file:///x"
    )


def test_commands() -> None:  # CM-05, CM-06, CM-08
    entries = [
        {"type": "command", "name": "a", "description": "d", "input": {"type": "text", "hint": "h"}},
        {"type": "command", "name": "b", "description": "d", "input": {"type": "form"}},
        {"type": "command", "name": "c", "description": "d", "input": {"type": "text"}},
        {"name": "old", "description": "without a type"},
        {"type": "macro", "name": "m", "description": "d"},
        {"type": "macro", "name": "m"},
        {"type": "command", "name": "no description"},
        {"name": "neither"},
    ]
    found = update("available_commands_update", availableCommands=entries).available_commands
    assert [each.raw["name"] if isinstance(each, Unknown) else each.name for each in found] == [
        "a",
        "b",
        "c",
        "old",
        "m",
    ]
    assert (found[0].input.hint, found[1].input.type, found[2].input) == ("h", "form", None)


def test_config_options() -> None:  # CF-08, CF-14
    group = {"groupId": "g", "name": "G", "options": [CHOICE, {"value": 5}]}
    entries = [
        SELECT,
        {**SELECT, "options": [CHOICE, {"value": "b"}]},
        {**SELECT, "options": []},
        {**SELECT, "options": [group]},
        {"type": "boolean", "configId": "b", "name": "B", "currentValue": "yes"},
        {"type": "boolean", "configId": "b", "name": "B", "currentValue": True},
        {"type": "slider", "configId": "s", "name": "S", "at": 3},
        {"type": "slider", "name": "S"},
    ]
    found = update("config_option_update", configOptions=entries).config_options
    assert [option.type for option in found] == ["select", "select", "boolean", "slider"]
    assert [choice.value for choice in found[1].options[0].options] == ["a"]


# models made in Python


def test_absent_may_be_given() -> None:
    made = ToolCallUpdate(tool_call_id="c", title=ABSENT, content=[Content(content=TextContent(text="x"))])
    assert encode(made) == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "c",
        "content": [{"type": "content", "content": TEXT}],
    }
    assert encode(RunningStateUpdate(background=None)) == {
        "sessionUpdate": "state_update",
        "state": "running",
    }
