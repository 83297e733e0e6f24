"""Scenes made of words: thoughts, markdown, notices, a compaction, help, and the answer to a plain prompt."""

from __future__ import annotations

from acp_tui.agent_side.turn import Turn, text
from acp_tui.agent_side.wire import Json
from acp_tui.demo import story
from acp_tui.demo.scenes.scene import Scene

_MARKDOWN = """\
# Heading one

A paragraph with **bold**, *italic*, ~~struck~~ and `code`, wide letters 漢字, an emoji 👩‍💻, and \
a [link](https://agentclientprotocol.com) that shows where it goes.

## Lists

1. First, with a nested list
   - apples
   - pears, which have a name long enough that this item has to wrap on a screen of eighty columns
2. Second
   - [x] a task that is done
   - [ ] and one that is not

> A quotation. It may have
> several lines and **emphasis**.

## Code

```python
def lex(text: str) -> Iterator[Token]:
    \"\"\"All tokens but white space.\"\"\"
    yield from (Token(kind, part) for kind, part in pieces(text) if kind != "space")
```

```diff
-    i = m.end()
+    if m.end() == i:
+        raise LexError(i)
```

```
a fence without a language, and a line that is far too long for a screen of only eighty columns → → → end
```

## A table

| token | example | count |
| :-- | :-: | --: |
| number | `42` | 1 204 |
| dots | `...` | 37 |
| word | 漢字 | 5 |

---

That was *everything* I know to write.
"""

_THOUGHTS = (
    'The report names lex("a..b"). Two dots: is it the dots or the letters? The dots have a rule '
    "of their own, so they should be fine.\n\nThe letters have no rule at all. What does the "
    "pattern do with a letter? `[0-9]*` is happy with *nothing*. So the match is empty, "
    "`i` stays where it is, and the loop has no end.",
    "An error is better than skipping the letter: whoever calls this wants to know.",
)

_PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAABgAAAAMCAMAAABP7o1HAAAAYFBMVEXqll3qhl3Kkm7qdl3Kdm6rloCQlo+ihoWrdoCQdo/q"
    "Xl3KXm7cSmSrXoCQXo+iSoV1lp5alq1shqNDlrktlsY6hr51dp5adq1DdrktdsZ1Xp5aXq1sSqNDXrktXsY6Sr5EJu+qAAAA"
    "gUlEQVR42oXJwQKEEBRGYWMiMqRQIvX+b9n9m8XsmrM8HztR3ZEbkfmggR302w3lBmsgA8FxtlbrXkpxbrSWwNAHNEC9wX1h"
    "eIRtyzmv67osi9ZaKdV13Zt6ggSYZ0Df/yCmlMI0U172lOCcvygWYwphIvFekggAQzEGwOQBUvyHC6UxENeXVl/NAAAAAElF"
    "TkSuQmCC"
)
"""A PNG of 24x12: blue to orange."""

_SUMMARY = """\
The user reported that `lex("a..b")` hangs. The cause was an empty match in `src/lex.py`, line 31; it now \
raises `LexError`. A test was added. **Open:** the same pattern is used in `src/parse.py`.
"""


async def think(t: Turn, words: str) -> Json | None:
    """Two thoughts around an answer."""
    await t.think(_THOUGHTS[0])
    await t.say("I have an idea what it is; let me think it through once more.\n")
    await t.think(_THOUGHTS[1])
    await t.say(
        "It is the empty match. *Thoughts* are folded to a line; open one to read what led me here.\n"
    )
    return None


async def markdown(t: Turn, words: str) -> Json | None:
    """Every kind of block."""
    await t.say(_MARKDOWN)
    return None


async def content(t: Turn, words: str) -> Json | None:
    """Every kind of content that is no text, between texts."""
    message = await t.say("A message can hold more than words:\n")
    cwd = t.session.cwd
    blocks: list[Json] = [
        {"type": "image", "mimeType": "image/png", "data": _PICTURE},
        {"type": "audio", "mimeType": "audio/wav", "data": "UklGRiQAAABXQVZF"},
        {
            "type": "resource_link",
            "name": "grammar.txt",
            "uri": f"file://{cwd}/docs/grammar.txt",
            "mimeType": "text/plain",
            "size": 4_210,
        },
        {
            "type": "resource",
            "resource": {"uri": f"file://{cwd}/src/lex.py", "mimeType": "text/x-python", "text": story.LEX},
        },
        {
            "type": "resource",
            "resource": {
                "uri": f"file://{cwd}/tables.bin",
                "mimeType": "application/octet-stream",
                "blob": "AAECAwQFBgc=",
            },
        },
        {"type": "_demo_chart", "points": [1, 4, 9]},
    ]
    for block in blocks:
        await t.pause(0.3)
        t.session.update("agent_message_chunk", messageId=message, content=block)
    await t.say(
        "\nThe last one is of a kind that no client knows; it is kept as it came.\n", message_id=message
    )
    return None


async def notices(t: Turn, words: str) -> Json | None:
    """One of each severity."""
    await t.say("Three notices pass by; they are no part of the conversation.\n")
    t.notice("info", "The index is up to date", "214 files, 0 changed.")
    await t.pause(1.2)
    t.notice("warning", "The model is busy", "Answers may take a little longer than usual.")
    await t.pause(1.2)
    t.notice("error", "Could not reach the update server", "Going on with version 0.1.0.")
    return None


async def compact(t: Turn, words: str) -> Json | None:
    """A compaction whose summary grows, and one that fails."""
    t.spend(150_000 - t.session.used)
    await t.say("The context is nearly full, so I sum up what we have.\n")
    compaction = t.session.new_id("compaction")
    t.session.update("compaction_update", compactionId=compaction, status="in_progress")
    for line in _SUMMARY.splitlines(keepends=True):
        await t.pause(0.6)
        t.session.update("compaction_summary_chunk", compactionId=compaction, content=text(line))
    t.session.update("compaction_update", compactionId=compaction, status="completed")
    t.spend(18_000 - t.session.used)
    await t.say("Nothing is lost above the line: you still see it, I only remember the summary.\n")
    again = t.session.new_id("compaction")
    t.session.update("compaction_update", compactionId=again, status="in_progress")
    await t.pause(0.8)
    error = "There is nothing left to compact"
    t.session.update("compaction_update", compactionId=again, status="failed", error=error)
    return None


async def show_help(t: Turn, words: str) -> Json | None:
    """What can be tried."""
    from acp_tui.demo.scenes import SCENES  # the table holds this scene too

    lines = [f"- `/{name}` {scene.description.lower()}" for name, scene in SCENES.items()]
    await t.say("Type `/` and one of these:\n\n" + "\n".join(lines) + "\n", gap=0.005)
    return None


async def answer(t: Turn, words: str) -> Json | None:
    """The answer to a prompt that is no command."""
    await t.say(
        "I am the demo agent: a real ACP agent in a process of its own, but **without a model**, so I cannot "
        "answer that.\n\n"
    )
    got = [f"- {_described(block)}" for block in t.prompt if block.get("type") != "text"]
    if got:
        await t.say("I did get what you attached:\n\n" + "\n".join(got) + "\n\n")
    await t.say(
        "What I can do is show you around. `/tour` takes half a minute and shows nearly everything; "
        "`/permission` asks you something, `/slow` is there to be cancelled with **Esc**, "
        "`/help` lists the rest.\n"
    )
    return None


def _described(block: Json) -> str:
    resource = block.get("resource")
    uri = resource.get("uri") if isinstance(resource, dict) else block.get("uri")
    return f"{block.get('type')}: `{uri or block.get('mimeType') or 'no name'}`"


HELP = Scene("help", "The list of all scenes", show_help)

WORDS = (
    Scene("think", "Thoughts before and between words", think),
    Scene("markdown", "Every kind of block a message can have", markdown),
    Scene("content", "Pictures, sound, links and files in a message", content),
    Scene("notices", "Info, warning and error, passing by", notices),
    Scene("compact", "The context is summed up; usage falls", compact),
)
