"""A second look at what is asked: risks in the command, places outside the session's folders.

It warns, it never clears. Resolves links on the disk, so it is called when a request is shown, not for every
picture of it.
"""

from __future__ import annotations

import os

from acp_tui.render.permission import NOTHING, Found, Mark
from acp_tui.services import risks
from acp_tui.services.asked import about
from acp_tui.services.mentions import within
from acp_tui.store.entities import AgentRequest
from acp_tui.store.store import Store

MOST = 1000
"""Paths that are looked up."""


def look_at(store: Store, request: AgentRequest) -> Found:
    """What there is to notice."""
    asked, session = about(store, request), store.sessions.get(request.key.session)
    if asked is None or session is None:
        return NOTHING
    roots = (session.cwd, *session.additional_directories)
    real = tuple(os.path.realpath(root) for root in roots)
    outside = tuple(path for path in asked.paths[:MOST] if not _inside(os.path.join(asked.cwd, path), real))
    if asked.command is None:
        return Found(outside=outside)
    looked = risks.look(asked.command, asked.cwd, roots)
    return Found(
        asked.command,
        tuple(Mark(risk.start, risk.end, risk.why) for risk in looked.found),
        looked.unsure,
        outside,
        not _inside(asked.cwd, real),
    )


def _inside(path: str, roots: tuple[str, ...]) -> bool:
    """A path that no disk can have lies nowhere."""
    try:
        return within(path, roots)
    except (OSError, ValueError):
        return False
