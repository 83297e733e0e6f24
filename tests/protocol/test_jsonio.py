"""JSON text: what is refused, what survives."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given

from acp_tui.protocol.jsonio import dump, parse
from acp_tui.protocol.unknown import Invalid
from tests.protocol.values import json_values


@given(json_values)
def test_what_is_written_is_read_again(value: Any) -> None:
    text = dump(value)
    assert b"\n" not in text
    assert parse(text) == value


@given(json_values)
def test_escapes_make_no_difference(value: Any) -> None:
    assert parse(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{oops",
        b"NaN",
        b'{"a": Infinity}',
        b"-Infinity",
        b"01",
        b"{} {}",
        b'"\x01"',
        b"[" * 100_000,
        b"[" * 250 + b"]" * 250,
        b"[" * 250 + b'"\\ud800"' + b"]" * 250,
        b'["\\ud800", NaN]',
        b"1" * 5000,
        b"\x00{}",
    ],
)
def test_what_is_no_json(text: bytes) -> None:  # TR-11
    with pytest.raises(Invalid):
        parse(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'"\\ud800"', "\ud800"),
        (b'"a\\uDfffb"', "a\udfffb"),
        (b'"\\ud83d\\ude00\\ud83d"', "\U0001f600\ud83d"),
        (b'["\\\\ud800", "\\ud800"]', ["\\ud800", "\ud800"]),
        (b'{"\\udc00": 1}', {"\udc00": 1}),
        (b'"a\xffb"', "a\ufffdb"),
        (b'"\xc3"', "\ufffd"),
        (b'["\xff", "\\ud800"]', ["\ufffd", "\ud800"]),
        (b'"\xed\xa0\x80"', "\ufffd\ufffd\ufffd"),
        (b"\xef\xbb\xbf{}", {}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b"18446744073709551616", 2**64),
        (b"9" * 4000, 10**4000 - 1),
        (b"-9223372036854775808", -(2**63)),
        (b"[" * 190 + b"]" * 190, json.loads("[" * 190 + "]" * 190)),
    ],
)
def test_what_survives(text: bytes, value: object) -> None:  # TR-10, TR-11
    assert parse(text) == value
    assert parse(dump(value)) == value


def test_numbers_beyond_floats_stay_legal() -> None:
    (number,) = parse(b"[-1e999]")
    assert math.isinf(number)
    assert parse(dump({"a": [number]})) == {"a": [-1.7976931348623157e308]}


def test_nan_is_never_written() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        dump({"a": math.nan})
