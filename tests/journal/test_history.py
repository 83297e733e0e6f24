"""What the journals say of one entity: just its messages, in order, also while they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.journal.history import BATCH, Found, History, Subject
from acp_tui.journal.log import Header, Journal
from acp_tui.store.keys import Kind

SESSION = "agent-1"


class Kept:
    """A journal that is written to as a connection would."""

    def __init__(self, folder: Path, generation: int = 1) -> None:
        header = Header(
            generation=generation,
            command=("agent",),
            cwd="/w",
            started=100.0 * generation,
            pid=1,
            version="0",
        )
        self.journal = Journal(folder, header)
        self.at = 100.0 * generation

    @property
    def path(self) -> Path:
        return self.journal.path

    def say(self, direction: Any, message: dict[str, Any], session: str | None = SESSION) -> None:
        self.at += 1.0
        self.journal.append(direction, [(session, {"jsonrpc": "2.0", **message})], self.at)

    def update(self, kind: str, session: str = SESSION, **fields: Any) -> None:
        params = {"sessionId": session, "update": {"sessionUpdate": kind, **fields}}
        self.say("<", {"method": "session/update", "params": params}, session)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def found(subject: Subject, *kept: Kept) -> list[Found]:
    paths = [one.path for one in kept]
    return [one for batch in History(subject).read(paths) for one in batch]


def words(found: list[Found]) -> list[str]:
    return [f"{one.direction} {one.what}" for one in found]


def subject(kind: Kind, id_: str = "", **more: Any) -> Subject:
    return Subject(kind=kind, session_id=SESSION, id=id_, **more)


def test_a_tool_call_has_its_updates_its_request_and_our_answer(kept: Kept) -> None:
    kept.update("tool_call_update", toolCallId="c1", title="one", status="pending")
    kept.update("tool_call_update", toolCallId="c2", title="c1")
    kept.update("agent_message", messageId="c1", content=[])
    ask = {"subject": {"type": "tool_call", "toolCall": {"toolCallId": "c1"}}, "title": "may I?"}
    kept.say("<", {"id": 7, "method": "session/request_permission", "params": ask})
    kept.update("tool_call_content_chunk", toolCallId="c1", content={"type": "content"})
    kept.say(">", {"id": 8, "result": {}})
    kept.say(">", {"id": 7, "result": {"outcome": {"outcome": "selected", "optionId": "yes"}}})
    kept.say(">", {"method": "tool_call/cancel", "id": 3, "params": {"toolCallId": "c1"}})
    kept.say("<", {"id": 3, "result": {}}, None)
    kept.update("tool_call_update", session="other", toolCallId="c1", status="failed")
    mine = found(subject(Kind.TOOL_CALL, "c1"), kept)
    assert words(mine) == [
        "< tool_call_update",
        "< session/request_permission",
        "< tool_call_content_chunk",
        "> answer",
        "> tool_call/cancel",
        "< answer",
    ]
    assert mine[0].changed == "title: one  status: pending"
    assert [one.at for one in mine] == [101.0, 104.0, 105.0, 107.0, 108.0, 109.0]
    assert mine[3].load()["result"] == {"outcome": {"outcome": "selected", "optionId": "yes"}}


@pytest.mark.parametrize(
    ("kind", "id_", "update"),
    [
        (Kind.USER_MESSAGE, "m", {"sessionUpdate": "user_message_chunk", "messageId": "m"}),
        (Kind.AGENT_MESSAGE, "m", {"sessionUpdate": "agent_message", "messageId": "m"}),
        (Kind.AGENT_THOUGHT, "ü\ud800", {"sessionUpdate": "agent_thought_chunk", "messageId": "ü\ud800"}),
        (Kind.AGENT_THOUGHT, "日本", {"sessionUpdate": "agent_thought", "messageId": "日本", "x": "\udfff"}),
        (Kind.SESSION_MESSAGE, "m", {"sessionUpdate": "session_message", "messageId": "m"}),
        (
            Kind.TERMINAL,
            't"1\\',
            {"sessionUpdate": "terminal_output_chunk", "terminalId": 't"1\\', "data": ""},
        ),
        (Kind.PLAN, "p", {"sessionUpdate": "plan_update", "plan": {"planId": "p", "type": "items"}}),
        (Kind.PLAN, "p", {"sessionUpdate": "plan_removed", "planId": "p"}),
        (Kind.COMPACTION, "k", {"sessionUpdate": "compaction_summary_chunk", "compactionId": "k"}),
        (Kind.SUBAGENT, "child", {"sessionUpdate": "subagent_update", "sessionId": "child"}),
    ],
)
def test_each_kind_knows_its_updates(kept: Kept, kind: Kind, id_: str, update: dict[str, Any]) -> None:
    for session in (SESSION, "another"):
        params = {"sessionId": session, "update": update}
        kept.say("<", {"method": "session/update", "params": params}, session)
    other = {**update, **{name: "other" for name in update if name.endswith("Id")}}
    other |= {"plan": {"planId": "other"}} if "plan" in update else {}
    kept.say("<", {"method": "session/update", "params": {"sessionId": SESSION, "update": other}})
    mine = found(subject(kind, id_), kept)
    assert [one.load()["params"]["update"] for one in mine] == [update]


def test_a_prompt_has_its_request_its_answer_and_the_message_it_became(kept: Kept) -> None:
    kept.say(">", {"id": 4, "method": "session/prompt", "params": {"prompt": []}})
    kept.update("user_message", messageId="u1", content=[])
    kept.say("<", {"id": 4, "result": {"messageId": "u1"}})
    kept.say("<", {"id": 4, "method": "session/request_permission", "params": {}})
    kept.say(">", {"method": "$/cancel_request", "params": {"requestId": 4}})
    mine = found(subject(Kind.USER_MESSAGE, "u1", request_id=4), kept)
    assert words(mine) == ["> session/prompt", "< user_message", "< answer", "> $/cancel_request"]


def test_a_request_of_the_agent_belongs_to_its_generation(tmp_path: Path) -> None:
    first, second = Kept(tmp_path, 1), Kept(tmp_path, 2)
    for kept in (first, second):
        kept.say("<", {"id": 1, "method": "session/request_permission", "params": {"title": "?"}})
        kept.say("<", {"id": "1", "method": "session/request_permission", "params": {}})
        kept.say(">", {"id": 1, "result": {"n": kept.at}})
    mine = found(subject(Kind.REQUEST, request_id=1, generation=2), first, second)
    assert words(mine) == ["< session/request_permission", "> answer"]
    assert {one.generation for one in mine} == {2}


def test_a_turn_has_the_states_and_cancels_of_its_time_and_the_loss(kept: Kept) -> None:
    kept.update("state_update", state="running")
    kept.update("agent_message", messageId="state_update", content=[])
    kept.update("state_update", state="running")
    kept.say(">", {"method": "session/cancel", "params": {"sessionId": SESSION}})
    kept.update("state_update", state="idle", stopReason="cancelled")
    kept.journal.note("connection_lost", 105.5, reason="exit 1")
    kept.update("state_update", state="running")
    mine = found(subject(Kind.TURN, since=103.0, until=105.5), kept)
    assert words(mine) == ["< state_update", "> session/cancel", "< state_update", "# connection_lost"]
    assert mine[-1].load() == {"event": "connection_lost", "reason": "exit 1"}


def test_all_generations_of_a_session_are_read_in_order(tmp_path: Path) -> None:
    first, second = Kept(tmp_path, 1), Kept(tmp_path, 2)
    second.update("tool_call_update", toolCallId="c1", status="completed")
    first.update("tool_call_update", toolCallId="c1", status="pending")
    mine = found(subject(Kind.TOOL_CALL, "c1"), first, second)
    assert [(one.generation, one.changed) for one in mine] == [
        (1, "status: pending"),
        (2, "status: completed"),
    ]


def test_asked_again_it_reads_only_what_is_new_and_leaves_half_a_line(kept: Kept) -> None:
    history = History(subject(Kind.TOOL_CALL, "c1"))
    kept.update("tool_call_update", toolCallId="c1", status="pending")
    assert sum(map(len, history.read([kept.path]))) == 1
    assert sum(map(len, history.read([kept.path]))) == 0
    whole = kept.path.read_bytes()
    kept.update("tool_call_update", toolCallId="c1", status="completed")
    more = kept.path.read_bytes()[len(whole) :]
    kept.path.write_bytes(whole + more[:-10])
    assert sum(map(len, history.read([kept.path]))) == 0
    kept.path.write_bytes(whole + more)
    assert [one.changed for batch in history.read([kept.path]) for one in batch] == ["status: completed"]


def test_many_come_in_batches(kept: Kept) -> None:
    for number in range(BATCH * 2 + 1):
        kept.update("agent_message_chunk", messageId="m", content={"type": "text", "text": f"word {number} "})
    batches = list(History(subject(Kind.AGENT_MESSAGE, "m")).read([kept.path]))
    assert [len(batch) for batch in batches] == [BATCH, BATCH, 1]
    assert batches[0][3].changed == '"word 3 "'


def test_what_is_no_record_is_passed_over(kept: Kept) -> None:
    with kept.path.open("ab") as file:
        file.write(b'null\n[]\n{"c1\n{"msg": "c1", "t": "c1"}\n{"msg": {"c1": 1, "method": ["c1"]}}\n')
        file.write(b'{"session":"agent-1","msg":{"method":"session/update","params":{"update":["c1"]}}}\n')
    kept.update("tool_call_update", toolCallId="c1")
    assert len(found(subject(Kind.TOOL_CALL, "c1"), kept)) == 1


def test_what_cannot_be_read_says_so(kept: Kept, tmp_path: Path) -> None:
    kept.update("tool_call_update", toolCallId="c1")
    with pytest.raises(IsADirectoryError):
        found_at = list(History(subject(Kind.TOOL_CALL, "c1")).read([tmp_path]))
        assert not found_at
    mine = found(subject(Kind.TOOL_CALL, "c1"), kept)
    kept.path.write_bytes(b"something else\n" * 100)
    with pytest.raises(ValueError, match="overwritten"):
        mine[0].load()
    kept.path.unlink()
    with pytest.raises(FileNotFoundError):
        mine[0].load()
