"""Calling a capability: its input, its mode, and the turn that waits for it or lets it go on beside.

Invariant: nothing is submitted that the user did not type, attach or fill in.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from acp_tui.agent_side.runtime import END_TURN, Stop
from acp_tui.agent_side.session import Job, Session
from acp_tui.agent_side.turn import Turn, text
from acp_tui.agent_side.wire import Fault, Json
from acp_tui.aip.bridge import drafts, forms, schemas
from acp_tui.aip.bridge.carrying import Carrier
from acp_tui.aip.bridge.door import Door
from acp_tui.aip.bridge.row import Row
from acp_tui.aip.bridge.typed import Given
from acp_tui.aip.core import ids
from acp_tui.aip.core.lifecycle import Action, Presence
from acp_tui.aip.core.vocabulary import Capability
from acp_tui.aip.core.words import Mode
from acp_tui.aip.gateway.errors import NotAllowed
from acp_tui.aip.gateway.submitting import mode_for
from acp_tui.protocol.errors import AUTH_REQUIRED, INVALID_PARAMS

TRIES: Final = 3
"""How often a form is offered when a field of it is not the JSON that it must be."""


class Calling:
    """The rows of all sessions, and how one comes to be."""

    def __init__(self, door: Door, changed: Callable[[Session], None]) -> None:
        """`changed` is called when an action of a session came, or is told of in other words."""
        self.door = door
        self.changed = changed
        self.carrier = Carrier(door)
        self.rows: defaultdict[str, dict[str, Row]] = defaultdict(dict)
        """By session and action."""

    def row(self, session: Session, action_id: str) -> Row | None:
        """The row of an action in this session."""
        return self.rows[session.id].get(action_id)

    async def call(self, turn: Turn, capability_id: str, given: Given) -> Stop:
        """Submit, and stay with it as its mode says."""
        capability = self.door.capability(capability_id)
        if not given.there:
            given = await self._form(turn, capability_id, capability)
        if not given.there:
            return END_TURN
        session = turn.session
        mode = self._mode(session, capability)
        row = Row(
            session, Action(ids.new(ids.ACTION), capability_id), capability, given.value, foreground=True
        )
        row.submitting = True
        self._add(row)
        row.announce()
        aip_session = session.id if session.id.startswith(ids.SESSION) else None
        job = self.carrier.start(row, submit=mode, aip_session=aip_session)
        await self._stay(row, job, mode)
        unknown = row.fault is not None and row.fault.code == AUTH_REQUIRED
        return {"stopReason": "error", "error": row.fault.raw()} if unknown and row.fault else END_TURN

    def adopt(self, row: Row) -> None:
        """Follow what was submitted elsewhere or by an earlier run, in the background."""
        self._add(row)
        self._leave(row, self.carrier.start(row))

    def _add(self, row: Row) -> None:
        self.rows[row.session.id][row.id] = row
        row.reworded = partial(self.changed, row.session)
        self.changed(row.session)

    async def _stay(self, row: Row, job: Job, mode: Mode) -> None:
        """Until it is over or rests; an asynchronous one only until it is taken."""
        taken = (Presence.KNOWN,) if mode is Mode.ASYNC else ()

        def enough() -> bool:
            rests = bool(row.parked or row.elsewhere)
            return row.done or rests or (row.action.presence in taken and not row.waits)

        try:
            await row.until(enough)
            if row.done:
                await asyncio.wait([job.task])
        except asyncio.CancelledError:
            row.foreground = False
            self._leave(row, job)
            row.restate()
            if row.session.active:  # else the client goes, and its work stays
                self.carrier.spawn(self.carrier.cancel(row))
            raise
        row.foreground = False
        if not job.task.done():
            self._leave(row, job)

    def _leave(self, row: Row, job: Job) -> None:
        row.session.leave(job, lambda cancelled: None)

    def _mode(self, session: Session, capability: Capability | None) -> Mode:
        chosen = session.config.get("mode")
        try:
            return mode_for(Mode(chosen) if chosen else None, Mode(self.door.settings.mode), capability)
        except NotAllowed as error:
            raise Fault(INVALID_PARAMS, str(error)) from None

    # forms

    async def _form(self, turn: Turn, capability_id: str, capability: Capability | None) -> Given:
        """The input from a form; where none comes of it, that was said."""
        schema = capability.input_schema if capability else None
        if schemas.empty(schema):
            return Given(True, {})
        about = f"Input of {(capability.name if capability else None) or capability_id}"
        content: Any = None
        wrong = ""
        for _ in range(TRIES):
            said = f"{about}: {wrong}" if wrong else about
            answer = await turn.elicit("form", said, requestedSchema=forms.form(schema, content))
            if answer is None:
                say(turn, f"Give the input: `{_example(capability_id, schema)}` ({forms.hint(schema)}).")
                return Given(False)
            content = answer.get("content")
            if answer.get("action") != "accept" or not isinstance(content, dict):
                say(turn, "Nothing was submitted.")
                return Given(False)
            try:
                return Given(True, forms.filled(schema, content))
            except forms.NotJson as error:
                wrong = str(error)
        say(turn, f"Nothing was submitted: {wrong}. `{_example(capability_id, schema)}` takes it as JSON.")
        return Given(False)


def _example(capability_id: str, schema: Json | None) -> str:
    made = drafts.draft(schema)
    return f"/call {capability_id} {made.text if made else '{…}'}"


def say(turn: Turn, words: str) -> None:
    """A message, in one piece."""
    message_id = turn.session.new_id("msg")
    turn.session.update("agent_message_chunk", messageId=message_id, content=text(words))


def modes(session: Session, usual: str) -> Json:
    """The one option of a session."""
    said = (
        ("sync", "Wait", "One answer, which is waited for"),
        ("async", "In the background", "It is queued, and followed beside you"),
        ("streaming", "Stream", "Its pieces are shown as they come"),
    )
    options = [{"value": value, "name": name, "description": words} for value, name, words in said]
    current = session.config.get("mode", usual)
    made: Json = {"configId": "mode", "name": "How actions are run", "category": "mode", "type": "select"}
    return {**made, "currentValue": current, "options": options}
