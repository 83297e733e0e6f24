"""The agent wants a login: in its own words, the ways it offers, and what each of them does.

Invariants: nothing begins by itself, and one login at a time; while one is under way the screen says which
and since when, and steps aside for what the agent asks meanwhile (AU-13); a secret is never asked for here.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.client.intents import CancelLogin, Login
from acp_tui.client.queue import waiting
from acp_tui.protocol.initialize import AuthMethod, AuthMethodAgent, AuthMethodTerminal
from acp_tui.protocol.unknown import Unknown
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line
from acp_tui.store.connection import Connection
from acp_tui.store.keys import Key
from acp_tui.store.store import CONNECTION, REQUESTS
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed

LONGEST = 600
"""Characters of what the agent says, and of a description."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to log in."""

    name: str
    what: tuple[str, ...]
    method: str = ""
    """What `Login` is told; empty: it is not done from here."""


def ways(connection: Connection, env: Mapping[str, str]) -> list[Way]:
    """Those the agent offers, in its order (AU-02 to AU-07)."""
    return [_way(method, env) for method in connection.auth_methods]


def _way(method: AuthMethod | Unknown, env: Mapping[str, str]) -> Way:
    match method:
        case AuthMethodAgent():
            how = "The agent does it itself; it may open a page in your browser."
        case AuthMethodTerminal():
            how = "In this terminal: the agent's own program takes it, and gives it back when it ends."
            added = shlex.join(method.args)
            how += f" It is started with: {one_line(added, 120)}" if added else ""
        case Unknown():
            return _unknown(method.raw, env)
    said = clean(method.description or "")[:LONGEST].strip()
    return Way(one_line(method.name, 80), (said, how) if said else (how,), method.method_id)


def _unknown(raw: Mapping[str, Any], env: Mapping[str, str]) -> Way:
    """A kind that is not done from here; variables of the environment are known by their names."""
    name = one_line(str(raw.get("name", "A way without a name")), 80)
    description = raw.get("description")
    said = (clean(description)[:LONGEST].strip(),) if isinstance(description, str) and description else ()
    variables = list(dict.fromkeys(_variables(raw)))
    if not variables:
        kind = one_line(str(raw.get("type", "unknown")), 40)
        return Way(name, (*said, f"Of a kind that acp-tui does not know: {kind}."))
    stand = [f"{one_line(one, 60)} ({'set' if env.get(one) else 'not set'} now)" for one in variables]
    how = (
        f"By the environment: {', '.join(stand)}. Quit, set it in your shell, and start acp-tui again. "
        "acp-tui never asks for it and never keeps it."
    )
    return Way(name, (*said, how))


def _variables(raw: Mapping[str, Any]) -> Iterator[str]:
    """Names of variables, in the shapes that agents use."""
    for field in ("varName", "envVar", "variable"):
        if isinstance(raw.get(field), str):
            yield raw[field]
    many = raw.get("vars")
    for one in many if isinstance(many, list) else ():
        found = one.get("name") if isinstance(one, dict) else one
        if isinstance(found, str):
            yield found


class LoginScreen(Bound, ModalScreen[None]):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("login")

    def __init__(self, conversation: Conversation) -> None:
        super().__init__()
        self.conversation = conversation
        self.ways: list[Way] = []
        self.began = 0.0

    @property
    def connection(self) -> Connection:
        """What is known of the agent."""
        return self.conversation.store.connection

    def compose(self) -> ComposeResult:
        with Vertical(classes="list-box"):
            yield Static(self._title(), classes="list-title", markup=False)
            yield Static("", id="login-reason", markup=False)
            yield Listed(id="login-list", classes="list-rows", markup=False)
            yield Static("", id="login-way", markup=False)
            yield Static("", id="login-waiting", markup=False)
            yield Static("", id="login-keys", classes="list-keys")

    def _title(self) -> str:
        name = one_line(self.connection.agent_name, 60)
        return f"{name} wants a login" if self.connection.auth_required else f"Logging in to {name}"

    def on_mount(self) -> None:
        """The ways, and what comes of them."""
        self.clock = self.set_interval(1.0, self.say, pause=True)
        self.ways = ways(self.connection, self.conversation.env)
        listed = self.query_one(OptionList)
        listed.add_options([Option(one.name) for one in self.ways])
        listed.display = bool(self.ways)
        listed.highlighted = (
            next((i for i, one in enumerate(self.ways) if one.method), 0) if self.ways else None
        )
        listed.focus()
        self.asked_before = self.connection.auth_required
        self.follow(self.conversation.store, self.changed, keys=[CONNECTION, REQUESTS])
        self.say()

    def changed(self, _: frozenset[Key]) -> None:
        """It went well, it went wrong, or something is asked."""
        connection = self.connection
        if self.conversation.store.requests or connection.phase != "ready":
            self.dismiss(None)
        elif self.asked_before and not connection.auth_required:
            self.post_message(Told("Logged in"))
            self.dismiss(None)
        else:
            self.asked_before = connection.auth_required
            self.say()

    def say(self) -> None:
        """What the agent says, what waits, what goes on."""
        connection = self.connection
        (self.clock.resume if connection.login else self.clock.pause)()
        self.query_one("#login-reason", Static).update("\n".join(self._reasons()))
        waiting = self.query_one("#login-waiting", Static)
        waiting.update(self._waiting())
        waiting.display = bool(connection.login)
        self._explain()
        hints = [("login.close", "give it up")] if connection.login else [("login.close", "later")]
        if not connection.login and any(one.method for one in self.ways):
            hints.insert(0, ("list.choose", "log in"))
        self.query_one("#login-keys", Static).update(hint_line(hints))

    def _reasons(self) -> list[str]:
        connection = self.connection
        said = clean(connection.auth_reason)[:LONGEST].strip()
        lines = [f"It says: {said}"] if said else []
        if connection.login_failed:
            lines.append(f"The last login failed: {clean(connection.login_failed)[:LONGEST].strip()}")
        if not self.ways:
            command = one_line(shlex.join(connection.command), 200)
            lines.append(f"It offers no way to log in from here. Log in with its own program ({command}),")
            lines.append(f"then {keys.hint('chat.restart')} asks it again.")
        session = self.conversation.session
        kept = len(waiting(session)) if session is not None else 0
        if kept:
            lines.append(f"What waits for it is kept: {words.count(kept, 'prompt')}.")
        return lines

    def _waiting(self) -> str:
        connection = self.connection
        if not connection.login:
            return ""
        since = words.running(self.conversation.now() - (connection.login_at or 0.0))
        name = next((one.name for one in self.ways if one.method == connection.login), connection.login)
        return f"\n◐ logging in with {one_line(name, 60)} {since}".rstrip()

    def _explain(self) -> None:
        index = self.query_one(OptionList).highlighted
        lines = self.ways[index].what if index is not None and index < len(self.ways) else ()
        self.query_one("#login-way", Static).update(Content("\n" + "\n".join(lines)) if lines else "")

    def on_option_list_option_highlighted(self) -> None:
        """What that way does."""
        self._explain()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begin."""
        event.stop()
        way = self.ways[event.option_index]
        if self.connection.login:
            self.post_message(Told("A login is under way already"))
        elif way.method:
            self.conversation.do(Login(way.method))
        else:
            self.post_message(Told("This is not done from here"))

    def action_close(self) -> None:
        """Give up what is under way; asked a second time, or with nothing under way, back."""
        connection = self.connection
        if connection.login and self.began != connection.login_at:
            self.began = connection.login_at or 0.0
            self.conversation.do(CancelLogin())
        else:
            self.dismiss(None)
