"""What went wrong at the gateway, as an error of ACP."""

from __future__ import annotations

from acp_tui.agent_side.wire import Fault
from acp_tui.aip.core.ids import BadId
from acp_tui.aip.gateway.errors import CannotResume, GatewayError, Misconfigured, NotAllowed, Refused
from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.protocol.errors import AUTH_REQUIRED, INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND


def fault(error: GatewayError | BadId, settings: GatewaySettings) -> Fault:
    """Who we are is asked for with -32000; everything else is said in the gateway's words."""
    match error:
        case Refused() if error.unauthorized:
            return Fault(AUTH_REQUIRED, f"the gateway does not know who we are ({error}): {_token(settings)}")
        case Misconfigured() if settings.token_env or settings.token_file:
            return Fault(AUTH_REQUIRED, str(error))
        case Refused():
            return Fault(INTERNAL_ERROR, _said(error), error.error.raw())
        case CannotResume():
            return Fault(RESOURCE_NOT_FOUND, str(error))
        case NotAllowed() | BadId():
            return Fault(INVALID_PARAMS, str(error))
        case _:
            return Fault(INTERNAL_ERROR, str(error))


def _said(refused: Refused) -> str:
    if refused.forbidden:
        return f"the gateway does not allow it: {refused}"
    if refused.conflict:
        return f"the same id stands for something else (identity conflict), nothing was sent again: {refused}"
    later = f"; it asks to be left alone for {refused.retry_after:g} s" if refused.retry_after else ""
    return f"the gateway refuses: {refused}{later}"


def _token(settings: GatewaySettings) -> str:
    if settings.token_env:
        return f"the token is taken from the variable {settings.token_env}"
    if settings.token_file:
        return f"the token is taken from {settings.token_file}"
    return "no token is set; name one with --token-env or --token-file, or in the settings"
