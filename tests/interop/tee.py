"""Stands between a client and an agent and keeps every line: `python tee.py FILE COMMAND…`.

Records are lines of a trace, `{"dir": ">" | "<", "msg": …}` or `"raw"` for what is no JSON, in the order in
which they passed. What one side closes is closed for the other; the exit status is the agent's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import IO, Any


def main(path: str, command: list[str]) -> int:
    agent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert agent.stdin is not None
    assert agent.stdout is not None
    lock = threading.Lock()
    with open(path, "a", encoding="utf-8") as record:

        def carry(direction: str, source: IO[bytes], target: IO[bytes]) -> None:
            for line in source:
                with lock:
                    record.write(json.dumps({"dir": direction, **_said(line)}) + "\n")
                    record.flush()
                try:
                    target.write(line)
                    target.flush()
                except OSError:
                    break
            with suppress(OSError):
                target.close()

        threading.Thread(target=carry, args=(">", sys.stdin.buffer, agent.stdin), daemon=True).start()
        carry("<", agent.stdout, sys.stdout.buffer)
        return agent.wait()


def _said(line: bytes) -> dict[str, Any]:
    try:
        return {"msg": json.loads(line)}
    except ValueError:
        return {"raw": line.decode(errors="replace").rstrip("\n")}


if __name__ == "__main__":
    status = main(sys.argv[1], sys.argv[2:])
    os._exit(status if status >= 0 else 128 - status)  # the thread may still wait for our stdin
