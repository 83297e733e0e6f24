"""Whether a message is what the official ACP schema says, v2 or v1; strict, where a client has to be lenient.

`problem` finds the definition by side and method, so that an error names the field at fault and not the forty
alternatives of a union. The unstable schema is a superset: it also knows subagents and newer plans.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

Json = dict[str, Any]

_FOLDER = Path(__file__).parent / "schema"
STABLE = _FOLDER / "schema.json"
UNSTABLE = _FOLDER / "schema.unstable.json"
V1 = _FOLDER / "schema.v1.json"


class Schema:
    """One schema file and its compiled validators."""

    def __init__(self, path: Path) -> None:
        self._definitions: Json = json.loads(path.read_text())["$defs"]
        self._validators: dict[str, Draft202012Validator] = {}
        self._by_method = {
            (each["x-side"], each["x-method"], _form(name)): name
            for name, each in self._definitions.items()
            if "x-method" in each
        }
        kinds = self._definitions["SessionUpdate"]
        self._updates = {
            variant["properties"]["sessionUpdate"]["const"]: variant["allOf"][0]["$ref"].rpartition("/")[2]
            for variant in kinds.get("anyOf") or kinds["oneOf"]
            if "allOf" in variant
        }

    @property
    def update_kinds(self) -> frozenset[str]:
        """All values of `sessionUpdate` that the schema knows."""
        return frozenset(self._updates)

    def knows(self, side: str, method: str) -> bool:
        """Whether this side serves the method."""
        return any((side, method, form) in self._by_method for form in ("Request", "Notification"))

    def params(self, side: str, method: str, params: object) -> str | None:
        """What is wrong with parameters sent to a side; None for a method that the schema does not name."""
        for form in ("Request", "Notification"):
            name = self._by_method.get((side, method, form)) or self._by_method.get(
                ("protocol", method, form)
            )
            if name is not None:
                return self._update(params) if method == "session/update" else self.problem(name, params)
        return None

    def result(self, side: str, method: str, result: object) -> str | None:
        """What is wrong with the result that a side gave for a method."""
        name = self._by_method.get((side, method, "Response"))
        return None if name is None else self.problem(name, result)

    def problem(self, definition: str, value: object) -> str | None:
        """What keeps a value from being an instance of a definition."""
        if definition not in self._validators:
            root = {"$ref": f"#/$defs/{definition}", "$defs": self._definitions}
            self._validators[definition] = Draft202012Validator(root)
        error = best_match(self._validators[definition].iter_errors(value))
        return None if error is None else f"{definition} {error.json_path}: {error.message}"

    def _update(self, params: object) -> str | None:
        if not isinstance(params, dict) or not isinstance(params.get("sessionId"), str):
            return "session/update without a sessionId"
        update = params.get("update")
        kind = update.get("sessionUpdate") if isinstance(update, dict) else None
        if not isinstance(kind, str):
            return "session/update without a kind"
        definition = self._updates.get(kind)
        return None if definition is None else self.problem(definition, update)


def _form(name: str) -> str:
    return next(form for form in ("Request", "Response", "Notification") if name.endswith(form))


@cache
def stable() -> Schema:
    """The schema that stands."""
    return Schema(STABLE)


@cache
def unstable() -> Schema:
    """The schema with what is to come."""
    return Schema(UNSTABLE)


@cache
def v1() -> Schema:
    """The schema of version 1."""
    return Schema(V1)
