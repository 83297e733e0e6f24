"""Answers, bare and wrapped; envelopes (check 11)."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.aip.core import codec
from acp_tui.aip.core.vocabulary import Ack, ActionResult, ActionStatus, Call, Capability
from acp_tui.aip.core.words import Mode
from acp_tui.protocol.unknown import Invalid

STATUS = {"action_id": "act_1", "state": "running", "odd": {"deep": [1]}, "lease": {"until": 3}}
ENVELOPED = {"aip_version": "1.0", "message_type": "x", "body": {"action_status": STATUS}}


@pytest.mark.parametrize("answer", [STATUS, {"action_status": STATUS}, ENVELOPED])
def test_11_bare_and_wrapped_are_read_and_unknown_fields_survive(answer: object) -> None:
    assert codec.read(ActionStatus, answer, "action_status").raw() == STATUS


def test_11_who_insists_gets_nothing_else() -> None:
    assert codec.read(ActionStatus, STATUS, "action_status", "bare").raw() == STATUS
    with pytest.raises(Invalid):
        codec.read(ActionStatus, STATUS, "action_status", "one-key")
    with pytest.raises(Invalid):
        codec.read(ActionStatus, {"action_status": STATUS}, "action_status", "bare")


def test_malformed_fields_are_absent_and_malformed_items_left_out() -> None:
    chunk = {"sequence": 1, "kind": "data"}
    given = {"state": "queued", "started_at": 5, "chunks": [chunk, {"kind": "data"}, 7], "result": {"no": 1}}
    read = codec.read(ActionStatus, given, "action_status")
    assert (read.action_id, read.started_at, read.result, len(read.chunks)) == ("", None, None, 1)


@pytest.mark.parametrize(
    ("answer", "kind", "status"),
    [
        ({"ack": {"status": "queued"}}, Ack, "queued"),
        ({"status": "accepted"}, Ack, "accepted"),
        ({"status": "odd"}, Ack, "odd"),
        ({"status": "odd", "output": 1}, ActionResult, "odd"),
        ({"status": "completed"}, ActionResult, "completed"),
        ({"action_result": {"status": "failed", "error": {"code": "x"}}}, ActionResult, "failed"),
        (
            {"message_type": "x", "body": {"action_result": {"status": "cancelled"}}},
            ActionResult,
            "cancelled",
        ),
        ({"status": "failed", "error": {"code": "x"}}, ActionResult, "failed"),
    ],
)
def test_a_submission_is_answered_by_an_acknowledgement_or_a_result(
    answer: object, kind: type, status: str
) -> None:
    found = codec.submitted(answer)
    assert (type(found), str(found.status)) == (kind, status)


@pytest.mark.parametrize("answer", [None, [], "queued", {}, {"state": "queued"}])
def test_what_is_neither_is_invalid(answer: object) -> None:
    with pytest.raises(Invalid):
        codec.submitted(answer)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"error": {"code": "a.b", "message": "m", "more": 1}}, "a.b"),
        ({"code": "a.b"}, "a.b"),
        ({"body": {"error": {"code": "a.b"}}, "message_type": "aip.core.v1.error"}, "a.b"),
        ({"status": "failed", "error": {"code": "a.b"}}, None),
        ({"error": "a.b"}, None),
        ({"state": "failed", "error": {"code": "a.b"}}, None),
        ([], None),
    ],
)
def test_an_error_is_found_wherever_it_may_stand(answer: object, code: str | None) -> None:
    found = codec.error(answer)
    assert (found.code if found else None) == code


def test_31_lists_have_their_items_and_their_cursor_under_several_names() -> None:
    one = {"id": "cap:a"}
    for answer in (
        {"capabilities": [one, {"no": "id"}], "next_cursor": "c"},
        {"capability_list": {"items": [{"capability": one}], "cursor": "c"}},
    ):
        assert codec.listed(Capability, answer, ("capabilities",)) == ((Capability(id="cap:a"),), "c")
    assert codec.listed(Capability, [one], ("capabilities",)) == ((Capability(id="cap:a"),), None)
    with pytest.raises(Invalid):
        codec.listed(Capability, {"x": 1}, ("capabilities",))


def test_a_page_of_events_counts_what_it_lost() -> None:
    given = {"action_events": {"events": [{"id": "e", "kind": "k"}, 3], "chunks": [{}], "next_cursor": "c"}}
    page = codec.event_page(given)
    assert (len(page.events), len(page.chunks), page.cursor, page.unreadable) == (1, 0, "c", 2)


VIEW = {"id": "sess_1", "state": "active"}


@pytest.mark.parametrize(
    "answer",
    [
        {"session": VIEW, "resume_token": "t0ken", "next_cursor": "c"},
        {"session_resume": {"session_view": VIEW, "new_resume_token": "t0ken", "cursor": "c"}},
        {"session_id": "sess_1", "state": "active", "token": "t0ken", "last_event_cursor": "c"},
        {
            "message_type": "x",
            "body": {"handshake_ack": {"session": {**VIEW, "resume_token": "t0ken"}, "cursor": "c"}},
        },
    ],
)
def test_the_parts_of_a_session_answer_and_its_token_is_nowhere_else(answer: object) -> None:
    found = codec.session_answer(answer)
    assert found.view is not None
    assert (found.view.id, found.view.state, found.token, found.cursor) == ("sess_1", "active", "t0ken", "c")
    assert "t0ken" not in repr(found) and "t0ken" not in str(found.view.raw())


def test_27_an_answer_without_a_token_has_none() -> None:
    assert codec.session_answer({"session": VIEW}).token is None


def test_an_action_goes_out_in_an_envelope_with_the_session_beside_it() -> None:
    call = Call(action_id="act_1", capability_id="cap:x", input=None, mode=Mode.ASYNC, session_id="sess_1")
    stamp = codec.Stamp("msg_1", "2026-01-01T00:00:00Z")
    message = codec.message("action", {})
    sent = codec.envelope(message, codec.action(call), stamp, session_id="sess_1", idempotency_key=None)
    body = {"id": "act_1", "capability_id": "cap:x", "input": None, "mode": "async"}
    assert sent["body"] == {"action": body}
    assert sent["session_id"] == "sess_1" and "idempotency_key" not in sent
    assert codec.envelope(message, body, stamp, "bare")["body"] == body
    assert codec.message("action", {"action": "other.type other_key"}) == ("other.type", "other_key")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "body",
                    "message_type",
                    "ack",
                    "status",
                    "error",
                    "code",
                    "session",
                    "events",
                    "cursor",
                    "id",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_hostile_answers_are_read_or_invalid(value: Any) -> None:
    json.dumps(value)
    for read in (codec.submitted, codec.session_answer, codec.event_page, codec.error):
        with suppress(Invalid):
            read(value)
