from __future__ import annotations

import base64
from typing import Any

from acp_tui.render.look import FALLBACK
from acp_tui.render.view import View
from acp_tui.store.holding import BIG
from acp_tui.store.keys import Kind
from acp_tui.ui.transcript.selection import logical
from tests.render.stage import Stage, drawn

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0" + b"\0" * 3000).decode()
JPEG = base64.b64encode(b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x10\0\x20\x03rest").decode()
GIF = base64.b64encode(b"GIF89a\x05\0\x07\0rest").decode()


def test_the_user_has_a_bar_and_the_agent_has_none(stage: Stage) -> None:
    stage.say("one\ntwo", "user_message", "u1")
    stage.say("# answer\nin `words`")
    user, agent = stage.views()
    assert drawn(user) == ["▌ one", "▌ two"]
    assert drawn(agent) == [" answer", " in words"]
    assert [user.gutter(0), agent.gutter(1)] == [2, 1]
    assert user.source() == "one\ntwo"
    assert not user.foldable and user.folded is None


def test_a_gap_is_one_blank_line(stage: Stage) -> None:
    stage.say("text")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view) == [" text"]
    view.gap = True
    assert drawn(view) == ["", " text"]
    assert view.estimate(60) == 2


def test_an_empty_message_shows_nothing(stage: Stage) -> None:
    stage.update("agent_message", messageId="m1", content=[])
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    view.gap = True
    assert drawn(view) == []
    assert view.estimate(60) == 0


def test_a_thought_is_one_line_until_it_is_opened(stage: Stage) -> None:
    stage.say("deep\n\nthought", "agent_thought")
    view = stage.view(Kind.AGENT_THOUGHT, "m1")
    assert drawn(view) == [" ▸ thinking"]
    assert view.ticking
    stage.at += 12
    assert drawn(view)[0].split() == ["▸", "thinking", "12", "s"]
    stage.at += 1
    stage.say("answer", message="m2")
    view.act(("toggle",))
    lines = drawn(view)
    assert lines[0].startswith(" ▾ thought")
    assert lines[1:] == ["   deep", "", "   thought"]
    assert not view.ticking


def test_a_growing_message_keeps_its_lines_and_costs_its_open_block(stage: Stage) -> None:
    stage.say("Some **bold** words.\n\n- a\n- b\n\n```py\nx = 1\n```\n\n" * 1000)
    view: Any = stage.view(Kind.AGENT_MESSAGE, "m1")
    view.gap = True
    height = len(view.strips(80, FALLBACK))
    before = view.strips(80, FALLBACK)[-300:]
    blocks = view.text.drawn
    for _ in range(10):
        stage.say("more words ")
        after = view.strips(80, FALLBACK)
        assert after is view.strips(80, FALLBACK)
    assert view.text.drawn - blocks == 10
    assert len(after) == height + 3
    assert all(old is new for old, new in zip(before, after[height - 300 :], strict=False))


def test_a_replaced_message_is_made_from_the_store(stage: Stage) -> None:
    stage.say("old text")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    view.gap = True
    assert drawn(view) == ["", " old text"]
    stage.update("agent_message", messageId="m1", content=[{"type": "text", "text": "new"}])
    assert drawn(view) == ["", " new"]
    stage.say(" end")
    assert drawn(view) == ["", " new end"]


def test_an_unfinished_mark_is_shown_when_the_message_is_over(stage: Stage) -> None:
    stage.say("a\n`")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view) == [" a"]
    stage.say("next", message="m2")
    assert drawn(view) == [" a `"]


def test_blocks_that_are_no_text(stage: Stage) -> None:
    def block(**fields: Any) -> None:
        stage.update("agent_message_chunk", messageId="m1", content=fields)

    stage.say("before")
    block(type="image", data=PNG, mimeType="image/png")
    block(type="image", data=JPEG, mimeType="image/jpeg", uri="file:///p.jpg")
    block(type="image", data=GIF, mimeType="image/gif")
    block(type="image", data="???", mimeType="image/webp")
    block(type="audio", data=base64.b64encode(bytes(2048)).decode(), mimeType="audio/mpeg")
    block(type="resource_link", uri="https://e.com/x", name="x", title="The X", size=1200)
    block(
        type="resource",
        resource={"uri": "file:///w/a.py", "text": "def f():\n    pass", "mimeType": "text/x-python"},
    )
    block(type="resource", resource={"uri": "file:///w/a.bin", "blob": base64.b64encode(bytes(9)).decode()})
    block(type="hologram", depth=3)
    stage.say("after")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view, 90) == [
        " before",
        "",
        " ▸ ▣ image · PNG · 640×480 · 3.0 kB",
        " ▸ ▣ image · JPEG · 32×16 · 22 B · file:///p.jpg",
        " ▸ ▣ image · GIF · 5×7 · 14 B",
        " ▸ ▣ image · WEBP · unreadable",
        "   ♪ audio · MPEG · 2.0 kB",
        "   @ The X · 1.2 kB · https://e.com/x",
        " ▸ ▤ a.py · text/x-python · 2 lines · file:///w/a.py",
        "   ▤ a.bin · 9 B · file:///w/a.bin",
        " ▸ ? unknown content: hologram",
        "",
        " after",
    ]
    view.act(("part", 7))
    view.act(("part", 9))
    lines = drawn(view, 90)
    assert lines[8:11] == [
        " ▾ ▤ a.py · text/x-python · 2 lines · file:///w/a.py",
        "    def f():",
        "        pass",
    ]
    assert '    "depth": 3' in "\n".join(lines)
    stage.say(", on")
    assert drawn(view, 90)[:-1] == lines[:-1]
    assert drawn(view, 90)[-1] == " after, on"


def test_blank_text_between_blocks_parts_nothing_and_costs_no_row(stage: Stage) -> None:
    def audio() -> None:
        block = {"type": "audio", "data": "", "mimeType": "audio/wav"}
        stage.update("agent_message_chunk", messageId="m1", content=block)

    stage.say("\n\n")
    audio()
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view) == ["   ♪ audio · WAV · 0 B"]
    stage.say("\n")
    assert drawn(view) == ["   ♪ audio · WAV · 0 B"]
    audio()
    assert drawn(view) == ["   ♪ audio · WAV · 0 B"] * 2
    stage.say("\n")
    stage.say("```\nls\n")
    stage.say("\n```\n")
    assert drawn(view)[:3] == ["   ♪ audio · WAV · 0 B"] * 2 + [""]
    (copy,) = [action for words, action in acts(view) if words == "copy"]
    assert view.excerpt(*copy[1:]) == "ls\n"


def test_a_message_between_sessions_says_between_which(stage: Stage) -> None:
    stage.session.session_id = "me"
    stage.update("subagent_update", sessionId="kid", title="Test writer")
    for name, sender, to in (("m1", "a", "b"), ("m2", "me", "kid"), ("m3", "kid", "me")):
        stage.update(
            "session_message",
            messageId=name,
            senderSessionId=sender,
            recipientSessionId=to,
            content=[{"type": "text", "text": "hi"}],
        )
    said = [drawn(stage.view(Kind.SESSION_MESSAGE, name)) for name in ("m1", "m2", "m3")]
    assert said == [
        [" ⇄ message from a to b", "   hi"],
        [" ⇄ message to “Test writer”", "   hi"],
        [" ⇄ message from “Test writer”", "   hi"],
    ]


def test_what_grows_after_its_turn_is_marked(stage: Stage) -> None:
    stage.say("words")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view) == [" words"]
    stage.update("state_update", state="idle", stopReason="end_turn")
    stage.say(" more")
    assert drawn(view) == [" late: it grew after its turn had ended", " words more"]
    stage.say(" and more")
    assert drawn(view)[1:] == [" words more and more"]


def acts(view: View, width: int = 60) -> list[tuple[str, tuple[Any, ...]]]:
    """What can be clicked: words and act."""
    segments = (segment for strip in view.strips(width, FALLBACK) for segment in strip)
    return [(s.text.strip(), s.style.meta["act"]) for s in segments if s.style and "act" in s.style.meta]


def test_a_piece_of_code_has_its_language_and_its_own_copy_action(stage: Stage) -> None:
    stage.say("a\n```py\nif x:\n\ty = '\u202e'\n")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view, 30)[1:] == ["  py                     copy", "  if x:", "      y = ''"]
    stage.say("```\n")
    stage.update(
        "agent_message_chunk", messageId="m1", content={"type": "image", "data": "", "mimeType": "x"}
    )
    stage.say("- ~~~\n  ls\n  ~~~\n```")
    stage.say("\nopen")
    copies = [action for words, action in acts(view) if words == "copy"]
    assert copies == [("copy", 0, 1), ("copy", 2, 1), ("copy", 2, 2)]
    said = [view.excerpt(*copy[1:]) for copy in copies]
    assert said == ["if x:\n\ty = '\u202e'", "ls", "open"]
    assert drawn(view, 6)[1] == "  py"
    assert view.gutter(1) == 6


def test_code_without_a_language_spends_no_row_on_its_copy(stage: Stage) -> None:
    stage.say("```\n")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view, 30) == ["                         copy"]
    stage.say("ls -l\n")
    assert drawn(view, 30) == ["  ls -l                  copy"]
    assert [view.margin(0), view.gutter(0), view.joint(0)] == [5, 2, "\n"]
    stage.say("pwd\n```\n\n~~~\na line that just fills it all!\n漢\n~~~")
    assert drawn(view, 30)[1:] == [
        "  pwd",
        "",
        "  a line that just fills it al",
        "  l!                     copy",
        "  漢",
    ]
    text, _, _ = logical(view.lines(30, FALLBACK))
    assert text == "ls -l\npwd\n\na line that just fills it all!\n漢\n"
    assert [act for words, act in acts(view, 30) if words == "copy"] == [("copy", 0, 1), ("copy", 0, 2)]
    assert drawn(view, 8)[0] == "  ls -l", "where there is no room there is none"


def test_what_copies_code_stands_there_also_where_it_is_made_when_it_is_seen(stage: Stage) -> None:
    stage.say("```\nls\n```\n\n" * 300)
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view, 30) == ["  ls                     copy", ""] * 299 + ["  ls                     copy"]
    assert {view.margin(line) for line in range(0, 599, 2)} == {5}


def test_long_code_is_copied_whole(stage: Stage) -> None:
    lines = [f"line {number} " + "x" * (number % 7 * 1000) for number in range(300)]
    stage.say("```\n" + "\n".join(lines) + "\n```\nend")
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    ((words, action),) = acts(view)
    assert words == "copy"
    assert view.excerpt(*action[1:]) == "\n".join(lines)


def test_what_is_meant_for_the_agent_alone_is_folded_and_kept(stage: Stage) -> None:
    def block(audience: object, words: str) -> None:
        content = {"type": "text", "text": words, "annotations": {"audience": audience}}
        stage.update("agent_message_chunk", messageId="m1", content=content)

    stage.say("before")
    block(["assistant"], "# Secret\nrules")
    block(["assistant", "user"], "for both, ")
    block(["robot"], "for a robot")
    picture = {
        "type": "image",
        "data": PNG,
        "mimeType": "image/png",
        "annotations": {"audience": ["assistant"]},
    }
    stage.update("agent_message_chunk", messageId="m1", content=picture)
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    assert drawn(view, 90) == [
        " before",
        "",
        " ▸ ≡ text · 2 lines · for the agent, not for you",
        "",
        " for both, for a robot",
        "",
        " ▸ ▣ image · PNG · 640×480 · 3.0 kB · for the agent, not for you",
    ]
    view.act(("part", 1))
    assert drawn(view, 90)[3:5] == ["    # Secret", "    rules"]
    assert "# Secret\nrules" in view.source()


def test_neighbours_for_the_agent_alone_are_one_line_also_while_they_come(stage: Stage) -> None:
    def aside(words: str) -> None:
        content = {"type": "text", "text": words, "annotations": {"audience": ["assistant"]}}
        stage.update("agent_message_chunk", messageId="m1", content=content)

    view = None
    stage.say("before")
    for number in range(100):
        aside(f"rule {number}\n")
        view = view or stage.view(Kind.AGENT_MESSAGE, "m1")
        assert len(drawn(view, 90)) == 3
        assert f" {number + 1} line" in drawn(view, 90)[2]
    assert view is not None
    assert drawn(view, 90)[2] == " ▸ ≡ text · 100 texts · 100 lines · for the agent, not for you"
    stage.say("```py\nx\n```\nafter")
    aside("x" * (BIG + 1))
    assert drawn(view, 90)[-1] == " ▸ ≡ text · 1 line · for the agent, not for you"
    (action,) = [action for words, action in acts(view) if words == "copy"]
    assert view.excerpt(*action[1:]) == "x"
    view.act(("part", 1))
    assert [line.strip() for line in drawn(view, 90)[3:103]] == [f"rule {number}" for number in range(100)]
    assert "rule 99" in view.source() and "x" * (BIG + 1) in view.source()


def test_enter_on_a_message_opens_or_folds_all_that_folds_in_it(stage: Stage) -> None:
    stage.say("before")
    assert not stage.view(Kind.AGENT_MESSAGE, "m1").act(("toggle",))
    for name in ("one", "two"):
        resource = {"uri": f"file:///{name}.txt", "text": f"text of {name}", "mimeType": "text/plain"}
        stage.update(
            "agent_message_chunk", messageId="m1", content={"type": "resource", "resource": resource}
        )
    view = stage.view(Kind.AGENT_MESSAGE, "m1")
    drawn(view, 90)
    view.act(("part", 1))
    assert view.act(("toggle",))
    assert [line.strip() for line in drawn(view, 90) if "text of" in line] == ["text of one", "text of two"]
    assert view.act(("toggle",))
    assert not [line for line in drawn(view, 90) if "text of" in line]
