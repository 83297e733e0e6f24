"""Sessions: lanes and those of the gateway, who we are, what is kept and replayed, what is never written."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest

from acp_tui.aip.bridge.behaviour import Bridge
from acp_tui.aip.core.vocabulary import Json
from tests.aip.bridge.stage import CWD, Client, bridged, opened, said, words
from tests.aip.fake import TOKEN, Asked, FakeGateway, refuses
from tests.raw_client import INITIALIZE

pytestmark = pytest.mark.anyio
CALL = '/call cap:echo {"text":"hi"}'
PROFILES = ("aip.native.http.v1",)


async def initialized(client: Client) -> None:
    assert "result" in await client.call("initialize", **INITIALIZE)


async def resumed(client: Client, session: str, cwd: str = CWD) -> Json:
    """Resume with a replay."""
    client.session = session
    return await client.call("session/resume", sessionId=session, cwd=cwd, replayFrom={"type": "start"})


async def test_who_is_not_known_is_asked_to_log_in(
    fake: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATEWAY_TOKEN", "another-one")
    async with bridged(fake) as client:
        about = (await client.call("initialize", **INITIALIZE))["result"]
        assert about["authMethods"][0]["varName"] == "GATEWAY_TOKEN"
        error = (await client.call("session/new", cwd=CWD))["error"]
        assert error["code"] == -32000 and "does not know who we are" in error["message"]
        assert "another-one" not in json.dumps(client.trace)
        monkeypatch.delenv("GATEWAY_TOKEN")
        error = (await client.call("session/new", cwd=CWD))["error"]
        assert error["code"] == -32000 and "GATEWAY_TOKEN" in error["message"]


async def test_a_mistake_of_the_bridge_itself_is_an_answer_too(
    fake: FakeGateway, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async with bridged(fake) as client:
        await initialized(client)
        monkeypatch.setattr(Bridge, "options", lambda *_: 1 / 0)
        error = (await client.call("session/new", cwd=CWD))["error"]
        assert (error["code"], error["message"]) == (-32603, "Internal error: ZeroDivisionError")
        monkeypatch.undo()
        assert "ZeroDivisionError" in capfd.readouterr().err


async def test_14_a_token_that_ends_meanwhile_ends_the_turn_with_words(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        fake.faults["submit"].append(refuses(401, "auth.expired"))
        await client.play(CALL)
        idle = await client.idle()
        assert (idle["stopReason"], idle["error"]["code"]) == ("error", -32000)
        assert "auth.expired" in said(client.tool())


async def test_a_lane_is_gone_on_with_by_another_process(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        act, session = client.act, client.session
        fake.book.move(act, "running")
        fake.book.chunk(act, "data", "half of it, ")
        await client.update(lambda u: "half of it" in str(u))
    fake.book.chunk(act, "data", "the other half")
    fake.book.settle(act, "completed", output="all of it")
    async with bridged(fake) as client:
        await initialized(client)
        (listed,) = (await client.call("session/list"))["result"]["sessions"]
        assert (listed["sessionId"], listed["title"], listed["cwd"]) == (session, CALL, CWD)
        assert "result" in await resumed(client, session)
        tool = await client.status("completed")
        assert tool["toolCallId"] == act and tool["rawOutput"] == "all of it"
        assert "half of it, the other half" in said(tool)
        (message,) = [u for u in client.updates() if u["sessionUpdate"] == "user_message"]
        assert message["content"] == [{"type": "text", "text": CALL}]
        assert fake.count("submit") == 1
        await client.play(CALL)
        ids = [u["messageId"] for u in client.updates() if u["sessionUpdate"] == "user_message"]
        assert ids == ["user_1", "user_2"]


async def test_a_client_that_goes_leaves_its_work_to_the_gateway(fake: FakeGateway) -> None:
    async with opened(fake, mode="streaming", complete=False, rules=False) as client:
        client.prompt(CALL)
        await client.update(lambda u: "ack streaming" in str(u.get("_meta")))
        act, session = client.act, client.session
    assert fake.count("cancel") == 0
    fake.book.settle(act, "completed", output="all the same")
    async with bridged(fake) as client:
        await initialized(client)
        await resumed(client, session)
        assert (await client.status("completed"))["rawOutput"] == "all the same"
        assert "all the same" in await client.play("/result")
    async with bridged(fake) as client:
        await initialized(client)
        listed = (await resumed(client, session))["result"]["availableCommands"]
        (follow,) = [one for one in listed if one["name"] == "follow"]
        (named,) = follow["input"]["_meta"]["acp-tui/arguments"]["values"]
        assert named["value"] == act and named["description"] == "result completed · Echo"


@pytest.mark.parametrize("arrived", [True, False])
async def test_12_13_what_an_earlier_run_was_unsure_of_is_looked_for_once(
    fake: FakeGateway, arrived: bool
) -> None:
    async def never_answered(gateway: FakeGateway, asked: Asked) -> None:
        if arrived:
            gateway.respond(asked.name, asked.id, asked.request)
        await anyio.sleep_forever()

    async with opened(fake, complete=False, rules=False) as client:
        fake.faults["submit"].append(never_answered)
        client.prompt(CALL)
        await fake.came("submit")
        await client.update(lambda u: u.get("name") == "cap:echo")
        session = client.session
    seen = fake.count("status")
    async with bridged(fake) as client:
        await initialized(client)
        await resumed(client, session)
        wanted = "state queued" if arrived else "a read by its id did not find it"
        await client.update(lambda u: wanted in str(u))
        assert (fake.count("submit"), client.asked, fake.count("status") > seen) == (1, [], True)


async def test_a_cancel_just_before_the_end_is_still_sent(fake: FakeGateway) -> None:
    async with opened(fake, rules=False) as client:
        await client.play(CALL)
        await client.call("tool_call/cancel", sessionId=client.session, toolCallId=client.act)
    assert fake.count("cancel") == 1


async def test_a_lane_is_resumed_where_it_was_made_in_its_folder_only(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play("/gateway")
        await client.call("session/close", sessionId=client.session)
        assert (await resumed(client, client.session, cwd="/elsewhere"))["error"]["code"] == -32602
        assert (await resumed(client, "lane-nobody"))["error"]["code"] == -32002


async def test_an_open_session_is_replayed_as_it_is(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        session = client.session
        start = len(client.trace)
        await resumed(client, session)
        kinds = [u["sessionUpdate"] for u in client.updates(start)]
        assert kinds[kinds.index("user_message") :][:5] == [
            "user_message",
            "session_info_update",
            "tool_call_update",
            "replay_complete",
            "state_update",
        ]
        fake.book.settle(client.act, "completed")
        await client.status("completed")


async def test_a_lane_is_deleted_a_session_only_once_it_is_closed(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play("/gateway")
        assert (await client.call("session/delete", sessionId=client.session))["result"] == {}
        assert (await client.call("session/list"))["result"]["sessions"] == []
        assert (await client.call("session/delete", sessionId=client.session))["error"]["code"] == -32002
    async with opened(fake, profiles=PROFILES) as client:
        error = (await client.call("session/delete", sessionId=client.session))["error"]
        assert "Close the session first" in error["message"]
        await client.call("session/close", sessionId=client.session)
        assert (await client.call("session/delete", sessionId=client.session))["result"] == {}


async def test_22_a_session_that_may_not_be_closed_stays_open(fake: FakeGateway) -> None:
    async with opened(fake, profiles=PROFILES) as client:
        assert client.session in fake.book.rooms
        await client.play(CALL)
        assert fake.book.works[client.act].session_id == client.session
        fake.book.rooms[client.session].state = "completed"
        error = (await client.call("session/close", sessionId=client.session))["error"]
        assert "stays open" in error["message"] and "cannot be closed" in error["message"]
        assert fake.count("close") == 1
        await client.play("/gateway")
        fake.book.rooms[client.session].state = "active"
        assert (await client.call("session/close", sessionId=client.session))["result"] == {}
        assert fake.book.rooms[client.session].state == "cancelled"


async def test_a_client_that_merely_leaves_closes_nothing(fake: FakeGateway) -> None:
    async with opened(fake, profiles=PROFILES) as client:
        session = client.session
        await client.play("/gateway")
        leaving = {"_meta": {"acp-tui/leaving": True}}
        assert (await client.call("session/close", sessionId=session, **leaving))["result"] == {}
        assert (fake.count("close"), fake.book.rooms[session].state) == (0, "active")
        again = await client.call("session/resume", sessionId=session, cwd=CWD)
        assert "result" in again and fake.count("resume") == 1


async def test_26_a_closed_session_is_listed_as_such_and_not_resumed(fake: FakeGateway) -> None:
    async with opened(fake, profiles=PROFILES) as client:
        await client.play("/gateway")
        session = client.session
        await client.call("session/close", sessionId=session)
        (listed,) = (await client.call("session/list"))["result"]["sessions"]
        assert listed["title"] == "/gateway (closed)"
        answer = await resumed(client, session)
        assert "start a new session" in answer["error"]["message"]
        assert fake.count("resume") == 0


async def test_25_a_session_that_is_over_is_closed_without_a_second_attempt(fake: FakeGateway) -> None:
    async with opened(fake, profiles=PROFILES) as client:
        fake.faults["close"].append(refuses(409, "session.closed"))
        assert (await client.call("session/close", sessionId=client.session))["result"] == {}
        answer = await resumed(client, client.session)
        assert answer["error"]["code"] == -32002
        assert (fake.count("close"), fake.count("resume")) == (1, 0)


async def test_29_what_happened_meanwhile_is_told_once(fake: FakeGateway) -> None:
    async with opened(fake, profiles=PROFILES) as client:
        await client.play(CALL)
        act, session = client.act, client.session
    for _ in range(150):
        fake.book.event(act, "action.note")
    fake.book.settle(act, "completed", output=1)
    async with bridged(fake, profiles=PROFILES) as client:
        await initialized(client)
        assert "result" in await resumed(client, session)
        await client.status("completed")
        (told,) = [u for u in client.updates() if u["sessionUpdate"] == "agent_message"]
        assert "132 more" in str(told) and fake.count("resume") == 2


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_28_no_token_is_written_anywhere(
    fake: FakeGateway, state: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    async with opened(fake, profiles=PROFILES) as client:
        await client.play(CALL)
        await client.play("/gateway")
        fake.book.settle(client.act, "completed")
        await client.status("completed")
        room = fake.book.rooms[client.session]
        session, first = client.session, room.token
    async with bridged(fake, profiles=PROFILES) as client:
        await initialized(client)
        await resumed(client, session)
        traces = json.dumps(client.trace)
    secrets = [TOKEN, first, room.token]
    kept = _files(state)
    assert any("lanes" in path.parts for path in kept)
    for path in (one for one in kept if "tokens" not in one.parts):
        assert not [one for one in secrets if one.encode() in path.read_bytes()], path
    assert not [one for one in secrets if one in traces + "".join(capfd.readouterr())]
    assert not [one.request.target for one in fake.seen if any(s in one.request.target for s in secrets)]
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


async def test_a_gateway_that_is_away_is_said_to_be(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        fake.faults["capabilities"].append(refuses(503, "busy"))
        fake.faults["manifest"].append(refuses(503, "busy"))
        made = await client.call("session/new", cwd=CWD)
        assert "result" in made, "what it lists is not needed to call it"
        await client.play("/call cap:anything {}")
        assert "ack queued" in words(client.tool())
