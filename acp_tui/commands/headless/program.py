"""The program around one prompt: agent, signals, outlets, questions, and the end of all of them.

Invariants: it returns only when every process of the agent has ended; whatever ends it there is one line that
says why, unless all went well; a reader that goes away, or never reads, keeps it from ending for no longer
than `PATIENCE`.
"""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from acp_tui.agent.spawn import Spawned
from acp_tui.client.effects import Ask, Effect
from acp_tui.client.intents import AnswerPermission
from acp_tui.commands.headless.asking import ask, unasked, what
from acp_tui.commands.headless.begin import heeded
from acp_tui.commands.headless.notes import Notes
from acp_tui.commands.headless.outcome import Outcome, Status
from acp_tui.commands.headless.outlet import Outlet
from acp_tui.commands.headless.saved import saved_id
from acp_tui.commands.headless.tty import Tty
from acp_tui.commands.headless.turn import GONE, INTERRUPTED, TIMED_OUT, Errand, by_signal
from acp_tui.commands.headless.updates import Updates
from acp_tui.commands.headless.wanted import Wanted
from acp_tui.render.clean import one_line
from acp_tui.services.rules import words
from acp_tui.store.entities import AgentRequest
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.deciding import decided
from acp_tui.ui.host import Host

if TYPE_CHECKING:
    from acp_tui.base.config import Config

PATIENCE = 2.0
"""Seconds for what is still to be written when it ends early."""
GRACE = 10.0
"""Seconds the agent gets to confirm a cancel after the time is over."""


class Program:
    """One run, made in its loop; `main` once, however soon it is ended."""

    def __init__(self, wanted: Wanted, config: Config | None) -> None:
        self.wanted = wanted
        self.config = config
        self.crash: Exception | None = None
        self._scope = anyio.CancelScope()
        """What goes on until it ends."""
        self._early: Outcome | None = None
        """Why it is ended from outside."""
        self._out = Outlet(1, lambda: self._end(GONE))
        self._err = Outlet(2)
        self._notes = Notes(self._err.write, wanted.verbose)
        self._tty = Tty.open()
        self._errand: Errand | None = None
        self._conversation: Conversation | None = None
        self._asked = anyio.Event()
        loop = asyncio.get_running_loop()
        for number in heeded():
            loop.add_signal_handler(number, self._heed, number)
        loop.set_exception_handler(self._overhear)

    async def main(self, spawned: Spawned | None) -> int:
        """Returns the exit status; `spawned`: the agent's process, where it is there already."""
        try:
            async with anyio.create_task_group() as outlets:
                for outlet in (self._out, self._err, *([self._tty.out] if self._tty else [])):
                    outlets.start_soon(outlet.run)
                outcome = await self._with_agent(spawned)
                await self._write_rest(outcome)
                outlets.cancel_scope.cancel()
        finally:
            if self._tty is not None:
                self._tty.close()
        return outcome.status

    # The agent

    async def _with_agent(self, spawned: Spawned | None) -> Outcome:
        settings = self.config.settings if self.config is not None else None
        async with anyio.create_task_group() as group:
            host = Host(group, dict(self.wanted.environment), settings=lambda: settings)
            try:
                with self._scope:
                    found = await self._converse(host, spawned)
                    return found if isinstance(found, Outcome) else await self._run(self._begin(host, found))
                return self._early or INTERRUPTED
            finally:
                if self._errand is not None:
                    self._errand.end()
                with anyio.CancelScope(shield=True):
                    await host.stop()
                group.cancel_scope.cancel()
        raise AssertionError("a task group swallows nothing")

    async def _converse(self, host: Host, spawned: Spawned | None) -> Conversation | Outcome:
        """With which session; or why with none."""
        for problem in self.config.problems if self.config is not None else ():
            self._notes.say(str(problem))
        wanted = self.wanted
        if not wanted.resume:
            return host.start(wanted.command, wanted.cwd, spawned=spawned)
        from acp_tui.commands.headless.coming_back import come_back

        return await come_back(host, wanted)

    def _begin(self, host: Host, conversation: Conversation) -> Errand:
        self._conversation = conversation
        agent, store = conversation.agent, conversation.store
        for told in conversation.link.launch.told:
            self._notes.say(told)
        write: Callable[[str], object] = self._out.write
        if self.wanted.json:
            write = _nowhere  # the words are in the updates
            if not self.wanted.resume:
                agent.on_messages = Updates(self._out.write).hear

        def opened() -> None:
            host.claims.look(conversation)
            if self.wanted.json:  # what a resumed one told until here is what was said long ago
                agent.on_messages = Updates(self._out.write).hear

        self._errand = errand = Errand(
            conversation, self.wanted.prompt, self._notes, write, opened, wait=self.wanted.wait
        )
        loop = asyncio.get_running_loop()

        def soon() -> None:
            loop.call_soon(store.flush)

        store.on_dirty = soon
        soon()
        agent.on_effect = self._happened
        return errand

    async def _run(self, errand: Errand) -> Outcome:
        async with anyio.create_task_group() as group:
            group.start_soon(self._answer)
            if self.wanted.timeout is not None:
                group.start_soon(self._watch_time, self.wanted.timeout)
            outcome = await errand.run()
            group.cancel_scope.cancel()
        return outcome

    # Requests

    def _happened(self, effect: Effect) -> None:
        if isinstance(effect, Ask):
            self._asked.set()
        if self._errand is not None:
            self._errand.happened(effect)

    async def _answer(self) -> None:
        """Each request in turn, the oldest first."""
        conversation = self._conversation
        assert conversation is not None
        while True:
            await anyio.lowlevel.checkpoint()
            request = next(iter(conversation.store.waiting()), None)
            if request is None:
                self._asked = anyio.Event()
                await self._asked.wait()
            elif not self._rule_answers(conversation, request):
                await self._ask(conversation, request)

    def _rule_answers(self, conversation: Conversation, request: AgentRequest) -> bool:
        settings = self.config.settings if self.config is not None else None
        verdict = decided(conversation.link, request.key, settings)
        if verdict is None:
            return False
        self._notes.remark(f"{verdict.option.name}: {what(request)} (your rule “{words(verdict.rule)}”)")
        conversation.do(verdict.answer)
        return True

    async def _ask(self, conversation: Conversation, request: AgentRequest) -> None:
        if self._tty is None or not self._tty.ours:
            self._reject(conversation, request)
            return
        await self._out.drained() if self._out.terminal else None
        await self._err.drained() if self._err.terminal else None
        held = [outlet for outlet in (self._out, self._err) if outlet.terminal]
        for outlet in held:
            outlet.hold()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._take_back, conversation, request, group.cancel_scope)
                styled = self.wanted.environment.get("TERM", "dumb") != "dumb"
                answer = await ask(self._tty, conversation.store, request, styled)
                group.cancel_scope.cancel()
                conversation.do(answer)
        finally:
            for outlet in held:
                outlet.release()

    async def _take_back(
        self, conversation: Conversation, request: AgentRequest, asking: anyio.CancelScope
    ) -> None:
        """Somebody else answered: the agent took it back, or the work was cancelled."""
        gone = anyio.Event()
        watch = conversation.store.watch(lambda _: gone.set(), {request.key})
        try:
            while request.status == "pending":
                await gone.wait()
                gone = anyio.Event()
        finally:
            watch.close()
        if self._tty is not None:
            self._tty.out.write("\nThis is not asked any more.\n")
        asking.cancel()

    def _reject(self, conversation: Conversation, request: AgentRequest) -> None:
        answer = unasked(request)
        rejected = isinstance(answer, AnswerPermission)
        if self._errand is not None:
            self._errand.unasked += 1
        said = "rejected" if rejected else "declined"
        self._notes.say(f"{said}, for there is nobody to ask: {what(request)}")
        conversation.do(answer)

    # Ends

    def _heed(self, number: int) -> None:
        """The first Ctrl+C cancels the work, the second ends everything; so does any other signal."""
        if number != signal.SIGINT:
            self._end(by_signal(number))
        elif self._errand is not None and self._errand.cancel(INTERRUPTED):
            if self._err.terminal:
                self._notes.say("cancelling; Ctrl+C again ends the agent")
        else:
            if self._early is not None or (self._errand is not None and self._errand.cancelled is not None):
                self._kill()
            self._end(INTERRUPTED)

    def _kill(self) -> None:
        if self._conversation is not None:
            self._conversation.agent.kill()

    def _end(self, why: Outcome) -> None:
        self._early = self._early or why
        self._scope.cancel()

    async def _watch_time(self, seconds: float) -> None:
        await anyio.sleep(seconds)
        if self._errand is not None and self._errand.cancel(TIMED_OUT):
            await anyio.sleep(GRACE)
        self._end(TIMED_OUT)

    def _overhear(self, _: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """A mistake of ours in a callback: nobody else would hear of it."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self.crash = error
            self._end(Outcome(Status.BROKEN))

    async def _write_rest(self, outcome: Outcome) -> None:
        """The last words, and what is still to be written."""
        conversation = self._conversation
        session = conversation.session if conversation is not None else None
        id: str | None = self.wanted.resume or None
        if conversation is not None and id is None:
            id = await to_thread.run_sync(saved_id, conversation.agent.journals, session)
        if self.wanted.json and outcome.status != Status.BROKEN_PIPE:
            Updates(self._out.write).end(
                stopReason=outcome.stop_reason,
                sessionId=session.session_id if session is not None else None,
                saved=id,
                status=int(outcome.status),
                error=outcome.words or None,
            )
        if id is not None:
            self._notes.remark(f"saved as {id}")
        outcome = self._with_login(outcome)
        if outcome.words:
            self._notes.say(outcome.words)
        for line in self._last_words(outcome):
            self._err.write(f"  {one_line(line, 200)}\n")
        limit = PATIENCE if self._early is not None else None
        with anyio.move_on_after(limit) if limit is not None else anyio.CancelScope():
            await self._out.drained()
            await self._err.drained()

    def _with_login(self, outcome: Outcome) -> Outcome:
        if outcome.status != Status.LOGIN or self._conversation is None:
            return outcome
        how = f"log in once with `acp-tui {shlex.join(self._conversation.link.command)}` and F12"
        said = f" ({outcome.words})" if outcome.words else ""
        return replace(outcome, words=f"this agent wants a login first{said}: {how}")

    def _last_words(self, outcome: Outcome) -> list[str]:
        """What an agent that died said last on its stderr."""
        if outcome.status not in (Status.NO_AGENT, Status.LOST) or self._conversation is None:
            return []
        return [line for line in self._conversation.store.connection.stderr_tail if line.strip()][-5:]


def _nowhere(_: str) -> None:
    """For what is written elsewhere."""
