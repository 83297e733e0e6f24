"""What a client shows at the end of the recorded conversations with Codex, which speaks version 2.

Written by hand from the traces and the checklist, not by running anything: it says what is right.
"""

from __future__ import annotations

from typing import Final

from tests.inspection.ends_v1 import (
    AGAIN,
    HELLO,
    SHELL,
    SLOW,
    THINK,
    USE,
    End,
    Item,
    agent,
    mock,
    path,
    slow,
    told,
    tool,
    user,
)

NAMED: Final = "Mock session title"
ALLOWED: Final = (("Run command?", "allow_once"),)
OUTPUT: Final = "lab-shell-ok\n\x1b[32mgreen\x1b[0m\n/tmp/lab/work/codex\n"
RAN: Final = ("call", SHELL, "execute", "completed", f"terminal 0 {OUTPUT}")
ENDED: Final = ("call", SHELL, "execute", "failed", "terminal ended ")
"""Not run: an exit status without code and signal is one as well (TM-09)."""
THOUGHT: Final = (
    "The user wants me to think.\n\n**Step one**: read the words. Step two: pick an answer.\n"
    "I am sure that this is a mock, so I will answer with the usual text."
)


def codex(*items: Item, **more: object) -> End:
    """Codex names its sessions itself, after the first turn."""
    given = {"mode": "workspace-write", "rest": "end_turn", "title": NAMED, **more}
    return End(items=items, **given)  # type: ignore[arg-type]


def chunk(id: str, seconds: str, code: int, tokens: int, output: str) -> Item:
    """What Codex tells the model about a command."""
    return told(
        f"Chunk ID: {id}\nWall time: {seconds} seconds\nProcess exited with code {code}\n"
        f"Original token count: {tokens}\nOutput:\n{output}"
    )


WRITE: Final = f"echo Hello from the lab. > {path('codex', 'write_allow')}"
LOOP: Final = r"for i in 1 2 3 4 5; do printf '\033[3%dmline %d\033[0m\n' $i $i; sleep 0.7; done; exit 3"
LONG: Final = "echo start; touch x; sleep 25"


def line(number: int) -> str:
    """What the loop prints."""
    return f"\x1b[3{number}mline {number}\x1b[0m\n"


ENDS: dict[str, End] = {
    "codex.ask": codex(
        user("Please use a TOOL:ask now."),
        USE,
        told("request_user_input is unavailable in Default mode"),
    ),
    "codex.basic": codex(
        user(HELLO), mock(HELLO), user(THINK), ("thought", f"\n\n{THOUGHT}"), mock(THINK), turns=2
    ),
    "codex.cancel": codex(user(SLOW), slow(2), user(HELLO), mock(HELLO), turns=2),
    "codex.config": codex(mode="read-only", turns=0, rest="", title=None),
    "codex.fail": codex(
        user("FAIL400 please."),
        agent('{"type": "error", "error": {"type": "invalid_request_error", "code": 400,…'),
        user(HELLO),
        mock(HELLO),
        turns=2,
    ),
    "codex.multi": codex(
        user(f"MULTI please. path={path('codex', 'multi')}"),
        USE,
        RAN,
        chunk("10dfe1", "0.0000", 0, 12, OUTPUT),
        asked=ALLOWED,
    ),
    "codex.perm_cancel": codex(
        user(tool("codex", "perm_cancel")),
        USE,
        ENDED,
        user(HELLO),
        mock(HELLO),
        asked=(("Run command?", "cancelled"),),
        answered=1,
        turns=2,
    ),
    "codex.plan": codex(
        user("Please use a TOOL:plan now."), USE, RAN, chunk("8da233", "0.0001", 0, 12, OUTPUT), asked=ALLOWED
    ),
    # The second prompt was never inserted: the cancel ended it.
    "codex.queue": codex(user(SLOW), slow(7), rest="cancelled", title=None),
    # First it is told as `read`, then, with the permission, as `execute`: that is an update like any (PM-03).
    "codex.read": codex(
        user(tool("codex", "read", "TOOL:read")),
        USE,
        (
            "call",
            f"Read file '{path('codex', 'read')}'",
            "execute",
            "completed",
            "text line one\nline two\n",
            f"at {path('codex', 'read')}",
        ),
        chunk("f724ef", "0.0000", 0, 5, "line one\nline two\n"),
        asked=ALLOWED,
    ),
    "codex.resume": codex(
        user(HELLO), mock(HELLO), user(THINK), ("thought", THOUGHT), mock(THINK), user(AGAIN), mock(AGAIN)
    ),
    # Codex never sent the first line: what came is shown, and nothing is made up.
    "codex.shellstream": codex(
        user(f"Please use a TOOL:shell now. cmd=`{LOOP}`"),
        USE,
        ("call", LOOP, "execute", "failed", f"terminal 3 {line(2)}{line(3)}{line(4)}{line(5)}"),
        chunk("b28945", "3.4347", 3, 20, "".join(line(number) for number in range(1, 6))),
        asked=ALLOWED,
    ),
    "codex.tool_allow": codex(
        user(tool("codex", "tool_allow")), USE, RAN, chunk("b2b7d3", "0.0000", 0, 12, OUTPUT), asked=ALLOWED
    ),
    "codex.tool_reject": codex(
        user(tool("codex", "tool_reject")),
        USE,
        ENDED,
        asked=(("Run command?", "cancel"),),
        rest="cancelled",
        title=None,
    ),
    # Codex tells no end of the call that was cancelled: that is known from the cancel alone (CX-02).
    "codex.toolcancel": codex(
        user(f"Please use a TOOL:shell now. cmd=`{LONG}`"),
        USE,
        ("call", LONG, "execute", "cancelled", "terminal open "),
        user(HELLO),
        mock(HELLO),
        asked=ALLOWED,
        turns=2,
    ),
    "codex.unknown": codex(user(HELLO), mock(HELLO)),
    "codex.write_allow": codex(
        user(tool("codex", "write_allow", "TOOL:write")),
        USE,
        ("call", WRITE, "execute", "completed", "terminal 0 "),
        chunk("e3b055", "0.0000", 0, 0, ""),
        user(tool("codex", "write_allow", "TOOL:edit")),
        USE,
        ("call", "Editing files", "edit", "completed", "add /tmp/lab/work/codex/lab-patch.txt"),
        told(
            "Exit code: 0\nWall time: 0.2 seconds\nOutput:\n"
            "Success. Updated the following files:\nA lab-patch.txt\n"
        ),
        asked=ALLOWED,
        turns=2,
    ),
}
