"""Reads a registry's document from an address or a file, within limits of size and time.

Invariants: only https, also where an address leads to another; nothing but a plain file is read from disk;
every failure is one sentence. Blocks: not for a frame.
"""

from __future__ import annotations

import os
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException, HTTPMessage
from typing import IO, Protocol

from acp_tui import __version__
from acp_tui.base import redact

LARGEST = 8 << 20
"""Bytes of a document."""
PATIENCE = 20.0
"""Seconds for all of it."""
SECURE = ("https",)
_PIECE = 1 << 16


class CannotRead(Exception):
    """The text says why, without a full stop."""


class _Readable(Protocol):
    def read1(self, size: int, /) -> bytes:
        """What has come."""


def read(
    source: str, *, patience: float = PATIENCE, largest: int = LARGEST, schemes: Sequence[str] = SECURE
) -> bytes:
    """All of it. Raises `CannotRead`."""
    if "://" in source:
        return _fetched(source, patience, largest, schemes)
    path = os.path.expanduser(source)
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise CannotRead("it is no file")
            data = file.read(largest + 1)
    except OSError as error:
        raise CannotRead((error.strerror or str(error)).lower()) from None
    return _fitting(data, largest)


def _fitting(data: bytes, largest: int) -> bytes:
    if len(data) > largest:
        raise CannotRead(f"it is larger than {largest:,} bytes")
    return data


class _Redirects(urllib.request.HTTPRedirectHandler):
    def __init__(self, schemes: Sequence[str]) -> None:
        self._schemes = schemes

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        _allowed(newurl, self._schemes)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _allowed(address: str, schemes: Sequence[str]) -> None:
    if address.partition("://")[0].lower() not in schemes:
        raise CannotRead(f"{redact.url(address)} is not https")


def _fetched(address: str, patience: float, largest: int, schemes: Sequence[str]) -> bytes:
    _allowed(address, schemes)
    headers = {"User-Agent": f"acp-tui/{__version__}", "Accept": "application/json"}
    opener = urllib.request.build_opener(_Redirects(schemes))
    until = time.monotonic() + patience
    try:
        with opener.open(urllib.request.Request(address, headers=headers), timeout=patience) as answer:
            return _fitting(_body(answer, until, largest, time.monotonic), largest)
    except urllib.error.HTTPError as error:
        raise CannotRead(f"it was answered with {error.code} {error.reason}") from None
    except TimeoutError:
        raise CannotRead(f"it was not there within {patience:g} seconds") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, TimeoutError):
            raise CannotRead(f"it was not there within {patience:g} seconds") from None
        raise CannotRead(str(getattr(reason, "strerror", None) or reason)) from None


def _body(answer: _Readable, until: float, largest: int, clock: Callable[[], float]) -> bytes:
    """As much as may be, and one byte more where there is more. Raises `TimeoutError`."""
    data = bytearray()
    while len(data) <= largest and (piece := answer.read1(_PIECE)):
        data += piece
        if clock() > until:
            raise TimeoutError
    return bytes(data)
