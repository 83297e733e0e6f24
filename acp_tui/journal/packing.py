"""Facts of ours to bytes and back, fast and without trust.

The bytes are a pickle in which nothing is named but our own kinds of facts, each by a word of this module.
Invariants: reading runs no code but what makes these kinds, from values alone; nothing that was there before
can be changed by it, for all it gets hold of is what it made itself; what is big lies elsewhere (`Blob`) and
is loaded when it is looked at; anything unexpected is a `BadPack`.
"""

from __future__ import annotations

import gc
import hashlib
import io
import pickle
import sys
from array import array
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache, partial
from itertools import repeat
from operator import call
from pathlib import Path
from typing import Any, Protocol

from acp_tui import client, protocol, store
from acp_tui.base.shelf import Gone, Shelf
from acp_tui.client import standing
from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.model import Base
from acp_tui.protocol.unknown import Unknown
from acp_tui.protocol.v1 import memory
from acp_tui.store import connection, entities, holding, session
from acp_tui.store.growing import Blocks, Run
from acp_tui.store.holding import Handle, Plain
from acp_tui.store.keys import Key, Kind
from acp_tui.store.output import Output, Page
from acp_tui.store.shortened import LONG, shortened


class BadPack(ValueError):
    """These bytes are no facts of ours, or of another version."""


class Place(Protocol):
    """Where big content lies: gives the bytes, or raises `Gone`."""

    def load(self) -> bytes: ...


class Blob(Protocol):
    """Takes big content and finds it again."""

    def put(self, data: bytes) -> tuple[int, int, int]:
        """Where it lies now."""

    def at(self, place: tuple[int, int, int]) -> Place:
        """What lies there."""


Maker = Callable[..., Any]


def pack(value: Any, blob: Blob) -> bytes:
    """The value as bytes, its big content in the blob. Raises `BadPack` for what is no fact of ours."""
    out = io.BytesIO()
    try:
        _Packer(out, blob).dump(value)
    except (pickle.PicklingError, RecursionError, Gone) as error:
        raise BadPack(str(error)) from None
    return out.getvalue()


def unpack(data: bytes | memoryview, blob: Blob, shelf: Shelf) -> Any:
    """Back from `pack`; what becomes big from now on goes to the shelf."""
    collects = gc.isenabled()
    gc.disable()  # it would look again and again at all that is made, of which nothing is garbage
    try:
        return _Unpacker(io.BytesIO(data), blob, shelf).load()
    except Exception as error:  # hostile bytes can provoke any
        raise BadPack(f"{type(error).__name__}: {error}") from None
    finally:
        if collects:
            gc.enable()


def _fingerprint() -> str:
    digest = hashlib.sha256(sys.version.encode())
    for package in (protocol, store, client):
        for path in sorted(Path(package.__path__[0]).rglob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    for name in ("folding", "packing", "playing", "record"):
        digest.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return digest.hexdigest()


FINGERPRINT = _fingerprint()
"""Of the code whose facts these are, as it is loaded: other code may mean another thing by them."""

# What there is


@cache
def _kinds() -> dict[type, str]:
    """Our kinds of facts that are made of slots, each with its word."""
    modules = (connection, entities, memory, session, standing)
    found: list[type] = [
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and is_dataclass(one) and one.__module__.startswith("acp_tui.")
    ]
    found += [Unknown, Blocks, Run, Output, Plain, holding.Place]
    return {one: f"{one.__module__}.{one.__qualname__}" for one in found}


@cache
def _models() -> dict[type, str]:
    """The models of the protocol."""
    found: dict[type, str] = {}
    rest: list[type[Base]] = [Base]
    while rest:
        one = rest.pop()
        rest += one.__subclasses__()
        if one.__module__.startswith("acp_tui.protocol."):
            found[one] = f"{one.__module__}.{one.__qualname__}"
    return found


@cache
def _slots(kind: type) -> tuple[tuple[str, Callable[[Any], Any], Callable[[Any, Any], None]], ...]:
    """Names of what it is made of, and how to get and set each as it is held."""
    names = [name for base in reversed(kind.__mro__) for name in base.__dict__.get("__slots__", ())]
    return tuple((name, *_raw(kind, name)) for name in names if name != "__weakref__")


def _raw(kind: type, name: str) -> tuple[Callable[[Any], Any], Callable[[Any, Any], None]]:
    slot = next(base.__dict__[name] for base in kind.__mro__ if name in base.__dict__)
    raw = getattr(slot, "raw", slot)
    return raw.__get__, raw.__set__


_SHELVES = frozenset({"shelf", "_shelf"})
"""Slots that hold the shelf: each reader has his own."""


# To bytes


class _Word:
    """Stands for a maker in a pack."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __call__(self, *values: Any) -> Any:
        """What the pickler wants it to be able to."""
        raise NotImplementedError


_KEY, _RUN, _PAGE, _ARRAY, _HANDLE, _SLIP = map(_Word, ("key", "run", "page", "array", "handle", "slip"))
_word = cache(_Word)


class _Packer(pickle.Pickler):
    def __init__(self, out: io.BytesIO, blob: Blob) -> None:
        super().__init__(out, pickle.HIGHEST_PROTOCOL)
        self._blob = blob

    def persistent_id(self, one: Any) -> Any:
        return one.word if type(one) is _Word else None

    def reducer_override(self, one: Any) -> Any:
        kind = type(one)
        if kind is Key:
            return _KEY, (one.session, one.kind.value, one.id)
        if (word := _kinds().get(kind)) is not None:
            slots = _slots(kind)  # type: ignore[arg-type]
            return _word(word), tuple([None if name in _SHELVES else get(one) for name, get, _ in slots])
        if (word := _models().get(kind)) is not None:
            return _word(word), _model_values(one)
        if kind is Handle:
            return _HANDLE, self._handle(one)
        if kind is array:
            return _ARRAY, (one.typecode, one.tobytes())
        if kind is Page:
            return _PAGE, tuple(one)
        if kind is bytearray:
            return _word("bytearray"), (bytes(one),)
        if hasattr(one, "load"):
            return _SLIP, self._blob.put(one.load())
        raise pickle.PicklingError(f"a {kind.__name__} is no fact of ours")

    def _handle(self, one: Handle) -> tuple[Any, ...]:
        place = self._blob.put(pack(one.load(), self._blob))
        return one.kind, one.size, one.mime_type, one.without(LONG), *place


def _model_values(one: Base) -> tuple[Any, ...]:
    values = one.__dict__
    absent = tuple([name for name, value in values.items() if value is ABSENT])
    if absent:
        values = {name: value for name, value in values.items() if value is not ABSENT}
    return values, absent, one.__pydantic_extra__ or None, one.__pydantic_fields_set__


# And back


class _Unpacker(pickle.Unpickler):
    def __init__(self, data: io.BytesIO, blob: Blob, shelf: Shelf) -> None:
        super().__init__(data)
        self._makers = _Makers(blob, shelf)

    def persistent_load(self, word: Any) -> Maker:
        return self._makers[word]

    def find_class(self, module: str, name: str) -> Any:
        raise BadPack(f"{module}.{name} is no fact of ours")


class _Makers(dict[str, Maker]):
    """Makers by their word, each made when it is wanted; those of one reading belong to nobody else."""

    def __init__(self, blob: Blob, shelf: Shelf) -> None:
        kinds, new = {kind.value: kind for kind in Kind}, tuple.__new__
        super().__init__(
            key=lambda session, kind, id: new(Key, (session, kinds[kind], id)),
            page=lambda slip, size, newlines: Page(slip, size, newlines),
            array=_array,
            bytearray=bytearray,
            slip=lambda *place: blob.at(place),
            handle=partial(_handled, blob, shelf),
        )
        self._shelf = shelf

    def __missing__(self, word: str) -> Maker:
        for kind, known in _kinds().items():
            if known == word:
                self[word] = made = _slotted(kind, self._shelf)
                return made
        for kind, known in _models().items():
            if known == word:
                self[word] = made = _modelled(kind)
                return made
        raise BadPack(f"{word} is no fact of ours")


def _slotted(kind: type, shelf: Shelf) -> Maker:
    new, slots = object.__new__, _slots(kind)
    setters = [set for _, _, set in slots]
    shelves = [set for name, _, set in slots if name in _SHELVES]

    def make(*values: Any) -> Any:
        if len(values) != len(setters):
            raise BadPack("too many values, or too few")
        one: Any = new(kind)
        any(map(call, setters, repeat(one), values))  # none returns anything: the quickest way to call them
        for set in shelves:
            set(one, shelf)
        return one

    return make


def _modelled(kind: type[Any]) -> Maker:
    new, set = object.__new__, object.__setattr__

    def make(values: dict[str, Any], absent: tuple[str, ...], extra: Any, given: Any) -> Any:
        one: Any = new(kind)
        if absent:
            values.update(dict.fromkeys(absent, ABSENT))
        set(one, "__dict__", values)
        set(one, "__pydantic_extra__", {} if extra is None else extra)
        set(one, "__pydantic_fields_set__", given)
        set(one, "__pydantic_private__", None)
        return one

    return make


def _array(typecode: str, data: bytes) -> array[int]:
    if typecode not in "BHI":
        raise BadPack("an array of something else")
    return array(typecode, data)


def _handled(blob: Blob, shelf: Shelf, kind: str, size: int, mime: str, rest: Any, *place: Any) -> Handle:
    load = partial(_loaded, blob, shelf, blob.at(place))
    return Handle(kind, size, load, mime, partial(shortened, rest))


def _loaded(blob: Blob, shelf: Shelf, place: Place) -> Any:
    try:
        return unpack(place.load(), blob, shelf)
    except BadPack:
        raise Gone("it was damaged") from None
