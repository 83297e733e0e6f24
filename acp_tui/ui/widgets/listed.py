"""A list to choose from, whose keys are those of the key table."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.widgets import OptionList

from acp_tui.ui import keys


class Listed(OptionList, inherit_bindings=False):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("list")
