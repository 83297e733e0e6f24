"""Under which id a conversation of this run is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from acp_tui.journal.saved import joined
from acp_tui.journal.scanning import scan
from acp_tui.store.session import Session


def saved_id(journals: Sequence[Path], session: Session | None) -> str | None:
    """Reads the journal; None where nothing of it is there."""
    if session is None or session.session_id is None or not journals or not journals[-1].is_file():
        return None
    try:
        found = joined([(journals[-1], scan(journals[-1]))])
    except OSError:
        return None
    return next((one.id for one in reversed(found) if one.session_id == session.session_id), None)
