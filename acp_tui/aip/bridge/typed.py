"""What a person types: a command, the input of a capability, an id, selectors. Pure but for `@file`.

Invariant: what cannot be understood is a `Fault` that says what would be right, before anything was inserted.
"""

from __future__ import annotations

import re
import stat
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlparse

from acp_tui.agent_side.wire import Fault, Json
from acp_tui.aip.core import ids
from acp_tui.aip.gateway.told import Selectors
from acp_tui.protocol import jsonio
from acp_tui.protocol.errors import INVALID_PARAMS
from acp_tui.protocol.unknown import Invalid

LARGEST: Final = 8 << 20
"""Bytes of an @file."""
_PAIR: Final = re.compile(r"([a-z_]+)=(\S+)")
_SHORT: Final = {"capability": "capability_id", "session": "session_id", "principal": "principal_id"} | {
    "approval": "approval_id",
    "transaction": "transaction_id",
}


class Typed(NamedTuple):
    """A prompt, taken apart."""

    command: str
    """Without its slash; empty: it is no command."""
    rest: str
    """The words after it."""
    files: tuple[str, ...]
    """Paths of files that the client attached."""


class Given(NamedTuple):
    """The input of a capability, if one was typed."""

    there: bool
    value: Any = None


def typed(prompt: list[Json]) -> Typed:
    """Take a prompt apart."""
    words = "".join(block["text"] for block in prompt if block.get("type") == "text").strip()
    links = (str(block.get("uri")) for block in prompt if block.get("type") == "resource_link")
    files = tuple(unquote(urlparse(uri).path) for uri in links if uri.startswith("file://"))
    if not words.startswith("/") or len(words) == 1 or words[1].isspace():
        return Typed("", words, files)
    command, *rest = words[1:].split(maxsplit=1)
    return Typed(command, rest[0] if rest else "", files)


def given(rest: str, cwd: str, files: tuple[str, ...] = ()) -> Given:
    """The input: JSON, or `@file`, or a file the client attached."""
    if rest.startswith("@") or (files and not rest.startswith(("{", "["))):
        named = files[0] if files else rest[1:].strip()
        return Given(True, _json(_read(cwd, named), named))
    return Given(True, _json(rest.encode(), "the input")) if rest else Given(False)


def _read(cwd: str, named: str) -> bytes:
    path = Path(named)
    try:
        path = Path(cwd, path.expanduser())
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) and not stat.S_ISDIR(state.st_mode):
            raise Fault(INVALID_PARAMS, f"{path.name} is no file that can be read to its end")
        if state.st_size > LARGEST:
            raise Fault(INVALID_PARAMS, f"{path.name} is larger than {LARGEST >> 20} MiB")
        return path.read_bytes()
    except OSError as error:
        raise Fault(INVALID_PARAMS, f"{path.name} cannot be read: {error.strerror}") from None
    except (RuntimeError, ValueError):  # nobody has that home; no file has such a name
        raise Fault(INVALID_PARAMS, f"{named} is no name of a file") from None


def _json(data: bytes, name: str) -> Any:
    """Exactly what stands there: nothing is mended on the way to a gateway."""
    if not data.strip():
        raise Fault(INVALID_PARAMS, f"{name} is empty: an input is JSON, {{}} at least")
    try:
        data.decode()
        return jsonio.parse(data)
    except UnicodeDecodeError:
        raise Fault(INVALID_PARAMS, f"{name} is no text in UTF-8") from None
    except Invalid as error:
        raise Fault(INVALID_PARAMS, f"{name} is not JSON: {error.reason}") from None


def action_id(word: str) -> str:
    """The same, if it may be sent."""
    try:
        return ids.action(word)
    except ids.BadId as error:
        raise Fault(INVALID_PARAMS, str(error)) from None


def selectors(rest: str) -> tuple[Selectors, str | None]:
    """`state=running capability=cap:x cursor=…`: which actions, and where to go on."""
    known = {each.name for each in fields(Selectors)}
    chosen: dict[str, str] = {}
    for word in rest.split():
        pair = _PAIR.fullmatch(word)
        name = _SHORT.get(pair[1], pair[1]) if pair is not None else ""
        if pair is None or (name not in known and name != "cursor"):
            names = "state capability session principal approval transaction cursor"
            raise Fault(INVALID_PARAMS, f"{word}: filters are NAME=VALUE, with one of the names {names}")
        if name in chosen:
            raise Fault(INVALID_PARAMS, f"{word}: {pair[1]} is named twice, and all filters must fit")
        chosen[name] = pair[2]
    cursor = chosen.pop("cursor", None)
    return Selectors(**chosen), cursor
