"""Following one action: its stream or, where there is none, its log in pages, until it is over.

Invariants: the state is read once at the start and after every break, and that read decides; a stream is
taken up from the last cursor frame, never from another `id:`; `done`, a terminal hint and a terminal state
are three things, and only the last ends it, once the stream has brought what is on its way; a failed read is
tried again after a growing pause, a refused one (401, 403, 404) is not; between two reads of a poll lies the
interval, whatever the gateway does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress

import anyio

from acp_tui.aip.core.chunks import Chunks, Verdict
from acp_tui.aip.core.dialects import Cursor, Dialect, Failed, Foreign, Garbled, Item, Stream, Terminal
from acp_tui.aip.core.lifecycle import Action, Presence
from acp_tui.aip.core.once import Once
from acp_tui.aip.core.sse import Comment, Cut
from acp_tui.aip.core.vocabulary import Ack, ActionResult, Event, StreamChunk
from acp_tui.aip.core.words import ChunkKind
from acp_tui.aip.gateway.errors import GatewayError, Refused, TooLong, Unreadable
from acp_tui.aip.gateway.http import Http
from acp_tui.aip.gateway.reading import Reading
from acp_tui.aip.gateway.submitting import keep
from acp_tui.aip.gateway.told import (
    ChunkHeard,
    End,
    Ended,
    EventHeard,
    Hear,
    Polling,
    ResultRead,
    StateRead,
    Trouble,
    Truncated,
)
from acp_tui.aip.gateway.world import Backoff, World
from acp_tui.aip.kept.ledger import Ledger
from acp_tui.base.config.gateways import GatewaySettings

PAGE = 100
"""Entries of the log in one read."""
LONGEST_POLL = 30.0
"""Seconds between two reads of an action in which nothing happens, at most."""
INVISIBLE = 3
"""Reads that an acknowledged action may be invisible for: its records arrive at different times."""
WITHOUT_RESULT = 3
"""Reads of a result that a terminal action may be without."""
PAGES = 1000
"""Pages of the log in a row: a gateway whose log never ends is left there for now."""
EMPTY_STREAMS = 3
"""Streams that break without a word before the gateway is polled instead."""


LAST_WORDS = 1.0
"""Seconds without a word after which the stream of what is over is left, if it does not end by itself."""

_NO_STREAM = frozenset({400, 404, 405, 406, 501})
"""Statuses of a gateway that does not stream."""
_TELLING = frozenset({ChunkKind.PENDING_APPROVAL, ChunkKind.ERROR, ChunkKind.DONE})
"""Chunks after which the state is worth a read."""


class _NoStream(Exception):
    """This stream is of no use to us."""


class _Over(Exception):
    def __init__(self, ended: Ended) -> None:
        super().__init__(ended.end)
        self.ended = ended


class Follow:
    """One run of the loop over one action."""

    def __init__(
        self, http: Http, ledger: Ledger, settings: GatewaySettings, world: World, action: Action, hear: Hear
    ) -> None:
        self._http = http
        self._reading = Reading(http, settings)
        self._ledger = ledger
        self._settings = settings
        self._world = world
        self._action = action
        self._hear = hear
        self._backoff = Backoff(world.chance)
        self._events = Once()
        self._envelopes = Once()
        self._streaming = settings.stream != "none"
        self._dialect: Dialect = settings.stream if settings.stream != "none" else "auto"
        self._log = True
        self._limit = PAGE
        self._news = self._moved = False
        self._empty = 0
        self._unseen = 0
        self._pause = settings.poll_seconds
        self._cursor: str | None = None
        self._items: AsyncIterator[Item] | None = None
        """What the open stream brings."""

    async def run(self, *, from_start: bool = False) -> Ended:
        """Until it is over; the end is told too."""
        entry = self._ledger.entries.get(self._action.id)
        if from_start:
            self._action.chunks = Chunks()
        elif entry is not None:
            self._cursor = entry.cursor
        try:
            while True:
                try:
                    await self._read_state()
                    await self._listen()
                except GatewayError as error:
                    await self._failed(error)
        except _Over as over:
            self._hear(over.ended)
            return over.ended

    async def _listen(self) -> None:
        """A stream until it breaks, or a page and a pause. What cannot be seen yet has neither."""
        if self._action.hidden:
            await self._world.sleep(self._settings.poll_seconds)
        elif self._streaming:
            await self._stream()
        else:
            await self._poll()

    async def _failed(self, error: GatewayError) -> None:
        """A read failed: over, or once more later."""
        retry_after = None
        if isinstance(error, Refused):
            self._refused(error)
            retry_after = error.retry_after
        await self._trouble(str(error), retry_after)

    def _refused(self, refused: Refused) -> None:
        """Whether there is any sense in asking again. Raises `_Over`."""
        if "cursor" in refused.error.code and self._cursor is not None:
            self._cursor = None
        elif refused.unauthorized:
            raise _Over(Ended(End.UNAUTHORIZED, str(refused)))
        elif refused.forbidden:
            raise _Over(Ended(End.FORBIDDEN, str(refused)))
        elif refused.hidden:
            self._invisible(str(refused))
        elif not refused.passing and refused.status < 500:
            raise _Over(Ended(End.REFUSED, str(refused)))

    async def _trouble(self, why: str, at_least: float | None = None) -> None:
        pause = self._backoff.next(at_least)
        self._hear(Trouble(why, pause))
        await self._world.sleep(pause)

    def _invisible(self, why: str = "") -> None:
        """Not visible: of one that we know of, the record may be on its way. Raises `_Over` otherwise."""
        self._unseen += 1
        if self._action.presence is not Presence.KNOWN or self._unseen > INVISIBLE:
            raise _Over(Ended(End.HIDDEN, why))

    async def _read_state(self) -> None:
        """The one read that decides. Raises `_Over` when it does."""
        status = await self._reading.status(self._action.id)
        at = self._world.clock()
        self._news = False
        before = self._action.state
        self._moved = before is None or before.fact.state != status.state
        self._action.read(status, at)
        self._hear(StateRead(status, at))
        if status.result is not None:
            self._hear(ResultRead(status.result, at))
        keep(self._ledger, self._action)
        for chunk in status.chunks:
            self._chunk(chunk)
        await self._judge()

    async def _judge(self) -> None:
        """Whether what was read last ends it. Raises `_Over`."""
        if self._action.hidden:
            self._invisible()
            return
        self._unseen = 0
        if self._action.terminal or self._action.settled is not None:
            await self._last_words()
            await self._pages()
            if self._action.settled is None:
                await self._read_result()
            raise _Over(Ended(End.SETTLED if self._action.settled else End.TERMINAL))

    async def _read_result(self) -> None:
        """The result of what is terminal; it may come later than the state, or never."""
        for left in reversed(range(WITHOUT_RESULT)):
            try:
                result = await self._reading.result(self._action.id)
            except Refused as refused:
                if not refused.hidden:
                    raise
                result = None
            except TooLong:
                self._cut(self._settings.longest_answer)
                return
            if result is not None:
                self._result(result)
                return
            if left:
                await self._world.sleep(self._settings.poll_seconds)

    # the log in pages

    async def _poll(self) -> None:
        await self._pages()
        self._backoff.reset()
        longest = max(LONGEST_POLL, self._settings.poll_seconds)
        self._pause = (
            self._settings.poll_seconds if self._news or self._moved else min(self._pause * 1.5, longest)
        )
        await self._world.sleep(self._pause)

    async def _pages(self) -> None:
        """What was said since the cursor, to its end."""
        for _ in range(PAGES):
            if not self._log or not await self._page():
                return

    async def _page(self) -> bool:
        """The next page of the log; whether there may be more of it now."""
        try:
            page = await self._reading.events(self._action.id, self._cursor, self._limit)
        except TooLong:
            return self._smaller()
        except Refused as refused:
            if refused.status not in (404, 405, 501):
                raise
            self._log = False
            return False
        before = self._cursor
        for event in page.events:
            self._event(event)
        for chunk in page.chunks:
            self._chunk(chunk)
        self._reached(page.cursor or before)
        return bool(page.events or page.chunks) and self._cursor != before

    def _smaller(self) -> bool:
        """A page was too long to read, a smaller one may not be; one entry that is ends the log for us."""
        if self._limit > 1:
            self._limit //= 10
            return True
        self._cut(self._settings.longest_answer)
        self._log = False
        return False

    def _cut(self, weight: int) -> None:
        self._action.truncated += 1
        self._hear(Truncated(weight))

    # the stream

    async def _stream(self) -> None:
        reader = Stream(self._dialect, self._settings.longest_frame, self._envelopes)
        opened = heard = False
        try:
            async with self._http.stream("events", self._action.id, self._asked()) as data:
                opened = True
                self._items = _items(reader, data)
                async for item in self._items:
                    heard = True
                    if isinstance(item, Terminal):
                        self._items = None
                        await self._read_state()
                        await self._world.sleep(self._settings.poll_seconds)
                        return
                    await self._item(item)
        except _NoStream as none:
            self._poll_instead(str(none))
        except (Unreadable, Refused) as error:
            if opened or (isinstance(error, Refused) and error.status not in _NO_STREAM):
                raise
            self._poll_instead(str(error))
        else:
            await self._broke(heard)
        finally:
            self._items = None

    async def _last_words(self) -> None:
        """What is over may be ahead of its stream: what is on its way may be in no log."""
        items, self._items = self._items, None
        if items is None:
            return
        for _ in range(PAGES * PAGE):
            item: Item | None = None
            with suppress(GatewayError), anyio.move_on_after(LAST_WORDS):
                item = await anext(items, None)
            if item is None or isinstance(item, Comment | Terminal | Failed | Foreign):
                return
            self._said(item)

    def _asked(self) -> dict[str, str | bool]:
        return {"cursor": self._cursor or "", "include_chunks": True, "follow": True}

    def _poll_instead(self, why: str) -> None:
        self._streaming = False
        self._hear(Polling(why))

    async def _broke(self, heard: bool) -> None:
        """It ended without a terminal mark. A gateway that only ever ends streams is polled."""
        self._empty = 0 if heard else self._empty + 1
        if self._empty >= EMPTY_STREAMS:
            self._poll_instead("the gateway ends its streams without a word")
        else:
            await self._trouble("the stream broke")

    async def _item(self, item: Item) -> None:
        if not isinstance(item, Comment):
            self._backoff.reset()
        match item:
            case Failed(error):
                raise Refused(200, error, (error.retry_after_ms or 0) / 1000)
            case Foreign(why):
                raise _NoStream(why)
            case _:
                if self._said(item):
                    await self._read_state()

    def _said(self, item: Item) -> bool:
        """Take it in; whether the state is worth a read now."""
        match item:
            case Event():
                self._event(item)
            case StreamChunk():
                return self._chunk(item) and item.kind in _TELLING
            case Cursor(value):
                self._reached(value)
                return self._news
            case Cut(weight):
                self._cut(weight)
            case ActionResult():
                self._result(item)
                return True
            case Ack():
                self._action.acked(item, self._world.clock())
                return True
            case Garbled():
                self._action.garbled += 1
        return False

    # what is known now

    def _event(self, event: Event) -> None:
        if self._events.first(event.id):
            self._news = True
            self._hear(EventHeard(event))

    def _chunk(self, chunk: StreamChunk) -> bool:
        """Whether it is a new part of the stream."""
        verdict = self._action.chunks.judge(chunk)
        if verdict is not Verdict.DUPLICATE:
            self._hear(ChunkHeard(chunk, verdict))
        self._news = self._news or verdict.applies
        return verdict.applies

    def _result(self, result: ActionResult) -> None:
        at = self._world.clock()
        self._action.resulted(result, at)
        keep(self._ledger, self._action)
        self._hear(ResultRead(result, at))

    def _reached(self, cursor: str | None) -> None:
        self._cursor = cursor
        chunks = self._action.chunks
        with suppress(OSError):
            self._ledger.reached(self._action.id, cursor, chunks.last, chunks.ended or "")


async def _items(reader: Stream, data: AsyncIterator[bytes]) -> AsyncIterator[Item]:
    async for some in data:
        for item in reader.feed(some):
            yield item
