"""Commands of the agents that tests in a terminal run."""

from __future__ import annotations

import sys
from pathlib import Path

_TESTS = Path(__file__).parents[2]

WORDS = (sys.executable, str(_TESTS / "ui" / "agents" / "words.py"))
"""Does what the words of a prompt say."""
SCRIPTED = (sys.executable, str(_TESTS / "agent" / "agents" / "scripted.py"))
"""Misbehaves as an agent's process can."""
