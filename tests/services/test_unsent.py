"""Prompts that were not confirmed when the program ended."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from acp_tui.client.intents import Submit
from acp_tui.protocol.content import ImageContent, TextContent
from acp_tui.services import unsent
from tests.client.talk import Talk, names


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.start()
    talk.open()
    return talk


def of(talk: Talk, name: str = "") -> list[unsent.Unsent]:
    """What waits in all of its sessions."""
    return [one for session in talk.store.sessions.values() for one in unsent.waiting(session, name)]


def test_what_waited_is_put_before_the_user_and_never_sent(talk: Talk, tmp_path: Path) -> None:
    talk.say("on its way")
    talk.say("later")
    unsent.keep("/w", of(talk), tmp_path)
    first, second = unsent.take("/w", tmp_path)
    assert (first.blocks, second.blocks) == ((TextContent(text="on its way"),), (TextContent(text="later"),))
    assert "may have arrived" in first.why
    assert unsent.take("/w", tmp_path) == []
    again = Talk()
    again.start()
    again.open()
    for one in (first, second):
        assert names(again.want(Submit("a", one.blocks, held=one.why))) == []
    assert again.submissions() == ["held", "held"]


def test_blocks_come_back_as_they_were(talk: Talk, tmp_path: Path) -> None:
    talk.start(capabilities={"session": {"prompt": {"image": {}}}})
    session = talk.open("b", "B")
    blocks = (TextContent(text="see \ud800"), ImageContent(data="AAAA", mime_type="image/png"))
    talk.want(Submit("b", blocks, held="x"))
    unsent.keep("/w", unsent.waiting(session), tmp_path)
    [one] = unsent.take("/w", tmp_path)
    assert one.blocks[1] == blocks[1]


def test_nothing_is_left_of_what_was_accepted(talk: Talk, tmp_path: Path) -> None:
    talk.say("hello")
    unsent.keep("/w", of(talk), tmp_path)
    talk.reply("session/prompt", {"messageId": "u"})
    unsent.keep("/w", of(talk), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_session_gets_its_own_and_a_new_one_what_is_left(talk: Talk, tmp_path: Path) -> None:
    talk.say("hello")
    [one] = of(talk, "mine")
    unsent.keep("/w", [one, unsent.Unsent(one.blocks, "why", "other")], tmp_path)
    assert unsent.take("/w", tmp_path, "nobody's") == []
    assert unsent.take("/w", tmp_path, "mine") == [one]
    assert unsent.take("/w", tmp_path, "mine") == []
    assert [left.session for left in unsent.take("/w", tmp_path)] == ["other"]
    assert list(tmp_path.iterdir()) == []


def test_no_agent_gets_what_was_meant_for_another(talk: Talk, tmp_path: Path) -> None:
    talk.say("hello")
    [one] = of(talk)
    known, other = unsent.Whom(("npx", "a"), "A"), unsent.Whom(("npx", "b"), "B")
    nameless, old = unsent.Whom(("c",)), unsent.Whom()
    kept = [unsent.Unsent(one.blocks, "why", "s", whom) for whom in (known, other, nameless, old)]

    def given(*whom: unsent.Whom) -> list[unsent.Whom]:
        unsent.keep("/w", kept, tmp_path)
        return [left.agent for each in whom for left in unsent.take("/w", tmp_path, agent=each)]

    assert given(unsent.Whom(("npx", "a"))) == [known, old]
    assert given(unsent.Whom(("uvx", "a", "--more"), "A")) == [known, old], "it may be started otherwise"
    assert given(unsent.Whom(("npx", "a"), "C")) == [old], "another says that it is another"
    assert given(unsent.Whom(("c",), "C"), other, known) == [nameless, old, other, known]
    assert [left.agent for left in unsent.take("/w", tmp_path, "s")] == [], "all were handed out"


def test_folders_and_living_programs_are_apart(talk: Talk, tmp_path: Path) -> None:
    talk.say("hello")
    unsent.keep("/w", of(talk), tmp_path)
    assert unsent.take("/other", tmp_path) == []
    [path] = tmp_path.iterdir()
    parent = json.loads(path.read_text()) | {"pid": os.getppid(), "birth": birth(os.getppid())}
    path.write_text(json.dumps(parent))
    assert unsent.take("/w", tmp_path) == []
    path.write_text(json.dumps(parent | {"birth": "long ago"}))
    assert len(unsent.take("/w", tmp_path)) == 1


def birth(pid: int) -> str:
    found = unsent.processes.find(pid)
    assert found is not None
    return found.birth


@pytest.mark.parametrize("text", ["", "{", '{"pid": 1, "birth": "x", "prompts": [{"prompt": 5}]}'])
def test_a_damaged_file_is_nothing(tmp_path: Path, text: str) -> None:
    unsent.keep("/w", [], tmp_path)
    (tmp_path / f"{unsent._name('/w')}.1.json").write_text(text)
    assert unsent.take("/w", tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_that_is_raised(talk: Talk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    talk.say("hello")
    with pytest.raises(OSError):
        unsent.keep("/w", of(talk), tmp_path / "file")
    assert unsent.take("/w", tmp_path / "file") == []
