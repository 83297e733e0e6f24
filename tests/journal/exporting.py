"""A saved session with one of everything, and its forms as files: `python -m tests.journal.exporting` writes
the expected ones anew."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from acp_tui.journal.entry import Entry
from acp_tui.journal.export import FORMATS, Excerpt, export
from acp_tui.journal.export.excerpt import excerpt_of_saved
from acp_tui.journal.folding import Folded, fold
from acp_tui.journal.saved import Saved
from tests.journal.keeping import (
    TESTS,
    Said,
    ask,
    chunk,
    library,
    refuse,
    run,
    said,
    state,
    update,
)

EVERYTHING = (
    TESTS / "traces" / "reference.words-MESSAGES-THOUGHTS-CONTENT-STATES-TOOL-DIFF-TERMINAL-PL.ndjson"
)
SESSION = "sess_8c6af5b2"
EXPECTED = ("md", "html", "json", "text")
KID = [
    update(SESSION, "subagent_update", sessionId="kid", title="Look for callers", state={"state": "running"}),
    chunk("kid", "k1", "I look."),
    update("kid", "tool_call_update", toolCallId="kc", title="grep lex", status="completed"),
    update("kid", "subagent_update", sessionId="grandkid", title="And below"),
    chunk("grandkid", "g1", "Nothing here."),
    state("kid", "idle", stopReason="end_turn"),
    update(
        SESSION,
        "session_message",
        messageId="sm1",
        senderSessionId="kid",
        recipientSessionId=SESSION,
        content=[{"type": "text", "text": "Found 3 callers."}],
    ),
]
REST = [
    ask(901, "session/prompt", sessionId=SESSION, prompt=[{"type": "text", "text": "and now?"}]),
    refuse(901, -32603, "no"),
    state(SESSION, "running"),
    state(SESSION, "idle", stopReason="error", error={"code": -32000, "message": "the model is away"}),
    ask(902, "session/prompt", sessionId=SESSION, prompt=[{"type": "text", "text": "are you there?"}]),
    ("#", "The agent was lost."),
]


def golden(form: str) -> Path:
    """What is expected of this form."""
    return Path(__file__).parent / "golden" / f"everything.{FORMATS[form]}"


def entry_of(saved: Saved) -> Entry:
    """As a library has it."""
    return Entry(
        id=saved.id,
        agent=saved.agent,
        session_id=saved.session_id,
        cwd=saved.cwd,
        title=saved.title,
        created=saved.created,
        active=saved.active,
        messages=saved.messages,
        tool_calls=saved.tool_calls,
        turns=saved.turns,
        cost=saved.cost,
    )


def one(folder: Path, many: Iterable[Said]) -> tuple[Entry, Folded]:
    """The first session of what was said."""
    run(folder, many)
    saved = library(folder)[0]
    return entry_of(saved), fold(saved)


def everything(folder: Path) -> Excerpt:
    """One of each kind."""
    return excerpt_of_saved(*one(folder, [*said(EVERYTHING), *KID, *REST]))


def utc() -> None:
    """Times of day are those of Greenwich."""
    os.environ["TZ"] = "UTC"
    time.tzset()


def main() -> None:
    """Write the expected files."""
    utc()
    with tempfile.TemporaryDirectory() as folder:
        excerpt = everything(Path(folder))
        for form in EXPECTED:
            golden(form).write_text("".join(export(form, excerpt)), "utf-8")


if __name__ == "__main__":
    main()
