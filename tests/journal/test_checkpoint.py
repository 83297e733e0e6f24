"""Wherever a checkpoint was taken, it and the rest are the same as everything from the start."""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
from array import array
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.inspection.state import describe
from acp_tui.journal.checkpoint import DIGEST, MAGIC, Checkpoints
from acp_tui.journal.folding import Folded, fold
from acp_tui.journal.packing import FINGERPRINT, BadPack, unpack
from acp_tui.journal.saved import Saved
from acp_tui.protocol.model import Base
from acp_tui.store.entities import Message, ToolCall
from acp_tui.store.holding import BIG, Handle
from acp_tui.store.keys import Key, Kind
from tests.journal.keeping import (
    INITIALIZE,
    TRACES,
    VECTORS,
    Program,
    Said,
    ask,
    chunk,
    library,
    opened,
    resumed,
    run,
    said,
    sessions,
    turn,
    update,
)
from tests.journal.test_folding import CHILD, STORIES, tell


def whole(folded: Folded) -> dict[str, Any]:
    """Everything that is known, with what only we know of it."""
    return {**describe(folded.player), "standing": plain(folded.standing()), "at": folded.at}


def plain(value: Any) -> Any:
    """By its parts, as they are held, wherever the big ones lie."""
    if isinstance(value, Handle):
        return ["Handle", value.kind, value.size, value.mime_type, plain(value.load()), value.without("?")]
    if isinstance(value, Key | Kind | str | int | float | bytes | bytearray | array | Base | None):
        return value
    if isinstance(value, dict):
        return [(plain(key), plain(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if hasattr(value, "load"):
        return plain(value.load())
    slots = [name for base in type(value).__mro__ for name in base.__dict__.get("__slots__", ())]
    return [type(value), *(plain(held(value, name)) for name in slots if name not in ("shelf", "_shelf"))]


def held(value: Any, name: str) -> Any:
    slot = next(base.__dict__[name] for base in type(value).__mro__ if name in base.__dict__)
    return getattr(slot, "raw", slot).__get__(value)


def one_session(tmp_path: Path, *more: Said) -> tuple[Program, Saved]:
    program = run(tmp_path / "journal", [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *CHILD, *more])
    return program, library(tmp_path / "journal")[0]


def only(folder: Path, pattern: str = "*.checkpoint") -> Path:
    [path] = folder.glob(pattern)
    return path


class Counted(Checkpoints):
    """Says what was folded behind a checkpoint."""

    def folded(self, saved: Saved) -> tuple[Folded, int]:
        read = self._read(saved, fold(saved).store.shelf)
        assert read is not None
        return read, read.follow()


@pytest.mark.parametrize("record", [*TRACES, *VECTORS], ids=lambda path: path.stem)
def test_what_is_kept_comes_back(record: Path, tmp_path: Path) -> None:
    run(tmp_path / "journal", said(record))
    points = Counted(tmp_path / "cache")
    for saved in library(tmp_path / "journal"):
        folded = fold(saved)
        if points.keep(folded):
            again, count = points.folded(saved)
            assert count == 0
            assert whole(again) == whole(folded)


@settings(deadline=None, max_examples=40)
@given(story=STORIES, data=st.data())
def test_from_any_place_on(
    story: list[Any], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("points")
    tell(folder / "journal", story)
    points = Counted(folder / "cache")
    for saved in library(folder / "journal"):
        path, expected = saved.last.path, whole(fold(saved))
        full = path.read_bytes()
        path.write_bytes(full[: data.draw(st.integers(0, len(full)))])
        kept = points.keep(fold(saved))
        path.write_bytes(full)
        if kept:
            assert whole(points.folded(saved)[0]) == expected
        assert whole(points.open(saved)) == expected


def test_only_what_came_after_is_folded(tmp_path: Path) -> None:
    program, saved = one_session(tmp_path)
    points = Counted(tmp_path / "cache")
    assert points.keep(fold(saved))
    program.say(turn("a", 2, 3))
    folded, count = points.folded(saved)
    assert count == 9
    assert sessions(folded) == sessions(program.live)
    program.say([*turn("a", 3, 4), ("#", "Gone.")])
    program.start()
    program.say([*INITIALIZE, *resumed("a", 10, *turn("a", 1, 9)[3:6]), *turn("a", 4, 11)])
    [later] = library(tmp_path / "journal")
    folded, _ = points.folded(later)
    assert sessions(folded) == sessions(program.live)
    assert points.keep(folded)
    folded, count = points.folded(later)
    assert count == 0
    assert whole(folded) == whole(fold(later))


@pytest.mark.parametrize(
    "waits",
    [
        ask(5, "session/prompt", sessionId="a", prompt=[]),
        ask(5, "session/list"),
        ask(5, "session/resume", sessionId="a", cwd="/w", replayFrom={"type": "start"}),
        ask(5, "session/close", sessionId="a"),
        (
            "<",
            {
                "id": 1,
                "method": "session/request_permission",
                "params": {
                    "sessionId": "a",
                    "title": "May I?",
                    "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}],
                },
            },
        ),
    ],
    ids=["prompt", "list", "replay", "close", "permission"],
)
def test_none_is_taken_while_something_waits(tmp_path: Path, waits: Said) -> None:
    _, saved = one_session(tmp_path, waits)
    assert not Checkpoints(tmp_path / "cache").keep(fold(saved))


def test_none_is_taken_of_what_was_given_up(tmp_path: Path) -> None:
    _, saved = one_session(tmp_path)
    folded = fold(saved)
    folded.lose()
    assert not Checkpoints(tmp_path / "cache").keep(folded)


def test_one_is_kept_on_the_way_where_the_end_is_not_at_rest(tmp_path: Path) -> None:
    many = [said for n in range(5, 250) for said in turn("a", n, n)]
    _, saved = one_session(tmp_path, *many, *turn("a", 300, 300)[:2])
    points = Counted(tmp_path / "cache")
    expected = whole(fold(saved))
    assert whole(points.bring_up(saved)) == expected
    folded, count = points.folded(saved)
    assert 0 < count < 1000
    assert whole(folded) == expected


def damaged(data: bytes) -> list[bytes]:
    dice = random.Random(1)
    found = [b"", MAGIC, data[:-1], data[: len(data) // 2], data + b"x", b"\0" * len(data)]
    for _ in range(200):
        at = dice.randrange(len(data))
        found.append(data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :])
    return found


def test_a_damaged_one_is_passed_over(tmp_path: Path) -> None:
    _, saved = one_session(tmp_path)
    points = Checkpoints(tmp_path / "cache")
    points.keep(fold(saved))
    path = only(tmp_path / "cache")
    expected = whole(fold(saved))
    for bad in damaged(path.read_bytes()):
        path.write_bytes(bad)
        assert whole(points.open(saved)) == expected


def test_one_of_other_code_is_passed_over(tmp_path: Path) -> None:
    _, saved = one_session(tmp_path)
    points = Checkpoints(tmp_path / "cache")
    points.keep(fold(saved))
    path = only(tmp_path / "cache")
    path.write_bytes(forged(path.read_bytes()))
    assert points._read(saved, fold(saved).store.shelf) is not None
    path.write_bytes(forged(path.read_bytes(), code="0" * len(FINGERPRINT)))
    assert points._read(saved, fold(saved).store.shelf) is None


def test_one_of_another_journal_is_passed_over(tmp_path: Path) -> None:
    program, saved = one_session(tmp_path)
    points = Checkpoints(tmp_path / "cache")
    points.keep(fold(saved))
    data = program.path.read_bytes()
    program.path.write_bytes(data.replace(b"answer 1: ", b"otherwise "))
    assert whole(points.open(saved)) == whole(fold(saved))
    assert "otherwise" in repr(sessions(points.open(saved)))


BOMBS: list[Any] = [
    (os.system, ("false",)),
    (eval, ("1+1",)),
    (print, ("oh",)),
]


class Bomb:
    def __init__(self, what: Any) -> None:
        self.what = what

    def __reduce__(self) -> Any:
        return self.what


@pytest.mark.parametrize("what", BOMBS, ids=["system", "eval", "print"])
def test_nothing_of_what_it_says_is_run(tmp_path: Path, what: Any, capfd: Any) -> None:
    _, saved = one_session(tmp_path)
    points = Checkpoints(tmp_path / "cache")
    points.keep(fold(saved))
    path = only(tmp_path / "cache")
    path.write_bytes(forged(path.read_bytes(), pickle.dumps(Bomb(what))))
    assert whole(points.open(saved)) == whole(fold(saved))
    assert capfd.readouterr() == ("", "")


def forged(data: bytes, body: bytes | None = None, **facts: Any) -> bytes:
    """A checkpoint with another body, or other facts, and the right checksum."""
    begin = len(MAGIC) + DIGEST
    head, old = data[begin:].split(b"\n", 1)
    rest = json.dumps({**json.loads(head), **facts}).encode() + b"\n" + (old if body is None else body)
    return MAGIC + sha256(rest).digest() + rest


class Named:
    """Writes a maker of the packer."""

    def __init__(self, word: str) -> None:
        self.word = word


class Forger(pickle.Pickler):
    def persistent_id(self, one: Any) -> Any:
        return one.word if isinstance(one, Named) else None


def forge(build: Any) -> bytes:
    import io

    out = io.BytesIO()
    Forger(out, 5).dump(build)
    return out.getvalue()


@pytest.mark.parametrize(
    "facts",
    [
        *({"places": wrong} for wrong in ([], 7, [[1]])),
        *({"blob": wrong} for wrong in ("../x", 7)),
        *({"at": "x"}, {"count": None}, {"ids": 3}, {"more": 1}),
    ],
)
def test_a_head_of_another_shape_is_passed_over(tmp_path: Path, facts: dict[str, Any]) -> None:
    _, saved = one_session(tmp_path)
    points = Checkpoints(tmp_path / "cache")
    points.keep(fold(saved))
    path = only(tmp_path / "cache")
    path.write_bytes(forged(path.read_bytes(), **facts))
    assert whole(points.open(saved)) == whole(fold(saved))


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        [],
        {"sessions": []},
        Named("key"),
        Named("acp_tui.store.session.Session"),
        Named("acp_tui.client.standing.Standing"),
        Named("os.system"),
    ],
)
def test_facts_of_another_shape_are_passed_over(tmp_path: Path, value: Any) -> None:
    _, saved = one_session(tmp_path)
    points = Checkpoints(tmp_path / "cache")
    points.keep(fold(saved))
    path = only(tmp_path / "cache")
    path.write_bytes(forged(path.read_bytes(), forge(value)))
    assert whole(points.open(saved)) == whole(fold(saved))


def test_reading_changes_nothing_that_was_there(tmp_path: Path) -> None:
    """The opcode that sets attributes finds nothing but what was just made."""
    del tmp_path
    before = dict(vars(Kind.TOOL_CALL))
    maker = b"\x8c\x03keyQ"  # the maker of keys
    key = maker + b"\x8c\x01s\x8c\x09tool_call\x8c\x01i\x87R"
    for made in (maker, key):
        for state in (b"}\x8c\x07_value_\x8c\x01xsb.", b"N}\x8c\x04kind\x8c\x01xs\x86b."):
            with pytest.raises(BadPack):
                value = unpack(b"\x80\x05" + made + state, None, None)  # type: ignore[arg-type]
                raise BadPack(repr(value))
    assert dict(vars(Kind.TOOL_CALL)) == before
    assert unpack(b"\x80\x05" + key + b".", None, None) == Key("s", Kind.TOOL_CALL, "i")  # type: ignore[arg-type]


LARGE = "long words " * (BIG // 5)


def big(tmp_path: Path) -> tuple[Program, Saved]:
    data = {"type": "image", "mimeType": "image/png", "data": "A" * 2 * BIG}
    return one_session(
        tmp_path,
        chunk("a", "big", LARGE),
        update("a", "agent_message", messageId="img", content=[data]),
        update("a", "tool_call_update", toolCallId="t", rawInput={"deep": [LARGE]}, status="completed"),
        update("a", "terminal_update", terminalId="x", output={"data": "QUFB" * BIG}, exitStatus={}),
        *turn("a", 2, 7),
    )


def test_big_content_lies_beside_it_until_it_is_looked_at(tmp_path: Path) -> None:
    _, saved = big(tmp_path)
    points = Counted(tmp_path / "cache")
    expected = whole(fold(saved))
    assert points.keep(fold(saved))
    assert only(tmp_path / "cache").stat().st_size < 30_000
    blob = only(tmp_path / "cache", "*.blob")
    assert blob.stat().st_size > 4 * BIG
    folded, _ = points.folded(saved)
    blob.unlink()  # it is open as long as it is wanted
    assert whole(folded) == expected
    assert points.keep(folded)
    assert whole(points.folded(saved)[0]) == expected


def test_older_blobs_go(tmp_path: Path) -> None:
    program, saved = big(tmp_path)
    points = Checkpoints(tmp_path / "cache")
    points.keep(fold(saved))
    first = only(tmp_path / "cache", "*.blob")
    program.say(turn("a", 3, 8))
    points.keep(points.open(saved))
    assert only(tmp_path / "cache", "*.blob") != first
    points.forget(saved.id)
    points.forget(saved.id)
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize("how", ["gone", "shorter"])
def test_without_its_blob_it_is_passed_over(tmp_path: Path, how: str) -> None:
    _, saved = big(tmp_path)
    points = Checkpoints(tmp_path / "cache")
    points.keep(fold(saved))
    blob = only(tmp_path / "cache", "*.blob")
    if how == "gone":
        blob.unlink()
    else:
        os.truncate(blob, 10)
    assert whole(points.open(saved)) == whole(fold(saved))


def test_damage_in_the_blob_is_told_where_it_is(tmp_path: Path) -> None:
    _, saved = big(tmp_path)
    points = Counted(tmp_path / "cache")
    points.keep(fold(saved))
    blob = only(tmp_path / "cache", "*.blob")
    blob.write_bytes(b"\0" * blob.stat().st_size)
    folded, _ = points.folded(saved)
    assert folded.session is not None
    entities = folded.session.entities
    message = entities[Key(folded.session.ref, Kind.AGENT_MESSAGE, "big")]
    call = entities[Key(folded.session.ref, Kind.TOOL_CALL, "t")]
    assert isinstance(message, Message)
    assert isinstance(call, ToolCall)
    assert "damaged" in message.content.text()
    assert not points.keep(folded)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    _, saved = big(tmp_path)
    (tmp_path / "cache").write_text("in the way")
    points = Checkpoints(tmp_path / "cache")
    with pytest.raises(OSError):
        points.keep(fold(saved))
    assert whole(points.open(saved)) == whole(fold(saved))


def test_it_is_read_in_another_process(tmp_path: Path) -> None:
    """Nothing in it is only right in the process that wrote it."""
    big(tmp_path)
    begin = (
        "import sys; from pathlib import Path; from tests.journal.test_checkpoint import *\n"
        "points = Counted(Path(sys.argv[1], 'cache'))\n"
        "[saved] = library(Path(sys.argv[1], 'journal'))\n"
    )
    for rest in (
        "assert points.keep(fold(saved))",
        "assert whole(points.folded(saved)[0]) == whole(fold(saved))",
    ):
        command = [sys.executable, "-c", begin + rest, str(tmp_path)]
        subprocess.run(command, check=True, cwd=Path(__file__).parents[2])


def test_adopted_by_a_live_client_it_goes_on(tmp_path: Path) -> None:
    """What was folded is resumed beside other sessions, and new prompts get new numbers."""
    _, saved = one_session(tmp_path)
    folded = fold(saved)
    folded.lose()
    program = run(tmp_path / "other", [*INITIALIZE, *opened("z"), *turn("z", 1, 2)], pid=9)
    program.live.client.adopt(folded.store.sessions.values())
    program.say([*resumed("a", 10, from_start=False), *turn("a", 2, 11)])
    known = sessions(program.live)
    assert [id for _, id in known["a"]["timeline"]] == ["u1", "a1", "c1", "u2", "a2", "c2"]
    assert known["a"]["state"] == "idle"
    numbers = [one.number for one in program.live.client.submissions.values()]
    assert len(set(numbers)) == len(numbers)
    assert folded.session is not None
    assert max(numbers) > 1
