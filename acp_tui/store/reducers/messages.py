"""Everything that is content blocks under an id: messages, thoughts, session messages, compactions."""

from __future__ import annotations

from typing import Any, Final

from acp_tui.protocol.absent import Absent
from acp_tui.protocol.unknown import Invalid
from acp_tui.protocol.updates import (
    AgentMessage,
    AgentThought,
    CompactionSummaryChunk,
    CompactionUpdate,
    ContentChunk,
    SessionMessageChunk,
    UserMessage,
)
from acp_tui.protocol.updates import SessionMessage as SessionMessageUpdate
from acp_tui.store.entities import FINAL_STATUSES, Compaction, Entity, Message, SessionMessage, Submission
from acp_tui.store.growing import LOOSE, Blocks
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.change import changed, patch_meta, place
from acp_tui.store.session import Session
from acp_tui.store.store import Store

KIND_OF: Final = {
    "user_message": Kind.USER_MESSAGE,
    "user_message_chunk": Kind.USER_MESSAGE,
    "agent_message": Kind.AGENT_MESSAGE,
    "agent_message_chunk": Kind.AGENT_MESSAGE,
    "agent_thought": Kind.AGENT_THOUGHT,
    "agent_thought_chunk": Kind.AGENT_THOUGHT,
}

PARTICIPANTS: Final = (
    "sender_session_id",
    "recipient_session_id",
    "sender_message_id",
    "recipient_message_id",
)


def message_chunk(store: Store, session: Session, update: ContentChunk, at: float) -> None:
    """One more block for a message; the first creates it (MS-02, EN-09). Its `_meta` is its own (UP-10)."""
    key = Key(session.ref, KIND_OF[update.session_update], update.message_id)
    message = session.entities.get(key)
    if message is None:
        message = _new_message(store, session, key, at)
    assert isinstance(message, Message)
    message.content.append(update.content)
    _grown(store, session, message, at)


def message(
    store: Store, session: Session, update: UserMessage | AgentMessage | AgentThought, at: float
) -> None:
    """A message's content replaced, cleared or kept, its metadata patched (MS-01)."""
    key = Key(session.ref, KIND_OF[update.session_update], update.message_id)
    found = session.entities.get(key)
    message = found if isinstance(found, Message) else _new_message(store, session, key, at)
    if _patch_message(message, update) or message is not found:
        _grown(store, session, message, at)


def session_message_chunk(store: Store, session: Session, update: SessionMessageChunk, at: float) -> None:
    """One more block for a message between sessions (SA-05)."""
    key = Key(session.ref, Kind.SESSION_MESSAGE, update.message_id)
    message = session.entities.get(key)
    if message is None:
        message = _new_session_message(store, session, key, at)
    assert isinstance(message, SessionMessage)
    message.content.append(update.content)
    _grown(store, session, message, at)


def session_message(store: Store, session: Session, update: SessionMessageUpdate, at: float) -> None:
    """As `message`; who wrote to whom are patch fields and may come at any time (SA-05)."""
    key = Key(session.ref, Kind.SESSION_MESSAGE, update.message_id)
    found = session.entities.get(key)
    message = found if isinstance(found, SessionMessage) else _new_session_message(store, session, key, at)
    told = _patch_message(message, update)
    for name in PARTICIPANTS:
        value = getattr(update, name)
        if not isinstance(value, Absent) and value != getattr(message, name):
            setattr(message, name, value)
            told = True
    if told or message is not found:
        _grown(store, session, message, at)


def compaction(store: Store, session: Session, update: CompactionUpdate, at: float) -> None:
    """A compaction begins or goes on, in the place of its first mention (CP-01 to CP-06).

    The first mention needs its status, as the bundled schema says (CP-07); later ones patch it as the newer
    one does (NW-04), so that an agent of either schema is understood.
    """
    key = Key(session.ref, Kind.COMPACTION, update.compaction_id)
    found = session.entities.get(key)
    if found is None and not isinstance(update.status, str):
        raise Invalid("the first update of a compaction has no status")
    entity = found if isinstance(found, Compaction) else _new_compaction(store, session, key, at)
    was_final = entity.status in FINAL_STATUSES
    if _patch_compaction(entity, update) or entity is not found:
        entity.late |= was_final
        _shown(store, session, entity, at)


def compaction_chunk(store: Store, session: Session, update: CompactionSummaryChunk, at: float) -> None:
    """One more block of the summary; it may be the first that is heard of the compaction (CP-03)."""
    key = Key(session.ref, Kind.COMPACTION, update.compaction_id)
    found = session.entities.get(key)
    entity = found if isinstance(found, Compaction) else _new_compaction(store, session, key, at)
    entity.summary.append(update.content)
    entity.late |= entity.status in FINAL_STATUSES
    _shown(store, session, entity, at)


def _new_message(store: Store, session: Session, key: Key, at: float) -> Message:
    content = Blocks(store.shelf)
    new = Message(
        shelf=store.shelf, key=key, created_at=at, content=content, closed_at=None if session.busy else at
    )
    place(store, session, new, at)
    if key.kind is Kind.USER_MESSAGE:
        _claim(store, session, new)
    return new


def _new_session_message(store: Store, session: Session, key: Key, at: float) -> SessionMessage:
    content = Blocks(store.shelf)
    new = SessionMessage(
        shelf=store.shelf, key=key, created_at=at, content=content, closed_at=None if session.busy else at
    )
    place(store, session, new, at)
    return new


def _new_compaction(store: Store, session: Session, key: Key, at: float) -> Compaction:
    new = Compaction(shelf=store.shelf, key=key, created_at=at, summary=Blocks(store.shelf))
    place(store, session, new, at)
    return new


def _claim(store: Store, session: Session, message: Message) -> None:
    """An accepted submission has waited for this message and leaves the tail to it (PR-09)."""
    for key in session.tail:
        submission = session.entities[key]
        if isinstance(submission, Submission) and submission.message_id == message.key.id:
            message.submission, submission.stands = submission.number, "nowhere"
            session.tail.remove(key)
            store.touch(key)
            return


def _patch_message(message: Message, update: Any) -> bool:
    told = not isinstance(update.content, Absent) and _replaced(message.content, update.content)
    return patch_meta(message, update.meta) or told


def _patch_compaction(entity: Compaction, update: CompactionUpdate) -> bool:
    told = not isinstance(update.summary, Absent) and _replaced(entity.summary, update.summary)
    if not isinstance(update.status, Absent) and (status := update.status or "in_progress") != entity.status:
        entity.status, told = status, True
    if not isinstance(update.error, Absent) and update.error != entity.error:
        entity.error, told = update.error, True
    return patch_meta(entity, update.meta) or told


def _replaced(blocks: Blocks, content: Any) -> bool:
    return blocks.replace(content or ())


def _grown(store: Store, session: Session, message: Message, at: float) -> None:
    if message.key.kind is Kind.AGENT_MESSAGE and not message.content.blank:  # a thought is no output (S11)
        session.had_output = True
    if message.closed_at is not None and message.content.loose > LOOSE:
        message.content.pack()
    _late_if_over(session, message)
    changed(store, message, at)


def _shown(store: Store, session: Session, entity: Compaction, at: float) -> None:
    session.had_output = True
    _late_if_over(session, entity)
    changed(store, entity, at)


def _late_if_over(session: Session, entity: Entity) -> None:
    entity.late = entity.late or entity.turn < session.completions
