"""The content of any entity as parts, at full width, without folds and limits.

Invariants: asked again after a change, what did not change is the same part as before; the end of a long
terminal is there at once, the rest is read on by `step`; what was put aside for its size is read in a thread;
nothing an entity holds is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import Any, ClassVar, TypeVar

from acp_tui.protocol.content import TextContent
from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.protocol.plan import PlanFile, PlanItems, PlanMarkdown
from acp_tui.protocol.tool_call import Content as ContentItem
from acp_tui.protocol.tool_call import Diff, SessionLink
from acp_tui.protocol.tool_call import Terminal as TerminalItem
from acp_tui.protocol.unknown import Unknown
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line, visible
from acp_tui.render.diff import read
from acp_tui.render.look import Look
from acp_tui.render.markdown import Page
from acp_tui.render.permission import asks_about, request_lines
from acp_tui.render.plan import plan_lines
from acp_tui.render.view import Now
from acp_tui.render.views import make_view
from acp_tui.render.views.content import for_agents
from acp_tui.render.views.rule import TurnView
from acp_tui.render.views.subagent import said_of, title_of, watched
from acp_tui.render.views.terminal import facts as terminal_facts
from acp_tui.render.views.tool_items import file_read, language_in
from acp_tui.render.wrap import Lines
from acp_tui.store.entities import (
    AgentRequest,
    Compaction,
    Entity,
    Message,
    Plan,
    SessionMessage,
    Subagent,
    Submission,
    Terminal,
    ToolCall,
    Turn,
)
from acp_tui.store.growing import Blocks
from acp_tui.store.holding import Handle, loaded, reference
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import CONNECTION, Store
from acp_tui.ui.detail.changes import DiffLayout, diff_parts
from acp_tui.ui.detail.marked import Content, Marked, block_parts, encoded, on_demand, piece_of
from acp_tui.ui.detail.parts import SLICE, Blank, Head, Part, Viewed, Words, as_json, code, json_parts
from acp_tui.ui.detail.pieces import Piece, file_name
from acp_tui.ui.detail.scrollback import Scrollback

_STYLES = {Kind.AGENT_THOUGHT: "thought", Kind.USER_MESSAGE: "user"}
_NAMES = {Kind.AGENT_THOUGHT: "thought", Kind.USER_MESSAGE: "prompt", Kind.AGENT_MESSAGE: "answer"}

Kept = TypeVar("Kept")
Aside = Callable[[Callable[[], list[Part]], Callable[[list[Part]], object]], object]
"""Does the first in a thread, then the second in the loop with what came of it."""


class Drawn(Part):
    """Lines that somebody else lays out, anew when a revision changes."""

    def __init__(
        self, draw: Callable[[int, Look], Lines], version: Callable[[], object], piece: Piece | None = None
    ) -> None:
        super().__init__(piece)
        self._draw, self._version = draw, version

    @property
    def version(self) -> object:
        return self._version()

    def draw(self, width: int, look: Look) -> Lines:
        return self._draw(width, look)


class Entry(Viewed):
    """A member of a child's timeline, folded as in a timeline."""

    stop: ClassVar[bool] = True

    def __init__(self, entity: Entity, store: Store, now: Now) -> None:
        super().__init__(make_view(entity, store, now), opened=False)

    def act(self, action: tuple[Any, ...]) -> bool:
        return self.view.act(action)

    @property
    def folded(self) -> bool | None:
        return self.view.folded


class Whole:
    """The content of one entity."""

    def __init__(self, key: Key, store: Store, now: Now, how: DiffLayout, aside: Aside) -> None:
        self.key, self.store, self.now, self.how = key, store, now, how
        self._aside = aside
        self._kept: dict[Hashable, tuple[object, Any]] = {}
        self._scrollbacks: dict[str, Scrollback] = {}

    def related(self) -> set[Key]:
        """What else is shown here."""
        entity = self.store.entity(self.key)
        if isinstance(entity, ToolCall):
            named = [item.terminal_id for item in entity.content if isinstance(item, TerminalItem)]
            return {Key(self.key.session, Kind.TERMINAL, name) for name in named} | self._children(entity)
        if isinstance(entity, Subagent):
            child = self.store.sessions.get(entity.child)
            return {*watched(entity), Key(entity.child, Kind.TIMELINE), *(child.timeline if child else ())}
        return {CONNECTION} if isinstance(entity, Turn) else set()

    def _children(self, call: ToolCall) -> set[Key]:
        """The subagents a call names, and how these stand."""
        links = [one.session_id for one in map(reference, call.content) if isinstance(one, SessionLink)]
        keys = {Key(self.key.session, Kind.SUBAGENT, name) for name in links}
        known = [child for key in keys if isinstance(child := self.store.entity(key), Subagent)]
        return keys.union(*map(watched, known))

    def step(self, enough: Callable[[], bool]) -> bool:
        """Read on in terminals; True when there is nothing more."""
        through = [scrollback.step(enough) for scrollback in self._scrollbacks.values()]
        return all(through)

    def parts(self) -> list[Part]:
        """All of it as it is now."""
        entity = self.store.entity(self.key)
        made = list(self._parts(entity)) if entity is not None else []
        return made or [Words("Nothing.", "dim")]

    @property
    def cwd(self) -> str:
        """Paths are shown as seen from here."""
        session = self.store.sessions.get(self.key.session)
        return session.cwd if session is not None else ""

    def _parts(self, entity: Entity) -> Iterator[Part]:
        match entity:
            case ToolCall():
                yield from self._call(entity)
            case Message():
                yield from self._message(entity)
            case Terminal():
                yield from self._terminal(entity)
            case Plan():
                yield from self._plan(entity)
            case Compaction():
                yield from self._compaction(entity)
            case Turn():
                yield from self._turn(entity)
            case Subagent():
                yield from self._subagent(entity)
            case Submission():
                yield from self._submission(entity)
            case AgentRequest():
                yield from self._request(entity)

    def _keep(self, name: Hashable, of: object, make: Callable[[], Kept]) -> Kept:
        """What was made of this very thing, or make it now."""
        known = self._kept.get(name)
        if known is None or known[0] is not of:
            known = self._kept[name] = (of, make())
        made: Kept = known[1]
        return made

    # Messages

    def _message(self, message: Message) -> Iterator[Part]:
        if isinstance(message, SessionMessage):
            ends = (message.sender_session_id, message.recipient_session_id)
            said = " ".join(
                f"{word} {one_line(end)}" for word, end in zip(("from", "to"), ends, strict=True) if end
            )
            if said:
                yield self._keep("ends", message, lambda: Words(said, "dim"))
        yield from self._blocks(message.content, message.key.kind, growing=message.closed_at is None)

    def _blocks(self, blocks: Blocks, kind: Kind, growing: bool = False) -> list[Part]:
        style, user = _STYLES.get(kind, "base"), kind is Kind.USER_MESSAGE
        name = _NAMES.get(kind, kind.replace("_", " "))
        content: Content = self._keep("blocks", blocks, lambda: Content(blocks, style, user, name))
        return content.parts(growing)

    def _submission(self, one: Submission) -> Iterator[Part]:
        def collected() -> Blocks:
            blocks = Blocks()
            for block in one.blocks:
                blocks.append(block)
            return blocks

        yield from self._blocks(self._keep("submitted", one.blocks, collected), Kind.USER_MESSAGE)
        yield Blank()
        why = one.reason or (one.error.message if one.error is not None else "")
        said = words.SUBMISSIONS.get(one.status) or one.status
        yield Words(f"{said}: {one_line(why)}" if why else said, "turn_waiting" if why else "dim")

    # Tool calls

    def _call(self, call: ToolCall) -> Iterator[Part]:
        for index, item in enumerate(call.content):
            if index:
                yield self._keep(("gap", index), None, Blank)
            if isinstance(item, TerminalItem):
                entity = self.store.entity(Key(self.key.session, Kind.TERMINAL, item.terminal_id))
                if isinstance(entity, Terminal):
                    yield from self._terminal(entity)
                else:
                    yield Words("terminal: nothing known of it yet", "dim")
            else:
                begun = partial(self._begun, item) if isinstance(item, Handle) else partial(self._made, item)
                yield from self._keep(index, item, partial(begun, index, call))
        if not call.content:
            yield self._keep("none", None, lambda: Words("No content.", "dim"))
        for key in self._requests():
            yield Blank()
            yield self._keep(key, None, partial(self._asked, key))

    def _requests(self) -> list[Key]:
        """What the user was asked about this call."""
        session = self.store.sessions.get(self.key.session)
        known = session.entities if session is not None else {}
        asked = (key for key in known if key.kind is Kind.REQUEST)
        return [key for key in asked if asks_about(self.store, key) == self.key]

    def _asked(self, key: Key) -> Part:
        def facts() -> str:
            request = self.store.entity(key)
            return _answer(request) if isinstance(request, AgentRequest) else ""

        request = self.store.entity(key)
        title = getattr(getattr(request, "params", None), "title", "")
        return Head(f"? {one_line(title)}", facts, leads=key)

    def _begun(self, item: Handle, number: int, call: ToolCall) -> list[Part]:
        """What stands in the place of something big until it is read."""

        def done(parts: list[Part]) -> None:
            if self._kept[number][0] is item:
                self._kept[number] = item, parts

        self._aside(partial(self._made, item, number, call), done)
        return [Words("reading …", "dim")]

    def _made(self, item: Any, number: int, call: ToolCall) -> list[Part]:
        made = list(self._item(loaded(item), number, call))
        if isinstance(item, Handle) and made and made[0].piece is not None:
            made[0].piece = on_demand(made[0].piece, lambda: _piece(item.load(), number))
        return made

    def _item(self, item: Any, number: int, call: ToolCall) -> Iterator[Part]:
        plain = isinstance(item, ContentItem) and isinstance(item.content, TextContent)
        if plain and not for_agents(item.content):
            text = item.content.text
            lines = words.lines(text)
            piece = _piece(item, number)
            if piece is not None and call.locations:
                piece = replace(piece, place=(call.locations[0].path, call.locations[0].line))
            yield Head("text", lambda: lines, piece)
            if (language := language_in(text, file_read(call))) is not None:
                yield from code(text, language)
                return
            marked = Marked()
            marked.put(text, growing=False)
            yield marked
        elif isinstance(item, ContentItem):
            yield from block_parts(item.content, number)
        elif isinstance(item, Diff):
            yield from self._diff(item)
        elif isinstance(item, SessionLink):
            yield self._session(item.session_id)
        else:
            raw = item.raw if isinstance(item, Unknown) else item
            yield Head(
                f"unknown content: {one_line(getattr(item, 'type', ''))}",
                piece=_piece(item, number),
            )
            yield from json_parts(raw)

    def _session(self, session_id: str) -> Part:
        key = Key(self.key.session, Kind.SUBAGENT, session_id)

        def facts() -> str:
            child = self.store.entity(key)
            if not isinstance(child, Subagent):
                return f"{one_line(session_id)} · nothing known of it yet"
            said = said_of(child, self.store)
            return f"{title_of(child, self.store)} · {said} · {one_line(session_id)}"

        return Head("↳ session", facts, leads=key)

    def _diff(self, diff: Diff) -> Iterator[Part]:
        reading = read(diff)
        piece = _piece(diff, 0) if diff.patch is not None else None
        yield from diff_parts(reading, self.cwd, self.how, piece)
        if not reading.files and not reading.raw:
            yield Words("A diff without changes.", "dim")

    def _terminal(self, terminal: Terminal) -> Iterator[Part]:
        name = terminal.key.id
        known = self._scrollbacks.get(name)
        if known is None or known.terminal is not terminal:
            known = self._scrollbacks[name] = Scrollback(terminal)
            end = monotonic() + SLICE
            known.step(lambda: monotonic() > end)
        yield self._keep(("terminal", name), terminal, lambda: self._terminal_head(terminal))
        yield from known.parts()

    def _terminal_head(self, terminal: Terminal) -> Part:
        def facts() -> str:
            said = [
                *terminal_facts(terminal, self.now()),
                words.size(terminal.output.size + terminal.output.cut),
            ]
            return " · ".join([*said, *([f"in {one_line(terminal.cwd)}"] if terminal.cwd else [])])

        name = file_name(
            (terminal.command or "terminal").split("\n")[0].replace("/", "-"), "terminal", ".log"
        )
        piece = Piece("the output", name, terminal.output.data)
        leads = terminal.key if terminal.key != self.key else None
        return Head(f"$ {one_line(terminal.command or 'terminal')}", facts, piece, leads)

    # The others

    def _plan(self, plan: Plan) -> Iterator[Part]:
        content = plan.plan
        if isinstance(content, PlanMarkdown):
            piece = Piece("the plan", "plan.md", lambda: encoded(content.content))
            marked: Marked = self._keep("plan", plan, lambda: Marked(piece=piece))
            marked.put(content.content, growing=False)
            yield marked
        elif isinstance(content, PlanItems | PlanFile):
            yield self._keep("plan", plan, lambda: Drawn(self._plan_lines, lambda: self._revision()))
        else:
            yield from self._keep("plan", content, lambda: json_parts(content.raw))

    def _plan_lines(self, width: int, look: Look) -> Lines:
        plan = self.store.entity(self.key)
        assert isinstance(plan, Plan)
        return plan_lines(plan, Page(width, look, ((" ", look.base),), look.base))

    def _revision(self) -> int:
        entity = self.store.entity(self.key)
        return entity.revision if entity is not None else -1

    def _compaction(self, compaction: Compaction) -> Iterator[Part]:
        said = words.COMPACTIONS.get(compaction.status) or f"compaction: {one_line(compaction.status)}"
        yield Words(said, "turn_failed" if compaction.status == "failed" else "strong")
        if compaction.error:
            yield Words(compaction.error, "turn_failed")
        yield Blank()
        yield from self._blocks(compaction.summary, Kind.COMPACTION, compaction.status == "in_progress")

    def _turn(self, turn: Turn) -> Iterator[Part]:
        view = TurnView(turn, self.store, self.now)
        failed = turn.stop_reason in ("error", "disconnected")
        yield Words(
            view.words() or words.stop_reason(turn.stop_reason), "turn_failed" if failed else "strong"
        )
        if (error := turn.error) is not None:
            yield Blank()
            yield Words(error.message, "turn_failed")
            yield Words(f"code {error.code}", "dim")
            if error.data is not None:
                yield Blank()
                yield Head("data", piece=_json("the error's data", "error", error.data))
                yield from self._keep("data", error, partial(json_parts, error.data))
        tail = self.store.connection.stderr_tail
        if turn.stop_reason == "disconnected" and tail:
            yield Blank()
            yield Head(
                "the agent's last words on stderr", piece=_text("what the agent said", "stderr.log", tail)
            )
            for line in tail:
                yield Words(line, left=3)

    def _subagent(self, subagent: Subagent) -> Iterator[Part]:
        yield self._keep("line", subagent, lambda: Viewed(make_view(subagent, self.store, self.now)))
        if subagent.description:
            yield Words(subagent.description, "dim", left=3)
        child = self.store.sessions.get(subagent.child)
        for key in child.timeline if child is not None else ():
            entity = self.store.entity(key)
            if entity is not None:
                yield Blank()
                yield self._keep(key, entity, partial(Entry, entity, self.store, self.now))

    def _request(self, request: AgentRequest) -> Iterator[Part]:
        if not isinstance(request.params, RequestPermissionRequest):
            yield from self._keep("params", request.params, lambda: json_parts(request.params))
        else:
            yield self._keep(
                "asked",
                request.params,
                lambda: Drawn(self._request_lines, lambda: self._asked_revision(request)),
            )
            yield Blank()
            for number, option in enumerate(request.params.options, 1):
                chosen = isinstance(request.outcome, dict) and _chosen(request.outcome) == option.option_id
                mark, style = ("✓ ", "strong") if chosen else ("  ", "base")
                yield Words(f"{mark}{number}  {visible(option.name)}  ({visible(option.kind)})", style)
        yield Blank()
        yield Words(_answer(request), "dim")

    def _request_lines(self, width: int, look: Look) -> Lines:
        request = self.store.entity(self.key)
        if not isinstance(request, AgentRequest):
            return Lines()
        from acp_tui.ui.looking import look_at

        return request_lines(request, self.store, width, look, look_at(self.store, request))

    def _asked_revision(self, request: AgentRequest) -> tuple[int, int]:
        about = (self.store.entity(key) for key in self._about(request))
        return request.revision, sum(e.revision for e in about if e is not None)

    def _about(self, request: AgentRequest) -> Sequence[Key]:
        call = getattr(getattr(request.params, "subject", None), "tool_call", None)
        return [Key(self.key.session, Kind.TOOL_CALL, call.tool_call_id)] if call is not None else []


def _piece(item: Any, number: int) -> Piece | None:
    """What can be taken of an item of a tool call's content."""
    if isinstance(item, Diff):
        patch = item.patch.text if item.patch is not None else ""
        return Piece("the patch", "changes.patch", lambda: encoded(patch))
    if isinstance(item, ContentItem):
        return piece_of(item.content, number)
    return _json("the content", "content", item.raw if isinstance(item, Unknown) else item)


def _json(what: str, name: str, value: Any) -> Piece:
    return Piece(what, f"{name}.json", lambda: encoded(as_json(loaded(value)) + "\n"))


def _text(what: str, name: str, lines: Sequence[str]) -> Piece:
    return Piece(what, name, lambda: encoded("\n".join(lines) + "\n"))


def _chosen(outcome: dict[str, Any]) -> Any:
    inner = outcome.get("outcome")
    return inner.get("optionId") if isinstance(inner, dict) else None


def _answer(request: AgentRequest) -> str:
    if request.status == "pending":
        return "waits for you"
    by = {
        "user": "by you",
        "rule": f"by your rule “{one_line(request.answered_why, 200)}”",
        "cancel": "by cancelling",
        "agent": "withdrawn by the agent",
        "close": "by closing",
    }
    at = f" at {words.clock(request.answered_at)}" if request.answered_at else ""
    if request.status == "void":
        return f"nobody is left to answer{at}"
    return f"answered {by.get(request.answered_by, clean(request.answered_by))}{at}"
