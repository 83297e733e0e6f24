"""Answers of commands as markdown: lists of actions, events, approvals, capabilities; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from acp_tui.aip.bridge import parts
from acp_tui.aip.core.vocabulary import ActionStatus, Approval, Call, Capability, Event, Health, StreamChunk
from acp_tui.aip.gateway.told import Page
from acp_tui.base.config.gateways import GatewaySettings

TARGET = (
    "It is spoken to as the concept page *Actions and sessions* of AIP 1.0 has it and, where that says "
    "nothing, as one public reference server was seen to do. Signing, federation, delegation, callbacks and "
    "transactions are shown where they appear, not produced."
)


def actions(uncertain: list[Call], page: Page[ActionStatus], rest: str) -> str:
    """Those whose outcome is unknown first."""
    made = [f"- `{c.action_id}` {_cell(c.capability_id)}: **outcome unknown**" for c in uncertain]
    rows = _table(
        ("action", "capability", "state", "result", "updated"),
        [
            (f"`{_cell(one.action_id)}`", one.capability_id, _state(one), one.result_status, one.updated_at)
            for one in page.items
        ],
    )
    made += ["", *rows] if made and rows else rows
    if page.cursor is not None:
        filters = " ".join(word for word in rest.split() if not word.startswith("cursor="))
        made += ["", f"More: `/actions {filters + ' ' if filters else ''}cursor={page.cursor}`"]
    return "\n".join(made) or "No action that this identity can see."


def _table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> list[str]:
    """Without the columns in which nothing stands: terminals are narrow."""
    told = [index for index in range(len(head)) if any(row[index] for row in rows)]
    lines = [[_cell(row[index]) for index in told] for row in rows]
    full = [[head[index] for index in told], ["---"] * len(told), *lines]
    return [f"| {' | '.join(line)} |" for line in full] if rows else []


def _state(one: ActionStatus) -> str:
    return "not visible to this identity" if one.state == "unknown" else str(one.state)


def events(action_id: str, page: Page[Event | StreamChunk], *, more: bool, over: bool) -> str:
    """A page of the log, and how to go on in it: with what is there, or later with what comes."""
    made = [f"`{action_id}`", ""]
    for one in page.items:
        if isinstance(one, Event):
            at = one.occurred_at or ""
            made.append(f"- {_cell(at)} **{_cell(one.kind)}** {_data(one.data)}".rstrip())
        else:
            made.append(f"- piece {one.sequence} ({_cell(one.kind)}) {_data(one.data)}".rstrip())
    if not page.items:
        made.append("Nothing is logged that this identity can see.")
    if page.cursor is not None and (more or (page.items and not over)):
        made += ["", f"{'More' if more else 'What comes later'}: `/events {action_id} cursor={page.cursor}`"]
    return "\n".join(made)


def approvals(found: list[Approval], ours: bool) -> str:
    """Who decides is said first."""
    head = (
        "Where one of your actions waits for it, you are asked."
        if ours
        else "They are not decided here: `approvals` is off in the settings of this gateway."
    )
    lines = [f"- `{one.id}` **{_cell(one.status)}** {_about(one)}".rstrip() for one in found]
    return "\n".join([head, "", *(lines or ["None that this identity can see."])])


def _about(one: Approval) -> str:
    return " ".join(filter(None, (f"`{one.action_id}`" if one.action_id else "", _cell(one.reason))))


def capabilities(found: Iterable[Capability]) -> str:
    """What can be called."""
    lines = [f"- `{one.id}` {_cell(one.name)}{_modes(one)}{_approval(one)}" for one in found]
    return "\n".join(lines) or "This gateway lists none; `/call CAPABILITY JSON` works all the same."


def _modes(one: Capability) -> str:
    execution = one.contract.execution if one.contract else None
    if execution is None:
        return ""
    asked = (("sync", execution.supports_sync), ("async", execution.supports_async))
    can = [name for name, yes in (*asked, ("streaming", execution.supports_streaming)) if yes]
    return f" ({', '.join(can)})" if can else ""


def _approval(one: Capability) -> str:
    return ", needs an approval" if one.requires_human_approval else ""


def health(found: Health) -> str:
    """In a line."""
    version = f", version {_cell(found.version)}" if found.version else ""
    return f"health: {_cell(found.status) or 'answers'}{version}"


def gateway(name: str, settings: GatewaySettings, said: str) -> str:
    """Which one it is and how it is spoken to; never a token, only where it comes from."""
    token = settings.token_env or settings.token_file
    lines = [
        f"**{name}** at {settings.url}",
        f"- {said}",
        f"- token: {f'from {token}' if token else 'none'}; tenant: {settings.tenant or 'none named'}",
        f"- mode: {settings.mode}; streams: {settings.stream}; wrapping: {settings.wrapping}",
        f"- sessions: {', '.join(settings.profiles) if settings.profiles else 'none, actions stand alone'}",
        f"- approvals: {'decided here' if settings.approvals else 'shown, not decided here'}",
        "",
        TARGET,
    ]
    return "\n".join(lines)


def commands(known: Mapping[str, tuple[str, str | None]]) -> str:
    """All of ours."""
    lines = [f"- `/{name}{f' {hint}' if hint else ''}`: {about}" for name, (about, hint) in known.items()]
    more = "- `/CAPABILITY JSON`: the same as `/call`, for what the gateway lists"
    return "\n".join([*lines, more, "", TARGET])


def _data(data: object) -> str:
    words = "" if data is None else parts.in_words(data).strip()
    return _cell(words if len(words) <= 200 else f"{words[:199]}…")


def _cell(words: object) -> str:
    return "" if words is None else " ".join(str(words).replace("|", "\\|").split())
