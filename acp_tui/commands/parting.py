"""The conversation that was in front, printed to the normal screen when the program has left its own: so that
it stays in the scrollback, like what any other command has said.
"""

from __future__ import annotations

from collections.abc import Iterator

from acp_tui.commands.printing import colours, printed, width
from acp_tui.journal.export import Facts, excerpt_of
from acp_tui.journal.export.plain import head, lines
from acp_tui.ui.conversation import Conversation


def part(conversation: Conversation) -> None:
    """Print it, and the sessions that it continues above it."""
    printed(_lines(conversation))


def _lines(conversation: Conversation) -> Iterator[str]:
    for ref in reversed(list(conversation.refs())):
        session = conversation.store.sessions.get(ref)
        if session is None or not (session.timeline or session.tail):
            continue
        facts = Facts(
            title=conversation.store.title(ref),
            agent=conversation.store.connection.agent_name,
            session_id=session.session_id or "",
            cwd=session.cwd,
        )
        excerpt = excerpt_of(facts, conversation.store, session, conversation.now())
        yield from (f"{line}\n" for line in head(excerpt, width()))
        yield from (f"{line}\n" for _, line in lines(excerpt, width(), False, colours()))
