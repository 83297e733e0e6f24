"""What a field of a form expects, and what is wrong with what was typed, in words (EL-08, EL-09).

Pure. A pattern of the agent is tried for a moment only: one that cannot be understood, or takes long, is not
enforced here, the agent looks itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import lru_cache
from math import isfinite, prod
from typing import Any

from acp_tui.protocol.elicitation import (
    ElicitationPropertySchema,
    IntegerPropertySchema,
    MultiSelectPropertySchema,
    NumberPropertySchema,
    StringPropertySchema,
)
from acp_tui.protocol.unknown import Unknown

PATIENCE = 0.05
"""Seconds a pattern of the agent may take."""
LONGEST_PATTERN = 2_000
MOST_REPEATS = 100_000
"""Product of all counts in a pattern: compiling writes repetitions out, and must not fill the memory."""
MOST_DIGITS = 1_000
"""Digits of a whole number; Python reads no more than some thousand."""

_EMAIL = re.compile(r"[^\s@]+@[^\s@]+")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]+")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATE_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}:)([0-9]{2})(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
)
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_REPEATS = re.compile(r"(?<=[{,])[1-9][0-9]{0,9}(?=[,}])")


def _is_date(text: str) -> bool:
    return bool(_DATE.fullmatch(text)) and _reads(date.fromisoformat, text)


def _is_date_time(text: str) -> bool:
    """RFC 3339, with its leap seconds."""
    found = _DATE_TIME.fullmatch(text)
    if found is None:
        return False
    day, minute, second, _, zone = found.groups()
    second = "59" if second == "60" else second
    return _reads(datetime.fromisoformat, f"{day}T{minute}{second}{zone.upper()}")


def _reads(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


_FORMATS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "email": ("an e-mail address", lambda text: bool(_EMAIL.fullmatch(text))),
    "uri": ("an address such as https://example.org", lambda text: bool(_URI.fullmatch(text))),
    "date": ("a date such as 2026-11-30", _is_date),
    "date-time": ("a date and time such as 2026-11-30T14:30:00Z", _is_date_time),
}
"""Known formats; others are remarks of the agent (EL-08)."""


# What is expected


def expected(schema: ElicitationPropertySchema | Unknown) -> str:
    """What may stand in the field; empty: anything."""
    match schema:
        case StringPropertySchema():
            lengths = _range(schema.min_length or None, schema.max_length, "character")
            known = _FORMATS.get(schema.format or "", ("", None))[0]
            fits = f"of the form {schema.pattern}" if schema.pattern else ""
            return ", ".join(part for part in (known, lengths, fits) if part)
        case IntegerPropertySchema():
            return f"a whole number{_bounds(schema)}"
        case NumberPropertySchema():
            return f"a number{_bounds(schema)}"
        case MultiSelectPropertySchema():
            return f"choose {_range(schema.min_items or None, schema.max_items) or 'any of them'}"
    return ""


def _range(least: int | None, most: int | None, unit: str = "") -> str:
    """`2 to 20 characters`, `at least 1`."""
    if least is None and most is None:
        return ""
    last = most if most is not None else least
    name = f" {unit}{'' if last == 1 else 's'}" if unit else ""
    if least is not None and most is not None:
        return f"{least}{name}" if least == most else f"{least} to {most}{name}"
    return f"at least {least}{name}" if most is None else f"at most {most}{name}"


def _bounds(schema: NumberPropertySchema | IntegerPropertySchema) -> str:
    low, high = schema.minimum, schema.maximum
    if low is not None and high is not None:
        return f" from {low} to {high}"
    return f", at least {low}" if low is not None else f", at most {high}" if high is not None else ""


# What is wrong


def wrong(schema: ElicitationPropertySchema | Unknown, typed: str | bool | tuple[str, ...] | None) -> str:
    """What is wrong with an answer that is not empty; empty: nothing."""
    match schema, typed:
        case StringPropertySchema(), str():
            return _wrong_text(schema, typed)
        case ((NumberPropertySchema() | IntegerPropertySchema()), str()):
            return _wrong_number(schema, typed.strip())
        case MultiSelectPropertySchema(), tuple():
            low, high = schema.min_items, schema.max_items
            if (low is not None and len(typed) < low) or (high is not None and len(typed) > high):
                return f"choose {_range(low or None, high)}, not {len(typed)}"
    return ""


def _wrong_text(schema: StringPropertySchema, typed: str) -> str:
    least, most = schema.min_length, schema.max_length
    if most is not None and len(typed) > most:
        return f"too long: {_characters(len(typed))}, {most} at most"
    if least is not None and len(typed) < least:
        return f"too short: {_characters(len(typed))}, {least} at least"
    known = _FORMATS.get(schema.format or "")
    if known is not None and not known[1](typed):
        return f"this is not {known[0]}"
    if schema.pattern is not None and not _fits(schema.pattern, typed):
        return f"not of the form {schema.pattern}"
    return ""


def _characters(number: int) -> str:
    return f"{number} character{'' if number == 1 else 's'}"


def _wrong_number(schema: NumberPropertySchema | IntegerPropertySchema, typed: str) -> str:
    whole = isinstance(schema, IntegerPropertySchema)
    if not (_WHOLE if whole else _NUMBER).fullmatch(typed):
        if whole and _NUMBER.fullmatch(typed):
            return "a whole number, please"
        return "this is not a number" + (": write 0.5, with a point" if "," in typed else "")
    if len(typed) > MOST_DIGITS:
        return "too many digits"
    value = int(typed) if _WHOLE.fullmatch(typed) else float(typed)
    if not isinstance(value, int) and not isfinite(value):
        return "too large"
    if schema.minimum is not None and value < schema.minimum:
        return f"{schema.minimum} at least"
    if schema.maximum is not None and value > schema.maximum:
        return f"{schema.maximum} at most"
    return ""


def _fits(pattern: str, text: str) -> bool:
    """Whether it is found anywhere in the text, or nobody can say."""
    compiled = _compiled(pattern)
    if compiled is None:
        return True
    try:
        return compiled.search(text, timeout=PATIENCE) is not None
    except TimeoutError:
        return True


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> Any:
    """A pattern of ECMA-262, or None. Of all engines `regex` can be stopped, and knows most of its words."""
    import regex  # on first use: few forms have a pattern

    counts = (int(found) for found in _REPEATS.findall(pattern))
    if len(pattern) > LONGEST_PATTERN or prod(counts) > MOST_REPEATS:
        return None
    try:
        return regex.compile(pattern)
    except (regex.error, ValueError, OverflowError, RecursionError):
        return None
