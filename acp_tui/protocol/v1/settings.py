"""Config options of v1 agents, and those that are made of their modes and models (V1-35, V1-36).

Invariants: the user sees one option of a category; where the agent has one of its own, that is it. Values are
what the agent said last, or agreed to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from acp_tui.protocol.v1 import ids
from acp_tui.protocol.v1.memory import Talk


class _Made(NamedTuple):
    """How an option is made of what an agent has to choose from."""

    config_id: str
    category: str
    name: str
    field: str
    """In answers, and the attribute of `Talk`."""
    current: str
    available: str
    key: str


_MADE = (
    _Made(ids.MODE, "mode", "Mode", "modes", "currentModeId", "availableModes", "id"),
    _Made(ids.MODEL, "model", "Model", "models", "currentModelId", "availableModels", "modelId"),
)


def take(talk: Talk, raw: dict[str, Any]) -> bool:
    """Learn what an answer or an update says of settings; whether it says anything."""
    told = False
    if isinstance(raw.get("configOptions"), list):
        talk.options, told = [_option(one) for one in raw["configOptions"]], True
    for made in _MADE:
        if _usable(made, choice := raw.get(made.field)):
            setattr(talk, made.field, choice)
            told = True
    return told


def offered(talk: Talk) -> list[Any]:
    """The complete list, as v2 agents would tell it."""
    own = {one.get("category") for one in talk.options if isinstance(one, dict)}
    made = [_select(one, getattr(talk, one.field)) for one in _MADE if one.category not in own]
    return [one for one in made if one is not None] + talk.options


def moved(talk: Talk, config_id: str, value: Any) -> bool:
    """A mode or model is another one now; False if there is none to choose."""
    made = next((one for one in _MADE if one.config_id == config_id), None)
    choice = getattr(talk, made.field) if made is not None else None
    if made is None or choice is None or not isinstance(value, str):
        return False
    setattr(talk, made.field, {**choice, made.current: value})
    return True


def changed(talk: Talk, config_id: str, value: Any) -> None:
    """An option of the agent's own took this value, in an answer without a list."""
    for n, one in enumerate(talk.options):
        if isinstance(one, dict) and one.get("configId") == config_id:
            talk.options[n] = {**one, "currentValue": value}


def _usable(made: _Made, choice: Any) -> bool:
    if not isinstance(choice, dict) or not isinstance(choice.get(made.current), str):
        return False
    return bool(_choices(made, choice))


def _choices(made: _Made, choice: dict[str, Any]) -> list[dict[str, Any]]:
    available = choice.get(made.available)
    found = []
    for one in available if isinstance(available, list) else ():
        if isinstance(one, dict) and isinstance(value := one.get(made.key), str):
            name = one.get("name")
            option = {"value": value, "name": name if isinstance(name, str) else value}
            told = {"description": one["description"]} if isinstance(one.get("description"), str) else {}
            found.append({**option, **told})
    return found


def _select(made: _Made, choice: dict[str, Any] | None) -> dict[str, Any] | None:
    if choice is None:
        return None
    return {
        "type": "select",
        "configId": made.config_id,
        "name": made.name,
        "category": made.category,
        "currentValue": choice[made.current],
        "options": _choices(made, choice),
    }


def _option(raw: Any) -> Any:
    if not isinstance(raw, dict):
        return raw
    option = {key: value for key, value in raw.items() if key != "id"}
    if isinstance(raw.get("id"), str):
        option["configId"] = ids.taken(raw["id"])
    option.setdefault("type", "select")
    if isinstance(raw.get("options"), list):
        option["options"] = [_group(one) for one in raw["options"]]
    return option


def _group(raw: Any) -> Any:
    if not isinstance(raw, dict) or "group" not in raw:
        return raw
    return {"groupId": raw["group"], **{key: value for key, value in raw.items() if key != "group"}}
