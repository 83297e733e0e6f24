"""Has the index brought up to date, in a process of its own, when the library wants it or after some quiet.

Invariants: one at a time; it ends with us, however we end: its stdin is ours, and who leaves the task group
kills it, which costs nothing that was written.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from subprocess import DEVNULL, PIPE

from anyio import open_process, sleep
from anyio.abc import ByteReceiveStream, TaskGroup

from acp_tui.journal.library import Library

QUIET = 20.0
"""Seconds after the last work of an agent."""
_PHASES = {"scan": "Looking through what is saved", "words": "Indexing what was said"}


class Indexer:
    """Of one run."""

    def __init__(self, group: TaskGroup) -> None:
        self._group = group
        self.running = False
        self.words = ""
        """How far it is; empty: it is not under way, or has told nothing yet."""
        self.failed = ""
        """Why the last could not be done."""
        self.told: list[Callable[[], None]] = []
        """Who is called when any of that changes."""
        self._again = False
        self._quiet = 0

    def now(self) -> None:
        """Bring it up to date; one that is under way is followed by another."""
        self._again = True
        if not self.running:
            self.running = True
            self._group.start_soon(self._run)

    def after_quiet(self) -> None:
        """Bring it up to date when nothing was finished for a while."""
        self._quiet += 1
        self._group.start_soon(self._wait, self._quiet)

    async def _wait(self, turn: int) -> None:
        await sleep(QUIET)
        if turn == self._quiet:
            self.now()

    async def _run(self) -> None:
        while self._again:
            self._again = False
            try:
                await self._once()
            except OSError as error:
                self.failed = error.strerror or str(error)
        self.running, self.words = False, ""
        self._tell()

    async def _once(self) -> None:
        self.failed = ""
        command = Library.indexer()
        process = await open_process(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True)
        async with process:
            assert process.stdout is not None
            async for line in _lines(process.stdout):
                self._hear(line)

    def _hear(self, line: bytes) -> None:
        try:
            said = json.loads(line)
            phase, done, total = said["phase"], said.get("done", 0), said.get("total", 0)
            if phase == "failed":
                self.failed = str(said.get("reason", ""))
            elif phase in _PHASES and total:
                self.words = f"{_PHASES[phase]}: {min(99, done * 100 // total)} %"
        except (ValueError, KeyError, TypeError):
            return
        self._tell()

    def _tell(self) -> None:
        for told in tuple(self.told):
            told()


async def _lines(stream: ByteReceiveStream) -> AsyncIterator[bytes]:
    rest = b""
    async for data in stream:
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            yield line
