"""One run of the program in a terminal: start the agent, load Textual meanwhile, run the app, end the
agent.

Rules: whatever ends the run (quit, a crash of ours, SIGTERM, SIGHUP, the terminal going away), the agents
are ended and the terminal is given back; then the exit status is 0, 1 (a crash, or no agent ever
answered) or 128 + signal. A crash is one line and a report; never a traceback.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import anyio
import anyio.lowlevel
import anyio.to_thread
from anyio.abc import TaskStatus

from acp_tui.base import crash
from acp_tui.ui.background import Question
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.host import Host

if TYPE_CHECKING:
    from acp_tui.base.config import Config
    from acp_tui.ui.app import AcpApp

PATIENCE = 0.05
"""Seconds the first picture may wait for the terminal to say whether it is dark; it was asked long before."""
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def run(command: Sequence[str], cwd: str, environment: dict[str, str], theme: str) -> int:
    """Run until the user or the world ends it; returns the exit status."""
    this = Run(tuple(command), cwd, environment, theme)
    try:
        anyio.run(this.main)
    except Exception as error:  # of whatever kind; the agents are ended, the terminal is given back
        this.crash = error
    if this.crash is not None:
        this.status = 1
        _tell(this.crash)
    _let_go()
    return this.status


def _tell(error: Exception) -> None:
    """One line; who is to mend it finds the rest in the report."""
    path = crash.write(error, "The program ended.")
    where = f"A report is in {path}" if path is not None else "No report could be written"
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    with contextlib.suppress(OSError):
        sys.stderr.write(
            f"acp-tui: a mistake in acp-tui itself ended it ({type(error).__name__}). {where}; "
            "agents are ended, what you were writing is kept.\n"
        )


def _let_go() -> None:
    """What could not be written to a terminal that is gone: Python would try again, and exit with 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def settings() -> Config:
    """Read the settings; in a thread, for the agent is being started meanwhile."""
    from acp_tui.base.config import load

    return load()


class Run:
    """The state of one run."""

    def __init__(self, command: tuple[str, ...], cwd: str, environment: dict[str, str], theme: str) -> None:
        self.command = command
        self.cwd = cwd
        self.environment = environment
        self.theme = theme
        self.app: AcpApp | None = None
        self.scope: anyio.CancelScope | None = None
        self.status = 0
        self.crash: Exception | None = None

    async def main(self) -> None:
        """The task group of the agents is outside the app and ends after it."""
        asyncio.get_running_loop().set_exception_handler(self.overhear)
        async with anyio.create_task_group() as group:
            await group.start(self.heed_signals)
            host = Host(group, self.environment)
            try:
                with anyio.CancelScope() as self.scope:
                    await self.show(host)
            finally:
                with anyio.CancelScope(shield=True):
                    await host.stop()
                group.cancel_scope.cancel()

    def overhear(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error nobody waits for: keep a report, go on."""
        if isinstance(error := context.get("exception"), Exception):
            crash.write(error, context.get("message", ""))

    async def show(self, host: Host) -> None:
        """First the agent, then the question to the terminal, then Textual, which takes longer than both."""
        first = host.start(self.command, self.cwd) if self.command else None
        config = await anyio.to_thread.run_sync(settings)
        named = self.theme or config.settings.theme
        question = None if named else Question(sys.stdin.fileno(), self.environment)
        dark, typed = None, b""
        try:
            await anyio.lowlevel.checkpoint()
            await anyio.to_thread.run_sync(importlib.import_module, "acp_tui.ui.app")
            dark = question.answer(PATIENCE) if question is not None else None
        finally:
            typed = question.close() if question is not None else b""
        await self.run_app(host, first, dark, typed, config)

    async def run_app(
        self, host: Host, first: Conversation | None, dark: bool | None, typed: bytes, config: Config
    ) -> None:
        """Until it is left; what was being written is kept, also when the app broke."""
        from acp_tui.ui.app import AcpApp
        from acp_tui.ui.driver import TerminalDriver

        TerminalDriver.typed_ahead = typed
        self.app = app = AcpApp(
            host, first, self.cwd, theme=self.theme, dark=dark, driver=TerminalDriver, config=config
        )
        try:
            result = await app.run_async(mouse=config.settings.mouse.capture)
        finally:
            app.keep_drafts()
            self.crash = app.crash
        self.status = self.status or (result if isinstance(result, int) else app.return_code or 0)

    async def heed_signals(self, *, task_status: TaskStatus[None]) -> None:
        """The first signal ends the app as the user would; before there is one it ends the start."""
        with anyio.open_signal_receiver(*SIGNALS) as received:
            task_status.started()
            async for number in received:
                self.status = 128 + number
                if self.app is not None and self.app.is_running:
                    self.app.leave()
                elif self.scope is not None:
                    self.scope.cancel()
