"""Scenes that test a client: slow, fast, long, failing, unknown and hostile."""

from __future__ import annotations

import os
import sys

from acp_tui.agent_side.turn import Turn, shown, text
from acp_tui.agent_side.wire import Fault, Json
from acp_tui.demo.scenes.scene import Scene
from acp_tui.protocol.errors import AUTH_REQUIRED

REFUSED = 4001
RATE_LIMITED = -32011
CRASH_STATUS = 3
_LONGEST = 50_000


async def slow(t: Turn, words: str) -> Json | None:
    """Words that come slowly, to be cancelled. Without pauses: a few words, then nothing until the cancel."""
    call = t.call("Count to a large number", "think")
    message = await t.say("This takes a while. Press **Esc** whenever you like.\n\n")
    for number in range(1, 241 if t.pace.speed > 0 else 13):
        await t.say(f"{number} … ", message_id=message)
        await t.pause(0.25)
    if t.pace.speed == 0:
        await t.until_cancelled()
    t.patch_call(call, status="completed")
    await t.say("\n\nNobody stopped me.\n", message_id=message)
    return None


async def error(t: Turn, words: str) -> Json | None:
    """The work ends with an error."""
    await t.say("I will ask the model …\n")
    await t.pause(1.0)
    details = {"status": 429, "retryAfter": 30}
    return {
        "stopReason": "error",
        "error": {"code": RATE_LIMITED, "message": "Rate limited", "data": details},
    }


async def login(t: Turn, words: str) -> Json | None:
    """The work ends for want of a login (AU-09)."""
    await t.say("I ask the model, but it does not know me any more.\n")
    return {"stopReason": "error", "error": {"code": AUTH_REQUIRED, "message": "Your pretend login expired"}}


async def stop(t: Turn, words: str) -> Json | None:
    """The work ends with the stop reason that was named."""
    reason = words.split()[0] if words.split() else "max_tokens"
    await t.say(f"I stop here, and say `{reason}`.\n")
    return {"stopReason": reason}


async def refuse(t: Turn, words: str) -> Json | None:
    """Played only by a client that does not name the command first; see `refusal`."""
    raise Fault(REFUSED, "The demo refuses this prompt, as you asked")


def refusal(words: str) -> None:
    """Refuse `/refuse` before it is inserted, so that its answer is an error (PR-13)."""
    if words.split()[:1] == ["/refuse"]:
        raise Fault(REFUSED, "The demo refuses this prompt, as you asked")


async def crash(t: Turn, words: str) -> Json | None:
    """Die in the middle of a sentence."""
    t.call("Divide by zero", "execute")
    await t.say("I have a bad feeling about")
    await t.session.wire.flush()
    await t.pause(0.5)
    sys.stderr.write("warning: the demo is about to crash\n")
    sys.stderr.write("\x1b[31mfatal:\x1b[0m this crash was asked for; restart me and go on\n")
    sys.stderr.flush()
    os._exit(CRASH_STATUS)


async def flood(t: Turn, words: str) -> Json | None:
    """Three thousand chunks as fast as the pipe takes them."""
    message = t.session.new_id("msg")
    for number in range(1, 3001):
        end = "\n\n" if number % 60 == 0 else " "
        words = f"`{number}`{end}" if number % 10 == 0 else f"word{end}"
        t.session.update("agent_message_chunk", messageId=message, content=text(words))
        if number % 100 == 0:
            await t.session.wire.drain()
    return None


async def long(t: Turn, words: str) -> Json | None:
    """As many entities as were asked for: messages, thoughts and tool calls."""
    count = min(int(words), _LONGEST) if words.strip().isdecimal() else 200
    for number in range(1, count + 1):
        match number % 4:
            case 1:
                await _message(t, f"Message **{number}** of {count}, with some `code` and a few words more.")
            case 2:
                thought = [text(f"Thought {number}: is there a shorter way to {count}?")]
                t.session.update("agent_thought", messageId=t.session.new_id("thought"), content=thought)
            case _:
                call = t.call(f"Read part {number}", "read")
                t.patch_call(call, status="completed", content=[shown(f"line {number}\n" * 5)])
        if number % 50 == 0:
            await t.pause(0.02)
    return None


async def _message(t: Turn, words: str) -> None:
    t.session.update("agent_message", messageId=t.session.new_id("msg"), content=[text(words)])


async def unknown(t: Turn, words: str) -> Json | None:
    """What a newer protocol or an extension may send. A client keeps it and goes on."""
    session = t.session
    await t.say("Now come things that no client of today knows.\n")
    session.update_unkept("_demo_weather", sky="clear", wind={"from": "west", "force": 3})
    session.update_unkept("mood_update", mood="curious")
    session.wire.notify("_demo/heartbeat", {"beat": 1})
    content = {"type": "_demo_sketch", "strokes": [[0, 0], [3, 4]]}
    session.update("agent_message_chunk", messageId=session.new_id("msg"), content=content)
    call = t.call("Dance", "_demo_dance", status="_demo_dancing")
    t.append(call, {"type": "_demo_steps", "steps": 3})
    await t.pause(0.4)
    t.patch_call(call, status="completed")
    session.update("plan_update", plan={"type": "_demo_map", "planId": "map", "places": ["here", "there"]})
    t.notice("_demo_debug", "A severity of our own")
    session.report("_demo_dreaming")
    await t.pause(0.4)
    session.report("running")
    try:
        await session.wire.request("_demo/question", {"q": "Do you know me?"})
    except Fault as fault:
        await t.say(f"You answered my unknown request with `{fault.code}`, which is right.\n")
    else:
        await t.say("You answered my unknown request with a result, which is odd.\n")
    return {"stopReason": "_demo_tired"}


EVIL = (
    "\x1b[2J\x1b[31mred\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[6n\r\x9b31m\x00\x7f"
    "[bold]markup[/bold] [@click=app.quit]x[/] \u202edesrever\u202c zero\u200bwidth \u2066isolated\u2069"
)
"""Everything that must never reach a terminal as it is."""


async def hostile(t: Turn, words: str) -> Json | None:
    """Control characters wherever a text can stand."""
    session = t.session
    t.entitle(f"title {EVIL}\nsecond line")
    t.notice("warning", f"notice {EVIL}", f"description {EVIL}")
    await t.say(f"message {EVIL}\n\n[a link](http://safe.example/{EVIL})\n\n```python\n{EVIL}\n```\n")
    await t.think(f"thought {EVIL}")
    entry = {"content": f"step {EVIL}", "status": "pending", "priority": "high"}
    session.update("plan_update", plan={"type": "items", "planId": "evil", "entries": [entry]})
    path = f"{session.cwd}/{EVIL}\n.py"
    change: Json = {"operation": "modify", "path": path, "fileType": "text"}
    patch = {"format": "git_patch", "text": f"diff --git a b\n@@ -1 +1 @@ {EVIL}\n-{EVIL}\n+{EVIL}\n"}
    content = [shown(f"output {EVIL}"), {"type": "diff", "changes": [change], "patch": patch}]
    where = [{"path": path, "line": 1}]
    call = t.call(f"call {EVIL}", "edit", name=f"tool {EVIL}", locations=where, content=content)
    t.patch_call(call, status="failed")
    await _hostile_terminal(t)
    compaction = session.new_id("compaction")
    summary = {"summary": [text(f"summary {EVIL}")], "error": f"error {EVIL}"}
    session.update("compaction_update", compactionId=compaction, status="failed", **summary)
    await _hostile_question(t)
    return {"stopReason": "error", "error": {"code": -32603, "message": f"error {EVIL}"}}


async def _hostile_terminal(t: Turn) -> None:
    command = f"cat {EVIL}"
    call = t.call(command, "execute")
    term = t.terminal(command)
    t.patch_call(call, content=[{"type": "terminal", "terminalId": term}])
    t.output(term, f"{EVIL}\r\n\x1b[?1049h\x1b[?1000h\x1b[5;5Hmoved\x1bP1$r0m\x1b\\\x1b[99999Afar\r\n")
    t.output(term, b"\xff\xfe not UTF-8 \x80\r\n")
    t.exited(term, 0)
    t.patch_call(call, status="completed")


async def _hostile_question(t: Turn) -> None:
    options: list[Json] = [
        {"optionId": f"yes {EVIL}", "name": f"Yes {EVIL}", "kind": "allow_once"},
        {"optionId": "no", "name": "No", "kind": "reject_once"},
    ]
    subject = {"type": "command", "command": f"echo {EVIL}; rm -rf ~", "cwd": t.session.cwd}
    choice = await t.ask(f"question {EVIL}", options, description=f"because {EVIL}", subject=subject)
    await t.say(f"You said {'no' if choice in ('no', None) else 'yes'}, and your terminal is unharmed.\n")


TROUBLE = (
    Scene("slow", "Words for a minute: cancel me", slow),
    Scene("error", "The work ends with an error", error),
    Scene("login", "A login is wanted: three ways, nothing to lose", login),
    Scene("stop", "The work ends with a reason of your choice", stop, "max_tokens, refusal, …"),
    Scene("refuse", "The prompt is not accepted at all", refuse),
    Scene("crash", "The agent dies with status 3", crash),
    Scene("long", "A long session at once", long, "how many entries, 200 if you do not say"),
    Scene("flood", "Three thousand pieces, as fast as can be", flood),
    Scene("unknown", "Things from the future and from elsewhere", unknown),
    Scene("hostile", "Control characters in every text", hostile),
)
