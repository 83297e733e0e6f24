"""What the start screen offers, in which order, and what is marked for what was typed."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.content import Content

from acp_tui.base.config import AgentSettings
from acp_tui.base.recent import RecentCommand
from acp_tui.journal.entry import Badge, Entry
from acp_tui.services.acquaintances import Acquaintance
from acp_tui.services.known_agents.listing import Listed, State
from acp_tui.ui import launch_choices as choices
from acp_tui.ui.launch_choices import DEMO, Choice
from acp_tui.ui.launch_rows import options

NOW = 100_000.0
MET = Acquaintance(protocol=2, version="3", at=NOW - 7200)
FOUND = [
    Listed("mine", "mine", State.OWN, command=("m", "--token=abcdefgh")),
    Listed("gemini", "Gemini CLI", State.INSTALLED, "Google's", ("gemini", "--acp"), met=MET),
    Listed("codex", "Codex", State.FETCHED, "OpenAI's", ("npx", "-y", "c"), tool="npx", agreed=False),
    Listed("goose", "goose", State.MISSING, "open source"),
    Listed("off", "off", State.DISABLED),
]


def used(*command: str, ago: float, cwd: str = "/w") -> RecentCommand:
    return RecentCommand(command=command, cwd=cwd, used_at=NOW - ago)


def labels(rows: list[Choice]) -> list[str]:
    return [row.label for row in rows]


def test_before_anything_was_used_the_demo_comes_first() -> None:
    rows = choices.agents("/w", NOW, [], [FOUND[0]])
    assert labels(rows) == ["demo", "mine"]
    assert rows[0].command == DEMO
    assert "abcdefgh" not in rows[1].note


def test_then_what_was_used_last_does_and_the_demo_is_the_last() -> None:
    before = [used("/x/agent", "-a b", ago=60), used("gemini", "--acp", ago=30), used(*DEMO, ago=1)]
    rows = choices.agents("/w", NOW, before, FOUND)
    assert labels(rows) == ["gemini", "agent '-a b'", "mine", "demo"]
    assert (rows[0].command, rows[0].right) == (("gemini",), "v2 · just now")
    assert rows[1].forgettable and rows[1].command == ("/x/agent", "-a b")
    assert labels(choices.others("/w", rows, FOUND)) == ["codex", "goose"]


def test_known_agents_are_recognised_by_their_commands_before_anything_was_looked_for() -> None:
    own = {"gemini": AgentSettings(disabled=True), "mine": AgentSettings(command=("m",))}
    before = [used("codex-acp", ago=9), used("gemini", "--acp", ago=5), used("m", ago=3)]
    rows = choices.agents("/w", NOW, before, choices.quick(own, before))
    assert labels(rows) == ["mine", "gemini --acp", "codex", "demo"]


def entry(id: str, title: str, **more: object) -> Entry:
    badges = frozenset({Badge.SAVED, *more.pop("badges", ())})  # type: ignore[misc]
    return Entry(id=id, agent="Codex", session_id="s", title=title, badges=badges, **more)  # type: ignore[arg-type]


def test_sessions_come_newest_first_with_who_where_and_what_became_of_them() -> None:
    rows = choices.sessions(
        "/w",
        NOW,
        [
            entry("1", "old", active=NOW - 99, cwd="/w", pinned=True),
            entry("2", "\x1b[2J\u202enew", active=NOW, cwd="/else", badges=[Badge.INTERRUPTED]),
            Entry(id="3", agent="x", session_id="s", badges=frozenset({Badge.LISTED})),
        ],
    )
    assert [row.id for row in rows] == ["2", "1"]
    assert (rows[0].note, rows[0].right) == ("Codex · /else", "interrupted · just now")
    assert (rows[1].note, rows[1].right) == ("Codex", "1 min ago")
    assert rows[0].label.isprintable()


ROWS = [
    Choice("agent", "gemini", "gemini --acp", command=("gemini",), words="Gemini CLI"),
    Choice("agent", "mine --x", "/w", command=("mine", "--x")),
    Choice("other", "claude", "Anthropic's", command=("claude",)),
    Choice("other", "goose", "open source", command=("goose",)),
    Choice("session", "Fix the gem", "Codex", id="1"),
    *(Choice("session", f"claude {n}", id=f"c{n}") for n in range(30)),
]


@pytest.mark.parametrize(
    ("text", "marked", "programs"),
    [
        ("gem", "gemini", ()),
        ("GEMINI --acp", "gemini", ()),
        ("claude", "claude", ("claude",)),
        ("clau", "claude", ()),
        ("claude 7", "claude 7", ()),
        ("go", "goose", ("go",)),
        ("fix gem", "Fix the gem", ()),
        ("mine --x", "mine --x", ("mine",)),
        ("mine", "mine --x", ("mine",)),
        ("x", "x", ("x",)),
        ("x", "mine --x", ()),
        ("python agent.py", "python agent.py", ("python",)),
        ("nobody", "nobody", ()),
    ],
)
def test_what_is_marked_for_what_was_typed(text: str, marked: str, programs: tuple[str, ...]) -> None:
    command = choices.typed(text, "/w")
    assert command is not None
    rows = [*choices.matching(text, ROWS), command]
    assert sum(row.kind == "session" for row in rows) <= choices.FOUND
    assert rows[choices.best(text, rows, lambda one: one in programs)].label == marked


def test_an_open_quote_is_no_command() -> None:
    assert choices.typed('agent "x', "/w") is None
    assert choices.typed("  ", "/w") is None
    assert choices.typed("agent 'a b'", "/w") == Choice(
        "command", "agent 'a b'", "start this command", command=("agent", "a b"), cwd="/w"
    )


@pytest.mark.parametrize("width", [20, 40, 80, 120, 400])
def test_rows_are_never_wider_than_the_list_and_the_times_end_together(width: int) -> None:
    long = Choice("agent", "漢字" * 60, "note " * 60, "v1 · yesterday")
    groups = [
        ("Agents", [*ROWS[:3], long]),
        ("Recent sessions", [ROWS[4], Choice("session", "t" * 300, "n", "now")]),
    ]
    stands, shown = options(groups, width)
    assert [one is None for one in stands] == [option.disabled for option in shown]
    texts = [option.prompt.plain for option in shown if isinstance(option.prompt, Content)]
    assert len(texts) == len(shown)
    room = max(24, min(112, width) - 11)
    assert all(cell_len(line) <= room for text in texts for line in text.split("\n"))
    assert {cell_len(text) for text in texts if text.endswith(("yesterday", "now"))} <= {room}
