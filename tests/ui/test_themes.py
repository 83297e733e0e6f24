"""Themes from files: ours load, a broken one says which file and field."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import Theme

from acp_tui.ui import shipped, themes

GOOD = 'dark = true\n[colors]\nprimary = "#336699"\n'


def test_ours_load_without_a_problem() -> None:
    found = themes.load([shipped.folder()])
    assert found.problems == []
    assert {"acp-dark", "acp-light", "acp-ansi", "acp-high-contrast"} <= set(found.found)


def test_ours_are_read_alike_with_and_without_checks() -> None:
    checked = themes.load([shipped.folder()]).found
    assert {name: shipped.read(name) for name in checked} == checked


@pytest.mark.parametrize("name", ["no-such", "../themes/acp-dark", ""])
def test_what_is_not_ours_is_not_read_without_checks(name: str) -> None:
    assert shipped.read(name) is None


@pytest.mark.parametrize("name", ["acp-dark", "acp-light", "acp-high-contrast"])
@pytest.mark.parametrize("part", ["foreground", "primary", "warning", "error", "success"])
def test_words_can_be_read_on_the_background(name: str, part: str) -> None:
    theme = themes.load([shipped.folder()]).found[name]
    assert contrast(getattr(theme, part), theme.background or "") >= (
        7 if name == "acp-high-contrast" else 4.5
    )


def contrast(one: str, other: str) -> float:
    """WCAG contrast ratio."""
    light, dark = sorted((luminance(Color.parse(one)), luminance(Color.parse(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: Color) -> float:
    parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def test_a_later_folder_replaces_by_name(tmp_path: Path) -> None:
    (tmp_path / "acp-dark.toml").write_text(GOOD)
    found = themes.load([shipped.folder(), tmp_path, tmp_path / "missing"])
    assert found.found["acp-dark"].primary == "#336699"


@pytest.mark.parametrize(
    ("text", "field", "reason"),
    [
        ('dark = true\n[colors]\nprimary = "blurple"\n', "colors.primary", "no colour"),
        ('dark = true\n[colors]\nprimry = "#fff"\n', "colors.primary", "required"),
        ('[colors]\nprimary = "#fff"\n', "dark", "required"),
        (GOOD + 'fancy = "#fff"\n', "colors.fancy", "not permitted"),
        ("text_alpha = 2\n" + GOOD, "text_alpha", "less than"),
        (GOOD + '[variables]\nborder = "#12"\n', "variables.border", "no colour"),
        (GOOD + '[variables]\nborder = "red; } * {"\n', "variables.border", "characters"),
        ("dark = maybe", "", "not TOML"),
    ],
)
def test_a_broken_file_names_file_and_field(tmp_path: Path, text: str, field: str, reason: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    (tmp_path / "other.toml").write_text(GOOD)
    found = themes.load([tmp_path])
    assert set(found.found) == {"other"}
    assert any(p.field == field and reason in p.reason for p in found.problems)
    assert str(found.problems[0]).startswith(str(path))


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe")
    assert len(themes.load([tmp_path]).problems) == 1


@pytest.mark.parametrize(("dark", "name"), [(True, "acp-dark"), (False, "acp-light"), (None, "acp-dark")])
def test_the_background_chooses(dark: bool | None, name: str) -> None:
    assert shipped.for_background(dark) == name


def test_a_theme_file_becomes_a_textual_theme(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD + '[variables]\nborder = "#123456"\n')
    theme = themes.read_theme(path)
    assert isinstance(theme, Theme)
    assert (theme.name, theme.dark, theme.variables) == ("mine", True, {"border": "#123456"})
