"""A key that does something in a text field does it at once: what was typed right behind it must not overtake
it.
"""

from __future__ import annotations

from textual import events
from textual.widget import Widget


async def act(field: Widget, event: events.Key) -> bool:
    """Do what the key is bound to in this field; False where it is not, or writes."""
    bound = None if event.is_printable else field.screen.active_bindings.get(event.key)
    if bound is None or bound.node is not field:
        return False
    event.stop()
    event.prevent_default()
    await field.app.run_action(bound.binding.action, field)
    return True
