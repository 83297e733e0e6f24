"""What things are called on the screen: durations, statuses, stop reasons, sizes and glyphs, each in one
place.

Invariant: a word we do not know is shown as it came, cleaned; nothing here guesses what it means.
"""

from __future__ import annotations

import time
from typing import Final

from acp_tui.render.clean import one_line

STOP_REASONS: Final = {
    "end_turn": "done",
    "max_tokens": "ended: the answer reached the token limit",
    "max_turn_requests": "ended: the limit of model requests was reached",
    "refusal": "ended: the model refused to go on",
    "cancelled": "cancelled",
    "error": "stopped by an error",
    "disconnected": "the connection was lost",
}

STATUS_GLYPHS: Final = {
    "pending": "○",
    "in_progress": "◐",
    "paused": "‖",
    "completed": "✓",
    "failed": "✗",
    "cancelled": "⊘",
    "rejected": "⊘",
}
STATUS_WORDS: Final = {
    "pending": "not started",
    "in_progress": "working",
    "paused": "paused",
    "completed": "done",
    "failed": "failed",
    "cancelled": "cancelled",
    "rejected": "rejected",
}
PLAN_GLYPHS: Final = {
    "pending": "○",
    "in_progress": "◐",
    "completed": "✓",
    "cancelled": "⊘",
}
NO_FINAL: Final = {
    "turn ended": "no final status reported",
    "rejected": "rejected",
    "disconnected": "the agent was lost",
}

KIND_GLYPHS: Final = {
    "read": "→",
    "edit": "✎",
    "delete": "⌫",
    "move": "↦",
    "search": "⌕",
    "execute": "$",
    "think": "∴",
    "fetch": "↧",
    "switch_mode": "⇄",
    "other": "·",
}
"""The kinds of tool calls (TC-09); an unrecognised one looks like `other` (TC-20)."""

STATES: Final = {
    "idle": "idle",
    "running": "working",
    "requires_action": "waits for you",
    "unknown": "state not known yet",
    "disconnected": "disconnected",
}

SUBMISSIONS: Final = {
    "queued": "waiting here",
    "held": "held",
    "pending": "sent, not accepted yet",
    "inserted": "accepted",
    "rejected": "refused",
    "withdrawn": "withdrawn",
    "uncertain": "not known whether it arrived",
    "dismissed": "not known whether it arrived",
}
CANCELS: Final = {
    "asked": "cancel asked",
    "confirmed": "cancel confirmed",
    "finished": "finished anyway",
    "no_answer": "cancel asked, no answer",
}
"""What became of a wish to stop something; the last: for 12 seconds (CX-18)."""

COMPACTIONS: Final = {
    "in_progress": "compacting the conversation",
    "completed": "the conversation was compacted",
    "failed": "compacting failed",
    "cancelled": "compacting was cancelled",
}


def no_final_glyph(why: str) -> str:
    """For a call whose agent gave no final status."""
    return STATUS_GLYPHS["cancelled"] if why == "rejected" else "◌"


def duration(seconds: float) -> str:
    """`0.4 s`, `12 s`, `1 m 12 s`, `2 h 05 m`, `3 d 04 h`."""
    seconds = max(0.0, seconds)
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} m {whole % 60:02d} s"
    if whole < 86_400:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} m"
    return f"{whole // 86_400} d {whole % 86_400 // 3600:02d} h"


def running(seconds: float) -> str:
    """The time of something that is not over: whole seconds, nothing under one."""
    return duration(float(int(seconds))).replace(".0 s", " s") if seconds >= 1 else ""


def clock(at: float) -> str:
    """Time of day, in the user's zone."""
    return time.strftime("%H:%M", time.localtime(at))


def size(count: int) -> str:
    """`12 B`, `3.4 kB`, `1.2 MB`."""
    if count < 1000:
        return f"{count} B"
    value = float(count)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.5:
            return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"
    return f"{value / 1000:.1f} TB"


def tokens(count: int) -> str:
    """`812`, `12k`, `1.2M`."""
    if count < 1000:
        return str(count)
    if count < 999_500:
        return f"{count / 1000:.1f}k" if count < 9950 else f"{count / 1000:.0f}k"
    return f"{count / 1_000_000:.1f}M"


def cost(amount: float, currency: str) -> str:
    """`$0.42`, `3.10 EUR`."""
    if abs(amount) < 1e9:
        text = f"{amount:.2f}" if amount >= 0.1 or amount == 0 else f"{amount:.3f}"
    else:  # no sum of money: it must not take the room of what matters
        text = f"{amount:.1e}"
    return f"${text}" if currency == "USD" else f"{text} {one_line(currency, 8)}"


def count(number: int, one: str, many: str = "") -> str:
    """`1 line`, `1,234 lines`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def lines(text: str) -> str:
    """How many lines a text has; a newline at its end begins none."""
    return count(text.count("\n") + (text[-1:] not in ("", "\n")), "line")


def changes(added: int, removed: int) -> str:
    """`+3 −1`."""
    return f"+{added} −{removed}"


def stop_reason(reason: str | None) -> str:
    """Why foreground work ended (ST-04 to ST-06, ST-18)."""
    if reason is None:
        return "stopped"
    return STOP_REASONS.get(reason) or f"stopped: {one_line(reason, 60)}"


def state(name: str) -> str:
    """The foreground state; an unrecognised one is busy in its own words (ST-02)."""
    known = STATES.get(name)
    if known is not None:
        return known
    return f"busy: {one_line(name.removeprefix('unknown:'), 40)}"


def status_glyph(status: str) -> str:
    """Glyph of a tool call's status; one we do not know is still in progress (TC-03)."""
    return STATUS_GLYPHS.get(status, STATUS_GLYPHS["in_progress"])


def status(name: str) -> str:
    """Status of a tool call in words."""
    return STATUS_WORDS.get(name) or one_line(name, 30)


def exit_status(code: int | None, signal: str | None) -> str:
    """`exit 1`, `SIGTERM`, `ended` where neither was told (TM-09)."""
    if signal:
        return one_line(signal, 20)
    return f"exit {code}" if code is not None else "ended"
