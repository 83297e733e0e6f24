from __future__ import annotations

import itertools

import pytest

from acp_tui.journal.entry import Badge
from acp_tui.ui.library.asking import View
from acp_tui.ui.library.heading import heading

STATES = (None, Badge.NOT_RESUMABLE)
AGENTS = (None, "some/path/to/an-agent-with-a-name")


def words(view: View, width: int) -> str:
    """As it stands in a line of this width."""
    left, right = (
        "".join(one[0] for one in part) for part in heading(view, "/w/漢字/parser", 12, 10_000, width)
    )
    gap = width - sum(2 if "\u3000" < c < "\u9fff" else 1 for c in left + right)
    assert gap >= (2 if right else 0), (left, right, width)
    return f"{left}{' ' * gap}{right}"


@pytest.mark.parametrize("everywhere", [False, True])
@pytest.mark.parametrize("trash", [False, True])
def test_words_never_touch_and_what_narrows_the_list_gives_way_last(everywhere: bool, trash: bool) -> None:
    for agent, state, width in itertools.product(AGENTS, STATES, range(28, 140)):
        said = words(View(everywhere=everywhere, trash=trash, agent=agent, state=state), width)
        assert not trash or "Trash" in said
        assert (" 10,000" if everywhere else " 12") in said
        assert not state or width < 40 or "agent" in said[width // 2 :]
        assert width < 100 or all(part in said for part in ("/w/漢字/parser 12", "all folders 10,000"))
        assert width < 100 or ("any agent" in said) == (agent is None)
