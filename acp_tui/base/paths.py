"""Where things are kept: the folders of the platform, each overridable by an environment variable.

Nothing is made on import or on asking for a path; `private` makes a folder, for the owner only, when needed.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

NAME = "acp-tui"


def state_dir() -> Path:
    """Journals, recent commands, records of running agents. `ACP_TUI_STATE_DIR` overrides it."""
    return _override("ACP_TUI_STATE_DIR") or platformdirs.user_state_path(NAME, appauthor=False)


def config_dir() -> Path:
    """What the user writes: settings and themes. `ACP_TUI_CONFIG_DIR` overrides it."""
    return _override("ACP_TUI_CONFIG_DIR") or platformdirs.user_config_path(NAME, appauthor=False)


def config_file() -> Path:
    """The settings. `ACP_TUI_CONFIG` overrides it, with a file."""
    return _override("ACP_TUI_CONFIG") or config_dir() / "config.toml"


def cache_dir() -> Path:
    """What can be made again at any time. `ACP_TUI_CACHE_DIR` overrides it."""
    return _override("ACP_TUI_CACHE_DIR") or platformdirs.user_cache_path(NAME, appauthor=False)


def journal_dir() -> Path:
    """One file for each connection, in a folder for each month."""
    return state_dir() / "journal"


def running_dir() -> Path:
    """One small file for each agent that runs now."""
    return state_dir() / "running"


def private(folder: Path) -> Path:
    """Make `folder` with its parents, readable by nobody else; folders that exist are left as they are."""
    for each in (*reversed(folder.parents), folder):
        if not each.is_dir():
            each.mkdir(mode=0o700, exist_ok=True)
    return folder


def _override(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value).expanduser().absolute() if value else None
