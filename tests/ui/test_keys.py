"""The key table: one source for bindings, help and README."""

from __future__ import annotations

from collections import Counter

import pytest
from textual.binding import Binding

from acp_tui.ui import keys
from acp_tui.ui.transcript.widget import Transcript
from acp_tui.ui.widgets.hints import hint_line


def test_ids_are_unique() -> None:
    assert [i for i, n in Counter(deed.id for deed in keys.TABLE).items() if n > 1] == []


def test_a_key_stands_once_in_a_place() -> None:
    for place in keys.TITLES:
        here = Counter(key for deed in keys.TABLE if deed.where == place for key in deed.keys)
        assert [key for key, n in here.items() if n > 1] == [], place


@pytest.mark.parametrize("key", [f"ctrl+{letter}" for letter in "aekuwr"])
def test_readline_keys_are_left_to_writing(key: str) -> None:
    assert [d.id for d in keys.TABLE if key in d.keys and d.where not in ("composer", "recall")] == []


def test_every_place_has_a_title_and_every_deed_a_place() -> None:
    assert {deed.where for deed in keys.TABLE} == set(keys.TITLES)


def test_a_numbered_deed_calls_its_action_with_the_number() -> None:
    actions = {b.key: b.action for b in keys.bindings("panel") if isinstance(b, Binding)}
    assert (actions["1"], actions["9"]) == ("choose(1)", "choose(9)")


def test_the_transcript_binds_just_what_the_table_says() -> None:
    table = {(b.id, b.key, b.action) for b in keys.bindings("transcript") if isinstance(b, Binding)}
    assert table == {(b.id, b.key, b.action) for b in Transcript.BINDINGS if isinstance(b, Binding)}


@pytest.mark.parametrize(
    ("key", "label"),
    [
        ("ctrl+j", "Ctrl+J"),
        ("escape", "Esc"),
        ("pageup", "PgUp"),
        ("a", "a"),
        ("G", "G"),
        ("f1", "F1"),
        ("slash", "/"),
        ("ctrl+full_stop", "Ctrl+."),
        ("question_mark", "?"),
    ],
)
def test_labels(key: str, label: str) -> None:
    assert keys.label(key) == label


def test_help_shows_the_users_changes() -> None:
    changed = {"composer.send_now": "f6,alt+x"}
    rows = {what: names for _, rows in keys.help_rows(changed) for names, what in rows}
    assert rows["send now, while the agent works"] == "F6, Alt+X"
    assert rows["choose this option"] == "1 … 9"
    rows = {what: names for _, rows in keys.help_rows({"panel.choose.2": "q"}) for names, what in rows}
    assert rows["choose this option"] == "1, q, 3, 4, 5, 6, 7, 8, 9"


def test_hints_name_the_keys_that_hold() -> None:
    assert keys.hint("page.up page.page_down chat.escape") == "↑ PgDn Esc"
    keys.use({"chat.escape": "f9,f10"})
    assert keys.hint("chat.escape") == "F9"
    keys.use({})
    assert keys.hint("1–3") == "1–3"


def test_the_readme_table_has_every_deed() -> None:
    text = keys.markdown()
    for deed in keys.TABLE:
        assert deed.what.split("`")[0] in text


def test_a_row_of_numbers_is_that_of_the_user() -> None:
    assert [keys.span("panel.choose", count) for count in (1, 2, 9)] == ["1", "1–2", "1–9"]
    keys.use({"panel.choose.2": "q", "panel.choose.3": ""})
    assert keys.span("panel.choose", 4) == "1/q/4"
    keys.use({})


def test_what_has_no_key_is_not_in_a_hint_but_in_a_sentence() -> None:
    keys.use({"chat.plan": "", "panel.open": ""})
    hints = (("chat.plan", "plan"), ("chat.escape", "cancel"), ("panel.open chat.escape", "both"))
    assert hint_line(hints).plain == "Esc cancel · Esc both"
    assert keys.hint("chat.plan") == "F3 “plan”"
    rows = {what: names for _, rows in keys.help_rows({"chat.plan": ""}) for names, what in rows}
    assert rows["show the whole plan, or its line only"] == "no key"
    keys.use({})
