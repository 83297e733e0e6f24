"""Reads the words after one of our subcommands: options with and without a value, and the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from acp_tui.commands.mistake import Mistake


@dataclass(frozen=True, slots=True)
class Words:
    """What stood there."""

    options: dict[str, str] = field(default_factory=dict)
    """By their long names; those without a value have an empty one."""
    rest: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """The option was given."""
        return name in self.options

    def get(self, name: str) -> str:
        """Its value; empty: it was not given."""
        return self.options.get(name, "")

    def number(self, name: str, default: int, least: int = 1, most: int = 1_000_000) -> int:
        """Its value as a number; raises `Mistake`."""
        given = self.options.get(name)
        if given is None:
            return default
        if not given.isdecimal() or len(given) > 9 or not least <= int(given) <= most:
            raise Mistake(f"{name} {given}: it is a number from {least} to {most}")
        return int(given)


def read(command: str, words: Sequence[str], flags: Sequence[str], valued: Sequence[str]) -> Words:
    """`--flag`, `--name VALUE`, `--name=VALUE`; `-h` and `-o` stand for `--help` and `--output`. Raises
    `Mistake`."""
    options: dict[str, str] = {}
    rest, left = [], list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            rest += left
            break
        if not word.startswith("-") or word == "-":
            rest.append(word)
            continue
        name, equals, value = word.partition("=")
        name = {"-h": "--help", "-o": "--output"}.get(name, name)
        if name == "--help" or name in flags:
            if equals:
                raise Mistake(f"{name} takes no value (see acp-tui {command} --help)")
        elif name not in valued:
            raise Mistake(f"unknown option {name} of {command} (see acp-tui {command} --help)")
        elif not equals:
            if not left:
                raise Mistake(f"{name} needs a value (see acp-tui {command} --help)")
            value = left.pop(0)
        options[name] = value
    return Words(options, tuple(rest))
