"""The app as something in a terminal: it calls the user who looks elsewhere, names the terminal, lends it.

Both are loaded when they are first needed.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from acp_tui.ui.configured import Configured
from acp_tui.ui.workers import later

if TYPE_CHECKING:
    from acp_tui.client.effects import Effect
    from acp_tui.ui.attention import Attention
    from acp_tui.ui.conversation import Link


class Calling(Configured):
    """An app in a terminal."""

    lent = False
    """Somebody else has the terminal: Ctrl+C is for him."""

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Lend the terminal to another program. Ctrl+Z there stops us with it, as one job, if there is a
        shell that lets both go on. Raises `SuspendNotSupported`, and what its body raises once the terminal
        is ours again; Textual alone would leave it lent then.
        """
        self.lent = True
        mine = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        broken: Exception | None = None
        try:
            with super().suspend():
                try:
                    yield
                except Exception as error:  # what ends us does not want it back
                    broken = error
        finally:
            signal.signal(signal.SIGTSTP, mine)
            self.lent = False
        if broken is not None:
            raise broken

    @cached_property
    def attention(self) -> Attention:
        """Who calls."""
        from acp_tui.ui.attention import Attention

        return Attention(self)

    def heed(self, link: Link, effect: Effect) -> None:
        """What the machine wants that is about more than the screen."""
        from acp_tui.client.effects import RunLogin

        if isinstance(effect, RunLogin):
            from acp_tui.ui.terminal_login import log_in

            self.run_worker(later(log_in, self, link, effect.method))
        else:
            self.attention.hear(link, effect)
