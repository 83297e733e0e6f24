"""A prompt of the user that no user message stands for yet: his words, and what became of them (PR-04 to
PR-18).

Invariant: accepted, queued, held and unknown are different words; an accepted one is not drawn, its
message is.
"""

from __future__ import annotations

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look
from acp_tui.render.markdown import Page
from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.views.message import Text
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import Submission
from acp_tui.store.growing import Blocks


class SubmissionView(View):
    """See the module."""

    __slots__ = ("text",)

    entity: Submission

    def __init__(self, entity: Submission, store: Lookup, now: Now) -> None:
        super().__init__(entity, store, now)
        blocks = Blocks()
        for block in entity.blocks:
            blocks.append(block)
        self.text = Text(blocks)

    def status(self) -> str:
        """What became of it, in words."""
        entity = self.entity
        said = words.SUBMISSIONS.get(entity.status, entity.status)
        why = entity.reason or (entity.error.message if entity.error is not None else "")
        return f"{said}: {one_line(why, 200)}" if why else said

    def estimate(self, width: int) -> int:
        return 0 if self.entity.status == "inserted" else self.gap + 1 + self.text.estimate(width)

    def source(self) -> str:
        return self.entity.text

    def excerpt(self, part: int, fence: int) -> str:
        return self.text.excerpt(part, fence)

    def forget(self) -> None:
        super().forget()
        self.text.forget()

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        entity = self.entity
        if entity.status == "inserted":
            return Lines()
        lines = self.begin(width, look)
        left: tuple[Run, ...] = (("▌", look.user_bar), (" ", look.base))
        page = Page(width, look, left, look.dim, breaks=True)
        self.text.draw(lines, page, True, self._opened, None)
        decide = entity.status in ("held", "uncertain", "rejected")
        mark = "? " if entity.status == "uncertain" else ""
        runs: list[Run] = [(mark + self.status(), look.turn_waiting if decide else look.dim)]
        lines.extend(wrap(runs, width, look.base, first=[("  ", look.base)]))
        return lines
