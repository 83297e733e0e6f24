"""A prompt of the user that left and that no user message stands for yet: his words, and where it is (PR-04
to PR-09).

Invariant: what waits here or may not have arrived stands in the list above the composer, and not here too;
an accepted one says so until its message is there, or looks like one where none came; no words stand twice.
"""

from __future__ import annotations

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look, act
from acp_tui.render.markdown import Page
from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.views.message import Text
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import Submission
from acp_tui.store.growing import Blocks

_LEFT = ("pending", "inserted")


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
        if entity.status == "pending" and entity.withdraw_asked_at is not None:
            return "not accepted yet · the agent was asked to give it back"
        why = entity.reason or (entity.error.message if entity.error is not None else "")
        return f"{said}: {one_line(why, 200)}" if why else said

    @property
    def shown(self) -> bool:
        """Here, and nowhere else."""
        return self.entity.status in _LEFT and self.entity.stands != "nowhere"

    def estimate(self, width: int) -> int:
        said = self.entity.stands == "below"
        return self.gap + said + self.text.estimate(width) if self.shown else 0

    def source(self) -> str:
        return self.entity.text if self.entity.stands != "nowhere" else ""

    def excerpt(self, part: int, fence: int) -> str:
        return self.text.excerpt(part, fence)

    def forget(self) -> None:
        super().forget()
        self.text.forget()

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        entity = self.entity
        if not self.shown:
            return Lines()
        lines = self.begin(width, look)
        left: tuple[Run, ...] = (("▌", look.user_bar), (" ", look.base))
        settled = entity.stands == "here"
        page = Page(width, look, left, look.user if settled else look.dim, breaks=True)
        self.text.draw(lines, page, True, self._opened, None)
        if settled:
            return lines
        runs: list[Run] = [(self.status(), look.dim)]
        if entity.status == "pending" and entity.withdraw_asked_at is None:
            runs += [(" · ", look.dim), ("take it back", look.dim + act("stop"))]
        lines.extend(wrap(runs, width, look.base, first=[("  ", look.base)]))
        return lines
