"""What an action brings forth as content of its tool call: message parts, output, pieces of a stream.

Nothing is refused: what has no form of ACP becomes text, and its raw value stays where it was.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, TypeAlias

from acp_tui.aip.core.vocabulary import ActionResult, StreamChunk

Json: TypeAlias = dict[str, Any]

LONGEST: Final = 100_000
"""Characters of a value that is written as JSON; its raw form is in `rawOutput`."""
_ENDS: Final = re.compile(r"(?<![\n ])\n")
_KINDS: Final = ("text", "image", "file", "audio", "form", "card", "json", "tool_result")


def shown(words: str) -> Json:
    """Content that is words."""
    return {"type": "content", "content": {"type": "text", "text": words}}


def of_result(result: ActionResult) -> list[Json]:
    """Message parts; else the output."""
    if result.message:
        return [of_part(part) for part in result.message]
    return [] if result.output is None else [shown(of_value(result.output))]


def of_chunk(chunk: StreamChunk) -> Json:
    """One piece of a stream. Its lines stay lines: a client reads content as markdown, which joins them."""
    if chunk.part is not None:
        return of_part(chunk.part)
    return shown(_ENDS.sub("  \n", in_words(chunk.data)))


def in_words(value: Any) -> str:
    """A value of a stream as text that goes on where the last one ended."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for name in ("text", "message", "delta", "content"):
            if isinstance(value.get(name), str):
                return str(value[name])
    return "" if value is None else _json(value) + "\n"


def of_value(value: Any) -> str:
    """A whole value: text as it is, anything else as a block of JSON."""
    return value if isinstance(value, str) else f"```json\n{_json(value, indent=2)}\n```"


def of_part(part: Json) -> Json:
    """A message part, whichever way it is spelled: `{"type": kind, …}` or `{kind: …}`."""
    kind, body = _taken_apart(part)
    if kind == "text":
        return shown(in_words(body if not isinstance(body, dict) else body.get("text", body)))
    if kind in ("image", "audio", "file") and isinstance(body, dict):
        block = _block(kind, body)
        if block is not None:
            return {"type": "content", "content": block}
    if kind == "json":
        value = body["json"] if isinstance(body, dict) and "json" in body else body
        return shown(of_value(value))
    return shown(f"{kind or 'part'}:\n{of_value(part)}")


def _taken_apart(part: Json) -> tuple[str, Any]:
    kind = part.get("type", part.get("kind"))
    if isinstance(kind, str):
        return kind, part
    found = next((name for name in _KINDS if name in part), "")
    return found, part.get(found, part)


def _block(kind: str, body: Json) -> Json | None:
    data = _text(body, "data", "base64")
    mime = _text(body, "mime_type", "mimeType", "media_type")
    uri = _text(body, "uri", "url")
    name = _text(body, "name", "filename")
    if data and mime and kind in ("image", "audio"):
        return {"type": kind, "data": data, "mimeType": mime}
    if data and kind == "file":
        blob = {"uri": uri or f"aip:{name or 'file'}", "blob": data}
        return {"type": "resource", "resource": blob | ({"mimeType": mime} if mime else {})}
    if uri:
        link = {"type": "resource_link", "uri": uri, "name": name or uri.rpartition("/")[2] or uri}
        return link | ({"mimeType": mime} if mime else {})
    return None


def _text(body: Json, *names: str) -> str:
    return next((body[name] for name in names if isinstance(body.get(name), str)), "")


def _json(value: Any, indent: int | None = None) -> str:
    made = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return made if len(made) <= LONGEST else f"{made[:LONGEST]}… ({len(made)} characters)"
