"""The commands: what each is called, what may follow it, what it does.

Invariants: what a command says comes from a read that was just made, or says how old it is; ids are checked
before anything is sent; more is offered only after a look at what follows, for a cursor may stand at the end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from acp_tui.agent_side.session import Session
from acp_tui.agent_side.turn import Turn
from acp_tui.agent_side.wire import Fault
from acp_tui.aip.bridge import facts, parts, tables, typed
from acp_tui.aip.bridge.calling import Calling, say
from acp_tui.aip.bridge.row import Row
from acp_tui.aip.bridge.typed import Typed
from acp_tui.aip.core.lifecycle import Action, Presence
from acp_tui.aip.gateway.errors import GatewayError, Refused
from acp_tui.protocol.errors import INVALID_PARAMS

Named: TypeAlias = Literal["", "any", "open", "uncertain", "filters"]
"""Actions of the session: all, those that are not over, those whose outcome is unknown; or selectors."""


class Command(NamedTuple):
    """One of ours; a capability is called by its id besides."""

    about: str
    hint: str | None
    work: Callable[[Commands, Turn, str], Awaitable[None]]
    named: Named = ""
    """What may be named behind it."""
    needed: bool = False
    """It is the id of an action, and must follow where the session has none yet."""


class Commands:
    """Everything but `/call`."""

    def __init__(self, calling: Calling) -> None:
        self._calling = calling
        self._door = calling.door

    def check(self, session: Session, asked: Typed) -> None:
        """Refuse what cannot be understood, before it is inserted."""
        if COMMANDS[asked.command].needed:
            self._id(session, asked.rest)
        elif asked.command == "events":
            self._logged(session, asked.rest)
        elif asked.command == "actions":
            typed.selectors(asked.rest)

    def _id(self, session: Session, rest: str) -> tuple[str, str]:
        """The id that was typed, else that of the newest action here; and the words after it."""
        word, _, more = rest.partition(" ")
        if word:
            return typed.action_id(word), more.strip()
        newest = next(reversed(self._calling.rows[session.id]), None) or _last(session)
        if newest is None:
            raise Fault(INVALID_PARAMS, "the id of an action must follow (act_…); /actions lists them")
        return newest, ""

    def _logged(self, session: Session, rest: str) -> tuple[str, str | None]:
        """Whose log, and where to go on in it."""
        words = rest.split()
        cursor = next((word.removeprefix("cursor=") for word in words if word.startswith("cursor=")), None)
        named = next((word for word in words if not word.startswith("cursor=")), "")
        return self._id(session, named)[0], cursor

    async def actions(self, turn: Turn, rest: str) -> None:
        gateway = await self._door.open()
        chosen, cursor = typed.selectors(rest)
        page = await gateway.list_actions(chosen, cursor=cursor)
        if page.cursor is not None and page.cursor != cursor:
            more = bool((await gateway.list_actions(chosen, cursor=page.cursor, limit=1)).items)
            page = page if more else replace(page, cursor=None)
        uncertain = [] if rest else gateway.uncertain()
        say(turn, tables.actions(uncertain, page, rest))

    async def follow(self, turn: Turn, rest: str) -> None:
        action_id, _ = self._id(turn.session, rest)
        row = self._calling.row(turn.session, action_id)
        if row is not None and not row.done:
            row.wake.set()
            row.refresh()
            say(turn, f"{action_id} is being followed: {facts.words(row.action)}.")
            return
        if row is not None:
            say(turn, f"{action_id} is over: {facts.words(row.action)}.")
            return
        gateway = await self._door.open()
        action = gateway.actions.get(action_id) or Action(action_id)
        call = gateway.call(action_id)
        capability = self._door.capability(action.capability_id)
        made = Row(turn.session, action, capability, call.input if call else None, from_start=True)
        made.announce()
        self._calling.adopt(made)

    async def status(self, turn: Turn, rest: str) -> None:
        action_id, _ = self._id(turn.session, rest)
        gateway = await self._door.open()
        try:
            await gateway.status(action_id)
        except Refused as refused:
            if not refused.hidden:
                raise
            say(turn, f"`{action_id}`: {facts.HIDDEN} ({refused}).")
            return
        action = gateway.actions[action_id]
        self._woken(turn.session, action)
        say(turn, "\n".join(facts.told(action)))

    async def result(self, turn: Turn, rest: str) -> None:
        action_id, _ = self._id(turn.session, rest)
        gateway = await self._door.open()
        try:
            result = await gateway.result(action_id)
        except Refused as refused:
            if not refused.hidden:
                raise
            result = None
        if result is None:
            say(turn, f"`{action_id}` has no result that this identity can see.")
            return
        self._woken(turn.session, gateway.actions[action_id])
        pause = "" if gateway.actions[action_id].settled else ", a pause: nothing is settled"
        failed = facts.failure(result)
        values = [*([] if result.output is None else [result.output]), *result.message]
        head = f"`{action_id}`: result **{result.status}**{pause}{f': {failed}' if failed else ''}"
        say(turn, "\n\n".join([head, *map(parts.of_value, values)]))

    async def events(self, turn: Turn, rest: str) -> None:
        action_id, cursor = self._logged(turn.session, rest)
        gateway = await self._door.open()
        page = await gateway.events(action_id, cursor=cursor)
        after = page.cursor if page.cursor != cursor else None
        more = after is not None and bool((await gateway.events(action_id, cursor=after, limit=1)).items)
        action = gateway.actions.get(action_id)
        over = action is not None and (action.terminal or action.settled is not None)
        say(turn, tables.events(action_id, page, more=more, over=over))

    async def cancel(self, turn: Turn, rest: str) -> None:
        action_id, reason = self._id(turn.session, rest)
        gateway = await self._door.open()
        row = self._calling.row(turn.session, action_id)
        if row is None:
            action = gateway.actions.get(action_id) or Action(action_id)
            row = Row(turn.session, action, self._door.capability(action.capability_id))
            row.announce()
            self._calling.adopt(row)
        if row.done:
            say(turn, f"{action_id} is over: {facts.words(row.action)}.")
            return
        say(turn, await self._calling.carrier.cancel(row, reason))

    async def again(self, turn: Turn, rest: str) -> None:
        action_id, _ = self._id(turn.session, rest)
        row = await self._uncertain(turn, action_id)
        say(turn, f"`{action_id}`: {await self._calling.carrier.look(row, again=True)}.")
        row.wake.set()

    async def forget(self, turn: Turn, rest: str) -> None:
        action_id, _ = self._id(turn.session, rest)
        gateway = await self._door.open()
        row = await self._uncertain(turn, action_id)
        gateway.give_up(action_id)
        row.given_up = True
        row.note("you gave it up: nobody knows whether it was done")
        row.wake.set()
        say(turn, f"`{action_id}` is not shown as unknown any more. Nothing was sent.")

    async def approvals(self, turn: Turn, rest: str) -> None:
        gateway = await self._door.open()
        say(turn, tables.approvals(await gateway.approvals(), gateway.settings.approvals))

    async def capabilities(self, turn: Turn, rest: str) -> None:
        await self._door.learn()
        self._calling.changed(turn.session)
        say(turn, tables.capabilities(list(self._door.capabilities.values())))

    async def gateway(self, turn: Turn, rest: str) -> None:
        gateway = await self._door.open()
        try:
            said = tables.health(await gateway.health())
        except GatewayError as error:
            said = f"health: {error}"
        say(turn, tables.gateway(self._door.name, self._door.settings, said))

    async def help(self, turn: Turn, rest: str) -> None:
        say(turn, tables.commands({name: (one.about, one.hint) for name, one in COMMANDS.items()}))

    async def _uncertain(self, turn: Turn, action_id: str) -> Row:
        """The row of an action whose outcome is unknown, made if an earlier run left it. Raises `Fault`."""
        gateway = await self._door.open()
        action = gateway.actions.get(action_id)
        if action is None or action.presence is not Presence.UNCERTAIN:
            raise Fault(INVALID_PARAMS, f"the outcome of {action_id} is not unknown")
        row = self._calling.row(turn.session, action_id)
        if row is None:
            capability, call = self._door.capability(action.capability_id), gateway.call(action_id)
            row = Row(turn.session, action, capability, call.input if call else None, asked=True)
            row.announce()
            self._calling.adopt(row)
        return row

    def _woken(self, session: Session, action: Action) -> None:
        """Something was read beside the following."""
        row = self._calling.row(session, action.id)
        if row is not None:
            row.action = action
            row.wake.set()
            row.refresh()


def _last(session: Session) -> str | None:
    """The last action of an earlier run."""
    ids = (str(update.get("toolCallId")) for _, update in reversed(session.history) if "toolCallId" in update)
    return next(ids, None)


C = Commands
_ACT = "act_… (else the newest here)"
COMMANDS: dict[str, Command] = {
    "actions": Command(
        "List actions", "state=… capability=… session=… approval=… cursor=…", C.actions, "filters"
    ),
    "follow": Command("Follow an action, wherever it was submitted", _ACT, C.follow, "any", needed=True),
    "status": Command("Read the state of an action now", _ACT, C.status, "any", needed=True),
    "result": Command("Read the result of an action", _ACT, C.result, "any", needed=True),
    "events": Command("What the gateway logged of an action", f"{_ACT} cursor=…", C.events, "any"),
    "cancel": Command("Ask to cancel an action", f"{_ACT} REASON", C.cancel, "open", needed=True),
    "again": Command("Send one whose outcome is unknown again", "act_…", C.again, "uncertain", needed=True),
    "forget": Command("Give one whose outcome is unknown up", "act_…", C.forget, "uncertain", needed=True),
    "approvals": Command("Approvals you may see", None, C.approvals),
    "capabilities": Command("What can be called", None, C.capabilities),
    "gateway": Command("Which gateway this is, and what is assumed of it", None, C.gateway),
    "help": Command("All commands", None, C.help),
}
