"""Addresses that an agent wants opened: whole, their host marked, oddities told (EL-12)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.services.addresses import address


def test_the_host_is_marked_and_the_whole_is_kept() -> None:
    at = address("https://login.example.org:8443/a?b=c#d")
    assert (at.before, at.host, at.after) == ("https://", "login.example.org", ":8443/a?b=c#d")
    assert at.odd == () and at.opened


@pytest.mark.parametrize(
    ("url", "host", "told"),
    [
        ("https://bank.example@evil.example/", "evil.example", "leads to evil.example"),
        ("https://xn--80ak6aa92e.com/", "xn--80ak6aa92e.com", "xn--"),
        ("https://аpple.com/", "аpple.com", "mixes letters of Cyrillic and Latin"),
        ("https://пример.рф/", "пример.рф", "can look like others"),
        ("http://example.org/", "example.org", "not encrypted"),
    ],
)
def test_odd_hosts_are_told(url: str, host: str, told: str) -> None:
    at = address(url)
    assert at.host == host and told in " ".join(at.odd) and at.opened and at.whole == url


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/x", "http://localhost/", "http://[::1]:80/"])
def test_this_machine_needs_no_encryption(url: str) -> None:
    assert address(url).odd == ()


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "vscode://x/y",
        "https://good.example\\@evil.example/",
        "https://good.example/ https://evil.example",
        "https://good\u202e.example/",
        "https://good.example\n.evil.example/",
        "https://",
        "",
        "--help",
    ],
)
def test_what_is_no_plain_web_page_is_never_opened(url: str) -> None:
    at = address(url)
    assert not at.opened and at.odd and at.whole == url


@given(st.text(max_size=60))
def test_the_parts_are_always_the_whole(url: str) -> None:
    assert address(url).whole == url
    assert address(f"https://{url}").whole == f"https://{url}"
