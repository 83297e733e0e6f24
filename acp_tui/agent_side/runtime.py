"""The agent side of ACP v2: sessions, the queue of prompts, cancellation, every method an agent must serve.

What the agent *does* is a `Behaviour`; this module keeps the protocol for it. Sessions live as long as the
process, unless a subclass makes, lists, resumes and closes them otherwise. Invariants:

- A prompt is answered when it is inserted, right after the user message was sent (PR-04); one that is
  withdrawn before is answered -32800 and leaves no trace (PR-14).
- Work is reported `running` before its first output and `idle` after its last, also when it was cancelled or
  failed (ST-01, CX-05). The last step is a callback of the task: a task cancelled before its first step
  never runs.
- After `session/close` is answered nothing more is sent for the session (SS-23).
"""

from __future__ import annotations

import asyncio
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, ClassVar, Protocol, TypeAlias
from uuid import uuid4

from acp_tui.agent_side.session import Held, Session
from acp_tui.agent_side.turn import Pace, Turn
from acp_tui.agent_side.wire import Call, Fault, Json, Wire
from acp_tui.protocol.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    REQUEST_CANCELLED,
    RESOURCE_NOT_FOUND,
    UNSUPPORTED_VERSION,
)

VERSION = 2
PAGE = 20
"""Sessions in one answer of `session/list`."""
_LOGIN = 3.0
"""Seconds that a login takes."""
_PATIENCE = 2.0
"""Seconds for a client that is leaving to read the last updates."""

Stop: TypeAlias = Json
"""What an idle update says about the end of the work: `stopReason`, and `error` beside the reason `error`."""

END_TURN: Stop = {"stopReason": "end_turn"}


class Behaviour(Protocol):
    """The agent proper."""

    info: Json
    """Name, title and version for `initialize`."""
    prompt_types: frozenset[str]
    """Block types understood beside text and resource links: `image`, `audio`, `resource`."""
    logins: list[Json]
    """Ways to log in (AU-01)."""
    session_prefix: str
    """What the ids of its sessions begin with."""

    def commands(self, session: Session) -> list[Json]:
        """Slash commands of a session."""

    def options(self, session: Session) -> list[Json]:
        """Config options with their current values."""

    def set_option(self, session: Session, config_id: str, value: object) -> None:
        """Change one; raises `Fault` for an unknown option or value."""

    def check(self, session: Session, prompt: list[Json]) -> None:
        """Refuse a prompt before it is inserted, by raising `Fault`."""

    async def work(self, turn: Turn) -> Stop:
        """Do what the prompt says."""


_CAPABILITY = {"image": "image", "audio": "audio", "resource": "embeddedContext"}


class Runtime:
    """One connection of an agent with its client."""

    session_capabilities: ClassVar[Json] = {"delete": {}}
    """What can be done with sessions beside what every agent must."""

    def __init__(self, behaviour: Behaviour, pace: Pace, *, stdin: int = 0, stdout: int = 1) -> None:
        self._behaviour = behaviour
        self._pace = pace
        self.wire = Wire(self._request, self._notification, stdin=stdin, stdout=stdout)
        self.sessions: dict[str, Session] = {}
        self._client: Json = {}
        """What the client can."""
        self._made = 0
        self._initialized = False
        self._in_use = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._methods: dict[str, Callable[[Call], None]] = {
            "initialize": self._initialize,
            "session/new": self.new,
            "session/list": self.list_sessions,
            "session/resume": self.resume,
            "session/close": self.close,
            "session/delete": self.delete,
            "session/set_config_option": self._set_config_option,
            "session/prompt": self._prompt,
            "tool_call/cancel": self.cancel_tool_call,
            "terminal/cancel": self._cancel_terminal,
            "auth/login": self._log_in,
            "auth/logout": lambda call: call.answer({}),
        }

    async def run(self) -> None:
        """Serve the client until it closes our stdin, then end all work and say so."""
        await self.wire.run()
        for session in self.sessions.values():
            await self.stop(session)
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                await self.wire.flush()

    # ---------------------------------------------------------------- dispatch

    def _request(self, call: Call) -> None:
        if call.method != "initialize":
            if not self._initialized:
                raise Fault(INVALID_REQUEST, "The first request must be initialize")
            self._in_use = True
        method = self._methods.get(call.method)
        if method is None:
            raise Fault(METHOD_NOT_FOUND, f"Method not found: {call.method}", {"method": call.method})
        method(call)

    def _notification(self, method: str, params: Json) -> None:
        session = self.sessions.get(str(params.get("sessionId")))
        if method == "session/cancel" and session is not None:
            self._withdraw_held(session)
            if session.turn is not None:
                session.turn.cancel()

    def later(self, call: Call, work: Callable[[], Any]) -> None:
        """Answer a call when a coroutine is through."""

        async def run() -> None:
            try:
                call.answer(await work())
            except Exception as error:
                call.refuse(_fault(error))

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------- connection

    def _initialize(self, call: Call) -> None:
        if self._in_use:
            raise Fault(INVALID_REQUEST, "The connection is initialized and in use")  # IN-15
        asked = call.params.get("protocolVersion")
        if not isinstance(asked, int) or isinstance(asked, bool):
            raise Fault(INVALID_PARAMS, "protocolVersion must be an integer")
        if asked < VERSION:
            data = {"requested": asked, "supported": [VERSION]}
            raise Fault(UNSUPPORTED_VERSION, f"Only protocol version {VERSION} is spoken here", data)
        self._initialized = True
        can = call.params.get("capabilities")
        self._client = can if isinstance(can, dict) else {}
        prompt: Json = {_CAPABILITY[kind]: {} for kind in sorted(self._behaviour.prompt_types)}
        capabilities: Json = {"session": {"prompt": prompt, **self.session_capabilities}}
        facts: Json = {"info": self._behaviour.info, "authMethods": self._behaviour.logins}
        call.answer({"protocolVersion": VERSION, "capabilities": capabilities, **facts})

    def _log_in(self, call: Call) -> None:
        """It takes a while, so that it can be given up (AU-02, AU-12)."""
        offered = [one["methodId"] for one in self._behaviour.logins if one["type"] == "agent"]
        if call.params.get("methodId") not in offered:
            raise Fault(INVALID_PARAMS, "There is no such login")

        async def log_in() -> Json:
            waiting = asyncio.ensure_future(self._pace.pause(_LOGIN))
            call.on_cancel = waiting.cancel
            await asyncio.wait([waiting])
            if waiting.cancelled():
                raise Fault(REQUEST_CANCELLED, "The login was given up")
            return {}

        self.later(call, log_in)

    # --------------------------------------------------------------- sessions

    def new(self, call: Call) -> None:
        """`session/new` (SS-01)."""
        session = self.made(self._new_session_id(), folder_of(call.params))
        call.answer({"sessionId": session.id, **self.lists(session)})

    def made(self, session_id: str, cwd: str) -> Session:
        """A session that is there from now on."""
        session = self.sessions[session_id] = Session(self.wire, session_id, cwd, self._client)
        return session

    def resume(self, call: Call) -> None:
        """`session/resume` (SS-10)."""
        self.resume_known(call, self.known(call.params))

    def resume_known(self, call: Call, session: Session) -> None:
        """Go on with a session that is here."""
        call.answer(self.resumed(call.params, session))

    def resumed(self, params: Json, session: Session) -> Json:
        """Replay it where that is asked for; the answer. Raises `Fault`."""
        cwd = folder_of(params)
        if cwd != session.cwd:
            raise Fault(INVALID_PARAMS, f"The session belongs to {session.cwd}", {"cwd": session.cwd})
        replay = params.get("replayFrom")
        if replay is not None and (not isinstance(replay, dict) or replay.get("type") != "start"):
            raise Fault(INVALID_PARAMS, "History can only be replayed from its start", {"replayFrom": replay})
        session.active = True
        if replay is not None:
            session.replay()
        session.report()  # SS-12: after any replay, before the answer
        return self.lists(session)

    def list_sessions(self, call: Call) -> None:
        """`session/list`: the newest first."""
        call.answer(self.page(call.params, [_entry(each) for each in reversed(self.sessions.values())]))

    def page(self, params: Json, entries: list[Json]) -> Json:
        """The answer to a `session/list`: its part of all entries."""
        cwd, cursor = params.get("cwd"), params.get("cursor")
        found = [each for each in entries if cwd in (None, each["cwd"])]
        if cursor is not None and not (isinstance(cursor, str) and cursor.isdecimal()):
            raise Fault(INVALID_PARAMS, "This cursor is not one of ours", {"cursor": cursor})
        start = int(cursor or 0)
        after = start + PAGE
        return {"sessions": found[start:after], "nextCursor": str(after) if after < len(found) else None}

    def close(self, call: Call) -> None:
        """`session/close` (SS-23)."""
        session = self.active(call.params)
        session.active = False
        self.later(call, lambda: self.stop(session))

    def delete(self, call: Call) -> None:
        """`session/delete`."""
        session = self.known(call.params)
        session.active = False
        del self.sessions[session.id]
        self.later(call, lambda: self.stop(session))

    async def stop(self, session: Session) -> Json:
        """End foreground and background work, the last updates included."""
        self._withdraw_held(session)
        if session.turn is not None:
            session.turn.cancel()
            await asyncio.wait([session.turn])
        tasks = [job.task for job in session.jobs]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self.wire.drain()
        return {}

    def _set_config_option(self, call: Call) -> None:
        session = self.active(call.params)
        config_id = call.params.get("configId")
        self._behaviour.set_option(session, str(config_id), call.params.get("value"))
        call.answer({"configOptions": self._behaviour.options(session)})

    def lists(self, session: Session) -> Json:
        """Its options and commands."""
        options = self._behaviour.options(session)
        return {"configOptions": options, "availableCommands": self._behaviour.commands(session)}

    def _new_session_id(self) -> str:
        """Deterministic when nothing pauses; else unlike the ids of every earlier run."""
        self._made += 1
        prefix = self._behaviour.session_prefix
        return f"{prefix}-{self._made}" if self._pace.speed == 0 else f"{prefix}-{uuid4()}"

    def known(self, params: Json) -> Session:
        """The session that a request names; raises `Fault`."""
        session_id = params.get("sessionId")
        if not isinstance(session_id, str):
            raise Fault(INVALID_PARAMS, "sessionId must be a string")
        session = self.sessions.get(session_id)
        if session is None:
            raise Fault(RESOURCE_NOT_FOUND, "No such session", {"sessionId": session_id})
        return session

    def active(self, params: Json) -> Session:
        """The same, if it is active."""
        session = self.known(params)
        if not session.active:
            raise Fault(
                RESOURCE_NOT_FOUND, "The session is closed; resume it first", {"sessionId": session.id}
            )
        return session

    # ----------------------------------------------------------------- prompts

    def _prompt(self, call: Call) -> None:
        session = self.active(call.params)
        prompt = self._checked(session, call.params.get("prompt"))
        key = call.params.get("idempotencyKey")
        if isinstance(key, str) and key in session.inserted:
            call.answer({"messageId": session.inserted[key]})
            return
        same = next((each for each in session.held if key is not None and each.key == key), None)
        held = same or Held(prompt, key if isinstance(key, str) else None, [])
        held.calls.append(call)
        if same is None and session.turn is None:
            self._begin(session, held)
            return
        if same is None:
            session.held.append(held)
        call.on_cancel = lambda: self._withdraw(session, held, call)

    def _checked(self, session: Session, prompt: object) -> list[Json]:
        if not isinstance(prompt, list) or not prompt:
            raise Fault(INVALID_PARAMS, "prompt must be a list of content blocks that is not empty")
        for block in prompt:
            kind = block.get("type") if isinstance(block, dict) else None
            if kind == "text" and isinstance(block.get("text"), str):
                continue
            if kind != "resource_link" and kind not in self._behaviour.prompt_types:
                raise Fault(INVALID_PARAMS, f"A block of this type is not understood: {kind}", {"type": kind})
        self._behaviour.check(session, prompt)
        return prompt

    def _begin(self, session: Session, held: Held) -> None:
        """Insert a prompt and start to work on it."""
        message_id = session.new_id("user")
        if held.key is not None:
            session.inserted[held.key] = message_id
        if self._pace.speed > 0:
            session.updated_at = datetime.now(UTC).isoformat(timespec="seconds")
        session.update("user_message", messageId=message_id, content=held.prompt)
        for call in held.calls:
            call.answer({"messageId": message_id})
        session.report("running")
        turn = Turn(session, self._pace, held.prompt)
        session.turn = asyncio.create_task(self._work(turn))
        session.turn.add_done_callback(lambda task: self._ended(turn, task))

    async def _work(self, turn: Turn) -> Stop:
        try:
            return await self._behaviour.work(turn)
        except Exception as error:
            return {"stopReason": "error", "error": _fault(error).raw()}

    def _ended(self, turn: Turn, task: asyncio.Task[Stop]) -> None:
        session = turn.session
        session.turn = None
        turn.settle()
        session.report("idle", **({"stopReason": "cancelled"} if task.cancelled() else task.result()))
        if session.held:
            self._begin(session, session.held.popleft())

    def _withdraw(self, session: Session, held: Held, call: Call) -> None:
        """Take one request back; the prompt itself goes with the last request for it."""
        if call in held.calls and held in session.held:
            held.calls.remove(call)
            if not held.calls:
                session.held.remove(held)
            call.refuse(Fault(REQUEST_CANCELLED, "Withdrawn before it was inserted"))

    def _withdraw_held(self, session: Session) -> None:
        while session.held:
            for call in session.held.popleft().calls:
                call.refuse(Fault(REQUEST_CANCELLED, "Withdrawn before it was inserted"))

    # -------------------------------------------------------------- background

    def cancel_tool_call(self, call: Call) -> None:
        self._cancel_job(call, "toolCallId", "tool_call_id")

    def _cancel_terminal(self, call: Call) -> None:
        self._cancel_job(call, "terminalId", "terminal_id")

    def _cancel_job(self, call: Call, name: str, attribute: str) -> None:
        session = self.active(call.params)
        wanted = call.params.get(name)
        job = next((each for each in session.jobs if wanted == getattr(each, attribute)), None)
        if wanted is None or job is None:
            raise Fault(INVALID_PARAMS, "Nothing that runs has this id", {name: wanted})
        call.answer({})
        job.cancel()


def folder_of(params: Json) -> str:
    """Check what `session/new` and `session/resume` have in common; the working directory."""
    cwd = params.get("cwd")
    if not isinstance(cwd, str) or not cwd.startswith("/"):
        raise Fault(INVALID_PARAMS, "cwd must be an absolute path", {"cwd": cwd})
    if params.get("mcpServers"):
        raise Fault(INVALID_PARAMS, "MCP servers are not supported")
    if params.get("additionalDirectories"):
        raise Fault(INVALID_PARAMS, "Additional directories are not supported")
    return cwd


def _fault(error: Exception) -> Fault:
    """The fault that ended the work: that of the client, or one of ours, which goes to stderr too."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, Fault):
        return error
    traceback.print_exception(error, file=sys.stderr)
    return Fault(INTERNAL_ERROR, f"Internal error: {type(error).__name__}")


def _entry(session: Session) -> Json:
    entry: Json = {"sessionId": session.id, "cwd": session.cwd, "title": session.title}
    return entry if session.updated_at is None else {**entry, "updatedAt": session.updated_at}
