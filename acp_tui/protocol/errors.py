"""Error objects and codes of JSON-RPC and ACP (ER)."""

from typing import Any, Final

from acp_tui.protocol.lenient import Int
from acp_tui.protocol.model import Model

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
AUTH_REQUIRED: Final = -32000
RESOURCE_NOT_FOUND: Final = -32002
UNSUPPORTED_VERSION: Final = -32022
REQUEST_CANCELLED: Final = -32800

INVALID_RESPONSE: Final = -31001
"""Ours, never sent: the answer to a request of ours was no proper response (RP-08, ER-07)."""
CONNECTION_LOST: Final = -31002
"""Ours, never sent: the connection ended before the answer came (LC-02)."""


class Error(Model):
    """An error; unknown codes are generic failures, `data` may be anything (ER-01, ER-04)."""

    code: Int
    message: str
    data: Any = None


def session_not_found(session_id: str) -> Error:
    """What a request for a session we do not have is answered with (SS-27, PM-18)."""
    return Error(code=RESOURCE_NOT_FOUND, message="Session not found", data={"sessionId": session_id})
