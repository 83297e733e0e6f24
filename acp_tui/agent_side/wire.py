"""JSON-RPC over stdin and stdout, seen from an agent.

Invariants:

- Only messages go to stdout: whole lines, in the order in which they were queued. One thread writes, so a
  client that does not read never stops the event loop; `drain` gives the running work its back pressure.
- Reading never waits for a handler (TR-12): handlers are plain functions, called in the order of arrival.
- Every request of the client is answered exactly once (RP-15); a fault in a handler is an answer too.
"""

from __future__ import annotations

import asyncio
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from acp_tui.protocol import jsonrpc
from acp_tui.protocol.errors import INTERNAL_ERROR, INVALID_REQUEST, Error

Json: TypeAlias = dict[str, Any]

_HIGH_WATER = 1 << 20
"""Bytes that may wait for the client before `drain` waits too."""


class Fault(Exception):
    """A JSON-RPC error: raised by a handler to answer with it, or by `Wire.request` when the client did."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def error(self) -> Error:
        """The error object of an answer."""
        return Error.model_validate(self.raw())

    def raw(self) -> Json:
        """The same as plain data, as it stands beside the stop reason `error`."""
        error: Json = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


@dataclass(slots=True, eq=False)
class Call:
    """A request of the client that waits for its one answer."""

    wire: Wire
    id: jsonrpc.Id
    method: str
    params: Json
    on_cancel: Callable[[], object] | None = None
    """Called when the client withdraws the request with `$/cancel_request` (CX-09)."""

    def answer(self, result: Json) -> None:
        """Answer with a result."""
        self.wire.finish(self, jsonrpc.Response(self.id, result=result))

    def refuse(self, fault: Fault) -> None:
        """Answer with an error."""
        self.wire.finish(self, jsonrpc.Response(self.id, error=fault.error()))


Handler: TypeAlias = Callable[[Call], None]
Listener: TypeAlias = Callable[[str, Json], None]


@dataclass(slots=True, eq=False)
class _Asked:
    """A request of ours: the future of its result, and whether the client has answered."""

    future: asyncio.Future[Json]
    answered: bool = False


@dataclass(slots=True, eq=False)
class _Writer:
    """The thread that owns stdout, and the count of bytes that wait for it."""

    fd: int
    waiting: int = 0
    lines: queue.SimpleQueue[bytes | None] = field(default_factory=queue.SimpleQueue)
    lock: threading.Lock = field(default_factory=threading.Lock)
    wrote: Callable[[], None] = lambda: None
    """Called from the thread after each line."""

    def put(self, line: bytes) -> None:
        with self.lock:
            self.waiting += len(line)
        self.lines.put(line)

    def work(self) -> None:
        while (line := self.lines.get()) is not None:
            self._write(line)
            with self.lock:
                self.waiting -= len(line)
            self.wrote()

    def _write(self, line: bytes) -> None:
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self.fd, view) :]
        except OSError:
            return  # the client is gone; the end of stdin says so


class Wire:
    """Both directions of the connection. `run` lives as long as stdin does."""

    def __init__(
        self, on_request: Handler, on_notification: Listener, *, stdin: int = 0, stdout: int = 1
    ) -> None:
        self._on_request = on_request
        self._on_notification = on_notification
        self._stdin = stdin
        self._reader = jsonrpc.Reader()
        self._writer = _Writer(stdout)
        self._asked: dict[str, _Asked] = {}
        self._last_id = 0
        self._calls: dict[str, Call] = {}
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._wrote = asyncio.Event()

    async def run(self) -> None:
        """Serve the client until its end of the pipe is closed."""
        loop = asyncio.get_running_loop()
        self._writer.wrote = lambda: _from_thread(loop, self._wrote.set)
        for work in (self._writer.work, lambda: self._read(loop)):
            threading.Thread(target=work, daemon=True).start()
        try:
            while chunk := await self._chunks.get():
                self._take(self._reader.feed(chunk))
            self._take(self._reader.end())
        except jsonrpc.TooLong as error:
            self._take(error.messages)
            sys.stderr.write(f"{error}\n")

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self._send(jsonrpc.Notification(method, params))

    async def request(self, method: str, params: Json) -> Json:
        """Ask the client and wait for the answer; raises `Fault` when it is an error.

        A caller that is cancelled meanwhile takes the request back, unless the answer is here already.
        """
        self._last_id += 1
        asked = _Asked(asyncio.get_running_loop().create_future())
        self._asked[jsonrpc.id_key(self._last_id)] = asked
        request = jsonrpc.Request(self._last_id, method, params)
        self._send(request)
        try:
            return await asked.future
        except asyncio.CancelledError:
            if not asked.answered:
                self.notify("$/cancel_request", {"requestId": request.id})
            raise

    async def drain(self) -> None:
        """Wait until the client has read enough of what was sent."""
        await self._below(_HIGH_WATER)

    async def flush(self) -> None:
        """Wait until the client has everything that was sent."""
        await self._below(1)

    def finish(self, call: Call, response: jsonrpc.Response) -> None:
        """Send the answer of a call; a second one is a bug of the caller."""
        if self._calls.pop(jsonrpc.id_key(call.id), None) is not call:
            raise RuntimeError(f"request {call.id!r} was answered twice")
        self._send(response)

    async def _below(self, limit: int) -> None:
        while self._writer.waiting >= limit:
            self._wrote.clear()
            if self._writer.waiting >= limit:
                await self._wrote.wait()

    def _send(self, message: jsonrpc.Outgoing) -> None:
        self._writer.put(jsonrpc.encode(message))

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """The reading thread: a thread, because stdin may be a file or a terminal as well as a pipe."""
        chunk = b"-"
        while chunk:
            try:
                chunk = os.read(self._stdin, 1 << 16)
            except OSError:
                chunk = b""
            _from_thread(loop, partial(self._chunks.put_nowait, chunk))

    def _take(self, messages: list[jsonrpc.Incoming]) -> None:
        for message in messages:
            match message:
                case jsonrpc.Request():
                    self._serve(Call(self, message.id, message.method, message.params))
                case jsonrpc.Notification(method="$/cancel_request"):
                    self._withdrawn(message.params.get("requestId"))
                case jsonrpc.Notification():
                    self._guard(partial(self._on_notification, message.method, message.params))
                case jsonrpc.Response():
                    self._answered(message)
                case jsonrpc.Malformed():
                    if message.answer is not None:
                        self._send(message.answer)

    def _serve(self, call: Call) -> None:
        key = jsonrpc.id_key(call.id)
        if key in self._calls:  # RP-21: the first one is not disturbed
            error = Error(code=INVALID_REQUEST, message="A request with this id is still being served")
            self._send(jsonrpc.Response(call.id, error=error))
            return
        self._calls[key] = call
        fault = self._guard(partial(self._on_request, call))
        if fault is not None and key in self._calls:
            call.refuse(fault)

    def _guard(self, work: Callable[[], None]) -> Fault | None:
        """Run a handler; whatever goes wrong in it is a fault, never the end of the agent."""
        try:
            work()
        except Fault as fault:
            return fault
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            return Fault(INTERNAL_ERROR, f"Internal error: {type(error).__name__}")
        return None

    def _withdrawn(self, request_id: object) -> None:
        if isinstance(request_id, int | str) and not isinstance(request_id, bool):
            call = self._calls.get(jsonrpc.id_key(request_id))
            if call is not None and call.on_cancel is not None:
                call.on_cancel()

    def _answered(self, response: jsonrpc.Response) -> None:
        asked = None if response.id is None else self._asked.pop(jsonrpc.id_key(response.id), None)
        if asked is None:
            return
        asked.answered = True
        if asked.future.done():
            return
        if response.error is None:
            asked.future.set_result(response.result if isinstance(response.result, dict) else {})
        else:
            error = response.error
            asked.future.set_exception(Fault(error.code, error.message, error.data))


def _from_thread(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    try:
        loop.call_soon_threadsafe(work)
    except RuntimeError:
        return  # the loop has ended, and with it the interest
