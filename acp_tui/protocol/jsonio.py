"""JSON text in and out: strict about what is JSON, safe about what Python makes of it (TR-10, TR-11).

`pydantic_core` decides what is JSON: it is the faster parser, refuses NaN and Infinity, limits nesting to
200 and keeps whole numbers exact. Only this is forgiven beyond it: a byte order mark; bytes that are no UTF-8
(read with replacement); lone surrogates, which JSON allows in escapes and which the standard library
reads once the rest of the text has passed.
"""

from __future__ import annotations

import json
import math
import re
from sys import float_info
from typing import Any

from pydantic_core import from_json

from acp_tui.protocol.unknown import Invalid

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_SEPARATORS = (",", ":")
_BOM = b"\xef\xbb\xbf"


def parse(text: bytes) -> Any:
    """Value of one JSON text; raises `Invalid`."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        return _parse_again(text, str(error))


def _parse_again(text: bytes, problem: str) -> Any:
    text = text.removeprefix(_BOM).decode(errors="replace").encode()
    try:
        # an escaped backslash before `ud800` is replaced too: harmless, this copy is only judged, never used
        value = from_json(_SURROGATE.sub(rb"\\u0000", text), allow_inf_nan=False)
    except ValueError:
        raise Invalid(problem) from None
    return json.loads(text) if _SURROGATE.search(text) else value


def dump(value: Any) -> bytes:
    """Compact JSON without line breaks; lone surrogates survive as escapes, NaN raises `ValueError`."""
    try:
        return _dump(value)
    except ValueError:
        return _dump(_finite(value))


def _dump(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=_SEPARATORS).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, separators=_SEPARATORS).encode()


def _finite(value: Any) -> Any:
    """Numbers such as 1e999 are legal JSON but infinite to Python: written as the largest there is."""
    if isinstance(value, float) and math.isinf(value):
        return math.copysign(float_info.max, value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
