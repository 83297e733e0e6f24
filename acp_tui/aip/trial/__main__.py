"""`python -m acp_tui.aip.trial`: a gateway on this machine, to try `acp-tui aip` out."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from importlib.util import find_spec

from acp_tui.aip.asked import EXTRA

PORT = 8480
TOKEN_ENV = "ACP_TUI_TRIAL_TOKEN"


def main(argv: list[str] | None = None) -> int:
    """Serve until it is ended; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m acp_tui.aip.trial",
        description="A small gateway for trying out acp-tui aip; it listens on 127.0.0.1 only.",
        epilog=f"With the variable {TOKEN_ENV} set, that token is needed.",
    )
    parser.add_argument("--port", type=int, default=PORT, help=f"default {PORT}; 0 takes any that is free")
    parser.add_argument("--step", type=float, default=0.7, help="seconds between two steps (default 0.7)")
    asked = parser.parse_args(argv)
    if find_spec("h11") is None:
        sys.stderr.write(f"acp_tui.aip.trial: {EXTRA}\n")
        return 1
    try:
        asyncio.run(serve(asked.port, asked.step, os.environ.get(TOKEN_ENV, "")))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except OSError as error:
        sys.stderr.write(f"no gateway on port {asked.port}: {error.strerror}\n")
        return 1
    return 0


async def serve(port: int, step: float, token: str) -> None:
    """Until it is cancelled, or told to end by SIGTERM."""
    from acp_tui.aip.trial.alone import Alone
    from acp_tui.aip.trial.server import Server

    gateway = Alone(token, step)
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    try:
        async with Server(gateway, port) as server:
            said = f"A gateway to try out: {server.url}\nIn another terminal: acp-tui aip {server.url}\n"
            sys.stdout.write(said)
            sys.stdout.flush()
            await ended.wait()
    finally:
        await gateway.stop()


if __name__ == "__main__":
    sys.exit(main())
