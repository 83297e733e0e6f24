"""The trial gateway on its own: what is submitted is worked off, two capabilities lose their answers."""

from __future__ import annotations

import asyncio

from acp_tui.aip.trial.gateway import TrialGateway
from acp_tui.aip.trial.server import Reply, Request
from acp_tui.aip.trial.worker import Worker
from acp_tui.protocol.unknown import Invalid

_LOSING = "cap:trial:lose"
_VANISHING = "cap:trial:vanish"


class Alone(TrialGateway):
    """Does what is asked of it."""

    def __init__(self, token: str = "", step: float = 0.7) -> None:
        super().__init__(token)
        self._worker = Worker(self.book, step, lambda: self.news.wait())
        self._tasks: set[asyncio.Task[None]] = set()

    async def __call__(self, request: Request, reply: Reply) -> None:
        """Serve one request, or break off where the capability says so."""
        asked = _asked(request)
        if asked == _VANISHING:
            reply.abort()
            return
        known = len(self.book.works)
        if asked == _LOSING:
            self.respond("submit", "", request)
            reply.abort()
        else:
            await super().__call__(request, reply)
        if len(self.book.works) > known:
            self._begin([*self.book.works][-1])

    def _begin(self, id: str) -> None:
        task = asyncio.create_task(self._worker.work(id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Everything it is at ends."""
        tasks = [*self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _asked(request: Request) -> str:
    """The capability of a submission."""
    if request.method != "POST" or not request.path.endswith("/actions"):
        return ""
    try:
        return str(request.json()["body"]["action"]["capability_id"])
    except (Invalid, KeyError, TypeError):
        return ""
