"""What is said of a session in a list: when, by whom, where, how long, and what can be done with it. Pure.

Invariant: nothing of an agent leaves it but cleaned and on one line.
"""

from __future__ import annotations

import time

from acp_tui.journal.entry import Badge, Entry
from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.ui.widgets.header import short_folder

DAY = 86_400
STATES = (Badge.RUNNING, Badge.INTERRUPTED, Badge.LISTED, Badge.NOT_RESUMABLE, Badge.RESUMABLE, Badge.SAVED)
"""The badges in the order in which they matter to somebody who looks for a session."""
MARKS = {Badge.RUNNING: "●", Badge.INTERRUPTED: "!", Badge.LISTED: "○", Badge.NOT_RESUMABLE: "⊘"}
STYLES = {Badge.RUNNING: "accent", Badge.INTERRUPTED: "wait"}
MEANINGS = {
    Badge.SAVED: "saved here: it can be read without its agent",
    Badge.RESUMABLE: "its agent can resume it",
    Badge.NOT_RESUMABLE: "its agent would not resume it",
    Badge.RUNNING: "running: an acp-tui has it open",
    Badge.INTERRUPTED: "interrupted: how it ended was not seen",
    Badge.LISTED: "listed by its agent; nothing of it is saved here",
}
KINDS = {
    "user_message": "you",
    "agent_message": "agent",
    "agent_thought": "thought",
    "tool_call": "tool",
    "terminal": "terminal",
    "plan": "plan",
    "compaction": "summary",
    "subagent": "subagent",
    "info": "title",
}


def when(at: float, now: float) -> str:
    """`2 min`, `3 h`, `yesterday`, `Mon`, `24 Nov`, `2025-11-24`; empty: nobody knows."""
    if at <= 0:
        return ""
    past = now - at
    if past < 60:
        return "just now"
    if past < 3600:
        return f"{int(past // 60)} min"
    that, today = time.localtime(at), time.localtime(now)
    days = _day(today) - _day(that)
    if days <= 0:
        return f"{int(past // 3600)} h"
    if days == 1:
        return "yesterday"
    if days < 7:
        return time.strftime("%a", that)
    return f"{that.tm_mday} {time.strftime('%b', that)}" if that.tm_year == today.tm_year else _date(that)


def deleted(at: float, now: float) -> str:
    """Since when it is in the trash."""
    since = when(at, now)
    ago = " ago" if since.endswith((" min", " h")) else ""
    return f"deleted {since}{ago}".rstrip()


def retention(days: int | None) -> str:
    """What becomes of the trash by itself."""
    if days is None:
        return "Nothing is removed from here by itself (settings)."
    return f"What is here for {days} days is removed for good, unless it is pinned (settings)."


def _day(of: time.struct_time) -> int:
    return int(time.mktime((of.tm_year, of.tm_mon, of.tm_mday, 12, 0, 0, 0, 0, -1))) // DAY


def _date(of: time.struct_time) -> str:
    return time.strftime("%Y-%m-%d", of)


def title(entry: Entry) -> str:
    """What it is called."""
    return one_line(entry.title, 400) or "without a title"


def state(entry: Entry) -> Badge | None:
    """The badge that matters most."""
    return next((badge for badge in STATES if badge in entry.badges), None)


def badges(entry: Entry) -> str:
    """All of them in a few words, the one that matters most first."""
    return " · ".join(_SHORT[badge] for badge in STATES if badge in entry.badges)


_SHORT = {
    Badge.SAVED: "saved",
    Badge.RESUMABLE: "agent can resume",
    Badge.NOT_RESUMABLE: "agent cannot",
    Badge.RUNNING: "running",
    Badge.INTERRUPTED: "interrupted",
    Badge.LISTED: "listed only",
}


def length(entry: Entry) -> str:
    """How long it is; where only a glance was taken, at least so long."""
    if not entry.messages:
        return ""
    text = words.count(entry.messages, "message")
    return text if entry.exact else f"{entry.messages:,}+ messages"


def cost(entry: Entry) -> str:
    """What it cost."""
    return words.cost(*entry.cost) if entry.cost is not None else ""


def agent(entry: Entry, room: int = 24) -> str:
    """Who."""
    return one_line(entry.agent.rpartition("/")[2], room) or "agent"


def place(entry: Entry, room: int = 40) -> str:
    """The folder, and the branch in it: the session's, or where that was not kept, what it is now."""
    folder = one_line(short_folder(entry.cwd), room) if entry.cwd else ""
    branch = one_line(entry.branch, 24)
    if branch and not entry.branch_kept:
        branch = f"now {branch}"
    return f"{folder} ({branch})" if branch and folder else folder or branch


def who(entry: Entry) -> str:
    """Agent and folder."""
    return " · ".join(filter(None, (agent(entry), place(entry))))


def facts(entry: Entry, now: float) -> str:
    """How long, how much, when."""
    return " · ".join(filter(None, (length(entry), cost(entry), when(entry.active, now))))


def kind(name: str) -> str:
    """Who said what was found."""
    return KINDS.get(name) or one_line(name.replace("_", " "), 10)


def moment(at: float) -> str:
    """Day and time; empty: nobody knows."""
    try:
        return time.strftime("%a %Y-%m-%d %H:%M", time.localtime(at)) if at > 0 else ""
    except (ValueError, OverflowError, OSError):
        return ""
