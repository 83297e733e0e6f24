"""The recorded conversations with agents of version 1 end as was written down by hand (`ends_v1`)."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from acp_tui.inspect import understand
from tests.inspection.ends_v1 import ENDS, SHELL, End
from tests.inspection.shown import as_written, asked, shown

TRACES = Path(__file__).parent.parent / "traces"
MODES = {"gemini": ["default", "autoEdit", "yolo", "plan"], "fast-agent": ["agent"]}
AGENTS = {"gemini": ("Gemini CLI", "0.61.0", 20), "fast-agent": (None, "0.10.48", 17)}
"""Title, version, how many commands it told of."""
PASSTHROUGH = "fast-agent-passthrough."


def test_every_conversation_is_written_down() -> None:
    names = {path.name.removesuffix(".ndjson") for path in TRACES.glob("*.ndjson")}
    ours = {name for name in names if name.startswith(tuple(MODES)) and ".probe-" not in name}
    assert ours == set(ENDS)


@pytest.mark.parametrize("name", sorted(ENDS))
def test_a_conversation_ends_as_written(name: str) -> None:
    end: End = ENDS[name]
    state = understand(TRACES / f"{name}.ndjson")
    [session] = state["sessions"].values()
    assert as_written(shown(session), end.items) == list(end.items)
    assert (session["state"], session["stopReason"], session["error"]) == ("idle", end.rest or None, None)
    assert (session["completions"], session["closed"]) == (end.turns, False)
    assert session["info"]["title"] == end.title
    assert session["unknownUpdates"] == session["notices"] == []
    assert not session["background"]
    options = {option["category"]: option for option in session["configOptions"]}
    kind = "gemini" if name.startswith("gemini") else "fast-agent"
    assert set(options) == ({"mode", "model"} if kind == "gemini" else {"mode"})
    assert options["mode"]["currentValue"] == end.mode
    assert [choice["value"] for choice in options["mode"]["options"]] == MODES[kind]
    title, version, commands = AGENTS[kind]
    assert (state["connection"]["agent"].get("title"), state["connection"]["agent"]["version"]) == (
        title,
        version,
    )
    if not name.startswith(PASSTHROUGH):
        assert len(session["commands"]) == commands
    assert asked(state) == list(end.asked)
    assert len(state["outbound"]) == end.answered


@pytest.mark.parametrize("kind", sorted(MODES))
def test_a_turn_that_failed(kind: str, tmp_path: Path) -> None:
    """Cut behind the error: the session rests, and says why (V1-23)."""
    session = part(f"{kind}.fail", '"id": 4, "method": "session/prompt"', tmp_path)
    assert (session["state"], session["stopReason"], session["completions"]) == ("idle", "error", 1)
    assert session["error"]["code"] == (400 if kind == "gemini" else -32603)
    assert shown(session) == [("user", "FAIL400 please.")]


@pytest.mark.parametrize(
    ("until", "state"),
    [
        ('"session/request_permission"', "running"),
        ('"outcome": "selected"', "requires_action"),
        ('"tool_call_update"', "running"),
        ("agent ended", "idle"),
    ],
)
def test_a_turn_that_asks(until: str, state: str, tmp_path: Path) -> None:
    """While a permission is pending the user has to act, before and after it the agent works (V1-25)."""
    session = part("gemini.tool_allow", until, tmp_path)
    assert session["state"] == state
    calls = [item for item in shown(session) if item[0] == "call"]
    pending = ("call", SHELL, "execute", "pending", "text [current working directory /tmp/lab/work/gemini]")
    assert calls == {
        '"session/request_permission"': [],
        "agent ended": [("call", SHELL, "execute", "completed")],
    }.get(until, [pending])


def test_a_turn_that_is_cancelled(tmp_path: Path) -> None:
    """Idle and cancelled before the next prompt; that is a turn as well (V1-24, ST-10)."""
    session = part("gemini.cancel", '"id": 4, "method": "session/prompt"', tmp_path)
    assert (session["state"], session["stopReason"], session["completions"]) == ("idle", "cancelled", 1)


@pytest.mark.parametrize("kind", sorted(MODES))
def test_a_turn_ends_while_another_waits(kind: str, tmp_path: Path) -> None:
    """The first is answered, and counts; the second prompt is the turn now (V1-22)."""
    session = part(f"{kind}.queue", '"id": 4, "result"', tmp_path)
    assert (session["state"], session["completions"]) == ("running", 1)


def test_a_loaded_session_rests_before_it_is_asked(tmp_path: Path) -> None:
    session = part("fast-agent.resume", '"method": "session/prompt"', tmp_path)
    assert (session["state"], session["completions"], len(session["timeline"])) == ("idle", 0, 4)


def part(name: str, until: str, where: Path) -> dict[str, Any]:
    """The only session after the lines before the first that has these words."""
    lines = (TRACES / f"{name}.ndjson").read_text().splitlines(keepends=True)
    cut = list(takewhile(lambda line: until not in line, lines))
    assert 0 < len(cut) < len(lines)
    path = where / "part.ndjson"
    path.write_text("".join(cut))
    sessions: dict[str, dict[str, Any]] = understand(path)["sessions"]
    [session] = sessions.values()
    return session


@pytest.mark.parametrize("kind", ["gemini", "fast-agent", "fast-agent-passthrough"])
def test_asked_as_version_2_only_it_has_to_be_started_anew(kind: str) -> None:
    """Fast-agent repeats the version it is asked for; its shape tells (IN-05, IN-21)."""
    connection = understand(TRACES / f"{kind}.probe-v2.ndjson")["connection"]
    assert (connection["action"], connection["protocol"]) == ("fallback_v1", 1)
    assert connection["failure"] is None


@pytest.mark.parametrize("kind", ["gemini", "fast-agent", "fast-agent-passthrough"])
@pytest.mark.parametrize("probe", ["probe-v1", "probe-hybrid"])
def test_asked_in_its_words_it_is_ready(kind: str, probe: str) -> None:
    connection = understand(TRACES / f"{kind}.{probe}.ndjson")["connection"]
    assert (connection["action"], connection["protocol"]) == ("ready", 1)
    assert connection["agent"]["name"] == ("gemini-cli" if kind == "gemini" else "fast-agent")
    able = connection["capabilities"]
    assert (able["session"], able["image"], able["embeddedContext"], able["mcpStdio"]) == (True,) * 4
    assert (able["audio"], able["delete"]) == (kind == "gemini", False)
