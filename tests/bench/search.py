"""Search in a session of 10,000 entities: reading it, looking through it, going to the next place.

Ten of them are long: five terminals and five texts of 1 MB each, which are put aside.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from acp_tui.base.spill import Spill
from acp_tui.client.machine import Client
from acp_tui.render.code import prepare
from acp_tui.render.look import FALLBACK
from acp_tui.render.views import make_view
from acp_tui.ui.transcript.column import Column
from acp_tui.ui.transcript.found import Wanted, standing
from acp_tui.ui.transcript.search import Search, Seeker, Sought, Texts
from tests.bench import updates
from tests.bench.connection import connected, tell
from tests.bench.rows import Row

COUNT, LONG, GOAL, WALK = 10_000, 10, 50.0, 50


def run() -> Iterator[Row]:
    """The search works in slices of 8 ms between keys; what is measured is the CPU of all of them."""
    with TemporaryDirectory() as folder:
        yield from _rows(_column(Path(folder)))


def _rows(column: Column) -> Iterator[Row]:
    texts = Texts(lambda index: column.views[index].pieces())
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
    search = _search(Seeker(Sought("pin")), texts)
    steps = [_took(partial(_go, search, column, at)) for at in range(WALK)]
    yield Row("to a place in 1 MB put aside: median", median(steps), "ms", goal=GOAL)
    yield Row("to a place in 1 MB put aside: worst", max(steps), "ms", goal=GOAL)


def _column(folder: Path) -> Column:
    client, session = connected(Spill(folder))
    for number, update in enumerate(updates.conversation(COUNT - LONG)):
        tell(client, update)
        if number % ((COUNT - LONG) // LONG) == 0 and number // ((COUNT - LONG) // LONG) < LONG:
            _long(client, number)
    column = Column(client.store, session.ref, lambda entity: make_view(entity, client.store, time.time))
    column.look = FALLBACK
    column.set_width(100)
    column.sync()
    gc.collect()  # as the program does when a session is opened
    gc.freeze()
    return column


def _long(client: Client, number: int) -> None:
    """A terminal or a text of a megabyte, in which a word stands ten times."""
    lines = [
        f"{line:06} of {number}: {'a haystraw' if line % 2500 else 'the pin'}, and so on"
        for line in range(25_000)
    ]
    said = "\n".join(lines)
    if number % 2:
        tell(client, updates.terminal_call(f"long{number}", f"t{number}"))
        tell(client, updates.terminal_chunk(f"t{number}", said))
        tell(client, updates.terminal_end(f"t{number}"))
        tell(client, updates.tool_call(f"long{number}", status="completed"))
    else:
        content = [{"type": "content", "content": updates.text(said)}]
        tell(client, updates.tool_call(f"long{number}", status="completed", content=content))


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
    source = search.text(index)
    span = search.seeker.nth(source, nth)
    assert span is not None
    wanted = Wanted(span, nth, search.hits[index])
    if standing(column.laid(index), search.seeker, source, wanted) is None:
        column.views[index].reveal(span[0], source)
        standing(column.laid(index), search.seeker, source, wanted, sure=False)
    column.stand(index, 0)
    column.window(40)


def _took(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3
