"""The rules of a stream's chunks, as a small machine: it judges each chunk and keeps the first of each place.

A place is a sequence. The same again is a replay; the same with other content is a conflict, and the first
one stays; a new one must be greater than all before (greater, not next: a gap is noted and accepted); after
`done` or `error` everything is late. A chunk costs one digest,
whatever it weighs, and only the latest ones.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum

from acp_tui.aip.core.once import Once
from acp_tui.aip.core.vocabulary import StreamChunk
from acp_tui.aip.core.words import ENDING, ChunkKind
from acp_tui.protocol import jsonio

COMPARED = 20_000
"""Chunks whose replay is compared; of older ones it is left out unseen."""


class Verdict(StrEnum):
    """What becomes of a chunk."""

    NEW = "new"
    GAP = "gap"
    """New, and sequences before it are missing."""
    DUPLICATE = "duplicate"
    """A replay: shown already."""
    CONFLICT = "conflict"
    """Its place is taken by other content: refused, and worth telling."""
    LOWER = "lower"
    """New, but below what was kept: refused."""
    LATE = "late"
    """After the end of the stream: kept for the record, appended to nothing."""

    @property
    def applies(self) -> bool:
        """Whether the chunk is to be shown as part of the stream."""
        return self in (Verdict.NEW, Verdict.GAP)


class Chunks:
    """The stream of one action."""

    __slots__ = ("_digests", "_floor", "_refused", "ended", "last")

    def __init__(self, last: int = -1, ended: ChunkKind | None = None) -> None:
        self._floor = last
        """What comes again up to here cannot be compared any more, only left out."""
        self.last = last
        """The greatest sequence kept; -1: none."""
        self.ended = ended
        """`done` or `error`, once the stream said so. It settles nothing."""
        self._digests: dict[int, bytes] = {}
        self._refused = Once()

    def judge(self, chunk: StreamChunk) -> Verdict:
        """Where it belongs; what applies is kept by that."""
        digest = _digest(chunk)
        kept = self._digests.get(chunk.sequence)
        if kept is not None:
            return Verdict.DUPLICATE if kept == digest else self._refuse(chunk, digest, Verdict.CONFLICT)
        if chunk.sequence <= self._floor:
            return Verdict.DUPLICATE
        if self.ended is not None:
            return self._refuse(chunk, digest, Verdict.LATE)
        if chunk.sequence < self.last:
            return self._refuse(chunk, digest, Verdict.LOWER)
        gap = self.last >= 0 and chunk.sequence > self.last + 1
        self._digests[chunk.sequence] = digest
        if len(self._digests) > COMPARED:
            self._floor = next(iter(self._digests))
            del self._digests[self._floor]
        self.last = chunk.sequence
        if isinstance(chunk.kind, ChunkKind) and chunk.kind in ENDING:
            self.ended = chunk.kind
        return Verdict.GAP if gap else Verdict.NEW

    def _refuse(self, chunk: StreamChunk, digest: bytes, why: Verdict) -> Verdict:
        """What is refused is told once, however often it comes."""
        first = self._refused.first(f"{chunk.sequence} {digest.hex()}")
        return why if first else Verdict.DUPLICATE


def _digest(chunk: StreamChunk) -> bytes:
    """Of its content: key order does not count, unknown fields do, and whose it is goes without saying."""
    content = {key: value for key, value in chunk.raw().items() if key != "action_id"}
    return hashlib.blake2b(jsonio.dump(_sorted(content)), digest_size=16).digest()


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
