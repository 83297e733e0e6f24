"""The README's key tables are those of the program; `python -m tests.ui.test_readme_keys` writes them."""

from __future__ import annotations

import re
from pathlib import Path

from acp_tui.ui import keys

README = Path(__file__).parents[2] / "README.md"
BETWEEN = re.compile(r"(?<=<!-- keys -->\n).*?(?=<!-- /keys -->)", re.DOTALL)


def test_the_readme_has_the_keys() -> None:
    found = BETWEEN.search(README.read_text())
    assert found is not None
    assert found[0] == keys.markdown(), "stale: python -m tests.ui.test_readme_keys"


def test_every_row_is_a_row() -> None:
    rows = [line for line in keys.markdown().splitlines() if line.startswith("|")]
    assert all(row.count("|") == 3 for row in rows)


if __name__ == "__main__":
    README.write_text(BETWEEN.sub(lambda _: keys.markdown(), README.read_text()))
