"""The settings file is read whatever is in it: each mistake has its line, and everything else is used."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.base.config import Config, Settings, Template, load
from acp_tui.base.config.places import places
from acp_tui.base.config.reading import LARGEST, parse
from tests.base.config.toml_values import KEYS, VALUES

PLACE = Path("/nowhere/config.toml")


def read(text: str) -> Config:
    return parse(PLACE, text.encode())


def told(text: str) -> list[str]:
    return [problem.brief for problem in read(text).problems]


def test_no_file_is_no_mistake(tmp_path: Path) -> None:
    config = load(tmp_path / "none.toml")
    assert (config.settings, config.problems) == (Settings(), ())


def test_what_is_not_said_is_as_it_was() -> None:
    config = read("[attention]\nbell = false\n")
    assert not config.problems
    assert (config.settings.attention.bell, config.settings.attention.notify) == (False, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("theme = 5", "line 1: theme: 5 cannot stand here; allowed: text in quotes"),
        (
            '\n[mouse]\ncapture = "yes"',
            'line 3: mouse.capture: "yes" cannot stand here; allowed: true or false',
        ),
        (
            'transcript.thoughts = "shown"',
            'line 1: transcript.thoughts: "shown" cannot stand here; allowed: "folded" or "open"',
        ),
        ("mouse = 1", "line 1: mouse: it must be a table, such as [mouse]"),
        ("[composer]\nvim = true", "line 2: composer.vim: there is no such setting; did you mean vi?"),
        ("zzz = 1", "line 1: zzz: there is no such setting; there are theme, transcript, mouse"),
        (
            "[keys]\nchat.plan = 4",
            'line 2: keys.chat.plan: 4 cannot stand here; allowed: "key", '
            '["key", "other key"] or "" for none',
        ),
        ("agents = 3", "line 1: agents: it must be tables: [agents.NAME]"),
        ("[agents]\nx = 3", "line 2: agents.x: it must be a table: [agents.NAME]"),
        (
            "permissions.rules = {}",
            "line 1: permissions.rules: it must be a list of tables: [[permissions.rules]]",
        ),
        ("[agents.x]\ncommand = ['']", "line 2: agents.x.command: it names no program"),
        (
            "[known_agents]\nregistry = 'http://a/b'",
            "line 2: known_agents.registry: it must begin with https://",
        ),
        (
            "[agents.x]\ncommand = [\n 'a',\n 5,\n]",
            'line 4: agents.x.command[2]: 5 cannot stand here; allowed: a list of words, such as ["a", "b"]',
        ),
        ('[agents.x]\ncommand = "\'"', "line 2: agents.x.command: this does not read as a command"),
        (
            "[agents.x]\ncommand = 'a'\nmcp = ['gti']\n[mcp.git]\ncommand = 'g'",
            "line 3: agents.x.mcp[1]: there is no [mcp.gti]; did you mean git?",
        ),
        ("[mcp.x]", "line 1: mcp.x: it needs either a command or a url"),
        ("[mcp.x]\nurl = 'ftp://x'", "line 2: mcp.x.url: it must begin with http:// or https://"),
        (
            "[mcp.x]\nurl = 'http://x'\nheaders = {Authorization = 'Bearer abc'}",
            "line 3: mcp.x.headers.Authorization: a secret has no place in a file",
        ),
        ("[mcp.x]\ncommand = 'x'\nenv.A = '${'", "line 3: mcp.x.env.A: a ${ is not closed by a }"),
        (
            "[[permissions.rules]]\nkind = 'read'\n[[permissions.rules]]\nanswer = 'yes'",
            "line 1: permissions.rules[1]: answer is missing",
        ),
        ("a = [\n", "line 1: this is not TOML"),
        ("theme = 'a'\ntheme = 'b'", "line 2: this is not TOML (Cannot overwrite a value)"),
    ],
)
def test_a_mistake_names_line_and_key_and_what_is_allowed(text: str, message: str) -> None:
    assert told(text)[0].startswith(message)


def test_the_rest_of_the_file_is_used() -> None:
    config = read(
        'theme = 5\nwhat = 1\n[mouse]\ncapture = false\n[keys]\na = 1\nb = "f6"\nc.d = ["f7", "f8"]'
    )
    assert len(config.problems) == 3
    assert config.settings.mouse.capture is False
    assert config.settings.keys == {"b": ("f6",), "c.d": ("f7", "f8")}


@pytest.mark.parametrize("odd", ["kind = 5", "comand = 'rm *'", "folder = 'src'"])
def test_a_rule_with_a_mistake_in_it_is_no_rule(odd: str) -> None:
    text = f"[[permissions.rules]]\nanswer = 'allow'\ncommand = 'ls *'\n{odd}\n"
    good = "[[permissions.rules]]\nanswer = 'reject'\n"
    config = read(text + good)
    assert [rule.answer for rule in config.settings.permissions.rules] == ["reject"]
    assert config.problems[0].line == 4


@pytest.mark.parametrize(
    "all_of_it", ["", "kind = '*'", "command = '* *'", "agent = 'codex'", "folder = '/'"]
)
def test_nothing_is_allowed_blindly(all_of_it: str) -> None:
    config = read(f"[[permissions.rules]]\nanswer = 'allow'\n{all_of_it}\n")
    assert config.settings.permissions.rules == ()
    assert "says what is allowed" in config.problems[0].reason


def test_an_agent_and_its_servers() -> None:
    config = read(
        "[agents.codex]\ncommand = \"npx 'a b'\"\nenv = ['A']\nmcp = ['git']\n"
        "options = {model = 'x', fast = true}\n"
        "[mcp.git]\ncommand = 'git-mcp'\nargs = ['-v']\nenv.TOKEN = '${GIT_TOKEN}'\n"
        "[mcp.web]\nurl = 'https://u:pw@x'\nheaders.Authorization = 'Bearer ${T}'\nheaders.X-Odd = 'hunter2'"
    )
    assert config.problems == ()
    agent, web = config.settings.agents["codex"], config.settings.mcp["web"]
    assert agent.command == ("npx", "a b")
    assert agent.env == {"A": Template("${A}")}
    assert agent.options == {"model": "x", "fast": True}
    assert web.headers["Authorization"].fill({"T": "s3"}) == "Bearer s3"
    assert "hunter2" not in repr(config) and "pw" not in repr(config)
    assert "Bearer ${T}" in repr(config)


def test_a_secret_that_is_refused_is_not_repeated() -> None:
    config = read("[mcp.x]\nurl = 'http://x'\nheaders = {api-key = 'hunter2', a = [ 'hunter2' ]}")
    assert config.problems and "hunter2" not in repr(config.problems) + "".join(map(str, config.problems))


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "huge").write_bytes(b"#" * (LARGEST + 1))
    (tmp_path / "latin").write_bytes("# ok\ntheme = 'é'".encode("latin-1"))
    for name, word in (("pipe", "no file"), (".", "cannot be read"), ("huge", "larger"), ("latin", "UTF-8")):
        config = load(tmp_path / name)
        assert config.settings == Settings()
        assert word in str(config.problems[0]), name
    assert load(tmp_path / "latin").problems[0].line == 2
    assert load(Path(os.devnull)).problems == ()


def test_deep_nesting_is_told() -> None:
    assert "nested too deeply" in told("a = " + "[" * 100_000)[0]


def paths(value: Any, before: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    """All ways into a parsed file."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {before, *(path for step, inner in steps for path in paths(inner, (*before, step)))}


@settings(max_examples=40)
@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_toml_is_read_and_every_mistake_has_its_line(data: dict[str, Any]) -> None:
    text = tomlkit.dumps(data)
    config = read(text)
    found = places(config.text)
    assert set(found) == paths(tomllib.loads(config.text)) - {()}
    for problem in config.problems:
        assert 1 <= problem.line <= text.count("\n") + 1
        assert problem.reason and problem.reason.isprintable() and problem.key.isprintable()
        assert not problem.key or problem.line in found.values()
    repr(config)


@given(st.binary(max_size=200) | st.text(alphabet="[]{}=.,\"'#\n ab0-\\é\r", max_size=80).map(str.encode))
def test_any_bytes_are_read(data: bytes) -> None:
    config = parse(PLACE, data)
    lines = data.count(b"\n") + 1
    assert all(1 <= problem.line <= lines and str(problem).isprintable() for problem in config.problems)
    if config.data:
        assert set(places(config.text)) == paths(tomllib.loads(config.text)) - {()}


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("a.b.c = 1", ("a", "b", "c"), 1),
        ('\n[a."b c".d]\nx = 1', ("a", "b c", "d", "x"), 3),
        ('"\\u0061" = 1', ("a",), 1),
        ("a = '''\n[x]\nb = 1'''\nc = 2", ("c",), 4),
        ('a = """\\\n "" \\""""""\nc = 2', ("c",), 3),
        ("a = [ # ]\n 1,\n [2,\n 3]]\nb=1", ("a", 1, 1), 4),
        ("[[a]]\n[[a]]\nb = 1\n[[a.c]]\n[[a.c]]\nd = 1\n[a.e]\nf = 1", ("a", 1, "c", 1, "d"), 6),
        ("[[a]]\n[[a]]\n[a.e]\nf = 1", ("a", 1, "e", "f"), 4),
        ("a = { b = 1, c = { d = [ { e = 1 } ] } }", ("a", "c", "d", 0, "e"), 1),
        ("a = 1979-05-27 07:32:00 # x\nb = 1", ("b",), 2),
    ],
)
def test_the_line_of_a_key(text: str, path: tuple[str | int, ...], line: int) -> None:
    assert read(text).line(path) == line
    assert set(places(text)) == paths(tomllib.loads(text)) - {()}
