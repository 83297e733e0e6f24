"""The sessions of the bridge: lanes of its own, or sessions of the gateway where profiles are configured.

Invariants: a session is given only to a client whose gateway knows us; closing one that the gateway will not
close leaves it open and says why; a resumed one is replayed from what is kept here, and what was open in it
is read anew and followed.
"""

from __future__ import annotations

from uuid import uuid4

from acp_tui.agent_side.runtime import Runtime, folder_of
from acp_tui.agent_side.session import Session
from acp_tui.agent_side.turn import Pace
from acp_tui.agent_side.wire import Call, Fault, Json
from acp_tui.aip.bridge import lanes
from acp_tui.aip.bridge.behaviour import Bridge
from acp_tui.aip.bridge.faults import fault
from acp_tui.aip.bridge.lanes import Lane, Lanes
from acp_tui.aip.bridge.pieces import Pieces
from acp_tui.aip.bridge.row import Row
from acp_tui.aip.bridge.telling import earlier
from acp_tui.aip.core import ids, sessions
from acp_tui.aip.core.ids import BadId
from acp_tui.aip.core.lifecycle import Action
from acp_tui.aip.core.vocabulary import Event
from acp_tui.aip.gateway.errors import GatewayError, Refused
from acp_tui.aip.gateway.sessioning import CLOSED
from acp_tui.protocol.errors import INVALID_PARAMS
from acp_tui.protocol.session import LEAVING

PAGES = 5
"""Pages of the gateway's sessions that are read for a list."""
_TOLD = 20
"""Events of a resume that are named."""


class BridgeRuntime(Runtime):
    """One connection."""

    def __init__(self, bridge: Bridge, kept: Lanes, *, stdin: int = 0, stdout: int = 1) -> None:
        super().__init__(bridge, Pace(0), stdin=stdin, stdout=stdout)
        self._bridge = bridge
        self._door = bridge.door
        self._lanes = kept

    async def run(self) -> None:
        """Serve the client, then let go of the gateway; what runs there goes on."""
        try:
            await super().run()
        finally:
            await self._bridge.calling.carrier.end()
            await self._door.close()

    def new(self, call: Call) -> None:
        """A lane, or a handshake."""
        cwd = folder_of(call.params)
        self.later(call, lambda: self._opened(cwd))

    async def _opened(self, cwd: str) -> Json:
        await self._door.learn()
        session = self.made(await self._session_id(), cwd)
        self._lanes.begin(session, now=session.id.startswith(ids.SESSION))
        return {"sessionId": session.id, **self.lists(session)}

    async def _session_id(self) -> str:
        if not self._door.settings.profiles:
            return f"lane-{uuid4()}"
        gateway = await self._door.open()
        try:
            return ids.session((await gateway.open_session()).id)
        except (GatewayError, BadId) as error:
            raise fault(error, self._door.settings) from None

    # listing

    def list_sessions(self, call: Call) -> None:
        """What is kept here, and how it stands with it at the gateway."""
        self.later(call, lambda: self._listed(call.params))

    async def _listed(self, params: Json) -> Json:
        kept = {lane.id: lane.entry() for lane in self._lanes.listed()}
        entries = [*kept.values()]
        if any(lane_id.startswith(ids.SESSION) for lane_id in kept):
            states = await self._states()
            entries = [_with_state(entry, states.get(entry["sessionId"])) for entry in entries]
        return self.page(params, entries)

    async def _states(self) -> dict[str, str]:
        """By id, as far as the gateway says."""
        found: dict[str, str] = {}
        gateway = await self._door.open()
        cursor: str | None = None
        try:
            for _ in range(PAGES):
                page = await gateway.sessions(cursor=cursor)
                found.update((one.id, str(one.state)) for one in page.items)
                if page.cursor in (None, cursor):
                    break
                cursor = page.cursor
        except GatewayError:
            return found  # what is kept here can be listed without it
        return found

    # going on

    def resume(self, call: Call) -> None:
        """Go on with what is here; else with what is kept."""
        session = self.sessions.get(str(call.params.get("sessionId")))
        if session is not None and session.active:
            session.history = [(session.id, one) for one in lanes.folded(one for _, one in session.history)]
            self.resume_known(call, session)
            return
        lane = self._lanes.find(str(call.params.get("sessionId")))
        if lane is None:
            self.resume_known(call, self.known(call.params))
        else:
            self._resuming(call, lane)

    def _resuming(self, call: Call, lane: Lane) -> None:
        if folder_of(call.params) != lane.cwd:
            raise Fault(INVALID_PARAMS, f"The session belongs to {lane.cwd}", {"cwd": lane.cwd})

        async def resume() -> Json:
            await self._door.learn()
            events = await self._resumed(lane.id)
            session = self.made(lane.id, lane.cwd)
            self._restored(session, lane, events)
            return self.resumed(call.params, session)

        self.later(call, resume)

    async def _resumed(self, session_id: str) -> list[Event]:
        if not session_id.startswith(ids.SESSION):
            return []
        gateway = await self._door.open()
        try:
            return (await gateway.resume_session(session_id))[1]
        except (GatewayError, BadId) as error:
            raise fault(error, self._door.settings) from None

    def _restored(self, session: Session, lane: Lane, events: list[Event]) -> None:
        history = self._lanes.history(lane)
        lanes.restore(session, history)
        self._bridge.telling.earlier[session.id] = earlier(history)
        self._lanes.begin(session)
        if events:
            message: Json = {"sessionUpdate": "agent_message", "messageId": session.new_id("msg")}
            update = {**message, "content": [{"type": "text", "text": _meanwhile(events)}]}
            session.history.append((session.id, update))
            if session.on_kept is not None:
                session.on_kept(update)
        for one in lanes.open_calls(history):
            self._bridge.calling.adopt(self._row(session, one))

    def _row(self, session: Session, call: Json) -> Row:
        """An open tool call of an earlier run."""
        action = self._door.action(str(call["toolCallId"])) or Action(str(call["toolCallId"]))
        action.capability_id = action.capability_id or str(call.get("name") or "")
        pieces = Pieces([item for item in call.get("content") or [] if isinstance(item, dict)][1:])
        capability = self._door.capability(action.capability_id)
        status = str(call.get("status") or "pending")
        return Row(session, action, capability, call.get("rawInput"), status, pieces=pieces, asked=True)

    # ending

    def close(self, call: Call) -> None:
        """A lane just ends here; a session of the gateway is closed there, if it lets us, unless the client
        says that it merely leaves: then it can be resumed.
        """
        session = self.active(call.params)
        leaves = (call.params.get("_meta") or {}).get(LEAVING) is True
        if leaves or not session.id.startswith(ids.SESSION):
            super().close(call)
            return

        async def close() -> Json:
            gateway = await self._door.open()
            try:
                await gateway.close_session(session.id)
            except (GatewayError, BadId) as error:
                if isinstance(error, Refused) and error.error.code == CLOSED:
                    return await self.stop(session)
                refused = fault(error, self._door.settings)
                said = f"The session stays open: {refused.message}. Its state may not allow it now"
                raise Fault(refused.code, said, refused.data) from None
            return await self.stop(session)

        self.later(call, close)

    def delete(self, call: Call) -> None:
        """What is kept of it here goes; a session that can be gone on with has to be closed first."""
        session_id = str(call.params.get("sessionId"))
        lane, session = self._lanes.find(session_id), self.sessions.get(session_id)
        if lane is None and session is None:
            self.known(call.params)

        async def delete() -> Json:
            if session_id.startswith(ids.SESSION) and (await self._door.open()).resumable(session_id):
                raise Fault(INVALID_PARAMS, "Close the session first: the gateway would keep it open")
            if session is not None:
                session.on_kept = None
                await self.stop(session)
                del self.sessions[session_id]
            self._lanes.remove(session_id)
            return {}

        self.later(call, delete)

    async def stop(self, session: Session) -> Json:
        """Nobody looks any more; what runs at the gateway goes on, for nobody asked to cancel it."""
        session.active = False
        return await super().stop(session)

    def cancel_tool_call(self, call: Call) -> None:
        """Accepted is not stopped: the gateway is asked, and the state decides."""
        session = self.active(call.params)
        row = self._bridge.calling.row(session, str(call.params.get("toolCallId")))
        if row is None or row.done:
            raise Fault(
                INVALID_PARAMS, "Nothing that runs has this id", {"toolCallId": call.params.get("toolCallId")}
            )
        if not row.cancellable:
            raise Fault(INVALID_PARAMS, "The contract of this capability does not admit a cancel")
        call.answer({})
        self._bridge.calling.carrier.spawn(self._bridge.calling.carrier.cancel(row))


def _with_state(entry: Json, state: str | None) -> Json:
    if state is None:
        return entry
    over = state in {str(one) for one in sessions.OVER}
    title = f"{entry['title'] or 'A session'} ({'closed' if over else state})"
    return {**entry, "title": title, "_meta": {"acp-tui/aip": {"sessionState": state}}}


def _meanwhile(events: list[Event]) -> str:
    told = ((one.occurred_at, f"**{one.kind}**", one.action_id) for one in events)
    lines = ["- " + " ".join(filter(None, one)) for one in told]
    more = [f"- … {len(lines) - _TOLD} more"] if len(lines) > _TOLD else []
    return "\n".join(
        ["Logged by the gateway since this session was opened or last resumed:", "", *lines[:_TOLD], *more]
    )
