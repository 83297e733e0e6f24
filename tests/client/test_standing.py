"""How a client stands is taken down where nothing waits, and another goes on from there."""

from __future__ import annotations

from pathlib import Path

from acp_tui.journal.playing import Player
from tests.journal.keeping import INITIALIZE, Said, ask, opened, run, sessions, turn

BEGUN: list[Said] = [*INITIALIZE, *opened("a"), *turn("a", 1, 2)]


def test_another_client_goes_on_where_one_stood(tmp_path: Path) -> None:
    first, second = run(tmp_path, BEGUN), run(tmp_path, [])
    known = first.live.client.standing()
    assert known is not None
    second.live.client.stand(known)
    second.at = first.at
    for program in (first, second):
        program.say(turn("a", 2, 3))
    assert sessions(second.live) == sessions(first.live)
    assert second.live.client.submissions.keys() == {"2", "3"}


def test_nothing_is_taken_down_while_something_waits(tmp_path: Path) -> None:
    program = run(tmp_path, [*BEGUN, ask(9, "session/prompt", sessionId="a", prompt=[])])
    assert program.live.client.standing() is None
    program.say([("#", "Gone.")])
    assert program.live.client.standing() is not None


def test_a_fresh_client_stands_nowhere() -> None:
    known = Player().client.standing()
    assert known is not None
    assert known.sessions == []
