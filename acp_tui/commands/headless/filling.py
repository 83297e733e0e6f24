"""A form of the agent, filled in field by field in a terminal.

Invariants: Enter alone takes what stands there, else leaves the field out; what is wrong is said and asked
again, so that what comes out may be sent.
"""

from __future__ import annotations

from typing import Any

from acp_tui.commands.headless.tty import Tty
from acp_tui.render.clean import visible
from acp_tui.services.forms import Field, Filling, Form, Typed

_YES = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}


async def fill(tty: Tty, form: Form) -> dict[str, Any] | None:
    """What was filled in. Raises `Hung`."""
    filling = Filling(form)
    for number, one in enumerate(form.fields, 1):
        if one.kind != "unknown":
            tty.out.write(f"\n  {number} of {len(form.fields)}: {_about(one)}\n")
            await _field(tty, filling, one)
    tty.out.write("\n")
    return filling.content()


async def _field(tty: Tty, filling: Filling, one: Field) -> None:
    """Until it is right."""
    for number, choice in enumerate(one.choices, 1):
        said = f": {_flat(choice.description)}" if choice.description else ""
        tty.out.write(f"    {number}  {_flat(choice.title)}{said}\n")
    while True:
        tty.out.write(f"  {_prompt(one)}")
        said = await tty.line()
        value = filling.typed.get(one.name) if not said.strip() else _value(one, said)
        problem = _told(one, said, value)
        if not problem:
            if value is not None:
                filling.put(one.name, value)
            return
        tty.out.write(f"  ! {problem}\n")


def _told(one: Field, said: str, value: Typed) -> str:
    if said.strip() and value is None:
        return "y or n" if one.kind == "boolean" else "numbers of the list above"
    return visible(one.problem(value))


def _about(one: Field) -> str:
    parts = [_flat(one.title), "needed" if one.required else "may be left out", one.expects]
    about = ", ".join(part for part in parts if part)
    return f"{about}\n    {_flat(one.description)}" if one.description else about


def _prompt(one: Field) -> str:
    how = {"boolean": "y or n", "choice": "a number", "choices": "numbers with blanks"}.get(one.kind, "")
    default = one.default
    if isinstance(default, tuple | str) and one.choices:
        values = [choice.value for choice in one.choices]
        chosen = (default,) if isinstance(default, str) else default
        default = " ".join(str(values.index(value) + 1) for value in chosen)
    elif isinstance(default, bool):
        default = "y" if default else "n"
    stands = f"[{_flat(str(default))}] " if default not in (None, "") else ""
    return f"{f'({how}) ' if how else ''}{stands}> "


def _value(one: Field, said: str) -> Typed:
    """What was meant; None: nothing that fits the kind of field."""
    if one.kind == "boolean":
        return _YES.get(said.strip().casefold())
    if one.kind not in ("choice", "choices"):
        return said
    numbers = said.replace(",", " ").split()
    if not all(
        word.isascii() and word.isdigit() and 0 < int(word[:6]) <= len(one.choices) for word in numbers
    ):
        return None
    chosen = tuple(dict.fromkeys(one.choices[int(word) - 1].value for word in numbers))
    if one.kind == "choices":
        return chosen
    return chosen[0] if len(chosen) == 1 else None


def _flat(text: str) -> str:
    return visible(text).replace("\n", " ")
