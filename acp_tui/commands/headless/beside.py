"""What an agent leaves running beside its work: whether it goes on, what it is called, how it is stopped."""

from __future__ import annotations

from acp_tui.store.entities import ToolCall
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.stopping import Running, running, stoppable


def left(conversation: Conversation) -> list[Running]:
    """What the agent reports."""
    return [one for one in running(conversation.store, conversation.ref) if one.background]


def goes_on(conversation: Conversation) -> bool:
    """Some of it works. What is paused or rests goes on only when somebody does something about it."""
    found = (one.key and conversation.store.entity(one.key) for one in left(conversation))
    return any(not (isinstance(one, ToolCall) and (one.status == "paused" or _rests(one))) for one in found)


def given_up(conversation: Conversation) -> str:
    """What the agent itself waits for no more, and what it says of it, in a line; empty: nothing is."""
    found = ((one.title, one.key and conversation.store.entity(one.key)) for one in left(conversation))
    return "; ".join(
        f"{title}: {_told(one)}" for title, one in found if isinstance(one, ToolCall) and _rests(one)
    )


def _rests(call: ToolCall) -> bool:
    from acp_tui.render.views import tool_told  # draws, and few runs leave anything

    return tool_told.rests(call)


def _told(call: ToolCall) -> str:
    from acp_tui.render.views import tool_told

    return tool_told.told(call, 0.0).partition(",")[0] or call.status


def stop(conversation: Conversation) -> bool:
    """Ask for the end of each; False where none can be stopped."""
    keys = [one.key for one in left(conversation) if one.key is not None]
    wishes = [wish for key in keys if (wish := stoppable(conversation.store, key)) is not None]
    for wish in wishes:
        conversation.do(wish)
    return bool(wishes)


def told(conversation: Conversation) -> str:
    """What is left, in a line; empty: nothing is."""
    names = ", ".join(one.title for one in left(conversation))
    more = "" if not goes_on(conversation) else "--wait waits for its end, "
    return f"not over, beside the work: {names} ({more}--continue comes back to it)" if names else ""
