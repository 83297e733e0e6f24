"""`acp-tui config`: where the settings are, what holds, what is wrong with them.

Invariants: what `show` prints is TOML and could be the file, except that secrets are masked. `check` has
one line for each mistake, and ends with 1 where there is any.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import tomlkit
from tomlkit.items import Table

from acp_tui.base import atomic, redact
from acp_tui.base.config import Config, Template, load
from acp_tui.base.config.model import simple, value
from acp_tui.base.config.writing import HEAD, key_path
from acp_tui.base.paths import config_dir, config_file
from acp_tui.render.clean import clean
from acp_tui.ui import editor, keys, shipped, themes
from acp_tui.ui.judging import Judged, judge

USAGE = """\
acp-tui config path     where the settings are
acp-tui config show     all of them as they hold, secrets masked
acp-tui config check    what is wrong with the file; exit status 1 if anything is
acp-tui config edit     the file in $EDITOR, then the same check
"""


def main(arguments: Sequence[str]) -> int:
    """Do it; returns the exit status."""
    deeds = {"path": _path, "show": _show, "check": _check, "edit": _edit}
    if len(arguments) != 1 or arguments[0] not in deeds:
        asked = list(arguments) in (["--help"], ["-h"])
        (sys.stdout if asked else sys.stderr).write(USAGE)
        return 0 if asked else 2
    return deeds[arguments[0]]()


def _say(text: str) -> None:
    sys.stdout.write(clean(text) + "\n")


def _path() -> int:
    _say(str(config_file()))
    return 0


def _judged() -> Judged:
    return judge(load(), themes.load([shipped.folder(), config_dir() / "themes"]).found)


def _check() -> int:
    judged = _judged()
    for problem in judged.problems:
        _say(str(problem))
    if not judged.problems:
        there = judged.config.path.exists()
        _say(f"{judged.config.path}: {'all well' if there else 'not there, so everything is at its default'}")
    return 1 if judged.problems else 0


def _edit() -> int:
    path = config_file()
    try:
        if not path.exists():
            atomic.write(path, HEAD.encode())
        status = subprocess.run(editor.command(os.environ, path, None), check=False).returncode
    except (OSError, ValueError) as error:
        sys.stderr.write(clean(f"acp-tui: {path} could not be edited: {error}") + "\n")
        return 1
    return status or _check()


def _show() -> int:
    judged = _judged()
    _say(shown(judged))
    for problem in judged.problems:
        sys.stderr.write(clean(str(problem)) + "\n")
    return 0


def shown(judged: Judged) -> str:
    """What holds, as TOML, each with where it comes from."""
    return "\n".join([*_simple(judged.config), "", *_keys(judged), *_tables(judged.config)])


def _simple(config: Config) -> Iterator[str]:
    yield f"# {config.path}"
    section = ""
    for path, _ in simple():
        if len(path) > 1 and path[0] != section:
            section = path[0]
            yield f"\n[{section}]"
        line = config.line(path)
        said = f"{path[-1]} = {tomlkit.item(value(config.settings, path)).as_string()}"
        yield f"{said:<40}  # {'default' if line is None else f'line {line}'}"


def _keys(judged: Judged) -> Iterator[str]:
    """Those that were changed; the others as comments, to be copied."""
    yield "[keys]"
    for id, (deed, own) in keys.BOUND.items():
        changed = judged.keys.get(id)
        listed = changed.split(",") if changed is not None else list(own)
        said = f'"{id}" = {tomlkit.item(listed if len(listed) > 1 else listed[0]).as_string()}'
        line = judged.config.line(key_path(judged.config, id))
        yield f"{said}  # line {line}" if changed is not None else f"# {said}  # {deed.what}"


def _tables(config: Config) -> Iterator[str]:
    settings = config.settings
    document = tomlkit.document()
    if settings.permissions.rules:
        rules = tomlkit.aot()
        for rule in settings.permissions.rules:
            rules.append(_table(asdict(rule)))
        document["permissions"] = {"rules": rules}
    for name, found in (("agents", settings.agents), ("mcp", settings.mcp), ("aip", settings.aip)):
        if found:
            document[name] = {one: _table(_fields(section)) for one, section in found.items()}
    text = tomlkit.dumps(document)
    yield f"\n{text}" if text else ""


def _fields(section: Any) -> dict[str, Any]:
    return {name: getattr(section, name) for name in section.__dataclass_fields__}


def _table(fields: dict[str, Any]) -> Table:
    """What is not empty, secrets masked."""
    table = tomlkit.table()
    for name, given in fields.items():
        if given:
            table[name] = _plain(name, given)
    return table


def _plain(name: str, given: Any) -> Any:
    if isinstance(given, bool | int | float):
        return given
    if isinstance(given, str):
        return redact.url(given)
    if isinstance(given, tuple):
        return redact.command(given)
    return {key: one.shown if isinstance(one, Template) else one for key, one in given.items()}
