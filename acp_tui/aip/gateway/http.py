"""One request, one answer, over httpx: limits, credentials and errors in one place.

Invariants: the token stands in one header and nowhere else; a redirect is not followed; an answer is JSON of
at most so many bytes, within so many seconds; what failed before a connection stood is `Unreachable`, what
failed after it is `Lost`. Errors carry no address with a query, no header, no body, and no cause that does.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx

from acp_tui import __version__
from acp_tui.aip.core import codec
from acp_tui.aip.core.vocabulary import Json, ProtocolError
from acp_tui.aip.gateway.credential import Credential
from acp_tui.aip.gateway.errors import (
    GatewayError,
    Lost,
    Misconfigured,
    Refused,
    TooLong,
    Unreachable,
    Unreadable,
)
from acp_tui.aip.gateway.routes import Routes, mistake
from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.protocol import jsonio
from acp_tui.protocol.unknown import Invalid

CONNECT = 10.0
"""Seconds for a connection to come about."""
_BEFORE = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
    httpx.ProxyError,
)
_HERE = ("127.0.0.1", "localhost", "::1")
_CONNECTIONS = httpx.Limits(max_connections=64, max_keepalive_connections=8)


class Http:
    """Requests to one gateway."""

    def __init__(self, settings: GatewaySettings) -> None:
        """Raises `Misconfigured`."""
        if (wrong := mistake(settings)) is not None:
            raise Misconfigured(wrong)
        self.routes = Routes(settings)
        self._settings = settings
        self._credential = Credential(settings)
        self._credential.header()
        host = urlsplit(settings.url)
        self._host = host.netloc
        self._client = _client(settings, host.scheme == "https", host.hostname in _HERE)

    async def aclose(self) -> None:
        """Close what is open."""
        await self._client.aclose()

    async def ask(
        self, route: str, id: str = "", body: Json | None = None, **query: str | int | bool | None
    ) -> Any:
        """The JSON of an answer, None for an empty one. Raises `GatewayError`."""
        try:
            with anyio.fail_after(self._settings.answer_seconds + CONNECT):
                async with self._sent(self._request(route, id, body, query)) as response:
                    return await self._answer(response)
        except TimeoutError:
            raise Lost(f"{self._host} did not answer in time") from None

    @asynccontextmanager
    async def stream(
        self, route: str, id: str, query: Mapping[str, str | bool]
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The bytes of an event stream, as they come. Raises `Unreadable` when it is none."""
        silence = self._settings.silence_seconds
        request = self._request(route, id, None, query)
        request.headers["Accept"] = "text/event-stream"
        request.extensions["timeout"] = httpx.Timeout(silence, connect=min(CONNECT, silence)).as_dict()
        async with self._sent(request) as response:
            if response.status_code >= 300:
                await self._answer(response)
            if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
                raise Unreadable("the gateway answered with something else than a stream of events")
            yield self._bytes(response, silence)

    def _request(self, route: str, id: str, body: Json | None, query: Mapping[str, Any]) -> httpx.Request:
        method, address = self.routes.at(route, id)
        headers = self._credential.header()
        content = None
        if body is not None:
            content = jsonio.dump(body)
            headers["Content-Type"] = "application/aip+json"
        elif method == "POST":
            content, headers["Content-Type"] = b"{}", "application/aip+json"
        return self._client.build_request(
            method, address, params=self.routes.query(**query), headers=headers, content=content
        )

    @asynccontextmanager
    async def _sent(self, request: httpx.Request) -> AsyncIterator[httpx.Response]:
        response: httpx.Response | None = None
        try:
            response = await self._client.send(request, stream=True, follow_redirects=False)
            yield response
        except httpx.HTTPError as error:
            raise self._failed(error) from None
        finally:
            if response is not None:
                with anyio.CancelScope(shield=True):
                    await response.aclose()

    def _failed(self, error: httpx.HTTPError) -> GatewayError:
        """Only the kind of an error and what the system calls it are told, never what was asked."""
        if isinstance(error, _BEFORE):
            return Unreachable(f"{self._host} cannot be reached: {_reason(error)}")
        if isinstance(error, httpx.TimeoutException):
            return Lost(f"{self._host} did not answer in time")
        return Lost(f"the connection to {self._host} broke")

    async def _bytes(self, response: httpx.Response, silence: float) -> AsyncIterator[bytes]:
        try:
            async for data in response.aiter_bytes():
                yield data
        except httpx.ReadTimeout:
            raise Lost(f"the stream of {self._host} said nothing for {silence:g} s") from None

    async def _answer(self, response: httpx.Response) -> Any:
        if response.has_redirect_location or 300 <= response.status_code < 400:
            where = urlsplit(response.headers.get("location", "")).netloc or "another path"
            raise Unreadable(f"the gateway sends us on to {where[:100]}, which is not followed")
        body = bytearray()
        async for data in response.aiter_bytes():
            body += data
            if len(body) > self._settings.longest_answer:
                raise TooLong(f"the answer is longer than {self._settings.longest_answer} bytes")
        value = _json(self._credential.masked(bytes(body)), response)
        error = codec.error(value, refused=response.status_code >= 400)
        if error is None and response.status_code < 400:
            return value
        raise Refused(
            response.status_code,
            error or ProtocolError(code=f"http.{response.status_code}", message=response.reason_phrase),
            _wanted(error, response),
            spoken=error is not None,
        )


def _reason(error: BaseException) -> str:
    """What the system says about a connection that did not come about; it stands below two libraries."""
    said = str(error).strip() or "no connection in time"
    below: BaseException | None = error
    while below is not None:
        if isinstance(below, ssl.SSLCertVerificationError):
            why = below.verify_message
            return f"its certificate is not trusted ({why}); --ca-file names certificates to trust instead"
        if isinstance(below, BaseExceptionGroup):
            below = below.exceptions[0]
            continue
        if isinstance(below, ssl.SSLError):
            return f"no TLS as we speak it is spoken there ({_in_words(below)})"
        if isinstance(below, OSError) and below.errno is not None:
            said = os.strerror(below.errno) if below.errno > 0 else below.strerror or said
        below = below.__cause__ or below.__context__
    return said


def _in_words(error: OSError) -> str:
    """Of a library that speaks in capitals, of any other as it is."""
    reason = error.reason if isinstance(error, ssl.SSLError) else error.strerror
    return (reason or type(error).__name__).replace("_", " ").lower()


def _client(settings: GatewaySettings, tls: bool, here: bool) -> httpx.AsyncClient:
    """Proxies of the environment count, but not on the way to this machine."""
    try:
        return httpx.AsyncClient(
            verify=_trust(settings) if tls else False,
            trust_env=not here,
            timeout=httpx.Timeout(settings.answer_seconds, connect=min(CONNECT, settings.answer_seconds)),
            limits=_CONNECTIONS,
            headers={
                "Accept": "application/aip+json, application/json",
                "Accept-Encoding": "identity",
                "User-Agent": f"acp-tui/{__version__}",
            },
        )
    except (ValueError, ImportError):
        raise Misconfigured("the proxy that the environment names cannot be used") from None


def _json(body: bytes, response: httpx.Response) -> Any:
    if not body.strip():
        return None
    try:
        return jsonio.parse(body)
    except Invalid as error:
        if response.status_code >= 400:
            return None
        raise Unreadable(f"the answer is no JSON: {error.reason}") from None


def _wanted(error: ProtocolError | None, response: httpx.Response) -> float | None:
    """Seconds that the gateway wants to be left alone, by its error or by the header."""
    if error is not None and error.retry_after_ms is not None:
        return error.retry_after_ms / 1000
    header = response.headers.get("retry-after", "")
    return float(header) if header.isascii() and header.isdigit() else None


def _trust(settings: GatewaySettings) -> ssl.SSLContext:
    try:
        cafile = str(Path(settings.ca_file).expanduser()) if settings.ca_file else None
        return ssl.create_default_context(cafile=cafile)
    except (OSError, ssl.SSLError) as error:
        raise Misconfigured(
            f"the certificates in {settings.ca_file} cannot be read: {_in_words(error)}"
        ) from None
