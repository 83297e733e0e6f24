"""What an agent says may follow its commands, offered where it is written; whatever it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.protocol.session import AvailableCommand, Command
from acp_tui.ui.widgets.completion import Completion
from acp_tui.ui.writing import arguments
from acp_tui.ui.writing.arguments import ABOUT, KEY, MOST, Arguments, Known, read
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio
DRAFT = {"values": [{"value": '{"host": ""}', "cursor": 10, "description": "host: string"}]}
RUN = {
    "required": True,
    "values": [
        {"value": "ship:all", "description": "Every host"},
        {"value": "ship:one", "description": "One host", "then": DRAFT},
    ],
}
SHOW = {"values": [{"value": "act-12", "description": "running"}, {"value": "act-1", "description": "over"}]}


def command(name: str, said: Any) -> AvailableCommand:
    given = {"type": "text", "hint": "WHAT", "_meta": {KEY: said}}
    return Command.model_validate({"name": name, "description": name, "input": given})


KNOWN = Known([command("run", RUN), command("show", SHOW), command("ship:one", DRAFT)])


@pytest.mark.parametrize(
    ("text", "wanted", "chosen"),
    [
        ("/run ", ["ship:all", "ship:one"], True),
        ("/run  o", ["ship:one"], True),
        ("/run every", ["ship:all"], True),
        ("/run ship:one", ["ship:one"], True),
        ("/run ship:one ", ['{"host": ""}'], False),
        ("/ship:one ", ['{"host": ""}'], False),
        ("/show ", ["act-12", "act-1"], False),
        ("/show act-1", [], False),
        ("/show 12", ["act-12"], True),
        ("/show act-1 ", [], False),
        ("/ship:one {", [], False),
        ("/ship:one @f", [], False),
        ("/run ship:all ", [], False),
        ("/run ship:two {} ", [], False),
        ("/run", [], False),
        ("run ", [], False),
        ("/other ", [], False),
        (" /run ", [], False),
    ],
)
def test_what_fits_where_the_cursor_is(text: str, wanted: list[str], chosen: bool) -> None:
    place = KNOWN.place(text, len(text))
    assert [one.value for one in place.fitting] == wanted if place else not wanted
    assert place is None or place.chosen == chosen


def test_a_word_in_the_middle_is_replaced_as_a_whole_and_a_draft_is_not_offered_before_words() -> None:
    place = KNOWN.place("/run ship:o x", 8)
    assert place is not None and (place.start, place.end, place.written) == (5, 11, "shi")
    assert KNOWN.place("/ship:one  {}", 10) is None


@pytest.mark.parametrize(
    "value",
    [
        {"value": "two words"},
        {"value": "bell\a"},
        {"value": "\u202eright"},
        {"value": ""},
        {"value": 7},
        {"value": "x" * 201},
        {"value": "x", "description": 1},
        {"value": "{}", "cursor": 3},
        {"value": "{}", "cursor": True},
        {"value": " ", "cursor": 0},
        {"value": "x" * 4001, "cursor": 0},
        "x",
        None,
    ],
)
def test_what_would_not_be_sent_as_it_is_shown_is_left_out(value: Any) -> None:
    assert [one.value for one in read({"values": [value, {"value": "good"}]}).values] == ["good"]


def test_nobody_can_offer_without_end() -> None:
    deep: Any = {"values": [{"value": f"v{n}", "description": "d" * 999} for n in range(2 * MOST)]}
    for _ in range(9):
        deep = {"values": [{"value": "on", "then": deep}]}
    level: Arguments | None = read(deep)
    depth = 0
    while level is not None and level.values:
        assert len(level.values) <= MOST and all(len(one.description) <= ABOUT for one in level.values)
        level, depth = level.values[0].then, depth + 1
    assert depth <= arguments.DEEPEST
    flat = read({"values": [{"value": f"v{n}"} for n in range(2 * MOST)]})
    assert len(flat.values) == MOST


any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["values", "value", "then", "cursor"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=80)
@given(any_json, st.text(alphabet="ab \n{@", max_size=8), st.integers(0, 14))
def test_any_shape_and_any_text_offer_something_or_nothing(said: Any, rest: str, cursor: int) -> None:
    known, text = Known([command("a", said), command("b", RUN)]), f"/b {rest}"
    for each in (text, text.replace("/b", "/a")):
        place = known.place(each, min(cursor, len(each)))
        assert place is None or place.fitting


async def offer(driven: Driven, said: Any) -> None:
    """The agent says what may follow `/run`."""
    await driven.say("arguments=" + json.dumps(said, separators=(",", ":")).replace(" ", "\\u0020"))
    await driven.until(lambda: [getattr(one, "name", "") for one in driven.session.commands] == ["run"])
    await driven.until(lambda: driven.session.state == "idle")


async def test_arguments_in_the_composer() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        listed = driven.chat.query_one(Completion)
        await offer(driven, RUN)
        await driven.type("/run o")
        await driven.until("❯ ship:one  One host")
        await driven.press("enter")
        await driven.until(lambda: driven.composer.text == "/run ship:one ")
        await driven.until("host: string")
        *_, draft, about, keys, _, _ = driven.rows()
        assert draft.strip() == '{"host": ""}' and about.strip() == "host: string"
        assert keys.strip() == "Tab takes it · Enter sends what is written"
        await driven.press("tab", "m", "e")
        await driven.until(lambda: driven.composer.text == '/run ship:one {"host": "me"}')
        await driven.press("enter")
        await driven.until('you said "me"}')

        await offer(driven, SHOW)
        await driven.type("/run ")
        await driven.until("Tab takes the first · Enter sends what is written")
        assert listed.current is None, "nothing is marked that need not follow"
        await driven.press("up", "enter")
        await driven.until(lambda: driven.composer.text == "/run act-1 ")
        await driven.until(lambda: not listed.display)
        driven.composer.put("")
        await driven.press(*"/run", "space", "enter")
        await driven.until("you said /run\n")
        assert "you said act-1" not in driven.text(), "it was sent as it was"
