"""What can go wrong on the way to a gateway. No text of these has a token, a query or a body in it."""

from __future__ import annotations

from acp_tui.aip.core.vocabulary import ProtocolError

LONGEST = 500
"""Characters of what a gateway says about an error that are repeated."""


class GatewayError(Exception):
    """Base of all; its text is for the user, without a full stop."""


class Misconfigured(GatewayError):
    """The settings cannot work: no token where one is named, a file others can read, a bad CA file."""


class Unreachable(GatewayError):
    """No connection came about: nothing has left this machine."""


class Lost(GatewayError):
    """The connection broke, or time ran out, after bytes may have left: nobody knows what became of them."""


class Unreadable(GatewayError):
    """The answer is not what it should be: too long, no JSON, another object, a redirect."""


class TooLong(Unreadable):
    """The answer is longer than the settings allow."""


class Refused(GatewayError):
    """The gateway answered with an error. `error` is its own, raw codes and all."""

    def __init__(
        self, status: int, error: ProtocolError, retry_after: float | None = None, *, spoken: bool = True
    ) -> None:
        told = f"{error.code}: {error.message}" if error.message else error.code
        super().__init__(told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…")
        self.status = status
        """Of HTTP."""
        self.error = error
        self.retry_after = retry_after
        """Seconds the gateway wants to be left alone, if it said so."""
        self.spoken = spoken
        """Whether the gateway itself said so; otherwise the error is only a status of HTTP, which something
        on the way may have answered.
        """

    @property
    def unauthorized(self) -> bool:
        """It does not know who we are (401)."""
        return self.status == 401

    @property
    def forbidden(self) -> bool:
        """It knows who we are, and we may not (403)."""
        return self.status == 403

    @property
    def hidden(self) -> bool:
        """Nothing there that this identity can see (404)."""
        return self.status == 404

    @property
    def conflict(self) -> bool:
        """The same id stands for something else (409)."""
        return self.status == 409

    @property
    def passing(self) -> bool:
        """Worth asking again later, for reads only."""
        return self.status in (408, 425, 429, 502, 503, 504) or self.error.retryable is True


class NotAllowed(GatewayError):
    """We do not do that: the contract does not allow it, it is not configured, or the session is over."""


class CannotResume(GatewayError):
    """A session cannot be resumed: start a new one. Its history stays."""
