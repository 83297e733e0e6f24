"""The routes of the trial gateway: a request, what the book says to it, an answer or a stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

from acp_tui.aip.core.vocabulary import Json
from acp_tui.aip.gateway.routes import ROUTES
from acp_tui.aip.trial.book import PAGE, Book, Denied, Work
from acp_tui.aip.trial.server import Answer, Reply, Request
from acp_tui.protocol import jsonio

PREFIX: Final = "/aip/v1"
KEEP_ALIVE: Final = 15.0
"""Seconds between two comments in a stream in which nothing happens."""
_OPEN: Final = frozenset({"health", "manifest"})
MOST: Final = 1000


class TrialGateway:
    """Answers what `Server` hands it. With a token, everything but the health and the manifest needs it."""

    def __init__(self, token: str = "") -> None:
        self.token = token
        self.book = Book(self._changed)
        self.news = asyncio.Event()
        """Set, and replaced by a new one, with each change of the book."""

    def _changed(self) -> None:
        self.news.set()
        self.news = asyncio.Event()

    async def __call__(self, request: Request, reply: Reply) -> None:
        """Serve one request."""
        name, id = matched(request)
        if name == "events" and request.query.get("follow") == "true" and self.allowed(name, request):
            await self.follow(id, request, reply)
        else:
            await reply.answer(self.respond(name, id, request))

    def allowed(self, name: str, request: Request) -> bool:
        """Whether the request has what it needs."""
        given = request.headers.get("authorization", "")
        return name in _OPEN or not self.token or given == f"Bearer {self.token}"

    def respond(self, name: str, id: str, request: Request) -> Answer:
        """What the book says."""
        try:
            if not self.allowed(name, request):
                raise Denied(401, "auth.native_http_unauthorized", "a token is needed", category="auth")
            if name not in _ROUTES:
                raise Denied(404, "route.not_found", "there is no such route")
            return Answer(200, _ROUTES[name](self.book, id, request))
        except Denied as denied:
            return Answer(denied.status, {"error": denied.error})
        except (KeyError, TypeError, ValueError):
            return Answer(400, {"error": {"code": "request.invalid", "message": "this cannot be read"}})

    async def follow(self, id: str, request: Request, reply: Reply) -> None:
        """A stream of dialect a."""
        try:
            work, start = self.book.work(id), self.book.offset(request.query.get("cursor", ""))
        except Denied as denied:
            await reply.answer(Answer(denied.status, {"error": denied.error}))
            return
        await reply.stream()
        async for data in self._frames(work, start):
            await reply.write(data)
        await reply.end()

    async def _frames(self, work: Work, start: int) -> AsyncIterator[bytes]:
        clock = asyncio.get_running_loop().time
        told = clock()
        while True:
            news = self.news
            page = self.book.page(work.log, f"offset:{start}", PAGE)
            for event in page["events"]:
                yield frame(event["id"], event["kind"], {"event": event})
            for chunk in page["chunks"]:
                yield frame(f"chunk:{chunk['sequence']}", "aip.stream.chunk", {"chunk": chunk})
            if page["events"] or page["chunks"]:
                cursor = page["next_cursor"]
                yield frame(cursor, "aip.stream.cursor", {"next_cursor": cursor})
                start = self.book.offset(cursor)
            elif work.over:
                yield frame("", "aip.stream.terminal", {"terminal": True, "action_id": work.id})
                return
            else:
                try:
                    async with asyncio.timeout_at(told + KEEP_ALIVE):
                        await news.wait()
                    continue
                except TimeoutError:
                    yield b": keep-alive\n\n"
            told = clock()


def frame(id: str, event: str, data: Json) -> bytes:
    """One frame of a stream."""
    head = f"id: {id}\n" if id else ""
    return f"{head}event: {event}\n".encode() + b"data: " + jsonio.dump(data) + b"\n\n"


def matched(request: Request) -> tuple[str, str]:
    """The name of a route and the id in it; an empty name where there is none."""
    path = request.path.removeprefix(PREFIX)
    for name, route in ROUTES.items():
        method, _, pattern = route.partition(" ")
        before, has_id, after = pattern.partition("{id}")
        fits = path.startswith(before) and path.endswith(after) if has_id else path == pattern
        id = path[len(before) : len(path) - len(after)] if has_id and fits else ""
        if method == request.method and fits and bool(has_id) == bool(id) and "/" not in id:
            return name, id
    return "", ""


def _limit(request: Request) -> int:
    return max(1, min(MOST, int(request.query.get("limit", PAGE))))


def _part(items: list[Any], request: Request, book: Book, key: str) -> Json:
    start, limit = book.offset(request.query.get("cursor", "")), _limit(request)
    rest = len(items) > start + limit
    after = {"next_cursor": f"offset:{start + limit}"} if rest else {}
    return {key: items[start : start + limit], **after}


def _actions(book: Book, id: str, request: Request) -> Json:
    asked = {
        key: request.query[key] for key in ("state", "capability_id", "session_id") if key in request.query
    }
    views = [work.view() for work in book.works.values() if work.visible]
    fit = [view for view in views if all(view.get(key) == value for key, value in asked.items())]
    return {"action_list": _part(fit, request, book, "actions")}


def _status(book: Book, id: str, request: Request) -> Json:
    view = book.view(id)
    if request.query.get("include_result") != "true":
        view.pop("result", None)
    return {"action_status": view}


def _result(book: Book, id: str, request: Request) -> Json:
    result = book.work(id).result
    if result is None:
        raise Denied(404, "action.no_result", "there is no result")
    return {"action_result": result}


def _events(book: Book, id: str, request: Request) -> Json:
    page = book.page(book.work(id).log, request.query.get("cursor", ""), _limit(request))
    if request.query.get("include_chunks") != "true":
        page["chunks"] = []
    return {"action_events": page}


def _all_events(book: Book, id: str, request: Request) -> Json:
    log = [entry for work in book.works.values() if work.visible for entry in work.log if entry[0] == "event"]
    return {"action_events": book.page(log, request.query.get("cursor", ""), _limit(request))}


def _messages(book: Book, id: str, request: Request) -> Json:
    envelope = request.json()
    key, body = next(iter(envelope["body"].items()))
    if key == "handshake":
        return book.open(body["profiles"])
    if key == "approval_decision":
        return book.decide(body)
    raise Denied(400, "message.unsupported", f"{key} is not understood here")


def _resume(book: Book, id: str, request: Request) -> Json:
    body = request.json()
    return {"session_resume": book.resume(id, body["resume_token"], body.get("last_event_cursor", ""))}


_ROUTES: Mapping[str, Callable[[Book, str, Request], Any]] = {
    "health": lambda book, id, request: {"status": "ok", "version": "trial"},
    "capabilities": lambda book, id, request: _part(book.capabilities, request, book, "capabilities"),
    "manifest": lambda book, id, request: {"capabilities": book.capabilities},
    "messages": _messages,
    "submit": lambda book, id, request: {"ack": book.submit(request.json())},
    "actions": _actions,
    "status": _status,
    "result": _result,
    "events": _events,
    "cancel": lambda book, id, request: {"ack": book.cancel(id)},
    "all_events": _all_events,
    "sessions": lambda book, id, request: {
        "session_list": _part([room.view() for room in book.rooms.values()], request, book, "sessions")
    },
    "session": lambda book, id, request: {"session_view": book.room(id).view()},
    "close": lambda book, id, request: {"session_view": book.close(id)},
    "resume": _resume,
    "approvals": lambda book, id, request: {"approvals": [*book.approvals.values()]},
    "approval": lambda book, id, request: {"approval": book.approvals[id]},
}
