"""More of the session that is marked in the library: its facts, how it began, what was said last.

Invariants: facts at once, words when the librarian has them; what was marked meanwhile wins; everything is
cleaned, and never markup.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.journal.entry import Badge, Entry, Hit
from acp_tui.journal.glimpse import Glimpse
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line, visible
from acp_tui.ui.library import wording
from acp_tui.ui.library.librarian import Librarian
from acp_tui.ui.workers import later

PAUSE = 0.08
"""Seconds a session is marked before its words are read: who holds an arrow wants none of them."""
LONGEST = 2_000


class Glance(Widget):
    """See the module."""

    DEFAULT_CSS = """
    Glance {
        width: 40%;
        height: 1fr;
        padding: 0 1 0 2;
        color: $text-muted;
        border-left: vkey $surface;
        overflow: hidden;
    }
    """

    entry: reactive[Entry | None] = reactive(None)
    said: reactive[Glimpse] = reactive(Glimpse())
    hit: reactive[Hit | None] = reactive(None)

    def __init__(self, librarian: Librarian, now: Callable[[], float], id: str) -> None:
        super().__init__(id=id)
        self._librarian = librarian
        self._now = now

    def show(self, entry: Entry | None, hit: Hit | None) -> None:
        """This one from now on."""
        before, self.entry, self.hit = self.entry, entry, hit
        if entry is None or before is None or before.id != entry.id or before.active != entry.active:
            if before is None or entry is None or before.id != entry.id:
                self.said = Glimpse()
            if entry is not None and Badge.SAVED in entry.badges:
                self.run_worker(later(self._read, entry.id), exclusive=True)

    async def _read(self, id: str) -> None:
        from asyncio import sleep

        await sleep(PAUSE)
        said = await self._librarian.ask(lambda library: library.glimpse(id))
        if self.entry is not None and self.entry.id == id:
            self.said = said

    def render(self) -> RenderResult:
        if self.entry is None:
            return ""
        parts: list[Content | str | tuple[str, str]] = [
            (wording.title(self.entry), "bold $foreground"),
            "\n\n",
        ]
        for name, text in _facts(self.entry, self._now()):
            parts += [f"{name:<9}", (text, "$foreground"), "\n"]
        for badge in wording.STATES:
            if badge in self.entry.badges:
                parts += [("· ", "$accent"), wording.MEANINGS[badge], "\n"]
        for text in _troubles(self.entry):
            parts += [(f"! {text}", "$warning"), "\n"]
        for head, said in (("You", self.said.first), (wording.agent(self.entry), self.said.last)):
            if said.strip():
                parts += ["\n", (head, "bold $accent"), "\n", (_short(said), "$foreground"), "\n"]
        return Content.assemble(*parts)


def _short(text: str) -> str:
    lines = [line.rstrip() for line in clean(text[:LONGEST]).strip().split("\n") if line.strip()]
    return "\n".join(lines[:10]) + (" …" if len(lines) > 10 else "")


def _facts(entry: Entry, now: float) -> list[tuple[str, str]]:
    lengths = [wording.length(entry)]
    lengths += [words.count(entry.tool_calls, "tool call")] if entry.tool_calls else []
    found = [
        ("agent", one_line(entry.agent, 60)),
        ("folder", one_line(visible(wording.place(entry, 200)), 200)),
        ("begun", wording.moment(entry.created)),
        ("active", wording.moment(entry.active)),
        ("deleted", wording.moment(entry.trashed_at or 0.0)),
        ("length", ", ".join(filter(None, lengths))),
        ("cost", wording.cost(entry)),
        ("id", entry.id),
    ]
    return [(name, text) for name, text in found if text]


def _troubles(entry: Entry) -> list[str]:
    found = []
    if entry.refused:
        found.append(f"Its agent: {one_line(entry.refused, 200)}")
    if entry.uncertain:
        found.append(f"{words.count(entry.uncertain, 'prompt')}: not known whether the agent took it")
    if entry.newer:
        found.append("A part was written by a newer acp-tui")
    return found
