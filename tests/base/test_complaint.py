"""What an error says besides its message is said too, where it is words."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.base.complaint import complaint


@pytest.mark.parametrize(
    ("message", "data", "said"),
    [
        ("Internal error", {"details": "session 1 is archived."}, "Internal error: session 1 is archived."),
        ("Internal error.", "no disk", "Internal error: no disk"),
        ("", {"error": "no disk"}, "no disk"),
        ("no disk left", {"reason": "no disk"}, "no disk left"),
        ("Not found", {"sessionId": "s"}, "Not found"),
        ("Not found", {"details": {"a": "b"}, "message": "  ", "reason": "gone"}, "Not found: gone"),
        ("Not found", ["gone"], "Not found"),
        ("Not found", None, "Not found"),
    ],
)
def test_an_error_says_all_it_says_in_words(message: str, data: Any, said: str) -> None:
    assert complaint(message, data) == said
