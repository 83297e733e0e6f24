"""The options of a session as the user chooses them: model, mode, thought level and whatever else (CF).

Pure. Invariants: a value is what the agent confirmed, never what was only asked for (CF-07); the order is
the agent's (CF-01); an option of a kind nobody knows is shown and not offered (CF-08). Names are the agent's
words as they came: who shows them cleans them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from acp_tui.protocol.session import (
    SessionConfigOption,
    SessionConfigSelect,
    SessionConfigSelectGroup,
)
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.session import Session

Value = str | bool
COMMON = ("model", "mode", "thought_level")
"""Categories that are always in sight, if an option has them."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option."""

    value: Value
    name: str
    description: str = ""
    group: str = ""


ON_OFF = (Choice(True, "on"), Choice(False, "off"))


@dataclass(frozen=True, slots=True)
class Setting:
    """One option."""

    id: str
    name: str
    kind: Literal["select", "boolean", "unknown"]
    value: Value | None
    """As the agent confirmed it; None where nobody can read it."""
    choices: tuple[Choice, ...] = ()
    description: str = ""
    category: str = ""
    asked: Value | None = None
    """Asked for and not answered yet; None: nothing is on its way."""
    type: str = ""
    """The agent's word for an unknown kind."""

    def named(self, value: Value | None) -> str:
        """What people call a value; one that is not among the choices is shown as it is (CF-09)."""
        if value is None:
            return f"kind “{self.type}”" if self.kind == "unknown" else ""
        found = next((one.name for one in self.choices if one.value == value), None)
        return found if found is not None else str(value)

    @property
    def pending(self) -> bool:
        """Another value is on its way."""
        return self.asked is not None and self.asked != self.value

    def after(self, value: Value | None) -> Value | None:
        """The choice behind this one, round the end; None where there is none."""
        values = [one.value for one in self.choices]
        if not values or values == [value]:
            return None
        return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


def settings(session: Session) -> tuple[Setting, ...]:
    """All of them, in the agent's order."""
    return tuple(
        made for option in session.config_options if (made := _setting(option, session.options_asked))
    )


def common(all_of: Sequence[Setting]) -> tuple[Setting, ...]:
    """The first of each common category (CF-04)."""
    firsts = (next((one for one in all_of if one.category == name), None) for name in COMMON)
    return tuple(one for one in firsts if one is not None)


def _setting(option: SessionConfigOption | Unknown, asked: Mapping[str, Value]) -> Setting | None:
    if isinstance(option, Unknown):
        raw = option.raw
        words = [raw.get(key) for key in ("configId", "name", "description", "category")]
        id_, name, said, category = (word if isinstance(word, str) else "" for word in words)
        return Setting(id_, name, "unknown", None, (), said, category, type=option.type)
    select = isinstance(option, SessionConfigSelect)
    return Setting(
        id=option.config_id,
        name=option.name,
        kind="select" if select else "boolean",
        value=option.current_value,
        choices=tuple(_choices(option)) if isinstance(option, SessionConfigSelect) else ON_OFF,
        description=option.description or "",
        category=option.category or "",
        asked=asked.get(option.config_id),
    )


def _choices(option: SessionConfigSelect) -> Iterable[Choice]:
    for one in option.options:
        if isinstance(one, SessionConfigSelectGroup):
            for inner in one.options:
                yield Choice(inner.value, inner.name, inner.description or "", one.name)
        else:
            yield Choice(one.value, one.name, one.description or "")
