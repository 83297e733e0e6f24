"""The words after `acp-tui aip`, which are those of the bridge: which gateway, and what is different there.

Light on purpose: the client reads it too, before it starts the bridge. Invariant: no word of it is a token.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any, Final, NamedTuple

from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.base.paths import config_file

USAGE = """\
acp-tui aip - work with a gateway of AIP as with any agent

  acp-tui aip https://gateway.example   this gateway
  acp-tui aip NAME                      the one of [aip.NAME] in your settings

options; in the settings they are the same words with _
  --token-env NAME     the variable that holds the token
  --token-file FILE    the file that holds it, readable by you only
                       a token itself never stands on a command line
  --tenant ID          the tenant to ask for
  --ca-file FILE       certificates to trust instead of the system's
  --mode MODE          how actions are run: async (usual), sync or streaming
  --dialect KIND       how event streams are spelled: auto, a, b, or none (poll)
  --profile NAME       open sessions with this profile; may come several times
  --approvals          you may decide approvals there
  --help               this

There you call capabilities: /call CAPABILITY JSON, /actions, /follow, /status,
/result, /events, /cancel; /help has all. Needs the extra aip: HTTP.

What it is: a client of AIP 1.0 as the concept page "Actions and sessions" has
it. That page leaves out addresses, messages and event frames: there the
defaults are what one public reference server was seen to do, observed and not
specified; each can be changed in [aip.NAME].
Not built: signing, federation, delegation, callbacks and transactions are shown
where they appear, not produced. Approvals are decided only where you set it.
"""
EXTRA: Final = "httpx is missing, which AIP needs: pip install 'acp-tui[aip]'"
_VALUED: Final = {
    "--token-env": "token_env",
    "--token-file": "token_file",
    "--tenant": "tenant",
    "--ca-file": "ca_file",
    "--mode": "mode",
    "--dialect": "stream",
    "--profile": "profiles",
}
_SECRETS: Final = ("--token", "--bearer", "--api-key", "--password", "--header", "-H")
_HOW: Final = (
    "a token never stands on a command line or in an address, where others can read it: put it in a variable "
    "and name that with --token-env, or in a file of mode 0600 and name that with --token-file"
)
_ONE_OF: Final = {"mode": ("sync", "async", "streaming"), "stream": ("auto", "a", "b", "none")}


class Wrong(Exception):
    """Words that cannot be meant; the text is for the user."""


class Asked(NamedTuple):
    """Which gateway is meant."""

    name: str
    """Of the settings, else its address."""
    settings: GatewaySettings


def known() -> Mapping[str, GatewaySettings]:
    """The gateways of the settings."""
    if not os.path.lexists(config_file()):
        return {}
    from acp_tui.base.config import load

    return load().settings.aip


def wants_help(words: Sequence[str]) -> bool:
    """Nothing else is wanted then."""
    return not words or any(word in ("--help", "-h") for word in words)


def asked(words: Sequence[str], known: Mapping[str, GatewaySettings]) -> Asked:
    """Read them; `known` are the gateways of the settings. Raises `Wrong`."""
    names, changes = _read(list(words))
    if len(names) != 1:
        raise Wrong("name one gateway: its address, or a name of your settings (see acp-tui aip --help)")
    name = names[0]
    if name in known:
        settings = replace(known[name], **changes)
    elif "://" in name:
        settings = GatewaySettings(url=name, **changes)
    else:
        there = f"; there are {', '.join(list(known)[:12])}" if known else ""
        raise Wrong(f"there is no [aip.{name[:60]}] in your settings, and it is no address{there}")
    if (mistake := settings.mistake()) is not None:
        how = f"; {_HOW}" if mistake[0] == "url" and any(mark in name for mark in "@?#") else ""
        raise Wrong(f"{mistake[0] or 'the gateway'}: {mistake[1]}{how}")
    return Asked(name, settings)


def _read(left: list[str]) -> tuple[list[str], dict[str, Any]]:
    names: list[str] = []
    changes: dict[str, Any] = {}
    while left:
        word = left.pop(0)
        option, equals, value = word.partition("=")
        if not word.startswith("-"):
            names.append(word)
        elif word == "--approvals":
            changes["approvals"] = True
        elif option in _SECRETS:
            raise Wrong(f"{option}: {_HOW}")
        elif option not in _VALUED:
            raise Wrong(f"unknown option {option} of aip (see acp-tui aip --help)")
        else:
            _option(changes, option, value if equals else left.pop(0) if left else "")
    return names, changes


def _option(changes: dict[str, Any], option: str, value: str) -> None:
    name = _VALUED[option]
    if not value:
        raise Wrong(f"{option} needs a value")
    if value not in _ONE_OF.get(name, (value,)):
        raise Wrong(f"{option} {value[:40]}: it is one of {', '.join(_ONE_OF[name])}")
    changes[name] = (*changes.get(name, ()), value) if name == "profiles" else _whole(name, value)


def _whole(name: str, value: str) -> str:
    """Files are found from the folder the words were typed in."""
    return os.path.abspath(os.path.expanduser(value)) if name.endswith("_file") else value


def words_for(name: str, settings: GatewaySettings, plain: GatewaySettings | None) -> list[str]:
    """The words that mean the same from any folder: what differs from `plain`, the gateway of that name."""
    words = [name]
    for option, field in _VALUED.items():
        value = getattr(settings, field)
        if value == (getattr(plain, field) if plain is not None else _default(field)):
            continue
        words += [word for one in ([value] if isinstance(value, str) else value) for word in (option, one)]
    return [*words, *(["--approvals"] if settings.approvals and not (plain and plain.approvals) else [])]


def _default(name: str) -> Any:
    one = next(field for field in fields(GatewaySettings) if field.name == name)
    return one.default if one.default_factory is MISSING else one.default_factory()
