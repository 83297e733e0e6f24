"""Keys as people write them: `Ctrl+J`, `Esc`, `/`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

SIGNS: Mapping[str, str] = {
    "/": "slash", "\\": "backslash", "?": "question_mark", "!": "exclamation_mark", "_": "underscore",
    "-": "minus", "+": "plus", "=": "equals_sign", ",": "comma", ".": "full_stop", ";": "semicolon",
    ":": "colon", "'": "apostrophe", '"': "quotation_mark", "`": "grave_accent", "~": "tilde",
    "@": "at", "#": "number_sign", "$": "dollar_sign", "%": "percent_sign", "^": "circumflex_accent",
    "&": "ampersand", "*": "asterisk", "(": "left_parenthesis", ")": "right_parenthesis",
    "[": "left_square_bracket", "]": "right_square_bracket", "{": "left_curly_bracket",
    "}": "right_curly_bracket", "<": "less_than_sign", ">": "greater_than_sign", "|": "vertical_line",
}  # fmt: skip
"""Signs and their names in Textual."""
_NAMES: Mapping[str, str] = {
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "super": "Cmd",
    **{name: sign for sign, name in SIGNS.items()},
}
NONE = "no key"


def label(key: str) -> str:
    """A key as people write it: `Ctrl+J`, `Esc`, `PgUp`."""
    *modifiers, last = key.split("+")
    name = _NAMES.get(last) or (last if len(last) == 1 and not modifiers else last.capitalize())
    return "+".join([*(_NAMES.get(part) or part.capitalize() for part in modifiers), name])


def spelled(keys: Iterable[str]) -> str:
    """Several, or that there is none."""
    return ", ".join(map(label, keys)) or NONE
