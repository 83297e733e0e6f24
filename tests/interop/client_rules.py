"""What our client must keep to, checked on what went over the wire: valid messages, in their place."""

from __future__ import annotations

import json
from collections.abc import Iterable

from tests.schema_check import Schema, stable
from tests.trace import Line, Step, Trace


def breaches(lines: Iterable[Line], schema: Schema | None = None) -> list[str]:
    """Everything the client did that it may not do, by the schema of the version that was agreed on."""
    trace = Trace(lines)
    ours = [step for step in trace.steps if not step.agent]
    schema = stable() if schema is None else schema
    found = [problem for step in ours if (problem := _problem(step, schema)) is not None]
    return [*found, *_order(ours), *_answers(trace), *_ids(ours), *_choices(ours)]


def _problem(step: Step, schema: Schema) -> str | None:
    """What the official schema says against a message."""
    if step.form == "noise" or step.raw.get("jsonrpc") != "2.0":
        return f"no message: {step.raw}"
    if step.form in ("request", "notification"):
        known = schema.knows("agent", step.method) or step.method == "$/cancel_request"
        return schema.params("agent", step.method, step.params) if known else f"unknown method {step.method}"
    if step.code is not None:
        return schema.problem("Error", step.raw["error"])
    return schema.result("client", step.method, step.raw["result"]) if step.asked is not None else None


def _order(ours: list[Step]) -> list[str]:
    """IN-01: first `initialize`, and nothing else before its answer; answers to garbage are no exception."""
    first = next((step for step in ours if step.form == "request"), None)
    if first is None or first.method != "initialize" or not first.answers:
        return ["the first request was not an answered initialize"]
    ready = first.answers[0].index
    return [
        f"{step.method} before initialize was answered" for step in ours if first.index < step.index < ready
    ]


def _answers(trace: Trace) -> list[str]:
    """RP-15: each request of the agent is answered once, and nothing else is."""
    asked = [step for step in trace.steps if step.agent and step.form == "request"]
    found = [
        f"{step.method} was answered {len(step.answers)} times" for step in asked if len(step.answers) != 1
    ]
    stray = [
        step for step in trace.steps if not step.agent and step.form == "response" and step.asked is None
    ]
    return found + [f"answer to nothing: {step.raw}" for step in stray if step.raw["id"] is not None]


def _ids(ours: list[Step]) -> list[str]:
    """RP-02, RP-03: every request has an id of its own."""
    ids = [json.dumps(step.raw["id"]) for step in ours if step.form == "request"]
    return [f"id {each} was used again" for each in sorted({each for each in ids if ids.count(each) > 1})]


def _choices(ours: list[Step]) -> list[str]:
    """PM-08: an option that was offered, or none."""
    found = []
    for step in ours:
        if step.asked is None or step.method != "session/request_permission" or not step.ok:
            continue
        outcome = (step.result or {}).get("outcome", {})
        offered = {option["optionId"] for option in step.asked.params["options"]}
        if outcome.get("outcome") == "selected" and outcome.get("optionId") not in offered:
            found.append(f"chose {outcome.get('optionId')}, which was not offered")
    return found
