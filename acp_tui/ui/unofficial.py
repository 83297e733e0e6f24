"""What Textual keeps to itself and we cannot do without, for want of a public way: to be looked at when a new
version of it comes.

What the terminal needs of that kind stands in `terminal`; a class of ours overrides what it inherits where it
must.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App
    from textual.binding import Binding
    from textual.dom import DOMNode
    from textual.driver import Driver


def driver(app: App[Any]) -> Driver | None:
    """What writes to the terminal, while the app runs."""
    return app._driver


def fail(app: App[Any], error: Exception) -> None:
    """End the app with this error. For callbacks of the event loop: nobody else would hear of it there."""
    app._handle_exception(error)


def failure(app: App[Any]) -> Exception | None:
    """The error that ended the app."""
    return app._exception


def close(app: App[Any]) -> None:
    """End the app without drawing anything more."""
    app._close_messages_no_wait()


def pruned(node: DOMNode) -> bool:
    """It is being removed: parts of it may be gone."""
    return node._pruning


def bindings(node: DOMNode) -> Iterator[Binding]:
    """All that this widget, screen or app binds itself, whether it is active now or not."""
    for bound in node._bindings.key_to_bindings.values():
        yield from bound
