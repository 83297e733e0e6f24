"""The user's own rules for permission requests: which of them answers, and with what.

Invariants: without a rule in the settings nothing is ever answered; only an option that the agent offers is
chosen, and only one that holds for this once; where two fit, the user is asked. A rule that allows is read
narrowly, one that rejects widely: allowing asks for paths inside the rule's folder (the session's folders if
it names none), and for a command that was understood as one simple command without a marked risk, unless the
rule spells it out. What cannot be judged is asked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from acp_tui.base.config import Rule
from acp_tui.client.intents import AnswerPermission
from acp_tui.protocol.permission import PermissionOption, RequestPermissionRequest
from acp_tui.services import risks
from acp_tui.services.asked import Asked, about
from acp_tui.services.mentions import within
from acp_tui.services.shell import parse
from acp_tui.store.entities import AgentRequest
from acp_tui.store.store import Store

_WITH_PATHS = frozenset({"read", "edit", "delete", "move"})
"""Kinds that cannot be judged without knowing what they touch."""
_KINDS = {"allow": "allow_once", "reject": "reject_once"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer, and the rule that gave it."""

    option: PermissionOption
    rule: Rule
    answer: AnswerPermission
    """Give this to the agent: it says itself that a rule decided, and which."""


def judge(
    rules: Iterable[Rule], store: Store, request: AgentRequest, agents: tuple[str, ...]
) -> Verdict | None:
    """The first rule that fits answers; None: the user is asked. `agents` are the names the agent goes by."""
    session = store.sessions.get(request.key.session)
    if (
        not isinstance(request.params, RequestPermissionRequest)
        or session is None
        or request.status != "pending"
    ):
        return None
    asked = about(store, request) or Asked("", None, session.cwd, ())
    roots = (session.cwd, *session.additional_directories)
    for rule in rules:
        if _fits(rule, asked, agents, roots):
            return _verdict(rule, request)
    return None


def words(rule: Rule) -> str:
    """A rule in one line, for the log and the toast."""
    parts = (
        ("kind", rule.kind),
        ("command", rule.command),
        ("in", rule.folder),
        ("for", rule.agent),
    )
    return " ".join([rule.answer, *(f"{name} {value}" for name, value in parts if value)])


def _verdict(rule: Rule, request: AgentRequest) -> Verdict | None:
    offered = [option for option in request.params.options if option.kind == _KINDS[rule.answer]]
    if len(offered) != 1:
        return None
    answer = AnswerPermission(request.key, offered[0].option_id, by="rule", why=words(rule))
    return Verdict(offered[0], rule, answer)


def _fits(rule: Rule, asked: Asked, agents: tuple[str, ...], roots: tuple[str, ...]) -> bool:
    if rule.agent and not any(fnmatchcase(name.lower(), rule.agent.lower()) for name in agents):
        return False
    if rule.kind and not fnmatchcase(asked.kind, rule.kind):
        return False
    if rule.command and not (asked.command and _like(rule.command, asked.command)):
        return False
    if rule.answer == "reject":
        return not rule.folder or _any_below(rule.folder, asked)
    return _may_allow(rule, asked, roots)


def _like(pattern: str, command: str) -> bool:
    """The whole line; `*` stands for anything, `?` for one character."""
    made = re.escape(pattern.strip()).replace(r"\*", ".*").replace(r"\?", ".")
    return re.fullmatch(made, command.strip(), re.DOTALL) is not None


def _any_below(folder: str, asked: Asked) -> bool:
    root = (os.path.realpath(os.path.expanduser(folder)),)
    return any(within(os.path.join(asked.cwd, path), root) for path in ("", *asked.paths))


def _may_allow(rule: Rule, asked: Asked, roots: tuple[str, ...]) -> bool:
    folders = (rule.folder,) if rule.folder else roots
    real = tuple(os.path.realpath(os.path.expanduser(folder)) for folder in folders)
    if not all(within(os.path.join(asked.cwd, path), real) for path in ("", *asked.paths)):
        return False
    if not asked.whole or (asked.kind in _WITH_PATHS and not asked.paths):
        return False
    if asked.command is None:
        return asked.kind not in ("execute", "")
    spelt_out = bool(rule.command) and not re.search(r"[*?]", rule.command)
    return spelt_out or _harmless_looking(asked.command, asked.cwd, real)


def _harmless_looking(command: str, cwd: str, roots: tuple[str, ...]) -> bool:
    """One simple command, nothing written by redirection, nothing marked, nothing left unclear."""
    script = parse(command)
    looked = risks.look(command, cwd, roots)
    simple = len(script.commands) == 1 and not script.commands[0].writes
    return (
        simple
        and looked.understood
        and not looked.found
        and all(w.inner == () for w in script.commands[0].words)
    )
