"""Moves bytes between one agent and its client.

Invariants: reading waits for nothing but the pipe (TR-12) and gives the loop its turns, so that a flood slows
nobody but itself (SF-06); messages go out whole and in order, and an agent that does not read blocks nobody;
whatever ends the connection sets `over` once, with the first cause. The tasks run until `end_tasks`, through
every cancellation from outside: who cancels wants the agent ended in order first.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import anyio
import anyio.lowlevel

from acp_tui.agent.pipe import Pipe
from acp_tui.agent.process import Child
from acp_tui.agent.stderr import Tail
from acp_tui.protocol.jsonrpc import Incoming, Notification, Reader, Request, TooLong

Cause = Literal["exit", "stdout", "stdin", "too_long", "close", "restart", "again", "stop", "kill"]
"""Why it is over: the process ended, closed an end, wrote too long a line; or we wanted it so
(`again`: it is to be asked for another version of the protocol)."""

SLICE = 64
"""Messages applied before the loop gets a turn."""
TURNS = 4
"""Turns of the loop after each slice: a key needs several to get from the terminal to its widget."""
REST, TRICKLE = 0.035, 4096
"""Seconds between two reads of less than so many bytes, of news only: they are shown in frames, and one frame
has room for both. What wants an answer is waited for without a rest."""


class Pump:
    """The tasks of one connection."""

    def __init__(
        self,
        child: Child,
        receive: Callable[[Sequence[Incoming]], None],
        complain: Callable[[], None],
        limit: int,
    ) -> None:
        self._child = child
        self._receive = receive
        """Gets the messages, a slice at a time, in order."""
        self._complain = complain
        """Called when stderr has said more."""
        self._limit = limit
        self.tail = Tail()
        self.cause: Cause | None = None
        self.over = anyio.Event()
        self.exited = anyio.Event()
        self.stdout_ended = anyio.Event()
        self.stderr_ended = anyio.Event()
        self._scope = anyio.CancelScope(shield=True)
        self._queue: deque[bytes] = deque()
        self._queued = anyio.Event()
        self._writing = anyio.CancelScope()
        self._stdin_ended = anyio.Event()
        self._closing = False

    async def run(self) -> None:
        """Read, write and watch until `end_tasks`."""
        with self._scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._read)
                tasks.start_soon(self._write)
                tasks.start_soon(self._read_stderr)
                tasks.start_soon(self._watch)

    def end_tasks(self) -> None:
        """Nothing is moved any more."""
        self._scope.cancel()

    def finish(self, cause: Cause) -> None:
        """The connection is over; the first cause counts."""
        if self.cause is None:
            self.cause = cause
            self.over.set()

    # Out

    @property
    def writable(self) -> bool:
        """What is sent now will be written, if the agent reads."""
        return not self._closing

    def send(self, line: bytes) -> None:
        """Queue one message."""
        self._queue.append(line)
        self._queued.set()

    async def close_stdin(self, patience: float) -> None:
        """Write what is queued as long as patience lasts, then close (CL-03)."""
        self._closing = True
        self._queued.set()
        with anyio.move_on_after(patience):
            await self._stdin_ended.wait()
        self._writing.cancel()
        await self._stdin_ended.wait()

    async def _write(self) -> None:
        try:
            with self._writing:
                while self._queue or not self._closing:
                    if self._queue:
                        await self._write_one(self._queue.popleft())
                    else:
                        self._queued = anyio.Event()
                        await self._queued.wait()
        except OSError:  # broken pipe, whatever its name (LC-01)
            self.finish("stdin")
        finally:
            self._closing = True
            self._queue.clear()
            self._child.close_stdin()
            self._stdin_ended.set()

    async def _write_one(self, line: bytes) -> None:
        view = memoryview(line)
        while view and self._child.stdin is not None:
            try:
                view = view[os.write(self._child.stdin, view) :]
            except BlockingIOError:
                await anyio.wait_writable(self._child.stdin)

    # In

    async def _read(self) -> None:
        reader = Reader(self._limit)
        with Pipe(self._child.stdout) as pipe:
            try:
                rest = 0.0
                while data := await pipe.chunk(rest):
                    messages = reader.feed(data)
                    await self._deliver(messages)
                    rest = REST if len(data) < TRICKLE and _news(messages) else 0.0
                await self._deliver(reader.end())
            except TooLong as error:
                await self._deliver(error.messages)
                self.finish("too_long")
                while await pipe.chunk():  # it shall be able to hear that stdin was closed
                    pass
        self.stdout_ended.set()
        self.finish("stdout")

    async def _deliver(self, messages: Sequence[Incoming]) -> None:
        for part in _slices(messages):
            self._receive(part)
            if len(messages) >= SLICE:  # a flood; after a few, waiting for more is turn enough
                for _ in range(TURNS):
                    await anyio.lowlevel.checkpoint()

    async def _read_stderr(self) -> None:
        with Pipe(self._child.stderr) as pipe:
            while data := await pipe.chunk():
                self.tail.feed(data)
                self._complain()
        self.stderr_ended.set()

    async def _watch(self) -> None:
        await self._child.exited()
        self.exited.set()
        self.finish("exit")


def _news(messages: Sequence[Incoming]) -> bool:
    """Nobody waits for an answer to these, and none of them is an answer."""
    return bool(messages) and all(isinstance(message, Notification) for message in messages)


def _slices(messages: Sequence[Incoming]) -> Iterator[Sequence[Incoming]]:
    """Parts for one write to the journal and one turn of the loop.

    A request ends its part: to which session a message belongs is asked before its part is applied, and what
    follows may refer to the request by its id.
    """
    start = 0
    for index, message in enumerate(messages, 1):
        if index - start == SLICE or isinstance(message, Request) or index == len(messages):
            yield messages[start:index]
            start = index
