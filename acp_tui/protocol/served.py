"""What a v1 agent may ask of the machine its client runs on: files and terminals (V1-51 to V1-56)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from acp_tui.protocol.initialize import EnvVariable
from acp_tui.protocol.lenient import Lenient, Natural, NonEmpty, NullAsEmpty
from acp_tui.protocol.model import Model


class ReadTextFile(Model):
    """Parameters of `fs/read_text_file`: all of a file, or `limit` lines from `line` on, counted from 1."""

    session_id: str
    path: NonEmpty
    line: Lenient[Natural] = None
    limit: Lenient[Natural] = None


class WriteTextFile(Model):
    """Parameters of `fs/write_text_file`."""

    session_id: str
    path: NonEmpty
    content: str


class CreateTerminal(Model):
    """Parameters of `terminal/create`. Nothing of a command is forgiven: half of it is another command."""

    session_id: str
    command: NonEmpty
    args: NullAsEmpty[str] = Field(default_factory=list)
    env: NullAsEmpty[EnvVariable] = Field(default_factory=list)
    cwd: str | None = None
    output_byte_limit: Lenient[Natural] = None


class OfTerminal(Model):
    """Parameters of what is asked about one terminal."""

    session_id: str
    terminal_id: str


class AskOutput(OfTerminal):
    """`terminal/output`: what it printed so far."""


class AwaitExit(OfTerminal):
    """`terminal/wait_for_exit`."""


class KillTerminal(OfTerminal):
    """`terminal/kill`: it ends, and stays to be asked."""


class ReleaseTerminal(OfTerminal):
    """`terminal/release`: it ends, and its id with it."""


Wanted = (
    ReadTextFile | WriteTextFile | CreateTerminal | AskOutput | AwaitExit | KillTerminal | ReleaseTerminal
)
Service = Literal["read", "write", "terminals"]

SERVED: Mapping[str, tuple[Service, type[Model]]] = {
    "fs/read_text_file": ("read", ReadTextFile),
    "fs/write_text_file": ("write", WriteTextFile),
    "terminal/create": ("terminals", CreateTerminal),
    "terminal/output": ("terminals", AskOutput),
    "terminal/wait_for_exit": ("terminals", AwaitExit),
    "terminal/kill": ("terminals", KillTerminal),
    "terminal/release": ("terminals", ReleaseTerminal),
}
"""By method: which of the services it belongs to, and its parameters."""
