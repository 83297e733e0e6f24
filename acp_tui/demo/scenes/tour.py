"""`/tour`: the whole story, with a word on each thing that is shown."""

from __future__ import annotations

from acp_tui.agent_side.turn import Turn, shown
from acp_tui.agent_side.wire import Json
from acp_tui.demo import story
from acp_tui.demo.scenes.scene import Scene, fix, lex_py, may, plan, read, run

_TITLE = "Fix the tokenizer"

_WELCOME = """\
# A short tour

I am a **demo agent**: a real program at the other end of a pipe, with no model behind me and no network. \
I will repair a small lexer now. It takes half a minute, and I will ask you *one* question.

"""

_FOUND = """\
The loop never moves on when the pattern matches *nothing*:

```python
while i < len(text):
    m = PATTERN.match(text, i)
    i = m.end()        # the same i again, for ever
```

`[0-9]*` matches the empty string at `a`. I will raise an error there; the next step is an **edit**, which I \
may not make without you.
"""

_DONE = """\
All **13 tests** pass. What you have just seen:

| you saw | the protocol calls it |
| :-- | :-- |
| this text, growing | message chunks |
| the folded lines | thoughts, tool calls |
| colours of `pytest` | an agent-owned terminal |
| the question | a permission request |
| `plan 4/4` | a plan |

Go on with `/terminal`, `/permission` or `/background`; press **Esc** in the middle of `/slow`; \
`/help` lists the rest.
"""

_REJECTED = """\
Then I leave the file alone, and nothing was changed. That is a fine answer too: the rest of the plan is \
cancelled. `/permission` asks again, `/help` lists what else there is.
"""


async def play(t: Turn, words: str) -> Json | None:
    """Plan, think, read, reproduce, ask, edit, test."""
    if t.session.title != _TITLE:
        t.entitle(_TITLE)
    await t.say(_WELCOME)
    plan(t, 0)
    t.spend(5_200)
    await t.think('The report says that lex("a..b") hangs. First the loop, then a test that shows it.')
    await read(t, lex_py(t), story.LEX, story.LOOP_LINE)
    await _search(t)
    plan(t, 1)
    await t.say("The loop looks wrong to me. I will **reproduce** it before I touch anything.\n")
    await run(t, "pytest tests/test_lex.py -x", story.FAILING, 1)
    plan(t, 2)
    t.spend(9_400)
    await t.say(_FOUND)
    if not await _edit(t):
        plan(t, 2, cancelled=True)
        await t.say(_REJECTED)
        return None
    plan(t, 3)
    await run(t, "pytest tests/test_lex.py", story.PASSING, 0)
    plan(t, 4)
    t.spend(3_100)
    t.notice("info", "The demo saved nothing", "Files, commands and tests in this story are only told.")
    await t.say(_DONE)
    return None


async def _search(t: Turn) -> None:
    call = t.call("Search for “lex(”", "search", name="grep", rawInput={"pattern": "lex\\("})
    found = ("src/lex.py:26", "src/parse.py:14", "tests/test_lex.py:31")
    for hit in found:
        await t.pause(0.25)
        t.append(call, shown(f"{hit}\n"))
    t.patch_call(call, status="completed", title="Searched for “lex(”: 3 places")
    await t.pause(0.2)


async def _edit(t: Turn) -> bool:
    """Propose the fix and wait for the user."""
    path = lex_py(t)
    call = t.call(
        "Edit src/lex.py", "edit", status="pending", locations=[{"path": path, "line": story.LOOP_LINE}]
    )
    subject = {"type": "tool_call", "toolCall": {"toolCallId": call, "content": [fix(t)]}}
    description = "Raises LexError where nothing matches, instead of looping for ever."
    if not await may(t, "Change src/lex.py?", description=description, subject=subject):
        t.patch_call(call, status="failed", content=[fix(t), shown("Rejected by the user")])
        return False
    t.patch_call(call, status="in_progress", content=[fix(t)])
    await t.pause(0.4)
    t.patch_call(call, status="completed")
    return True


TOUR = Scene("tour", "Everything in half a minute, with one question", play, title=_TITLE)
