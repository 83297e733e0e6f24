"""Terminals of the agent, for display only (TM)."""

from typing import Annotated, Literal

from pydantic import Field

from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.lenient import Controls, Int, Lenient, Patch, Positive
from acp_tui.protocol.model import Model, Upsert


class TerminalOutput(Model):
    """A snapshot: the complete bytes from now on, in base64 (TM-04)."""

    data: str


class TerminalExitStatus(Model):
    """How the process ended; even an empty one says that it did (TM-09)."""

    exit_code: Lenient[Int] = None
    signal: Lenient[str] = None


class TerminalSize(Model):
    """Columns and rows (TM-11)."""

    cols: Annotated[Positive, Field(le=65535)]
    rows: Annotated[Positive, Field(le=65535)]


class TerminalCancelCapabilities(Model):
    """`terminal/cancel` may be sent (TM-12)."""


class TerminalCapabilities(Model):
    """What may be asked of a terminal now; replaced whole."""

    cancel: Lenient[TerminalCancelCapabilities] = None


class TerminalUpdate(Upsert):
    """Upsert of a terminal (TM-01)."""

    session_update: Literal["terminal_update"] = "terminal_update"
    terminal_id: str
    command: Patch[str] = ABSENT
    cwd: Patch[str] = ABSENT
    output: Patch[TerminalOutput] = ABSENT
    exit_status: Patch[TerminalExitStatus] = ABSENT
    size: Patch[TerminalSize] = ABSENT
    capabilities: Controls[TerminalCapabilities] = ABSENT


class TerminalOutputChunk(Model):
    """Bytes to append; each chunk is base64 of its own (TM-05)."""

    session_update: Literal["terminal_output_chunk"] = "terminal_output_chunk"
    terminal_id: str
    data: str
