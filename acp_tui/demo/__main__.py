"""`python -m acp_tui.demo`: the demo agent on stdin and stdout."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys

from acp_tui import __version__
from acp_tui.agent_side.runtime import Runtime
from acp_tui.agent_side.turn import Pace
from acp_tui.demo.behaviour import Demo


def main(argv: list[str] | None = None) -> int:
    """Serve one client; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m acp_tui.demo", description="An ACP agent that shows what a client can do."
    )
    parser.add_argument(
        "--speed",
        type=float,
        default=os.environ.get("ACP_DEMO_SPEED", "1"),
        help="1 is lifelike, 2 twice as fast, 0 makes no pauses (default: $ACP_DEMO_SPEED, else 1)",
    )
    parser.add_argument("--login", action="store_true", help="pretend to log in, in a terminal, and end")
    asked = parser.parse_args(argv)
    speed: float = asked.speed
    if not speed >= 0:
        parser.error("--speed must be 0 or more")
    if asked.login:
        return login()
    if sys.stdin.isatty():
        sys.stderr.write("This is an agent: it waits for JSON-RPC on stdin. To see it, run: acp-tui demo\n")
    try:
        asyncio.run(Runtime(Demo(__version__), Pace(speed)).run())
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


def login() -> int:
    """The program of the terminal login; the exit status."""
    sys.stdout.write("The demo has your terminal now. Enter pretends to log in, Ctrl+C gives up. ")
    sys.stdout.flush()
    try:
        return 0 if sys.stdin.readline() else 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
