"""Session updates as an agent writes them: one JSON object, one line."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from typing import Any

from tests.bench.corpus import chunks, markdown

SESSION = "bench"


def line(update: dict[str, Any]) -> bytes:
    """One notification with its newline."""
    params = {"sessionId": SESSION, "update": update}
    return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}).encode() + b"\n"


def text(words: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": words}


def message_chunk(id_: str, words: str, kind: str = "agent_message_chunk") -> dict[str, Any]:
    """One more block for a message or thought."""
    return {"sessionUpdate": kind, "messageId": id_, "content": text(words)}


def terminal_chunk(id_: str, words: str) -> dict[str, Any]:
    """More output of a terminal."""
    data = base64.b64encode(words.encode()).decode()
    return {"sessionUpdate": "terminal_output_chunk", "terminalId": id_, "data": data}


def terminal_end(id_: str) -> dict[str, Any]:
    """It has exited."""
    return {"sessionUpdate": "terminal_update", "terminalId": id_, "exitStatus": {"exitCode": 0}}


def terminal_call(id_: str, terminal: str) -> dict[str, Any]:
    """A tool call that shows a terminal."""
    content = [{"type": "terminal", "terminalId": terminal}]
    return tool_call(id_, kind="execute", status="in_progress", content=content)


def tool_call(id_: str, **fields: Any) -> dict[str, Any]:
    """A tool call."""
    return {"sessionUpdate": "tool_call_update", "toolCallId": id_, "title": f"Call {id_}"} | fields


def progress(id_: str, step: int, words: str) -> dict[str, Any]:
    """A tool call that says how far it is."""
    return tool_call(
        id_,
        title=f"Step {step}: {words}",
        kind="execute",
        status="in_progress",
        content=[{"type": "content", "content": text(f"{step} done, {words}")}],
        rawInput={"command": "make", "jobs": 4},
    )


def each_kind() -> dict[str, list[dict[str, Any]]]:
    """Some hundred updates of every kind that comes often, each kind growing entities of its own."""
    pieces = chunks(markdown(40 * 400), 40)
    chunk_kinds = ("agent_message_chunk", "agent_thought_chunk", "user_message_chunk")
    result = {
        kind: [message_chunk(f"m{n // 50}", piece, kind) for n, piece in enumerate(pieces)]
        for kind in chunk_kinds
    }
    result["terminal_output_chunk"] = [terminal_chunk("t", piece) for piece in pieces]
    result["tool_call_content_chunk"] = [
        {
            "sessionUpdate": "tool_call_content_chunk",
            "toolCallId": f"c{n // 50}",
            "content": {"type": "content", "content": text(piece)},
        }
        for n, piece in enumerate(pieces)
    ]
    result["tool_call_update"] = [_whole_call(n, piece) for n, piece in enumerate(pieces)]
    result["agent_message"] = [
        {"sessionUpdate": "agent_message", "messageId": f"w{n}", "content": [text(piece)]}
        for n, piece in enumerate(chunks(markdown(400 * 400), 400))
    ]
    result["state_update"] = [
        {"sessionUpdate": "state_update", "state": "requires_action" if n % 2 else "running"}
        for n in range(400)
    ]
    result["usage_update"] = [
        {"sessionUpdate": "usage_update", "used": n, "size": 200_000} for n in range(400)
    ]
    result["plan_update"] = [{"sessionUpdate": "plan_update", "plan": _plan(n)} for n in range(400)]
    return result


def conversation(count: int) -> list[dict[str, Any]]:
    """So many entities, mixed: a quarter messages, the rest thoughts and tool calls."""
    rng = random.Random(5)
    source = markdown(60_000, seed=6)
    result: list[dict[str, Any]] = []
    for number in range(count):
        start = rng.randrange(len(source) - 2000)
        words = source[start : start + rng.choice((80, 300, 900))]
        pick = rng.random()
        if number % 12 == 0:
            kind = "user_message"
        elif pick < 0.2:
            kind = "agent_message"
        elif pick < 0.35:
            kind = "agent_thought"
        else:
            result.append(_whole_call(number, words, "completed"))
            continue
        result.append({"sessionUpdate": kind, "messageId": f"e{number}", "content": [text(words)]})
    return result


def turns(count: int) -> Iterator[dict[str, Any]]:
    """So many short turns: question and answer, and in every fifth a call in three steps."""
    rng = random.Random(7)
    source = markdown(60_000, seed=8)
    for number in range(count):
        start = rng.randrange(len(source) - 300)
        yield {"sessionUpdate": "user_message", "messageId": f"u{number}", "content": [text(f"{number}?")]}
        if number % 5 == 4:
            yield tool_call(f"e{number}", kind=rng.choice(("read", "edit", "execute", "search")))
            yield tool_call(f"e{number}", status="in_progress")
            content = [{"type": "content", "content": text(source[start : start + 300])}]
            yield tool_call(f"e{number}", status="completed", content=content, rawOutput={"ok": True})
        yield message_chunk(f"a{number}", source[start : start + 200])


def _whole_call(number: int, words: str, status: str = "in_progress") -> dict[str, Any]:
    return tool_call(
        f"e{number}",
        kind="read",
        status=status,
        locations=[{"path": f"/src/part{number}.py", "line": number}],
        rawInput={"path": f"/src/part{number}.py", "limit": 200},
        content=[{"type": "content", "content": text(words)}],
    )


def _plan(number: int) -> dict[str, Any]:
    entries = [
        {
            "content": f"Step {step}",
            "priority": "medium",
            "status": "pending" if step > number % 5 else "completed",
        }
        for step in range(5)
    ]
    return {"type": "items", "planId": "p", "entries": entries}
