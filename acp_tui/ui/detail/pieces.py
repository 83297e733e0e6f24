"""What can be taken out of the program: copied, saved, edited, handed to another program.

Rules: bytes are exact, as the agent sent them, base64 decoded; names an agent chose are data, so a suggested
name is one plain name without anything that could lead out of the folder; nothing is replaced unless the user
said so; only pictures and sounds that are what they say go to another program, and only on the user's key.
"""

from __future__ import annotations

import os
import re
from binascii import Error as BadBase64
from binascii import a2b_base64
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from acp_tui.render.clean import one_line

_UNFIT = re.compile(r"[^\w.+-]+")
_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF8", ".gif"),
    (b"BM", ".bmp"),
    (b"fLaC", ".flac"),
    (b"OggS", ".ogg"),
    (b"ID3", ".mp3"),
    (b"\xff\xfb", ".mp3"),
)
"""What may go to the system's viewer, by its first bytes and never by what it is said to be."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing: its name, its bytes when they are wanted, and where it may live already."""

    what: str
    """What it is, for the question where to save it."""
    name: str
    """A file name to suggest."""
    load: Callable[[], bytes]
    """Raises `ValueError` if it is not what it should be."""
    place: tuple[str, int | None] | None = None
    """A file and line that the agent named, for the editor; data until the user asks (SF-05)."""
    text: bool = True
    """It can be copied and edited."""


def decoded(data: str) -> bytes:
    """The bytes of base64; `ValueError` says that it is none."""
    try:
        return a2b_base64("".join(data.split()), strict_mode=True)
    except (BadBase64, ValueError) as error:
        raise ValueError(f"this is no base64: {error}") from None


def file_name(wish: str, otherwise: str, suffix: str = "") -> str:
    """A plain file name out of whatever somebody called it."""
    last = wish.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    name = _UNFIT.sub("-", one_line(last, 80)).strip(".-")[:80] or otherwise
    return name if not suffix or name.lower().endswith(suffix) else name + suffix


def target(answer: str, cwd: str) -> Path:
    """The place an answer means."""
    return Path(os.path.abspath(os.path.join(cwd, Path(answer).expanduser())))


def free(name: str, cwd: str) -> str:
    """The name, or with a number where a file has it already."""
    stem, dot, suffix = name.rpartition(".")
    number, wish = 1, name
    while os.path.lexists(os.path.join(cwd, wish)) and number < 100:
        number += 1
        wish = f"{stem}-{number}.{suffix}" if dot and stem else f"{name}-{number}"
    return wish


def save(path: Path, data: bytes, replace: bool) -> None:
    """Write a new file, or the whole of an old one; `FileExistsError` unless it may be replaced."""
    with path.open("wb" if replace else "xb") as file:
        file.write(data)


def viewable(data: bytes) -> str:
    """The ending of a picture or sound that may be handed to the system's viewer; empty for anything else."""
    if data[:4] == b"RIFF" and data[8:12] in (b"WEBP", b"WAVE"):
        return ".webp" if data[8:12] == b"WEBP" else ".wav"
    return next((suffix for magic, suffix in _MAGIC if data.startswith(magic)), "")
