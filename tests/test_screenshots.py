"""The pictures of the README show what the program shows."""

import subprocess
import sys
from pathlib import Path

import pytest

DRAW = Path(__file__).parent.parent / "screenshots" / "draw.py"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_picture_is_stale() -> None:
    check = subprocess.run([sys.executable, DRAW, "--check"], capture_output=True, text=True, check=False)
    assert check.returncode == 0, check.stderr
