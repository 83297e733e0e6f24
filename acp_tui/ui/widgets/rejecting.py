"""Rejecting and saying why, in the panel: first the words, then, where it is not clear, which option rejects.

Invariants: what is written is kept until it is sent or its request is gone; words go out only with an answer
that allows nothing; Enter sends nothing while what is asked has just changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.actions import SkipAction
from textual.reactive import reactive

from acp_tui.store.entities import AgentRequest
from acp_tui.store.keys import Key
from acp_tui.ui import keys
from acp_tui.ui.deaf import Deafness
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.options import Option, Options, offered, only
from acp_tui.ui.widgets.pressing import Pressing
from acp_tui.ui.widgets.saying import Saying, Why

_NONE = Option(None, "none of these: answered “cancelled”", "")


class Rejecting(Pressing):
    """The half of the panel that rejects with words."""

    request: reactive[Key | None] = reactive(None)
    why: reactive[str | None] = reactive(None)
    """Rejecting with these words is wanted; which option rejects is still to be said."""

    def __init__(self, now: Callable[[], float], *, id: str | None = None) -> None:
        super().__init__(now, id=id)
        self.ear = Deafness()
        self.fresh = Deafness()
        """The ear of the words: they may move as they grow, what is asked may not change."""
        self.saying: Saying | None = None

    # What the panel has

    @property
    def written(self) -> dict[Key, str]:
        """Why requests are to be rejected, as far as it is written."""
        raise NotImplementedError

    def entity(self, key: Key | None) -> AgentRequest | None:
        """The request of that key."""
        raise NotImplementedError

    def fit(self) -> None:
        """Divide the room."""
        raise NotImplementedError

    def reject(self, request: Key, option_id: str | None, why: str) -> None:
        """By this option, or none, and say why."""
        raise NotImplementedError

    # Writing

    def prepare(self) -> None:
        """From the first request on one can write at once."""
        if self.saying is None:
            self.saying = Saying()
            self.mount(self.saying)

    def hints_of_rejecting(self, number: str) -> tuple[Hint, ...]:
        """What the keys do; nothing where nobody rejects with words. `number`: those of the options."""
        if self.saying is not None and self.saying.has_focus_within:
            return (("saying.send", "reject and say it"), ("saying.back", "back; the text stays"))
        if self.why is not None:
            return ((number, "reject by this and say it"), ("panel.back", "back"))
        return ()

    def rejected(self, request: Key, option_id: str | None, why: str) -> None:
        """The user said how, and why."""
        self.written.pop(request, None)
        self.reject(request, option_id, why)

    def action_say(self) -> None:
        """Write why, then reject."""
        if self.request is not None:
            self.soon(partial(self._say, self.request))

    def _say(self, request: Key) -> None:
        self.pressed = None
        if request == self.request and self.saying is not None:
            self._ask_which(None)
            self.saying.show(self.written.get(request, ""))
            self.fit()

    def stop_saying(self) -> None:
        """Keep what is written; the options have the keys again."""
        self._ask_which(None)
        if self.saying is not None and self.saying.display:
            focused = self.saying.has_focus_within
            self.saying.display = False
            if focused:
                self.screen.set_focus(self)

    def _ask_which(self, why: str | None) -> None:
        """Offer only what does not allow, or everything again."""
        request = self.entity(self.request)
        if why == self.why or request is None:
            self.why = why
            return
        self.why = why
        options = offered(request.params.options)
        if why is not None:
            options = (*(option for option in options if not option.allows), _NONE)
        self.query_one(Options).show(options)
        self.ear.appeared(self.now())

    def on_text_area_changed(self) -> None:
        """It may need another row."""
        if self.request is not None and self.saying is not None and self.saying.display:
            self.written[self.request] = self.saying.why.text
            self.fit()

    def on_why_left(self, event: Why.Left) -> None:
        """Back to the options."""
        event.stop()
        self.stop_saying()
        self.fit()

    def interrupt(self) -> bool:
        """Ctrl+C while one writes why: copy, else clear, which undo brings back, else leave off. False
        elsewhere."""
        if self.saying is None or not self.saying.has_focus_within:
            return False
        why = self.saying.why
        if why.selected_text:
            self.app.copy_to_clipboard(why.selected_text)
        elif why.text:
            why.clear()
        else:
            self.stop_saying()
            self.fit()
        return True

    def on_why_sent(self, event: Why.Sent) -> None:
        """Reject by the one option that rejects once; where there are none or several, ask which."""
        event.stop()
        request = self.entity(self.request)
        if request is None or self.fresh.deaf(self.now()):
            return
        if not event.text.strip():
            back = keys.hint("saying.back")
            self.post_message(Told(f"Say why first; {back} and {keys.hint('panel.reject')} only rejects"))
            return
        option = only(offered(request.params.options), "reject_once")
        if option is not None:
            self.rejected(request.key, option.id, event.text)
        else:
            self._ask_which(event.text)
            self.screen.set_focus(self)
            self.fit()

    def action_back(self) -> None:
        """From choosing how to reject to the words, from those to the options; else it is not for the
        panel."""
        if self.saying is None or not self.saying.display or self.request is None:
            raise SkipAction
        if self.why is None:
            self.stop_saying()
        else:
            self._ask_which(None)
            self.saying.show(self.written.get(self.request, ""))
        self.fit()
