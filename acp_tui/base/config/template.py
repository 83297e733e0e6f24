"""A value of the settings file that may take parts from the environment: `Bearer ${GITHUB_TOKEN}`.

Invariant: what it says literally is never shown, in no repr and on no screen, except words that are no
secret; the names of the variables are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from acp_tui.base.redact import MASK

_REFERENCE = re.compile(r"\$\{([^}]*)\}")
_NAME = re.compile(r"[A-Za-z_]\w*")
_PLAIN = re.compile(r"(?:bearer|basic|token)? *", re.IGNORECASE)


class MissingVariable(LookupError):
    """The environment has no such variable; its text is the name."""


class Template:
    """Text with references to variables of the environment."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        """Raises `ValueError` where a reference names no variable."""
        for name in _REFERENCE.findall(text):
            if not _NAME.fullmatch(name):
                raise ValueError("between ${ and } stands the name of a variable")
        if "${" in _REFERENCE.sub("", text):
            raise ValueError("a ${ is not closed by a }")
        self._text = text

    def __repr__(self) -> str:
        return f"Template({self.shown!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables it refers to."""
        return tuple(_REFERENCE.findall(self._text))

    @property
    def shown(self) -> str:
        """What anybody may see of it."""
        return "".join(self._pieces())

    def _pieces(self) -> Iterator[str]:
        for index, piece in enumerate(_REFERENCE.split(self._text)):
            if index % 2:
                yield f"${{{piece}}}"
            else:
                yield piece if _PLAIN.fullmatch(piece) else MASK

    def fill(self, environ: Mapping[str, str]) -> str:
        """The value itself. Raises `MissingVariable`."""

        def value(match: re.Match[str]) -> str:
            if match[1] not in environ:
                raise MissingVariable(match[1])
            return environ[match[1]]

        return _REFERENCE.sub(value, self._text)


def fill(variables: Mapping[str, Template], environ: Mapping[str, str]) -> dict[str, str]:
    """All of them. Raises `MissingVariable` for the first that is not there."""
    return {name: template.fill(environ) for name, template in variables.items()}
