"""The one bridge from the store to widgets: a widget says what it watches and is told once a frame.

Invariant: a subscription lives exactly as long as its widget is mounted, and is silent from the moment the
widget begins to go: a part of it that the callback wants may be gone already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acp_tui.store.keys import Key
    from acp_tui.store.store import Store, Subscription


class Bound:
    """Mixed into widgets and screens that show something of the store."""

    _subscriptions: list[Subscription] | None = None

    def follow(
        self,
        store: Store,
        changed: Callable[[frozenset[Key]], None],
        keys: Iterable[Key] = (),
        sessions: Iterable[str] = (),
    ) -> Subscription:
        """Call `changed` in each frame in which one of these keys changed, until the widget is unmounted."""

        def told(keys: frozenset[Key]) -> None:
            if not getattr(self, "_pruning", False):
                changed(keys)

        subscription = store.watch(told, keys=tuple(keys), sessions=tuple(sessions))
        if self._subscriptions is None:
            self._subscriptions = []
        self._subscriptions.append(subscription)
        return subscription

    def unfollow(self) -> None:
        """Watch nothing any more."""
        for subscription in self._subscriptions or ():
            subscription.close()
        self._subscriptions = None

    def on_unmount(self) -> None:
        """Called by Textual beside the widget's own handler."""
        self.unfollow()
