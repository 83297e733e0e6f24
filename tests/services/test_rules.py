"""The user's own rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.base.config import Rule
from acp_tui.client.intents import OpenSession
from acp_tui.services.rules import Verdict, judge, words
from tests.client.talk import Talk, answers

ONCE = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
    {"optionId": "never", "name": "Never", "kind": "reject_always"},
]


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    talk = Talk()
    talk.start()
    (tmp_path / "sub").mkdir()
    talk.want(OpenSession("a", str(tmp_path)))
    talk.reply("session/new", {"sessionId": "A"})
    return talk


def ask(talk: Talk, subject: dict[str, Any] | None, options: list[dict[str, str]] = ONCE) -> None:
    talk.ask(1, options=options, **({"subject": subject} if subject is not None else {}))


def command(talk: Talk, line: str) -> None:
    ask(talk, {"type": "command", "command": line, "cwd": talk.store.sessions["a"].cwd})


def call(talk: Talk, kind: str, *paths: str, **fields: Any) -> None:
    places = [{"path": path} for path in paths]
    ask(
        talk,
        {"type": "tool_call", "toolCall": {"toolCallId": "c", "kind": kind, "locations": places, **fields}},
    )


def verdict(talk: Talk, *rules: Rule, agents: tuple[str, ...] = ("Paper",)) -> Verdict | None:
    [request] = talk.store.waiting()
    return judge(rules, talk.store, request, agents)


def chosen(talk: Talk, *rules: Rule) -> str | None:
    found = verdict(talk, *rules)
    return found.option.option_id if found is not None else None


def test_without_rules_nothing_is_answered(talk: Talk) -> None:
    command(talk, "ls")
    assert chosen(talk) is None


def test_the_first_that_fits_answers_and_says_which_it_was(talk: Talk) -> None:
    command(talk, "git status")
    reject, allow = Rule("reject", command="git push*"), Rule("allow", command="git *")
    found = verdict(talk, reject, allow)
    assert found is not None
    assert found.rule is allow
    assert answers(talk.want(found.answer)) == {1: {"outcome": {"outcome": "selected", "optionId": "yes"}}}
    [asked] = talk.client.requests
    assert (asked.answered_by, asked.answered_why) == ("rule", "allow command git *")


@pytest.mark.parametrize("kinds", [(), ("allow_always",), ("allow_once", "allow_once"), ("_odd",)])
def test_only_what_is_offered_once_and_for_once(talk: Talk, kinds: tuple[str, ...]) -> None:
    options = [
        {"optionId": f"o{n}", "name": "n", "kind": kind} for n, kind in enumerate((*kinds, "reject_once"))
    ]
    ask(talk, {"type": "command", "command": "ls", "cwd": talk.store.sessions["a"].cwd}, options)
    assert chosen(talk, Rule("allow", command="ls")) is None


@pytest.mark.parametrize(
    ("line", "pattern", "allowed"),
    [
        ("git status", "git *", True),
        ("git status; rm -rf /", "git *", False),
        ("git log $(rm x)", "git *", False),
        ("git log > x", "git *", False),
        ("git push --force", "git *", False),
        ("git push --force", "git push --force", True),
        ("git log | sh", "git *", False),
        ("git log\nrm x", "git *", False),
        ("git 'log", "git *", False),
        ("ls", "git *", False),
        ("digit x", "git *", False),
    ],
)
def test_a_pattern_allows_one_simple_command_without_a_mark(
    talk: Talk, line: str, pattern: str, allowed: bool
) -> None:
    command(talk, line)
    assert (chosen(talk, Rule("allow", command=pattern)) == "yes") is allowed


def test_a_pattern_rejects_whatever_fits(talk: Talk) -> None:
    command(talk, "git status; git push --force")
    assert chosen(talk, Rule("reject", command="*git push*")) == "no"


@pytest.mark.parametrize(
    ("kind", "paths", "allowed"),
    [
        ("edit", ("a.py", "sub/b.py"), True),
        ("edit", ("a.py", "../b.py"), False),
        ("edit", ("/etc/passwd",), False),
        ("edit", ("link/x",), False),
        ("edit", (), False),
        ("read", ("a.py",), False),
    ],
)
def test_a_kind_is_allowed_inside_the_folders(
    talk: Talk, tmp_path: Path, kind: str, paths: tuple[str, ...], allowed: bool
) -> None:
    (tmp_path / "link").symlink_to("/etc")
    call(talk, kind, *paths)
    assert (chosen(talk, Rule("allow", kind="edit")) == "yes") is allowed


def test_a_folder_narrows_what_is_allowed(talk: Talk, tmp_path: Path) -> None:
    call(talk, "edit", "a.py")
    assert chosen(talk, Rule("allow", kind="edit", folder=str(tmp_path / "sub"))) is None
    assert chosen(talk, Rule("reject", folder=str(tmp_path))) == "no"
    assert chosen(talk, Rule("reject", folder="/nowhere")) is None
    assert chosen(talk, Rule("allow", kind="edit", folder=str(tmp_path))) == "yes"


def test_diffs_count_and_what_nobody_knows_is_asked(talk: Talk) -> None:
    inside = {"operation": "modify", "path": "a.py"}
    moved = {"operation": "move", "oldPath": "/etc/a", "path": "a"}
    call(talk, "edit", content=[{"type": "diff", "changes": [inside, moved]}])
    assert chosen(talk, Rule("allow", kind="edit")) is None
    talk.want(verdict(talk, Rule("reject", kind="edit")).answer)  # type: ignore[union-attr]
    call(talk, "edit", content=[{"type": "diff", "changes": [inside, {"operation": "_odd"}]}])
    assert chosen(talk, Rule("allow", kind="edit")) is None


@pytest.mark.parametrize("raw", [{"command": "git status"}, {"cmd": ["git", "status"]}])
def test_the_command_of_a_call_is_the_one_in_its_input(talk: Talk, raw: dict[str, Any]) -> None:
    call(talk, "execute", rawInput=raw, title="rm -rf /")
    assert chosen(talk, Rule("allow", command="git *")) == "yes"


def test_a_title_is_no_command(talk: Talk) -> None:
    call(talk, "execute", title="git status")
    assert chosen(talk, Rule("allow", command="git *"), Rule("allow", kind="execute")) is None


def test_a_rule_may_be_for_one_agent(talk: Talk) -> None:
    command(talk, "ls")
    assert verdict(talk, Rule("reject", agent="pap*")) is not None
    assert verdict(talk, Rule("reject", agent="other")) is None


@pytest.mark.parametrize("subject", [None, {"type": "_odd"}])
def test_what_has_no_known_subject_is_never_allowed(talk: Talk, subject: dict[str, Any] | None) -> None:
    ask(talk, subject)
    assert chosen(talk, Rule("allow", command="*"), Rule("allow", kind="*")) is None
    assert chosen(talk, Rule("reject")) == "no"


def test_forms_are_for_the_user(talk: Talk) -> None:
    form = {"type": "object", "properties": {}}
    params = {"sessionId": "A", "mode": "form", "message": "m", "requestedSchema": form}
    talk.hear({"id": 1, "method": "elicitation/create", "params": params})
    assert chosen(talk, Rule("reject")) is None


def test_a_rule_in_words() -> None:
    assert words(Rule("allow", agent="a", folder="~/x", kind="edit")) == "allow kind edit in ~/x for a"
