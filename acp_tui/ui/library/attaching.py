"""Goes on with a session that only its agent has, by that agent, which runs already.

Invariant: a session that is open with it is not attached a second time.
"""

from __future__ import annotations

from acp_tui.journal.entry import Entry
from acp_tui.store.session import Session
from acp_tui.ui.conversation import Conversation, Link


def attached(link: Link, entry: Entry) -> Conversation:
    """The one that is open, or another that is asked for now."""
    for conversation in link.conversations:
        session = conversation.session
        if session is not None and session.session_id == entry.session_id:
            return conversation
    known = Session(ref=link.store.new_ref(), cwd=entry.cwd, session_id=entry.session_id, phase="closed")
    link.agent.client.adopt([known])
    conversation = link.converse(entry.cwd, (), known.ref)
    if entry.named:
        link.store.name(known.ref, entry.title)
    conversation.open()
    return conversation
