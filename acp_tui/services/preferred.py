"""What the user's settings want of an agent's options, in the agent's terms.

Pure. People write what they see: an option is found by its id or its name, a value too, and upper and lower
case do not matter. Only what means one thing is chosen; for the rest the words say what there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from acp_tui.services.options import Choice, Setting, Value

MANY = 12
"""Names that are told where none fits."""


def preferred(
    options: Sequence[Setting], wanted: Mapping[str, Value]
) -> tuple[list[tuple[str, Value]], list[str]]:
    """Ids and values that are to be set, and in words what cannot be. What holds already is not set again."""
    chosen: list[tuple[str, Value]] = []
    told: list[str] = []
    for name, value in wanted.items():
        fits = _option(options, name)
        if len(fits) != 1:
            told.append(_missed(f"option “{name}”", [one.id for one in fits or options], several=bool(fits)))
            continue
        one = fits[0]
        if one.kind == "unknown":
            told.append(f"{one.name or one.id} is of a kind that acp-tui cannot set")
            continue
        values = _value(one.choices, value)
        if len(values) != 1:
            left = [_named(choice) for choice in values or one.choices]
            word = value if isinstance(value, str) else str(value).lower()
            told.append(f"{one.name}: {_missed(f'value “{word}”', left, several=bool(values))}")
        elif values[0].value != one.value:
            chosen.append((one.id, values[0].value))
    return chosen, told


def _option(options: Iterable[Setting], name: str) -> list[Setting]:
    """Those that are meant: by id, else by id or name in whatever case."""
    exact = [one for one in options if one.id == name]
    return exact or [one for one in options if _same(name, one.id, one.name)]


def _value(choices: Iterable[Choice], wanted: Value) -> list[Choice]:
    exact = [one for one in choices if one.value == wanted]
    if exact or isinstance(wanted, bool):
        return exact
    return [one for one in choices if _same(wanted, str(one.value), one.name)]


def _same(word: str, *names: str) -> bool:
    return word.strip().casefold() in {name.strip().casefold() for name in names}


def _named(choice: Choice) -> str:
    """As it can be written; both where the name alone does not say the value."""
    value = str(choice.value).lower() if isinstance(choice.value, bool) else choice.value
    return value if _same(value, choice.name) or not choice.name else f"{value} ({choice.name})"


def _missed(what: str, there: Sequence[str], *, several: bool) -> str:
    if several:
        return f"{what} may be any of {', '.join(there)}: take its id"
    listed = ", ".join(there[:MANY]) + (f" and {len(there) - MANY} more" if len(there) > MANY else "")
    return f"there is no {what}; there {'are' if len(there) > 1 else 'is'} {listed or 'none'}"
