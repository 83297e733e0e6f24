"""Every update a v1 agent can send, through our client: the store ends as a v2 agent would have had it."""

from __future__ import annotations

import pytest

from acp_tui.protocol.tool_call import Diff
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.entities import Message, Plan, Terminal, ToolCall
from acp_tui.store.holding import Handle, loaded
from acp_tui.store.keys import Kind
from tests.interop.v1.stage import OldStage

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

USER, AGENT, THOUGHT = Kind.USER_MESSAGE, Kind.AGENT_MESSAGE, Kind.AGENT_THOUGHT


def call(stage: OldStage, name: str) -> ToolCall:
    found = stage.entity(Kind.TOOL_CALL, name)
    assert isinstance(found, ToolCall)
    return found


async def test_who_it_is(stage: OldStage) -> None:
    connection = stage.store.connection
    assert (connection.protocol, connection.phase, connection.generation) == (1, "ready", 1)
    assert connection.agent_info is not None
    assert (connection.agent_info.name, connection.agent_info.version) == ("v1-peer", "1.2.3")
    assert (connection.lists, connection.closes, connection.resumes, connection.replays) == (True,) * 4
    assert connection.logs_out is False
    assert connection.one_prompt_at_a_time
    assert [getattr(one, "method_id", None) for one in connection.auth_methods] == ["peer-login"]


async def test_pieces_without_names_are_one_message(stage: OldStage) -> None:
    submission = stage.submit("HELLO")
    assert (stage.session.state, submission.status) == ("running", "inserted")  # V1-22, V1-26
    await stage.until(lambda: stage.session.completions == 1)

    assert stage.shape() == [("user_message", "HELLO"), ("agent_message", "Hello, *world* 漢字 👩‍💻")]
    (prompt,) = stage.of(USER, Message)
    assert prompt.submission == submission.number
    assert stage.session.tail == []
    assert (stage.session.state, stage.session.stop_reason) == ("idle", "end_turn")
    assert all(message.closed_at is not None for message in stage.of(AGENT, Message))

    await stage.play("HELLO")  # the next turn begins a message of its own

    assert stage.said() == ["Hello, *world* 漢字 👩‍💻"] * 2


async def test_pieces_with_names_find_their_message(stage: OldStage) -> None:
    await stage.play("IDS")

    assert [(m.key.id, m.content.text()) for m in stage.of(AGENT, Message)] == [
        ("a", "A1 A2"),
        ("b", "B1 B2"),
    ]


async def test_thoughts(stage: OldStage) -> None:
    await stage.play("THOUGHTS")

    assert stage.shape()[1:] == [
        ("agent_thought", "Hm, well."),
        ("agent_message", "So."),
        ("agent_thought", "Once more."),
        ("agent_thought", "Named thought."),
    ]


async def test_what_comes_between_ends_a_message_and_an_update_does_not(stage: OldStage) -> None:
    await stage.play("BETWEEN")

    assert stage.shape()[1:] == [
        ("agent_message", "before"),
        ("tool_call", "A call between"),
        ("agent_message", "after, going on"),
    ]


async def test_an_echo_takes_the_place_of_the_prompt(stage: OldStage) -> None:
    await stage.play("ECHO")

    assert stage.shape() == [
        ("user_message", "ECHO, as the agent heard it"),
        ("agent_message", "Heard."),
        ("user_message", "From another window."),
    ]
    mine, other = stage.of(USER, Message)
    assert (mine.submission is None, other.submission) == (False, None)


async def test_content(stage: OldStage) -> None:
    await stage.play("CONTENT")

    (message,) = stage.of(AGENT, Message)
    items = message.content.items
    types = [
        "text" if isinstance(one, str) else one.kind if isinstance(one, Handle) else one.type for one in items
    ]
    assert types == ["text", "image", "audio", "resource_link", "resource"]


async def test_tool_calls(stage: OldStage) -> None:
    await stage.play("TOOL")

    first, second = stage.calls()
    assert (first.key.id, first.title, first.kind, first.status) == ("t1", "Read a.txt", "read", "completed")
    assert [(one.path, one.line) for one in first.locations] == [("/tmp/a.txt", 3)]  # type: ignore[union-attr]
    assert (first.raw_input, first.raw_output, len(first.content)) == ({"n": 1}, {"lines": 3}, 1)
    assert (second.title, second.kind, second.status) == ("Never begun", "fetch", "failed")


async def test_null_is_unchanged_and_nothing_clears(stage: OldStage) -> None:
    await stage.play("NULLS")

    kept, cleared = stage.calls()
    assert (kept.title, kept.kind, kept.status, len(kept.content)) == ("Kept", "search", "pending", 1)
    assert (cleared.title, cleared.content) == ("Cleared", [])


async def test_diffs(stage: OldStage) -> None:
    await stage.play("DIFF")

    diffs = [loaded(item) for item in call(stage, "d1").content]
    told = []
    for diff in diffs:
        assert isinstance(diff, Diff)
        (change,) = diff.changes
        assert not isinstance(change, Unknown)
        assert diff.patch is not None
        lines = [
            line
            for line in diff.patch.text.splitlines()
            if line[:1] in "+-" and line[:3] not in ("+++", "---")
        ]
        told.append((change.operation, getattr(change, "path", None), diff.patch.format, lines))
    assert told == [
        ("add", "/tmp/new.py", "git_patch", ["+print(1)"]),
        ("modify", "/tmp/old.py", "git_patch", ["-b", "+B"]),
        ("modify", "/tmp/emptied.py", "git_patch", ["-x"]),
    ]


async def test_a_call_that_is_left_open_has_no_final_status(stage: OldStage) -> None:
    await stage.play("UNENDED")

    (left,) = stage.calls()
    assert (left.status, left.no_final, left.running) == ("in_progress", "turn ended", False)


async def test_bytes_of_the_agents_own_terminal(stage: OldStage) -> None:
    await stage.play("OWNBYTES")

    (terminal,) = stage.of(Kind.TERMINAL, Terminal)
    assert (terminal.command, terminal.cwd) == ("make test", "/tmp")
    assert bytes(terminal.output.data()) == "\x1b[32mok 漢\r\n".encode()
    assert terminal.exit_status is not None
    assert (terminal.exit_status.exit_code, terminal.exit_status.signal) == (2, None)
    assert stage.session.shown_in[terminal.key] == [call(stage, "bytes").key]
    assert call(stage, "bytes").status == "failed"


async def test_a_plan_is_replaced_whole(stage: OldStage) -> None:
    await stage.play("PLAN")

    (plan,) = stage.of(Kind.PLAN, Plan)
    assert [(e.content, e.priority, e.status) for e in plan.plan.entries] == [
        ("Look", "high", "completed"),
        ("Do", "medium", "in_progress"),
        ("Tell", "low", "pending"),
    ]


async def test_lists_and_records(stage: OldStage) -> None:
    await stage.play("COMMANDS USAGE INFO")

    find, compact = stage.session.commands
    assert not isinstance(find, Unknown)
    assert not isinstance(compact, Unknown)
    assert (find.name, find.input and find.input.type, find.input and find.input.hint) == (
        "find",
        "text",
        "what to look for",
    )
    assert (compact.name, compact.description, compact.input) == ("compact", "Say less", None)
    usage = stage.session.usage
    assert usage is not None
    assert usage.cost is not None
    assert (usage.used, usage.size, usage.cost.amount, usage.cost.currency) == (2000, 8000, 0.25, "USD")
    assert (stage.session.info.title, stage.session.info.updated_at) == (
        "Talk of 漢字",
        "2026-01-02T03:04:05Z",
    )


async def test_what_nobody_knows_is_kept_and_what_is_broken_dropped(stage: OldStage) -> None:
    await stage.play("ODD")

    assert [one.raw["sessionUpdate"] for one in stage.session.unknown_updates] == [
        "peer_custom",
        "state_update",
    ]
    assert (stage.session.dropped, stage.calls(), stage.said()) == (1, [], ["Still here."])


async def test_vendor_methods(stage: OldStage) -> None:
    await stage.play("VENDOR")

    assert stage.said() == ["Vendor: error -32601, error -32601"]


async def test_nothing_known(stage: OldStage) -> None:
    await stage.play("just words")

    assert stage.said() == ["You said: just words"]
