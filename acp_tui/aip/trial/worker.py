"""What the trial gateway can do, and doing it: one coroutine per action, at a pace for people."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from acp_tui.aip.core.vocabulary import Json
from acp_tui.aip.trial.book import Book, Work

_STREAMS: Final = {
    "supports_sync": False,
    "supports_async": True,
    "supports_streaming": True,
    "supports_cancel": True,
}
_KEYED: Final = {"requirement": "optional", "collision_behavior": "return_existing"}


def _capability(id: str, name: str, properties: Json, needs: list[str], **more: Any) -> Json:
    return {
        "id": id,
        "name": name,
        "kind": "tool",
        "input_schema": {"type": "object", "properties": properties, "required": needs},
        "risk": "low",
        "requires_human_approval": False,
        "contract": {"side_effects": "none", "idempotency": _KEYED, "execution": _STREAMS},
        **more,
    }


_TEXT: Final = {"type": "string", "description": "any text"}
CAPABILITIES: Final[list[Json]] = [
    _capability("cap:trial:echo", "Say it again", {"text": _TEXT}, ["text"]),
    _capability("cap:trial:count", "Count, one chunk each", {"to": {"type": "integer", "default": 5}}, []),
    _capability("cap:trial:report", "Write a report, once approved", {"title": _TEXT}, ["title"])
    | {"requires_human_approval": True, "risk": "medium"},
    _capability("cap:trial:wait", "Work until it is cancelled", {}, []),
    _capability("cap:trial:fail", "Fail", {}, []),
    _capability("cap:trial:lose", "Be taken, and lose the answer", {}, []),
    _capability("cap:trial:vanish", "Be lost on the way", {}, []),
]


class Worker:
    """Works off what is submitted."""

    def __init__(self, book: Book, step: float, changed: Callable[[], Awaitable[object]]) -> None:
        """`step` is the pause between two steps, in seconds; `changed` waits for a change of the book."""
        self._book = book
        self._step = step
        self._changed = changed
        book.capabilities = CAPABILITIES

    async def work(self, id: str) -> None:
        """One action, to its end."""
        work = self._book.works[id]
        do = _DOING.get(work.body["capability_id"])
        await self._pause()
        self._book.move(id, "running")
        if do is None:
            error = {"code": "capability.unknown", "message": "there is no such capability"}
            self._book.settle(id, "failed", error=error)
        else:
            await do(self, work)

    async def _pause(self) -> None:
        await asyncio.sleep(self._step)

    async def echo(self, work: Work) -> None:
        """The text comes back."""
        await self._pause()
        text = str(_given(work, "text", ""))
        self._book.settle(work.id, "completed", output={"text": text})

    async def count(self, work: Work) -> None:
        """A thought, numbers, done, and the result after it."""
        last = _given(work, "to", 5)
        last = max(1, min(100, last)) if isinstance(last, int) else 5
        self._book.chunk(work.id, "thought", {"text": f"I count to {last}."})
        for number in range(1, last + 1):
            await self._pause()
            if work.over:
                return
            self._book.chunk(work.id, "progress", {"text": f"{number} of {last}"})
            self._book.chunk(work.id, "data", {"text": f"{number}\n"})
        self._book.chunk(work.id, "done")
        await self._pause()
        self._settle(work, {"counted": last})

    async def report(self, work: Work) -> None:
        """Nothing before someone says yes."""
        self._book.ask(work.id, "a report is sent to everyone")
        while work.state == "pending_approval":
            await self._changed()
        if not work.over:
            self._book.chunk(
                work.id, "data", {"text": f"# {_given(work, 'title', 'Report')}\n\nAll is well.\n"}
            )
            self._book.chunk(work.id, "done")
            self._settle(work, {"sent": True})

    async def wait(self, work: Work) -> None:
        """No end of its own."""
        while not work.over:
            await self._changed()

    async def fail(self, work: Work) -> None:
        """A structured error."""
        self._book.chunk(work.id, "data", {"text": "So far so good.\n"})
        await self._pause()
        error = {"code": "trial.failed", "message": "this capability always fails", "category": "connector"}
        self._book.settle(work.id, "failed", error=error)

    def _settle(self, work: Work, output: Json) -> None:
        if not work.over:
            self._book.settle(work.id, "completed", output=output)


def _given(work: Work, name: str, default: Any) -> Any:
    input = work.body["input"]
    return input.get(name, default) if isinstance(input, dict) else default


_Do: TypeAlias = Callable[[Worker, Work], Awaitable[None]]
_DOING: Final[Mapping[str, _Do]] = {
    "cap:trial:echo": Worker.echo,
    "cap:trial:count": Worker.count,
    "cap:trial:report": Worker.report,
    "cap:trial:wait": Worker.wait,
    "cap:trial:fail": Worker.fail,
    "cap:trial:lose": Worker.echo,
}
