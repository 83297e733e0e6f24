"""The palette: everything that can be done here, by name, each with its key.

Made from the key table alone: what the shown screen and its widgets bind can be chosen, as if its key had
been pressed where it is heard. Keys that only move a cursor are there too: a palette that leaves something
out cannot be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from textual.binding import Binding
from textual.command import CommandInput, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from acp_tui.ui import keys, unofficial


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that can be done, by one node of the screen."""

    id: str
    what: str
    action: str
    node: DOMNode
    place: str
    keys: str

    @property
    def words(self) -> str:
        """What one types to find it."""
        return f"{self.what[:1].upper()}{self.what[1:]}"


def offers(screen: Screen[object], changed: Mapping[str, str]) -> list[Offer]:
    """What the app, this screen and its widgets can do, in the order of the table."""
    heard: dict[str, tuple[DOMNode, Binding]] = {}
    for node in (screen.app, screen, *screen.query("*").results(Widget)):
        if isinstance(node, Widget) and not node.display:
            continue
        for binding in unofficial.bindings(node):
            if binding.id is not None:
                heard.setdefault(binding.id, (node, binding))
    return list(_offered(heard, changed))


def _offered(heard: Mapping[str, tuple[DOMNode, Binding]], changed: Mapping[str, str]) -> Iterator[Offer]:
    for id, (deed, own) in keys.BOUND.items():
        if id in heard:
            node, binding = heard[id]
            named = keys.spelled(keys.listed(changed[id]) if id in changed else own)
            what = f"{deed.what} ({id.rpartition('.')[2]})" if deed.numbered else deed.what
            yield Offer(id, what, binding.action, node, keys.TITLES[deed.where], named)


class Actions(Provider):
    """Textual's way to ask for them."""

    async def discover(self) -> Hits:
        """All of them."""
        for offer in self._offers():
            yield DiscoveryHit(_row(offer, Content(offer.words)), partial(self._do, offer), offer.words)

    async def search(self, query: str) -> Hits:
        """Those with these words, or with this key or name."""
        matcher = self.matcher(query)
        for offer in self._offers():
            score = max(matcher.match(offer.words), matcher.match(offer.id), matcher.match(offer.keys))
            if score > 0:
                shown = matcher.highlight(offer.words)
                yield Hit(score, _row(offer, shown), partial(self._do, offer), offer.words)

    def _offers(self) -> list[Offer]:
        changed: Mapping[str, str] = getattr(self.app, "key_changes", {})
        return offers(self.screen, changed)

    async def _do(self, offer: Offer) -> None:
        """As if the key had been pressed there."""
        node = offer.node
        if isinstance(node, Widget) and node.can_focus and not node.has_focus:
            node.focus()
        await self.app.run_action(offer.action, node)


def _row(offer: Offer, words: Content) -> Content:
    return Content.assemble(words, "  ", (offer.keys, "$accent"), (f"  {offer.place}", "$text-muted"))


class Palette(CommandPalette):
    """Textual's palette, with a cursor that does not blink."""

    def __init__(self) -> None:
        super().__init__(providers=[Actions], placeholder="What do you want to do?")

    def on_mount(self) -> None:
        """Nothing runs while nothing happens."""
        self.query_one(CommandInput).cursor_blink = False
