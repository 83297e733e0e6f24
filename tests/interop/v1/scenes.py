"""What the peer does at a word of the prompt. A word may have an argument: `WORD:argument`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from acp.exceptions import RequestError
from acp.helpers import (
    audio_block,
    embedded_text_resource,
    image_block,
    plan_entry,
    resource_block,
    resource_link_block,
    text_block,
    tool_content,
    tool_diff_content,
    tool_terminal_ref,
    update_agent_message,
    update_available_commands,
    update_current_mode,
    update_plan,
)
from acp.schema import (
    AvailableCommand,
    AvailableCommandInput,
    ConfigOptionUpdate,
    Cost,
    ElicitationFormSessionMode,
    ElicitationSchema,
    ElicitationStringPropertySchema,
    EnvVariable,
    PermissionOption,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SessionInfoUpdate,
    ToolCallLocation,
    ToolCallUpdate,
    UnstructuredCommandInput,
    UsageUpdate,
)

from tests.interop.v1.talk import Talk

Scene = Callable[[Talk, str], Awaitable[str | None]]
"""Gives the stop reason, if the turn is to end with it."""

SCENES: dict[str, Scene] = {}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def scene(function: Scene) -> Scene:
    """It is played at its name in capitals, without underscores."""
    SCENES[function.__name__.replace("_", "").upper()] = function
    return function


async def play(talk: Talk, words: str) -> str:
    """Everything that the words ask for, in their order; the stop reason."""
    known = False
    for word in words.split():
        name, _, argument = word.partition(":")
        if name in SCENES:
            known = True
            reason = await SCENES[name](talk, argument)
            if reason is not None:
                return reason
    if not known:
        await talk.say(f"You said: {words}")
    return "end_turn"


# ------------------------------------------------------------------- messages


@scene
async def hello(talk: Talk, argument: str) -> None:
    await talk.say("Hello")
    await talk.say(", *world* 漢字 👩‍💻")


@scene
async def ids(talk: Talk, argument: str) -> None:
    for text, id in (("A1", "a"), ("B1", "b"), (" A2", "a"), (" B2", "b")):
        await talk.say(text, id)


@scene
async def thoughts(talk: Talk, argument: str) -> None:
    await talk.think("Hm")
    await talk.think(", well.")
    await talk.say("So.")
    await talk.think("Once more.")
    await talk.think("Named", "t")
    await talk.think(" thought.", "t")


@scene
async def between(talk: Talk, argument: str) -> None:
    await talk.say("before")
    await talk.call("between", "A call between")
    await talk.say("after")
    await talk.change("between", status="completed")
    await talk.say(", going on")


@scene
async def echo(talk: Talk, argument: str) -> None:
    await talk.quote("ECHO, as the")
    await talk.quote(" agent heard it")
    await talk.say("Heard.")
    await talk.quote("From another window.")


@scene
async def content(talk: Talk, argument: str) -> None:
    for block in (
        text_block("text, then:"),
        image_block(PIXEL, "image/png"),
        audio_block("AAAA", "audio/wav"),
        resource_link_block("a.txt", "file:///tmp/a.txt", size=12),
        resource_block(embedded_text_resource("file:///tmp/b.txt", "text of b")),
    ):
        await talk.tell(update_agent_message(block))


# ----------------------------------------------------------------- tool calls


@scene
async def tool(talk: Talk, argument: str) -> None:
    place = ToolCallLocation(path="/tmp/a.txt", line=3)
    await talk.call("t1", "Read a.txt", kind="read", status="pending", locations=[place], raw_input={"n": 1})
    await talk.change("t1", status="in_progress")
    await talk.change(
        "t1", status="completed", content=[tool_content(text_block("three lines"))], raw_output={"lines": 3}
    )
    await talk.change("t2", title="Never begun", kind="fetch", status="failed")


@scene
async def nulls(talk: Talk, argument: str) -> None:
    await talk.call("n1", "Kept", kind="search", content=[tool_content(text_block("kept"))])
    await talk.raw(
        sessionUpdate="tool_call_update", toolCallId="n1", title=None, kind=None, status=None, content=None
    )
    await talk.call("n2", "Cleared", content=[tool_content(text_block("to go"))])
    await talk.raw(sessionUpdate="tool_call_update", toolCallId="n2", content=[])


@scene
async def diff(talk: Talk, argument: str) -> None:
    changes = [
        tool_diff_content("/tmp/new.py", "print(1)\n"),
        tool_diff_content("/tmp/old.py", "a\nB\nc\n", "a\nb\nc\n"),
        tool_diff_content("/tmp/emptied.py", "", "x\n"),
    ]
    await talk.call("d1", "Edit three files", kind="edit", status="completed", content=changes)


@scene
async def unended(talk: Talk, argument: str) -> None:
    await talk.call("open", "Never ends", kind="execute", status="in_progress")


@scene
async def own_bytes(talk: Talk, argument: str) -> None:
    """The convention of some agents for terminals of their own."""
    named = {"terminal_id": "own"}
    call = {"sessionUpdate": "tool_call_update", "toolCallId": "bytes"}
    await talk.raw(
        **call | {"sessionUpdate": "tool_call"},
        title="make test",
        kind="execute",
        rawInput={"command": "make test"},
        _meta={"terminal_info": {**named, "cwd": "/tmp"}},
    )
    await talk.raw(**call, _meta={"terminal_output": {**named, "data": "\x1b[32mok"}})
    await talk.raw(**call, _meta={"terminal_output": {**named, "data": " 漢\r\n"}})
    ended = {"terminal_exit": {**named, "exit_code": 2, "signal": None}}
    await talk.raw(**call, status="failed", _meta=ended)


# ---------------------------------------------------------- lists and records


@scene
async def plan(talk: Talk, argument: str) -> None:
    await talk.tell(update_plan([plan_entry("Only this"), plan_entry("And that")]))
    entries = [
        plan_entry("Look", priority="high", status="completed"),
        plan_entry("Do", status="in_progress"),
        plan_entry("Tell", priority="low"),
    ]
    await talk.tell(update_plan(entries))


@scene
async def mode(talk: Talk, argument: str) -> None:
    talk.mode = argument or "code"
    await talk.tell(update_current_mode(talk.mode))


@scene
async def modeid(talk: Talk, argument: str) -> None:
    """As some agents write it."""
    talk.mode = argument or "code"
    await talk.raw(sessionUpdate="current_mode_update", modeId=talk.mode)


@scene
async def config(talk: Talk, argument: str) -> None:
    """Now there is a real option for the mode."""
    choices = [SessionConfigSelectOption(value=name, name=name) for name in ("low", "high")]
    own = SessionConfigOptionSelect(
        id="mode", name="Own mode", type="select", category="mode", current_value="high", options=choices
    )
    await talk.tell(
        ConfigOptionUpdate(session_update="config_option_update", config_options=[own, *talk.options])
    )


@scene
async def commands(talk: Talk, argument: str) -> None:
    hint = AvailableCommandInput(root=UnstructuredCommandInput(hint="what to look for"))
    await talk.tell(
        update_available_commands(
            [
                AvailableCommand(name="find", description="Look for something", input=hint),
                AvailableCommand(name="compact", description="Say less"),
            ]
        )
    )


@scene
async def usage(talk: Talk, argument: str) -> None:
    cost = Cost(amount=0.25, currency="USD")
    await talk.tell(UsageUpdate(session_update="usage_update", used=1000, size=8000, cost=cost))
    await talk.tell(UsageUpdate(session_update="usage_update", used=2000, size=8000))


@scene
async def info(talk: Talk, argument: str) -> None:
    talk.title = "Talk of 漢字"
    await talk.tell(
        SessionInfoUpdate(
            session_update="session_info_update", title=talk.title, updated_at="2026-01-02T03:04:05Z"
        )
    )


# --------------------------------------------------------------------- asking


async def _permission(talk: Talk, call: ToolCallUpdate, kinds: tuple[str, ...]) -> str:
    options = [PermissionOption(option_id=f"o-{kind}", name=kind, kind=kind) for kind in kinds]  # type: ignore[arg-type]
    answer = await talk.client.request_permission(talk.id, call, options)
    return getattr(answer.outcome, "option_id", "cancelled")


@scene
async def perm(talk: Talk, argument: str) -> None:
    await talk.call("perm", "Delete a.txt", kind="delete", status="pending")
    call = ToolCallUpdate(tool_call_id="perm", content=[tool_content(text_block("It is not needed."))])
    chosen = await _permission(talk, call, ("allow_once", "allow_always", "reject_once"))
    await talk.change("perm", status="completed" if "allow" in chosen else "failed")
    await talk.say(f"Chosen: {chosen}")


@scene
async def permnone(talk: Talk, argument: str) -> None:
    """A call nobody has heard of, without a title, and nothing to choose from."""
    chosen = await _permission(talk, ToolCallUpdate(tool_call_id="bare"), ())
    await talk.say(f"Chosen: {chosen}")


@scene
async def permtwo(talk: Talk, argument: str) -> None:
    """Two questions at once."""
    calls = [ToolCallUpdate(tool_call_id=f"two{n}", title=f"Question {n}") for n in (1, 2)]
    found = await asyncio.gather(*(_permission(talk, call, ("allow_once", "reject_once")) for call in calls))
    await talk.say(f"Chosen: {', '.join(found)}")


@scene
async def form(talk: Talk, argument: str) -> None:
    name = ElicitationStringPropertySchema(type="string", title="Your name")
    schema = ElicitationSchema(type="object", properties={"name": name}, required=["name"])
    asked = ElicitationFormSessionMode(session_id=talk.id, requested_schema=schema)
    answer = await talk.client.create_elicitation("Who are you?", asked)
    told = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
    await talk.say(f"Answer: {json.dumps(told, sort_keys=True)}")


@scene
async def vendor(talk: Talk, argument: str) -> None:
    await talk.client.ext_notification("peer/weather", {"sun": True})
    answer = await talk.tried(talk.client.ext_method("peer/ask", {"sessionId": talk.id}))
    other = await talk.tried(talk.wire.send_request("peer/other", {"sessionId": talk.id}))
    await talk.say(f"Vendor: {answer}, {other}")


@scene
async def odd(talk: Talk, argument: str) -> None:
    """Updates nobody knows, and one that is broken."""
    await talk.raw(sessionUpdate="peer_custom", value=1)
    await talk.raw(sessionUpdate="state_update", state="idle")
    await talk.raw(sessionUpdate="tool_call", title="without an id")
    await talk.say("Still here.")


# ------------------------------------------------------- files and terminals


@scene
async def read(talk: Talk, argument: str) -> None:
    """`READ:path[,line[,limit]]`"""
    path, *numbers = argument.split(",")
    line, limit = (*map(int, numbers), None, None)[:2]

    async def work() -> str:
        found = await talk.client.read_text_file(talk.id, str(talk.cwd / path), line=line, limit=limit)
        return repr(found.content)

    await talk.say(f"Read: {await talk.tried(work())}\n")


@scene
async def write(talk: Talk, argument: str) -> None:
    path = str(talk.cwd / argument)
    name = f"write {argument}"
    await talk.call(name, f"Write {argument}", kind="edit", locations=[ToolCallLocation(path=path)])

    async def work() -> str:
        await talk.client.write_text_file(talk.id, path, "written\nby the peer\n")
        return "ok"

    came = await talk.tried(work())
    await talk.change(name, status="completed" if came == "ok" else "failed")
    await talk.say(f"Write: {came}\n")


async def _terminal(talk: Talk, script: str, **more: Any) -> str:
    """Run it in a terminal that a call shows; its id."""
    made = await talk.client.create_terminal(talk.id, "sh", args=["-c", script], **more)
    name = made.terminal_id
    content = [tool_terminal_ref(name)]
    await talk.call(f"call {name}", "In a terminal", kind="execute", status="in_progress", content=content)
    return name


async def _result(talk: Talk, name: str) -> str:
    found = await talk.client.terminal_output(talk.id, name)
    status = found.exit_status
    ended = None if status is None else (status.exit_code, status.signal)
    return json.dumps([found.output, found.truncated, ended])


async def _printed(talk: Talk, name: str) -> Any:
    """Its output, once it has a line."""
    for _ in range(500):
        found = json.loads(await _result(talk, name))
        if "\n" in found[0]:
            return found
        await asyncio.sleep(0.01)
    raise TimeoutError("a terminal that prints nothing")


@scene
async def run(talk: Talk, argument: str) -> None:
    env = [EnvVariable(name="PEER", value="from the agent")]
    script = 'printf "%s\\n" "$PEER" "$PWD"; printf err >&2; exit 3'
    name = await _terminal(talk, script, env=env)
    waited = await asyncio.gather(*(talk.client.wait_for_terminal_exit(talk.id, name) for _ in range(2)))
    result = await _result(talk, name)
    await talk.client.release_terminal(talk.id, name)
    gone = await talk.tried(talk.client.terminal_output(talk.id, name))
    await talk.change(f"call {name}", status="failed")
    codes = [one.exit_code for one in waited]
    await talk.say(json.dumps({"waited": codes, "output": json.loads(result), "released": gone}))


@scene
async def kill(talk: Talk, argument: str) -> None:
    name = await _terminal(talk, "echo begun; exec sleep 60")
    waiting = asyncio.create_task(talk.client.wait_for_terminal_exit(talk.id, name))
    _, _, before = await _printed(talk, name)
    await talk.client.kill_terminal(talk.id, name)
    ended = await waiting
    await talk.client.release_terminal(talk.id, name)
    await talk.change(f"call {name}", status="completed")
    await talk.say(json.dumps({"before": before, "code": ended.exit_code, "signal": ended.signal}))


@scene
async def limit(talk: Talk, argument: str) -> None:
    name = await _terminal(talk, "printf 'abc漢字xyz'", output_byte_limit=8)
    await talk.client.wait_for_terminal_exit(talk.id, name)
    await talk.say(await _result(talk, name))
    await talk.client.release_terminal(talk.id, name)


@scene
async def left(talk: Talk, argument: str) -> None:
    """A terminal that is never released."""
    name = await _terminal(talk, "echo $$; exec sleep 60")
    await _printed(talk, name)


@scene
async def takeback(talk: Talk, argument: str) -> None:
    """Wait for a terminal, and think better of it."""
    name = await _terminal(talk, "exec sleep 60")
    waiting = asyncio.create_task(talk.tried(talk.client.wait_for_terminal_exit(talk.id, name)))
    asked = await talk.line.next_asked()
    await talk.wire.send_notification("$/cancel_request", {"requestId": asked})
    await talk.say(f"Taken back: {await waiting}")
    await talk.client.release_terminal(talk.id, name)


@scene
async def nowhere(talk: Talk, argument: str) -> None:
    """Commands that cannot be started, terminals that there are not."""
    missing = await talk.tried(talk.client.create_terminal(talk.id, "no-such-program-here", args=["x"]))
    unknown = await talk.tried(talk.client.kill_terminal(talk.id, "no-such-terminal"))
    await talk.say(f"Nowhere: {missing}, {unknown}")


# ----------------------------------------------------------------------- ends


@scene
async def stop(talk: Talk, argument: str) -> str:
    return argument


@scene
async def fail(talk: Talk, argument: str) -> None:
    await talk.say("About to fail.")
    raise RequestError(-32050, "The model is asleep", {"retry": False})


@scene
async def crash(talk: Talk, argument: str) -> None:
    raise ValueError("a fault of the peer")


@scene
async def wait(talk: Talk, argument: str) -> str:
    """Until it is cancelled."""
    await talk.call("waiting", "Wait", kind="execute", status="in_progress")
    await talk.say("Waiting.")
    await talk.stopped.wait()
    await talk.say(" Stopped.")
    return "cancelled"


@scene
async def late(talk: Talk, argument: str) -> None:
    """What comes after the answer."""
    await talk.call("late", "Runs on", kind="execute", status="in_progress")

    async def afterwards() -> None:
        await talk.change("late", status="completed")
        await talk.say("After the end.")

    talk.afterwards(afterwards)
