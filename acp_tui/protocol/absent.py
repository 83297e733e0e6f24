"""The third state of a patch field: absent, beside null and a value (UP-01)."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Absent(Enum):
    """Type of `ABSENT`; falsy, so that `field or default` reads naturally."""

    ABSENT = "absent"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT
"""The field was not sent, or was malformed where the schema says that this counts as absent (UP-02)."""
