"""What a client shows at the end of the recorded conversations with agents of version 1.

Written by hand from the traces and the checklist, not by running anything: it says what is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Item = tuple[str, ...]
"""`("user" | "agent" | "thought", text)` or `("call", title, kind, status shown, what it holds…)`. Texts are
whole, but for those that end in `…`."""


@dataclass(frozen=True, kw_only=True)
class End:
    """The end of one conversation."""

    items: tuple[Item, ...]
    title: str | None = None
    mode: str = "agent"
    turns: int = 1
    asked: tuple[tuple[str, str], ...] = ()
    """Titles of permissions, and the option chosen or `cancelled`."""
    answered: int = 0
    """How many requests of the agent the client answers by itself: those that a cancel ends."""
    rest: str = ""
    """The stop reason at the end; none where nothing was asked."""


def gemini(*items: Item, **more: object) -> End:
    """Gemini has four modes, and no titles."""
    return End(items=items, **{"mode": "default", "rest": "end_turn", **more})  # type: ignore[arg-type]


def fast(title: str | None, *items: Item, **more: object) -> End:
    """Fast-agent has one mode, and calls the session by its first prompt."""
    return End(items=items, title=title, **{"rest": "end_turn", **more})  # type: ignore[arg-type]


def user(text: str) -> Item:
    """What was asked."""
    return ("user", text)


def agent(text: str) -> Item:
    """What was answered."""
    return ("agent", text)


def mock(said: str) -> Item:
    """The usual answer, whole."""
    return agent(
        f"# Mock answer\n\nHello from the *mock* model. You said: `{said}`\n\n"
        "1. First item with **bold**\n2. Second item with [a link](http://127.0.0.1/)\n\n"
        '```python\ndef greet(name: str) -> str:\n    return f"hello {name}"   # a comment\n```\n\n'
        "| column | value |\n|--------|------:|\n| wide   | 漢字   |\n"
        "| emoji  | \N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER} ok |\n\n> A quote, and the end.\n"
    )


def told(result: str) -> Item:
    """What the mock model says when it has the result of its tools."""
    return agent(f"The tool said:\n\n```\n{result}\n```\n\nThat is all, **done**.")


def path(agent_name: str, word: str) -> str:
    """The file that a conversation is about."""
    return f"/tmp/lab/work/{agent_name}/hello-{word}.txt"


USE: Final = agent("I will use a tool now.")
HELLO, AGAIN, THINK = "Say hello, please.", "Say hello again, please.", "THINK about it."
SLOW, SECOND = "A SLOW answer, please.", "Say hello, second prompt."
SHELL: Final = r"touch lab-marker; echo lab-shell-ok; printf '\033[32mgreen\033[0m\n'; pwd"
WHERE: Final = "text [current working directory /tmp/lab/work/gemini]"
TOPIC: Final = (
    "call",
    'Update tactical intent: "lab strategic_intent"',
    "think",
    "completed",
    "text > [!STRATEGY]\n> **Intent:** lab strategic_intent",
)
WRITTEN: Final = (
    "Hello from the lab.\nSecond line: 漢字 \N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}\n"
)
BASH: Final = ("call", "bash", "execute", "pending")
RAN: Final = told(
    "lab-shell-ok\n\x1b[32mgreen\x1b[0m\n/tmp/lab/work/fast-agent\n"
    "process_id: process-1\nprocess exit code was 0"
)
TWO: Final = told("line one\nline two\n")
FAST_READ: Final = ("call", "environment/read_text_file", "read", "completed", "text line one\nline two\n")


def slow(last: int) -> Item:
    """The slow answer as far as it came."""
    return agent("".join(f"slow word {number}, " for number in range(1, last + 1)))


def tool(agent_name: str, word: str, which: str = "TOOL") -> str:
    """A prompt that makes the model use a tool."""
    return f"Please use a {which} now. path={path(agent_name, word)}"


def gemini_read(word: str) -> Item:
    """Gemini's tool for reading: its title is the name of the file, its content is not shown."""
    return ("call", f"hello-{word}.txt", "read", "completed", f"at {path('gemini', word)}")


WRITE = path("gemini", "write_allow")
ENDS: dict[str, End] = {
    "gemini.ask": gemini(
        user("Please use a TOOL:ask now."), USE, TOPIC, told("Strategic Intent: lab strategic_intent")
    ),
    "gemini.plan": gemini(
        user("Please use a TOOL:plan now."), USE, TOPIC, told("Strategic Intent: lab strategic_intent")
    ),
    "gemini.basic": gemini(
        user(HELLO), mock(HELLO), user(THINK), ("thought", "****\nThe****\nuser…"), mock(THINK), turns=2
    ),
    "gemini.cancel": gemini(user(SLOW), slow(5), user(HELLO), mock(HELLO), turns=2),
    # The client that was recorded sent its second prompt in the middle: that closes the message (V1-21).
    "gemini.queue": gemini(user(SLOW), slow(4), user(SECOND), mock(SECOND), turns=2),
    # No `current_mode_update`: an answer without error is the agent's agreement (V1-35).
    "gemini.config": gemini(agent("[MODE_UPDATE] autoEdit"), mode="autoEdit", turns=0, rest=""),
    "gemini.fail": gemini(user("FAIL400 please."), user(HELLO), mock(HELLO), turns=2),
    "gemini.tool_allow": gemini(
        user(tool("gemini", "tool_allow")),
        USE,
        ("call", SHELL, "execute", "completed"),
        agent(
            "The tool said:\n\n```\n<untrusted_context>\nOutput: lab-shell-ok\ngreen\n/tmp/lab/work/gemini\n…"
        ),
        asked=((SHELL, "proceed_once"),),
    ),
    # Gemini never tells what became of a call that was rejected: it stays as it was.
    "gemini.tool_reject": gemini(
        user(tool("gemini", "tool_reject")),
        USE,
        ("call", SHELL, "execute", "pending", WHERE),
        told('{"error": "Tool \\"run_shell_command\\" was canceled by the user."}'),
        asked=((SHELL, "cancel"),),
    ),
    "gemini.perm_cancel": gemini(
        user(tool("gemini", "perm_cancel")),
        USE,
        ("call", SHELL, "execute", "cancelled", WHERE),
        user(HELLO),
        mock(HELLO),
        asked=((SHELL, "cancelled"),),
        answered=1,
        turns=2,
    ),
    "gemini.multi": gemini(
        user(f"MULTI please. path={path('gemini', 'multi')}"),
        USE,
        ("call", SHELL, "execute", "completed"),
        gemini_read("multi"),
        TWO,
        asked=((SHELL, "proceed_once"),),
    ),
    "gemini.read": gemini(user(tool("gemini", "read", "TOOL:read")), USE, gemini_read("read"), TWO),
    "gemini.write_allow": gemini(
        user(tool("gemini", "write_allow", "TOOL:write")),
        USE,
        ("call", "Writing to hello-write_allow.txt", "edit", "completed", f"modify {WRITE}", f"at {WRITE}"),
        told(f"Successfully created and wrote to new file: {WRITE}. Here is the updated code:\n{WRITTEN}"),
        user(tool("gemini", "write_allow", "TOOL:edit")),
        USE,
        (
            "call",
            "hello-write_allow.txt: Hello => Hello from the lab....",
            "edit",
            "completed",
            f"modify {WRITE}",
            f"at {WRITE}",
        ),
        told(
            f"Successfully modified file: {WRITE} (1 replacements). Here is the updated code:\n"
            f"{WRITTEN} from the lab.\n{WRITTEN.partition(chr(10))[2]}"
        ),
        asked=(
            ("Writing to hello-write_allow.txt", "proceed_once"),
            ("hello-write_allow.txt: Hello => Hello from the lab....", "proceed_once"),
        ),
        turns=2,
    ),
    # Told around the answer to `session/load`: that ends the loading, and with it the first message (V1-40).
    "gemini.resume": gemini(
        user("<session_context>\nThis is the Gemini CLI.…"),
        user(HELLO),
        agent(f"# Mock answer\n\nHello from the *mock* model. You said: `{HELLO}`\n\n…"),
        user(THINK),
        ("thought", "****\nThe****\nuser…"),
        agent(f"# Mock answer\n\nHello from the *mock* model. You said: `{THINK}`\n\n…"),
        user(AGAIN),
        mock(AGAIN),
    ),
    # The client that was recorded sent a prompt without content: by V1-20 that is a message, an empty one.
    "gemini.unknown": gemini(user(""), user(HELLO), mock(HELLO), turns=2),
    "fast-agent.ask": fast("Please use a TOOL:ask now.", user("Please use a TOOL:ask now."), USE, BASH, RAN),
    "fast-agent.plan": fast(
        "Please use a TOOL:plan now.", user("Please use a TOOL:plan now."), USE, BASH, RAN
    ),
    # It never asks, and never tells that its shell ended.
    "fast-agent.tool_allow": fast(
        tool("fast-agent", "tool_allow"), user(tool("fast-agent", "tool_allow")), USE, BASH, RAN
    ),
    "fast-agent.tool_reject": fast(
        tool("fast-agent", "tool_reject"), user(tool("fast-agent", "tool_reject")), USE, BASH, RAN
    ),
    "fast-agent.perm_cancel": fast(
        tool("fast-agent", "perm_cancel"),
        user(tool("fast-agent", "perm_cancel")),
        USE,
        BASH,
        RAN,
        user(HELLO),
        mock(HELLO),
        turns=2,
    ),
    "fast-agent.basic": fast(HELLO, user(HELLO), mock(HELLO), user(THINK), mock(THINK), turns=2),
    "fast-agent.cancel": fast(SLOW, user(SLOW), slow(4), user(HELLO), mock(HELLO), turns=2),
    "fast-agent.queue": fast(
        SLOW,
        user(SLOW),
        slow(3),
        user(SECOND),
        agent("slow word 4, slow word 5, slow word 6, slow word 7, slow word 8, slow word 9, "),
        mock(SECOND),
        turns=2,
    ),
    "fast-agent.config": fast(None, turns=0, rest=""),
    "fast-agent.fail": fast(HELLO, user("FAIL400 please."), user(HELLO), mock(HELLO), turns=2),
    "fast-agent.multi": fast(
        f"MULTI please. path={path('fast-agent', 'multi')}",
        user(f"MULTI please. path={path('fast-agent', 'multi')}"),
        USE,
        BASH,
        FAST_READ,
        TWO,
    ),
    "fast-agent.read": fast(
        tool("fast-agent", "read", "TOOL:read"),
        user(tool("fast-agent", "read", "TOOL:read")),
        USE,
        FAST_READ,
        TWO,
    ),
    "fast-agent.write_allow": fast(
        tool("fast-agent", "write_allow", "TOOL:write"),
        user(tool("fast-agent", "write_allow", "TOOL:write")),
        USE,
        (
            "call",
            "environment/write_text_file",
            "edit",
            "completed",
            f"text Successfully wrote file: {path('fast-agent', 'write_allow')}",
        ),
        told(f"Successfully wrote file: {path('fast-agent', 'write_allow')}"),
        user(tool("fast-agent", "write_allow", "TOOL:edit")),
        USE,
        (
            "call",
            "environment/edit_file",
            "edit",
            "failed",
            f"text File already exists: {path('fast-agent', 'write_allow')}. "
            "Re-read it and provide old_string for an exact replacement.",
        ),
        told(
            f"File already exists: {path('fast-agent', 'write_allow')}. "
            "Re-read it and provide old_string for an exact replacement."
        ),
        turns=2,
    ),
    "fast-agent.resume": fast(
        HELLO, user(HELLO), mock(HELLO), user(THINK), mock(THINK), user(AGAIN), mock(AGAIN)
    ),
    "fast-agent.unknown": fast(HELLO, user(""), user(HELLO), mock(HELLO), turns=2),
    "fast-agent-passthrough.basic": fast(
        HELLO, user(HELLO), agent(HELLO), user(THINK), agent(THINK), turns=2
    ),
}
