"""Writes records as fast as it can and tells on stdout which are in the file: to be killed at any moment."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

from acp_tui.journal.log import Header, Journal

header = Header(generation=1, command=("agent",), cwd="/", started=0.0, pid=os.getpid(), version="0")
journal = Journal(Path(sys.argv[1]), header)
for number in itertools.count():
    burst = [("s", {"n": number, "part": part, "text": "x" * (number % 3000)}) for part in range(3)]
    journal.append("<", burst, float(number))
    os.write(1, b"%d\n" % number)
