"""A gateway of AIP as the settings describe it: `[aip.NAME]`. Nothing here reads a file or imports pydantic.

Most defaults are what one public reference server was seen to do: *observed, not specified*. They are marked
so, in `OBSERVED` and in their words, and each can be changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal

from acp_tui.base.config.said import Said

_OBSERVED = " (default observed, not specified)"
_TABLE = 'a table NAME = "text"'
_NUMBER = "a number"
_ADDRESS = re.compile(r"https?://[^/\s?#@]+(/[^\s?#]*)?")
_LOCAL = re.compile(r"http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/|$)")
_HEADER = re.compile(r"[A-Za-z0-9-]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SCHEME = re.compile(r"[A-Za-z0-9-]*")


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class GatewaySettings:
    """Where the gateway is, who we are there, and how it deviates from what was observed."""

    url: Annotated[str, Said("where the gateway is", "an address that begins with https:// or http://")]
    token_env: Annotated[str, Said("the environment variable that holds the token")] = ""
    token_file: Annotated[
        str, Said("a file with the token, readable by you only", "a file, absolute or from ~")
    ] = ""
    tenant: Annotated[str, Said("the tenant that is asked for; empty: none is named")] = ""
    ca_file: Annotated[
        str, Said("certificates to trust instead of the system's", "a file, absolute or from ~")
    ] = ""
    prefix: Annotated[str, Said(f"what all paths begin with{_OBSERVED}")] = "/aip/v1"
    routes: Annotated[
        Mapping[str, str], Said("other paths, by what they are for", 'a table NAME = "METHOD /path/{id}"')
    ] = field(default_factory=_nothing)
    queries: Annotated[Mapping[str, str], Said("other names for what stands in queries", _TABLE)] = field(
        default_factory=_nothing
    )
    messages: Annotated[
        Mapping[str, str],
        Said("other types of messages, and the keys of their bodies", 'a table NAME = "type key"'),
    ] = field(default_factory=_nothing)
    auth_header: Annotated[str, Said(f"the header of the token{_OBSERVED}")] = "Authorization"
    auth_scheme: Annotated[str, Said(f"the word before the token there{_OBSERVED}")] = "Bearer"
    wrapping: Annotated[
        Literal["auto", "bare", "one-key"],
        Said(f"objects stand alone or under one key; auto reads both and sends one-key{_OBSERVED}"),
    ] = "auto"
    stream: Annotated[
        Literal["auto", "a", "b", "none"],
        Said(f"how event streams are spelled; none: events are polled{_OBSERVED}"),
    ] = "auto"
    mode: Annotated[
        Literal["sync", "async", "streaming"], Said("how an action is run when nothing else is said")
    ] = "async"
    profiles: Annotated[
        tuple[str, ...],
        Said("profiles to offer in a handshake; none: no session is opened", 'a list such as ["a", "b"]'),
    ] = ()
    idempotency: Annotated[
        Literal["off", "per-submit", "contract"],
        Said("which submissions carry a key; contract: those whose capability does not forbid one"),
    ] = "contract"
    approvals: Annotated[
        bool, Said(f"you may decide approvals here; their message is observed, not specified{_OBSERVED}")
    ] = False
    poll_seconds: Annotated[float, Said("between two reads while an action is polled", _NUMBER)] = 2.0
    answer_seconds: Annotated[float, Said("how long an answer is waited for", _NUMBER)] = 30.0
    silence_seconds: Annotated[
        float, Said(f"a stream that sends not even a comment so long is dead{_OBSERVED}", _NUMBER)
    ] = 60.0
    longest_frame: Annotated[int, Said("bytes of one frame of a stream; the rest is cut", _NUMBER)] = 1 << 20
    longest_answer: Annotated[int, Said("bytes of one answer; longer ones are refused", _NUMBER)] = 8 << 20
    follows: Annotated[int, Said("actions followed at the same time; others wait", _NUMBER)] = 8

    def mistake(self) -> tuple[str, str] | None:
        """No token stands in an address, and none goes out in the clear."""
        if not _ADDRESS.fullmatch(self.url):
            return "url", "it must be an address such as https://gateway.example, without user, ? and #"
        if self.token_env and not _VARIABLE.fullmatch(self.token_env):
            return "token_env", "it is the name of a variable that holds the token, never the token itself"
        if self.token_env and self.token_file:
            return "token_file", "the token is either in a variable or in a file"
        if (
            (self.token_env or self.token_file)
            and self.url.startswith("http:")
            and not _LOCAL.match(self.url)
        ):
            return "url", "a token may leave this machine only over https://"
        if not (_HEADER.fullmatch(self.auth_header) and _SCHEME.fullmatch(self.auth_scheme)):
            return "auth_header", "a header is letters, digits and -, what stands before the token one word"
        if min(self.poll_seconds, self.answer_seconds, self.silence_seconds) <= 0:
            return "", "poll_seconds, answer_seconds and silence_seconds must be more than 0"
        if min(self.longest_frame, self.longest_answer) < 1024 or self.follows < 1:
            return "", "longest_frame and longest_answer must be at least 1024, follows at least 1"
        return None


OBSERVED = frozenset(
    {"prefix", "auth_header", "auth_scheme", "wrapping", "stream", "approvals", "silence_seconds"}
)
"""Settings whose default only one server's public source shows; routes and query names are too."""
