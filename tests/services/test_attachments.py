"""What is dropped on the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.services.attachments import dropped, judge, look

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def there(tmp_path: Path) -> Path:
    for name in ("a.png", "with blank.txt", "it's.txt", "ü%20.md"):
        (tmp_path / name).write_bytes(b"x")
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("{}/a.png", ["a.png"]),
        ("{}/a.png ", ["a.png"]),
        ("file://{}/a.png", ["a.png"]),
        ("file://localhost{}/with%20blank.txt", ["with blank.txt"]),
        ("{}/with blank.txt", ["with blank.txt"]),
        ("{}/with\\ blank.txt", ["with blank.txt"]),
        ("'{}/with blank.txt'", ["with blank.txt"]),
        ("'{}/it'\\''s.txt'", ["it's.txt"]),
        ('"{}/it\'s.txt" {}/a.png', ["it's.txt", "a.png"]),
        ("{}/a.png\n{}/with blank.txt\n", ["a.png", "with blank.txt"]),
        ("file://{}/%C3%BC%2520.md\r\nfile://{}/a.png", ["ü%20.md", "a.png"]),
        ("{}/a.png {}/a.png", ["a.png"]),
        ("{}/a.png {}/nothing", []),
        ("see {}/a.png", []),
        ("{}/a.png is broken", []),
        ("'{}/a.png", []),
        ("file://elsewhere{}/a.png", []),
        ("file://[{}/a.png", []),
        ("{}/a.png\x00", []),
        ("/help", []),
        ("/", []),
        ("", []),
    ],
)
def test_only_paths_that_exist_are_paths(there: Path, typed: str, names: list[str]) -> None:
    found = dropped(typed.replace("{}", str(there)))
    assert [str(Path(path).relative_to(there)) for path in found] == names


@pytest.mark.parametrize(
    ("head", "sort", "mime"),
    [
        (PNG, "image", "image/png"),
        (b"\xff\xd8\xff\xe0", "image", "image/jpeg"),
        (b"GIF89a", "image", "image/gif"),
        (b"RIFF1234WEBPVP8", "image", "image/webp"),
        (b"RIFF1234WAVEfmt", "audio", "audio/wav"),
        (b"ID3\x03", "audio", "audio/mpeg"),
        (b"BMW is a car", "text", None),
        (b"", "text", None),
        ("grün".encode(), "text", None),
        (b"x" * 4095 + "ü".encode()[:1], "text", None),
        (b"\xff\xff", "binary", None),
        (b"a\0b", "binary", None),
    ],
)
def test_the_first_bytes_tell_what_it_is(head: bytes, sort: str, mime: str | None) -> None:
    assert judge(head) == (sort, mime)


def test_the_name_does_not(tmp_path: Path) -> None:
    (tmp_path / "picture.txt").write_bytes(PNG)
    (tmp_path / "text.png").write_text("hello")
    (tmp_path / "page.html").write_text("<p>")
    assert (look(str(tmp_path / "picture.txt")).mime) == "image/png"
    assert (look(str(tmp_path / "text.png")).mime) == "text/plain"
    assert (look(str(tmp_path / "page.html")).mime) == "text/html"
    assert look(str(tmp_path)).sort == "folder"


def test_no_device_is_opened() -> None:
    with pytest.raises(OSError, match="neither"):
        look("/dev/zero")
