"""What can be taken out of the detail screen: copied, saved exactly, edited, opened, found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from acp_tui.store.keys import Kind
from acp_tui.ui.detail import outside
from acp_tui.ui.detail.pieces import decoded, file_name, free, save, target, viewable
from tests.store.seen import Fed
from tests.ui.detail_stage import Reading, b64, reading
from tests.ui.test_detail import PATCH, call, diff, item, terminal
from tests.ui.transcript.stage import text

pytestmark = pytest.mark.anyio

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (3).to_bytes(4, "big") + (4).to_bytes(4, "big") + bytes(range(256))


def message(words: str) -> Fed:
    return Fed()("agent_message", messageId="m", content=[text(words)])


def picture(data: bytes = PNG, mime_type: str = "image/png") -> Fed:
    block = {"type": "image", "data": b64(data), "mimeType": mime_type}
    return Fed()("agent_message", messageId="m", content=[block])


async def saved(on: Reading, folder: Path, name: str) -> bytes:
    """Save what the cursor is in under another name."""
    await on.press("w")
    await on.until("as: ")
    await on.press("ctrl+u", *name, "enter")
    await on.until(f"/{name}")
    return content(folder / name)


def content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


# Saving


async def test_a_message_is_saved_as_its_markdown_under_a_name_that_is_free(tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text("mine")
    async with reading(message("# T\n\n*words* ü"), Kind.AGENT_MESSAGE, "m", cwd=str(tmp_path)) as on:
        await on.press("w")
        await on.until("Save the answer as: answer-2.md")
        await on.press("enter")
        await on.until("Saved")
    assert (tmp_path / "answer-2.md").read_text() == "# T\n\n*words* ü"
    assert (tmp_path / "answer.md").read_text() == "mine"


async def test_bytes_of_a_terminal_and_a_picture_are_exact(tmp_path: Path) -> None:
    raw = bytes(range(256)) * 300 + b"\xff\xfe\n"
    image = item({"type": "image", "data": b64(PNG), "mimeType": "image/png"})
    fed = call(Fed(), {"type": "terminal", "terminalId": "x1"}, image)
    fed("terminal_update", terminalId="x1", output={"data": b64(raw)}, command="cat /dev/x")
    async with reading(fed, Kind.TOOL_CALL, "c1", cwd=str(tmp_path), size=(80, 30)) as on:
        assert await saved(on, tmp_path, "out") == raw
        await on.press("end")
        await on.press("right_square_bracket")
        assert "▣ image · PNG · 3×4" in on.text()
        assert await saved(on, tmp_path, "p.png") == PNG


async def test_nothing_is_replaced_without_a_yes(tmp_path: Path) -> None:
    place = tmp_path / "mine.md"
    place.write_text("mine")
    async with reading(message("the agent's"), Kind.AGENT_MESSAGE, "m", cwd=str(tmp_path)) as on:
        for key, left in (("escape", "mine"), ("enter", "the agent's")):
            await on.press("w", "ctrl+u", *"mine.md", "enter")
            await on.until("Replace it?")
            on.screen.ear.appeared(0.0)  # type: ignore[attr-defined]
            await on.press(key)
            await on.until(lambda: on.screen is on.tabbed)
            await on.until(lambda left=left: place.read_text() == left)


async def test_what_cannot_be_saved_says_why(tmp_path: Path) -> None:
    fed = Fed()
    fed("agent_message", messageId="m", content=[{"type": "image", "data": "no base64!", "mimeType": "x"}])
    async with reading(fed, Kind.AGENT_MESSAGE, "m", cwd=str(tmp_path)) as on:
        await on.press("w", "ctrl+u", *"x.png", "enter")
        await on.until("Not saved: this is no base64")
    async with reading(message("x"), Kind.AGENT_MESSAGE, "m", cwd=str(tmp_path)) as on:
        await on.press("w", "ctrl+u", *"no/x.md", "enter")
        await on.until("Not saved: No such file")
        await on.press("w", "escape")
        assert "as: " not in on.text() and on.screen is on.tabbed
    assert not content(tmp_path / "x.png")


def test_a_suggested_name_is_plain() -> None:
    assert file_name("file:///w/../../etc/passwd", "x") == "passwd"
    assert file_name("..", "x") == "x"
    assert file_name("-rf \x1b[2J ~", "x") == "rf"
    assert file_name("a\\b\\c d.txt", "x") == "c-d.txt"
    assert file_name("", "data", ".png") == "data.png"
    assert file_name("ü.PNG", "data", ".png") == "ü.PNG"
    assert len(file_name("x" * 500, "x")) <= 80


def test_names_that_are_free_and_places_that_are_meant(tmp_path: Path) -> None:
    assert free("a.log", str(tmp_path)) == "a.log"
    (tmp_path / "a.log").symlink_to("nowhere")
    assert free("a.log", str(tmp_path)) == "a-2.log"
    assert target("x/../y", str(tmp_path)) == tmp_path / "y"
    assert target("~/y", str(tmp_path)) == Path.home() / "y"
    save(tmp_path / "new", b"1", replace=False)
    with pytest.raises(FileExistsError):
        save(tmp_path / "new", b"2", replace=False)
    with pytest.raises(ValueError, match="no base64"):
        decoded("a")


# Copying


async def test_y_copies_what_the_cursor_is_in_and_nothing_that_could_hurt(tmp_path: Path) -> None:
    fed = call(Fed(), item(text("some \x1b[31mwords\x1b[0m\n\tx")), diff())
    async with reading(fed, Kind.TOOL_CALL, "c1", size=(80, 30)) as on:
        await on.press("y")
        await on.until("Copied the text")
        assert on.app.clipboard == "some words\n\tx"
        await on.press("right_square_bracket", "y")
        await on.until("Copied the patch")
        assert on.app.clipboard == PATCH


async def test_a_selection_is_copied_as_its_source(tmp_path: Path) -> None:
    words = " ".join(f"word{n}" for n in range(40))
    async with reading(message(words), Kind.AGENT_MESSAGE, "m") as on:
        area = on.sheet.region
        await on.pilot.mouse_down(offset=(area.x + 1, area.y))
        await on.pilot.hover(offset=(area.x + 20, area.y + 3))
        await on.pilot.mouse_up(offset=(area.x + 20, area.y + 3))
        await on.press("y")
        await on.until("Copied the selection")
        assert words.startswith(on.app.clipboard) and len(on.app.clipboard) > 200


async def test_too_much_is_not_copied() -> None:
    fed = terminal("x" * 99 + "\n")
    for _ in range(11):
        fed("terminal_output_chunk", terminalId="x1", data=b64(("x" * 99 + "\n") * 1000))
    async with reading(fed, Kind.TERMINAL, "x1") as on:
        await on.press("y")
        await on.until("too much for the clipboard")
        assert on.app.clipboard == ""


# Other programs


class Run:
    """Programs that were started."""

    def __init__(self) -> None:
        self.edited: list[tuple[str, int | None, str]] = []
        self.viewed: list[list[str]] = []

    async def edit(self, app: object, env: Mapping[str, str], path: str, line: int | None, cwd: str) -> str:
        self.edited.append((path, line, content(Path(cwd, path)).decode()))
        return ""

    def popen(self, command: list[str], **_: object) -> None:
        self.viewed.append(command)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    made = Run()
    monkeypatch.setattr("acp_tui.ui.screens.tabbed.edit", made.edit)
    monkeypatch.setattr(outside.subprocess, "Popen", made.popen)
    monkeypatch.setattr(outside.shutil, "which", lambda name: f"/usr/bin/{name}")
    return made


async def test_e_opens_the_file_at_its_line_or_the_words_in_a_file_of_their_own(run: Run) -> None:
    fed = call(Fed(), diff(), {"type": "terminal", "terminalId": "x1"})
    fed("terminal_update", terminalId="x1", output={"data": b64("said\n")}, command="make all")
    async with reading(fed, Kind.TOOL_CALL, "c1", size=(80, 40)) as on:
        await on.press("e")
        await on.until(lambda: run.edited)
        assert run.edited == [("/w/src/lex.py", 38, "")]
        await on.press(*["right_square_bracket"] * 3, "e")
        await on.until(lambda: len(run.edited) == 2)
        path, line, words = run.edited[1]
        assert Path(path).name == "make-all.log" and line is None and words == "said\n"
        assert Path(path).parent.stat().st_mode & 0o077 == 0


async def test_v_opens_pictures_that_are_pictures(run: Run) -> None:
    async with reading(picture(), Kind.AGENT_MESSAGE, "m") as on:
        assert "▣ image · PNG · 3×4" in on.text()
        assert run.viewed == []
        await on.press("v")
        await on.until("Opened in the system's viewer")
        opener, path = run.viewed[0]
        assert Path(opener).name in ("xdg-open", "open")
        assert path.endswith(".png") and content(Path(path)) == PNG


@pytest.mark.parametrize("data", [b"[Desktop Entry]\nExec=rm", b"<svg onload=x>", b"#!/bin/sh\n", b"", b"MZ"])
async def test_v_opens_nothing_else(run: Run, data: bytes) -> None:
    async with reading(picture(data), Kind.AGENT_MESSAGE, "m") as on:
        await on.press("v")
        await on.until("no picture or sound")
    assert run.viewed == [] and viewable(data) == ""


async def test_a_link_is_copied_and_not_followed(run: Run) -> None:
    async with reading(message("[here](https://example.org/x)"), Kind.AGENT_MESSAGE, "m") as on:
        area = on.sheet.region
        await on.pilot.click(offset=(area.x + 2, area.y))
        await on.until("Link copied")
        assert on.app.clipboard == "https://example.org/x"


# Searching


async def test_search_counts_and_goes_round_also_through_what_was_never_drawn() -> None:
    lines = "\n".join(f"line {n}" + (" Needle" if n % 1000 == 999 else "") for n in range(5000))
    resource = {"type": "resource", "resource": {"uri": "file:///w/a.txt", "text": lines}}
    async with reading(call(Fed(), item(resource)), Kind.TOOL_CALL, "c1") as on:
        await on.press("slash")
        await on.type("needle")
        await on.until("1 of 5")
        assert "line 999 Needle" in on.text()
        await on.press("enter", "n", "n")
        assert "3 of 5" in on.text() and "line 2999 Needle" in on.text()
        await on.press("N", "N", "N")
        assert "5 of 5" in on.text() and "line 4999 Needle" in on.text()
        await on.press("slash")
        await on.type("X")
        await on.until("not found")
        await on.press("escape", "escape")
        assert on.sheet.search is None and on.screen is on.tabbed
        assert "line 4999 Needle" in on.text()


async def test_upper_case_makes_case_count_and_a_wrapped_hit_is_one() -> None:
    words = "x" * 76 + "Needle needle"
    async with reading(message(f"```\n{words}\n```"), Kind.AGENT_MESSAGE, "m") as on:
        await on.press("slash")
        await on.type("needle")
        await on.until("1 of 2")
        await on.press("ctrl+u")
        await on.type("Needle")
        await on.until("1 of 1")


async def test_search_is_no_pattern_and_finds_nothing_in_nothing() -> None:
    async with reading(message("a.c abc (("), Kind.AGENT_MESSAGE, "m") as on:
        for sought, count in (("a.c", "1 of 1"), ("((", "1 of 1"), ("[", "not found")):
            await on.press("slash", "ctrl+u")
            await on.press(*sought)
            await on.until(count)
            await on.press("enter")
