"""What a client may offer its user: our commands, the capabilities, and what may follow each of them.

What may follow stands in `_meta` of a command's input, under a key that is for any agent: candidates, each
with a few words, and the beginning of the JSON that comes next where a schema is known. Invariants: free
entry is never hindered by it; the whole of it is bounded, for it is sent again when an action changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from acp_tui.agent_side.wire import Json
from acp_tui.aip.bridge import drafts, forms
from acp_tui.aip.bridge.commands import COMMANDS, Named
from acp_tui.aip.bridge.telling import RECENT, Known
from acp_tui.aip.core.vocabulary import Capability
from acp_tui.aip.core.words import State

KEY: Final = "acp-tui/arguments"
CALL: Final = ("call", "Call a capability", "CAPABILITY JSON, or @file, or nothing for a form")
LISTED: Final = 100
"""Capabilities that become commands, at most."""
DRAFTS: Final = 16_000
"""Characters of all drafts."""
_STATES: Final = [one for one in State if one not in (State.UNKNOWN, State.ACCEPTED, State.CANCELLING)]
"""Those that are seen in lists."""


def offered(capabilities: Iterable[Capability], actions: Iterable[Known] = ()) -> list[Json]:
    """`availableCommands`; of the actions the newest first."""
    listed = [one for one in capabilities if _callable(one.id)][:LISTED]
    inputs = dict(_drafted(listed))
    known = [*actions]
    call = [_value(one.id, _about(one), inputs.get(one.id)) for one in listed]
    ours = [
        _entry(name, one.about, one.hint, _following(one.named, known, listed))
        for name, one in COMMANDS.items()
    ]
    theirs = [_entry(one.id, _about(one), forms.hint(one.input_schema), inputs.get(one.id)) for one in listed]
    return [_entry(*CALL, {"required": True, "values": call} if call else None), *ours, *theirs]


def _about(one: Capability) -> str:
    return one.description or one.name or one.id


def _callable(capability_id: str) -> bool:
    """Whether an id can stand after a slash."""
    plain = capability_id.isprintable() and not any(map(str.isspace, capability_id))
    return plain and capability_id not in ("", *COMMANDS, CALL[0])


def _entry(name: str, about: str, hint: str | None, arguments: Json | None = None) -> Json:
    given: Json | None = None if hint is None else {"type": "text", "hint": hint}
    if given is not None and arguments is not None:
        given["_meta"] = {KEY: arguments}
    return {"type": "command", "name": name, "description": about, "input": given}


def _value(value: str, about: str, then: Json | None = None) -> Json:
    made: Json = {"value": value, "description": about}
    return made if then is None else {**made, "then": then}


def _drafted(listed: Iterable[Capability]) -> Iterator[tuple[str, Json]]:
    """The beginning of the input of each, while there is room."""
    left = DRAFTS
    for one in listed:
        made = drafts.draft(one.input_schema)
        if made is not None and (left := left - len(made.text)) >= 0:
            about = drafts.about(one.input_schema)
            said = f"without it a form asks · {about}" if about else "without it a form asks"
            yield one.id, {"values": [{"value": made.text, "cursor": made.cursor, "description": said}]}


def _following(named: Named, known: list[Known], listed: list[Capability]) -> Json | None:
    if named == "filters":
        values = [_value(f"state={state}", "those in this state") for state in _STATES]
        values += [_value(f"capability={one.id}", _about(one)) for one in listed[:RECENT]]
        return {"values": values}
    fit = [one for one in known if _fits(named, one)]
    return {"values": [_value(one.id, one.about) for one in fit]} if fit else None


def _fits(named: Named, one: Known) -> bool:
    match named:
        case "open":
            return one.open
        case "uncertain":
            return one.uncertain
        case "any":
            return True
        case _:
            return False
