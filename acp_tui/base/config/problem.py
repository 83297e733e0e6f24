"""What is wrong with the settings file, in words for whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake; the rest of the file is used."""

    path: Path
    line: int
    """From 1."""
    key: str
    """As the file writes it, with dots; empty where the file as a whole is meant."""
    reason: str
    """What is wrong, and what is allowed."""

    @property
    def brief(self) -> str:
        """Without the file's name."""
        return (
            f"line {self.line}: {self.key}: {self.reason}" if self.key else f"line {self.line}: {self.reason}"
        )

    def __str__(self) -> str:
        head = f"{self.path}:{self.line}: "
        return head + (f"{self.key}: {self.reason}" if self.key else self.reason)
