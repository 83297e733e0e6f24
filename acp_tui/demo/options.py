"""The options of a demo session: a mode that means something, and others that only show what options can be.

One depends on another: the smallest model does not think, so it offers no thought level; and one value is
refused.
"""

from __future__ import annotations

from acp_tui.agent_side.wire import Fault, Json
from acp_tui.protocol.errors import INVALID_PARAMS

_REFUSED = "huge"
_SMALLEST = "tiny"


def offered(config: Json) -> list[Json]:
    """All of them with their current values; what was not chosen yet has its first."""
    mode = _select(
        config,
        "mode",
        "Mode",
        ("ask", "Ask first", "Ask before every change"),
        ("auto", "Automatic", "Make changes without asking"),
    )
    small = _group(
        "small", "Small and fast", ("mini", "Mini", "Quick answers"), (_SMALLEST, "Tiny", "No thoughts")
    )
    large = _group(
        "large", "Large", ("maxi", "Maxi", "For long work"), (_REFUSED, "Huge", "Not in your plan")
    )
    model = {**_select(config, "model", "Model", ("mini", "", "")), "options": [small, large]}
    web: Json = {"configId": "web", "name": "Search the web", "type": "boolean"}
    web |= {"description": "Look things up before answering", "currentValue": config.get("web", False)}
    return [mode, model, *([] if config.get("model") == _SMALLEST else [_thought(config)]), web]


def _thought(config: Json) -> Json:
    levels = (("low", "Low", ""), ("medium", "Medium", ""), ("high", "High", "Slow and thorough"))
    made = _select(config, "thought", "Thinking", *levels)
    return {**made, "category": "thought_level", "description": "How long to think before answering"}


def _select(config: Json, id_: str, name: str, *choices: tuple[str, str, str]) -> Json:
    current = config.get(id_, choices[0][0])
    made = {"configId": id_, "name": name, "category": id_, "type": "select", "currentValue": current}
    return {**made, "options": [_choice(*choice) for choice in choices]}


def _choice(value: str, name: str, words: str) -> Json:
    return {"value": value, "name": name, **({"description": words} if words else {})}


def _group(id_: str, name: str, *choices: tuple[str, str, str]) -> Json:
    return {"groupId": id_, "name": name, "options": [_choice(*choice) for choice in choices]}


def choose(config: Json, id_: str, value: object) -> None:
    """Set one; raises `Fault` for an unknown option or value, and for the one that is refused."""
    one = next((one for one in offered(config) if one["configId"] == id_), None)
    if one is None or not _may_be(one, value):
        raise Fault(INVALID_PARAMS, f"There is no such option or value: {id_}", {"configId": id_})
    if (id_, value) == ("model", _REFUSED):
        raise Fault(INVALID_PARAMS, "The model Huge is not in your plan", {"configId": id_})
    config[id_] = value


def _may_be(one: Json, value: object) -> bool:
    if one["type"] == "boolean":
        return isinstance(value, bool)
    choices = [inner for each in one["options"] for inner in each.get("options", [each])]
    return any(choice["value"] == value for choice in choices)
