"""A shelf that loses everything."""

from __future__ import annotations

from acp_tui.base.shelf import Gone, Slip

WHY = "the disk is on fire"


class Lost:
    """What there was."""

    def load(self) -> bytes:
        raise Gone(WHY)


class Lossy:
    """Takes anything, keeps nothing."""

    def put(self, data: bytes) -> Slip:
        return Lost()
