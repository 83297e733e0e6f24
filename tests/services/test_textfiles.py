"""Files for v1 agents: what is inside, what is read, and how it is written (V1-51 to V1-53)."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.protocol import errors
from acp_tui.services import guarded, textfiles
from acp_tui.services.textfiles import Abandoned, Policy, Refused, read, write

NAMES = st.sampled_from(["a", "b", "in", "out", "way", "..", ".", "", "f", "deep"])


def code(refused: pytest.ExceptionInfo[Refused]) -> int:
    return refused.value.error.code


@st.composite
def crooked(draw: st.DrawFn) -> tuple[list[tuple[str, str]], str]:
    """Links to be made below `in`, each with where it leads, and a path that tries to get out."""
    targets = ["../out", "/OUT/f", "..", "b", "way/..", "/", "../out/f", "loop", "../in/b", "/OUT"]
    links = draw(st.lists(st.tuples(st.sampled_from(["way", "loop", "b/l", "x"]), st.sampled_from(targets))))
    return links, "/".join(draw(st.lists(NAMES | st.sampled_from(["way", "loop", "l", "x"]), max_size=7)))


@settings(max_examples=50)
@given(crooked())
def test_nothing_that_is_done_unasked_leaves_the_folder(case: tuple[list[tuple[str, str]], str]) -> None:
    links, tried = case
    with TemporaryDirectory() as name:
        base = Path(os.path.realpath(name))
        (base / "in" / "b").mkdir(parents=True)
        (base / "out").mkdir()
        (base / "out" / "f").write_text("secret")
        (base / "in" / "f").write_text("mine")
        for link, target in links:
            path = base / "in" / link
            if not path.is_symlink():
                path.symlink_to(target.replace("/OUT", str(base / "out")))
        place = Policy((str(base / "in"),), home="/nobody").place(f"{base}/in/{tried}", writes=True)
        inside = Path(place.real).is_relative_to(base / "in")
        assert bool(place.why) is not inside
        if inside:
            with suppress(Refused):
                assert read(place.real, None, None) == "mine"
            with suppress(Refused):
                write(place.real, "new")
        assert (base / "out" / "f").read_text() == "secret"
        assert [path.name for path in (base / "out").iterdir()] == ["f"]
        assert not list(base.rglob("*.new"))


def test_a_link_that_is_put_there_later_is_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    (inside / "d").mkdir(parents=True)
    outside.mkdir()
    (outside / "f").write_text("secret")
    real = Policy((str(inside),)).place(f"{inside}/d/f", writes=True).real
    (inside / "d").rmdir()
    (inside / "d").symlink_to(outside)
    with pytest.raises(Refused):
        read(real, None, None)
    with pytest.raises(Refused):
        write(real, "x")
    (inside / "d").unlink()
    (inside / "d").mkdir()
    (inside / "d" / "f").symlink_to(outside / "f")
    for act in (lambda: read(real, None, None), lambda: write(real, "x")):
        with pytest.raises(Refused):
            act()
    assert (outside / "f").read_text() == "secret"


@given(st.text(st.sampled_from("ab\n\r\u2028é😀"), max_size=40), st.integers(1, 6))
def test_pieces_make_the_whole(text: str, step: int) -> None:
    with TemporaryDirectory() as name:
        real = os.path.join(os.path.realpath(name), "f")
        Path(real).write_bytes(text.encode())
        count = text.count("\n") + 1
        pieces = [read(real, line, step) for line in range(1, count + 1, step)]
        assert "".join(pieces) == text == read(real, None, None) == read(real, 0, None)
        assert read(real, count + 1, 3) == "" == read(real, 1, 0)
        assert all(piece.count("\n") <= step for piece in pieces)


def test_what_is_no_text_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    os.mkfifo(tmp_path / "fifo")
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.write(b"one\n")
        file.truncate(textfiles.MOST + 10)
    for name, expected in {
        "missing": errors.RESOURCE_NOT_FOUND,
        "bytes/below": errors.RESOURCE_NOT_FOUND,
        "": errors.INVALID_PARAMS,
        "bytes": errors.INVALID_PARAMS,
        "fifo": errors.INVALID_PARAMS,
        "big": errors.INVALID_PARAMS,
    }.items():
        with pytest.raises(Refused) as refused:
            read(str(tmp_path / name).rstrip("/"), None, None)
        assert code(refused) == expected, name
    assert read(str(big), 1, 1) == "one\n"
    with pytest.raises(Refused) as refused:
        read(str(big), 2, 1)
    assert "lines" in refused.value.error.message
    with pytest.raises(Abandoned):
        read(str(big), 2, None, lambda: True)
    with pytest.raises(Refused) as refused:
        read("/dev/zero", None, None)
    for name in ("relative/f", "nul\0"):
        with pytest.raises(Refused) as refused:
            Policy((str(tmp_path),)).place(name, writes=False)
        assert code(refused) == errors.INVALID_PARAMS


def test_writing_keeps_mode_and_exact_content_and_makes_folders(tmp_path: Path) -> None:
    old = tmp_path / "run.sh"
    old.write_text("old\r\n")
    old.chmod(0o751)
    content = "new\r\n\tline\x00é\u2028no newline"
    change = write(str(old), content)
    assert old.read_bytes() == content.encode()
    assert stat.S_IMODE(old.stat().st_mode) == 0o751
    assert change["changes"] == [{"operation": "modify", "path": str(old), "fileType": "text"}]
    assert "-old" in change["patch"]["text"]
    new = tmp_path / "a" / "b" / "new"
    assert write(str(new), "")["changes"][0]["operation"] == "add"
    assert new.read_bytes() == b""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "run.sh"]


def test_what_cannot_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    os.mkfifo(tmp_path / "fifo")
    file = tmp_path / "file"
    file.write_text("old")
    for name, content in {"dir": "x", "fifo": "x", "file/below": "x", "file": "half \ud83d"}.items():
        with pytest.raises(Refused):
            write(str(tmp_path / name), content)
    with pytest.raises(Abandoned):
        write(str(file), "new", lambda: True)
    assert file.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dir", "fifo", "file"]


def test_a_change_is_told_before_it_is_made(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_text("one\ntwo\n")
    told = textfiles.would(str(file), "one\n2\n")
    assert file.read_text() == "one\ntwo\n"
    assert told == write(str(file), "one\n2\n")
    assert textfiles.would(str(tmp_path / "no" / "such"), "x")["changes"][0]["operation"] == "add"


def test_what_is_allowed_holds_for_that_place_only(tmp_path: Path) -> None:
    inside, other = tmp_path / "in", tmp_path / "other"
    policy = Policy((str(inside),), once=f"{other}/f", folders=(f"{other}/d",))
    asked = {
        name: bool(policy.place(f"{other}/{name}", writes=False).why) for name in ("f", "g", "d/x", "dx")
    }
    assert asked == {"f": False, "g": True, "d/x": False, "dx": True}


@pytest.mark.parametrize(
    ("path", "writes", "why"),
    [
        (".ssh/id_ed25519", False, guarded.KEYS),
        (".ssh", False, guarded.KEYS),
        ("src/ID_RSA", False, guarded.KEYS),
        ("work/.git/hooks/pre-commit", True, guarded.HOOKS),
        ("work/.git/HEAD", False, ""),
        (".bashrc", True, guarded.LOGIN),
        (".bashrc", False, ""),
        ("ours/config.toml", True, guarded.OURS),
        ("work/.gitignore", True, ""),
        (".sshx/a", True, ""),
    ],
)
def test_some_places_are_asked_about_even_inside(path: str, writes: bool, why: str) -> None:
    assert guarded.why(f"/home/me/{path}", writes=writes, home="/home/me", ours=["/home/me/ours"]) == why
    place = Policy(("/home/me",), home="/home/me", ours=("/home/me/ours",)).place(
        f"/home/me/{path}", writes=writes
    )
    assert (place.why, place.guarded) == (why, bool(why))
