"""Cancels and approvals: who is asked, what is said, and that nothing is claimed."""

from __future__ import annotations

import pytest

from tests.aip.bridge.stage import chosen, opened, said, words
from tests.aip.fake import FakeGateway, cut_after, refuses, says

pytestmark = pytest.mark.anyio
CALL = '/call cap:echo {"text":"hi"}'
OUTSIDE = "effects outside the gateway may remain"


async def test_a_cancel_is_asked_recorded_and_undoes_nothing(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        told = await client.play("/cancel")
        assert "recorded" in told and OUTSIDE in told
        tool = await client.status("cancelled")
        assert "asked, recorded" in said(tool) and OUTSIDE in said(tool)
        assert words(tool).startswith("cancel recorded")
        assert fake.count("cancel") == 1


async def test_20_what_finishes_anyway_is_said_to(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        fake.faults["cancel"].append(says(200, {"ack": {"status": "accepted"}}))
        await client.play("/cancel")
        assert client.tool()["status"] == "pending"
        fake.book.settle(client.act, "completed", output="done all the same")
        tool = await client.status("completed")
        assert "it finished anyway" in said(tool) and words(tool).startswith("finished anyway")


async def test_21_when_the_answer_to_a_cancel_is_lost_the_state_decides(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        fake.faults["cancel"].append(cut_after)
        await client.play("/cancel")
        assert "asked, recorded" in said(await client.status("cancelled"))
        assert fake.count("cancel") == 1


async def test_a_cancel_of_the_tool_call_asks_the_gateway_once(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        await client.play(CALL)
        params = {"sessionId": client.session, "toolCallId": client.act}
        assert (await client.call("tool_call/cancel", **params))["result"] == {}
        await client.status("cancelled")
        assert (await client.call("tool_call/cancel", **params))["error"]["code"] == -32602
        assert fake.count("cancel") == 1


async def test_what_the_contract_does_not_let_cancel_offers_none(fake: FakeGateway) -> None:
    async with opened(fake) as client:
        fake.book.capabilities = [{"id": "cap:firm", "contract": {"execution": {"supports_cancel": False}}}]
        await client.play("/capabilities")
        await client.play("/call cap:firm {}")
        assert client.tool()["capabilities"] == {}
        params = {"sessionId": client.session, "toolCallId": client.act}
        assert (await client.call("tool_call/cancel", **params))["error"]["code"] == -32602
        assert fake.count("cancel") == 0


async def test_a_cancelled_turn_leaves_its_action_to_the_gateway(fake: FakeGateway) -> None:
    async with opened(fake, mode="streaming") as client:
        fake.faults["cancel"].append(refuses(403, "policy.denied"))
        prompt = client.prompt(CALL)
        await client.update(lambda u: "ack streaming" in str(u.get("_meta")))
        fake.book.move(client.act, "running")
        await client.status("in_progress")
        start = len(client.trace)
        client.notify("session/cancel")
        await client.answer(prompt)
        idle = await client.idle()
        assert idle["stopReason"] == "cancelled"
        await client.status("in_progress", start)  # said again: a client takes it for cancelled
        assert idle["background"] == [{"type": "tool_call", "toolCallId": client.act}]
        await client.update(lambda u: "policy.denied" in str(u.get("content")))
        assert client.tool()["status"] == "in_progress"
        assert words(client.tool()).startswith("cancel refused, state running")
        fake.book.settle(client.act, "completed")
        await client.status("completed")


async def test_a_cancel_before_the_submission_is_answered_finds_its_action(fake: FakeGateway) -> None:
    async with opened(fake, mode="sync") as client:
        prompt = client.prompt(CALL)
        await client.update(lambda u: u.get("name") == "cap:echo")
        await fake.came("submit")
        client.notify("session/cancel")
        await client.answer(prompt)
        await client.idle()
        await client.status("cancelled")
        assert fake.count("submit") == 1


async def test_08_an_approval_of_somebody_else_is_waited_for_and_never_asked_here(fake: FakeGateway) -> None:
    async with opened(fake, mode="streaming") as client:
        prompt = client.prompt(CALL)
        await client.update(lambda u: u.get("name") == "cap:echo")
        await fake.came("submit")
        approval = fake.book.ask(client.act, "it costs money")
        await client.answer(prompt)
        await client.idle()
        tool = client.tool()
        assert f"waiting for somebody else's decision ({approval})" in said(tool)
        assert (tool["status"], client.asked) == ("paused", [])
        assert words(tool).startswith("waits for others, state pending_approval")
        assert "not decided here" in await client.play("/approvals")
        fake.book.decide({"approval_id": approval, "decision": "approved"})
        await client.status("in_progress", len(client.trace))
        assert "somebody else" not in said(client.tool())
        fake.book.settle(client.act, "requires_human")
        await client.status("paused", len(client.trace))
        assert "a pause: requires_human" in said(client.tool())
        fake.book.settle(client.act, "completed")
        await client.status("completed")


@pytest.mark.parametrize(("choice", "end"), [("approved", "completed"), ("denied", "failed")])
async def test_an_approval_of_ours_is_a_permission_request(fake: FakeGateway, choice: str, end: str) -> None:
    async with opened(fake, approvals=True) as client:
        client.answers = [chosen(choice)]
        await client.play(CALL)
        fake.book.ask(client.act, "it costs money")
        await client.update(lambda u: f"you said {choice}" in str(u.get("content")))
        params = client.asked[0]["params"]
        assert params["subject"]["toolCall"]["toolCallId"] == client.act
        assert params["description"] == "it costs money"
        assert [one["optionId"] for one in params["options"]] == ["approved", "denied"]
        assert fake.count("messages") == 1
        if choice == "approved":
            fake.book.settle(client.act, "completed")
        tool = await client.status(end)
        assert words(tool).startswith(f"{choice} by you, result {end}")


async def test_a_question_goes_away_when_somebody_else_has_answered_it(fake: FakeGateway) -> None:
    async with opened(fake, approvals=True) as client:
        client.answers = [None]
        await client.play(CALL)
        approval = fake.book.ask(client.act, "")
        await client.until(lambda m: m.get("method") == "session/request_permission")
        fake.book.decide({"approval_id": approval, "decision": "approved"})
        gone = await client.until(lambda m: m.get("method") == "$/cancel_request")
        assert gone["params"]["requestId"] == client.asked[0]["id"]
        fake.book.settle(client.act, "completed")
        await client.status("completed")
        assert fake.count("messages") == 0


async def test_a_question_that_is_not_answered_decides_nothing(fake: FakeGateway) -> None:
    async with opened(fake, approvals=True) as client:
        await client.play(CALL)
        fake.book.ask(client.act, "")
        await client.update(lambda u: "you decided nothing" in str(u.get("content")))
        assert (fake.count("messages"), client.tool()["status"]) == (0, "pending")
        assert words(client.tool()).startswith("waits for your decision, state pending_approval")
        fake.faults["messages"].append(refuses(503, "policy.busy"))
        client.answers = [chosen("approved"), chosen("approved")]
        await client.play("/status")
        await client.update(lambda u: "approved was sent, but" in str(u.get("content")))
        await client.play("/status")
        await client.update(lambda u: "you said approved" in str(u.get("content")))
        assert (fake.count("messages"), len(client.asked)) == (2, 3)
        fake.book.settle(client.act, "completed")
        await client.status("completed")
