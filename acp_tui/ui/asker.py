"""Who asks, in words: the agent, and which of its sessions where that is not the one in sight; and which of
all that waits it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from acp_tui.render.clean import one_line
from acp_tui.render.views.subagent import title_of
from acp_tui.store.entities import AgentRequest, Subagent
from acp_tui.store.keys import Key
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.widgets.header import short_folder


def asker(store: Store, ref: str, here: Iterable[str] = ()) -> str:
    """One line. `here` are the sessions that are in sight."""
    name = one_line(store.connection.agent_name, 40)
    session = store.sessions.get(ref)
    if session is None or ref in set(here):
        return name
    if session.parent is not None:
        return f"{_child(store, session)} of {asker(store, session.parent, here)}"
    return f"{name} · {one_line(store.title(ref), 60) or short_folder(session.cwd)}"


def who_asks(store: Store, request: AgentRequest, here: Iterable[str] = ()) -> str:
    """The same of one request; where we ask before we do something for an agent, that."""
    name = asker(store, request.key.session, here)
    return f"acp-tui, for {name}," if request.ours else name


def top(store: Store, ref: str) -> str:
    """The session at the root of it: where a subagent's words go, and which conversation shows it."""
    session = store.sessions.get(ref)
    while session is not None and session.parent is not None:
        ref, session = session.parent, store.sessions.get(session.parent)
    return ref


def place(store: Store, key: Key) -> tuple[int, int]:
    """Which of all that waits with this agent it is, the oldest first, and how many there are: permissions,
    forms and addresses are counted as one, as on the list of what waits.
    """
    keys = [request.key for request in store.waiting()]
    return (keys.index(key) + 1 if key in keys else 1), max(1, len(keys))


def _child(store: Store, session: Session) -> str:
    """The title of a subagent: what its parent said of it, else its own."""
    parent = store.sessions.get(session.parent or "")
    for key in parent.subagents if parent is not None else ():
        said = parent.entities.get(key) if parent is not None else None
        if isinstance(said, Subagent) and said.child == session.ref:
            return one_line(title_of(said, store), 60)
    return one_line(store.title(session.ref), 60) or "a subagent"
