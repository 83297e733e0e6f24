"""Carries one action from its submission to its end: the one task that each open tool call has.

    submit ─▶ follow ─▶ over            settled, or terminal without a result
       │         └────▶ parked          not visible, not allowed: looked at again when somebody wants it
       └─▶ uncertain ─▶ asked once, then parked: look again, send again (never by itself), or leave it

Invariants: nothing is submitted twice but by `send_again`; questions go away when what they ask about does;
a task that is cancelled leaves the action to the gateway.
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from contextlib import suppress
from functools import partial
from typing import Any, Final

from acp_tui.agent_side.session import Job
from acp_tui.agent_side.wire import Fault, Json
from acp_tui.aip.bridge import facts
from acp_tui.aip.bridge.door import Door
from acp_tui.aip.bridge.faults import fault
from acp_tui.aip.bridge.row import OTHERS, Row
from acp_tui.aip.core.ids import BadId
from acp_tui.aip.core.lifecycle import Cancel, Presence
from acp_tui.aip.core.vocabulary import Approval
from acp_tui.aip.core.words import Decision, Mode
from acp_tui.aip.gateway.errors import GatewayError
from acp_tui.aip.gateway.told import End, Ended

PATIENCE: Final = 3.0
"""Seconds at the end for what was asked just before."""
LOOK, AGAIN, LEAVE = "look", "again", "leave"
_LOOK: Final[Json] = {"optionId": LOOK, "name": "Look again", "kind": "_look_again"}
_AGAIN: Final[Json] = {"optionId": AGAIN, "name": "Send again (same id, same key)", "kind": "_send_again"}
_LEAVE: Final[Json] = {"optionId": LEAVE, "name": "Leave it as it is", "kind": "reject_once"}
OPTIONS: Final = (_LOOK, _AGAIN, _LEAVE)
"""What can be done about an unknown outcome; the second only where the contract allows it."""
_DECISIONS: Final[list[Json]] = [
    {"optionId": Decision.APPROVED.value, "name": "Approve", "kind": "allow_once"},
    {"optionId": Decision.DENIED.value, "name": "Deny", "kind": "reject_once"},
]
_ENDS: Final = {
    End.HIDDEN: facts.HIDDEN,
    End.UNAUTHORIZED: "the gateway does not know who we are",
    End.FORBIDDEN: "the gateway does not allow us to look",
    End.REFUSED: "the gateway refuses the read",
}


class Carrier:
    """Of all rows of one connection."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, row: Row, *, submit: Mode | None = None, aip_session: str | None = None) -> Job:
        """Carry a row; with `submit` its action is submitted first. The job is in no session yet."""
        task = asyncio.create_task(self._carry(row, submit, aip_session))
        return Job(task, row.id, on_cancel=lambda: self.spawn(self.cancel(row)), outlives=True)

    def spawn(self, work: Any) -> None:
        """Something short that nobody waits for."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        """Wait a moment for what was begun, a cancel above all."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=PATIENCE)

    async def cancel(self, row: Row, reason: str = "") -> str:
        """Ask the gateway to cancel, once; what to say about it."""
        gateway = await self._door.open()
        asked = asyncio.ensure_future(gateway.cancel(row.id, reason))
        await asyncio.sleep(0)
        row.action = gateway.actions.get(row.id, row.action)
        row.refresh()
        try:
            await asked
        except (GatewayError, BadId) as error:
            row.note(f"cancel: {error}")
        row.wake.set()
        row.refresh()
        how = row.action.cancel.fact if row.action.cancel else "asked"
        return f"Cancel of {row.id}: {how}; {facts.OUTSIDE}."

    async def _carry(self, row: Row, submit: Mode | None, aip_session: str | None) -> None:
        try:
            if submit is not None:
                await self._submit(row, submit, aip_session)
            while not row.done:
                if row.action.presence is Presence.UNCERTAIN:
                    await self._uncertain(row)
                else:
                    await self._follow(row)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            row.given_up = True
            row.note(
                f"the bridge lost sight of it (an error of its own); /status {row.id} says how it stands"
            )
        row.close()

    async def _submit(self, row: Row, mode: Mode, aip_session: str | None) -> None:
        gateway = await self._door.open()
        more: Json = {"mode": mode, "session_id": aip_session, "capability": row.capability}
        work = gateway.submit(row.action.capability_id, row.input, action_id=row.id, **more)
        submitted = asyncio.ensure_future(work)
        await asyncio.sleep(0)
        row.action = gateway.actions.get(row.id, row.action)
        row.refresh()
        try:
            row.action = await submitted
        except asyncio.CancelledError:
            submitted.cancel()
            with suppress(asyncio.CancelledError):
                await submitted
            raise
        except (GatewayError, BadId) as error:
            row.action = gateway.actions.get(row.id, row.action)
            if row.action.presence is Presence.INTENDED:
                row.action.presence = Presence.UNSENT
            row.fault = fault(error, self._door.settings)
            row.note(row.fault.message)
        row.refresh()

    # following

    async def _follow(self, row: Row) -> None:
        gateway = await self._door.open()
        row.action = gateway.actions.setdefault(row.id, row.action)
        approving = asyncio.create_task(self._approvals(row))
        try:
            from_start, row.from_start = row.from_start, False
            ended = await gateway.follow(row.id, row.hear, from_start=from_start)
        finally:
            row.tell()
            approving.cancel()
            with suppress(asyncio.CancelledError):
                await approving
        row.action = gateway.actions.get(row.id, row.action)
        row.pause_heard = False
        await self._ended(row, ended)

    async def _ended(self, row: Row, ended: Ended) -> None:
        if ended.end in (End.SETTLED, End.TERMINAL):
            row.over = True
            return
        why = _ENDS.get(ended.end, ended.end)
        await self._park(row, f"{why} ({ended.why})" if ended.why and ended.end is not End.HIDDEN else why)

    async def _park(self, row: Row, why: str) -> None:
        """Rest until somebody wants it to be looked at."""
        row.wake.clear()
        row.park(f"{why}; /status {row.id} looks again")
        await row.wake.wait()
        row.park("")

    # uncertain

    async def _uncertain(self, row: Row) -> None:
        """Look once, where nobody has; ask what to do, once; then rest."""
        if row.action.state is None:
            await self.look(row, again=False)
            if row.action.presence is not Presence.UNCERTAIN:
                return
        if not row.asked:
            row.asked = True
            choice = await self._asked(row, lambda: self._what_now(row), row.wake)
            if choice in (LOOK, AGAIN):
                await self.look(row, again=choice == AGAIN)
                if row.action.presence is not Presence.UNCERTAIN:
                    return
        more = f", /again {row.id} sends the same again" if await self._may(row) is None else ""
        await self._park(row, f"{facts.UNKNOWN}{more}")

    async def look(self, row: Row, *, again: bool) -> str:
        """One read, or the same submission once more, as the user chose; what to say about it."""
        gateway = await self._door.open()
        try:
            if again:
                await gateway.send_again(row.id, row.capability)
            else:
                await gateway.look_again(row.id)
        except (GatewayError, BadId) as error:
            row.note(str(error))
        row.action = gateway.actions.get(row.id, row.action)
        row.refresh()
        return facts.words(row.action)

    async def _may(self, row: Row) -> str | None:
        gateway = await self._door.open()
        return gateway.may_send_again(row.id, row.capability)

    async def _what_now(self, row: Row) -> str | None:
        why_not = await self._may(row)
        options = [one for one in OPTIONS if why_not is None or one is not _AGAIN]
        said = "The answer to the submission was lost: it may have arrived or not."
        said += f" It cannot be sent again: {why_not}." if why_not else " Sent again it keeps its id and key."
        return await self._ask(row, f"{row.title}: {facts.UNKNOWN}. What now?", options, said)

    # approvals

    async def _approvals(self, row: Row) -> None:
        """Each time it waits: ask, where we may decide, until it waits no more; once more when somebody
        wants it to be looked at.
        """
        while True:
            row.wait_for("")
            await row.until(lambda: row.waits)
            row.wake.clear()
            asking = asyncio.create_task(self._decide(row))
            try:
                await row.until(partial(_over, row, asking))
            finally:
                asking.cancel()
                with suppress(asyncio.CancelledError):
                    await asking

    async def _decide(self, row: Row) -> None:
        gateway = await self._door.open()
        try:
            found = await gateway.approvals()
        except GatewayError as error:
            row.note(f"waiting for an approval; the list of approvals cannot be read: {error}")
            return
        mine = [one for one in found if one.action_id == row.id and one.status is Decision.PENDING]
        approval = next((one for one in mine if one.id not in row.decided), None)
        if approval is None or not gateway.settings.approvals:
            named = ", ".join(one.id for one in mine)
            row.wait_for(OTHERS, f"waiting for somebody else's decision{f' ({named})' if named else ''}")
            return
        await self._decided(row, approval)

    async def _decided(self, row: Row, approval: Approval) -> None:
        gateway = await self._door.open()
        description = approval.reason or "The gateway waits for your decision."
        choice = await self._ask(row, f"{row.title}: approve?", _DECISIONS, description)
        if choice not in (Decision.APPROVED, Decision.DENIED):
            said = f"approval {approval.id}: you decided nothing; it still waits"
            row.wait_for("your decision", f"{said}. /status {row.id} asks you again")
            return
        try:
            await gateway.decide(approval, Decision(choice))
        except GatewayError as error:
            row.note(f"approval {approval.id}: {choice} was sent, but: {error}. /status {row.id} looks again")
        else:
            row.decided.add(approval.id)
            row.decision = choice
            row.note(f"approval {approval.id}: you said {choice}")

    # asking

    async def _asked(self, row: Row, ask: Any, wake: asyncio.Event) -> str | None:
        """The answer, or None when meanwhile somebody did something about it."""
        wake.clear()
        asking, woken = asyncio.ensure_future(ask()), asyncio.ensure_future(wake.wait())
        try:
            await asyncio.wait((asking, woken), return_when=asyncio.FIRST_COMPLETED)
            return asking.result() if asking.done() else None
        finally:
            for each in (asking, woken):
                each.cancel()
            await asyncio.wait((asking, woken))

    async def _ask(self, row: Row, title: str, options: list[Json], description: str) -> str | None:
        """A permission request about the tool call; the chosen option's id."""
        subject = {"type": "tool_call", "toolCall": {"toolCallId": row.id}}
        params = {"sessionId": row.session.id, "title": title, "description": description}
        if row.foreground:
            row.session.report("requires_action")
        try:
            wire = row.session.wire
            result = await wire.request(
                "session/request_permission", {**params, "subject": subject, "options": options}
            )
        except Fault as refused:
            row.note(f"the client cannot ask: {refused.message}")
            return None
        finally:
            if row.foreground and row.session.state == "requires_action":
                row.session.report("running")
        outcome = result.get("outcome")
        return outcome.get("optionId") if isinstance(outcome, dict) else None


def _over(row: Row, asking: asyncio.Task[None]) -> bool:
    """Whether it waits no more, or its approval is to be looked at once more: nobody is asked, and no cancel
    is under way.
    """
    stopping = row.action.cancel is not None and row.action.cancel.fact is not Cancel.REFUSED
    return not row.waits or (asking.done() and row.wake.is_set() and not stopping)
