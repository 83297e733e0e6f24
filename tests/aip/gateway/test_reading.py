"""Reads, cancels and approvals (checks 20, 21, 31)."""

from __future__ import annotations

import pytest

from acp_tui.aip.core.lifecycle import Cancel
from acp_tui.aip.core.words import Decision
from acp_tui.aip.gateway.errors import Lost, NotAllowed, Refused, Unreadable
from acp_tui.aip.gateway.told import Selectors
from tests.aip.conftest import opened
from tests.aip.fake import FakeGateway, cut_after, cut_before, refuses, says
from tests.aip.world import Time

pytestmark = pytest.mark.anyio


async def test_31_a_list_over_several_pages_has_all_rows_once(fake: FakeGateway, time: Time) -> None:
    for number in range(7):
        fake.add(id=f"act_{number}", capability="cap:a" if number % 2 else "cap:b")
    found: list[str] = []
    async with opened(fake, time) as gateway:
        cursor: str | None = None
        while True:
            page = await gateway.list_actions(cursor=cursor, limit=3)
            found += [one.action_id for one in page.items]
            if (cursor := page.cursor) is None:
                break
        assert found == [f"act_{number}" for number in range(7)]
        page = await gateway.list_actions(Selectors(capability_id="cap:a", state="queued"))
        assert [one.action_id for one in page.items] == ["act_1", "act_3", "act_5"]
    assert fake.seen[-1].request.query == {"capability_id": "cap:a", "state": "queued", "limit": "50"}


@pytest.mark.parametrize("limit", [-5, 5000])
async def test_limits_are_those_of_the_protocol(fake: FakeGateway, time: Time, limit: int) -> None:
    async with opened(fake, time) as gateway:
        await gateway.list_actions(limit=limit)
    assert fake.seen[-1].request.query["limit"] in ("1", "1000")


async def test_what_does_not_answer_as_a_gateway_is_none(fake: FakeGateway, time: Time) -> None:
    async with opened(fake, time) as gateway:
        for route in ("capabilities", "manifest", "health"):
            fake.faults[route].append(says(404, "Not Found"))
        with pytest.raises(Unreadable, match=r"nothing here answers as a gateway .*HTTP 404"):
            await gateway.capabilities()
        for route in ("capabilities", "manifest"):
            fake.faults[route].append(says(404, "Not Found"))
        assert await gateway.capabilities() == [], "it has a health, so it is one"


async def test_capabilities_come_from_the_list_or_the_manifest(fake: FakeGateway, time: Time) -> None:
    fake.book.capabilities = [{"id": f"cap:{number}"} for number in range(450)]
    async with opened(fake, time) as gateway:
        assert len(await gateway.capabilities()) == 450 and fake.count("capabilities") == 3
        for fault in (
            refuses(404, "connector_catalog.disabled"),
            refuses(403, "tenant_required"),
            refuses(409, "stale_cursor"),
        ):
            fake.faults["capabilities"].append(fault)
            assert len(await gateway.capabilities()) == 450
        fake.faults["capabilities"].append(refuses(404, "connector_catalog.disabled"))
        fake.faults["manifest"].append(refuses(404, "route.not_found"))
        assert await gateway.capabilities() == []
        fake.faults["capabilities"].append(refuses(401, "auth"))
        with pytest.raises(Refused):
            await gateway.capabilities()


async def test_a_list_whose_cursor_stands_still_ends(fake: FakeGateway, time: Time) -> None:
    answer = {"capabilities": [{"id": "cap:a"}], "next_cursor": "same"}
    fake.faults["capabilities"].extend([says(200, answer)] * 5)
    async with opened(fake, time) as gateway:
        assert [one.id for one in await gateway.capabilities()] == ["cap:a"]
    assert fake.count("capabilities") == 2


async def test_20_a_cancel_is_asked_and_recorded_and_may_come_too_late(fake: FakeGateway, time: Time) -> None:
    fake.add()
    async with opened(fake, time) as gateway:
        fake.faults["cancel"].append(says(200, {"ack": {"action_id": "act_1", "status": "accepted"}}))
        action = await gateway.cancel("act_1", "enough")
        assert action.cancel is not None and action.cancel.fact is Cancel.RECORDED
        fake.book.settle("act_1", "completed")
        await gateway.status("act_1")
        assert action.cancel.fact is Cancel.FINISHED_ANYWAY
    assert fake.seen[0].request.json() == {"reason": "enough"}


async def test_21_a_lost_answer_to_a_cancel_is_decided_by_the_state(fake: FakeGateway, time: Time) -> None:
    fake.add(id="act_1")
    fake.add(id="act_2")
    async with opened(fake, time) as gateway:
        for id, fault, after in (("act_1", cut_after, "recorded"), ("act_2", cut_before, "unanswered")):
            fake.faults["cancel"].append(fault)
            action = await gateway.cancel(id)
            assert action.cancel is not None and action.cancel.fact is Cancel.UNANSWERED
            await gateway.status(id)
            assert action.cancel.fact.value == after
    assert fake.count("cancel") == 2, "none was sent again"


async def test_a_refused_cancel_is_refused(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.book.works["act_1"].state = "running"
    fake.faults["cancel"].append(refuses(409, "action.not_cancellable"))
    async with opened(fake, time) as gateway:
        with pytest.raises(Refused):
            await gateway.cancel("act_1")
        cancel = gateway.actions["act_1"].cancel
        assert cancel is not None and cancel.fact is Cancel.REFUSED


async def test_approvals_are_decided_only_where_that_is_set(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.book.ask("act_1", "it costs")
    async with opened(fake, time) as gateway:
        (approval,) = await gateway.approvals()
        assert (approval.action_id, approval.reason, approval.status) == ("act_1", "it costs", "pending")
        with pytest.raises(NotAllowed):
            await gateway.decide(approval, Decision.APPROVED)
    async with opened(fake, time, approvals=True) as gateway:
        with pytest.raises(NotAllowed):
            await gateway.decide(approval, Decision.EXPIRED)
        await gateway.decide(approval, Decision.APPROVED)
        assert fake.book.works["act_1"].state == "running"
        fake.faults["messages"].append(cut_before)
        with pytest.raises(Lost):
            await gateway.decide(approval, Decision.DENIED)
        fake.faults["approvals"].append(refuses(404, "route.not_found"))
        assert await gateway.approvals() == []
    assert fake.count("messages") == 2


async def test_results_events_and_health(fake: FakeGateway, time: Time) -> None:
    fake.add()
    async with opened(fake, time, tenant="t1") as gateway:
        with pytest.raises(Refused):
            await gateway.result("act_1")
        fake.faults["result"].append(says(200, None))
        assert await gateway.result("act_1") is None
        fake.book.chunk("act_1", "data", "a")
        fake.book.settle("act_1", "completed", output=1)
        result = await gateway.result("act_1")
        assert result is not None and result.output == 1 and gateway.actions["act_1"].settled is result
        page = await gateway.events("act_1", limit=2)
        assert len(page.items) == 2 and page.cursor == "offset:2"
        assert len((await gateway.events()).items) == 2
        assert (await gateway.health()).status == "ok"
    assert {one.request.query.get("tenant_id") for one in fake.seen} == {"t1"}


async def test_what_is_no_answer_is_unreadable(fake: FakeGateway, time: Time) -> None:
    async with opened(fake, time) as gateway:
        for value in ({"action_status": {"no": "state"}}, [], "text"):
            fake.faults["status"].append(says(200, value))
            with pytest.raises(Unreadable):
                await gateway.status("act_1")
