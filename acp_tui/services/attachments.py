"""Files that a person drops on the terminal or pastes, and what they are.

A terminal types the paths of what is dropped: as file URIs, in quotes, with backslashes before blanks, or
bare; several in one line or in several. Invariants: only a text that is nothing but paths of files that exist
counts as such; what a file is, is judged by its first bytes, not by its name; nothing is read but those.
"""

from __future__ import annotations

import mimetypes
import os
import shlex
import stat
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

LONGEST = 100_000
"""Characters of a paste that may be paths."""
HEAD = 4096
"""Bytes that tell what a file is."""

Sort = Literal["text", "image", "audio", "binary", "folder"]

_IMAGES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"BM", "image/bmp"))
_GIFS = (b"GIF87a", b"GIF89a")
_SOUNDS = (
    (b"fLaC", "audio/flac"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"\xff\xf3", "audio/mpeg"),
)
_IN_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
_IN_BOX = {b"avif": "image/avif", b"heic": "image/heic", b"M4A ": "audio/mp4"}


@dataclass(frozen=True, slots=True)
class File:
    """A file or folder, as it is now."""

    path: str
    """Absolute."""
    sort: Sort
    mime: str | None
    size: int
    """Bytes; 0 for a folder."""


def look(path: str) -> File:
    """What it is. Raises `OSError` where it cannot be read; a device or a pipe is never opened."""
    found = os.stat(path)
    if stat.S_ISDIR(found.st_mode):
        return File(path, "folder", None, 0)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(f"{path} is neither a file nor a folder")
    with open(path, "rb") as stream:
        head = stream.read(HEAD)
    sort, mime = judge(head)
    if sort in ("text", "binary"):
        mime = _mime(path, sort)
    return File(path, sort, mime, found.st_size)


def judge(head: bytes) -> tuple[Sort, str | None]:
    """What begins like this, and its type where the bytes tell."""
    for sort, known in (("image", _IMAGES), ("audio", _SOUNDS)):
        for magic, mime in known:
            if head.startswith(magic) and (magic != b"BM" or head[6:10] == b"\0\0\0\0"):
                return ("image" if sort == "image" else "audio"), mime
    if head.startswith(_GIFS):
        return "image", "image/gif"
    boxed = _IN_RIFF.get(head[8:12]) if head[:4] == b"RIFF" else None
    boxed = boxed or (_IN_BOX.get(head[8:12]) if head[4:8] == b"ftyp" else None)
    if boxed is not None:
        return ("image" if boxed.startswith("image") else "audio"), boxed
    return ("text" if _is_text(head) else "binary"), None


def _is_text(head: bytes) -> bool:
    if b"\0" in head:
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 and len(head) == HEAD  # cut in the middle of a letter
    return True


def _mime(path: str, sort: Sort) -> str:
    guessed = mimetypes.guess_type(path)[0]
    if sort == "text":
        return guessed if guessed and not guessed.startswith(("image", "audio", "video")) else "text/plain"
    return guessed if guessed and guessed.startswith("application") else "application/octet-stream"


def dropped(text: str) -> tuple[str, ...]:
    """Absolute paths, if the text is nothing else and all of them exist; otherwise none."""
    text = text.strip()
    if not text or len(text) > LONGEST or not text.startswith(("/", "~", "'", '"', "file:", "\\")):
        return ()
    found: list[str] = []
    for line in text.splitlines():
        paths = _line(line.strip()) if line.strip() else []
        if not all(map(_exists, paths)):
            return ()
        found += paths
    return tuple(dict.fromkeys(found))


def _line(line: str) -> list[str]:
    """The paths of one line; a path that is not there, where it holds none."""
    bare = _path(line)
    if _exists(bare):
        return [bare]
    try:
        return [_path(word) for word in shlex.split(line)]
    except ValueError:  # a quote without its other
        return [""]


def _path(word: str) -> str:
    """The absolute path a word names; empty if it names none."""
    if word.startswith("file:"):
        try:
            parts = urlsplit(word)
        except ValueError:
            return ""
        word = unquote(parts.path, errors="surrogateescape") if parts.netloc in ("", "localhost") else ""
    elif word.startswith("~"):
        word = os.path.expanduser(word)
    return os.path.normpath(word) if word.startswith("/") and word.strip("/") else ""


def _exists(path: str) -> bool:
    try:
        return bool(path) and os.path.exists(path)
    except ValueError:  # a NUL in it
        return False
