"""The follow loop: streams, polls, breaks, ends (checks 14 to 19, 30, 32, 34)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import pytest

from acp_tui.aip.core.chunks import Verdict
from acp_tui.aip.core.lifecycle import Presence
from acp_tui.aip.gateway.front import Gateway
from acp_tui.aip.gateway.told import (
    ChunkHeard,
    End,
    Ended,
    EventHeard,
    Polling,
    ResultRead,
    StateRead,
    Told,
    Trouble,
    Truncated,
)
from tests.aip.conftest import opened
from tests.aip.fake import (
    PATIENCE,
    Asked,
    FakeGateway,
    b_frame,
    chunk_frame,
    cursor_frame,
    ignores_follow,
    refuses,
    says,
    streams,
)
from tests.aip.world import Time

pytestmark = pytest.mark.anyio

K = TypeVar("K")


class Heard(list[Told]):
    """All that was told, in order."""

    def of(self, kind: type[K]) -> list[K]:
        return [one for one in self if isinstance(one, kind)]

    @property
    def data(self) -> list[Any]:
        return [one.chunk.data for one in self.of(ChunkHeard) if one.verdict.applies]


async def followed(gateway: Gateway, id: str = "act_1", **how: bool) -> tuple[Ended, Heard]:
    heard = Heard()
    with anyio.fail_after(PATIENCE):
        return await gateway.follow(id, heard.append, **how), heard


def finishing(fake: FakeGateway, status: str = "completed") -> Callable[[], None]:
    return lambda: fake.book.settle("act_1", status)


def cursors(fake: FakeGateway) -> list[str]:
    """Those that events were asked for with."""
    return [one.request.query.get("cursor", "") for one in fake.seen if one.name == "events"]


async def test_a_stream_is_followed_to_the_result(fake: FakeGateway, time: Time) -> None:
    fake.add()
    async with opened(fake, time) as gateway, anyio.create_task_group() as group:

        async def drive() -> None:
            await fake.came("events")
            fake.book.move("act_1", "running")
            for text in ("a", "b"):
                fake.book.chunk("act_1", "data", text)
            fake.book.chunk("act_1", "done")
            fake.book.settle("act_1", "completed", output={"ok": True})

        group.start_soon(drive)
        ended, heard = await followed(gateway)
        assert ended == Ended(End.SETTLED)
        assert heard.data == ["a", "b", None]
        kinds = [one.event.kind for one in heard.of(EventHeard)]
        assert kinds == ["action.queued", "action.running", "action.completed"]
        assert heard.of(ResultRead)[-1].result.output == {"ok": True}
        assert heard[-1] == ended and gateway.actions["act_1"].settled is not None
    assert fake.count("submit") == 0 and time.slept == []


async def test_06_done_and_still_running_goes_on(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.book.move("act_1", "running")
    fake.faults["events"].append(streams(chunk_frame(1, "done"), cursor_frame(1)))
    time.plan(lambda: fake.book.settle("act_1", "failed", error={"code": "x"}))
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED
    states = [one.status.state.value for one in heard.of(StateRead)]
    assert states[:2] == ["running", "running"] and states[-1] == "failed"


async def test_14_a_busy_gateway_is_left_alone_as_long_as_it_wants(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.book.settle("act_1", "completed")
    fake.faults["status"].extend(
        [
            refuses(503, "server.busy", retry_after_ms=7000),
            says(429, {}, retry_after="9"),
            says(502, "proxy"),
            says(200, "no object"),
        ]
    )
    time.plan(None, None, None, None)
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED
    assert time.slept == [7.0, 9.0, 2.0, 4.0], "what it wants, else twice as long each time"
    assert [one.retry_in for one in heard.of(Trouble)] == time.slept


@pytest.mark.parametrize(
    ("status", "code", "end"),
    [
        (401, "auth.native_http_unauthorized", End.UNAUTHORIZED),
        (403, "policy.denied", End.FORBIDDEN),
        (404, "action.not_found", End.HIDDEN),
        (400, "query.invalid", End.REFUSED),
    ],
)
async def test_14_a_refused_read_ends_it(
    fake: FakeGateway, time: Time, status: int, code: str, end: End
) -> None:
    fake.faults["status"].append(refuses(status, code))
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway)
    assert (ended.end, heard) == (end, [ended])
    assert code in ended.why and time.slept == [] and len(fake.seen) == 1


async def test_15_a_broken_stream_is_taken_up_from_its_last_cursor(fake: FakeGateway, time: Time) -> None:
    fake.add()
    for text in ("a", "größer", "c"):
        fake.book.chunk("act_1", "data", text)
    cut = chunk_frame(2, data="größer")
    middle = cut.index("ö".encode()) + 1
    fake.faults["events"].extend(
        [
            streams(chunk_frame(1, data="a"), cursor_frame(2), cut[:middle], cut=True),
            streams(chunk_frame(2, data="größer"), b"id: chunk:9\nda", cut=True),
        ]
    )
    time.plan(None, finishing(fake))
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED and heard.data == ["a", "größer", "c"]
    assert cursors(fake) == ["", "offset:2", "offset:2", "offset:5"]
    assert [one.why for one in heard.of(Trouble)] == ["the connection to " + fake.url[7:] + " broke"] * 2
    assert time.slept == [0.5, 0.5], "what worked meanwhile starts the pauses anew"


async def test_15_every_break_is_followed_by_one_read_of_the_state(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.faults["events"].extend([streams(b": x\n", cut=True)] * 2)
    time.plan(None, finishing(fake))
    async with opened(fake, time) as gateway:
        await followed(gateway)
    names = [one.name for one in fake.seen]
    assert names[:5] == ["status", "events", "status", "events", "status"]


async def test_16_comments_alone_are_a_sign_of_life(fake: FakeGateway, time: Time) -> None:
    fake.add()

    async def comments(gateway: FakeGateway, asked: Asked) -> None:
        await asked.reply.stream()
        for _ in range(6):
            await asked.reply.write(b": keep-alive\n\n")
            await anyio.sleep(0.05)
        gateway.book.settle("act_1", "completed")
        await asked.reply.write(b'data: {"terminal":true}\n\n')
        await asked.reply.end()

    fake.faults["events"].append(comments)
    async with opened(fake, time, silence_seconds=0.2) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED and heard.of(Trouble) == [], (
        "longer than the silence in all, never silent"
    )


async def test_16_silence_is_none(fake: FakeGateway, time: Time) -> None:
    fake.add()

    async def silent(gateway: FakeGateway, asked: Asked) -> None:
        await asked.reply.stream()
        await anyio.sleep_forever()

    fake.faults["events"].append(silent)
    time.plan(finishing(fake))
    async with opened(fake, time, silence_seconds=0.1) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED and "said nothing for 0.1 s" in heard.of(Trouble)[0].why


@pytest.mark.parametrize("ends", [True, False], ids=["ended", "left open"])
async def test_what_is_over_lets_its_stream_finish(fake: FakeGateway, time: Time, ends: bool) -> None:
    fake.add()

    async def ahead(gateway: FakeGateway, asked: Asked) -> None:
        await asked.reply.stream()
        gateway.book.settle("act_1", "completed")  # and its log has no chunks
        for number in range(1, 6):
            await asked.reply.write(chunk_frame(number, data=f"{number} ") + cursor_frame(number))
            await gateway.came("status", 2)
        if not ends:
            await asked.reply.write(b": nothing more\n\n")
            await anyio.sleep_forever()
        await asked.reply.end()

    fake.faults["events"].append(ahead)
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED
    assert [one.chunk.sequence for one in heard.of(ChunkHeard)] == [1, 2, 3, 4, 5]


async def test_17_another_dialect_is_said_and_polled_instead(fake: FakeGateway, time: Time) -> None:
    fake.add()
    given = b_frame("chunk", "msg_1", {"stream_chunk": {"sequence": 1, "kind": "data"}})
    fake.faults["events"].append(streams(given))
    fake.book.chunk("act_1", "data", "a")
    time.plan(finishing(fake))
    async with opened(fake, time, stream="a") as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED and heard.data == ["a"]
    assert heard.of(Polling) == [Polling("the stream is spelled in dialect b, not a")]
    follows = [one.request.query.get("follow") for one in fake.seen if one.name == "events"]
    assert follows[0] == "true" and set(follows[1:]) == {None}


async def test_34_dialect_b_is_followed_and_an_envelope_applied_once(fake: FakeGateway, time: Time) -> None:
    fake.add()
    ack = b_frame("ack", "msg_1", {"ack": {"action_id": "act_1", "status": "streaming"}})
    chunk = b_frame("chunk", "msg_2", {"stream_chunk": {"action_id": "act_1", "sequence": 1, "kind": "data"}})
    fake.faults["events"].append(streams(ack, chunk, chunk, cut=True))

    async def rest(gateway: FakeGateway, asked: Asked) -> None:
        gateway.book.settle("act_1", "completed", output=1)
        result = b_frame("result", "msg_3", {"action_result": gateway.book.works["act_1"].result or {}})
        await streams(ack, chunk, result)(gateway, asked)

    fake.faults["events"].append(rest)
    time.plan(None)
    async with opened(fake, time, stream="b") as gateway:
        ended, heard = await followed(gateway)
        assert gateway.actions["act_1"].acknowledged is not None
    assert ended.end is End.SETTLED and len(heard.of(ChunkHeard)) == 1
    assert {one.result.output for one in heard.of(ResultRead)} == {1}


async def test_18_a_chunk_of_10_mb_is_cut_and_the_stream_goes_on(fake: FakeGateway, time: Time) -> None:
    fake.add()
    large = chunk_frame(1, data="x" * 10_000_000)
    fake.faults["events"].append(streams(large, chunk_frame(2, data="b"), cursor_frame(1)))
    time.plan(finishing(fake))
    async with opened(fake, time, longest_frame=100_000) as gateway:
        ended, heard = await followed(gateway)
        assert gateway.actions["act_1"].truncated == 1
    assert ended.end is End.SETTLED and heard.data == ["b"]
    assert heard.of(Truncated)[0].bytes > 10_000_000


async def test_18_a_result_that_is_too_long_does_not_hide_the_state(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.book.settle("act_1", "completed", output="x" * 100_000)
    async with opened(fake, time, longest_answer=20_000) as gateway:
        ended, heard = await followed(gateway)
        assert gateway.actions["act_1"].terminal and gateway.actions["act_1"].settled is None
    assert ended.end is End.TERMINAL and heard.of(Truncated) == [Truncated(20_000)]


async def test_18_a_page_that_is_too_long_is_read_in_smaller_ones(fake: FakeGateway, time: Time) -> None:
    fake.add()
    for text in "abc":
        fake.book.chunk("act_1", "data", text * 5_000)
    fake.book.chunk("act_1", "data", "d" * 30_000)
    time.plan(finishing(fake))
    async with opened(fake, time, stream="none", longest_answer=12_000) as gateway:
        ended, heard = await followed(gateway)
        assert gateway.actions["act_1"].truncated == 1
    assert ended.end is End.SETTLED and [one[0] for one in heard.data] == ["a", "b", "c"]


async def test_a_hint_that_it_is_over_is_no_state(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.faults["events"].extend([streams(b'data: {"terminal":true}\n\n')] * 2)
    time.plan(None, finishing(fake))
    async with opened(fake, time) as gateway:
        ended, _ = await followed(gateway)
    assert ended.end is End.SETTLED and time.slept == [2.0, 2.0]


async def test_19_a_gateway_that_ignores_follow_is_polled(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.faults["events"].append(ignores_follow)
    time.plan(lambda: fake.book.chunk("act_1", "data", "a"), finishing(fake))
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED and heard.data == ["a"]
    assert "something else than a stream" in heard.of(Polling)[0].why


@pytest.mark.parametrize("status", [404, 405, 501])
async def test_19_a_gateway_without_a_log_is_asked_for_the_state_alone(
    fake: FakeGateway, time: Time, status: int
) -> None:
    fake.add()
    fake.faults["events"].extend([refuses(status, "route.not_found")] * 2)
    time.plan(None, None, finishing(fake))
    async with opened(fake, time) as gateway:
        ended, _ = await followed(gateway)
    assert ended.end is End.SETTLED and fake.count("events") == 2


async def test_streams_that_end_without_a_word_are_given_up(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.faults["events"].extend([streams()] * 3)
    time.plan(None, None, finishing(fake))
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED and len(heard.of(Polling)) == 1
    assert time.slept[:2] == [0.5, 1.0]


async def test_30_what_is_not_visible_is_said_so_and_not_that_it_is_not_there(
    fake: FakeGateway, time: Time
) -> None:
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway, "act_of_another")
        assert ended.end is End.HIDDEN and gateway.actions["act_of_another"].hidden
        assert heard.of(StateRead)[0].status.state.value == "unknown"


async def test_30_the_record_of_one_of_ours_may_come_late(fake: FakeGateway, time: Time) -> None:
    async with opened(fake, time) as gateway:
        action = await gateway.submit("cap:x", {})
        work = fake.book.works[action.id]
        work.visible = False

        def appear() -> None:
            work.visible = True
            fake.book.settle(action.id, "completed")

        time.plan(None, appear)
        ended, _ = await followed(gateway, action.id)
        assert ended.end is End.SETTLED
        work.visible = False
        time.plan(None, None, None)
        assert (await followed(gateway, action.id))[0].end is End.HIDDEN, "but not for ever"


async def test_30_a_404_for_one_of_ours_is_tried_again_a_little(fake: FakeGateway, time: Time) -> None:
    async with opened(fake, time) as gateway:
        action = await gateway.submit("cap:x", {})
        fake.book.settle(action.id, "completed")
        fake.faults["status"].extend([refuses(404, "action.not_found")] * 3)
        time.plan(None, None, None)
        assert (await followed(gateway, action.id))[0].end is End.SETTLED
        fake.faults["status"].extend([refuses(404, "action.not_found")] * 4)
        time.plan(None, None, None)
        assert (await followed(gateway, action.id))[0].end is End.HIDDEN


async def test_32_between_two_polls_lies_the_interval(fake: FakeGateway, time: Time) -> None:
    fake.add()
    time.plan(None, None, None, None, finishing(fake))
    async with opened(fake, time, stream="none", poll_seconds=2.0) as gateway:
        await followed(gateway)
    assert time.slept == [2.0, 3.0, 4.5, 6.75, 10.125]
    assert fake.count("status") == 6 and not any("wait_ms" in one.request.query for one in fake.seen)


async def test_29_a_long_log_is_read_in_pages_without_doubles(fake: FakeGateway, time: Time) -> None:
    fake.add()
    for number in range(250):
        fake.book.event("act_1", "tick", number)
    fake.book.settle("act_1", "completed")
    async with opened(fake, time) as gateway:
        _, heard = await followed(gateway)
    ids = [one.event.id for one in heard.of(EventHeard)]
    assert len(ids) == 252 == len(set(ids))
    assert cursors(fake) == ["", "offset:100", "offset:200", "offset:252"]


async def test_the_next_run_goes_on_where_this_one_stopped(fake: FakeGateway, time: Time) -> None:
    fake.faults["events"].append(ignores_follow)
    async with opened(fake, time) as gateway:
        action = await gateway.submit("cap:x", {})
        fake.book.chunk(action.id, "data", "a")
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as group:
                time.plan(group.cancel_scope.cancel)
                group.start_soon(lambda: gateway.follow(action.id, lambda told: None))
    fake.book.chunk(action.id, "data", "b")
    fake.book.settle(action.id, "completed")
    async with opened(fake, time) as gateway:
        assert gateway.actions[action.id].presence is Presence.KNOWN
        _, heard = await followed(gateway, action.id)
        assert heard.data == ["b"] and cursors(fake)[-2:] == ["offset:2", "offset:4"]
        _, heard = await followed(gateway, action.id, from_start=True)
        assert heard.data == ["a", "b"]
    async with opened(fake, time) as gateway:
        assert gateway.actions == {}, "what is settled is done with"


async def test_a_stale_cursor_starts_over_and_shows_nothing_twice(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.book.chunk("act_1", "data", "a")
    fake.faults["events"].extend(
        [
            streams(chunk_frame(1, data="a"), cursor_frame(2), cut=True),
            refuses(409, "stale_cursor"),
        ]
    )
    time.plan(None, finishing(fake))
    async with opened(fake, time) as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED and heard.data == ["a"]
    assert cursors(fake)[:3] == ["", "offset:2", ""]


@pytest.mark.parametrize("word", ["expired", "dead_lettered", "cancelled"])
async def test_a_terminal_state_without_a_result_ends_it_too(
    fake: FakeGateway, time: Time, word: str
) -> None:
    fake.add()
    fake.book.works["act_1"].state = word
    time.plan(None, None)
    async with opened(fake, time) as gateway:
        ended, _ = await followed(gateway)
        assert gateway.actions["act_1"].terminal and gateway.actions["act_1"].settled is None
    assert ended.end is End.TERMINAL and fake.count("result") == 3


@pytest.mark.parametrize("word", ["cancelling", "accepted", "pending_approval", "odd", "requires_human"])
async def test_nothing_else_is_terminal(fake: FakeGateway, time: Time, word: str) -> None:
    fake.add()
    fake.book.works["act_1"].state = word
    time.plan(finishing(fake))
    async with opened(fake, time, stream="none") as gateway:
        ended, heard = await followed(gateway)
    assert ended.end is End.SETTLED and heard.of(StateRead)[0].status.state == word


async def test_conflicts_are_told_once_and_late_chunks_marked(fake: FakeGateway, time: Time) -> None:
    fake.add()
    fake.book.chunk("act_1", "data", "a")
    fake.book.chunk("act_1", "data", "other", sequence=1)
    fake.book.chunk("act_1", "done", sequence=3)
    fake.book.chunk("act_1", "data", "late", sequence=4)
    fake.faults["events"].append(ignores_follow)
    time.plan(None, finishing(fake))
    async with opened(fake, time) as gateway:
        _, heard = await followed(gateway)
    verdicts = [one.verdict for one in heard.of(ChunkHeard)]
    assert verdicts == [Verdict.NEW, Verdict.CONFLICT, Verdict.GAP, Verdict.LATE]


async def test_one_follow_an_action_and_so_many_at_a_time(fake: FakeGateway, time: Time) -> None:
    fake.add(id="act_1")
    fake.add(id="act_2")
    async with opened(fake, time, follows=1) as gateway, anyio.create_task_group() as group:
        group.start_soon(gateway.follow, "act_1", lambda told: None)
        await fake.came("events")
        assert await gateway.follow("act_1", lambda told: None) == Ended(
            End.REFUSED, "it is followed already"
        )
        group.start_soon(gateway.follow, "act_2", lambda told: None)
        await anyio.wait_all_tasks_blocked()
        assert {one.id for one in fake.seen} == {"act_1"}
        fake.book.settle("act_1", "completed")
        fake.book.settle("act_2", "completed")
    assert {one.id for one in fake.seen} == {"act_1", "act_2"}
