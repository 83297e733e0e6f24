"""One session of the peer, and what its scenes can say in it. Everything said is kept, to be told again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acp.connection import Connection, StreamDirection, StreamEvent
from acp.exceptions import RequestError
from acp.helpers import (
    start_tool_call,
    text_block,
    update_tool_call,
)
from acp.interfaces import Client
from acp.schema import (
    AgentMessageChunk,
    AgentThoughtChunk,
    SessionConfigOptionBoolean,
    SessionConfigOptionSelect,
    SessionConfigSelectGroup,
    SessionConfigSelectOption,
    SessionMode,
    SessionModeState,
    UserMessageChunk,
)
from acp.utils import serialize_params

MODES = ("ask", "code")
Option = SessionConfigOptionSelect | SessionConfigOptionBoolean


def modes(current: str) -> SessionModeState:
    """What there is to choose from."""
    available = [SessionMode(id=name, name=name.title()) for name in MODES]
    return SessionModeState(current_mode_id=current, available_modes=available)


def options(model: str = "small", verbose: bool = False) -> list[Option]:
    """A select with groups, and a boolean."""
    groups = [
        SessionConfigSelectGroup(
            group="house", name="House", options=[SessionConfigSelectOption(value="small", name="Small")]
        ),
        SessionConfigSelectGroup(
            group="guests", name="Guests", options=[SessionConfigSelectOption(value="large", name="Large")]
        ),
    ]
    return [
        SessionConfigOptionSelect(
            id="model", name="Model", type="select", category="model", current_value=model, options=groups
        ),
        SessionConfigOptionBoolean(id="verbose", name="Verbose", type="boolean", current_value=verbose),
    ]


class Line:
    """What passes on the connection, as far as scenes have to know it."""

    def __init__(self) -> None:
        self.prompt: Any = None
        """Id of the last prompt."""
        self._next: asyncio.Future[Any] | None = None
        self._answered: dict[Any, asyncio.Event] = {}

    def passed(self, event: StreamEvent) -> None:
        """An observer of the connection."""
        message = event.message
        if event.direction is StreamDirection.OUTGOING:
            if "method" in message:
                if "id" in message and self._next is not None and not self._next.done():
                    self._next.set_result(message["id"])
            else:
                self._answered.setdefault(message["id"], asyncio.Event()).set()
        elif message.get("method") == "session/prompt":
            self.prompt = message["id"]

    async def next_asked(self) -> Any:
        """The id of the next request of ours."""
        self._next = asyncio.get_running_loop().create_future()
        return await self._next

    async def answered(self, request_id: Any) -> None:
        """Wait until an answer of ours has left."""
        await self._answered.setdefault(request_id, asyncio.Event()).wait()


@dataclass
class Talk:
    """A session."""

    id: str
    cwd: Path
    client: Client
    wire: Connection
    line: Line
    mode: str = MODES[0]
    model: str = "small"
    verbose: bool = False
    title: str | None = None
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    history: list[dict[str, Any]] = field(default_factory=list)
    keep: Callable[[Talk], object] = id
    """Told when the history has grown."""
    later: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def options(self) -> list[Option]:
        """As they stand."""
        return options(self.model, self.verbose)

    async def tell(self, update: Any) -> None:
        """An update of the SDK."""
        self.remember(update)
        await self.client.session_update(self.id, update)

    def remember(self, *updates: Any) -> None:
        """They are part of the history."""
        self.history += map(serialize_params, updates)
        self.keep(self)

    async def raw(self, **update: Any) -> None:
        """One that the SDK would not write."""
        await self.wire.send_notification("session/update", {"sessionId": self.id, "update": update})

    async def replay(self) -> None:
        """All of it again."""
        for update in self.history:
            await self.raw(**update)

    async def say(self, text: str, id: str | None = None) -> None:
        """A piece of a message."""
        await self.tell(
            AgentMessageChunk(session_update="agent_message_chunk", content=text_block(text), message_id=id)
        )

    async def think(self, text: str, id: str | None = None) -> None:
        """A piece of a thought."""
        await self.tell(
            AgentThoughtChunk(session_update="agent_thought_chunk", content=text_block(text), message_id=id)
        )

    async def quote(self, text: str, id: str | None = None) -> None:
        """A piece of what the user said."""
        await self.tell(
            UserMessageChunk(session_update="user_message_chunk", content=text_block(text), message_id=id)
        )

    async def call(self, id: str, title: str, **more: Any) -> None:
        """A tool call begins."""
        await self.tell(start_tool_call(id, title, **more))

    async def change(self, id: str, **more: Any) -> None:
        """A tool call goes on."""
        await self.tell(update_tool_call(id, **more))

    def afterwards(self, scene: Callable[[], Awaitable[None]]) -> None:
        """Do this when the prompt that is running has its answer."""
        request_id = self.line.prompt

        async def wait() -> None:
            await self.line.answered(request_id)
            await scene()

        task = asyncio.create_task(wait())
        self.later.add(task)
        task.add_done_callback(self.later.discard)

    async def tried(self, work: Awaitable[Any]) -> str:
        """What came of a request: `ok`, what it says, or `error CODE`."""
        try:
            result = await work
        except RequestError as error:
            return f"error {error.code}"
        return "ok" if result is None else str(result)
