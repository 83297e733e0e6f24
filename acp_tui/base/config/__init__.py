"""The settings file: what it may say, what it says, and how it is changed."""

from acp_tui.base.config.model import AgentSettings, McpServer, Rule, Settings
from acp_tui.base.config.problem import Problem
from acp_tui.base.config.reading import Config, load
from acp_tui.base.config.template import MissingVariable, Template, fill

__all__ = [
    "AgentSettings",
    "Config",
    "McpServer",
    "MissingVariable",
    "Problem",
    "Rule",
    "Settings",
    "Template",
    "fill",
    "load",
]
