"""What may stand in a TOML file, likely and unlikely."""

from __future__ import annotations

import math
from datetime import date

from hypothesis import strategies as st

KEYS = st.text(min_size=1, max_size=6) | st.sampled_from(
    [
        "theme",
        "mouse",
        "capture",
        "keys",
        "agents",
        "mcp",
        "permissions",
        "rules",
        "answer",
        "command",
        "env",
        "url",
    ]
)
SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False).filter(lambda x: not math.isinf(x)),
    st.text(max_size=8),
    st.just(date(2026, 1, 2)),
    st.sampled_from(["allow", "http://x", "${A}", "${", "open"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)
