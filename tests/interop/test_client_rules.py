"""The rules for our own side can fail."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interop.client_rules import breaches
from tests.trace import Line


def line(direction: str, **message: Any) -> Line:
    return direction, {"jsonrpc": "2.0", **message}


INFO = {"name": "c", "version": "1"}
START = [
    line(">", id=0, method="initialize", params={"protocolVersion": 2, "info": INFO, "capabilities": {}}),
    line("<", id=0, result={"protocolVersion": 2, "info": INFO}),
]
OPTIONS = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
ASKED = line("<", id=5, method="session/request_permission", params={"sessionId": "s", "options": OPTIONS})


def chosen(option: str) -> Line:
    return line(">", id=5, result={"outcome": {"outcome": "selected", "optionId": option}})


BAD: dict[str, list[Line]] = {
    "does not match the schema": [*START, line(">", id=1, method="session/new", params={})],
    "is no method of an agent": [*START, line(">", id=1, method="session/dance", params={})],
    "is no message": [*START, (">", [])],
    "is an answer of another shape": [*START, ASKED, line(">", id=5, result={})],
    "comes before the connection is ready": [
        START[0],
        line(">", id=1, method="session/list", params={}),
        START[1],
    ],
    "begins without initialize": [line(">", id=1, method="session/list", params={})],
    "leaves a request unanswered": [*START, ASKED],
    "answers twice": [*START, ASKED, chosen("yes"), chosen("yes")],
    "answers what nobody asked": [*START, line(">", id=9, result={})],
    "uses an id again": [*START, *(line(">", id=1, method="session/list", params={}) for _ in range(2))],
    "chooses what was not offered": [*START, ASKED, chosen("no")],
}


@pytest.mark.parametrize("what", BAD)
def test_a_client_is_caught_that(what: str) -> None:
    assert breaches(BAD[what]) != []


def test_a_good_client_is_not_accused() -> None:
    assert breaches([*START, ASKED, chosen("yes")]) == []
