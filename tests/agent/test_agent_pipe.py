"""Reading from a pipe: in order, bounded, to its end, and never longer than somebody listens."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import anyio
import anyio.lowlevel
import pytest

from acp_tui.agent.pipe import READ, Pipe

pytestmark = pytest.mark.anyio


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """Where to read and where to write."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    os.set_blocking(theirs, False)
    yield ours, theirs
    for fd in (ours, theirs):
        with contextlib.suppress(OSError):  # a test closed it
            os.close(fd)


def full(fd: int) -> int:
    """Write until the pipe takes no more; how many bytes that were."""
    count = 0
    while True:
        try:
            count += os.write(fd, b"x" * 4096)
        except BlockingIOError:
            return count


async def turns(count: int = 10) -> None:
    for _ in range(count):
        await anyio.lowlevel.checkpoint()


async def test_bytes_come_in_order_and_then_the_end(ends: tuple[int, int]) -> None:
    with Pipe(ends[0]) as pipe:
        for word in (b"one", b"two"):
            os.write(ends[1], word)
            assert await pipe.chunk() == word
        os.write(ends[1], b"three")
        os.close(ends[1])
        assert await pipe.chunk() == b"three"
        assert [await pipe.chunk(), await pipe.chunk()] == [b"", b""]


async def test_who_does_not_listen_makes_the_writer_wait(ends: tuple[int, int]) -> None:
    with Pipe(ends[0]) as pipe:
        written = full(ends[1])
        await turns()
        written += full(ends[1])
        await turns()
        with pytest.raises(BlockingIOError):
            os.write(ends[1], b"x")
        os.close(ends[1])
        read = 0
        while data := await pipe.chunk():
            assert len(data) <= READ
            read += len(data)
        assert read == written


async def test_waiting_can_be_cancelled_and_nothing_is_lost_by_it(ends: tuple[int, int]) -> None:
    with Pipe(ends[0]) as pipe:
        with anyio.move_on_after(0) as scope:
            await pipe.chunk()
        assert scope.cancelled_caught
        os.write(ends[1], b"later")
        assert await pipe.chunk() == b"later"


async def test_who_rests_is_not_woken_and_gets_all_that_came_meanwhile(ends: tuple[int, int]) -> None:
    with Pipe(ends[0]) as pipe:
        with anyio.move_on_after(0) as scope:
            await pipe.chunk(rest=3600)
        assert scope.cancelled_caught
        for word in (b"one", b"two"):
            os.write(ends[1], word)
            await turns()
        assert await pipe.chunk() == b"onetwo"


async def test_after_a_rest_it_goes_on_whether_something_came_or_not(ends: tuple[int, int]) -> None:
    with Pipe(ends[0]) as pipe:
        os.write(ends[1], b"one")
        assert await pipe.chunk(rest=0.001) == b"one"
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_late, ends[1])
            assert await pipe.chunk(rest=0.001) == b"late"
        os.close(ends[1])
        assert await pipe.chunk(rest=0.001) == b""


async def _late(fd: int) -> None:
    await turns(1000)
    os.write(fd, b"late")


async def test_the_loop_forgets_it_at_the_end(ends: tuple[int, int]) -> None:
    with Pipe(ends[0]):
        pass
    os.write(ends[1], b"for the next one")
    await turns()
    assert os.read(ends[0], READ) == b"for the next one"


async def test_the_loop_has_a_turn_between_two_chunks(ends: tuple[int, int]) -> None:
    with Pipe(ends[0]) as pipe:
        seen: list[str] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_count, seen)
            for _ in range(5):
                os.write(ends[1], b"x")
                await pipe.chunk()
                seen.append("chunk")
        assert "chunk chunk" not in " ".join(seen)


async def _count(seen: list[str]) -> None:
    for _ in range(40):
        seen.append("turn")
        await anyio.lowlevel.checkpoint()
