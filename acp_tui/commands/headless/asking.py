"""What the agent asks, put before the user in his terminal, line by line.

Invariants: what he is to allow is shown whole, and with it whatever is odd about it; an answer is a number he
typed and Enter, after the question stood there for a moment; an address is shown and never opened; where he
types Ctrl+D nothing is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from acp_tui.client.intents import AnswerElicitation, AnswerPermission
from acp_tui.commands.headless.filling import fill
from acp_tui.commands.headless.tty import Hung, Tty
from acp_tui.protocol.elicitation import ElicitationFormMode, ElicitationUrlMode
from acp_tui.protocol.permission import PermissionOption, RequestPermissionRequest
from acp_tui.render.clean import one_line, visible
from acp_tui.services.addresses import address
from acp_tui.services.forms import form_of
from acp_tui.store.entities import AgentRequest
from acp_tui.store.store import Store

Answer = AnswerPermission | AnswerElicitation
_FILL = "fill"
_NO = {"decline": "decline", "cancel": "cancel"}


async def ask(tty: Tty, store: Store, request: AgentRequest, styled: bool) -> Answer:
    """Ask it and take the answer; cancel this where the request waits no more."""
    try:
        match request.params:
            case RequestPermissionRequest():
                return await _permission(tty, store, request, styled)
            case ElicitationUrlMode() as params:
                return await _address(tty, store, request, params)
            case params:
                return await _form(tty, store, request, params)
    except Hung:
        return unasked(request)


def unasked(request: AgentRequest) -> Answer:
    """The answer that allows nothing: the option that rejects for this once, where there is one; none that
    would hold for longer, for nobody chose it.
    """
    if not isinstance(request.params, RequestPermissionRequest):
        return AnswerElicitation(request.key, "decline")
    rejecting = [option for option in request.params.options if option.kind == "reject_once"]
    return AnswerPermission(request.key, rejecting[0].option_id if rejecting else None)


def what(request: AgentRequest) -> str:
    """What is asked, in the agent's words, in one line."""
    params = request.params
    said = params.title if isinstance(params, RequestPermissionRequest) else params.message
    return one_line(said, 400)


async def _permission(tty: Tty, store: Store, request: AgentRequest, styled: bool) -> AnswerPermission:
    from acp_tui.commands.headless.subject import subject

    options: list[PermissionOption] = request.params.options
    tty.out.write(_heading(store, request, "asks for your permission"))
    for line in subject(store, request, tty.width, styled):
        tty.out.write(f"{line}\n")
    tty.out.write("\n")
    number = await choose(tty, [_option(option) for option in options])
    return AnswerPermission(request.key, options[number].option_id)


def _option(option: PermissionOption) -> str:
    """Its name, and what it means where the name does not say so."""
    name, kind = visible(option.name).replace("\n", " "), option.kind.replace("_", " ")
    return name if kind.casefold() in name.casefold() else f"{name} ({one_line(kind, 30)})"


async def _address(
    tty: Tty, store: Store, request: AgentRequest, params: ElicitationUrlMode
) -> AnswerElicitation:
    found = address(params.url)
    tty.out.write(_heading(store, request, "wants you to open an address"))
    tty.out.write(f"{_indented(params.message)}  {visible(found.whole)}\n")
    if found.host:
        tty.out.write(f"  It leads to {visible(found.host)}.\n")
    for odd in found.odd:
        tty.out.write(f"  ! {visible(odd)}\n")
    tty.out.write("\n")
    return AnswerElicitation(request.key, await _pick(tty, {"accept": "yes, I open it myself", **_NO}))


async def _form(
    tty: Tty, store: Store, request: AgentRequest, params: ElicitationFormMode
) -> AnswerElicitation:
    form = form_of(params.requested_schema)
    tty.out.write(_heading(store, request, "wants to know something"))
    tty.out.write(f"{_indented(params.message)}{_indented(form.title)}{_indented(form.description)}\n")
    content: dict[str, Any] | None = None
    if form.impossible:
        tty.out.write("  It needs a kind of field that cannot be shown here.\n")
    wanted = await _pick(tty, _NO if form.impossible else {_FILL: "fill it in", **_NO})
    while wanted == _FILL:
        content = await fill(tty, form)
        wanted = await _pick(tty, {"accept": "send it", _FILL: "fill it in again", **_NO})
    return AnswerElicitation(request.key, wanted, content if wanted == "accept" else None)


async def _pick(tty: Tty, ways: Mapping[str, str]) -> str:
    """One of the ways to answer, each with its words. Raises `Hung`."""
    return [*ways][await choose(tty, [*ways.values()])]


async def choose(tty: Tty, words: Sequence[str]) -> int:
    """One of these, counted from 0, after a moment in which nothing counts. Raises `Hung`."""
    for number, word in enumerate(words, 1):
        tty.out.write(f"  {number}  {word}\n")
    prompt = f"{'1' if len(words) == 1 else f'1-{len(words)}'}, then Enter: "
    await tty.listen(prompt)
    while True:
        said = (await tty.line()).strip()
        if said.isascii() and said.isdigit() and len(said) < 6 and 0 < int(said) <= len(words):
            return int(said) - 1
        tty.out.write(prompt)


def _heading(store: Store, request: AgentRequest, what: str) -> str:
    waiting = [one.key for one in store.waiting()]
    place = waiting.index(request.key) + 1 if request.key in waiting else 1
    of = f" ({place} of {len(waiting)})" if len(waiting) > 1 else ""
    session = store.sessions.get(request.key.session)
    name = one_line(store.connection.agent_name, 40)
    name = f"acp-tui, for {name}," if request.ours else name
    who = f"A subagent of {name}" if session is not None and session.parent is not None else name
    return f"\n{who} {what}{of}\n"


def _indented(text: str | None) -> str:
    return "".join(_lines(visible(text or "").strip("\n")))


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n") if text else ():
        yield f"  {line}\n"
