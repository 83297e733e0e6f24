"""The README's settings are those of the program; `python -m tests.base.config.test_readme_settings` writes
them.
"""

from __future__ import annotations

import re
from pathlib import Path

from acp_tui.base.config.document import markdown
from acp_tui.base.config.model import simple

README = Path(__file__).parents[3] / "README.md"
BETWEEN = re.compile(r"(?<=<!-- settings -->\n).*?(?=<!-- /settings -->)", re.DOTALL)


def test_the_readme_has_the_settings() -> None:
    found = BETWEEN.search(README.read_text())
    assert found is not None
    assert found[0] == markdown(), "stale: python -m tests.base.config.test_readme_settings"


def test_every_setting_has_words() -> None:
    assert all(slot.what and slot.allowed for _, slot in simple())
    rows = [line for line in markdown().splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)


if __name__ == "__main__":
    README.write_text(BETWEEN.sub(lambda _: markdown(), README.read_text()))
