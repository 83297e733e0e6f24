"""What a chat has for what an agent wants to know and lets choose: its forms, its addresses, its options.

A form takes the focus only from a composer that is not in use; what one writes meanwhile is the composer's.
"""

from __future__ import annotations

from acp_tui.client.intents import SetConfigOption
from acp_tui.render.clean import one_line
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.reading import ReadingScreen
from acp_tui.ui.widgets.composer import Composer
from acp_tui.ui.widgets.forms import Forms
from acp_tui.ui.widgets.header import Header


class AskingScreen(ReadingScreen):
    """A screen with one conversation, and what is asked in it."""

    conversation: Conversation

    @property
    def forms(self) -> Forms:
        """Where forms stand."""
        return self.query_one(Forms)

    def step_place(self, by: int) -> None:
        """To the next place of the screen, or the one before."""
        raise NotImplementedError

    # Forms

    def on_forms_appeared(self) -> None:
        """Take the focus only if nobody is writing."""
        composer = self.query_one(Composer)
        if self.focused is composer and not composer.in_use:
            self.forms.begin()

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
