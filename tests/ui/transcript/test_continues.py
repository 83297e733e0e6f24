"""A session that continues one the agent has forgotten: what was said stays readable above."""

import pytest

from acp_tui.store.keys import Kind
from acp_tui.store.session import Session
from tests.store.seen import Fed
from tests.ui.screen_text import widget_text
from tests.ui.transcript.stage import stage


@pytest.mark.anyio
async def test_the_old_conversation_stands_above_the_new_one() -> None:
    async with stage(Fed()) as on:
        await on.say("user_message", "m1", "the old question")
        await on.say("agent_message", "m2", "the old answer")
        store, old = on.fed.store, on.fed.session
        new = store.add(Session(ref="after", cwd=old.cwd, continues=old.ref, phase="open"))
        on.transcript.show(new.ref)
        await on.settled()
        on.fed.session = new
        await on.say("user_message", "m1", "the new question")
        shown = "\n".join(widget_text(on.transcript))
        places = [shown.index(words) for words in ("old question", "old answer", "new question")]
        assert places == sorted(places)
        kinds = [key.kind for key in new.timeline]
        assert kinds == [Kind.USER_MESSAGE], "the new session's own timeline is its own"
