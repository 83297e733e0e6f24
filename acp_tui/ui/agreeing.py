"""Starts an agent chosen on the screen, by its name too; asks first where a package would be fetched.

Invariant: what is started is the very command that was shown and agreed to.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from acp_tui.base.config import Settings
from acp_tui.render.clean import one_line
from acp_tui.services.known_agents import consent
from acp_tui.services.known_agents.listing import Listed, listed
from acp_tui.services.known_agents.resolving import CannotStart, Start, meant, start
from acp_tui.ui.screens.question import Question
from acp_tui.ui.workers import later

if TYPE_CHECKING:
    from acp_tui.journal.entry import Entry
    from acp_tui.ui.conversing import Conversing
    from acp_tui.ui.screens.launcher import LauncherScreen

SESSIONS = 200
"""Saved sessions that the start screen looks through."""


def begin(
    app: Conversing,
    settings: Settings | None,
    command: tuple[str, ...],
    then: Callable[[], object],
    refused: Callable[[str], object],
) -> None:
    """`then` starts it, now or when the user has agreed; `refused` is told why it cannot be."""
    name = meant(settings, command)
    if not name:
        then()
        return
    try:
        found = start(settings, name, app.host.environment)
    except CannotStart as problem:
        refused(str(problem))
        return
    if not consent.needed(found):
        then()
        return

    def answered(yes: bool | None) -> None:
        if yes:
            app.run_worker(later(_agree, found, app.host.clock(), then))

    app.push_screen(_question(found), answered)


def _question(found: Start) -> Question:
    exact = one_line(consent.shown(found))
    lines = (
        one_line(consent.why(found)),
        "",
        exact,
        "",
        "You are not asked again while the command stays so.",
    )
    return Question(f"Start {found.name} by {found.tool}?", lines, "start it", "not now")


async def _agree(found: Start, at: float, then: Callable[[], object]) -> None:
    await asyncio.to_thread(consent.give, found, at)
    then()


async def fill(app: Conversing, screen: LauncherScreen, settings: Settings | None) -> None:
    """Let the start screen look for what is on this machine, in threads."""

    def agents() -> list[Listed]:
        return listed(settings, app.environment)

    async def library() -> list[Entry]:
        await asyncio.to_thread(import_module, "acp_tui.ui.library.librarian")
        from acp_tui.journal.entry import Query

        return await app.librarian.ask(lambda asked: asked.entries(Query(limit=SESSIONS)))

    await screen.look(agents, library)
