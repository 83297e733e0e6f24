"""Rules for agents about single messages: their form, their ids, their schema. Part of `agent_rules`."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator

from tests.schema_check import unstable
from tests.trace import Step, Trace

METHOD_NOT_FOUND = -32601


def sends_only_messages(trace: Trace) -> Iterator[tuple[Step, str]]:
    """TR-01, TR-07, RP-01: one JSON-RPC object a line, no batches, nothing else on stdout."""
    for step in trace.from_agent:
        if step.form == "noise":
            yield step, f"no message: {str(step.raw)[:60]}"
        elif step.raw.get("jsonrpc") != "2.0":
            yield step, "jsonrpc is not 2.0"


def waits_for_initialize(trace: Trace) -> Iterator[tuple[Step, str]]:
    """IN-01, IN-19: before the answer to `initialize` the agent sends nothing."""
    for step in trace.from_agent:
        if step.answers_to("initialize") and step.ok:
            return
        if step.form in ("request", "notification"):
            yield step, f"{step.method} before the connection was initialized"


def answers_every_request_once(trace: Trace) -> Iterator[tuple[Step, str]]:
    """RP-15: exactly one answer for each request of the client."""
    for step in trace.steps:
        if step.agent or step.form != "request":
            continue
        if len(step.answers) > 1:
            yield step.answers[1], f"second answer to {step.method}"
        if not step.answers and trace.complete:
            yield step, f"{step.method} was never answered"


def answers_only_requests(trace: Trace) -> Iterator[tuple[Step, str]]:
    """RP-02: an answer names a request that the client made; id null is for what could not be read."""
    for step in trace.from_agent:
        if step.form == "response" and step.asked is None and step.raw.get("id") is not None:
            yield step, f"answer to an unknown id {step.raw['id']!r}"


def numbers_its_requests(trace: Trace) -> Iterator[tuple[Step, str]]:
    """RP-02, RP-03: ids are integers or strings, and not used again while they wait."""
    waiting: set[str] = set()
    for step in trace.steps:
        key = json.dumps(step.raw.get("id")) if isinstance(step.raw, dict) else ""
        if not step.agent and step.form == "response":
            waiting.discard(key)
        elif step.agent and step.form == "request":
            if not isinstance(step.raw["id"], int | str) or isinstance(step.raw["id"], bool):
                yield step, f"the id {key} is neither integer nor string"
            if key in waiting:
                yield step, f"the id {key} is still in use"
            waiting.add(key)


def takes_back_only_its_own_requests(trace: Trace) -> Iterator[tuple[Step, str]]:
    """CX-09: `$/cancel_request` names a request that its sender made."""
    made: set[str] = set()
    for step in trace.from_agent:
        if step.form == "request":
            made.add(json.dumps(step.raw["id"]))
        elif step.form == "notification" and step.method == "$/cancel_request":
            key = json.dumps(step.params.get("requestId"))
            if key not in made:
                yield step, f"takes back request {key}, which it never made"


def refuses_unknown_methods(trace: Trace) -> Iterator[tuple[Step, str]]:
    """RP-10: a method that does not exist is answered -32601."""
    for step in trace.from_agent:
        asked = step.asked
        if asked is None or unstable().knows("agent", asked.method) or asked.method.startswith("_"):
            continue
        if step.code != METHOD_NOT_FOUND:
            yield step, f"unknown method {asked.method} answered with {step.code or 'a result'}"


def follows_the_schema(trace: Trace) -> Iterator[tuple[Step, str]]:
    """Every update, request and result is valid, read strictly."""
    for step in trace.from_agent:
        problem = None
        if step.form in ("request", "notification"):
            problem = unstable().params("client", step.method, step.raw.get("params"))
        elif step.asked is not None and step.ok:
            problem = unstable().result("agent", step.method, step.raw["result"])
        elif step.form == "response" and step.code is not None:
            problem = unstable().problem("Error", step.raw["error"])
        if problem is not None:
            yield step, problem


def mints_no_kinds(trace: Trace) -> Iterator[tuple[Step, str]]:
    """EX-06: kinds of our own begin with `_`; the other names belong to the protocol."""
    known = unstable().update_kinds | {"replay_complete"}
    for step in trace.from_agent:
        if step.kind and not step.kind.startswith("_") and step.kind not in known:
            yield step, f"update of a kind that does not exist: {step.kind}"


def encodes_terminal_bytes(trace: Trace) -> Iterator[tuple[Step, str]]:
    """TM-05, TM-08: each chunk is base64 by itself."""
    for step in trace.from_agent:
        output = step.update.get("output")
        data = step.update.get("data") if step.kind == "terminal_output_chunk" else None
        data = output.get("data") if isinstance(output, dict) else data
        if isinstance(data, str) and not _is_base64(data):
            yield step, "terminal bytes are not base64"


def _is_base64(data: str) -> bool:
    try:
        base64.b64decode(data, validate=True)
    except binascii.Error:
        return False
    return True
