"""The app around a session of any length that is known already; run as a child by `session`.

`python -m tests.bench.shown COUNT` shows the start screen, then the session, then lets its last message grow.
What happens when, and the CPU used by then, goes to the file named by BENCH_LOG.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time

import anyio

from acp_tui.ui.app import AcpApp
from acp_tui.ui.chats import Chats as Chats  # what the first chat loads is measured with the start
from acp_tui.ui.conversation import Conversation
from tests.bench import updates
from tests.bench.around import run_around
from tests.bench.connection import connected, tell
from tests.bench.corpus import chunks, markdown
from tests.bench.processor import resident

END = "⟦here⟧"
FRAMES = 90
"""Chunks that are drawn, each in a frame of its own: they come slower than growing text is painted."""
PACE = 0.08
SETTLE = 1.0


async def script(app: AcpApp, shown: Conversation) -> None:
    """Open, stream, and leave it to be resized and ended."""
    await asyncio.sleep(2 * SETTLE)
    _note("open")
    app.call_later(app.show, shown)
    await asyncio.sleep(SETTLE)
    _note("streaming")
    for piece in chunks(markdown(40 * FRAMES, seed=9), 40)[:FRAMES]:
        tell(shown.agent.client, updates.message_chunk("last", piece))
        await asyncio.sleep(PACE)
    await asyncio.sleep(PACE)
    _note("streamed")


def main(count: int) -> None:
    """Make the session, then run the app."""
    anyio.run(_main, count)


async def _main(count: int) -> None:
    client, session = connected()
    for update in [*updates.conversation(count - 1), updates.message_chunk("last", f"{END}\n\n")]:
        tell(client, update)
    await run_around(client, session.ref, script)


def _note(event: str) -> None:
    fact = {"event": event, "at": time.monotonic(), "cpu": time.process_time(), "resident": resident()}
    with open(os.environ["BENCH_LOG"], "a", encoding="utf-8") as file:
        file.write(json.dumps(fact) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
