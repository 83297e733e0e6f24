"""Forms and addresses of the agent on the screen: shown whole, filled in at ease, answered only on purpose
(EL-07 to EL-22, S30).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Button

from acp_tui.ui.widgets.form_panel import FormPanel
from acp_tui.ui.widgets.forms import Forms
from tests.clock import Clock
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio
AGENT = Path(__file__).parent / "agents" / "asking.py"


@pytest.fixture
def clock() -> Clock:
    return Clock()


NAME = {"type": "string", "title": "Name", "minLength": 2, "maxLength": 3}
ALL = {
    "strategy": {"type": "string", "title": "Strategy", "enum": ["safe", "bold"], "default": "bold"},
    "named": {"type": "string", "title": "Named", "oneOf": [{"const": "a", "title": "First"}]},
    "many": {"type": "array", "title": "Several", "items": {"type": "string", "enum": ["x", "y"]}},
    "name": NAME,
    "count": {"type": "integer", "title": "Count", "minimum": 1, "maximum": 9, "default": 3},
    "ratio": {"type": "number", "title": "Ratio"},
    "sure": {"type": "boolean", "title": "Sure", "default": True},
    "story": {"type": "string", "title": "Story"},
}


def form(properties: dict[str, Any], *required: str, message: str = "How?", **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required), **more}
    return {"ask": {"mode": "form", "message": message, "requestedSchema": schema}}


def page(url: str, id: str = "e1") -> dict[str, Any]:
    return {"ask": {"mode": "url", "message": "Agree there", "elicitationId": id, "url": url}}


@asynccontextmanager
async def asking(
    clock: Clock, *arguments: str, size: tuple[int, int] = (80, 40), env: dict[str, str] | None = None
) -> AsyncIterator[Driven]:
    command = (sys.executable, str(AGENT), *arguments)
    async with driving(command, clock=clock, size=size) as driven:
        driven.link.agent.env = env or {}
        if not arguments:
            await driven.ready()
        yield driven


def panel(driven: Driven) -> FormPanel:
    found = driven.chat.query_one(Forms).panel
    assert found is not None
    return found


async def ask(driven: Driven, clock: Clock, *steps: dict[str, Any]) -> None:
    """Let the agent ask, and the deaf moment pass."""
    driven.submit(json.dumps(list(steps)))
    await driven.until(" asks ")
    await driven.until(lambda: panel(driven).has_focus_within or not driven.composer.has_focus)
    clock.at += 5


async def test_every_kind_of_field_is_filled_in_by_the_keyboard(clock: Clock) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form(ALL, "name", title="A title", description="And more"))
        text = driven.text()
        for words in ("Asking asks", "How?", "A title", "And more", "Name*", "bold", "[ ] x", "[✓]"):
            assert words in text
        await driven.press("tab", "tab", "enter", "down", "enter")  # the list opens, the first of it
        await driven.until("First")
        await driven.press("tab", "down", "space", "tab", *"Ada", "enter", "end", "backspace", "7")
        await driven.press("tab", *"0.5", "tab", "space", "tab", *"once", "ctrl+j", *"upon", "enter")
        await driven.until("came back")
        content = {
            "strategy": "bold", "named": "a", "many": ["y"], "name": "Ada", "count": 7, "ratio": 0.5,
            "sure": False, "story": "once\nupon",
        }  # fmt: skip
        outcome = driven.link.agent.client.requests[-1].outcome
        assert outcome == {"action": "accept", "content": content}
        assert not driven.chat.query_one(Forms).display and driven.composer.has_focus


async def test_what_has_no_room_is_told_and_comes_into_sight_with_the_focus(clock: Clock) -> None:
    async with asking(clock, size=(80, 24)) as driven:
        await ask(driven, clock, form(ALL))
        await driven.until("1 more line ↓")
        assert "Story" not in driven.text()
        await driven.press(*["tab"] * 8)
        await driven.until("Story")
        driven.composer.focus()
        driven.composer.put("a\nb\nc\nd")  # the form gives way, the transcript stays
        await driven.pilot.pause()
        assert "Ctrl+S Send" in driven.text() and "How?" not in driven.text()
        assert driven.chat.transcript.size.height > 0


async def test_what_is_wrong_is_said_as_one_types_and_not_sent(clock: Clock) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form({"name": NAME, "other": NAME}, "name", "other"))
        assert "this is needed" not in driven.text()
        await driven.press("tab", *"abcd")
        await driven.until("too long: 4 characters, 3 at most")
        await driven.press("ctrl+s")
        await driven.until("this is needed")
        assert driven.store.requests
        await driven.press("backspace", "tab", *"xy", "ctrl+s")
        await driven.until('"name": "abc"')


async def test_it_takes_no_focus_from_somebody_who_writes(clock: Clock) -> None:
    async with asking(clock) as driven:
        driven.composer.focus()
        await driven.type("half a ")
        driven.submit(json.dumps(form({"name": NAME})))
        await driven.until(" asks ")
        await driven.type("thought")
        assert driven.composer.has_focus and driven.composer.text == "half a thought"
        await driven.press("tab")
        assert panel(driven).has_focus
        await driven.type("s and")
        await driven.until(lambda: driven.composer.text == "half a thoughts and")
        assert driven.composer.has_focus and driven.store.requests


async def test_in_the_first_moments_nothing_answers(clock: Clock) -> None:
    async with asking(clock) as driven:
        driven.submit(json.dumps(form({})))
        await driven.until(" asks ")
        await driven.until(lambda: panel(driven).has_focus)
        await driven.press("ctrl+s", "alt+n", "alt+x")
        assert driven.store.requests
        clock.at += 0.5
        await driven.press("alt+n")  # still held down, as far as anybody can tell
        assert driven.store.requests
        clock.at += 5
        await driven.press("alt+n")
        await driven.until('{"action": "decline"}')


async def test_escape_answers_nothing_and_what_was_typed_is_kept(clock: Clock) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form({"name": NAME}))
        await driven.press("tab", *"ab", "escape")
        assert driven.composer.has_focus and driven.store.requests
        await driven.press("tab", "tab")
        assert panel(driven).rows[0].input.has_focus
        await driven.press("c", "enter")
        await driven.until('"name": "abc"')


async def test_another_conversation_and_back_looks_the_same(clock: Clock) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form({"name": NAME, "other": NAME}))
        await driven.press("tab", *"a", "tab", *"xyz")
        before, first = driven.text(), driven.chat
        other = driven.link.converse(driven.conversation.cwd)
        await driven.app.chats.open(other)  # type: ignore[misc]
        await driven.until(lambda: driven.app.screen is not first)
        assert "xyz" in driven.text()  # the same form, of the same agent
        driven.app.chats.show(first)
        await driven.until(lambda: driven.app.screen is first)
        assert (
            before.partition(" asks ")[2].splitlines()[1:8]
            == driven.text().partition(" asks ")[2].splitlines()[1:8]
        )


@pytest.mark.parametrize(
    ("button", "action"), [("decline", "decline"), ("cancel", "cancel"), ("accept", "accept")]
)
async def test_the_mouse_answers_too(clock: Clock, button: str, action: str) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form({}))
        await driven.pilot.click(f"#form-{button}")
        await driven.until(f'came back: {{"action": "{action}"')


async def test_several_wait_in_order_and_are_counted_beside_permissions(clock: Clock) -> None:
    async with asking(clock) as driven:
        first, second = form({}, message="The first?"), form({}, message="The second?")
        await ask(driven, clock, first, {"perm": "And this?"}, second)
        await driven.until("1 of 3")
        await driven.until("2 of 3")
        await driven.until("3 wait for you")
        assert "The first?" in driven.text() and "And this?" in driven.text()
        assert len(driven.store.requests) == 3
        panel(driven).focus()
        await driven.press("tab", "tab", "tab", "tab")  # past its buttons
        await driven.until("3 of 3")
        assert "The second?" in driven.text()
        clock.at += 5
        await driven.press("alt+x")
        await driven.until("The first?")
        await driven.until("2 wait for you")
        await driven.until(lambda: all(f"{n} of 2" in driven.text() for n in (1, 2)))
        assert len(driven.store.requests) == 2


async def test_the_agent_takes_its_form_back_and_the_reason_is_said(clock: Clock) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form({"name": NAME}), {"wait": True}, {"withdraw": True})
        await driven.press("tab", *"ab")
        driven.submit("go")
        await driven.until('{"action": "cancel"}')
        await driven.until("The agent took its form back")
        assert driven.composer.has_focus and driven.link.forms == {}


async def test_a_form_of_cancelled_work_says_that_the_work_was_cancelled(clock: Clock) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form({"name": NAME}))
        driven.composer.focus()
        await driven.press("escape")
        await driven.until("Closed: the work was cancelled")
        await driven.until("cancelled by you")
        assert "took its form back" not in driven.text()
        [request] = driven.link.agent.client.requests
        assert (request.answered_by, request.outcome) == ("cancel", {"action": "cancel"})


async def test_a_form_of_an_agent_that_died_leaves_with_it(clock: Clock) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form({"name": NAME}), {"wait": True}, {"die": 3})
        driven.submit("go")
        await driven.until("The agent is gone, and its form with it")
        assert not driven.chat.query_one(Forms).display


async def test_a_kind_nobody_knows_is_told_and_left_out_or_makes_it_impossible(clock: Clock) -> None:
    colour = {"type": "color", "title": "Colour"}
    async with asking(clock) as driven:
        await ask(driven, clock, form({"c": colour}, "c"), form({"c": colour}))
        assert "Colour*" in driven.text() and "you can decline or cancel" in driven.text()
        assert not driven.chat.query("#form-accept")
        await driven.press("ctrl+s")
        assert len(driven.store.requests) == 2
        await driven.press("alt+n")
        await driven.until("is left out: acp-tui cannot show this kind of field")
        await driven.until(lambda: driven.chat.query("#form-accept"))
        clock.at += 5
        await driven.press("ctrl+s")
        await driven.until('{"action": "accept", "content": {}}')


EVIL = "\x1b[2J\x1b]52;c;x\x07[bold]b[/] \u202eevil\u202c\nline"


async def test_hostile_words_in_a_form_do_nothing(clock: Clock) -> None:
    kinds = {
        f"a{EVIL}": {"type": "string", "title": EVIL, "description": EVIL, "default": EVIL, "pattern": EVIL},
        "b": {
            "type": "string",
            "oneOf": [{"const": EVIL, "title": EVIL, "description": EVIL}],
            "default": EVIL,
        },
        "c": {"type": "array", "items": {"type": "string", "enum": [EVIL, "z"]}, "default": [EVIL]},
        "d": {"type": EVIL, "title": EVIL},
    }
    async with asking(clock) as driven:
        await ask(driven, clock, form(kinds, message=EVIL, title=EVIL, description=EVIL))
        await driven.press("tab", "tab", "enter")
        await driven.pilot.pause()
        shown = driven.text()
        assert "[bold]b[/]" in shown
        assert not {c for c in shown if c != "\n" and not c.isprintable()}


async def test_an_address_in_a_form_is_text_and_leads_nowhere(clock: Clock) -> None:
    """EL-17: only that of a request to open one may be followed."""
    url = "https://evil.example/a"
    kinds = {"a": {"type": "string", "title": url, "description": url, "default": url}}
    async with asking(clock) as driven:
        await ask(driven, clock, form(kinds, message=url, title=url, description=f"[{url}]({url})"))
        assert driven.text().count(url) >= 5
        strips = driven.app.screen._compositor.render_strips()
        styles = [segment.style for strip in strips if url in strip.text for segment in strip]
        assert not [one for one in styles if one is not None and (one.link or "@click" in one.meta)]


def lines_in(folder: Path) -> list[bytes]:
    """All lines of all files."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [line for path in files for line in path.read_bytes().splitlines()]


async def test_what_was_typed_is_in_no_file(clock: Clock, own_folders: Path) -> None:
    async with asking(clock) as driven:
        await ask(driven, clock, form({"password": {"type": "string", "title": "Password"}}))
        await driven.press("tab", *"hunter2secret")
        assert "hunter2secret" in driven.text()
        await driven.press("enter")
        await driven.until("came back")
    answers = [line for line in lines_in(own_folders) if b'"accept"' in line and b'"result"' in line]
    assert answers and not [line for line in answers if b"hunter2secret" in line]


async def test_a_form_under_an_older_name_is_refused_at_once(clock: Clock) -> None:
    async with asking(clock) as driven:
        driven.submit(json.dumps({**form({}), "method": "session/elicitation"}))
        await driven.until('{"error": -32601}')


# During a request of ours


async def test_a_form_that_comes_before_there_is_a_session(clock: Clock) -> None:
    async with asking(clock, "asks") as driven:
        await driven.until("Who are you?")
        await driven.until(lambda: panel(driven).has_focus)
        clock.at += 5
        await driven.press("ctrl+s")
        await driven.ready()
        assert not driven.chat.query_one(Forms).display


# Addresses


def opener(folder: Path, status: int = 0) -> dict[str, str]:
    """A system whose browser writes down what it is to open."""
    script = folder / "xdg-open"
    script.write_text(f'#!/bin/sh\necho "$@" >> {folder}/opened\nexit {status}\n')
    script.chmod(0o755)
    return {"PATH": f"{folder}:{os.defpath}", "DISPLAY": ":0"}


async def addressed(
    clock: Clock, tmp_path: Path, *steps: dict[str, Any], status: int = 0
) -> AsyncIterator[Driven]:
    async with asking(clock, env=opener(tmp_path, status)) as driven:
        await ask(driven, clock, *steps)
        yield driven


URL = "https://bank.example@evil.example/a?b=c#d"


async def test_an_address_is_shown_whole_and_opened_only_on_consent(clock: Clock, tmp_path: Path) -> None:
    async for driven in addressed(clock, tmp_path, page(URL), {"wait": True}, {"complete": "e1"}):
        assert URL in driven.text() and "it leads to evil.example" in driven.text()
        assert not (tmp_path / "opened").exists()
        await driven.press("ctrl+s")
        await driven.until(lambda: (tmp_path / "opened").exists())
        assert (tmp_path / "opened").read_text() == f"{URL}\n"
        driven.submit("go")
        await driven.until("Done, says the agent")


async def test_declining_opens_nothing(clock: Clock, tmp_path: Path) -> None:
    async for driven in addressed(clock, tmp_path, page(URL)):
        await driven.press("alt+n")
        await driven.until('{"action": "decline"}')
        assert not (tmp_path / "opened").exists()


async def test_where_no_browser_can_be_opened_the_address_is_copied(clock: Clock, tmp_path: Path) -> None:
    async for driven in addressed(clock, tmp_path, page(URL), status=3):
        await driven.press("ctrl+s")
        await driven.until("No browser here: copied")
        assert driven.app.clipboard == URL


async def test_one_may_open_it_oneself(clock: Clock, tmp_path: Path) -> None:
    async for driven in addressed(clock, tmp_path, page(URL)):
        await driven.pilot.click("#form-mine")
        await driven.until('{"action": "accept"}')
        assert driven.app.clipboard == URL and not (tmp_path / "opened").exists()


async def test_an_address_that_is_no_web_page_is_never_opened(clock: Clock, tmp_path: Path) -> None:
    async for driven in addressed(clock, tmp_path, page("file:///etc/pass\u202ewd")):
        assert "file:///etc/pass<U+202E>wd" in driven.text()
        assert [str(button.id) for button in panel(driven).query(Button)] == [
            "form-mine",
            "form-decline",
            "form-cancel",
        ]
        assert "Ctrl+S" not in driven.text()
        await driven.press("ctrl+s")
        await driven.pilot.pause()
        assert driven.store.requests and not (tmp_path / "opened").exists()
