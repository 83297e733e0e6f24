"""A picture as rows of half blocks, where the `[images]` extra is installed.

Invariants: it is decoded only when somebody asks to see it; one of too many pixels is refused by its header;
whatever is wrong with it is said in words. Nothing is fetched (CB-09).
"""

from __future__ import annotations

import warnings
from binascii import Error as BadBase64
from binascii import a2b_base64
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from acp_tui.render.markdown import Page
from acp_tui.render.wrap import Lines, size_of, strip, wrap

if TYPE_CHECKING:
    from PIL.Image import Image

COLUMNS = 80
ROWS = 18
PIXELS = 20_000_000
"""Most pixels that are decoded: about a third of a second."""
MISSING = "pictures are shown here with the extra acp-tui[images]; opened whole, they can be viewed elsewhere"
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
_BLACK = (0, 0, 0)


@cache
def available() -> bool:
    """The extra is installed."""
    return find_spec("PIL") is not None


def picture_lines(data: str, page: Page) -> Lines:
    """The picture that this base64 says, no wider than the page."""
    columns = max(1, min(COLUMNS, page.width - size_of(page.left) - 1))
    made = _decoded(data, columns, _background(page.look.base)) if available() else MISSING
    if isinstance(made, str):
        return wrap([(made, page.look.dim)], page.width, page.look.base, first=page.left)
    lines = Lines()
    for y in range(0, made.height, 2):
        segments = [Segment(*run) for run in page.left] + _row(made, y, page.look.base.bgcolor)
        lines.add(strip(segments, page.width, page.look.base), page.width)
    return lines


def _background(base: Style) -> tuple[int, int, int]:
    color = base.bgcolor
    return _BLACK if color is None or color.is_default else color.get_truecolor()


def _decoded(data: str, columns: int, background: tuple[int, int, int]) -> Image | str:
    """The picture in the size it is shown in, or why there is none."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a bomb: its size is looked at here
            image = Image.open(BytesIO(a2b_base64(data)), formats=_FORMATS)
            if image.width * image.height > PIXELS:
                return f"a picture of {image.width}×{image.height} is too large to be shown here"
            image.draft("RGB", (columns * 2, ROWS * 4))  # of a JPEG no more than is shown is decoded
            shown = image.convert("RGBA")
            shown.thumbnail((columns, ROWS * 2))
    except BadBase64:
        return "unreadable: this is not base64"
    except Exception as error:  # decoders fail in every way there is
        return f"unreadable: {type(error).__name__}"
    ground = Image.new("RGBA", shown.size, (*background, 255))
    return Image.alpha_composite(ground, shown).convert("RGB")


def _row(image: Image, y: int, ground: Color | None) -> list[Segment]:
    """Two rows of pixels as one of half blocks, equal neighbours as one piece; below the last is `ground`."""
    made: list[Segment] = []
    last: tuple[object, object] | None = None
    for x in range(image.width):
        upper = image.getpixel((x, y))
        lower = image.getpixel((x, y + 1)) if y + 1 < image.height else None
        if made and (upper, lower) == last:
            made[-1] = Segment(made[-1].text + "▀", made[-1].style)
        else:
            made.append(Segment("▀", Style(color=_color(upper), bgcolor=_color(lower) or ground)))
        last = (upper, lower)
    return made


def _color(pixel: object) -> Color | None:
    return Color.from_rgb(*pixel) if isinstance(pixel, tuple) else None
