"""acp-tui with a mistake in it: `breaking.py WHERE ARGUMENT...` runs it until that mistake is come upon."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from acp_tui import cli


def fail(*_: Any, **__: Any) -> Any:
    secret_value = "hidden in a variable"
    raise RuntimeError(f"a planted mistake, token=sesame12345 {len(secret_value)}")


def in_a_key() -> None:
    from acp_tui.ui.screens.chat import ChatScreen

    ChatScreen.action_plan = fail


def in_a_frame() -> None:
    from acp_tui.ui.widgets.header import Header

    Header.render = fail


def in_a_watcher() -> None:
    from acp_tui.store.store import Store

    flush = Store.flush
    Store.flush = lambda self: fail() if self.sessions and self.connection.ready_at else flush(self)


def in_the_agents_task() -> None:
    from acp_tui.agent.chores import Saver

    Saver._sync = fail


def in_the_input_thread() -> None:
    from acp_tui.ui.terminal.brightness import Late

    Late.feed = fail


def in_the_loop() -> None:
    from acp_tui.ui.app import AcpApp

    AcpApp.action_help = lambda self: self.call_later(asyncio.get_running_loop().call_soon, fail)


def in_the_start() -> None:
    from acp_tui.ui.start import Run

    Run.run_app = fail


MISTAKES = (
    in_a_key,
    in_a_frame,
    in_a_watcher,
    in_the_agents_task,
    in_the_input_thread,
    in_the_loop,
    in_the_start,
)

if __name__ == "__main__":
    {mistake.__name__: mistake for mistake in MISTAKES}[sys.argv.pop(1)]()
    sys.exit(cli.main())
