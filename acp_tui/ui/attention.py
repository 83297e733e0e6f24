"""Calls the user who looks elsewhere: a notification of the desktop, the bell, a mark in the window's title.

Called for: work that ended, a request that waits for an answer, an agent that died. Invariants: nobody is
called while he is there, unless he wants that, nor for what he did himself; a replay calls nobody; never more
than one call in `PACE` seconds; every word of an agent is cleaned before it reaches the terminal (SF-01).
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

from acp_tui.agent.failures import stopped
from acp_tui.client.effects import Ask, Completed, Effect
from acp_tui.client.queue import working
from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.store.entities import AgentRequest, Turn
from acp_tui.store.store import CONNECTION
from acp_tui.ui import unofficial
from acp_tui.ui.terminal.brightness import MUTE
from acp_tui.ui.terminal.driver import TerminalDriver

if TYPE_CHECKING:
    from acp_tui.ui.calling import Calling
    from acp_tui.ui.conversation import Link

PACE = 5.0
"""Seconds between two calls; what comes meanwhile is one call."""
HERE = 2.0
"""Seconds after a key or click in which the user is surely there."""
DONE, WAITS, DIED = "✓", "‖", "✗"
_WEIGHT = (DONE, DIED, WAITS)
"""What is more important stays in the title."""
BELL = "\x07"
_END = "\x1b\\"

_BY_777 = ("rxvt", "foot", "ghostty", "xterm-ghostty", "wezterm")


def notification(environ: Mapping[str, str], title: str, body: str) -> str:
    """What makes this terminal show a notification; nothing for one that would print it. Through tmux, which
    must allow that (`allow-passthrough`).
    """
    title, body = one_line(title, 80), one_line(body, 200)
    kind = _kind(environ)
    if kind == "99":
        found = [f"\x1b]99;i=acp-tui:d=0:e=1;{_encoded(title)}{_END}"]
        found.append(f"\x1b]99;i=acp-tui:p=body:e=1;{_encoded(body or title)}{_END}")
    elif kind == "777":
        found = [f"\x1b]777;notify;{title.replace(';', ',')};{body.replace(';', ',')}{_END}"]
    elif kind == "9":  # a number first would be an order to Windows' terminals
        found = [f"\x1b]9;acp-tui: {title}{': ' if body else ''}{body}{_END}"]
    else:
        found = []
    return "".join(_through_tmux(one) if "TMUX" in environ else one for one in found)


def _kind(environ: Mapping[str, str]) -> str:
    """Which of the three ways the terminal knows, as far as its variables tell."""
    term, name = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "").lower()
    if term in MUTE or ("STY" in environ and "TMUX" not in environ):
        return ""
    if "KITTY_WINDOW_ID" in environ or "kitty" in term:
        return "99"
    if name in ("ghostty", "wezterm") or term.startswith(_BY_777):
        return "777"
    if {"VTE_VERSION", "KONSOLE_VERSION", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR"} & environ.keys():
        return "777"
    return "9"


def _encoded(text: str) -> str:
    return b64encode(text.encode(errors="replace")).decode()


def _through_tmux(sequence: str) -> str:
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + _END


@dataclass(frozen=True, slots=True)
class News:
    """One thing to call for."""

    mark: str
    title: str
    body: str
    still: Callable[[], bool]
    """It is still so."""


class Attention:
    """The one who calls."""

    def __init__(self, app: Calling) -> None:
        self._app = app
        self._name = ""
        self._mark = ""
        self._news: list[News] = []
        self._called_at = float("-inf")
        self._due = False
        self._alive: dict[Link, int] = {}
        """The generation of each agent that is or was last seen alive."""
        app.watch(app, "app_focus", self._looked, init=False)

    # The title

    def name(self, name: str) -> None:
        """What the terminal is called, but for the mark."""
        self._name = name
        self._show_name()

    def _show_name(self) -> None:
        driver = unofficial.driver(self._app)
        if isinstance(driver, TerminalDriver):
            driver.show_title(f"{self._mark} {self._name}" if self._mark else self._name)

    # What happens

    def hear(self, link: Link, effect: Effect) -> None:
        """An effect of the machine."""
        match effect:
            case Completed():
                self._completed(link, effect)
            case Ask():
                self._asked(link, effect)

    def follow(self, link: Link) -> None:
        """Hear of its death."""
        if link not in self._alive:
            self._alive[link] = 0
            link.store.watch(lambda _: self._connected(link), keys=[CONNECTION])

    def _completed(self, link: Link, effect: Completed) -> None:
        session, turn = link.store.sessions.get(effect.ref), link.store.entity(effect.turn)
        if session is None or not isinstance(turn, Turn) or session.replaying:
            return
        if turn.cancel_asked_at is not None or working(session):  # his own doing; or more of it goes on
            return
        good = turn.stop_reason == "end_turn"
        said = "is done" if good else words.stop_reason(turn.stop_reason)
        self._call(
            News(DONE if good else DIED, self._who(link, said), link.store.title(session.ref), lambda: True)
        )

    def _asked(self, link: Link, effect: Ask) -> None:
        store = link.store

        def waits() -> bool:
            return effect.request in store.requests

        request = store.entity(effect.request)
        if isinstance(request, AgentRequest) and waits():
            asked = getattr(request.params, "title", None) or getattr(request.params, "message", None) or ""
            self._call(News(WAITS, self._who(link, "waits for you"), str(asked), waits))

    def _connected(self, link: Link) -> None:
        connection = link.store.connection
        if connection.phase == "ready":
            self._alive[link] = connection.generation
        elif connection.phase in ("lost", "failed") and self._alive[link] != -connection.generation:
            self._alive[link] = -connection.generation
            if connection.failure != stopped():
                self._call(News(DIED, self._who(link, "is gone"), connection.failure, lambda: True))

    @staticmethod
    def _who(link: Link, said: str) -> str:
        return f"{one_line(link.store.connection.agent_name, 40)} {said}"

    # Calling

    def _away(self) -> bool:
        """He looks elsewhere; or may be called anyway, and has pressed no key just now."""
        if not self._app.app_focus:
            return True
        wants = not self._app.settings.attention.only_unfocused
        return wants and monotonic() - TerminalDriver.heard_at >= HERE

    def _looked(self, focus: bool) -> None:
        """He is here, or gone."""
        if focus:
            self._news.clear()
            self._mark = ""
            self._show_name()

    def _call(self, news: News) -> None:
        if not self._away():
            return
        self._news.append(news)
        if not self._due:
            self._due = True
            wait = self._called_at + PACE - monotonic()
            if wait > 0:
                self._app.set_timer(wait, self._ring)
            else:
                self._ring()

    def _ring(self) -> None:
        self._due = False
        news, self._news = [one for one in self._news if one.still()], []
        driver = unofficial.driver(self._app)
        if not news or not self._away() or not isinstance(driver, TerminalDriver) or self._app.lent:
            return
        self._called_at = monotonic()
        wanted = self._app.settings.attention
        last = max(news, key=lambda one: _WEIGHT.index(one.mark))
        if wanted.title and not self._app.app_focus:
            self._mark = max(last.mark, self._mark or last.mark, key=_WEIGHT.index)
            self._show_name()
        more = f" (and {words.count(len(news) - 1, 'more thing')})" if len(news) > 1 else ""
        if wanted.notify:
            driver.write(notification(os.environ, last.title + more, last.body))
        if wanted.bell:
            driver.write(BELL)
