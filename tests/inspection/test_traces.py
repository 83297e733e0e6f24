"""Conversations that real agents had run through the client, and it understands what was going on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.inspect import understand

TRACES = {
    path.name.removesuffix(".ndjson"): path
    for path in (Path(__file__).parent.parent / "traces").glob("*.ndjson")
}


def only_session(name: str) -> dict[str, Any]:
    sessions: dict[str, dict[str, Any]] = understand(TRACES[name])["sessions"]
    [session] = sessions.values()
    return session


@pytest.mark.parametrize("name", sorted(TRACES))
def test_every_trace_is_understood(name: str) -> None:
    """Nothing is dropped, and what the recorded client did by itself is what we would have done."""
    state = understand(TRACES[name])
    assert state["dropped"] == 0
    assert state["divergences"] == []
    assert {one["status"] for one in state["agentRequests"].values()} <= {"answered"}
    assert {one["state"] for one in state["sessions"].values()} <= {"idle"}


def test_a_permission_ended_by_a_cancel() -> None:
    state = understand(TRACES["codex.perm_cancel"])
    [session] = state["sessions"].values()
    assert state["outbound"] == [{"jsonrpc": "2.0", "id": 0, "result": {"outcome": {"outcome": "cancelled"}}}]
    assert session["completions"] == 2
    [call] = session["entities"]["tool_call"].values()
    assert (call["status"], call["displayStatus"]) == ("failed", "failed")


def test_a_prompt_that_was_queued_by_the_agent_and_withdrawn() -> None:
    state = understand(TRACES["reference.queue"])
    assert [one["status"] for one in state["submissions"].values()] == ["inserted", "withdrawn"]


def test_a_resumed_history_counts_no_completion() -> None:
    session = only_session("codex.resume")
    assert session["completions"] == 1
    assert session["closed"]
    assert [kind for kind, _ in session["timeline"]].count("user_message") == 3


def test_terminals_keep_every_byte() -> None:
    session = only_session("codex.shellstream")
    [terminal] = session["entities"]["terminal"].values()
    assert terminal["exitStatus"] is not None
    assert terminal["text"].count("\n") > 1


def test_all_words_of_the_reference_agent() -> None:
    state = understand(TRACES["reference.words-EARLY-HELLO-ALL"])
    [session] = state["sessions"].values()
    kinds = {kind for kind, _ in session["timeline"]}
    assert kinds == {"user_message", "agent_message", "agent_thought", "tool_call", "compaction"}
    assert len(session["unknownUpdates"]) == 2
    assert state["outbound"][0]["error"]["code"] == -32601
    assert state["urlElicitations"]


def test_lines_that_are_none() -> None:
    state = understand(TRACES["reference.words-GARBAGE-BATCH"])
    assert state["connection"]["garbage"] == 3
    assert [answer["error"]["code"] for answer in state["outbound"]] == [-32700, -32700, -32600]


def test_an_agent_of_version_1() -> None:
    connection = understand(TRACES["codex.probe-v1"])["connection"]
    assert (connection["action"], connection["protocol"]) == ("ready", 1)
    assert connection["agent"]["title"] == "Codex"


def test_a_diff_of_version_1_has_a_patch() -> None:
    session = only_session("gemini.write_allow")
    diffs = [
        item
        for call in session["entities"]["tool_call"].values()
        for item in call["content"]
        if item["type"] == "diff"
    ]
    assert [diff["changes"][0]["operation"] for diff in diffs] == ["modify", "modify"]
    assert "+Hello from the lab.\n" in diffs[0]["patch"]["text"]
