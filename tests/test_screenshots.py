"""The pictures of the README show what the program shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

DRAW = Path(__file__).parent.parent / "screenshots" / "draw.py"
NAMES = re.findall(r'^    Picture\(\s*"([\w-]+)"', DRAW.read_text("utf-8"), re.MULTILINE)
PARTS = 4
"""So many at a time: they are drawn beside each other where tests run in several processes."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_picture_is_stale(part: int) -> None:
    names = NAMES[part::PARTS]
    check = subprocess.run(
        [sys.executable, DRAW, "--check", *names], capture_output=True, text=True, check=False
    )
    assert check.returncode == 0, check.stderr


def test_every_picture_is_there_and_no_other() -> None:
    kept = {path.name for path in DRAW.parent.iterdir() if path.suffix in (".svg", ".txt")}
    endings = (".txt", "-dark.svg", "-light.svg")
    assert kept == {
        f"{name}-{size}{ending}" for name in NAMES for size in ("80x24", "120x40") for ending in endings
    }
