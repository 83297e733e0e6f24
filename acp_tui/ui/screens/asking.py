"""What a chat has for what an agent wants to know and lets choose: its forms, its addresses, its options.

What waits takes the focus only from a composer that is empty and quiet, in the moment it appears or once the
composer is, and each thing only once; what one writes meanwhile is the composer's.
"""

from __future__ import annotations

from textual.timer import Timer

from acp_tui.client.intents import SetConfigOption
from acp_tui.render.clean import one_line
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.reading import ReadingScreen
from acp_tui.ui.widgets.composer import QUIET, Composer
from acp_tui.ui.widgets.forms import Forms
from acp_tui.ui.widgets.header import Header
from acp_tui.ui.widgets.permission_panel import PermissionPanel


class AskingScreen(ReadingScreen):
    """A screen with one conversation, and what is asked in it."""

    conversation: Conversation
    owed: tuple[PermissionPanel | Forms, ...] = ()
    """What appeared while somebody was writing, and has not had the focus yet."""
    looking: Timer | None = None

    @property
    def forms(self) -> Forms:
        """Where forms stand."""
        return self.query_one(Forms)

    def step_place(self, by: int) -> None:
        """To the next place of the screen, or the one before."""
        raise NotImplementedError

    # Taking the focus

    def appeared(self, what: PermissionPanel | Forms) -> None:
        """It takes the focus in this moment if nobody is writing, else once nobody is."""
        composer, here = self.query_one(Composer), self.focused
        if here is composer and not composer.in_use:
            what.begin()
        elif here is composer or self.forms.holds(here) or self.query_one(PermissionPanel).holds(here):
            self.owed = (*self.owed, what)
            self.attend()

    def attend(self) -> None:
        """Look after a while whether somebody still writes."""
        if self.owed and self.looking is None:
            self.looking = self.set_timer(QUIET, self._look)

    def _look(self) -> None:
        self.looking = None
        composer = self.query_one(Composer)
        if self.owed and self.focused is composer and not composer.text:
            if composer.in_use:
                self.attend()
            else:
                self.owed[0].begin()

    def heed_focus(self) -> None:
        """Where the user has been is not shown to him again; back in the composer, what is left waits for its
        quiet.
        """
        self.owed = tuple(one for one in self.owed if one.asked and not one.holds(self.focused))
        self.attend()

    def on_text_area_changed(self) -> None:
        """It may be empty now."""
        if self.owed:
            self.attend()

    def on_screen_resume(self) -> None:
        """What is pressed right behind the key that closed another screen was not meant for this."""
        if self.is_mounted:
            self.query_one(PermissionPanel).hush()
            self.forms.hush()

    # Forms

    def on_forms_emptied(self) -> None:
        """Back to writing, from where there is nothing any more."""
        if self.focused is None or self.forms.holds(self.focused):
            self.query_one(Composer).focus()

    def on_forms_typed(self, event: Forms.Typed) -> None:
        """Somebody wrote although the form had the focus."""
        composer = self.query_one(Composer)
        composer.focus()
        composer.insert(event.text)

    def on_forms_left(self, event: Forms.Left) -> None:
        """Past its last field, before its first, or back to writing."""
        if event.step:
            self.step_place(event.step)
        else:
            self.query_one(Composer).focus()

    # Options

    def on_header_wanted(self, event: Header.Wanted) -> None:
        """A click on one in the header."""
        self.action_options(event.option)

    def action_options(self, id: str = "") -> None:
        """All of them, or the values of one."""
        from acp_tui.ui.screens.options import OptionsScreen

        session = self.conversation.session
        if session is None or not session.config_options:
            name = one_line(self.conversation.store.connection.agent_name, 60)
            self.tell(f"{name} has no options to choose")  # CF-13
        else:
            self.app.push_screen(OptionsScreen(self.conversation, id))

    def action_servers(self) -> None:
        """Those its agent was handed, and the others."""
        from acp_tui.ui.screens.servers import ServersScreen

        settings = getattr(self.app, "settings", None)
        self.app.push_screen(ServersScreen(self.conversation, settings.mcp if settings is not None else {}))

    def action_mode(self) -> None:
        """The next mode, from the one that was asked for last."""
        from acp_tui.services.options import settings

        session = self.conversation.session
        modes = [one for one in settings(session) if one.category == "mode"] if session is not None else []
        value = (
            modes[0].after(modes[0].value if modes[0].asked is None else modes[0].asked) if modes else None
        )
        if value is None:
            self.tell("The agent has no modes to choose from")
        else:
            self.conversation.do(SetConfigOption(self.conversation.ref, modes[0].id, value))
