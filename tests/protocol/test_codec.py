"""Whole messages through the codec: recorded ones, the vectors' valid ones, and made-up ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.protocol.model import Base
from acp_tui.protocol.unknown import Invalid, Unknown
from acp_tui.protocol.updates import UPDATE_TYPES
from acp_tui.protocol.v2 import AGENT_METHODS, CLIENT_METHODS, decode_params, decode_update, encode
from tests.protocol.samples import sample
from tests.protocol.values import json_values, texts

TESTS = Path(__file__).parent.parent
METHODS = {**CLIENT_METHODS, **AGENT_METHODS}


def calls(path: Path) -> Iterator[dict[str, Any]]:
    """What the agent of a trace called."""
    for line in path.read_text().splitlines():
        record = json.loads(line)
        message = record.get("msg")
        if record["dir"] == "<" and isinstance(message, dict) and message.get("method") in METHODS:
            yield message


V1 = ("gemini", "fast-agent", "codex.probe-v1", "reference.probe-v1")
TRACES = sorted(path for path in (TESTS / "traces").glob("*.ndjson") if not path.name.startswith(V1))


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_recorded_messages_are_read_and_written_unchanged(path: Path) -> None:
    for message in calls(path):
        params = message["params"]
        assert _plain(encode(decode_params(message["method"], params))) == _plain(params)


def _plain(value: Any) -> Any:
    """Without nulls: those of patch fields have tests of their own, others mean absent."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _vector_messages() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((TESTS / "vectors").glob("*.json")):
        vector = json.loads(path.read_text())
        if vector["protocol"] != 2:
            continue
        for entry in vector["messages"]:
            if "msg" in entry and not entry.get("invalid") and entry["msg"].get("method") in METHODS:
                yield f"{vector['id']}-{entry['msg']['method']}", entry["msg"]


def test_valid_messages_of_the_vectors_are_read() -> None:
    for name, message in _vector_messages():
        params = message.get("params") or {}
        assert _plain(encode(decode_params(message["method"], params))) == _plain(params), name


FULL = [
    {"sessionUpdate": kind, **sample({"$ref": f"#/$defs/{type_.__name__}"})}
    for kind, type_ in UPDATE_TYPES.items()
    if isinstance(type_, type) and type_.__name__ != "ReplayComplete"
] + [
    {"sessionUpdate": "state_update", "state": state, "background": [{"type": "terminal", "terminalId": "t"}]}
    for state in ("running", "idle", "requires_action", "other")
]


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A full update in which some values are others, or gone, and unknown ones were added."""
    update = draw(st.sampled_from(FULL))
    return _damage(draw, update, 0.15)


def _damage(draw: st.DrawFn, value: Any, chance: float) -> Any:
    if draw(st.floats(0, 1)) < chance / 2:
        return draw(json_values)
    if isinstance(value, dict):
        kept = {k: v if k == "sessionUpdate" else _damage(draw, v, chance) for k, v in value.items()}
        extra = draw(st.dictionaries(texts, json_values, max_size=1))
        return {**extra, **kept}
    if isinstance(value, list):
        return [_damage(draw, item, chance) for item in value]
    return value


@given(damaged())
def test_only_invalid_is_raised_and_what_is_read_is_stable(raw: Any) -> None:
    try:
        update = decode_update(raw)
    except Invalid:
        return
    once = encode(update)
    assert encode(decode_update(once)) == once


@given(
    st.sampled_from(FULL), st.dictionaries(st.text(max_size=8).map("x-{}".format), json_values, max_size=3)
)
def test_unknown_fields_are_kept(raw: dict[str, Any], extra: dict[str, Any]) -> None:  # RP-18, EX-07
    assert encode(decode_update({**raw, **extra})) == {**raw, **extra}


@given(json_values)
def test_no_value_breaks_the_decoders(value: Any) -> None:
    for method in METHODS:
        try:
            assert isinstance(decode_params(method, value), Base | Unknown)
        except Invalid as error:
            assert error.reason


@given(texts)
def test_text_may_hold_any_code_point(text: str) -> None:  # TR-11
    raw = {
        "sessionUpdate": "agent_message_chunk",
        "messageId": text,
        "content": {"type": "text", "text": text},
        "_meta": {text: text},
    }
    assert encode(decode_update(raw)) == raw
    if text:
        assert (
            encode(decode_update({"sessionUpdate": "notice", "severity": text, "title": text}))["title"]
            == text
        )


def test_one_class_reads_a_kind_wherever_it_stands() -> None:
    params = {"sessionId": "s", "update": {"sessionUpdate": "notice", "severity": "info", "title": "t"}}
    notification = decode_params("session/update", params)
    assert notification.update == decode_update(params["update"])
    with pytest.raises(Invalid):
        decode_params("session/update", {"sessionId": "s", "update": {"sessionUpdate": "notice"}})
