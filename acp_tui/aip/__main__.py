"""`python -m acp_tui.aip`: the bridge, an agent of ACP v2 on stdin and stdout, for any client."""

from __future__ import annotations

import asyncio
import signal
import sys
from importlib.util import find_spec

from acp_tui import __version__
from acp_tui.aip.asked import EXTRA, USAGE, Asked, Wrong, asked, known, wants_help


def main(argv: list[str] | None = None) -> int:
    """Serve one client; the exit status."""
    words = sys.argv[1:] if argv is None else argv
    if wants_help(words):
        sys.stdout.write(USAGE)
        return 0
    try:
        meant = asked(words, known())
    except Wrong as wrong:
        sys.stderr.write(f"acp-tui aip: {wrong}\n")
        return 2
    if find_spec("httpx") is None:
        sys.stderr.write(f"acp-tui aip: {EXTRA}\n")
        return 1
    if sys.stdin.isatty():
        sys.stderr.write("This is an agent: it waits for JSON-RPC on stdin. To use it: acp-tui aip …\n")
    try:
        asyncio.run(serve(meant))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


async def serve(meant: Asked, *, stdin: int = 0, stdout: int = 1) -> None:
    """Until the client goes."""
    from acp_tui.aip.bridge.behaviour import Bridge
    from acp_tui.aip.bridge.door import Door
    from acp_tui.aip.bridge.lanes import Lanes
    from acp_tui.aip.bridge.runtime import BridgeRuntime

    bridge = Bridge(Door(meant.settings, meant.name), __version__)
    await BridgeRuntime(bridge, Lanes(meant.settings), stdin=stdin, stdout=stdout).run()


if __name__ == "__main__":
    sys.exit(main())
