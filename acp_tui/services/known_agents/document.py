"""The registry's document: JSON that says of many agents how they are distributed.

Invariants: what it says is checked before anything is made of it; unknown keys are ignored; an agent that
makes no sense is left out and counted, and a document without one that does is refused. A word of a command
never looks like an option of the tool that starts it, and holds no character that cannot be seen.
"""

from __future__ import annotations

import platform
import sys
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from acp_tui.services.known_agents.catalog import Known, Package, Tool

MOST = 2000
"""Agents."""
WORDS = 50
"""Arguments and variables of one."""


class Refused(Exception):
    """The document is none; the text says why, without a full stop."""


def _visible(text: str) -> str:
    if not text.isprintable():
        raise ValueError("it holds characters that cannot be seen")
    return text


def _package(text: str) -> str:
    if text.startswith("-") or " " in text:
        raise ValueError("it is no name of a package")
    return text


Word = Annotated[str, Field(max_length=1000), AfterValidator(_visible)]
Named = Annotated[str, Field(max_length=200), AfterValidator(_visible)]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")]


class _Packaged(BaseModel):
    package: Annotated[
        str, Field(min_length=1, max_length=300), AfterValidator(_visible), AfterValidator(_package)
    ]
    args: Annotated[list[Word], Field(max_length=WORDS)] = []
    env: Annotated[dict[Variable, Word], Field(max_length=WORDS)] = {}


class _Archive(BaseModel):
    archive: Annotated[Word, Field(pattern=r"^https?://")]


class _Agent(BaseModel):
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,79}$")]
    name: Named = ""
    version: Named = ""
    description: str = ""
    website: str = ""
    repository: str = ""
    distribution: dict[str, Any]


class _Document(BaseModel):
    version: str = ""
    agents: Annotated[list[Any], Field(max_length=MOST)]


def parse(data: bytes) -> tuple[list[Known], int]:
    """The agents, each once, and how many were left out. Raises `Refused`."""
    try:
        document = _Document.model_validate_json(data)
    except ValidationError as error:
        raise Refused(_reason(error)) from None
    found: dict[str, Known] = {}
    for one in document.agents:
        try:
            known = _known(_Agent.model_validate(one))
        except ValidationError:
            continue
        found.setdefault(known.name, known)
    if not found:
        raise Refused("it lists no agent that makes sense")
    return list(found.values()), len(document.agents) - len(found)


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return "it is no JSON"
    where = ".".join(map(str, first["loc"])) or "the whole"
    return f"it is no list of agents ({where}: {first['msg']})"


def _known(agent: _Agent) -> Known:
    packages, archive, only = [], "", []
    for kind, given in agent.distribution.items():
        if kind in ("npx", "uvx"):
            packages.append(_packaged("npx" if kind == "npx" else "uvx", given))
        elif kind == "binary":
            archive = _archive(given)
        else:
            only.append(kind[:40])
    return Known(
        name=agent.id,
        title=agent.name or agent.id,
        about=agent.description[:300],
        packages=tuple(packages),
        home=_address(agent.website) or _address(agent.repository),
        registry=agent.id,
        version=agent.version,
        archive=archive,
        only=tuple(only) or (("binary",) if "binary" in agent.distribution else ()),
        source="registry",
    )


def _packaged(tool: Tool, given: Any) -> Package:
    packaged = _Packaged.model_validate(given)
    return Package(tool, (packaged.package, *packaged.args), packaged.env)


def _archive(given: Any) -> str:
    """The address for this machine; empty: there is none."""
    here = given.get(target()) if isinstance(given, dict) else None
    return _Archive.model_validate(here).archive if here is not None else ""


def _address(text: str) -> str:
    return text if text.startswith("https://") and len(text) <= 300 and text.isprintable() else ""


def target() -> str:
    """This machine, as such documents call it."""
    system = "darwin" if sys.platform == "darwin" else "linux"
    machine = platform.machine().lower()
    return f"{system}-{ {'amd64': 'x86_64', 'arm64': 'aarch64'}.get(machine, machine) }"
