"""The words of an answer, as they come: the agent's messages of one session, one after the other; where there
are none at all, what its tool calls say in words.

Invariants: what was written is never written again; a message that is replaced by one that begins with what
was written goes on, any other begins anew below it; neighbouring messages are a blank line apart, and the
whole ends with a newline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from acp_tui.commands.headless.cleaning import Cleaner
from acp_tui.protocol.content import TextContent
from acp_tui.protocol.tool_call import Content
from acp_tui.render.clean import one_line, pasteable
from acp_tui.store.entities import Message, ToolCall
from acp_tui.store.holding import loaded
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session


@dataclass(slots=True)
class _Said:
    """What of a message was taken so far."""

    number: int
    cleaner: Cleaner = field(default_factory=Cleaner)
    generation: int = 0
    blocks: int = 0
    chars: int = 0
    digest: Any = field(default_factory=blake2b)


class Answer:
    """Follows one session from where its timeline stands."""

    def __init__(self, session: Session, write: Callable[[str], object]) -> None:
        self._session = session
        self._write = write
        self._place = len(session.timeline)
        self._said: dict[Key, _Said] = {}
        self._last: _Said | None = None
        self._tail = ""
        """The last two characters that were written; empty: none were."""
        self._calls: list[Key] = []

    def follow(self, keys: Iterable[Key]) -> None:
        """These have changed."""
        timeline = self._session.timeline
        for key in timeline[self._place :]:
            if key.kind is Kind.AGENT_MESSAGE:
                self._said[key] = _Said(len(self._said))
            elif key.kind is Kind.TOOL_CALL:
                self._calls.append(key)
        self._place = len(timeline)
        known = (key for key in keys if key in self._said)
        for key in sorted(known, key=lambda key: self._said[key].number):
            message = self._session.entities.get(key)
            if isinstance(message, Message):
                self._more(self._said[key], message)

    @property
    def instead(self) -> ToolCall | None:
        """The last tool call, where it stands for the answer because the agent said nothing."""
        call = self._session.entities.get(self._calls[-1]) if self._calls and not self._tail else None
        return call if isinstance(call, ToolCall) else None

    def end(self) -> None:
        """Nothing follows."""
        for said in self._said.values():
            self._put(said, said.cleaner.end())
        for key in self._calls if not self._tail else ():
            call = self._session.entities.get(key)
            if isinstance(call, ToolCall):
                self._put(_Said(0), _told(call))
        if self._tail and not self._tail.endswith("\n"):
            self._write("\n")

    def _more(self, said: _Said, message: Message) -> None:
        content, last = message.content, self._last
        if last is not None and last is not said:
            self._put(last, last.cleaner.end())
        if content.generation == said.generation:
            new = "".join(map(_words, content.since(said.blocks)))
        else:
            whole = "".join(map(_words, content.since(0)))
            same = _digest(whole[: said.chars]) == said.digest.digest()
            if not same:
                self._put(said, said.cleaner.end())
                said.chars, said.digest, self._last = 0, blake2b(), None
            new = whole[said.chars :]
        said.generation, said.blocks = content.generation, content.count
        said.chars += len(new)
        said.digest.update(_bytes(new))
        self._put(said, said.cleaner.feed(new))

    def _put(self, said: _Said, text: str) -> None:
        if not text:
            return
        if self._last is not said and self._tail:
            text = "\n" * (2 - (len(self._tail) - len(self._tail.rstrip("\n")))) + text
        self._last = said
        self._tail = (self._tail + text)[-2:]
        self._write(text)


def _told(call: ToolCall) -> str:
    """What a call is and what it says in words, a block below the other."""
    items = [loaded(item) for item in call.content]
    blocks = [item.content for item in items if isinstance(item, Content)]
    texts = [block.text.strip("\n") for block in blocks if isinstance(block, TextContent)]
    head = one_line(call.title or call.name or "", 200)
    return pasteable("\n".join([head, *texts])).strip("\n") + "\n" if any(texts) else ""


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _digest(text: str) -> bytes:
    return blake2b(_bytes(text)).digest()


def _words(item: object) -> str:
    """A block as text; what is none is named."""
    if isinstance(item, str):
        return item
    block: Any = loaded(item)
    if isinstance(block, TextContent):
        return block.text
    uri, kind = getattr(block, "uri", None), getattr(block, "mime_type", None)
    resource = getattr(block, "resource", None)
    named = uri or getattr(resource, "uri", None) or kind
    return f"[{block.type.replace('_', ' ')}{f' {named}' if named else ''}]"
