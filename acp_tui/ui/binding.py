"""The one bridge from the store to widgets: a widget says what it watches and is told once a frame.

Invariant: a subscription lives exactly as long as its widget is mounted, and is silent from the moment the
widget begins to go: a part of it that the callback wants may be gone already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from acp_tui.ui import unofficial

if TYPE_CHECKING:
    from textual.widget import Widget as _Mixed

    from acp_tui.store.keys import Key
    from acp_tui.store.store import Store, Subscription
else:
    _Mixed = object


class Bound(_Mixed):
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
            if not self.going:
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

    @property
    def going(self) -> bool:
        """It is being taken down, alone or with the app, and parts of it may be gone.

        Textual marks what it prunes only: when the app ends, a screen that is not on its stack merely closes.
        """
        return unofficial.pruned(self) or not self.is_attached or not self.app.is_running

    def on_unmount(self) -> None:
        """Called by Textual beside the widget's own handler."""
        self.unfollow()
