"""HTTP/1.1 for the trial gateway: requests in, answers out, over h11 and asyncio, on the loopback only."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from ssl import SSLContext
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

import h11

from acp_tui.protocol import jsonio

HOST = "127.0.0.1"
_READ = 65_536
_BODY = 64 << 20


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    target: str
    """Path and query, as they were sent."""

    def json(self) -> Any:
        """The body; raises `Invalid`."""
        return jsonio.parse(self.body) if self.body.strip() else None


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and JSON."""

    status: int
    value: Any
    headers: dict[str, str] = field(default_factory=dict)


class Reply:
    """The way back to one request."""

    def __init__(self, connection: h11.Connection, writer: asyncio.StreamWriter) -> None:
        self._connection = connection
        self._writer = writer

    async def answer(self, answer: Answer) -> None:
        """All of it at once."""
        body = jsonio.dump(answer.value)
        given = {"content-type": "application/aip+json", "content-length": str(len(body))}
        await self._send(
            h11.Response(status_code=answer.status, headers=[*{**given, **answer.headers}.items()])
        )
        await self._send(h11.Data(data=body))
        await self._send(h11.EndOfMessage())

    async def stream(self, content_type: str = "text/event-stream") -> None:
        """Begin a stream; `write` goes on."""
        await self._send(h11.Response(status_code=200, headers=[("content-type", content_type)]))

    async def write(self, data: bytes) -> None:
        """More of the stream."""
        await self._send(h11.Data(data=data))

    async def end(self) -> None:
        """The stream is whole."""
        await self._send(h11.EndOfMessage())

    def abort(self) -> None:
        """The connection breaks here."""
        self._writer.transport.abort()

    async def _send(self, event: h11.Event) -> None:
        data = self._connection.send(event)
        if data:
            self._writer.write(data)
            await self._writer.drain()


Handler: TypeAlias = Callable[[Request, Reply], Awaitable[None]]


class Server:
    """`async with Server(handler) as server`: it listens until then; every connection ends with it."""

    def __init__(self, handler: Handler, port: int = 0, tls: SSLContext | None = None) -> None:
        self._handler = handler
        self._port = port
        self._tls = tls
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Server:
        self._server = await asyncio.start_server(self._connected, HOST, self._port, ssl=self._tls)
        self.port: int = self._server.sockets[0].getsockname()[1]
        self.url = f"http{'s' if self._tls else ''}://{HOST}:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._served(reader, writer)
        except (ConnectionError, h11.ProtocolError, asyncio.CancelledError):
            pass  # the other side went, spoke something else, or the server ends
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER)
        while (request := await _request(connection, reader)) is not None:
            await self._handler(request, Reply(connection, writer))
            if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                return
            connection.start_next_cycle()


async def _request(connection: h11.Connection, reader: asyncio.StreamReader) -> Request | None:
    head: h11.Request | None = None
    body = bytearray()
    while len(body) <= _BODY:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(_READ))
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
        elif isinstance(event, h11.EndOfMessage) and head is not None:
            return _whole(head, bytes(body))
        else:
            return None
    return None


def _whole(head: h11.Request, body: bytes) -> Request:
    target = head.target.decode("ascii")
    parts = urlsplit(target)
    headers = {name.decode().lower(): value.decode("latin-1") for name, value in head.headers}
    query = dict(parse_qsl(parts.query))
    return Request(head.method.decode(), unquote(parts.path), query, headers, body, target)
