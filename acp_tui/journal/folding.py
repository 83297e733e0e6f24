"""A saved session folded into a store of its own: what a reader sees, without its agent.

The records run through the one client machine, as they did when they were written. Invariants: nothing is
sent, nothing is written; the same records give the same store, however often and in whatever portions they
are read; what an agent replays stands there once; a record that cannot be folded is left out and told of in
`problems`, never more than that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from acp_tui.base.shelf import MEMORY, Shelf
from acp_tui.client.standing import Standing
from acp_tui.journal.log import parse
from acp_tui.journal.playing import Player
from acp_tui.journal.record import LOST, BadRecord, Line, lines, time_of
from acp_tui.journal.saved import Part, Saved, Stretch
from acp_tui.journal.scanning import whole_lines
from acp_tui.protocol.jsonrpc import Notification, Request, Response
from acp_tui.store.session import Session
from acp_tui.store.store import Store

PROBLEMS = 20
"""Most that are told of."""
WRITABLE = frozenset({"initializing", "ready", "closing"})
"""Phases of a connection whose end was not told."""

OFTEN = 100
"""Records between two looks whether the session is at rest."""

_HEAD = re.compile(
    rb'\{"seq":\d+,"t":[^,]+,"dir":"[<>]","session":(?:null|"([^"\\]*)"),'
    rb'("msg":\{"jsonrpc":"2\.0","method":"session/update","params":\{)?'
)
"""Whose it is, and whether it is an update."""


def nothing() -> None:
    """Who does not care about rest."""


class Named(Store):
    """A store whose references say whose they are, so that its sessions can be added to any other."""

    def __init__(self, name: str, shelf: Shelf) -> None:
        super().__init__(shelf)
        self._name = name

    def new_ref(self) -> str:
        """`ID-1`, `ID-2` …"""
        return f"{self._name}-{super().new_ref().removeprefix('s')}"


class Folded:
    """A saved session as it stands. All methods belong to one thread at a time."""

    def __init__(self, saved: Saved, shelf: Shelf = MEMORY) -> None:
        self.saved = saved
        self.player = Player(Named(saved.id, shelf))
        self.store: Store = self.player.client.store
        """With this session, its subagents' and nothing else."""
        self.problems: list[str] = []
        """Sentences for the user: what could not be read."""
        self.paths: list[Path] = []
        """Its journals; the n-th is that of the generation n in `store`."""
        self.offset = 0
        """So far the last of them was folded."""
        self._ends: list[int] = []
        """And the others."""
        self.at = 0.0
        """When the last record was written."""
        self.ids: set[str] = {saved.session_id}
        """The agent's ids of the session and of its subagents' sessions."""
        self.count = 0
        """Records of it that were folded."""
        self._left_out = 0
        self._lost = False

    @property
    def session(self) -> Session | None:
        """The session in `store`; its `ref` begins with the saved session's id. None: nothing tells of it."""
        found = self.store.sessions.values()
        return next((one for one in found if one.parent is None), None)

    def follow(
        self, saved: Saved | None = None, rested: Callable[[], None] = nothing, most: int | None = None
    ) -> int:
        """Fold what was added meanwhile, with a newer `saved` also what stands in further journals; how many
        records of it that were. A line that is not whole yet is left for the next time. Raises `OSError`.

        `rested` is called now and then where the session is at rest; `most`: after so many it returns, to be
        called again.
        """
        self.saved = saved or self.saved
        before = self.count
        until = None if most is None else before + most
        for part in self.saved.parts[max(0, len(self.paths) - 1) :]:
            if part.path not in self.paths:
                self._begin(part)
            self._read(part, rested, until)
            if self.count == until:
                break
        return self.count - before

    # To go on later

    def standing(self) -> Standing | None:
        """All that is known, for `stand`; None: it is not at rest, or was given up."""
        return self.player.client.standing() if self.player.settled and not self._lost else None

    def stand(self, known: Standing, ends: list[int]) -> None:
        """Fresh: stand where the first journals were folded up to these places."""
        self.player.client.stand(known)
        self.paths = [part.path for part in self.saved.parts[: len(ends)]]
        *self._ends, self.offset = ends

    def places(self) -> list[tuple[Part, int]]:
        """Its journals, and how far each was folded."""
        return list(zip(self.saved.parts, [*self._ends, self.offset], strict=False))

    def lose(self, reason: str = LOST) -> None:
        """Nothing will be added: its acp-tui ended without a word. What was under way is marked so."""
        self._lost = True
        self._lose(reason)

    def _lose(self, reason: str = LOST) -> None:
        if self.store.connection.phase in WRITABLE:
            self.player.step(Line("agent", None, self.at, reason))

    def _begin(self, part: Part) -> None:
        self._lose()
        if self.paths:
            self._ends.append(self.offset)
        self.paths.append(part.path)
        self.offset = 0

    def _read(self, part: Part, rested: Callable[[], None], until: int | None) -> None:
        stretch = part.stretch
        with part.path.open("rb") as file:
            for line in whole_lines(file, self.offset):
                if stretch.until is not None and self.offset >= stretch.until:
                    break
                if stretch.midway and self.offset == stretch.asked:
                    self._join(stretch)
                mine = self._line(line, part)
                self.offset += len(line)
                self.count += mine
                if mine and not self.count % OFTEN:
                    rested()
                if self.count == until:
                    return

    def _join(self, stretch: Stretch) -> None:
        """Its beginning in this journal was lost: take it as attached."""
        client = self.player.client
        if self.store.connection.phase != "ready":
            client.assume_ready(self.at)
        params = {"sessionId": stretch.session_id, "cwd": stretch.cwd}
        self.player.step(Line("client", Request("midway", "session/resume", params), self.at))
        self.player.step(Line("agent", Response("midway", {}), self.at))

    def _line(self, line: bytes, part: Part) -> bool:
        """Fold one record, if it is of this session; most that are not are told apart by their bytes."""
        head = _HEAD.match(line)
        if head is not None and head[1] is not None and not self._named(head[1], part):
            return False
        record = parse(line)
        if not isinstance(record, dict):
            return False
        left_out = self._left_out
        try:
            if head is not None and head[2] is not None:
                self._update(record, b'"subagent_update"' in line)
            elif not self._other(record, part):
                return False
        except BadRecord as bad:
            self._leave_out(f"{part.path.name}: {bad}")
        except Exception as fault:  # a fault of ours over one record must not close the whole session
            self._leave_out(f"{part.path.name}, byte {self.offset}: fault of acp-tui: {fault!r}")
        return left_out == self._left_out

    def _named(self, session_id: bytes, part: Part) -> bool:
        return self.offset >= part.stretch.since and session_id.decode(errors="replace") in self.ids

    def _update(self, record: dict[str, Any], child: bool) -> None:
        """Most records are that."""
        params, self.at = record["msg"]["params"], time_of(record)
        self.player.step(Line("agent", Notification("session/update", params), self.at))
        if child:
            self._look_for_child(params)

    def _other(self, record: dict[str, Any], part: Part) -> bool:
        if "acp-tui-journal" in record or not self._ours(record, part):
            return False
        for one in lines(record, self.offset):
            self.at = one.at
            self.player.step(one)
            if isinstance(one.message, Notification):
                self._look_for_child(one.message.params)
        self.player.outbound.clear()
        self.player.divergences.clear()
        return True

    def _ours(self, record: dict[str, Any], part: Part) -> bool:
        session_id = record.get("session")
        if session_id is not None and self.offset < part.stretch.since:
            return False
        message = record.get("msg")
        opens = isinstance(message, dict) and message.get("method") == "session/new"
        if opens and record.get("dir") == ">":
            return self.offset == part.stretch.asked
        return session_id is None or (isinstance(session_id, str) and session_id in self.ids)

    def _leave_out(self, problem: str) -> None:
        self._left_out += 1
        if len(self.problems) < PROBLEMS:
            self.problems.append(problem)

    def _look_for_child(self, params: dict[str, Any]) -> None:
        """What a subagent says belongs to the session from now on."""
        update = params.get("update")
        if isinstance(update, dict) and update.get("sessionUpdate") == "subagent_update":
            child = update.get("sessionId")
            if isinstance(child, str):
                self.ids.add(child)


def fold(saved: Saved, shelf: Shelf = MEMORY) -> Folded:
    """All of it, from the start; big content goes to the shelf. Raises `OSError`: a journal cannot be read.

    Whether its last journal still grows, only the caller can know; where it does not, `lose` says so.
    """
    folded = Folded(saved, shelf)
    folded.follow()
    return folded
