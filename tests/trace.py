"""A conversation as data: steps, answers tied to their requests, the steps of each session.

A trace is a list of `(direction, message)`: `>` is client to agent, `<` agent to client; a message that is no
JSON object stands as it was found.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Line = tuple[str, Any]


@dataclass(slots=True, eq=False)
class Step:
    """One message of a trace; an answer knows the request it belongs to, a request its answers."""

    index: int
    agent: bool
    raw: Any
    asked: Step | None = None
    answers: tuple[Step, ...] = ()

    @property
    def form(self) -> str:
        """`request`, `notification`, `response`, or `noise` for what is no message."""
        if not isinstance(self.raw, dict):
            return "noise"
        if isinstance(self.raw.get("method"), str):
            return "request" if "id" in self.raw else "notification"
        return "response" if "id" in self.raw and ("result" in self.raw or "error" in self.raw) else "noise"

    @property
    def method(self) -> str:
        """The method, of the request too when this is its answer."""
        named = self.raw if self.asked is None else self.asked.raw
        return str(named.get("method", "")) if isinstance(named, dict) else ""

    @property
    def params(self) -> Json:
        """The parameters."""
        params = self.raw.get("params") if isinstance(self.raw, dict) else None
        return params if isinstance(params, dict) else {}

    @property
    def result(self) -> Json | None:
        """The result of a successful answer."""
        result = self.raw.get("result") if self.form == "response" and "error" not in self.raw else None
        return {} if result is None and self.ok else result

    @property
    def ok(self) -> bool:
        """Whether this is a successful answer."""
        return self.form == "response" and "error" not in self.raw

    @property
    def code(self) -> int | None:
        """The error code of a failed answer."""
        error = self.raw.get("error") if self.form == "response" else None
        return error.get("code") if isinstance(error, dict) else None

    @property
    def session(self) -> str | None:
        """The session the message names; an answer belongs to that of its request."""
        named = self.asked.params if self.asked is not None else self.params
        return named.get("sessionId")

    @property
    def update(self) -> Json:
        """The update of a `session/update` from the agent, else nothing."""
        update = self.params.get("update") if self.form == "notification" and self.agent else None
        return update if isinstance(update, dict) and self.method == "session/update" else {}

    @property
    def kind(self) -> str:
        """The kind of the update."""
        return str(self.update.get("sessionUpdate", ""))

    def asks(self, method: str) -> bool:
        """Whether this is the client's request or notification with that method."""
        return not self.agent and self.form in ("request", "notification") and self.method == method

    def answers_to(self, method: str) -> bool:
        """Whether this is the agent's answer to a request with that method."""
        return self.agent and self.form == "response" and self.asked is not None and self.method == method


class Trace:
    """All steps, with answers tied to requests by side, type and value of the id."""

    def __init__(self, lines: Iterable[Line], *, complete: bool = True) -> None:
        self.complete = complete
        self.steps = [Step(i, direction == "<", raw) for i, (direction, raw) in enumerate(lines)]
        waiting: dict[tuple[bool, str], Step] = {}
        for step in self.steps:
            key = (step.agent, json.dumps(step.raw.get("id"))) if isinstance(step.raw, dict) else (False, "")
            if step.form == "request":
                waiting[key] = step
            elif step.form == "response" and (asked := waiting.get((not step.agent, key[1]))):
                step.asked = asked
                asked.answers += (step,)

    @cached_property
    def sessions(self) -> dict[str, list[Step]]:
        """The steps of each session, in order."""
        found: defaultdict[str, list[Step]] = defaultdict(list)
        for step in self.steps:
            name = step.session
            if step.answers_to("session/new") and step.ok:
                name = (step.result or {}).get("sessionId")
            if isinstance(name, str):
                found[name].append(step)
        return dict(found)

    @cached_property
    def replayed(self) -> frozenset[int]:
        """Indexes of the updates that a resume made the agent repeat, those of child sessions included."""
        parents: dict[object, object] = {}
        pending: list[object] = []
        found = set()
        for step in self.steps:
            if step.kind == "subagent_update":
                parents[step.update.get("sessionId")] = step.session
            if step.asks("session/resume"):
                pending.append(step.session)
            elif step.answers_to("session/resume") and step.session in pending:
                pending.remove(step.session)
            elif step.update and {step.session, parents.get(step.session)} & set(pending):
                found.add(step.index)
        return frozenset(found)

    @property
    def from_agent(self) -> Iterator[Step]:
        """What the agent sent."""
        return (step for step in self.steps if step.agent)


def load(path: Path) -> list[Line]:
    """The lines of a recorded trace; stderr and remarks are left out."""
    records = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return [(r["dir"], r.get("msg", r.get("raw"))) for r in records if r.get("dir") in ("<", ">")]
