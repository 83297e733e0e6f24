"""One setting is changed; comments, order and everything else of the file stay."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.base.config import Config, load
from acp_tui.base.config.writing import NotWritten, key_path, put
from tests.base.config.toml_values import KEYS, VALUES

BEFORE = """\
# mine
theme = "acp-dark"  # at night

[mouse] # the mouse
capture = true

[keys]
"chat.plan" = "f6"
composer.send = "f7"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "folder" / "config.toml"
    place.parent.mkdir()
    place.write_text(BEFORE)
    return place


def test_only_what_is_changed_changes(file: Path) -> None:
    config = put(load(file), ("mouse", "capture"), False)
    assert config.settings.mouse.capture is False
    assert file.read_text() == BEFORE.replace("capture = true", "capture = false")
    assert config == load(file)


def test_a_first_setting_makes_a_file_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "new" / "config.toml"
    config = put(load(file), ("attention", "bell"), False)
    assert config.settings.attention.bell is False
    assert file.read_text().startswith("# Settings of acp-tui.")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_back_to_the_default(file: Path) -> None:
    assert put(load(file), ("theme",), None).settings.theme == ""
    assert "theme" not in file.read_text() and "# mine" in file.read_text()
    assert put(load(file), ("composer", "vi"), None).data == load(file).data


@pytest.mark.parametrize("id", ["chat.plan", "composer.send", "chat.notices"])
def test_a_key_is_changed_where_the_file_has_it(file: Path, id: str) -> None:
    config = load(file)
    config = put(config, key_path(config, id), "f9")
    assert config.settings.keys[id] == ("f9",)
    assert config.problems == ()
    config = put(config, key_path(config, id), None)
    assert id not in config.settings.keys


def test_what_was_written_meanwhile_stays(file: Path) -> None:
    config = load(file)
    file.write_text(BEFORE + "\n[composer]\nvi = true\n")
    assert put(config, ("theme",), "acp-light").settings.composer.vi is True


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(file)
    put(load(link), ("theme",), "acp-light")
    assert link.is_symlink()
    assert load(file).settings.theme == "acp-light"


def test_a_broken_file_is_left_as_it_is(file: Path) -> None:
    file.write_text("theme = \n")
    with pytest.raises(NotWritten, match="line 1"):
        put(load(file), ("theme",), "acp-light")
    assert file.read_text() == "theme = \n"


def test_a_file_that_cannot_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("no folder")
    with pytest.raises(NotWritten):
        put(Config(tmp_path / "folder" / "config.toml"), ("theme",), "acp-light")


@given(data=st.dictionaries(KEYS, VALUES, max_size=4), vi=st.booleans())
def test_any_file_says_the_same_afterwards(
    data: dict[str, Any], vi: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("any") / "config.toml"
    file.write_text(tomlkit.dumps(data), newline="")
    before = load(file)
    try:
        after = put(before, ("composer", "vi"), vi)
    except NotWritten:
        assert load(file) == before
        return
    assert tomllib.loads(after.text)["composer"]["vi"] is vi
    assert {k: v for k, v in after.data.items() if k != "composer"} == {
        k: v for k, v in before.data.items() if k != "composer"
    }
