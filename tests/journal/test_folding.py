"""A session read back from its journals is what it was when it was written."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.client.effects import Send
from acp_tui.client.intents import AnswerPermission
from acp_tui.inspection.state import describe
from acp_tui.journal.folding import Folded, fold
from acp_tui.protocol.jsonrpc import to_raw
from acp_tui.store.entities import ToolCall
from acp_tui.store.store import Store
from tests.journal.keeping import (
    INITIALIZE,
    TRACES,
    VECTORS,
    Program,
    Said,
    answer,
    ask,
    chunk,
    library,
    opened,
    refuse,
    resumed,
    run,
    said,
    sessions,
    turn,
    update,
    wronged,
)


@pytest.mark.parametrize("record", [*TRACES, *VECTORS], ids=lambda path: path.stem)
def test_folded_it_is_what_it_was_live(record: Path, tmp_path: Path) -> None:
    live = describe(run(tmp_path, said(record)).live)
    found: dict[str, object] = {}
    for saved in library(tmp_path):
        folded = fold(saved)
        assert folded.problems == []
        known = describe(folded.player)
        for name in ("sessions", "submissions", "agentRequests"):
            assert known[name].items() <= live[name].items()
        found |= known["sessions"]
    assert found.keys() == live["sessions"].keys()


def test_two_sessions_at_once_do_not_mix(tmp_path: Path) -> None:
    one, other = turn("a", 1, 3), turn("b", 2, 4)
    mixed = [said for pair in zip(one, other, strict=True) for said in pair]
    program = run(tmp_path, [*INITIALIZE, *opened("a", 1), *opened("b", 2), *mixed])
    first, second = library(tmp_path)
    assert sessions(fold(first)) == {"a": sessions(program.live)["a"]}
    assert sessions(fold(second)) == {"b": sessions(program.live)["b"]}


def test_an_id_that_is_used_again_is_another_session(tmp_path: Path) -> None:
    close = [ask(5, "session/close", sessionId="a"), answer(5)]
    late = chunk("a", "late", "for nobody")
    said = [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *close, late, *opened("a", 6), *turn("a", 2, 7)]
    run(tmp_path, said)
    first, second = library(tmp_path)
    assert first.id != second.id
    assert [fold(one).store.sessions.keys() for one in (first, second)] != []
    [old], [new] = (sessions(fold(one)).values() for one in (first, second))
    assert [id for _, id in old["timeline"]] == ["u1", "a1", "c1"]
    assert [id for _, id in new["timeline"]] == ["u2", "a2", "c2"]
    assert old["closed"]
    assert not new["closed"]


def test_an_id_that_two_programs_got_is_two_sessions(tmp_path: Path) -> None:
    for pid in (1, 2):
        run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", pid, 2)], pid=pid, at=1000.0 * pid)
    first, second = library(tmp_path)
    assert first.id != second.id
    assert [first.messages, second.messages] == [2, 2]


REPLAY = [one for number in (1, 2) for one in turn("a", number, 2)[1:2] + turn("a", number, 2)[3:]]


@pytest.mark.parametrize("replay", [(), tuple(REPLAY), tuple(REPLAY[:3])], ids=["nothing", "all", "some"])
@pytest.mark.parametrize("from_start", [True, False])
def test_resumed_by_another_start_it_is_one_session(
    tmp_path: Path, replay: tuple[Said, ...], from_start: bool
) -> None:
    """Whatever the agent tells again, with or without a loss that was noted before."""
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *turn("a", 2, 3), ("#", "Gone.")])
    program.start()
    back = resumed("a", 10, *(replay if from_start else ()), from_start=from_start)
    program.say([ask("i", "initialize", protocolVersion=2), answer("i", **INITIALIZE[1][1]["result"])])
    program.say([*back, *turn("a", 3, 11)])
    [saved] = library(tmp_path)
    folded = fold(saved)
    assert sessions(folded) == sessions(program.live)
    assert len(folded.paths) == len(saved.parts) == 2
    assert saved.messages == 6
    assert [id for kind, id in sessions(folded)["a"]["timeline"] if kind == "user_message"] == [
        "u1",
        "u2",
        "u3",
    ]


def test_a_connection_whose_end_nobody_noted_is_over_when_the_next_begins(tmp_path: Path) -> None:
    working = turn("a", 1, 2)[:-1]
    run(tmp_path, [*INITIALIZE, *opened("a"), *working], pid=1)
    run(tmp_path, [*INITIALIZE, *resumed("a", 1, from_start=False)], pid=2, at=2000.0)
    [saved] = library(tmp_path)
    session = sessions(fold(saved))["a"]
    assert session["state"] == "idle"
    assert session["completions"] == 0
    assert len(session["timeline"]) == 3


def test_what_answered_is_kept_beside_the_answer(tmp_path: Path) -> None:
    """A rule, or the user with a reason: neither is told to the agent."""
    called = update("a", "tool_call_update", toolCallId="c", title="look", status="in_progress")
    subject = {"type": "tool_call", "toolCall": {"toolCallId": "c"}}
    options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
    program = run(tmp_path, [*INITIALIZE, *opened("a"), called])
    answers: list[tuple[int, Literal["rule", "user"], str]] = [
        (7, "rule", "allow command curl -H 'token=hunter2hunter2'"),
        (8, "user", "not there"),
    ]
    for id, by, why in answers:
        asks = {"sessionId": "a", "title": "May I?", "subject": subject, "options": options}
        program.say([("<", {"id": id, "method": "session/request_permission", "params": asks})])
        asked = program.live.client.requests[-1]
        effects = program.live.client.intent(AnswerPermission(asked.key, "y", by=by, why=why), program.at)
        assert program.journal is not None
        for sent in (effect for effect in effects if isinstance(effect, Send)):
            assert "rule" not in str(to_raw(sent.message))
            program.journal.append(">", [("a", to_raw(sent.message))], program.at, sent.beside)
    (saved,) = library(tmp_path)
    folded = fold(saved)
    rule, user = folded.player.client.requests
    kept = "allow command curl -H 'token=[redacted]'"
    assert (rule.answered_by, rule.answered_why, rule.status) == ("rule", kept, "answered")
    assert (user.answered_by, user.answered_why) == ("user", "not there")
    assert folded.session is not None
    (call,) = (one for one in folded.session.entities.values() if isinstance(one, ToolCall))
    assert call.ruled == (rule.key,)


def test_what_is_added_is_followed(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    [saved] = library(tmp_path)
    folded = fold(saved)
    assert folded.follow() == 0
    program.say(turn("a", 2, 3))
    with program.path.open("ab") as file:
        file.write(b'{"seq":99,"t":1')
    assert folded.follow() == 9
    assert sessions(folded) == sessions(program.live)
    assert folded.follow() == 0


def test_a_further_journal_is_followed_too(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    folded = fold(library(tmp_path)[0])
    program.say([*turn("a", 2, 3), ("#", "Gone.")])
    program.start()
    program.say([*INITIALIZE, *resumed("a", 10, from_start=False), *turn("a", 3, 11)])
    [saved] = library(tmp_path)
    folded.follow(saved)
    assert sessions(folded) == sessions(program.live)


@pytest.mark.parametrize("most", [1, 3])
def test_in_slices_it_is_the_same(tmp_path: Path, most: int) -> None:
    run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    [saved] = library(tmp_path)
    whole, sliced = fold(saved), Folded(saved)
    counts = [sliced.follow(most=most)]
    while counts[-1] == most:
        counts.append(sliced.follow(most=most))
    assert sum(counts) == whole.count
    assert sessions(sliced) == sessions(whole)


def test_without_its_program_what_was_under_way_is_given_up(tmp_path: Path) -> None:
    run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)[:7]])
    [saved] = library(tmp_path)
    assert saved.broken_off
    folded = fold(saved)
    folded.lose("acp-tui ended without a word.")
    folded.lose()
    assert folded.session is not None
    assert folded.session.state == "disconnected"
    notes = [getattr(one, "note", "") for one in folded.session.entities.values()]
    assert "acp-tui ended without a word." in notes


CHILD = [
    update("a", "subagent_update", sessionId="kid", title="helper", state={"state": "running"}),
    chunk("kid", "k1", "I help"),
    update("kid", "subagent_update", sessionId="grandkid", state={"state": "running"}),
    chunk("grandkid", "g1", "me too"),
    chunk("stranger", "s1", "nobody knows me"),
]


def test_subagents_belong_to_their_session(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *opened("b", 2), *CHILD, *turn("a", 1, 3)])
    first, second = library(tmp_path)
    folded = fold(first)
    assert sessions(folded).keys() == {"a", "kid", "grandkid"}
    assert sessions(folded).items() <= sessions(program.live).items()
    assert sessions(fold(second)).keys() == {"b"}
    assert first.parts[0].stretch.children == ["kid", "grandkid"]
    assert first.messages == 2


def test_references_fit_beside_any_other(tmp_path: Path) -> None:
    run(tmp_path, [*INITIALIZE, *opened("a"), *CHILD])
    [saved] = library(tmp_path)
    refs = list(fold(saved).store.sessions)
    assert len(refs) == 3
    assert all(ref.startswith(f"{saved.id}-") for ref in refs)
    assert Store().new_ref() not in refs


def test_broken_lines_are_left_out_and_told(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    good = sessions(program.live)
    with program.path.open("ab") as file:
        file.write(
            b'[1]\n\n{"seq":9,"t":1,"dir":"<","session":"a","nothing":1}\nnonsense\n\xff\xfe\n{"seq":1'
        )
    [saved] = library(tmp_path)
    folded = fold(saved)
    assert sessions(folded) == good
    assert len(folded.problems) == 1
    assert "neither msg nor raw" in folded.problems[0]


def test_no_record_ends_a_folding(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *CHILD, *turn("a", 1, 2)])
    [saved] = library(tmp_path)
    header, *rest = program.path.read_bytes().splitlines(keepends=True)
    program.path.write_bytes(header + b"".join(bad for line in rest for bad in (line, *wronged(line))))
    folded = fold(saved)
    assert folded.problems
    assert all("fault of acp-tui" not in problem for problem in folded.problems)


def synced(program: Program) -> None:
    """What was written is on the disk, or found to be taken away."""
    assert program.journal is not None
    job = program.journal.sync_job(program.at)
    assert job is not None
    job()


def test_what_goes_on_after_its_file_was_taken_away(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    synced(program)
    program.path.unlink()
    synced(program)
    program.say(turn("a", 2, 3))
    [saved] = library(tmp_path)
    assert saved.last.stretch.midway
    [session] = sessions(fold(saved)).values()
    assert [id for _, id in session["timeline"]] == ["u2", "a2", "c2"]
    assert session["state"] == "idle"


def test_a_newer_journal_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    program = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    header, rest = program.path.read_bytes().split(b"\n", 1)
    newer = header.replace(b'"acp-tui-journal":1', b'"acp-tui-journal":2,"more":[]')
    thought = b'{"seq":99,"t":5.0,"dir":"~","session":"a","dream":{}}\n'
    program.path.write_bytes(newer + b"\n" + rest + thought)
    [saved] = library(tmp_path)
    assert saved.newer
    folded = fold(saved)
    assert sessions(folded) == sessions(program.live)
    assert folded.problems


def test_a_refused_resume_leaves_what_was_kept(tmp_path: Path) -> None:
    run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2), ("#", "Gone.")], pid=1)
    ask_again = ask(1, "session/resume", sessionId="a", cwd="/w", replayFrom={"type": "start"})
    run(tmp_path, [*INITIALIZE, ask_again, refuse(1, -32002, "no such session")], pid=2, at=2000.0)
    [saved] = library(tmp_path)
    assert saved.refused == "no such session"
    assert [id for _, id in sessions(fold(saved))["a"]["timeline"]] == ["u1", "a1", "c1"]


STORIES = st.lists(
    st.sampled_from(
        [
            *([*opened(name, 20 + n), *turn(name, n, 30 + n)] for n, name in enumerate("abc")),
            *(turn(name, 5 + n, 40 + n) for n, name in enumerate("abc")),
            *(turn(name, 5 + n, 40 + n)[:6] for n, name in enumerate("abc")),
            *([ask(50 + n, "session/close", sessionId=name), answer(50 + n)] for n, name in enumerate("abc")),
            *(resumed(name, 60 + n, *turn(name, 1, 9)[3:6]) for n, name in enumerate("abc")),
            *(resumed(name, 70 + n, from_start=False) for n, name in enumerate("abc")),
            CHILD,
            [
                ask(80, "session/new", cwd="/w"),
                chunk("a", "early", "here already"),
                answer(80, sessionId="a"),
            ],
            [ask(81, "session/new", cwd="/w"), refuse(81, -32603, "no")],
            "restart",
            [("#", "Gone.")],
        ]
    ),
    min_size=1,
    max_size=12,
)


def tell(folder: Path, story: list[list[Said] | str]) -> Program:
    program = run(folder, INITIALIZE)
    for scene in story:
        if isinstance(scene, str):
            program.say([("#", "Gone.")])
            program.start()
            program.say(INITIALIZE)
        else:
            program.say(scene)
    return program


@settings(deadline=None, max_examples=150)
@given(story=STORIES)
def test_any_story_is_folded_to_what_was_live(
    story: list[list[Said] | str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("story")
    live = sessions(tell(folder, story).live)
    newest = {saved.session_id: saved for saved in library(folder)}
    for session_id, saved in newest.items():
        folded = fold(saved)
        assert folded.problems == []
        if session_id not in ("kid", "grandkid"):
            assert sessions(folded)[session_id] == live[session_id]


@settings(deadline=None, max_examples=100)
@given(story=STORIES, data=st.data())
def test_any_portions_give_the_same(
    story: list[list[Said] | str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("portions")
    tell(folder, story)
    found = library(folder)
    whole = {path: path.read_bytes() for path in folder.rglob("*.ndjson")}
    for saved in found:
        expected, last = describe(fold(saved).player), saved.last.path
        cut = data.draw(st.integers(0, len(whole[last])))
        last.write_bytes(whole[last][:cut])
        folded = fold(saved)
        last.write_bytes(whole[last])
        folded.follow()
        assert describe(folded.player) == expected
