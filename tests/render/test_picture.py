from __future__ import annotations

import base64
from io import BytesIO
from zlib import crc32

import pytest
from PIL import Image
from rich.color import Color
from rich.style import Style

from acp_tui.render import picture
from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.markdown import Page
from acp_tui.render.picture import COLUMNS, MISSING, PIXELS, ROWS, picture_lines
from acp_tui.store.keys import Kind
from tests.render.hostile import HOSTILE
from tests.render.stage import Stage, drawn, texts

PAGE = Page(40, FALLBACK, (("  ", FALLBACK.base),), FALLBACK.base)
RED, BLUE = (255, 0, 0), (0, 0, 255)


def encoded(image: Image.Image, form: str = "PNG") -> str:
    file = BytesIO()
    image.save(file, form)
    return base64.b64encode(file.getvalue()).decode()


def test_two_rows_of_pixels_are_one_of_half_blocks() -> None:
    image = Image.new("RGB", (4, 3), RED)
    for x in range(4):
        image.putpixel((x, 1), BLUE)
    lines = picture_lines(encoded(image), PAGE)
    assert texts(lines, 40) == ["  ▀▀▀▀", "  ▀▀▀▀"]
    (style,) = {segment.style for segment in lines.strips[0] if "▀" in segment.text and segment.style}
    assert (style.color, style.bgcolor) == (Color.from_rgb(*RED), Color.from_rgb(*BLUE))
    assert len(list(lines.strips[0])) == 3


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP"])
def test_a_large_one_is_made_to_fit(form: str) -> None:
    lines = texts(picture_lines(encoded(Image.new("RGB", (900, 300), RED), form), PAGE), 40)
    assert len(lines) == 6
    assert {len(line) for line in lines} == {39}
    tall = picture_lines(encoded(Image.new("RGB", (30, 900), RED), form), PAGE)
    assert len(tall) == ROWS
    wide = Page(200, FALLBACK, (), FALLBACK.base)
    assert len(texts(picture_lines(encoded(Image.new("RGB", (900, 9), RED), form), wide), 200)[0]) == COLUMNS


def test_what_is_clear_shows_what_it_stands_on() -> None:
    lines = picture_lines(encoded(Image.new("RGBA", (1, 2), (255, 0, 0, 0))), PAGE)
    assert [segment.style.color for segment in lines.strips[0] if segment.text == "▀" and segment.style] == [
        Color.from_rgb(0, 0, 0)
    ]


def test_below_the_last_row_of_an_odd_number_is_what_it_stands_on() -> None:
    paper = Color.from_rgb(250, 250, 245)
    look = Look.from_styles({"transcript--base": Style(bgcolor=paper)})
    page = Page(40, look, (), look.base)
    lines = picture_lines(encoded(Image.new("RGB", (1, 1), RED)), page)
    (style,) = {segment.style for segment in lines.strips[0] if "▀" in segment.text and segment.style}
    assert style.bgcolor == paper


def test_one_of_too_many_pixels_is_refused_by_its_header() -> None:
    png = base64.b64decode(encoded(Image.new("1", (1, 1))))
    header = b"IHDR" + PIXELS.to_bytes(4, "big") + (2).to_bytes(4, "big") + png[24:29]
    huge = png[:12] + header + crc32(header).to_bytes(4, "big") + png[33:]
    said = " ".join(texts(picture_lines(base64.b64encode(huge).decode(), PAGE), 40))
    assert "20000000×2 is too large" in said


@pytest.mark.parametrize(
    "data", ["", "@@", "aGVsbG8=", encoded(Image.new("RGB", (64, 64), RED))[:60], *HOSTILE]
)
def test_what_cannot_be_read_is_said(data: str) -> None:
    assert "".join(texts(picture_lines(data, PAGE), 40)).strip().startswith("unreadable")


def test_without_the_extra_it_says_where_to_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "available", lambda: False)
    wide = Page(100, FALLBACK, (), FALLBACK.base)
    assert texts(picture_lines(encoded(Image.new("RGB", (1, 1))), wide), 100) == [MISSING]


def test_a_picture_is_decoded_only_when_it_is_opened(stage: Stage) -> None:
    data = encoded(Image.new("RGB", (8, 4), BLUE))
    image = {"type": "image", "data": data, "mimeType": "image/png"}
    stage.update("agent_message_chunk", messageId="m1", content=image)
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert len(drawn(view)) == 1
    view.act(("part", 0))
    assert drawn(view)[1:] == ["   ▀▀▀▀▀▀▀▀", "   ▀▀▀▀▀▀▀▀"]
