"""The saved session that a headless run goes on with: read, claimed, its agent started.

Invariants: what is in the way is one line and nothing was started; one that another acp-tui has open is left
to that.
"""

from __future__ import annotations

from anyio import to_thread

from acp_tui.base.lock import Owner
from acp_tui.commands.headless.outcome import Outcome, Status
from acp_tui.commands.headless.wanted import Wanted
from acp_tui.journal.library import Library
from acp_tui.ui.arriving import arrive, reader
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.host import Host


async def come_back(host: Host, wanted: Wanted) -> Conversation | Outcome:
    """The conversation, whose agent is being started and asked for it; or why there is none."""
    library = Library()
    read = reader(host, library, wanted.resume)
    try:
        await to_thread.run_sync(read.load, abandon_on_cancel=True)
        found = await arrive(host, read, wanted.command, wanted.elsewhere, replay=wanted.replay)
    except (LookupError, OSError) as error:
        said = str(error.args[0]) if isinstance(error, LookupError) else error.strerror or str(error)
        return Outcome(Status.REFUSED, f"the session {wanted.resume} cannot be read: {said}")
    if isinstance(found, Conversation):
        return found
    if isinstance(found, Owner):
        return Outcome(Status.REFUSED, f"the session is open in another acp-tui, pid {found.pid}")
    said = " ".join(f"{one.rstrip('.')}." for one in found.trouble)
    return Outcome(Status.REFUSED, f"{said} --cwd FOLDER and a command after -- say otherwise")
