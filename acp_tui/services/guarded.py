"""Places that one is asked about even where they lie in a session's folders: somebody who works in his home
folder has not given his keys away.

A short list of well-known places, no promise that there are no others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import PurePath

KEYS = "keys and passwords are kept there"
HOOKS = "Git runs what stands there"
LOGIN = "it is run when you log in"
OURS = "acp-tui keeps its own settings and records there"

_KEY_FOLDERS = (
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".password-store",
    ".config/gcloud",
    ".config/gh",
    ".config/op",
    ".local/share/keyrings",
    "Library/Keychains",
)
_KEY_FILES = (".netrc", ".pgpass", ".git-credentials", ".npmrc", ".pypirc", ".vault-token")
_KEY_NAMES = ("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "*.kdbx", "*.p12", "*.pfx")
_LOGIN_FILES = (
    ".profile",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".config/fish/config.fish",
    ".config/autostart",
    ".config/systemd",
    "Library/LaunchAgents",
)


def why(real: str, *, writes: bool, home: str, ours: Iterable[str] = ()) -> str:
    """Why one is asked about it, as the end of a sentence; empty: there is no reason here. All paths are
    real ones; `ours` are folders of acp-tui.
    """
    if any(below(real, folder) for folder in ours):
        return OURS
    if any(below(real, os.path.join(home, place)) for place in (*_KEY_FOLDERS, *_KEY_FILES)):
        return KEYS
    if any(fnmatchcase(os.path.basename(real).lower(), pattern) for pattern in _KEY_NAMES):
        return KEYS
    if writes and ".git" in PurePath(real).parts:
        return HOOKS
    if writes and any(below(real, os.path.join(home, place)) for place in _LOGIN_FILES):
        return LOGIN
    return ""


def below(path: str, folder: str) -> bool:
    """It is this folder, or lies in it. Both are real paths."""
    return path == folder or path.startswith(os.path.join(folder, ""))
