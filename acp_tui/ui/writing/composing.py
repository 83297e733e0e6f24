"""What is being written in one conversation, beside its words: long pastes, files, what was sent before.

It belongs to the conversation, as the draft does; widgets come and go. Imports no Textual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from acp_tui.services.pasted import Pasted
from acp_tui.ui.drafts import Draft
from acp_tui.ui.writing.sending import Sent


@dataclass(slots=True, eq=False)
class Composing:
    """See the module."""

    pasted: Pasted = field(default_factory=Pasted)
    attached: list[str] = field(default_factory=list)
    """Absolute paths, in the order they were attached."""
    sent: Sent = field(default_factory=Sent)
    changed: Callable[[], None] = lambda: None
    """Called when there is something else to keep."""

    def draft(self, text: str) -> Draft:
        """All of it, with these words."""
        return Draft(text, self.pasted.used(text), tuple(self.attached))

    def adopt(self, draft: Draft) -> str:
        """What another had written comes here; its words, as they are to stand here."""
        whole, spans = Pasted(draft.pasted).unfolded(draft.text)
        self.attached += [path for path in draft.attached if path not in self.attached]
        return self.pasted.folded(whole, spans)
