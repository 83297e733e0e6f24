"""What can be found in a session: a text for each of its entities, as a search in the opened session reads.

To that come the paths, commands and short arguments of a tool call that its text does not have. Invariants:
the same store gives the same texts; a fault of ours over one entity costs its text only; no text is longer
than `LONGEST` characters: of a longer one beginning and end are kept, with a line between that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from acp_tui.journal.folding import Folded
from acp_tui.protocol.plan import PlanFile, PlanItems, PlanMarkdown
from acp_tui.protocol.tool_call import Terminal as Shown
from acp_tui.render.clean import clean
from acp_tui.render.views import make_view
from acp_tui.store.entities import Entity, Plan, Subagent, Terminal, ToolCall
from acp_tui.store.holding import loaded, reference
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store

LONGEST = 64 * 1024
"""Characters of one text."""
END = 16 * 1024
"""Of these, kept of its end."""
LEFT_OUT = "\n… the middle of this long text is left out of the search …\n"
ARGUMENT = 1000
"""Characters of an argument that is taken for a command, a path or a pattern rather than content."""
DEEP = 4

_VIEWED = frozenset(
    {Kind.USER_MESSAGE, Kind.AGENT_MESSAGE, Kind.AGENT_THOUGHT, Kind.TOOL_CALL, Kind.COMPACTION}
    | {Kind.SESSION_MESSAGE, Kind.TURN, Kind.SUBAGENT, Kind.SUBMISSION}
)
INFO = "info"
"""Kind of the text that is the session's title."""


@dataclass(frozen=True, slots=True)
class Said:
    """The text of one entity."""

    session_id: str
    """The agent's id of the session in which it stands; empty: that of the saved session itself."""
    kind: str
    id: str
    at: float
    text: str


def spoken(folded: Folded) -> list[Said]:
    """All that has a text, of the session and its subagents, in the order in which it came."""
    found = [said for session in folded.store.sessions.values() for said in _session(folded.store, session)]
    found.sort(key=lambda said: said.at)  # stable: what came together stays as it stood
    return found


def cut(text: str) -> str:
    """Not longer than is kept."""
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - END - len(LEFT_OUT)] + LEFT_OUT + text[-END:]


def _session(store: Store, session: Session) -> Iterator[Said]:
    whose = (session.session_id or "") if session.parent is not None else ""
    if session.info.title:
        at = min((entity.created_at for entity in session.entities.values()), default=0.0)
        yield Said(whose, INFO, "", at, cut(session.info.title))
    for key in _members(session):
        entity = session.entities.get(key)
        if entity is None:
            continue
        text = _safely(entity, store)
        if text and not text.isspace():
            yield Said(whose, str(key.kind), key.id, entity.created_at, text)


def _members(session: Session) -> Iterable[Key]:
    """What has a text of its own: a terminal only where no tool call shows it."""
    terminals = (key for key in session.entities if key.kind is Kind.TERMINAL)
    loose = [key for key in terminals if key not in session.shown_in]
    return dict.fromkeys([*session.timeline, *session.tail, *session.plans, *loose])


def _safely(entity: Entity, store: Store) -> str:
    try:
        return cut(_text(entity, store))
    except Exception:  # whatever it holds: the rest can be found all the same
        return ""


def _text(entity: Entity, store: Store) -> str:
    if isinstance(entity, Plan):
        return _plan(entity)
    if isinstance(entity, Terminal):
        return _more(clean(entity.output.text()), [entity.command or ""])
    if entity.key.kind not in _VIEWED:
        return ""
    text = make_view(entity, store, _no_clock).source()
    if isinstance(entity, ToolCall):
        return _more(text, _words_of(entity, store))
    if isinstance(entity, Subagent):
        return _more(text, [entity.description or ""])
    return text


def _no_clock() -> float:
    """No source tells a time that runs."""
    return 0.0


def _more(text: str, others: Iterable[str]) -> str:
    """And what it does not have yet, a line each."""
    for other in others:
        if other and other not in text:
            text = f"{text}\n{other}"
    return text


def _words_of(call: ToolCall, store: Store) -> Iterator[str]:
    """Where it happened, and what was asked for."""
    for place in call.locations:
        yield loaded(place).path
    for item in call.content:
        named = reference(item)
        if isinstance(named, Shown):
            terminal = store.entity(Key(call.key.session, Kind.TERMINAL, named.terminal_id))
            yield (terminal.command or "") if isinstance(terminal, Terminal) else ""
    yield from _strings(loaded(call.raw_input), DEEP)


def _strings(value: Any, deep: int) -> Iterator[str]:
    """Short strings in an argument; a command may be a list of words."""
    if isinstance(value, str):
        if len(value) <= ARGUMENT:
            yield value
    elif isinstance(value, list) and deep:
        if value and all(isinstance(one, str) for one in value):
            yield " ".join(value)[:ARGUMENT]
        else:
            for one in value:
                yield from _strings(one, deep - 1)
    elif isinstance(value, dict) and deep:
        for one in value.values():
            yield from _strings(one, deep - 1)


def _plan(entity: Plan) -> str:
    plan = loaded(entity.plan)
    if isinstance(plan, PlanItems):
        return "\n".join(entry.content for entry in plan.entries)
    if isinstance(plan, PlanMarkdown):
        return plan.content
    return plan.uri if isinstance(plan, PlanFile) else ""
