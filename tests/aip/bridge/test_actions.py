"""One action is one tool call. Numbers in names are those of the checks for a fake gateway."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from acp_tui.aip.bridge import row
from acp_tui.aip.core.vocabulary import Json
from acp_tui.aip.core.words import AckStatus
from tests.aip.bridge.stage import CWD, Client, chosen, opened, said, words
from tests.aip.fake import (
    Asked,
    FakeGateway,
    Fault,
    b_frame,
    cut_after,
    cut_before,
    ignores_follow,
    refuses,
    says,
    streams,
)

pytestmark = pytest.mark.anyio
CALL = '/call cap:echo {"text":"hi"}'


async def test_an_asynchronous_action_goes_on_beside_the_turn(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        tool, act = client.tool(), client.act
        assert (tool["status"], tool["name"], tool["rawInput"]) == ("pending", "cap:echo", {"text": "hi"})
        assert act.startswith("act_") and act in fake.book.works
        assert {"type": "tool_call", "toolCallId": act} in client.updates()[-1]["background"]
        assert "ack queued" in words(tool)
        fake.book.move(act, "running")
        tool = await client.status("in_progress")
        assert "state running" in words(tool) and "settled: no" in said(tool)
        fake.book.settle(act, "completed", output={"n": 7})
        tool = await client.status("completed")
        assert tool["rawOutput"] == {"n": 7}
        assert words(tool) == "result completed, state completed, ack queued"
        exact = tool["_meta"]["acp-tui/aip"]
        assert [exact[name][key] for name, key in (("acknowledged", "status"), ("state", "state"))] == [
            "queued",
            "completed",
        ]
        await client.update(lambda u: u.get("background") == [])
        assert tool["capabilities"] is None


async def test_a_streaming_action_is_waited_for_and_its_pieces_land_where_they_belong(
    fake: FakeGateway,
) -> None:
    async with opened(fake, mode="streaming") as client:
        prompt = client.prompt(CALL)
        await client.update(lambda u: "ack streaming" in str(u.get("_meta")))
        act, book = client.act, fake.book
        book.move(act, "running")
        book.chunk(act, "thought", {"text": "hm"})
        book.chunk(act, "preview", {"text": "soon"})
        book.chunk(act, "data", {"text": "one "})
        book.chunk(act, "data", "two")
        await client.update(lambda u: "one two" in str(u.get("content")))
        book.chunk(act, "progress", {"text": "half"})
        book.chunk(act, "tool", {"text": "look up"})
        await client.update(lambda u: "tool: look up" in str(u))
        assert client.tool()["title"] == "Echo · half"
        pieces = [u["content"] for u in client.updates() if u["sessionUpdate"] == "tool_call_content_chunk"]
        assert [one["content"]["text"] for one in pieces] == ["soon", "one "], "the others go on in the last"
        thought = await client.update(lambda u: u["sessionUpdate"] == "agent_thought_chunk")
        assert thought["messageId"].startswith(act) and thought["content"]["text"] == "hm"
        assert "soon" in said(client.tool())
        book.chunk(act, "done")
        await client.update(lambda u: "which is no result" in str(u.get("content")))
        assert client.tool()["status"] == "in_progress"
        book.settle(act, "completed", output="end")
        tool = await client.status("completed")
        assert "soon" not in said(tool) and "one two" in said(tool) and said(tool).endswith("end")
        assert tool["title"] == "Echo"
        assert "result" in await client.answer(prompt)
        assert (await client.idle())["stopReason"] == "end_turn"


async def test_a_stream_that_is_long_is_told_in_pieces_and_nothing_of_it_twice(
    fake: FakeGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row, "LARGE", 1)
    monkeypatch.setattr(row, "LONGER", 0.0)
    async with opened(fake) as client:
        await client.play(CALL)
        fake.book.move(client.act, "running")
        await client.status("in_progress")
        for data in ("one ", "two ", "three"):
            fake.book.chunk(client.act, "data", data)
        await client.update(lambda u: "three" in str(u.get("content")))
        assert said(client.tool()).replace("\n", "").endswith("one two three")
        fake.book.chunk(client.act, "data", " four")
        fake.book.settle(client.act, "completed")
        assert "one two three four" in said(await client.status("completed"))


@pytest.mark.parametrize("ack", [a for a in AckStatus if a is not AckStatus.REJECTED])
async def test_no_acknowledgement_is_a_completion(fake: FakeGateway, ack: str) -> None:
    answer = {"ack": {"action_id": "", "status": ack}}
    async with opened(fake) as client:
        fake.faults["submit"].append(says(200, answer))
        fake.faults["events"].append(says(404, {}))
        await client.play(CALL)
        assert client.tool()["status"] == ("in_progress" if ack == "streaming" else "pending")
        assert f"ack {ack}" in words(client.tool())


async def test_a_cached_action_is_completed_only_when_its_result_was_read(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        fake.faults["submit"].append(says(200, {"ack": {"action_id": "", "status": "cached"}}))
        prompt = client.prompt(CALL)
        await client.update(lambda u: u.get("name") == "cap:echo")
        fake.add("cap:echo", client.act)
        fake.book.settle(client.act, "completed", output="before")
        tool = await client.status("completed")
        assert "earlier result" in said(tool) and "before" in said(tool)
        await client.answer(prompt)


async def test_06_07_done_settles_nothing_and_the_result_may_be_a_failure(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        fake.book.move(client.act, "running")
        fake.book.chunk(client.act, "data", "so far ")
        fake.book.chunk(client.act, "done")
        await client.update(lambda u: "which is no result" in str(u.get("content")))
        await client.status("in_progress")
        assert client.tool()["status"] == "in_progress"
        fake.book.settle(client.act, "failed", error={"code": "x.broke", "message": "it broke"})
        tool = await client.status("failed")
        assert "x.broke: it broke" in said(tool) and "so far" in said(tool)


async def test_09_a_state_nobody_told_us_about_is_shown_raw_and_ends_nothing(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        fake.book.move(client.act, "running")
        await client.status("in_progress")
        fake.book.move(client.act, "pondering")
        await client.update(lambda u: "state pondering" in str(u.get("_meta")))
        assert client.tool()["status"] == "in_progress"


@pytest.mark.parametrize("wrapped", [False, True], ids=["bare", "wrapped"])
async def test_11_a_field_nobody_told_us_about_reaches_the_client(fake: FakeGateway, wrapped: bool) -> None:
    async with opened(fake) as client:
        view = {"state": "running", "odd": {"deep": [1]}}
        fake.faults["status"].append(says(200, {"action_status": view} if wrapped else view))
        await client.play(CALL)
        tool = await client.status("in_progress")
        assert tool["_meta"]["acp-tui/aip"]["state"]["odd"] == {"deep": [1]}


@pytest.mark.parametrize("end", ["expired", "dead_lettered"])
async def test_an_end_without_a_word_of_acp_is_failed_with_the_exact_state(
    fake: FakeGateway, end: str
) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        fake.book.move(client.act, end)
        tool = await client.status("failed")
        assert f"state {end}" in words(tool) and f"state: {end}" in said(tool)
        assert "settled: no, and no result was read" in said(tool)
        assert tool["_meta"]["acp-tui/aip"]["state"]["state"] == end


async def test_36_a_failed_result_without_a_reason_is_failed_without_a_reason(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        fake.book.settle(client.act, "failed")
        assert "the gateway gave no reason" in said(await client.status("failed"))


@pytest.mark.parametrize(
    ("fault", "wanted"),
    [
        (refuses(403, "policy.denied"), "does not allow it: policy.denied"),
        (refuses(503, "busy", retry_after_ms=4000), "busy: no; it asks to be left alone for 4 s"),
    ],
)
async def test_a_refused_submission_is_a_failed_tool_call(
    fake: FakeGateway, fault: Fault, wanted: str
) -> None:
    async with opened(fake) as client:
        fake.faults["submit"].append(fault)
        await client.play(CALL)
        tool = await client.status("failed")
        assert wanted in said(tool) and words(tool) == "refused" and fake.count("submit") == 1


async def test_a_rejected_action_is_failed_with_the_reason(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        fake.faults["submit"].append(says(200, {"ack": {"status": "rejected", "reason": "too large"}}))
        await client.play(CALL)
        tool = await client.status("failed")
        assert words(tool) == "ack rejected" and "too large" in said(tool)


async def test_35_an_identity_conflict_is_shown_and_nothing_is_sent_again(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        fake.faults["submit"].append(refuses(409, "action.identity_conflict"))
        await client.play(CALL)
        assert "identity conflict" in said(await client.status("failed"))
        assert fake.count("submit") == 1


async def test_12_a_lost_answer_that_arrived_is_adopted_by_one_read(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        fake.faults["submit"].append(cut_after)
        await client.play(CALL)
        assert words(client.tool()).startswith("state queued")
        assert (fake.count("submit"), client.asked) == (1, [])


async def test_13_an_unknown_outcome_stays_unknown_until_the_user_decides(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        fake.faults["submit"].append(cut_before)
        client.answers = [chosen("leave")]
        await client.play(CALL)
        options = client.asked[0]["params"]["options"]
        assert [one["optionId"] for one in options] == ["look", "again", "leave"]
        assert not {one["kind"] for one in options} & {"allow_once", "allow_always"}, "no rule may choose it"
        assert (client.tool()["status"], words(client.tool())) == ("paused", "outcome unknown")
        assert "broke), and a read by its id did not find it" in said(client.tool())
        assert fake.count("submit") == 1
        assert "outcome unknown" in await client.play("/status")
        assert "not visible" not in await client.play("/again")
        assert fake.count("submit") == 2
        assert "ack queued" in words(client.tool())
        bodies = [one.request.json() for one in fake.seen if one.name == "submit"]
        assert len({body["body"]["action"]["id"] for body in bodies}) == 1
        assert len({body["body"]["action"]["idempotency_key"] for body in bodies}) == 1


async def test_what_is_not_known_to_be_safe_is_not_offered_to_be_sent_again(fake: FakeGateway) -> None:
    async with opened(fake, idempotency="off") as client:
        fake.faults["submit"].append(cut_before)
        client.answers = [chosen("look")]
        await client.play(CALL)
        assert [one["optionId"] for one in client.asked[0]["params"]["options"]] == ["look", "leave"]
        assert "could be done twice" in client.asked[0]["params"]["description"]
        assert "could be done twice" in said(client.tool()) or "could be done twice" in (
            await client.play("/again") + said(client.tool())
        )
        assert fake.count("submit") == 1
        await client.play("/forget")
        tool = await client.status("failed")
        assert words(tool) == "given up, outcome unknown"


async def test_30_what_is_unknown_is_not_visible_to_this_identity(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        act = f"act_{'0' * 8}"
        assert "not visible to this identity" in await client.play(f"/status {act}")
        await client.play(f"/follow {act}")
        tool = await client.update(lambda u: "nobody looks" in str(u.get("content")))
        assert "not visible to this identity" in str(tool["content"])
        assert "exist" not in str(tool).replace("existing", "")
        assert client.tool()["status"] == "pending"


@pytest.mark.parametrize("prompt", ["/status action:7", "/cancel session:1", "/follow act_ü", "/result act_"])
async def test_10_an_id_of_another_spelling_is_not_sent(fake: FakeGateway, prompt: str) -> None:
    async with opened(fake) as client:
        seen = len(fake.seen)
        error = await client.refused(prompt)
        assert error["code"] == -32602 and "act_" in error["message"]
        assert len(fake.seen) == seen


async def test_01_02_03_04_05_a_stream_in_disorder_is_told_as_such(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        act, book = client.act, fake.book
        book.move(act, "running")
        for sequence, data in ((1, "a"), (1, "a"), (3, "c"), (3, "other"), (2, "b")):
            book.chunk(act, "data", data, sequence=sequence)
        book.chunk(act, "done", sequence=9)
        book.chunk(act, "data", "late", sequence=10)
        book.settle(act, "completed")
        text = said(await client.status("completed"))
        assert "missing before number 3" in text and "different piece number 3" in text
        assert "too late for its place" in text and "after the end of the stream" in text
        assert "ac" in text and "other" not in text.replace("another", "") and "\nlate" not in text


@pytest.mark.parametrize("fault", [ignores_follow, streams(b_frame("done", "msg_1", {}))])
async def test_17_19_what_cannot_be_followed_is_polled_and_that_is_said(
    fake: FakeGateway, fault: Fault
) -> None:
    async with opened(fake, stream="a") as client:
        fake.faults["events"].append(fault)
        await client.play(CALL)
        await client.update(lambda u: "asked at intervals instead" in str(u.get("content")))
        fake.book.move(client.act, "running")
        fake.book.chunk(client.act, "data", "polled")
        fake.book.settle(client.act, "completed")
        assert "polled" in said(await client.status("completed"))


async def test_18_a_piece_that_is_too_long_is_said_to_be_missing(fake: FakeGateway) -> None:
    async with opened(fake, longest_frame=4096) as client:
        await client.play(CALL)
        fake.book.move(client.act, "running")
        await client.status("in_progress")
        fake.book.chunk(client.act, "data", "x" * 100_000)
        fake.book.chunk(client.act, "data", "and more")
        await client.update(lambda u: "truncated" in str(u.get("content")))
        fake.book.settle(client.act, "completed")
        tool = await client.status("completed")
        assert "and more" in said(tool) and "xxxx" not in said(tool)


async def test_31_a_long_list_is_gone_on_with_by_its_cursor(fake: FakeGateway) -> None:
    for number in range(60):
        fake.add("cap:echo", f"act_{number:03}")
    async with opened(fake) as client:
        first = await client.play("/actions capability=cap:echo")
        more = first.rpartition("More: `")[2].rstrip("`")
        assert more.startswith("/actions capability=cap:echo cursor=")
        fake.faults["actions"].append(with_cursor)
        last = await client.play(more)
        assert "More" not in last, "a cursor alone is no more"
        both = first + last
        assert [both.count(f"`act_{number:03}`") for number in range(60)] == [1] * 60


async def with_cursor(gateway: FakeGateway, asked: Asked) -> None:
    """The page that was asked for, with a cursor though nothing follows it."""
    answer = gateway.respond(asked.name, asked.id, asked.request)
    answer.value["action_list"]["next_cursor"] = "offset:60"
    await asked.reply.answer(answer)


async def test_what_the_user_sees_of_an_action_submitted_elsewhere(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        act = fake.add("cap:echo", "act_elsewhere")
        fake.book.chunk(act, "data", "from before")
        fake.book.move(act, "running")
        assert act in await client.play("/actions state=running")
        assert await client.play("/actions state=failed") == "No action that this identity can see."
        await client.play(f"/follow {act}")
        await client.status("in_progress")
        await client.update(lambda u: "from before" in str(u))
        fake.book.settle(act, "completed", output="all")
        assert "all" in said(await client.status("completed"))
        assert "**completed**" in await client.play("/result")
        for number in range(98):
            fake.book.event(act, f"log.{number}")
        first = await client.play(f"/events {act}")
        assert "action.completed" in first and "log.97" not in first
        more = first.rpartition("More: `")[2].rstrip("`")
        last = await client.play(more)
        assert "log.97" in last and "cursor=" not in last, "there is no more of what is over"
        fake.add("cap:echo", "act_open")
        later = await client.play("/events act_open")
        assert "More" not in later and "What comes later: `/events act_open cursor=" in later


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("/nope", "no command /nope"),
        ("/call", "needs the id"),
        ("/call {}", "needs the id"),
        ("/call cap:echo {oops", "not JSON"),
        ("/call cap:echo @nowhere.json", "cannot be read"),
        ("/actions colour=red", "filters are NAME=VALUE"),
        ("/actions state=queued state=running", "named twice"),
        ("/status", "must follow"),
    ],
)
async def test_what_cannot_be_understood_is_refused_before_it_is_inserted(
    fake: FakeGateway, prompt: str, wanted: str
) -> None:
    async with opened(fake) as client:
        assert wanted in (await client.refused(prompt))["message"]
        assert client.updates() == [] and fake.count("submit") == 0


async def test_words_that_are_no_command_are_answered(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        assert "/call CAPABILITY JSON" in await client.play("please do something")
        assert "cap:echo" in await client.play("/capabilities")
        about = await client.play("/gateway")
        assert "GATEWAY_TOKEN" in about and "not produced" in about
        assert "/again" in await client.play("/help")


async def test_a_file_that_is_no_input_is_refused_and_nothing_of_it_is_mended(
    fake: FakeGateway, tmp_path: Path
) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "latin").write_bytes(b'{"text": "\xe9"}')
    (tmp_path / "words").write_text("no json")
    os.mkfifo(tmp_path / "pipe")
    async with opened(fake) as client:
        for name, wanted in (
            ("empty", "is empty"),
            ("latin", "no text in UTF-8"),
            ("words", "is not JSON"),
            ("pipe", "no file"),
            (".", "cannot be read: Is a directory"),
            ("gone", "cannot be read: No such file"),
            ("a\0b", "no name of a file"),
        ):
            assert wanted in (await client.refused(f"/call cap:echo @{tmp_path}/{name}"))["message"], name
        assert wanted in (await client.refused("/call cap:echo @~nobody-here/x"))["message"]
        assert client.updates() == [] and fake.count("submit") == 0


async def test_the_input_comes_from_a_file_or_an_attachment(fake: FakeGateway, tmp_path: Path) -> None:
    file = tmp_path / "input.json"
    file.write_text('{"text": "from a file"}')
    link: Json = {"type": "resource_link", "uri": file.as_uri(), "name": file.name}
    async with opened(fake) as client:
        await client.play(f"/call cap:echo @{file}")
        await client.play("/cap:echo ", link)
        inputs = [work.body["input"] for work in fake.book.works.values()]
        assert inputs == [{"text": "from a file"}] * 2


async def test_a_form_is_offered_where_the_input_is_missing(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await _fill(client, {"text": "hi", "tags": "{oops"}, {"text": "hi", "times": 2, "tags": '{"a": 1}'})
        schema = client.asked[0]["params"]["requestedSchema"]
        assert list(schema["properties"]) == ["text", "times", "tags"] and schema["required"] == ["text"]
        again = client.asked[1]["params"]
        assert again["message"].startswith("Input of Echo: tags is no JSON")
        assert again["requestedSchema"]["properties"]["tags"]["default"] == "{oops", "nobody types it again"
        assert fake.book.works[client.act].body["input"] == {"text": "hi", "times": 2, "tags": {"a": 1}}
        client.answers = [{"action": "decline"}]
        assert "Nothing was submitted" in await client.play("/cap:echo")
        client.answers = [{"action": "accept", "content": {"text": "", "tags": "7"}}] * 3
        assert '`/call cap:echo {"text": ""}` takes it as JSON' in await client.play("/cap:echo")
        assert fake.count("submit") == 1


async def _fill(client: Client, *contents: Json) -> None:
    client.answers = [{"action": "accept", "content": content} for content in contents]
    await client.play("/call cap:echo")


async def test_the_commands_are_ours_and_the_capabilities_and_say_what_may_follow(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        made = await client.call("session/new", cwd=CWD)
        commands = {one["name"]: one for one in made["result"]["availableCommands"]}
        assert {"call", "actions", "follow", "result", "events", "status", "cancel"} <= set(commands)
        assert commands["cap:echo"]["input"]["hint"] == "JSON with text, times?, tags?"
        (first,), then = following(commands, "call"), following(commands, "cap:echo")
        assert (first["value"], first["then"]["values"]) == ("cap:echo", then)
        assert (then[0]["value"], then[0]["cursor"]) == ('{"text": ""}', 10)
        assert "state=running" in [one["value"] for one in following(commands, "actions")]
        assert following(commands, "follow") == []

        fake.faults["submit"].append(cut_before)
        client.answers = [chosen("leave")]
        await client.play(CALL)
        lost = client.act
        await client.play(CALL)
        ran = client.act
        fake.book.settle(ran, "completed")
        await client.status("completed")
        update = await client.update(lambda u: "result completed · Echo" in str(u.get("availableCommands")))
        commands = {one["name"]: one for one in update["availableCommands"]}
        named = {name: [one["value"] for one in following(commands, name)] for name in commands}
        assert named["follow"] == named["status"] == named["result"] == named["events"] == [ran, lost]
        assert named["cancel"] == named["again"] == named["forget"] == [lost]
        assert following(commands, "again")[0]["description"] == "outcome unknown · Echo"


def following(commands: dict[str, Json], name: str) -> list[Json]:
    """What may follow a command."""
    meta: Json = (commands[name]["input"] or {}).get("_meta", {})
    return list(meta.get("acp-tui/arguments", {"values": []})["values"])


async def test_a_gateway_may_say_anything(fake: FakeGateway) -> None:
    odd: list[Json] = [{"id": "call"}, {"id": "a b"}, {"id": "\x1b[2J"}, {"id": ""}, {"id": "x", "name": 7}]
    odd += [{"id": "y", "input_schema": {"properties": {"z": 1}}, "contract": {"execution": []}}, {"name": 1}]
    async with opened(fake) as client:
        fake.book.capabilities = odd
        made = await client.call("session/new", cwd=CWD)
        names = [one["name"] for one in made["result"]["availableCommands"]]
        assert len(set(names)) == len(names) and {"x", "y"} <= set(names) and "a b" not in names
        await client.play("/call y [1]")
        work = fake.book.works[client.act]
        fake.book.chunk(client.act, "data", [1, {"a": None}])
        fake.book.chunk(client.act, "song", {"la": "la"})
        parts: list[Json] = [{"type": 7}, {}, {"image": {"data": 3}}, {"type": "card", "title": "T"}]
        fake.book.settle(client.act, "completed", output=[None])
        assert work.result is not None
        work.result |= {"message": parts, "usage": {"cost": {"usd": 1}}, "receipt": {"id": 1}}
        tool = await client.status("completed")
        assert tool["rawOutput"] == [None] and "song: " in said(tool)


async def test_the_mode_is_an_option(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        params = {"sessionId": client.session, "configId": "mode"}
        answer = await client.call("session/set_config_option", **params, value="streaming")
        assert answer["result"]["configOptions"][0]["currentValue"] == "streaming"
        wrong = await client.call("session/set_config_option", **params, value="later")
        assert wrong["error"]["code"] == -32602
        prompt = client.prompt(CALL)
        await client.update(lambda u: "ack streaming" in str(u.get("_meta")))
        fake.book.settle(client.act, "completed")
        await client.answer(prompt)
        await client.idle()
