"""The rows of the settings screen: pure, from what holds to names, values and where they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from acp_tui.base import redact
from acp_tui.base.config import AgentSettings, Config, McpServer, Problem, Rule
from acp_tui.base.config.model import Slot, simple, value
from acp_tui.base.config.writing import key_path
from acp_tui.render.clean import one_line
from acp_tui.ui import keys
from acp_tui.ui.judging import Judged

Kind = Literal["head", "switch", "choice", "key", "seen", "mistake"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list."""

    kind: Kind
    name: str
    value: str = ""
    what: str = ""
    """What it does, and what may stand there."""
    path: tuple[str, ...] = ()
    line: int | None = None
    """Where the file says so; None: it is the default."""
    current: Any = None
    choices: tuple[Any, ...] = ()

    @property
    def origin(self) -> str:
        """Where the value comes from."""
        if self.kind in ("head", "mistake"):
            return ""
        return "default" if self.line is None else f"line {self.line}"

    def has(self, words: str) -> bool:
        """These words stand in it, in any order."""
        text = f"{self.name} {self.value} {self.what}".lower()
        return all(word in text for word in words.lower().split())


def rows(judged: Judged, themes: Iterable[str]) -> list[Row]:
    """Mistakes first, then what can be changed here, then what stands in the file only."""
    config = judged.config
    made = [*_mistakes(judged.problems), Row("head", "Settings"), *_simple(config, ("", *themes))]
    made += [*_agents(config), *_servers(config), *_rules(config)]
    return [*made, *_keys(judged)]


def matching(found: Iterable[Row], words: str) -> list[Row]:
    """What has these words, with the heads above it."""
    kept: list[Row] = []
    head: Row | None = None
    for row in found:
        if row.kind == "head":
            head = row
        elif row.has(words):
            kept += [head] if head is not None else []
            kept.append(row)
            head = None
    return kept


def _mistakes(problems: Iterable[Problem]) -> Iterator[Row]:
    for number, problem in enumerate(problems):
        if not number:
            yield Row("head", "Mistakes in the file")
        text = f"{problem.key}: {problem.reason}" if problem.key else problem.reason
        yield Row("mistake", f"line {problem.line}", one_line(text), one_line(text, 400), (), problem.line)


def _simple(config: Config, themes: tuple[str, ...]) -> Iterator[Row]:
    refused = {problem.key for problem in config.problems}
    for path, slot in simple():
        current = value(config.settings, path)
        choices = slot.choices or (themes if path == ("theme",) else ())
        kind: Kind = "switch" if slot.hint is bool else "choice" if choices else "seen"
        name = ".".join(path)
        line = None if name in refused else config.line(path)
        yield Row(kind, name, _shown(slot, current), slot.what, path, line, current, choices)


def _shown(slot: Slot, current: Any) -> str:
    """Of an address that may be secret which is not."""
    return (
        shown(current)
        if slot.choices or slot.name == "theme"
        else one_line(redact.url(current), 60) or "none"
    )


def shown(current: Any) -> str:
    """A value as the screen says it."""
    if isinstance(current, bool):
        return "on" if current else "off"
    return one_line(str(current), 60) or "as the terminal is"


def _keys(judged: Judged) -> Iterator[Row]:
    place = ""
    for id, (deed, own) in keys.BOUND.items():
        if place != deed.where:
            place = deed.where
            yield Row("head", f"Keys · {keys.TITLES[deed.where]}")
        path = key_path(judged.config, id)
        now = keys.listed(judged.keys[id]) if id in judged.keys else own
        line = judged.config.line(path) if id in judged.keys else None
        yield Row("key", id, keys.spelled(now), deed.what, path, line, tuple(now))


def _agents(config: Config) -> Iterator[Row]:
    yield from _listed("Agents", "agents", config, config.settings.agents, _agent)


def _servers(config: Config) -> Iterator[Row]:
    yield from _listed("MCP servers", "mcp", config, config.settings.mcp, _server)


def _listed(title: str, table: str, config: Config, found: Mapping[str, Any], say: Any) -> Iterator[Row]:
    if found:
        yield Row("head", title)
    for name, one in found.items():
        what = f"[{table}.{one_line(name, 40)}] in the file"
        yield Row("seen", one_line(name, 40), say(one), what, (table, name), config.line((table, name)))


def _agent(agent: AgentSettings) -> str:
    if agent.disabled:
        return "disabled"
    return one_line(" ".join(redact.command(agent.command)), 200) or "as acp-tui knows it"


def _server(server: McpServer) -> str:
    words = redact.url(server.url) if server.url else " ".join(redact.command((server.command, *server.args)))
    return one_line(words, 200)


def _rules(config: Config) -> Iterator[Row]:
    found = config.settings.permissions.rules
    if found:
        yield Row("head", "Permission rules")
    line = config.line(("permissions", "rules"))
    for number, rule in enumerate(found, 1):
        yield Row("seen", f"rule {number}", _rule(rule), "[[permissions.rules]] in the file", (), line)


def _rule(rule: Rule) -> str:
    conditions = [(name, getattr(rule, name)) for name in ("agent", "folder", "kind", "command")]
    said = " ".join(f"{name}={text}" for name, text in conditions if text)
    return one_line(f"{rule.answer} {said}".strip(), 200)
