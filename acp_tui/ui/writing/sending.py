"""From what was written to blocks for the agent, and back.

Invariants: a prompt that comes back (refused, withdrawn) is again what was written: pieces for long pastes,
what was attached attached; what cannot be read is said before anything is sent.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import anyio
import anyio.to_thread

from acp_tui.protocol.content import ContentBlock, TextContent
from acp_tui.protocol.initialize import PromptCapabilities
from acp_tui.services.pasted import Pasted, Span
from acp_tui.store.store import Store
from acp_tui.ui.drafts import Draft

PATIENCE = 20.0
"""Seconds for reading the files of a prompt; a disk that does not answer must not keep the prompt."""
ONE_AT_A_TIME = "This agent takes one prompt at a time: it goes when the work has ended"
"""Why a prompt is queued though it was to be sent at once (V1-22)."""
KEEP = 50
"""Prompts whose way back is known exactly."""


class NotComposed(Exception):
    """Why nothing can be sent as it is."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A prompt to send, and what the user should know of it."""

    blocks: tuple[ContentBlock, ...]
    told: tuple[str, ...] = ()


def takes(store: Store) -> PromptCapabilities | None:
    """What this agent takes in a prompt besides text and links."""
    capabilities = store.connection.capabilities
    session = capabilities.session if capabilities is not None else None
    return session.prompt if session is not None else None


async def compose(
    text: str, spans: Sequence[Span], attached: Sequence[str], roots: tuple[str, ...], store: Store
) -> Ready:
    """Blocks for a whole text in which the pastes stand at `spans`. Raises `NotComposed`."""
    if not attached and "@" not in text:
        return Ready((TextContent(text=text),))

    def read() -> Ready:
        from acp_tui.services import mentions

        gone = [os.path.basename(path) for path in attached if not os.path.exists(path)]
        if gone:
            raise NotComposed(f"{', '.join(gone)} is not there any more: take it off, or put it back.")
        made = mentions.compose(text, roots, takes(store), attached, spans)
        return Ready(made.blocks, made.told)

    with anyio.move_on_after(PATIENCE):
        return await anyio.to_thread.run_sync(read, abandon_on_cancel=True)
    raise NotComposed("The files of this prompt cannot be read in time; nothing was sent.")


class Sent:
    """The prompts of one conversation that may come back, as they were written."""

    def __init__(self) -> None:
        self._known: list[tuple[tuple[ContentBlock, ...], Draft]] = []

    def remember(self, blocks: tuple[ContentBlock, ...], draft: Draft) -> None:
        """These blocks mean that."""
        self._known = [*self._known[1 - KEEP :], (blocks, draft)]

    def written(self, blocks: tuple[ContentBlock, ...], cwd: str) -> Draft:
        """What they were written as."""
        known = next((draft for own, draft in reversed(self._known) if own == blocks), None)
        return known if known is not None else _guessed(blocks, cwd)


def _guessed(blocks: tuple[ContentBlock, ...], cwd: str) -> Draft:
    """Of an earlier run, or changed since: the text, and the files that it does not mention."""
    from acp_tui.services.mentions import mentions
    from acp_tui.services.pasted import long

    text = "\n".join(block.text for block in blocks if isinstance(block, TextContent))
    named = {os.path.normpath(os.path.join(cwd, os.path.expanduser(m.path))) for m in mentions(text)}
    files = [path for block in blocks if (path := _path(block)) and path not in named]
    pasted = Pasted()
    if long(text) and text.count("\n") > 100:
        text = pasted.add(text)
    return Draft(text, pasted.used(text), tuple(dict.fromkeys(files)))


def _path(block: ContentBlock) -> str:
    """The file a block holds or names; empty if it is none."""
    uri = getattr(getattr(block, "resource", block), "uri", None)
    try:
        parts = urlsplit(uri) if isinstance(uri, str) else None
    except ValueError:
        return ""
    if parts is None or parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return ""
    path = unquote(parts.path, errors="surrogateescape")
    return path if Path(path).is_absolute() else ""
