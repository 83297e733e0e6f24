"""Where a session can be deleted, in so many words. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from acp_tui.journal.entry import Badge, Entry
from acp_tui.render.clean import one_line
from acp_tui.ui.conversation import Link


@dataclass(frozen=True, slots=True)
class Way:
    """One of them."""

    words: str
    here: bool = False
    agent: bool = False


def ways(entry: Entry, link: Link | None) -> tuple[list[Way], str]:
    """Those there are, the one that can be undone first; and why there are no others, in a sentence."""
    saved = Badge.SAVED in entry.badges
    why = _why_not(link)
    agent = one_line(entry.agent.rpartition("/")[2], 30) or "its agent"
    found = [Way("Here only: into the trash, from where it can be brought back", here=True)] if saved else []
    if not why:
        stays = "; what is saved here stays" if saved else ""
        found.append(Way(f"On the agent only: {agent} forgets it for good{stays}", agent=True))
    if saved and not why:
        found.append(
            Way(f"Both: into the trash here, and {agent} forgets it for good", here=True, agent=True)
        )
    return found, f"Not on the agent: {why}" if why else ""


def _why_not(link: Link | None) -> str:
    if link is None:
        return "it does not run now. Start it, then delete here."
    capabilities = link.store.connection.capabilities
    if capabilities is None or capabilities.session is None or capabilities.session.delete is None:
        return "it cannot delete sessions."
    return ""
