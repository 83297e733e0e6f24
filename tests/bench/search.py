"""Search in a session of 10,000 entities: reading it, looking through it, going to the next place."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from acp_tui.render.code import prepare
from acp_tui.render.look import FALLBACK
from acp_tui.render.views import make_view
from acp_tui.ui.transcript_column import Column
from acp_tui.ui.transcript_found import standing
from acp_tui.ui.transcript_search import Search, Seeker, Sought, Texts
from tests.bench import updates
from tests.bench.connection import connected, tell
from tests.bench.rows import Row

COUNT, GOAL, WALK = 10_000, 50.0, 50


def run() -> Iterator[Row]:
    """The search works in slices of 8 ms between keys; what is measured is the CPU of all of them."""
    column = _column()
    texts = Texts(lambda index: column.views[index].source())
    yield Row("the first time: every text is read", _took(lambda: _search(None, texts)), "ms")
    for words, regex in (("the", False), ("zzzz", False), ("so that", False), ("th[aei]s? ", True)):
        seeker = Seeker(Sought(words, regex))
        took = median(_took(partial(_search, seeker, texts)) for _ in range(5))
        goal = None if regex else GOAL  # what an expression costs is up to who wrote it
        yield Row(f"{words!r}{' as an expression' if regex else ''} in all", took, "ms", goal=goal)
    search = _search(Seeker(Sought("the")), texts)
    prepare()  # lexers, as the program does while nobody waits
    steps = [_took(partial(_go, search, column, at)) for at in range(WALK)]
    yield Row("to the next place, never drawn: median", median(steps), "ms", goal=GOAL)
    yield Row("to the next place, never drawn: worst", max(steps), "ms", goal=GOAL)


def _column() -> Column:
    client, session = connected()
    for update in updates.conversation(COUNT):
        tell(client, update)
    column = Column(client.store, session.ref, lambda entity: make_view(entity, client.store, time.time))
    column.look = FALLBACK
    column.set_width(100)
    column.sync()
    gc.collect()  # as the program does when a session is opened
    gc.freeze()
    return column


def _search(seeker: Seeker | None, texts: Texts) -> Search:
    search = Search(seeker, texts, COUNT)
    search.step(lambda: False)
    return search


def _go(search: Search, column: Column, at: int) -> None:
    """As the transcript does: find the hit, open what hides it, lay it out, find it in the lines."""
    hit = search.hit(at * (search.total // WALK))
    assert hit is not None and search.seeker is not None
    index, nth = hit
    if column.views[index].folded:
        column.fold(index)
    standing(column.laid(index), search.seeker, search.text(index), nth)
    column.stand(index, 0)
    column.window(40)


def _took(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3
