"""Long pastes, files that are pasted or dropped, what is attached (PR-03)."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from textual import events

from acp_tui.services.history import History
from acp_tui.ui.screens.pasted import PastedScreen
from acp_tui.ui.widgets.attached import Attached
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio
LONG = "\n".join(f"line {n}" for n in range(42))
PIECE = "[pasted 42 lines #1]"


def png(path: Path) -> Path:
    """The smallest picture there is."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    )
    return path


async def paste(driven: Driven, text: str) -> None:
    """The way that keys come, behind them."""
    driver = driven.app._driver
    assert driver is not None
    driver.process_message(events.Paste(text))
    await driven.pilot.pause()


# A long paste is one thing


async def test_a_long_paste_is_one_thing_for_every_key() -> None:
    async with driving(words()) as driven:
        await driven.type("a ")
        await paste(driven, LONG)
        await driven.type("b")
        assert driven.composer.text == f"a {PIECE}b"
        await driven.press("left", "left")
        assert driven.composer.at == 2
        await driven.press("right")
        assert driven.composer.at == 2 + len(PIECE)
        await driven.press("backspace")
        assert driven.composer.text == "a b"
        await driven.press("ctrl+underscore")
        assert driven.composer.text == f"a {PIECE}b"
        await driven.press("ctrl+a", "right", "right", "delete")
        assert driven.composer.text == "a b"
        await driven.press("ctrl+underscore", "ctrl+e", "left", "ctrl+w")
        assert driven.composer.text == "a b"
        await driven.press("ctrl+y")
        assert driven.composer.text == f"a {PIECE}b"


async def test_a_long_paste_is_sent_whole(tmp_path: Path) -> None:
    async with driving(words("takes=embeddedContext"), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await paste(driven, LONG + "\n@property\n@x.y")
        await driven.type(" end")
        await driven.press("enter")
        await driven.until("you said end")
        text = f"{LONG}\n@property\n@x.y end"
        assert [one.text for one in History(str(tmp_path)).prompts()] == [text]
        assert "you said @x.y" in driven.text()
        assert "no such file" not in driven.text(), "in a paste nobody mentions anything"


async def test_what_is_typed_like_a_piece_is_text() -> None:
    async with driving(words()) as driven:
        await driven.type(PIECE)
        await driven.press("backspace")
        assert driven.composer.text == PIECE[:-1]


async def test_a_long_paste_is_viewed_changed_written_out_and_taken_out(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.press("alt+v")
        await driven.until("There is no long paste")
        await paste(driven, LONG)
        await driven.press("alt+v")
        await driven.until("line 5")
        assert isinstance(driven.app.screen, PastedScreen) and "Pasted: 42 lines" in driven.text()
        await driven.press("x")
        await driven.until(lambda: driven.composer.text == LONG)
        await driven.press("ctrl+underscore")
        assert driven.composer.text == PIECE
        await driven.press("alt+v", "delete")
        await driven.until(lambda: driven.app.screen is driven.app.chats.shown and driven.composer.text == "")
        await driven.press("ctrl+underscore")
        await driven.until(PIECE)
        await driven.pilot.click("Composer", offset=(4, 0))
        await driven.until("Pasted: 42 lines")
        await driven.press("escape")
        await driven.until(PIECE)


# Files


async def test_a_picture_is_attached_where_the_agent_takes_it(tmp_path: Path) -> None:
    shot = png(tmp_path / "my shot.png")
    async with driving(words("takes=image"), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await paste(driven, str(shot).replace(" ", "\\ ") + " ")
        await driven.until("+ my shot.png  image/png")
        assert driven.composer.text == ""
        await driven.type("blocks")
        await driven.press("enter")
        await driven.until("you said text+image")
        assert not driven.chat.query_one(Attached).display


async def test_a_picture_alone_can_be_sent(tmp_path: Path) -> None:
    shot = png(tmp_path / "a.png")
    async with driving(words("takes=image"), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await paste(driven, shot.as_uri())
        await driven.until("+ a.png")
        await driven.press("enter")
        await driven.until(lambda: driven.session.timeline)


async def test_where_pictures_are_not_taken_the_path_is_written_and_why_is_said(tmp_path: Path) -> None:
    shot = png(tmp_path / "a.png")
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await paste(driven, f"'{shot}'")
        await driven.until("takes no images")
        assert driven.composer.text == f"{shot} "


async def test_a_file_of_the_session_is_mentioned_and_another_attached(tmp_path: Path) -> None:
    inside, outside = tmp_path / "w" / "a b.py", tmp_path / "out.log"
    inside.parent.mkdir()
    inside.write_text("x")
    outside.write_text("y")
    async with driving(words(), cwd=str(inside.parent)) as driven:
        await driven.ready()
        await paste(driven, str(inside).replace(" ", "\\ "))
        await driven.until(lambda: driven.composer.text == '@"a b.py" ')
        await paste(driven, str(outside))
        await driven.until("+ out.log  text/plain 1 B")
        await paste(driven, str(outside))
        await driven.until(lambda: driven.composer.text == f'@"a b.py" {outside}')
        driven.composer.put("blocks")
        await driven.press("enter")
        await driven.until("you said text+resource_link")


async def test_a_path_that_is_part_of_a_sentence_is_text(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await paste(driven, f"{tmp_path} is where it stands")
        assert driven.composer.text == f"{tmp_path} is where it stands"
        driven.composer.put("")
        await paste(driven, "/no/such/file")
        assert driven.composer.text == "/no/such/file"


async def test_what_is_attached_is_taken_off_by_keys_and_clicks(tmp_path: Path) -> None:
    for name in ("a.log", "b.log", "c.log"):
        (tmp_path / name).write_text("x")
    (tmp_path / "w").mkdir()
    async with driving(words(), cwd=str(tmp_path / "w")) as driven:
        await driven.ready()
        await paste(driven, "\n".join(str(tmp_path / name) for name in ("a.log", "b.log", "c.log")))
        await driven.until("+ c.log")
        await driven.pilot.click(Attached, offset=(3, 1))
        await driven.until(lambda: "b.log" not in driven.text().partition("Paste it")[0])
        attached = driven.conversation.composing.attached
        assert [Path(path).name for path in attached] == ["a.log", "c.log"]
        await driven.press("backspace")
        assert [Path(path).name for path in attached] == ["a.log"]
        await driven.type("x")
        await driven.press("alt+x")
        assert attached == []


async def test_a_file_that_is_gone_is_said_and_nothing_is_sent(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    log = tmp_path / "a.log"
    log.write_text("x")
    async with driving(words(), cwd=str(tmp_path / "w")) as driven:
        await driven.ready()
        await paste(driven, str(log))
        await driven.until("+ a.log")
        log.unlink()
        await driven.type("look")
        await driven.press("enter")
        await driven.until("a.log is not there any more")
        assert driven.composer.text == "look" and driven.session.timeline == []
        assert driven.conversation.composing.attached == [str(log)]


async def test_ctrl_v_attaches_the_picture_of_the_clipboard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shot = png(tmp_path / "clip.png")
    program = tmp_path / "pngpaste"
    program.write_text(f"#!/bin/sh\ncat '{shot}'\n")
    program.chmod(0o755)
    async with driving(words("takes=image"), cwd=str(tmp_path)) as driven:
        await driven.ready()
        driven.host.environment["PATH"] = f"{tmp_path}:/usr/bin:/bin"
        monkeypatch.setitem(driven.conversation.env, "PATH", f"{tmp_path}:/usr/bin:/bin")
        await driven.press("ctrl+v")
        await driven.until("image/png")
        program.unlink()
        await driven.press("ctrl+v")
        await driven.until("There is no picture")
        driven.app.copy_to_clipboard("copied here")
        await driven.press("ctrl+v")
        await driven.until("copied here")
