"""Every word of the reference agent through our client: the store ends as the word means it to."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acp_tui.client.effects import Notify, Restore
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.entities import Compaction, Message, Plan, Terminal
from acp_tui.store.holding import Handle
from acp_tui.store.keys import Kind
from tests.interop.node import Launch, reference
from tests.interop.stage import Stage, staged

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def agent(reference_packages: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """One process for all words: to start it costs more than all that they make it do."""
    folder = tmp_path_factory.mktemp("words")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("STATE", "CONFIG", "CACHE"):
            patch.setenv(f"ACP_TUI_{name}_DIR", str(folder / name.lower()))
        async with staged(reference(folder / "reference-state.json"), folder) as stage:
            yield stage


@pytest.fixture
async def stage(agent: Stage) -> Stage:
    """A session of its own for each."""
    agent.effects.clear()
    await agent.open()
    return agent


@pytest.fixture
async def alone(reference_agent: Launch, tmp_path: Path) -> AsyncIterator[Stage]:
    """A process of its own."""
    async with staged(reference_agent, tmp_path) as stage:
        yield stage


async def test_hello(stage: Stage) -> None:
    await stage.play("HELLO")

    (answer,) = stage.said()
    assert answer.startswith("# Hello from the reference agent")
    assert "漢字 👩‍💻" in answer
    (prompt,) = stage.of(Kind.USER_MESSAGE, Message)
    assert prompt.submission == 1
    assert (stage.session.state, stage.session.stop_reason, stage.session.completions) == (
        "idle",
        "end_turn",
        1,
    )


async def test_messages(stage: Stage) -> None:
    await stage.play("MESSAGES")

    assert stage.said() == ["A replaced, then appended: A3", "B1 B2 (stays)", "text after the clearing"]
    assert stage.said(Kind.USER_MESSAGE)[1:] == ["(a user message in two chunks)"]
    assert stage.of(Kind.AGENT_MESSAGE, Message)[0].meta == {"lab/only-meta": True}


async def test_thoughts(stage: Stage) -> None:
    await stage.play("THOUGHTS")

    assert stage.said(Kind.AGENT_THOUGHT) == ["The first thought, rewritten.", "A whole thought."]


async def test_content(stage: Stage) -> None:
    await stage.play("CONTENT")

    (message,) = stage.of(Kind.AGENT_MESSAGE, Message)
    types = ["text" if isinstance(item, str) else block_type(item) for item in message.content.items]
    assert types == ["text", "image", "audio", "resource_link", "resource", "resource", "_lab_widget"]


def block_type(item: object) -> str:
    """The type of a block, wherever it is held."""
    return str(item.kind if isinstance(item, Handle) else getattr(item, "type", ""))


async def test_states(stage: Stage) -> None:
    await stage.play("STATES")

    assert (stage.session.state, stage.session.completions) == ("idle", 1)


async def test_tool(stage: Stage) -> None:
    await stage.play("TOOL")

    search, fetch, dance, bare = stage.calls()
    assert (search.status, search.title, search.locations) == ("completed", "Searched for TODO", [])
    assert (search.raw_output, len(search.content)) == ({"hits": 3}, 3)
    assert (fetch.kind, fetch.status) == ("fetch", "failed")
    assert (dance.kind, dance.status, dance.content) == ("_lab_dance", "cancelled", [])
    assert (bare.title, bare.kind, bare.status) == (None, "other", "pending")
    assert bare.no_final == ""  # the agent does not report background work, so this may be some


async def test_diff(stage: Stage) -> None:
    await stage.play("DIFF")

    (call,) = stage.calls()
    diffs = [item for item in call.content if getattr(item, "type", "") == "diff"]
    operations = [
        [change.operation for change in d.changes if not isinstance(change, Unknown)] for d in diffs
    ]
    assert operations == [["modify", "add"], ["delete", "move", "copy"], ["modify"], []]
    assert isinstance(diffs[3].changes[0], Unknown)
    assert [d.patch and d.patch.format for d in diffs] == ["git_patch", None, None, "_lab_format"]


async def test_terminal(stage: Stage) -> None:
    await stage.play("TERMINAL")

    first, second = stage.of(Kind.TERMINAL, Terminal)
    data = bytes(first.output.data())
    assert data.startswith(b"$ make test\r\n\x1b[1;32mPASS")
    assert "split: 漢 👩‍💻 ok".encode() in data
    assert b"\xff\xfe" in data
    assert first.exit_status is not None
    assert (first.exit_status.exit_code, first.exit_status.signal) == (1, None)
    assert bytes(second.output.data()) == b"snapshot only\r\n"
    assert second.exit_status is not None
    assert second.exit_status.signal == "SIGTERM"
    assert [call.status for call in stage.calls()] == ["failed", "completed"]


async def test_plan(stage: Stage) -> None:
    await stage.play("PLAN")

    first, second, drawing = (plan.plan for plan in stage.of(Kind.PLAN, Plan))
    assert [entry.status for entry in first.entries] == [
        "completed",
        "in_progress",
        "cancelled",
        "_lab_status",
    ]
    assert second.entries == []
    assert isinstance(drawing, Unknown)


async def test_lists_and_records(stage: Stage) -> None:
    await stage.play("COMMANDS CONFIG INFO USAGE")

    session = stage.session
    assert [getattr(each, "name", "?") for each in session.commands[:3]] == ["plan", "compact", "odd"]
    assert isinstance(session.commands[3], Unknown)
    assert isinstance(session.config_options[3], Unknown)
    assert session.info.title == "A new title 漢字"
    assert session.usage is not None
    assert (session.usage.used, session.usage.size) == (190_000, 200_000)
    assert session.usage.cost is not None
    assert session.usage.cost.amount == 0.045

    await stage.play("UNTITLE")

    assert session.info.title is None


async def test_notices(stage: Stage) -> None:
    await stage.play("NOTICES")

    wanted = ["info", "warning", "error", "_lab_debug", "critical"]
    assert [notice.severity for notice in stage.session.notices] == wanted
    assert [e.notice.severity for e in stage.effects if isinstance(e, Notify)] == wanted
    assert Kind.TURN not in {key.kind for key in stage.session.timeline[:1]}


async def test_compact(stage: Stage) -> None:
    await stage.play("COMPACT")

    first, second, third = stage.of(Kind.COMPACTION, Compaction)
    assert (first.status, first.summary.text()) == ("completed", "We talked about tests.")
    assert (second.status, second.error) == ("failed", "the model refused")
    assert (third.status, third.summary.text()) == ("completed", "A summary in one piece.")


async def test_custom(stage: Stage) -> None:
    await stage.play("CUSTOM")

    kinds = [update.raw["sessionUpdate"] for update in stage.session.unknown_updates]
    assert kinds == ["_lab_custom", "update_from_the_future"]
    assert '"error -32601"' in stage.said()[-1]


@pytest.mark.parametrize("word", ["PERM", "PERMCMD", "PERMUNKNOWN", "PERMNONE"])
@pytest.mark.parametrize("option", [0, 1])
async def test_a_permission(stage: Stage, word: str, option: int) -> None:
    stage.submit(word)
    (request,) = await stage.asked()
    assert stage.session.state == "requires_action"

    stage.choose(request, option)
    await stage.until(lambda: stage.session.completions == 1)

    chosen = request.params.options[option].option_id
    assert json.loads(stage.said()[-1].removeprefix("Permission answer: ")) == {
        "outcome": "selected",
        "optionId": chosen,
    }
    assert stage.store.requests == []


async def test_a_dismissed_permission(stage: Stage) -> None:
    stage.submit("PERM")
    (request,) = await stage.asked()
    stage.choose(request, None)
    await stage.until(lambda: stage.session.completions == 1)

    assert json.loads(stage.said()[-1].removeprefix("Permission answer: ")) == {"outcome": "cancelled"}


async def test_two_permissions_in_the_other_order(stage: Stage) -> None:
    stage.submit("PERMTWO")
    first, second = await stage.asked(2)
    assert [call.title for call in stage.calls()] == ["Edit src/main.rs", "Run the test suite?"]
    stage.choose(second, 0)
    await stage.asked(1)
    stage.choose(first, 2)
    await stage.until(lambda: stage.session.completions == 1)

    assert [call.status for call in stage.calls()] == ["failed", "completed"]


async def test_a_request_that_the_agent_takes_back(stage: Stage) -> None:
    await stage.play("CANCELREQ")

    assert "cancelled" in stage.said()[-1]
    assert stage.store.requests == []


async def test_a_form_and_a_url(stage: Stage) -> None:
    stage.submit("FORM URL")
    (form,) = await stage.asked()
    assert form.method == "elicitation/create"
    stage.fill(form, "accept", {"strategy": "balanced", "name": "ab"})
    await stage.until(lambda: stage.store.requests and stage.store.requests[0] != form.key)
    (url,) = await stage.asked()
    stage.fill(url, "decline")
    await stage.until(lambda: stage.session.completions == 1)

    assert '"action":"accept"' in stage.said()[-1]
    assert '"action":"decline"' in stage.said()[-1]


async def test_big_huge_and_fast(stage: Stage) -> None:
    await stage.play("BIG")
    assert len(stage.said()[-1]) > 190_000

    await stage.play("HUGE")
    assert len(stage.said()[-1]) > 2_000_000

    await stage.play("FAST")
    assert len(stage.said()[-1].split()) == 3000


@pytest.mark.parametrize("reason", ["max_tokens", "max_turn_requests", "refusal", "error", "_custom"])
async def test_stop(stage: Stage, reason: str) -> None:
    await stage.play(f"STOP:{reason}")

    assert stage.session.stop_reason == reason
    assert (stage.session.error is not None) == (reason == "error")


async def test_refuse(stage: Stage) -> None:
    submission = stage.submit("REFUSE")
    await stage.until(lambda: submission.status == "rejected")

    assert submission.error is not None
    assert submission.error.message
    assert [effect.ref for effect in stage.effects if isinstance(effect, Restore)] == [stage.ref]
    assert stage.said(Kind.USER_MESSAGE) == []


async def test_early(stage: Stage) -> None:
    submission = stage.submit("EARLY HELLO")
    await stage.until(lambda: stage.session.completions == 1 and submission.status == "inserted")

    assert stage.session.timeline[0].kind is Kind.USER_MESSAGE
    assert len(stage.said(Kind.USER_MESSAGE)) == 1


async def test_garbage_and_batch(alone: Stage) -> None:
    await alone.play("GARBAGE BATCH HELLO")

    assert alone.store.connection.garbage == 3
    assert "After the garbage." in alone.said()[-1]
    assert "batched one" not in "".join(alone.said())

    def answers() -> list[int]:
        return sorted(m["error"]["code"] for d, m in alone.lines if d == ">" and "error" in m)

    await alone.until(lambda: len(answers()) == 3)
    assert answers() == [-32700, -32700, -32600]


async def test_a_session_that_we_do_not_have(alone: Stage) -> None:
    await alone.play("WRONGSESSION HELLO")

    assert list(alone.store.sessions) == ["s1"]
    assert alone.said()[-1].startswith("# Hello")


async def test_everything_harmless_in_one_turn(stage: Stage) -> None:
    stage.submit("ALL")
    answered = set()

    def next_question() -> object:
        return stage.session.completions or [key for key in stage.store.requests if key not in answered]

    while not stage.session.completions:
        await stage.until(next_question)
        for request in await stage.asked(len(stage.store.requests)):
            if request.key not in answered:
                answered.add(request.key)
                if request.method == "session/request_permission":
                    stage.choose(request, 0)
                else:
                    stage.fill(request, "decline")

    assert len(answered) == 6
    assert stage.session.stop_reason == "end_turn"
    assert stage.session.dropped == 0


async def test_help(stage: Stage) -> None:
    await stage.play("HELP")

    assert stage.said()[-1].startswith("I know: HELLO MESSAGES")
