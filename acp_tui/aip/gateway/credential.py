"""The token of the settings: from a variable or a file, only ever into one header."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from acp_tui.aip.gateway.errors import Misconfigured
from acp_tui.base import redact
from acp_tui.base.config.gateways import GatewaySettings

LONGEST = 16_384
"""Bytes of a token."""


class Credential:
    """Reads it anew for each request, so that a file may be renewed while we run; keeps it nowhere."""

    def __init__(self, settings: GatewaySettings, environ: Mapping[str, str] = os.environ) -> None:
        self._settings = settings
        self._environ = environ

    def header(self) -> dict[str, str]:
        """The one header, or none where no token is named. Raises `Misconfigured`."""
        token = self._token()
        if token is None:
            return {}
        return {self._settings.auth_header: f"{self._settings.auth_scheme} {token}".strip()}

    def masked(self, answer: bytes) -> bytes:
        """The same, without the token: a gateway that repeats what it was sent is not repeated."""
        token = self._token()
        return answer.replace(token.encode(), redact.MASK.encode()) if token else answer

    def _token(self) -> str | None:
        if name := self._settings.token_env:
            if not self._environ.get(name):
                raise Misconfigured(f"the variable {name}, which holds the token, is not set")
            return _clean(self._environ[name], f"the variable {name}")
        if self._settings.token_file:
            return _clean(_read(Path(self._settings.token_file).expanduser()), self._settings.token_file)
        return None


def _read(path: Path) -> str:
    try:
        if not path.is_file() and path.exists():
            raise Misconfigured(f"{path}, which should hold the token, is no file")
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise Misconfigured(f"{path} holds a token and others may read it: chmod 600 {path}")
            return file.read(LONGEST + 1).decode("ascii", "replace")
    except OSError as error:
        raise Misconfigured(f"{path}, which holds the token: {error.strerror}") from None


def _clean(token: str, where: str) -> str:
    """A header takes visible ASCII; a line break at the end of a file is no part of the token."""
    token = token.strip()
    if not token or len(token) > LONGEST or not all("!" <= char <= "~" for char in token):
        raise Misconfigured(f"what stands in {where} is no token")
    return token
