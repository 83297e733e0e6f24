"""`@path` in a prompt."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.protocol.content import AudioContent, EmbeddedResource, ImageContent, ResourceLink, TextContent
from acp_tui.protocol.initialize import PromptCapabilities
from acp_tui.services.mentions import EMBED, Composed, compose, mentions, typed, written

PNG = b"\x89PNG\r\n\x1a\nrest"
ALL = PromptCapabilities.model_validate({"image": {}, "audio": {}, "embeddedContext": {}})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see @src/a.py", [("src/a.py", None)]),
        ("@src/a.py:10-40, please", [("src/a.py", (10, 40))]),
        ("(@a.py:7) and @b.", [("a.py", (7, 7)), ("b", None)]),
        ("@a.py:40-10", [("a.py", (10, 40))]),
        ("@a.py:0", [("a.py", (1, 1))]),
        ('@"a b.py":3-4 @"say \\"x\\""', [("a b.py", (3, 4)), ('say "x"', None)]),
        ("@a\\ b.py", [("a b.py", None)]),
        ("me@example.org @ @@ @... x@y", [("@", None)]),
        ("@src/", [("src/", None)]),
        ("@a:99999999999", [("a", None)]),
    ],
)
def test_mentions(text: str, found: list[tuple[str, object]]) -> None:
    assert [(one.path, one.lines) for one in mentions(text)] == found


@given(st.text(st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1), st.booleans())
def test_what_is_written_is_found_again(path: str, ranged: bool) -> None:
    lines = (3, 9) if ranged else None
    text = f"see {written(path, lines)} there"
    [one] = mentions(text)
    assert (one.path, one.lines) == (path, lines)
    assert text[one.start : one.end] == written(path, lines)


@pytest.mark.parametrize(
    ("text", "letters"),
    [("see @sr", "sr"), ("@", ""), ('@"a b', "a b"), ("me@x", None), ("@a b", None), ("@src/a", "src/a")],
)
def test_what_is_being_typed(text: str, letters: str | None) -> None:
    found = typed(text, len(text))
    assert (found[1] if found else None) == letters


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a b.py").write_text("one\ntwo\nthree\n")
    (folder / "p.png").write_bytes(PNG)
    (folder / "s.wav").write_bytes(b"RIFF1234WAVE")
    (folder / "long.txt").write_text("x" * 80 + "\n" + "y\n" * EMBED)
    (folder / "data").write_bytes(b"\0\1")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link").symlink_to(tmp_path / "secret.txt")
    return folder


def composed(root: Path, text: str, takes: PromptCapabilities | None = ALL, *attached: str) -> Composed:
    return compose(text, (str(root),), takes, attached)


def test_the_text_stays_and_the_file_comes_behind_it_once(root: Path) -> None:
    text = '/fix @"src/a b.py" and @"src/a b.py"'
    first, file = composed(root, text).blocks
    assert first == TextContent(text=text)
    assert isinstance(file, EmbeddedResource)
    assert file.resource.uri == (root / "src" / "a b.py").as_uri()
    assert getattr(file.resource, "text", None) == "one\ntwo\nthree\n"
    assert (file.resource.mime_type or "").startswith("text/")


def test_lines_of_it(root: Path) -> None:
    _, file = composed(root, '@"src/a b.py":2-3').blocks
    assert isinstance(file, EmbeddedResource)
    assert getattr(file.resource, "text", None) == "two\nthree\n"
    assert file.resource.uri.endswith("#L2-L3")
    assert composed(root, '@"src/a b.py":70').told
    [_, part] = composed(root, "@long.txt:1").blocks
    assert getattr(getattr(part, "resource", None), "text", None) == "x" * 80 + "\n"


def test_an_agent_that_takes_little_gets_links_and_the_user_is_told_where_he_would_not_expect_it(
    root: Path,
) -> None:
    made = composed(root, '@"src/a b.py" @p.png @s.wav @src/ @data', None)
    assert [type(block) for block in made.blocks[1:]] == [ResourceLink] * 5
    assert [line.split(":")[0] for line in made.told] == ["p.png", "s.wav"]
    link = made.blocks[1]
    assert isinstance(link, ResourceLink)
    assert (link.name, link.size, link.uri) == ("src/a b.py", 14, (root / "src" / "a b.py").as_uri())


def test_pictures_and_sounds_are_sent_where_they_are_taken(root: Path) -> None:
    _, picture, sound = composed(root, "@p.png @s.wav").blocks
    assert isinstance(picture, ImageContent)
    assert b64decode(picture.data) == PNG
    assert picture.mime_type == "image/png"
    assert isinstance(sound, AudioContent)


def test_what_is_too_long_goes_as_a_link(root: Path) -> None:
    made = composed(root, "@long.txt @long.txt:1-9999999")
    assert [type(block) for block in made.blocks[1:]] == [ResourceLink, ResourceLink]
    assert len(made.told) == 2


@pytest.mark.parametrize("name", ["../secret.txt", "{}/secret.txt", "link"])
def test_what_lies_outside_is_told_and_not_read(root: Path, name: str) -> None:
    made = composed(root, "see @" + name.replace("{}", str(root.parent)))
    assert len(made.blocks) == 1
    assert "outside" in made.told[0]


def test_what_was_attached_by_hand_may_lie_anywhere(root: Path) -> None:
    made = composed(root, "", ALL, str(root.parent / "secret.txt"))
    assert getattr(getattr(made.blocks[0], "resource", None), "text", None) == "secret"
    assert made.told == ()


def test_words_that_are_no_files_are_words(root: Path) -> None:
    assert composed(root, "@dataclass and @nobody").told == ()
    assert "no such file" in composed(root, "@src/nothing.py").told[0]
    assert composed(root, "   ").blocks == ()
