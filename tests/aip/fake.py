"""The fake gateway of the tests: the trial gateway, driven by hand, with faults in the order they are given.

`faults["submit"]` and so on: each is used for one request of that route, the first one first; where there is
none left the gateway behaves. Every request is in `seen`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ssl import SSLContext
from typing import Any, TypeAlias

import anyio

from acp_tui.aip.core.vocabulary import Json
from acp_tui.aip.trial.gateway import TrialGateway, frame, matched
from acp_tui.aip.trial.server import Answer, Reply, Request, Server

PATIENCE = 10.0
"""Seconds after which waiting has failed."""
TOKEN = "secret-bearer-4711"


@dataclass(frozen=True, slots=True)
class Seen:
    """One request."""

    name: str
    id: str
    request: Request


class FakeGateway(TrialGateway):
    """Does nothing by itself."""

    def __init__(self, token: str = "") -> None:
        super().__init__(token)
        self.faults: defaultdict[str, deque[Fault]] = defaultdict(deque)
        self.seen: list[Seen] = []
        self.url = ""
        self._came = anyio.Event()

    async def __call__(self, request: Request, reply: Reply) -> None:
        name, id = matched(request)
        self.seen.append(Seen(name, id, request))
        self._came.set()
        self._came = anyio.Event()
        if self.faults[name]:
            await self.faults[name].popleft()(self, Asked(name, id, request, reply))
        else:
            await super().__call__(request, reply)

    def count(self, name: str) -> int:
        """How many requests of a route came."""
        return sum(1 for one in self.seen if one.name == name)

    async def came(self, name: str, times: int = 1) -> None:
        """Wait until so many of them came."""
        with anyio.fail_after(PATIENCE):
            while self.count(name) < times:
                await self._came.wait()

    def add(self, capability: str = "cap:x", id: str = "act_1", **more: Any) -> str:
        """An action that someone submitted."""
        self.book.submit({"body": {"action": {"id": id, "capability_id": capability, "input": {}, **more}}})
        return id


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that meets a fault."""

    name: str
    id: str
    request: Request
    reply: Reply


Fault: TypeAlias = Callable[[FakeGateway, Asked], Awaitable[None]]


async def cut_before(gateway: FakeGateway, asked: Asked) -> None:
    """The connection breaks after the request was read; the gateway never took it."""
    asked.reply.abort()


async def cut_after(gateway: FakeGateway, asked: Asked) -> None:
    """The gateway takes the request, and the connection breaks before its answer."""
    gateway.respond(asked.name, asked.id, asked.request)
    asked.reply.abort()


def says(status: int, value: Any, **headers: str) -> Fault:
    """This answer and nothing else."""

    async def fault(gateway: FakeGateway, asked: Asked) -> None:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        await asked.reply.answer(Answer(status, value, named))

    return fault


def refuses(status: int, code: str, **more: Any) -> Fault:
    """A refusal in the words of the protocol."""
    return says(status, {"error": {"code": code, "message": "no", **more}})


def streams(*parts: bytes, cut: bool = False) -> Fault:
    """These bytes as an event stream, in these pieces, whole at the end or broken off."""

    async def fault(gateway: FakeGateway, asked: Asked) -> None:
        await asked.reply.stream()
        for part in parts:
            await asked.reply.write(part)
        if cut:
            asked.reply.abort()
        else:
            await asked.reply.end()

    return fault


async def ignores_follow(gateway: FakeGateway, asked: Asked) -> None:
    """One page of JSON where a stream was asked for."""
    await asked.reply.answer(gateway.respond(asked.name, asked.id, asked.request))


def chunk_frame(sequence: int, kind: str = "data", data: Any = None, id: str = "act_1") -> bytes:
    """A chunk in dialect a."""
    chunk: Json = {"action_id": id, "sequence": sequence, "kind": kind}
    if data is not None:
        chunk["data"] = data
    return frame(f"chunk:{sequence}", "aip.stream.chunk", {"chunk": chunk})


def cursor_frame(offset: int) -> bytes:
    """A cursor in dialect a."""
    return frame(f"offset:{offset}", "aip.stream.cursor", {"next_cursor": f"offset:{offset}"})


def b_frame(event: str, message_id: str, body: Json) -> bytes:
    """An envelope in dialect b."""
    envelope = {"aip_version": "1.0", "message_type": "aip.x", "message_id": message_id, "body": body}
    return frame("sse_1", event, envelope)


@asynccontextmanager
async def served(token: str = "", tls: SSLContext | None = None) -> AsyncIterator[FakeGateway]:
    """A fake gateway that listens."""
    gateway = FakeGateway(token)
    async with Server(gateway, tls=tls) as server:
        gateway.url = server.url
        yield gateway
