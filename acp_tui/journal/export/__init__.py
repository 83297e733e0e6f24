"""Conversations as files for others: markdown, HTML, JSON, plain text and a picture.

Each form is a module with one function from an `Excerpt` to text. Invariants, for all of them: what an agent
or a user wrote passes `washing` first, so no form holds a control character or what looks like a secret; an
agent's text never becomes structure; notices and updates nobody knows are never in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from acp_tui.journal.export.excerpt import (
    Excerpt,
    Facts,
    NoSuchPlace,
    excerpt_of,
    excerpt_of_saved,
    facts_of,
)

__all__ = [
    "FORMATS",
    "Excerpt",
    "Facts",
    "NoSuchPlace",
    "excerpt_of",
    "excerpt_of_saved",
    "export",
    "facts_of",
]

FORMATS: Final = {"md": "md", "html": "html", "json": "json", "text": "txt", "svg": "svg"}
"""The forms by name, and how names of their files end."""


def export(form: str, excerpt: Excerpt, width: int = 80) -> Iterator[str]:
    """The excerpt in this form, piece by piece; `width` cells for those that have lines, 0: unwrapped text.

    Raises `KeyError` for a form that does not exist, `TooLong` for a picture nobody could look at.
    """
    return _FORMS[form](excerpt, width)


def _markdown(excerpt: Excerpt, width: int) -> Iterator[str]:
    from acp_tui.journal.export.markdown import markdown

    return markdown(excerpt)


def _html(excerpt: Excerpt, width: int) -> Iterator[str]:
    from acp_tui.journal.export.web import html

    return html(excerpt)


def _json(excerpt: Excerpt, width: int) -> Iterator[str]:
    from acp_tui.journal.export.data import json_text

    return json_text(excerpt)


def _text(excerpt: Excerpt, width: int) -> Iterator[str]:
    from acp_tui.journal.export.plain import text

    return text(excerpt, width)


def _svg(excerpt: Excerpt, width: int) -> Iterator[str]:
    from acp_tui.journal.export.picture import svg

    return svg(excerpt, width)


_FORMS: dict[str, Callable[[Excerpt, int], Iterator[str]]] = {
    "md": _markdown,
    "html": _html,
    "json": _json,
    "text": _text,
    "svg": _svg,
}
