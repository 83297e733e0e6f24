"""A view that is hurried lays out a part at a time, and ends with the lines of the whole."""

from __future__ import annotations

import math
from itertools import count

from acp_tui.render.look import FALLBACK as LOOK
from acp_tui.render.views import make_view
from acp_tui.store.keys import Kind
from tests.store.seen import Fed

SOURCE = "\n\n".join(f"## Part {n}\n\nsome words about `{n}`\n\n```python\nx = {n}\n```" for n in range(60))


def said() -> Fed:
    return Fed()("agent_message_chunk", messageId="m", content={"type": "text", "text": SOURCE})


def test_a_hurried_view_goes_on_where_it_stopped() -> None:
    fed, ticks = said(), count()
    entity = fed[Kind.AGENT_MESSAGE, "m"]
    strips = make_view(entity, fed.store, lambda: 0.0).strips(60, LOOK)
    whole = [strip.text for strip in strips]
    view = make_view(entity, fed.store, lambda: next(ticks) / 100)
    view.patience = 0.025
    seen: list[str] = []
    rounds = 0
    while True:
        texts = [strip.text for strip in view.strips(60, LOOK)]
        rounds += 1
        assert texts[: len(seen)] == seen
        seen = texts
        if not view.behind:
            break
        assert texts == whole[: len(texts)]
    assert rounds > 10
    assert seen == whole
    assert view.strips(60, LOOK) == strips, "colours and all"


def test_what_arrives_meanwhile_is_not_lost() -> None:
    fed, ticks = said(), count()
    view = make_view(fed[Kind.AGENT_MESSAGE, "m"], fed.store, lambda: next(ticks) / 100)
    view.patience = 0.025
    view.strips(60, LOOK)
    fed("agent_message_chunk", messageId="m", content={"type": "text", "text": "\n\nthe end"})
    while view.behind:
        view.strips(60, LOOK)
    assert view.strips(60, LOOK)[-1].text.strip() == "the end"


def test_who_does_not_hurry_it_gets_everything_at_once() -> None:
    fed, ticks = said(), count()
    view = make_view(fed[Kind.AGENT_MESSAGE, "m"], fed.store, lambda: next(ticks) / 100)
    view.patience = 0.025
    view.strips(60, LOOK)
    assert view.behind
    view.patience = math.inf
    view.strips(60, LOOK)
    assert not view.behind
