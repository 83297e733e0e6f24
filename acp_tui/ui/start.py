"""One run of the program in a terminal: start the agent, load Textual meanwhile and draw, then load what
talks to the agent, run, end the agent.

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from acp_tui.agent.spawn import Spawned, spawn
from acp_tui.base.paths import config_file
from acp_tui.ui.terminal.brightness import Question

if TYPE_CHECKING:
    from acp_tui.base.config import Config
    from acp_tui.ui.app import AcpApp
    from acp_tui.ui.arriving import Stuck
    from acp_tui.ui.conversation import Conversation
    from acp_tui.ui.host import Host

PATIENCE = 0.05
"""Seconds the first picture may wait for the terminal to say whether it is dark; it was asked long before."""
SIGNALLED = 128
"""Statuses from here on are those of signals."""
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


@dataclass(frozen=True, slots=True)
class Past:
    """A saved session to go on with."""

    id: str
    agent: str
    """Its name."""
    cwd: str
    elsewhere: str = ""
    """The folder that the user wants instead, absolute."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The library is to be shown first."""

    everywhere: bool
    """Of all folders."""
    agent: str = ""
    """Only of this one."""
    trash: bool = False
    """What is in the trash."""


def run(
    command: Sequence[str],
    cwd: str,
    environment: dict[str, str],
    theme: str,
    past: Past | None = None,
    listing: Listing | None = None,
    *,
    part: Callable[[Conversation], object],
    always: bool = False,
) -> int:
    """Run until the user or the world ends it; returns the exit status. If he wants that, or `always`, `part`
    is given the conversation that was in front, once the terminal is as it was.
    """
    this = Run(tuple(command), cwd, environment, theme, past, listing)
    streams = sys.stdout, sys.stderr
    try:
        asyncio.run(this.main())
    except Exception as error:  # of whatever kind; the agents are ended, the terminal is given back
        this.crash = error
    sys.stdout, sys.stderr = streams  # an app that ends while it is suspended leaves its own there
    if this.crash is not None:
        this.status = 1
        _tell(this.crash)
    elif this.status < SIGNALLED and this.app is not None and this.app.front is not None:
        wanted = this.app.settings_made
        if always or (wanted is not None and wanted.transcript.print_on_exit):
            with contextlib.suppress(OSError):
                part(this.app.front)
    with contextlib.suppress(OSError):
        sys.stderr.writelines(f"acp-tui: {lost}\n" for lost in this.unsaved)
    _let_go()
    return this.status


def _tell(error: Exception) -> None:
    """One line; who is to mend it finds the rest in the report."""
    from acp_tui.base import crash

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


def settings() -> Config | None:
    """Read the settings, where there are any; in a thread, for the agent is being started meanwhile."""
    if not os.path.lexists(config_file()):
        return None
    from acp_tui.base.config import load

    return load()


class Run:
    """The state of one run."""

    def __init__(
        self,
        command: tuple[str, ...],
        cwd: str,
        environment: dict[str, str],
        theme: str,
        past: Past | None = None,
        listing: Listing | None = None,
    ) -> None:
        self.command = command
        self.cwd = cwd
        self.environment = environment
        self.theme = theme
        self.past = past
        self.listing = listing
        self.app: AcpApp | None = None
        self.spawned: Spawned | None = None
        """The first agent, until somebody looks after it."""
        self.status = 0
        self.crash: Exception | None = None
        self.unsaved: list[str] = []
        """What was lost, in sentences, to be said on the terminal that is the user's again."""

    async def main(self) -> None:
        """Until the user or a signal ends it."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        loop.set_exception_handler(self.overhear)
        for number in SIGNALS:
            loop.add_signal_handler(number, self.heed, number, task)
        if self.command and self.past is None:
            self.spawned = spawn(self.command, self.cwd, self.environment)
        try:
            await self.run_app(await self.load_app())
        except asyncio.CancelledError:
            if not self.status:
                raise
        finally:
            if self.spawned is not None:
                self.spawned.abandon()

    def heed(self, number: int, task: asyncio.Task[None]) -> None:
        """The first signal ends the app as the user would; before there is one it ends the start. Ctrl+C for
        a program that has the terminal is not for us.
        """
        if number == signal.SIGINT and self.app is not None and self.app.lent:
            return
        self.status = 128 + number
        if self.app is not None and self.app.is_running:
            self.app.leave()
        else:
            task.cancel()

    def overhear(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An error nobody waits for: keep a report, go on."""
        from acp_tui.base import crash

        if isinstance(error := context.get("exception"), Exception):
            crash.write(error, context.get("message", ""))

    async def load_app(self) -> AcpApp:
        """Ask the terminal, then load Textual, which takes longer than the answer."""
        config = await asyncio.to_thread(settings)
        named = self.theme or (config is not None and config.settings.theme)
        question = None if named else Question(sys.stdin.fileno(), self.environment)
        dark, typed = None, b""
        try:
            await _load("acp_tui.ui.app")
            dark = question.answer(PATIENCE) if question is not None else None
        finally:
            typed = question.close() if question is not None else b""
        from acp_tui.ui.app import AcpApp
        from acp_tui.ui.terminal.driver import TerminalDriver

        TerminalDriver.typed_ahead = typed
        return AcpApp(
            None,
            None,
            self.past.cwd if self.past is not None else self.cwd,
            command=self.command if self.past is None else (self.past.agent or "agent",),
            theme=self.theme,
            dark=dark,
            driver=TerminalDriver,
            listing=self.listing,
            config=config,
        )

    async def run_app(self, app: AcpApp) -> None:
        """Until it is left; what was being written is kept, also when the app broke."""
        self.app = app
        agents = asyncio.create_task(self.run_agents(app))
        agents.add_done_callback(lambda _: app.leave() if app.is_running else None)
        try:
            result = await app.run_async(mouse=app.takes_mouse)
        finally:
            app.keep_drafts()
            self.crash = app.crash
            agents.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await agents
        self.status = self.status or (result if isinstance(result, int) else app.return_code or 0)

    async def run_agents(self, app: AcpApp) -> None:
        """Load the agents' side after the first picture; its task group is outside the app, ends after it."""
        await app.painted.wait()
        await _load("acp_tui.ui.host")
        if self.command or self.past is not None:
            await _load("acp_tui.ui.screens.chat")
        import anyio

        from acp_tui.ui.host import Host

        async with anyio.create_task_group() as group:
            host = Host(group, self.environment, settings=lambda: app.settings_made)
            try:
                if self.past is not None:
                    app.begin(host, *await self.come_back(host, app, self.past))
                else:
                    spawned, self.spawned = self.spawned, None
                    first = host.start(self.command, self.cwd, spawned=spawned) if self.command else None
                    app.begin(host, first)
                await anyio.sleep_forever()
            finally:
                with anyio.CancelScope(shield=True):
                    await host.stop()
                    self.unsaved = host.unsaved
                group.cancel_scope.cancel()

    async def come_back(
        self, host: Host, app: AcpApp, past: Past
    ) -> tuple[Conversation | None, Stuck | None]:
        """The conversation that goes on, or one that can only be read, and why."""
        await _load("acp_tui.ui.arriving")
        from acp_tui.ui.arriving import arrive, reader
        from acp_tui.ui.conversation import Conversation

        read = reader(host, app.librarian, past.id)
        try:
            await asyncio.to_thread(read.load)
        except (LookupError, OSError):  # who tries again says so on the screen
            return None, (read, None)
        found = await arrive(host, read, self.command, past.elsewhere)
        return (found, None) if isinstance(found, Conversation) else (None, (read, found))


async def _load(module: str) -> None:
    """Import in a thread: signals are heeded meanwhile, and keys."""
    await asyncio.to_thread(importlib.import_module, module)
