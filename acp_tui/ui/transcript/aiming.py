"""Takes a reader to a place in a transcript, with the words marked that brought him there."""

from __future__ import annotations

from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import Store
from acp_tui.ui.reader import Spot
from acp_tui.ui.transcript.widget import Transcript
from acp_tui.ui.widgets.search_bar import SearchBar


def session_of(store: Store, spot: Spot) -> str | None:
    """The `ref` of the session it stands in; None: there is none of that name."""
    found = (one.ref for one in store.sessions.values() if one.session_id == spot.session_id)
    return next(found, None)


def aim(transcript: Transcript, bar: SearchBar, store: Store, spot: Spot) -> None:
    """Show it as soon as there is room; where it does not stand by itself, what it stands in; where there is
    none, only the words.
    """
    column = transcript.column
    if column is None or column.look is None:
        if transcript.display and transcript.is_attached:
            transcript.call_after_refresh(aim, transcript, bar, store, spot)
        return
    index = _place(transcript, store, spot)
    if index is not None:
        transcript.point(index)
        transcript.stand(index)
    if spot.words:
        bar.field.value = spot.words
        transcript.begin_search()


def _place(transcript: Transcript, store: Store, spot: Spot) -> int | None:
    column, session = transcript.column, store.sessions.get(transcript.ref)
    if column is None or session is None or spot.kind not in frozenset(Kind):
        return None
    key = Key(session.ref, Kind(spot.kind), spot.id)
    places = (column.place(one) for one in (key, *session.shown_in.get(key, ())))
    return next((place for place in places if place is not None), None)
