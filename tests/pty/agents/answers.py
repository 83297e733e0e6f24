"""An agent that answers `initialize` with the result it was given as JSON, and nothing else ever."""

from __future__ import annotations

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": json.loads(sys.argv[1])}
        print(json.dumps(answer), flush=True)
