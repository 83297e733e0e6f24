"""Submitting: acknowledged, refused, unsent or uncertain, and never twice by itself (checks 12, 13, 35)."""

from __future__ import annotations

import anyio
import pytest

from acp_tui.aip.core.lifecycle import Presence
from acp_tui.aip.core.vocabulary import Capability
from acp_tui.aip.core.words import AckStatus, Mode
from acp_tui.aip.gateway.errors import NotAllowed, Refused, Unreachable
from acp_tui.base.config.gateways import GatewaySettings
from tests.aip.conftest import opened, settings
from tests.aip.fake import PATIENCE, Asked, FakeGateway, cut_after, cut_before, refuses, says
from tests.aip.world import Time

pytestmark = pytest.mark.anyio


def capability(requirement: str | None = "optional", **execution: bool) -> Capability:
    contract = {"idempotency": {"requirement": requirement}, "execution": execution}
    return Capability.model_validate({"id": "cap:x", "contract": contract})


async def test_a_submission_is_acknowledged_and_that_is_all(fake: FakeGateway, time: Time) -> None:
    async with opened(fake, time) as gateway:
        action = await gateway.submit("cap:x", {"a": 1}, session_id="sess_1")
        assert action.acknowledged is not None
        assert (action.acknowledged.fact.status, action.acknowledged.at) == (AckStatus.QUEUED, time.now)
        assert (action.presence, action.state, action.settled) == (Presence.KNOWN, None, None)
        assert gateway.uncertain() == []
    sent = fake.seen[-1].request.json()
    assert sent["session_id"] == "sess_1" and sent["message_id"].startswith("msg_")
    assert sent["body"]["action"]["idempotency_key"] == sent["idempotency_key"]
    assert sent["body"]["action"]["mode"] == "async"


async def test_a_result_at_once_settles_it(fake: FakeGateway, time: Time) -> None:
    fake.faults["submit"].append(says(200, {"action_result": {"action_id": "x", "status": "completed"}}))
    async with opened(fake, time) as gateway:
        action = await gateway.submit("cap:x", {})
        assert action.acknowledged is None and action.settled is not None


async def test_12_a_lost_answer_is_looked_up_and_adopted_with_one_post(fake: FakeGateway, time: Time) -> None:
    fake.faults["submit"].append(cut_after)
    async with opened(fake, time) as gateway:
        action = await gateway.submit("cap:x", {})
        assert (action.presence, action.acknowledged) == (Presence.KNOWN, None)
        assert action.state is not None and action.state.fact.state == "queued"
        assert gateway.uncertain() == []
    assert (fake.count("submit"), fake.count("status")) == (1, 1)


async def test_13_what_never_arrived_stays_uncertain_until_the_user_decides(
    fake: FakeGateway, time: Time
) -> None:
    fake.faults["submit"].append(cut_before)
    async with opened(fake, time) as gateway:
        action = await gateway.submit("cap:x", {"a": 1}, capability=capability())
        assert action.presence is Presence.UNCERTAIN and action.hidden
        assert [call.action_id for call in gateway.uncertain()] == [action.id]
        await gateway.look_again(action.id)
        assert action.presence is Presence.UNCERTAIN
        assert fake.count("submit") == 1, "looking sends nothing again"
        first = fake.seen[0].request.json()
        await gateway.send_again(action.id, capability())
        assert action.presence is Presence.KNOWN and gateway.uncertain() == []
    again = [one for one in fake.seen if one.name == "submit"][1].request.json()
    assert again["body"] == first["body"], "the same id, the same key"


async def test_13_uncertain_is_uncertain_after_a_new_start_too(fake: FakeGateway, time: Time) -> None:
    fake.faults["submit"].append(cut_before)
    fake.faults["status"].append(refuses(503, "busy"))
    async with opened(fake, time) as gateway:
        lost = await gateway.submit("cap:x", {"a": 1})
    async with opened(fake, time) as gateway:
        (call,) = gateway.uncertain()
        assert (call.action_id, call.input) == (lost.id, {"a": 1})
        assert gateway.actions[lost.id].presence is Presence.UNCERTAIN
        gateway.give_up(lost.id)
        assert gateway.uncertain() == []
    async with opened(fake, time) as gateway:
        assert gateway.uncertain() == [] and gateway.actions == {}


@pytest.mark.parametrize(
    ("contract", "policy", "why"),
    [
        (None, "contract", "is not known"),
        (capability("forbidden"), "contract", "without an idempotency key"),
        (capability(), "off", "without an idempotency key"),
        (capability(None), "contract", "promises nothing"),
        (capability("optional", supports_retry=False), "contract", "does not admit a retry"),
    ],
)
async def test_13_it_is_not_sent_again_without_a_promise(
    fake: FakeGateway, time: Time, contract: Capability | None, policy: str, why: str
) -> None:
    fake.faults["submit"].append(cut_before)
    async with opened(fake, time, idempotency=policy) as gateway:
        action = await gateway.submit("cap:x", {}, capability=contract)
        with pytest.raises(NotAllowed, match=why):
            await gateway.send_again(action.id, contract)
    assert fake.count("submit") == 1


async def test_a_refusal_of_the_second_attempt_says_nothing_of_the_first(
    fake: FakeGateway, time: Time
) -> None:
    fake.faults["submit"].extend([cut_before, refuses(409, "action.identity_conflict")])
    async with opened(fake, time) as gateway:
        action = await gateway.submit("cap:x", {}, capability=capability())
        with pytest.raises(Refused):
            await gateway.send_again(action.id, capability())
        assert action.presence is Presence.UNCERTAIN and len(gateway.uncertain()) == 1


async def test_35_an_identity_conflict_is_shown_and_nothing_is_resent(fake: FakeGateway, time: Time) -> None:
    fake.add(id="act_mine", capability="cap:other")
    async with opened(fake, time) as gateway:
        with pytest.raises(Refused) as caught:
            await gateway.submit("cap:x", {}, action_id="act_mine")
        assert caught.value.conflict and caught.value.error.code == "action.identity_conflict"
        assert gateway.actions["act_mine"].presence is Presence.REFUSED and gateway.uncertain() == []
    assert fake.count("submit") == 1


@pytest.mark.parametrize(("status", "presence"), [(502, Presence.UNCERTAIN), (413, Presence.REFUSED)])
async def test_a_bare_status_of_a_proxy_is_no_word_of_the_gateway(
    fake: FakeGateway, time: Time, status: int, presence: Presence
) -> None:
    fake.faults["submit"].append(says(status, "something on the way"))
    async with opened(fake, time) as gateway:
        try:
            await gateway.submit("cap:x", {}, action_id="act_1")
        except Refused as refused:
            assert (refused.status, refused.spoken) == (413, False)
        assert gateway.actions["act_1"].presence is presence


async def test_what_cannot_connect_has_not_left(time: Time, fake: FakeGateway) -> None:
    nobody = GatewaySettings(url="http://127.0.0.1:9")
    from acp_tui.aip.gateway.front import Gateway

    async with Gateway(nobody, world=time.world()) as gateway:
        with pytest.raises(Unreachable, match=r"127\.0\.0\.1:9 cannot be reached: Connection refused"):
            await gateway.submit("cap:x", {}, action_id="act_1")
        assert gateway.actions["act_1"].presence is Presence.UNSENT and gateway.uncertain() == []


async def test_a_cancelled_submission_is_uncertain(fake: FakeGateway, time: Time) -> None:
    async def silent(gateway: FakeGateway, asked: Asked) -> None:
        await anyio.sleep_forever()

    fake.faults["submit"].append(silent)
    async with opened(fake, time) as gateway:
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: gateway.submit("cap:x", {}, action_id="act_1"))
                await fake.came("submit")
                group.cancel_scope.cancel()
        assert gateway.actions["act_1"].presence is Presence.UNCERTAIN
        assert [call.action_id for call in gateway.uncertain()] == ["act_1"]


async def test_what_cannot_be_kept_is_not_sent(
    fake: FakeGateway, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(fake, time) as gateway:
        monkeypatch.setattr("os.fsync", _full)
        with pytest.raises(NotAllowed, match=r"not sent.*disk is full"):
            await gateway.submit("cap:x", {})
        monkeypatch.undo()
    assert fake.count("submit") == 0


def _full(fd: int) -> None:
    raise OSError(28, "No space left on device")


async def test_the_mode_is_one_that_the_contract_admits(fake: FakeGateway, time: Time) -> None:
    only = capability(supports_async=False, supports_sync=False, supports_streaming=True)
    async with opened(fake, time) as gateway:
        await gateway.submit("cap:x", {}, capability=only)
        with pytest.raises(NotAllowed, match="mode sync"):
            await gateway.submit("cap:x", {}, capability=only, mode=Mode.SYNC)
    assert fake.seen[-1].request.json()["body"]["action"]["mode"] == "streaming"


async def test_a_503_says_how_long_to_wait_and_is_not_sent_again(fake: FakeGateway, time: Time) -> None:
    fake.faults["submit"].append(refuses(503, "server.busy", retry_after_ms=2500))
    async with opened(fake, time) as gateway:
        with pytest.raises(Refused) as caught:
            await gateway.submit("cap:x", {})
    assert (caught.value.retry_after, fake.count("submit"), time.slept) == (2.5, 1, [])


def test_settings_that_a_token_would_suffer_from_are_mistakes(fake: FakeGateway) -> None:
    for url in (
        "http://gateway.example",
        "https://u:p@gateway.example",
        "https://g.example?token=1",
        "ftp://x",
    ):
        assert GatewaySettings(url=url, token_env="X").mistake() is not None
    assert settings(fake).mistake() is None
    assert GatewaySettings(url="https://gateway.example/base", token_env="X").mistake() is None
