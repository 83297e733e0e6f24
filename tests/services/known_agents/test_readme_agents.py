"""The README's table of known agents is that of the list; `python -m` this module writes it anew."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from acp_tui.services.known_agents.catalog import Known, bundled

README = Path(__file__).parents[3] / "README.md"
BETWEEN = re.compile(r"(?<=\| --- \| --- \| --- \| --- \|\n)(?:\| `[^\n]*\n)*(?=<!-- known agents -->)")


def markdown() -> str:
    """The rows."""
    return "".join(
        f"| `{one.name}` | [{one.title}]({one.home}) | {_here(one)} | {_else(one)} |\n"
        for one in bundled().agents
    )


def _here(one: Known) -> str:
    return " or ".join(f"`{shlex.join(program)}`" for program in one.programs)


def _else(one: Known) -> str:
    return " or ".join(f"`{shlex.join(package.command)}`" for package in one.packages)


def test_the_readme_has_the_known_agents() -> None:
    found = BETWEEN.search(README.read_text())
    assert found is not None
    assert found[0] == markdown(), "stale: python -m tests.services.known_agents.test_readme_agents"


if __name__ == "__main__":
    README.write_text(BETWEEN.sub(lambda _: markdown(), README.read_text()))
