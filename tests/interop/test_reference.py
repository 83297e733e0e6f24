"""The reference agent itself: each of its words, spoken line by line, is valid and keeps the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.agent_rules import breaches
from tests.interop.node import LOCK, SDK, Launch
from tests.raw_client import Json, RawClient, words_of
from tests.schema_check import STABLE, UNSTABLE

pytestmark = pytest.mark.slow

# fmt: off
WORDS = (
    "HELLO", "MESSAGES", "THOUGHTS", "CONTENT", "STATES", "TOOL", "DIFF", "TERMINAL", "PLAN",
    "COMMANDS", "CONFIG", "INFO", "UNTITLE", "USAGE", "NOTICES", "COMPACT", "PERM", "PERMCMD", "PERMUNKNOWN",
    "PERMNONE", "PERMTWO", "FORM", "URL", "BIG", "HUGE", "FAST", "HELP",
)
# fmt: on
"""Words that need nothing but answers; the others have tests of their own."""


@pytest.fixture
def client(reference_agent: Launch) -> Iterator[RawClient]:
    with RawClient(reference_agent.argv, env=reference_agent.env) as client:
        client.answerer = answer
        yield client


def answer(request: Json) -> Json | None:
    """What a willing user would say; a withdrawn request is answered when it is taken back."""
    params = request["params"]
    match request["method"]:
        case "session/request_permission" if "withdrawn" in params["title"]:
            return None
        case "session/request_permission":
            outcome = {"outcome": "selected", "optionId": params["options"][0]["optionId"]}
            return {"result": {"outcome": outcome}}
        case "elicitation/create" if params["mode"] == "form":
            return {"result": {"action": "accept", "content": {"strategy": "balanced", "name": "ab"}}}
        case "elicitation/create":
            return {"result": {"action": "accept"}}
    return {"error": {"code": -32601, "message": "Method not found"}}


def test_each_word_is_valid_and_keeps_the_rules(client: RawClient) -> None:
    client.start()
    for word in WORDS:
        session = client.new()
        updates = client.play(session, word)
        assert updates[-1]["stopReason"] == "end_turn", word
    assert client.close() == 0
    assert breaches(client.trace) == []


def test_the_word_that_breaks_a_rule_on_purpose(client: RawClient) -> None:
    assert client.play(client.start(), "CUSTOM")[-1]["stopReason"] == "end_turn"
    assert client.close() == 0
    assert {breach.rule for breach in breaches(client.trace)} == {"mints_no_kinds"}


def test_a_request_that_is_taken_back(client: RawClient) -> None:
    session = client.start()
    client.prompt(session, "CANCELREQ")
    taken = client.until(lambda m: m.get("method") == "$/cancel_request")
    result = {"outcome": {"outcome": "cancelled"}}
    client.send({"jsonrpc": "2.0", "id": taken["params"]["requestId"], "result": result})

    client.until_idle(session)

    assert "cancelled" in words_of(client.updates(session))


def test_stop_reasons(client: RawClient) -> None:
    session = client.start()
    for reason in ("max_tokens", "max_turn_requests", "refusal", "error", "_custom"):
        assert client.play(session, f"STOP:{reason}")[-1]["stopReason"] == reason


@pytest.mark.parametrize("word", ["SLOW", "SLOWTOOL"])
def test_cancel(client: RawClient, word: str) -> None:
    session = client.start()
    client.prompt(session, word)
    client.until_update(session, state="running")
    client.notify("session/cancel", {"sessionId": session})

    assert client.until_idle(session)["params"]["update"]["stopReason"] == "cancelled"
    assert breaches(client.trace) == []


def test_the_lock_file_names_no_host() -> None:
    packages = json.loads(LOCK.read_text())["packages"].values()

    assert [each for each in packages if "resolved" in each] == []
    assert all("integrity" in each for each in packages if "license" in each)


@pytest.mark.usefixtures("reference_packages")
def test_our_schema_is_the_official_one() -> None:
    for ours in (STABLE, UNSTABLE):
        assert json.loads(ours.read_text()) == json.loads((SDK / "schema" / "v2" / ours.name).read_text())
