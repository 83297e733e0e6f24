"""Ids: strict in what is sent, lenient in what is shown (check 10)."""

from __future__ import annotations

import pytest

from acp_tui.aip.core import ids


@pytest.mark.parametrize(
    "text",
    [
        "",
        "act_",
        "action:1",
        "sess_1",
        "act_a/b",
        "act_../x",
        "act_a b",
        "act_é",
        "act_-a",
        "act_" + "a" * 200,
    ],
)
def test_10_foreign_spellings_are_not_sent(text: str) -> None:
    with pytest.raises(ids.BadId):
        ids.action(text)


def test_ids_of_our_own_may_be_sent_and_are_never_the_same() -> None:
    assert ids.action(ids.new(ids.ACTION)) != ids.action(ids.new(ids.ACTION))
    assert ids.session("sess_a.B-9") == "sess_a.B-9"
    assert ids.envelope(ids.new(ids.ENVELOPE)).startswith("msg_")


def test_ids_are_found_in_text_each_once() -> None:
    assert ids.found("see act_1, (sess_2) and act_1; fact_3 is none") == ["act_1", "sess_2"]
