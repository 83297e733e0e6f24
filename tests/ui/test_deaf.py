"""A key answers only if it was meant to: not in the first moments, not while it is held down (PM-20)."""

from __future__ import annotations

import pytest

from acp_tui.ui.deaf import APPEARED, HELD, Deafness


def test_deaf_at_first_then_listening() -> None:
    ear = Deafness()
    ear.appeared(100.0)
    assert not ear.hears("1", 100.0 + APPEARED - 0.01)
    assert ear.hears("2", 100.0 + APPEARED)


@pytest.mark.parametrize("pause", [0.25, 0.5, 0.66])
def test_a_key_held_since_before_answers_nothing(pause: float) -> None:
    """Pressed just before the panel came, the first repeat after a pause, then thirty a second."""
    ear = Deafness()
    ear.appeared(100.0)
    presses = [100.0 + 0.01, *(100.0 + pause + n / 30 for n in range(90))]
    assert not any(ear.hears("1", at) for at in presses)


@pytest.mark.parametrize("pause", [0.25, 0.5, 0.66])
def test_a_key_held_after_it_answered_does_not_answer_the_next_request(pause: float) -> None:
    ear = Deafness()
    ear.appeared(100.0)
    assert ear.hears("1", 101.0)
    ear.answered("1", 101.0)
    ear.appeared(101.02)
    assert not any(ear.hears("1", 101.0 + pause + n / 30) for n in range(90))


def test_after_a_pause_the_same_key_may_answer_again() -> None:
    ear = Deafness()
    ear.appeared(100.0)
    ear.answered("1", 101.0)
    assert not ear.hears("1", 101.0 + HELD - 0.01)
    assert ear.hears("1", 101.0 + 2 * HELD)


def test_another_key_is_not_held() -> None:
    ear = Deafness()
    ear.appeared(100.0)
    ear.answered("1", 101.0)
    ear.appeared(101.0)
    assert ear.hears("2", 101.0 + APPEARED)
