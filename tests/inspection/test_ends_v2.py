"""The recorded conversations with Codex end as was written down by hand (`ends_v2`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.inspect import understand
from tests.inspection.ends_v2 import ENDS
from tests.inspection.shown import as_written, asked, shown

TRACES = Path(__file__).parent.parent / "traces"


@pytest.mark.parametrize("name", sorted(ENDS))
def test_a_conversation_ends_as_written(name: str) -> None:
    end = ENDS[name]
    state = understand(TRACES / f"{name}.ndjson")
    [session] = state["sessions"].values()
    assert as_written(shown(session), end.items) == list(end.items)
    assert (session["state"], session["stopReason"], session["error"]) == ("idle", end.rest or None, None)
    assert (session["completions"], session["closed"]) == (end.turns, name == "codex.resume")
    assert session["info"]["title"] == end.title
    assert session["unknownUpdates"] == session["notices"] == []
    [mode] = [one for one in session["configOptions"] if one["category"] == "mode"]
    assert mode["currentValue"] == end.mode
    silent = name in ("codex.config", "codex.queue")
    assert session["usage"] == (None if silent else {"used": 1280, "size": 258400, "cost": None})
    assert asked(state) == list(end.asked)
    assert len(state["outbound"]) == end.answered


def test_prompts_that_were_never_inserted() -> None:
    codes = [one["code"] for one in understand(TRACES / "codex.queue.ndjson")["submissions"].values()]
    assert codes == [None, -32800]
