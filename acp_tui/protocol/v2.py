"""Codec of protocol version 2: JSON values to models and back, for both directions.

Knows which method carries what (appendix of methods); who may send it when is the client's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from acp_tui.protocol import elicitation, initialize, permission, session, updates
from acp_tui.protocol.lenient import Int
from acp_tui.protocol.model import Model, encode, invalid
from acp_tui.protocol.unknown import Invalid
from acp_tui.protocol.updates import decode_update


class CancelRequestNotification(Model):
    """Parameters of `$/cancel_request`, in both directions (CX-09)."""

    request_id: Int | str


class Method(NamedTuple):
    """Types of parameters and result; a notification has no result."""

    params: Any
    result: Any = None


CLIENT_METHODS: Mapping[str, Method] = {
    "initialize": Method(initialize.InitializeRequest, initialize.InitializeResponse),
    "auth/login": Method(initialize.LoginAuthRequest, initialize.LoginAuthResponse),
    "auth/logout": Method(initialize.LogoutAuthRequest, initialize.LogoutAuthResponse),
    "session/new": Method(session.NewSessionRequest, session.NewSessionResponse),
    "session/resume": Method(session.ResumeSessionRequest, session.ResumeSessionResponse),
    "session/list": Method(session.ListSessionsRequest, session.ListSessionsResponse),
    "session/close": Method(session.CloseSessionRequest, session.CloseSessionResponse),
    "session/delete": Method(session.DeleteSessionRequest, session.DeleteSessionResponse),
    "session/prompt": Method(session.PromptRequest, session.PromptResponse),
    "session/set_config_option": Method(
        session.SetSessionConfigOptionRequest, session.SetSessionConfigOptionResponse
    ),
    "session/cancel": Method(session.CancelSessionNotification),
    "tool_call/cancel": Method(session.CancelToolCallRequest, session.CancelToolCallResponse),
    "terminal/cancel": Method(session.CancelTerminalRequest, session.CancelTerminalResponse),
    "$/cancel_request": Method(CancelRequestNotification),
}
"""What the client sends and the agent serves."""

AGENT_METHODS: Mapping[str, Method] = {
    "session/update": Method(updates.UpdateSessionNotification),
    "session/request_permission": Method(
        permission.RequestPermissionRequest, permission.RequestPermissionResponse
    ),
    "elicitation/create": Method(
        elicitation.AnyCreateElicitationRequest, elicitation.CreateElicitationResponse
    ),
    "elicitation/complete": Method(elicitation.CompleteElicitationNotification),
    "$/cancel_request": Method(CancelRequestNotification),
}
"""What the agent sends and the client serves."""


def decode_params(method: str, raw: Any) -> Any:
    """The parameters of a request or notification as a model; raises `Invalid` (RP-12)."""
    return decode(_method(method).params, raw)


def decode_result(method: str, raw: Any) -> Any:
    """The result of a request as a model; null reads as `{}` (RP-14); raises `Invalid`."""
    result = _method(method).result
    if result is None:
        raise Invalid(f"{method}: a notification has no result")
    return decode(result, {} if raw is None else raw)


def _method(method: str) -> Method:
    found = CLIENT_METHODS.get(method) or AGENT_METHODS.get(method)
    if found is None:
        raise Invalid(f"unknown method {method}")
    return found


def decode(type_: Any, raw: Any) -> Any:
    """Any value of the vocabulary by its type; raises `Invalid`."""
    try:
        return _adapter(type_).validator.validate_python(raw, by_alias=True, by_name=False)
    except ValidationError as error:
        raise invalid(error) from None


@cache
def _adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


__all__ = [
    "AGENT_METHODS",
    "CLIENT_METHODS",
    "CancelRequestNotification",
    "Invalid",
    "Method",
    "decode",
    "decode_params",
    "decode_result",
    "decode_update",
    "encode",
]
