"""What v1 agents ask: permissions without title and subject (V1-32), forms for requests that are turns
here.
"""

from __future__ import annotations

from typing import Any

from acp_tui.protocol.jsonrpc import Request, id_key, is_id
from acp_tui.protocol.permission import PermissionOption, RequestPermissionRequest
from acp_tui.protocol.v1.memory import Memory, Talk
from acp_tui.protocol.v1.updates import tool_call


class OpenPermissionRequest(RequestPermissionRequest):
    """A permission request that may offer nothing: then it can only be cancelled (V1-32)."""

    options: list[PermissionOption]


UNTITLED = "The agent asks for permission"


def permission(talk: Talk, request: Request) -> tuple[list[Any], Request]:
    """The updates that come before it, and the request as a v2 agent would put it."""
    call = request.params.get("toolCall")
    before: list[Any] = []
    subject: Any = {"type": "tool_call", "toolCall": call}
    if isinstance(call, dict):
        told = tool_call(talk, call)
        mine = next(one for one in told if one["sessionUpdate"] == "tool_call_update")
        before = [one for one in told if one is not mine]
        subject["toolCall"] = {key: value for key, value in mine.items() if key != "sessionUpdate"}
    params = {key: value for key, value in request.params.items() if key != "toolCall"}
    return before, Request(
        request.id, request.method, {**params, "title": _title(talk, call), "subject": subject}
    )


def _title(talk: Talk, call: Any) -> str:
    title = call.get("title") if isinstance(call, dict) else None
    if isinstance(title, str) and title:
        return title
    name = call.get("toolCallId") if isinstance(call, dict) else None
    return (talk.titles.get(name) if isinstance(name, str) else None) or UNTITLED


def elicitation(memory: Memory, request: Request) -> Request:
    """A form may leave out that it is an object, and one for a prompt that works is one for its session."""
    params = dict(request.params)
    if isinstance(form := params.get("requestedSchema"), dict):
        params["requestedSchema"] = {"type": "object", **form}
    named = params.get("requestId")
    asked = memory.asked.get(id_key(named)) if is_id(named) else None
    if asked is not None and asked.method == "session/prompt" and params.get("sessionId") is None:
        del params["requestId"]
        params["sessionId"] = asked.session_id
    return Request(request.id, request.method, params)
