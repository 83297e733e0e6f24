"""What cannot be saved is said, on the screen and among the notices; the chat goes on; when the cause is gone
saving goes on too, and that is said as well.

Tests may run as root, who is denied nothing: a file stands where a folder is wanted, or no file may grow.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from acp_tui.base import paths
from acp_tui.journal.library import Library
from acp_tui.journal.log import read
from acp_tui.ui.screens.notices import NoticesScreen
from acp_tui.ui.screens.quit import QuitScreen
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


def records() -> list[str]:
    """All that was said, by all journals, in their order."""
    found = []
    for path in sorted(paths.journal_dir().glob("*/*.ndjson")):
        found += [str(record.get("msg", record.get("event"))) for record in read(path) if "seq" in record]
    return found


def journal() -> Path:
    (path,) = paths.journal_dir().glob("*/*.ndjson")
    return path


async def say(driven: Driven, text: str) -> None:
    """A prompt, and its answer."""
    await driven.say(text)
    await driven.until(f"you said {text}")
    await driven.until(lambda: driven.session.state == "idle")


async def told(driven: Driven, *texts: str) -> None:
    """All of it stands among the notices."""
    await driven.press("f2")
    await driven.until(lambda: all(text in " ".join(driven.text().split()) for text in texts))
    assert isinstance(driven.app.screen, NoticesScreen)
    await driven.press("escape")


@contextmanager
def no_room() -> Iterator[None]:
    """The disk is full, for this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def no_folder(name: str = "") -> Iterator[None]:
    """A file stands in the place of the state folder, or of one in it."""
    path = paths.state_dir() / name
    paths.private(path.parent)
    path.write_text("")
    yield
    path.unlink()


CAUSES: dict[str, tuple[Callable[[], AbstractContextManager[None]], str]] = {
    "the disk is full": (no_room, "disk is full"),
    "the state folder is a file": (no_folder, "exists"),
    "the journal folder is a file": (lambda: no_folder("journal"), "exists"),
}


@pytest.mark.parametrize("cause", CAUSES)
async def test_from_the_start_nothing_can_be_saved(cause: str) -> None:
    spoil, why = CAUSES[cause]
    with spoil():
        async with driving(words()) as driven:
            await driven.until("Not saved")
            await driven.until(why)
            await driven.until("NOT SAVED")
            await say(driven, "hello")
            await driven.press("ctrl+q")
            await driven.until("it is in memory only")
            assert isinstance(driven.app.screen, QuitScreen)
            await driven.press("escape")
    assert records() == []


@pytest.mark.parametrize("cause", CAUSES)
async def test_when_the_cause_is_gone_all_of_it_is_saved(cause: str) -> None:
    spoil, _ = CAUSES[cause]
    with spoil():
        spoilt = driving(words())
        driven = await spoilt.__aenter__()
        await driven.until("NOT SAVED")
        await say(driven, "hello")
    await driven.until("Saved again")
    await driven.until(lambda: "NOT SAVED" not in driven.text())
    await say(driven, "after")
    await told(driven, "Not saved", "nothing is missing")
    await spoilt.__aexit__(None, None, None)
    assert "session/new" in "".join(records()[:4])
    assert [text in "".join(records()) for text in ("you said hello", "you said after")] == [True, True]


async def test_a_disk_that_fills_up_in_the_midst() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await say(driven, "hello")
        with no_room():
            await say(driven, "full")
            await driven.until("NOT SAVED")
            await say(driven, "fuller")
        await driven.until("Saved again")
    (entry,) = Library().entries()
    assert entry.messages == 6
    assert "gap" not in "".join(records())


@pytest.mark.parametrize("by", [None, "precious"])
async def test_a_journal_that_is_taken_away(by: str | None) -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await say(driven, "hello")
        taken = journal()
        taken.unlink()
        if by is not None:
            taken.write_text(by)
        await say(driven, "after")
        await driven.until("saved in part")
        await told(driven, "Saved in part", "was removed")
        await say(driven, "last")
    if by is not None:
        assert taken.read_text() == by
        taken.unlink()
    said = "".join(records())
    assert "you said after" in said and "you said last" in said
    (entry,) = Library().entries()
    assert entry.messages >= 4


async def test_a_clock_that_goes_backwards() -> None:
    now = 2_000_000_000.0

    def clock() -> float:
        return now

    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        await say(driven, "hello")
        now -= 86_400 * 365
        await say(driven, "earlier")
        with no_room():
            await say(driven, "full")
            await driven.until("NOT SAVED")
            now -= 1000
        await driven.until("Saved again")
        now += 1000
        await say(driven, "last")
    (entry,) = Library().entries()
    assert entry.messages == 8 and entry.title == "hello"
    numbers = [record["seq"] for record in read(journal()) if "seq" in record]
    assert numbers == list(range(len(numbers)))


async def test_what_is_being_written_is_kept_again_when_that_can_be() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        with no_room():
            driven.composer.focus()
            await driven.type("half a thought")
            await driven.until("What you write is not kept")
        await driven.until("What you write is kept again")
        (kept,) = (paths.state_dir() / "drafts").glob("*.json")
        assert "half a thought" in kept.read_text()


async def test_a_cache_that_cannot_be_written_keeps_nobody_from_reading() -> None:
    paths.cache_dir().parent.mkdir(parents=True, exist_ok=True)
    paths.cache_dir().write_text("")
    async with driving(words()) as driven:
        await driven.ready()
        await say(driven, "hello")
        assert "NOT SAVED" not in driven.text()
        await driven.press("f11")
        await driven.until("The index could not be made")
        await driven.until("hello")
        await driven.press("escape")
        await say(driven, "after")


async def test_marks_that_are_damaged_hide_nothing() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await say(driven, "hello")
    (entry,) = Library().entries()
    Library().marks.rename(entry.id, "my name", 1.0)
    marks = paths.state_dir() / "marks.ndjson"
    marks.write_bytes(b"\0\xff{{\n[]\n" + marks.read_bytes() + b'{"t":1,"sess')
    async with driving() as driven:
        await driven.press("f11")
        await driven.until("my name")


async def test_marks_that_cannot_be_written_say_so() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await say(driven, "hello")
    (paths.state_dir() / "marks.ndjson").mkdir()
    async with driving() as driven:
        await driven.press("f11")
        await driven.until("hello")
        await driven.press("p")
        await driven.until("could not be kept")
