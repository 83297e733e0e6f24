"""What a widget has to tell the user in passing; the app makes a toast of it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class Told(Message):
    """Words of ours, on their way up."""

    text: str
    title: str = ""
    severity: str = "info"
