"""The words of an answer as they come: whatever the pieces, nothing is written twice and nothing is lost."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from acp_tui.commands.headless.answer import Answer
from acp_tui.commands.headless.cleaning import Cleaner
from acp_tui.protocol import v2
from acp_tui.render.clean import pasteable
from acp_tui.store.reduce import reduce
from acp_tui.store.session import Session
from acp_tui.store.store import Store


class Stage:
    """A session, and what was written of its answer."""

    def __init__(self) -> None:
        self.store = Store()
        self.session = self.store.add(Session(ref="s", cwd="/", phase="open"))
        self.written: list[str] = []
        self.answer = Answer(self.session, self.written.append)
        self.store.watch(self.answer.follow, sessions=("s",))

    def tell(self, **update: Any) -> None:
        reduce(self.store, self.session, v2.decode_update(update), 1.0)

    def chunk(self, text: str, message: str = "m") -> None:
        content = {"type": "text", "text": text}
        self.tell(sessionUpdate="agent_message_chunk", messageId=message, content=content)

    def whole(self, text: str, message: str = "m") -> None:
        content = [{"type": "text", "text": text}]
        self.tell(sessionUpdate="agent_message", messageId=message, content=content)

    def end(self) -> str:
        self.store.flush()
        self.answer.end()
        return "".join(self.written)


@given(st.lists(st.text("ab\n\t\r\x1b[]0m;\x07\x9b\u202e", max_size=6)))
def test_pieces_are_cleaned_as_the_whole_would_be(pieces: list[str]) -> None:
    cleaner = Cleaner()
    said = "".join(cleaner.feed(piece) for piece in pieces) + cleaner.end()
    assert said == pasteable("".join(pieces))


def test_colour_does_not_keep_words_waiting() -> None:
    assert Cleaner().feed("\x1b[31mred") == "red"


def test_what_came_before_the_prompt_is_no_answer() -> None:
    store = Store()
    session = store.add(Session(ref="s", cwd="/", phase="open"))
    update = {
        "sessionUpdate": "agent_message",
        "messageId": "hi",
        "content": [{"type": "text", "text": "Hi"}],
    }
    reduce(store, session, v2.decode_update(update), 1.0)
    written: list[str] = []
    answer = Answer(session, written.append)
    answer.follow(session.timeline)
    answer.end()
    assert written == []


def test_a_message_that_goes_on_in_other_pieces_goes_on() -> None:
    stage = Stage()
    for piece in ("One", " t", "wo"):
        stage.chunk(piece)
        stage.store.flush()
    stage.whole("One two three")
    assert stage.end() == "One two three\n"


def test_a_message_that_is_replaced_begins_anew() -> None:
    stage = Stage()
    stage.chunk("One")
    stage.store.flush()
    stage.whole("Other")
    assert stage.end() == "One\n\nOther\n"


def test_messages_that_take_turns_stay_apart() -> None:
    stage = Stage()
    for text, message in (("a", "m"), ("b\n", "n"), ("c", "m"), ("\x1b[1mbold", "n")):
        stage.chunk(text, message)
        stage.store.flush()
    assert stage.end() == "a\n\nb\n\nc\n\nbold\n"


def test_what_is_no_text_is_named() -> None:
    stage = Stage()
    stage.chunk("see ")
    link = {"type": "resource_link", "name": "n", "uri": "file:///a\x1b[2J"}
    stage.tell(sessionUpdate="agent_message_chunk", messageId="m", content=link)
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    stage.tell(sessionUpdate="agent_message_chunk", messageId="m", content=image)
    stage.tell(sessionUpdate="agent_message_chunk", messageId="m", content={"type": "smell", "of": "tea"})
    assert stage.end() == "see [resource link file:///a][image image/png][smell]\n"


def test_where_nothing_is_said_tool_calls_have_the_word() -> None:
    words = {"type": "content", "content": {"type": "text", "text": "settled: completed\x1b[2J"}}
    diff = {"type": "diff", "changes": [{"operation": "add", "path": "/a"}]}
    silent, speaking = Stage(), Stage()
    for stage in (silent, speaking):
        for call, content in (("a", [words, words]), ("b", [diff]), ("c", [words])):
            update = {"toolCallId": call, "title": f"Call {call}", "content": content}
            stage.tell(sessionUpdate="tool_call_update", **update)
    speaking.whole("done")
    told = "settled: completed\n"
    assert silent.end() == f"Call a\n{told}{told}\nCall c\n{told}"
    assert speaking.end() == "done\n"
