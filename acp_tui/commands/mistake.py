"""Words on the command line that cannot be meant. Imports nothing."""

from __future__ import annotations


class Mistake(Exception):
    """Something on the command line that cannot be meant; its text is for the user."""
