"""What goes on, in words: pure functions from the store to the status line (ST-02, CX-05, LC-04, PM-12).

Nothing is said to be idle that is not, and nothing to be stopped before the agent says so.
"""

from __future__ import annotations

from acp_tui.base.complaint import complaint
from acp_tui.protocol.errors import RESOURCE_NOT_FOUND
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import one_line
from acp_tui.render.words import count
from acp_tui.store.connection import Connection
from acp_tui.store.entities import Subagent, Submission
from acp_tui.store.session import NONE_SEEN, Session
from acp_tui.store.store import Store
from acp_tui.ui import keys
from acp_tui.ui.standing import BACK, Hint, Status, starting

PATIENCE = 3.0
"""Seconds after which a second Escape may offer to stop the agent (CX-18)."""


def status(store: Store, session: Session | None, *, alone: bool = False) -> Status:
    """What to say about a session, or about the connection while there is none; `alone`: nothing that waits
    in other sessions of the agent.
    """
    connection = store.connection
    if connection.phase in ("failed", "lost", "closed"):
        extras = _extras(store, session, listed=not alone)
        return Status("bad", ended(connection), extras=extras, hints=_GONE)
    if connection.phase != "ready" or session is None:
        return starting(connection.agent_name, connection.started_at or None)
    if connection.login:
        return Status("busy", "logging in", connection.login_at, hints=_LOGGING_IN)
    if wants_login(session):
        return Status("ask", "the agent wants a login first", hints=_LOGIN)
    if session.phase == "opening":
        return Status("busy", "opening a session", connection.ready_at or connection.started_at, hints=BACK)
    if session.phase == "closed" and session.parent is not None:
        return Status("calm", "ended with its session")  # of an earlier run, or closed
    if session.phase in ("failed", "closed"):
        return Status("bad", _no_session(session), hints=_once_more(session))
    return _at_work(store, session, alone)


def wants_login(session: Session) -> bool:
    """It waits for a login (AU-08)."""
    return session.phase == "opening" and session.failure is not None


def _no_session(session: Session) -> str:
    if session.failure is None:
        return "session closed"
    if session.inactive:
        return "the agent has put this session away"  # PR-26
    if session.failure.code == RESOURCE_NOT_FOUND:
        return "the agent does not know this session any more"  # SS-17
    return f"no session: {one_line(complaint(session.failure.message, session.failure.data))}"


def _once_more(session: Session) -> tuple[Hint, ...]:
    if session.refused_with_servers:
        return (("chat.restart", "without MCP servers"),)
    if session.refused_with_replay:
        return (("chat.restart", "without its history"),)
    return (("chat.restart", "resume it" if session.inactive else "new session"),)


def _at_work(store: Store, session: Session, alone: bool) -> Status:
    extras = _extras(store, session, listed=not alone)
    child = session.parent is not None
    waiting = store.waiting(session.ref) if child or alone else store.waiting()
    cancel = session.cancel
    if cancel is not None and session.cancelling:
        words = "cancel asked, no answer" if cancel.status == "no_answer" else "cancel asked"
        return Status(
            "ask",
            words,
            cancel.asked_at,
            extras=extras,
            hints=_possible(store, _CANCELLING),
        )
    if waiting:
        words = "waits for you" if len(waiting) == 1 else f"{len(waiting)} wait for you"
        return Status("ask", words, waiting[0].created_at, extras=extras, hints=_ASKED)
    if session.state == "requires_action":
        hints = _possible(store, _WORKING)
        return Status("ask", "waits for something", session.state_since or None, extras=extras, hints=hints)
    if child and session.state == NONE_SEEN:
        return Status("calm", "state not confirmed", extras=extras)
    if session.busy:
        since = session.work_started_at or session.state_since or None
        hints = _possible(store, _WORKING)
        return Status("busy", _working(session), since, heard(store, session), extras, hints)
    if child:
        return Status("calm", "idle", extras=extras)
    return Status("calm", "ready", extras=extras, hints=_HELD if _held(session) else _IDLE)


def _working(session: Session) -> str:
    if session.state.startswith("unknown:"):
        return one_line(session.state.removeprefix("unknown:"), 30)
    return "working" if session.state == "running" else "state not known yet"


def heard(store: Store, session: Session) -> float:
    """The last sign of life, of its subagents too: who waits for one that works is not silent."""
    known = (session.entities.get(key) for key in session.subagents)
    children = (store.sessions.get(one.child) for one in known if isinstance(one, Subagent))
    return max([session.heard_at, *(heard(store, child) for child in children if child is not None)])


_GONE: tuple[Hint, ...] = (("chat.restart", "restart"), ("everywhere.quit", "quit"))
_WORKING: tuple[Hint, ...] = (
    ("chat.escape", "cancel"),
    ("composer.send", "queue"),
    ("composer.send_now", "send now"),
)
_CANCELLING: tuple[Hint, ...] = (("chat.escape", "ways to stop"), *_WORKING[1:])
_ASKED: tuple[Hint, ...] = (("chat.next_place", "answer"), ("chat.escape", "cancel work"))
_LOGIN: tuple[Hint, ...] = (("chat.login", "log in"), ("chat.restart", "ask again"))
_LOGGING_IN: tuple[Hint, ...] = (("chat.escape", "give it up"),)
_IDLE: tuple[Hint, ...] = (("composer.send", "send"), ("composer.newline", "new line"))
_HELD: tuple[Hint, ...] = (("composer.send_now", "send on"), ("composer.older", "take it back"))


def _possible(store: Store, hints: tuple[Hint, ...]) -> tuple[Hint, ...]:
    """Without what an agent that takes one prompt at a time does not do (V1-22)."""
    one = store.connection.one_prompt_at_a_time
    return tuple(hint for hint in hints if not (one and hint == _WORKING[-1]))


def _held(session: Session) -> bool:
    return any(
        isinstance(s := session.entities.get(key), Submission) and s.status == "held" for key in session.tail
    )


def ended(connection: Connection) -> str:
    """How the agent ended, in a few words."""
    if connection.signal:
        return f"agent killed by {connection.signal}"
    if connection.exit_code is not None:
        return f"agent exited with status {connection.exit_code}"
    return {"failed": "agent could not start", "lost": "agent gone"}.get(connection.phase, "agent stopped")


def _extras(store: Store, session: Session | None, *, listed: bool = False) -> tuple[str, ...]:
    """What else should not be overlooked, the most important first; `listed`: prompts that wait stand in a
    list of their own.
    """
    connection = store.connection
    found = ["saved in part"] if connection.save_problem else []
    found = found if connection.saved else ["NOT SAVED"]
    if session is not None:
        found += [text for text in _tail(session) if not listed or text.endswith(_NOT_LISTED)]
        found += _background(session)
        if unknown := len(session.unknown_updates):
            found.append(count(unknown, "unknown update"))
        if session.dropped:
            found.append(f"{session.dropped} invalid")
    if connection.garbage:
        found.append(count(connection.garbage, "stray line"))
    return tuple(found)


_NOT_LISTED = "not accepted yet"


def _tail(session: Session) -> list[str]:
    statuses = [s.status for key in session.tail if isinstance(s := session.entities.get(key), Submission)]
    names = {
        "queued": "queued",
        "held": "held",
        "pending": _NOT_LISTED,
        "uncertain": "outcome unknown",
    }
    return [f"{n} {name}" for status, name in names.items() if (n := sum(s == status for s in statuses))]


def _background(session: Session) -> list[str]:
    """How much, and the key to it."""
    if not session.background:
        return []
    return [f"{len(session.background)} in background ({keys.hint('chat.background')})"]


def still_running(store: Store) -> list[str]:
    """What leaving would end, in words (BG-07): work, requests, prompts not accepted, background work."""
    found = []
    for session in store.sessions.values():
        found += running_in(session)
    if store.requests:
        found.append(f"{count(len(store.requests), 'request')} waiting for your answer")
    if not store.connection.saved:
        found.append("what was said and could not be saved: it is in memory only")
    return found


def running_in(session: Session) -> list[str]:
    """What closing this session would end (BG-07, CL-01)."""
    if session.phase not in ("opening", "open"):
        return []
    found = ["what the agent is working on"] if session.busy else []
    found += [f"prompts: {text}" for text in _tail(session)]
    found += [_background_words(item) for item in session.background or ()]
    if session.background is None and not session.busy:
        found += _unfinished(session)
    return found


def _background_words(item: object) -> str:
    if isinstance(item, Unknown):
        return f"in background: {one_line(item.type, 40)}"
    return f"in background: {one_line(str(getattr(item, 'type', 'work')).replace('_', ' '), 40)}"


def _unfinished(session: Session) -> list[str]:
    """Where the agent does not report background work, what merely looks unfinished."""
    open_calls = sum(1 for e in session.entities.values() if getattr(e, "running", False))
    return [f"{count(open_calls, 'tool call')} without an end"] if open_calls else []
