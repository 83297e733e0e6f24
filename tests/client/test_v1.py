"""A v1 agent through the same client: what the vectors leave open (V1)."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.client import jobs
from acp_tui.client.effects import Agreed, Ask, Close, Completed, Keep, Restart, Restore, Send, Serve, Wake
from acp_tui.client.intents import (
    AnswerPermission,
    Cancel,
    CloseSession,
    ListSessions,
    Login,
    Logout,
    LookAgain,
    OpenSession,
    ResumeSession,
    SetConfigOption,
)
from acp_tui.client.jobs import EVERY_SERVICE
from acp_tui.protocol.jsonrpc import Request, from_raw
from acp_tui.store.entities import Message, Terminal, ToolCall, Turn
from acp_tui.store.keys import TIMELINE_KINDS, Key, Kind
from acp_tui.store.session import Session
from tests.client.talk import AGENT, V1_AGENT, Talk, answers, names, only

MODES = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code"}]}
CAN_ALL = {
    "loadSession": True,
    "auth": {"logout": {}},
    "sessionCapabilities": {"list": {}, "resume": {}, "close": {}, "delete": {}},
}


@pytest.fixture
def talk() -> Talk:
    talk = Talk(versions=(2, 1))
    talk.start_v1(**CAN_ALL)
    talk.open()
    return talk


def chunk(talk: Talk, text: str, kind: str = "agent_message", **more: Any) -> None:
    talk.update(f"{kind}_chunk", content={"type": "text", "text": text}, **more)


def told(session: Session) -> list[str]:
    """What stands in the timeline, in words."""
    found = []
    for key in session.timeline:
        one = session.entities[key]
        if isinstance(one, Message):
            found.append(f"{key.kind.value.split('_')[-1]}: {one.content.text()}")
        elif key.kind in TIMELINE_KINDS:
            found.append(key.id)
    return found


class TestAgreeing:
    def start(self, known: int | None = None) -> Talk:
        talk = Talk(versions=(2, 1))
        if known is not None:
            talk.client.prefer(known)
        talk._did(talk.client.start(talk.now))
        talk.want(OpenSession("a", "/w"))
        return talk

    def again(self, talk: Talk, *, died: bool = False) -> Request:
        """The process ends, and is started again as asked."""
        talk._did(talk.client.lost(talk.now, "It ended.", died=died))
        assert talk.store.connection.phase == "starting"
        assert not talk.store.connection.failure
        assert talk.store.sessions["a"].phase == "opening"
        talk._did(talk.client.start(talk.now))
        return talk.requests("initialize")[-1]

    @pytest.mark.parametrize(
        "answer",
        [
            {"protocolVersion": 1},
            {"protocolVersion": 2, "agentInfo": {"name": "x"}},
            {"protocolVersion": 2, "agentCapabilities": {}, "authMethods": []},
            {"protocolVersion": 2},
        ],
    )
    def test_a_v1_answer_is_asked_for_again_in_v1(self, answer: dict[str, Any]) -> None:
        """IN-05, IN-21, V1-01: nothing of it is seen; what waits goes on."""
        talk = self.start()
        talk.say("before anything")
        assert [effect.unused for effect in only(talk.reply("initialize", answer), Restart)] == [True]
        request = self.again(talk)
        assert request.params["protocolVersion"] == 1
        assert request.params["clientInfo"]["name"] == "acp-tui"
        ours = request.params["clientCapabilities"]
        assert ours["fs"] == {"readTextFile": False, "writeTextFile": False}
        assert (ours["terminal"], ours["elicitation"]) == (False, {"form": {}, "url": {}})
        effects = talk.reply("initialize", answer | {"protocolVersion": 1})
        assert [one.protocol for one in only(effects, Agreed)] == [1]
        assert talk.store.connection.one_prompt_at_a_time
        [opening] = talk.requests("session/new")
        assert opening.params == {"cwd": "/w", "mcpServers": []}  # V1-07
        talk.reply("session/new", {"sessionId": "A"})
        [prompt] = talk.requests("session/prompt")
        assert prompt.params == {"sessionId": "A", "prompt": [{"type": "text", "text": "before anything"}]}

    @pytest.mark.parametrize("code", [-32602, -32603, -32022])
    def test_an_error_leads_to_one_more_try(self, code: int) -> None:
        """IN-07: then the reason is shown; never a loop."""
        talk = self.start()
        assert only(talk.reply("initialize", error=(code, "what?")), Restart)
        assert self.again(talk).params["protocolVersion"] == 1
        effects = talk.reply("initialize", error=(-32603, "no key"))
        assert not only(effects, Restart)
        assert only(effects, Close)
        assert "no key" in talk.store.connection.failure

    def test_a_refusal_that_names_no_version_of_ours_is_final(self) -> None:
        talk = self.start()
        request = talk.requests("initialize")[0]
        error = {"code": -32022, "message": "no", "data": {"supported": [3]}}
        assert not only(talk.hear({"id": request.id, "error": error}), Restart)
        assert talk.store.connection.phase == "failed"

    def test_a_death_leads_to_one_more_try(self) -> None:
        talk = self.start()
        assert self.again(talk, died=True).params["protocolVersion"] == 1
        talk._did(talk.client.lost(talk.now, "It ended with status 1.", died=True))
        assert talk.store.connection.phase == "failed"
        assert talk.store.connection.failure == "It ended with status 1."
        assert talk.store.sessions["a"].phase == "failed"

    def test_what_was_ended_is_not_tried_again(self) -> None:
        talk = self.start()
        talk._did(talk.client.lost(talk.now, "You stopped it."))
        assert talk.store.connection.phase == "failed"

    @pytest.mark.parametrize("answer", [AGENT, {}, None])
    def test_a_wrong_memory_heals(self, answer: dict[str, Any] | None) -> None:
        """The agent has learnt v2 and forgotten v1."""
        talk = self.start(known=1)
        assert talk.requests("initialize")[0].params["protocolVersion"] == 1
        if answer is None:
            talk.reply("initialize", error=(-32022, "no"))
        elif answer:
            talk.reply("initialize", answer)
        assert self.again(talk, died=not answer).params["protocolVersion"] == 2
        talk.reply("initialize", AGENT)
        assert (talk.store.connection.phase, talk.store.connection.protocol) == ("ready", 2)

    def test_an_agent_that_spoke_v2_before_dies_of_something_else(self) -> None:
        talk = self.start(known=2)
        talk._did(talk.client.lost(talk.now, "Gone.", died=True))
        assert talk.store.connection.phase == "failed"

    def test_the_next_start_begins_with_what_was_agreed(self) -> None:
        talk = self.start()
        talk.reply("initialize", {"protocolVersion": 1})
        self.again(talk)
        talk.reply("initialize", V1_AGENT)
        talk._did(talk.client.lost(talk.now, "Gone.", died=True))
        talk._did(talk.client.start(talk.now))
        assert talk.requests("initialize")[-1].params["protocolVersion"] == 1


class TestTurns:
    def test_a_prompt_is_accepted_when_it_leaves(self, talk: Talk) -> None:
        """V1-22, V1-26."""
        talk.say("hi")
        session = talk.store.sessions["a"]
        assert session.state == "running"
        assert told(session) == ["message: hi"]
        assert session.tail == []
        assert [one.status for one in talk.client.submissions.values()] == ["inserted"]

    @pytest.mark.parametrize(
        ("error", "stop_reason"), [((500, "model"), "error"), ((-32800, "stopped"), "cancelled")]
    )
    def test_an_error_ends_the_turn(self, talk: Talk, error: tuple[int, str], stop_reason: str) -> None:
        """V1-23."""
        talk.say("hi")
        effects = talk.reply("session/prompt", error=error)
        session = talk.store.sessions["a"]
        assert (session.state, session.stop_reason, session.completions) == ("idle", stop_reason, 1)
        assert len(only(effects, Completed)) == 1
        assert (session.error.message if session.error else None) == (
            "model" if stop_reason == "error" else None
        )

    def test_a_session_that_the_agent_does_not_know_any_more_can_be_resumed(self, talk: Talk) -> None:
        """PR-26."""
        talk.say("hi")
        talk.reply("session/prompt", error=(-32002, "no such session"))
        session = talk.store.sessions["a"]
        assert (session.phase, session.inactive) == ("failed", True)

    @pytest.mark.parametrize(
        ("code", "before", "back"),
        [
            (-32000, [], ["hi"]),
            (-32000, ["Please log in"], ["hi"]),
            (-32602, [], ["hi"]),
            (-32002, [], ["hi"]),
            (-32602, ["I begin"], []),
            (-32603, [], []),
        ],
    )
    def test_a_prompt_that_was_refused_comes_back_and_is_not_sent_again(
        self, talk: Talk, code: int, before: list[str], back: list[str]
    ) -> None:
        """AU-09, PR-25: the turn stands where it was, but the words need not be typed again."""
        talk.say("one")
        talk.reply("session/prompt", {"stopReason": "end_turn"})
        talk.say("hi")
        for text in before:
            chunk(talk, text)
        effects = talk.reply("session/prompt", error=(code, "no"))
        assert [one.blocks[0].text for one in only(effects, Restore)] == back
        assert talk.store.connection.auth_required == (code == -32000)
        if code == -32000:
            talk.want(Login("acct"))
            assert names(talk.reply("authenticate")) == []
            assert only(talk.say("hi"), Send)

    def test_what_was_begun_is_not_offered_again(self, talk: Talk) -> None:
        talk.say("hi")
        talk.update("tool_call", toolCallId="c", title="Run", status="completed")
        assert not only(talk.reply("session/prompt", error=(-32000, "expired")), Restore)

    @pytest.mark.parametrize(
        ("option", "said"), [("n", "rejected"), ("y", "turn ended"), (None, "turn ended")]
    )
    def test_of_a_call_left_open_our_own_answer_is_known(
        self, talk: Talk, option: str | None, said: str
    ) -> None:
        talk.say("hi")
        [ask] = only(talk.ask(3, toolCall={"toolCallId": "c", "title": "Run"}), Ask)
        talk.want(AnswerPermission(ask.request, option))
        talk.reply("session/prompt", {"stopReason": "end_turn"})
        [call] = [one for one in talk.store.sessions["a"].entities.values() if isinstance(one, ToolCall)]
        assert (call.status, call.no_final) == ("pending", said)

    def test_a_call_left_open_is_told_of_as_such(self, talk: Talk) -> None:
        talk.say("hi")
        talk.update("tool_call", toolCallId="c", title="Run", status="in_progress")
        talk.reply("session/prompt", {"stopReason": "end_turn"})
        [call] = [one for one in talk.store.sessions["a"].entities.values() if isinstance(one, ToolCall)]
        assert (call.status, call.no_final) == ("in_progress", "turn ended")
        talk.update("tool_call_update", toolCallId="c", status="completed")
        assert call.display_status == "completed"

    def test_what_comes_late_is_marked_and_changes_no_state(self, talk: Talk) -> None:
        talk.say("hi")
        chunk(talk, "one")
        talk.reply("session/prompt", {"stopReason": "end_turn"})
        chunk(talk, "two")
        session = talk.store.sessions["a"]
        assert session.state == "idle"
        assert told(session) == ["message: hi", "message: one", "message: two"]

    def test_two_prompts_that_another_client_sent_at_once(self, talk: Talk) -> None:
        """A record may have them: the work goes on until the last is answered."""
        for number in (90, 91):
            params = {"sessionId": "A", "prompt": [{"type": "text", "text": str(number)}]}
            talk._did(talk.client.sent(Request(number, "session/prompt", params), talk.now))
        talk.hear({"id": 90, "result": {"stopReason": "cancelled"}})
        session = talk.store.sessions["a"]
        assert (session.state, session.completions) == ("running", 1)
        talk.hear({"id": 91, "result": {"stopReason": "end_turn"}})
        assert (session.state, session.completions) == ("idle", 2)

    def test_a_refused_turn_is_marked_as_forgotten(self, talk: Talk) -> None:
        """V1-23."""
        talk.say("hi")
        talk.reply("session/prompt", {"stopReason": "refusal"})
        session = talk.store.sessions["a"]
        turns = [one for one in session.entities.values() if isinstance(one, Turn)]
        assert session.completions == 1
        assert "forgets" in turns[-1].note

    def test_a_call_of_a_cancelled_turn_is_not_lost_with_the_agent(self, talk: Talk) -> None:
        talk.say("hi")
        talk.update("tool_call", toolCallId="c", title="Run", status="in_progress")
        talk.want(Cancel("a"))
        talk.reply("session/prompt", {"stopReason": "cancelled"})
        talk.lose()
        [call] = [one for one in talk.store.sessions["a"].entities.values() if isinstance(one, ToolCall)]
        assert (call.display_status, call.no_final) == ("cancelled", "")

    def test_a_lost_connection_leaves_the_turn_open(self, talk: Talk) -> None:
        talk.say("hi")
        talk.lose()
        session = talk.store.sessions["a"]
        assert (session.state, session.completions) == ("disconnected", 0)
        assert [one.stop_reason for one in session.entities.values() if isinstance(one, Turn)] == [
            "disconnected"
        ]

    def test_cancel_is_sent_and_confirmed_by_the_answer(self, talk: Talk) -> None:
        talk.say("hi")
        assert names(talk.want(Cancel("a")))[0] == "session/cancel"
        talk.reply("session/prompt", {"stopReason": "cancelled"})
        cancel = talk.store.sessions["a"].cancel
        assert cancel is not None and cancel.status == "confirmed"


class TestMessages:
    def test_an_agents_name_like_one_of_ours_is_another(self, talk: Talk) -> None:
        talk.say("hi")
        chunk(talk, "a")
        chunk(talk, "b", messageId="synth:agent:1")
        chunk(talk, "c", messageId="synth::agent:1")
        assert told(talk.store.sessions["a"]) == ["message: hi", "message: a", "message: b", "message: c"]

    def test_an_echo_with_a_name_of_its_own(self, talk: Talk) -> None:
        """V1-20: it is the prompt; what the user says later is not."""
        talk.say("hi")
        chunk(talk, "h", "user_message", messageId="u")
        chunk(talk, "i!", "user_message", messageId="u")
        chunk(talk, "yes", "agent_thought")
        chunk(talk, "by the way", "user_message", messageId="v")
        assert told(talk.store.sessions["a"]) == ["message: hi!", "thought: yes", "message: by the way"]

    def test_a_malformed_chunk_begins_nothing(self, talk: Talk) -> None:
        talk.say("hi")
        talk.update("agent_message_chunk", content=7)
        talk.update("user_message_chunk")
        chunk(talk, "a")
        assert talk.client.dropped == 2
        assert told(talk.store.sessions["a"]) == ["message: hi", "message: a"]

    def test_what_only_v2_has_is_unknown(self, talk: Talk) -> None:
        """V1-39."""
        talk.update("state_update", state="running")
        talk.update("agent_message", messageId="m", content=[])
        talk.update("_vendor", x=1)
        session = talk.store.sessions["a"]
        assert [one.raw["sessionUpdate"] for one in session.unknown_updates] == [
            "state_update",
            "agent_message",
            "_vendor",
        ]
        assert (session.state, session.timeline) == ("idle", [])

    def test_metadata_of_the_session_are_replaced_whole(self, talk: Talk) -> None:
        """V1-38."""
        talk.update("session_info_update", title="T", _meta={"a": 1})
        talk.update("session_info_update", _meta={"b": 2})
        info = talk.store.sessions["a"].info
        assert (info.title, info.meta) == ("T", {"b": 2})


class TestPermissions:
    def test_the_title_is_that_of_the_call(self, talk: Talk) -> None:
        """V1-32."""
        talk.say("hi")
        talk.update("tool_call", toolCallId="c", title="Run it")
        talk.ask(1, toolCall={"toolCallId": "c", "title": None})
        talk.ask(2, toolCall={"toolCallId": "d"})
        titles = [one.params.title for one in talk.client.requests if hasattr(one.params, "title")]
        assert titles == ["Run it", "The agent asks for permission"]

    def test_the_work_goes_on_when_none_waits_any_more(self, talk: Talk) -> None:
        """V1-25."""
        talk.say("hi")
        talk.ask(1, toolCall={"toolCallId": "c"})
        talk.ask(2, toolCall={"toolCallId": "d"})
        session = talk.store.sessions["a"]
        one, two = talk.store.requests
        assert session.state == "requires_action"
        talk.want(AnswerPermission(one, "y"))
        assert session.state == "requires_action"
        talk.want(AnswerPermission(two, "y"))
        assert session.state == "running"

    def test_one_without_options_can_only_be_cancelled(self, talk: Talk) -> None:
        talk.say("hi")
        talk.ask(1, toolCall={"toolCallId": "c"}, options=[])
        [asked] = talk.store.requests
        assert names(talk.want(AnswerPermission(asked, "y"))) == []
        talk.want(AnswerPermission(asked, None))
        assert talk.store.sessions["a"].state == "running"

    def test_one_without_a_call_is_malformed(self, talk: Talk) -> None:
        talk.say("hi")
        assert answers(talk.ask(1)) == {1: -32602}
        assert talk.store.sessions["a"].state == "running"

    def test_one_without_an_id_is_answered_without(self, talk: Talk) -> None:
        """V1-05."""
        talk.say("hi")
        raw = {"jsonrpc": "2.0", "id": None, "method": "session/request_permission"}
        asked = {"sessionId": "A", "toolCall": {"toolCallId": "c"}, "options": []}
        talk.receive(from_raw({**raw, "params": asked}))
        [request] = talk.store.requests
        talk.want(AnswerPermission(request, None))
        assert talk.sent()[-1] == "answer"
        assert talk.store.connection.garbage == 0

    def test_a_form_for_a_prompt_is_one_for_its_session(self, talk: Talk) -> None:
        talk.say("hi")
        schema = {"type": "object", "properties": {}}
        params = {"mode": "form", "message": "?", "requestedSchema": schema}
        params["requestId"] = talk.requests("session/prompt")[-1].id
        talk.hear({"id": 5, "method": "elicitation/create", "params": params})
        assert [one.key.session for one in talk.client.requests] == ["a"]


class TestSettings:
    def options(self, talk: Talk) -> dict[str, Any]:
        return {
            one.config_id: one.current_value  # type: ignore[union-attr]
            for one in talk.store.sessions["a"].config_options
        }

    def open(self, **result: Any) -> Talk:
        talk = Talk(versions=(2, 1))
        talk.start_v1()
        talk.want(OpenSession("a", "/w"))
        talk.reply("session/new", {"sessionId": "A", **result})
        return talk

    def test_modes_and_models_are_chosen_like_options(self) -> None:
        """V1-35."""
        models = {"currentModelId": "m", "availableModels": [{"modelId": "m", "name": "M"}, {"modelId": "n"}]}
        talk = self.open(modes=MODES, models=models)
        assert self.options(talk) == {"synth:mode": "ask", "synth:model": "m"}
        talk.want(SetConfigOption("a", "synth:mode", "code"))
        assert talk.requests("session/set_mode")[0].params == {"sessionId": "A", "modeId": "code"}
        assert self.options(talk)["synth:mode"] == "ask"
        talk.reply("session/set_mode", None)
        talk.want(SetConfigOption("a", "synth:model", "n"))
        assert talk.requests("session/set_model")[0].params == {"sessionId": "A", "modelId": "n"}
        talk.reply("session/set_model", {})
        assert self.options(talk) == {"synth:mode": "code", "synth:model": "n"}

    def test_what_is_refused_stays(self) -> None:
        talk = self.open(modes=MODES)
        talk.want(SetConfigOption("a", "synth:mode", "code"))
        talk.reply("session/set_mode", error=(-32602, "no"))
        assert self.options(talk) == {"synth:mode": "ask"}

    def test_options_keep_the_agents_names(self) -> None:
        """V1-36, also where one is named like ours."""
        choice = [{"value": "a", "name": "A"}, {"value": "b", "name": "B"}]
        own = [
            {"id": "synth:mode", "name": "Odd", "type": "select", "currentValue": "a", "options": choice},
            {"id": "yes", "name": "Yes", "type": "boolean", "currentValue": False},
        ]
        talk = self.open(modes=MODES, configOptions=own)
        assert self.options(talk) == {"synth:mode": "ask", "synth::mode": "a", "yes": False}
        talk.want(SetConfigOption("a", "synth::mode", "b"))
        asked = talk.requests("session/set_config_option")[-1]
        assert asked.params == {"sessionId": "A", "configId": "synth:mode", "value": "b"}
        talk.reply("session/set_config_option", None)
        talk.want(SetConfigOption("a", "yes", True))
        asked = talk.requests("session/set_config_option")[-1]
        assert asked.params == {"sessionId": "A", "configId": "yes", "value": True, "type": "boolean"}
        talk.reply("session/set_config_option", {"configOptions": [{**own[1], "currentValue": True}]})
        assert self.options(talk) == {"synth:mode": "ask", "yes": True}


class TestSessions:
    def load(self, talk: Talk) -> None:
        talk.want(ResumeSession("a", "A", "/w"))

    def lost_and_back(self, **capabilities: Any) -> Talk:
        talk = Talk(versions=(2, 1))
        talk.start_v1(**capabilities)
        talk.open()
        for words in ("one", "two"):
            talk.say(words)
            chunk(talk, f"{words}?")
            talk.reply("session/prompt", {"stopReason": "end_turn"})
        talk.lose()
        talk.start_v1(**capabilities)
        return talk

    def test_a_history_told_again_stands_for_the_old_view(self) -> None:
        """V1-41; the ends of turns are ours and stay."""
        talk = self.lost_and_back(loadSession=True)
        self.load(talk)
        request = talk.requests("session/load")[-1]
        assert request.params == {"sessionId": "A", "cwd": "/w", "mcpServers": []}
        chunk(talk, "some context", "user_message")
        effects = talk.reply("session/load", None)
        assert [one.at for one in only(effects, Wake)] != []
        session = talk.store.sessions["a"]
        for words in ("one", "two"):  # some agents answer first and tell then
            chunk(talk, words, "user_message")
            chunk(talk, f"{words}!")
        assert told(session)[:2] == ["message: one", "message: one?"]
        talk.now += 1
        talk._did(talk.client.tick(talk.now))
        assert told(session) == [
            "message: some context",
            *("message: one", "message: one!"),
            *("message: two", "message: two!"),
        ]
        assert [key.kind for key in session.timeline].index(Kind.TURN) == 3
        assert (session.phase, session.state, session.completions) == ("open", "idle", 2)
        talk.say("three")
        assert told(session)[-1] == "message: three"

    def test_an_agent_that_remembers_less_loses_nothing(self) -> None:
        talk = self.lost_and_back(loadSession=True)
        before = told(talk.store.sessions["a"])
        self.load(talk)
        chunk(talk, "two", "user_message")
        talk.reply("session/load", None)
        talk.now += 1
        talk._did(talk.client.tick(talk.now))
        session = talk.store.sessions["a"]
        assert told(session) == before
        notes = [one.note for one in session.entities.values() if isinstance(one, Turn) and one.note]
        assert "1 of 2 prompts" in notes[-1]

    def test_calls_that_the_agent_forgot_stay(self) -> None:
        """It tells of results as prompts instead; what was said elsewhere since comes after."""
        talk = Talk(versions=(2, 1), serves=EVERY_SERVICE)
        talk.start_v1(loadSession=True)
        talk.open()
        talk.say("run it")
        chunk(talk, "I will.")
        talk.update("tool_call", toolCallId="c", title="Run", status="completed")
        chunk(talk, "Done.")
        talk.reply("session/prompt", {"stopReason": "end_turn"})
        kept = told(talk.store.sessions["a"])
        talk.lose()
        talk.start_v1(loadSession=True)
        self.load(talk)
        for kind, words in (
            ("user_message", "run it"),
            ("agent_message", "I will."),
            ("user_message", "[Function Response: run]"),
            ("agent_message", "Done."),
            ("user_message", "and elsewhere"),
            ("agent_message", "Yes."),
        ):
            chunk(talk, words, kind)
        talk.reply("session/load", None)
        talk.now += 1
        talk._did(talk.client.tick(talk.now))
        assert told(talk.store.sessions["a"]) == [*kept, "message: and elsewhere", "message: Yes."]

    @pytest.mark.parametrize(
        ("again", "kept"),
        [
            ([], True),
            ([("agent_message", "one?")], True),
            ([("agent_message", "one? And more.")], False),
            ([("agent_message", "one?"), ("agent_thought", "Hm.")], False),
            ([("agent_thought", "Well …"), ("agent_message", "one?")], True),
        ],
    )
    def test_words_that_the_agent_forgot_stay(self, again: list[tuple[str, str]], kept: bool) -> None:
        """Codex forgets why a turn failed, others what they thought; one that knows more is believed."""
        talk = Talk(versions=(2, 1))
        talk.start_v1(loadSession=True)
        talk.open()
        talk.say("one")
        chunk(talk, "Well …", "agent_thought")
        chunk(talk, "one?")
        chunk(talk, "The model said no.", "agent_thought" if len(again) == 2 and kept else "agent_message")
        talk.reply("session/prompt", {"stopReason": "end_turn"})
        before = told(talk.store.sessions["a"])
        talk.lose()
        talk.start_v1(loadSession=True)
        self.load(talk)
        for kind, words in [("user_message", "one"), *again]:
            chunk(talk, words, kind)
        talk.reply("session/load", None)
        talk.later(1)
        after = told(talk.store.sessions["a"])
        assert (after == before) == kept
        assert after[0] == "message: one"

    def test_as_many_prompts_are_not_the_same_prompts(self) -> None:
        talk = self.lost_and_back(loadSession=True)
        before = told(talk.store.sessions["a"])
        self.load(talk)
        for words in ("some context", "one"):
            chunk(talk, words, "user_message")
        talk.reply("session/load", None)
        talk.now += 1
        talk._did(talk.client.tick(talk.now))
        assert told(talk.store.sessions["a"]) == before

    def test_what_we_served_outlives_a_history_told_again(self) -> None:
        talk = Talk(versions=(2, 1), serves=EVERY_SERVICE)
        talk.start_v1(loadSession=True)
        session = talk.open()
        talk.say("go")
        talk.hear({"id": 7, "method": "terminal/create", "params": {"sessionId": "A", "command": "ls"}})
        [job] = [one.job for one in talk.effects if isinstance(one, Serve)]
        talk._did(talk.client.served(jobs.Began(7, "ls", "/w", 80, 24), talk.now))
        talk._did(talk.client.served(jobs.Output("a", job.name, b"out"), talk.now))
        talk._did(talk.client.served(jobs.Ended("a", job.name, 0, None), talk.now))
        talk.reply("session/prompt", {"stopReason": "end_turn"})
        talk.lose()
        talk.start_v1(loadSession=True)
        self.load(talk)
        chunk(talk, "go", "user_message")
        chunk(talk, "It went.")
        talk.reply("session/load", None)
        talk.now += 1
        talk._did(talk.client.tick(talk.now))
        assert told(session) == ["message: go", "message: It went.", f"{job.name}-shown"]
        terminal = session.entities[Key("a", Kind.TERMINAL, job.name)]
        assert isinstance(terminal, Terminal) and terminal.output.data() == b"out"
        assert terminal.key in session.shown_in

    def test_what_the_agent_cannot_close_is_closed_in_the_record_too(self, talk: Talk) -> None:
        talk = Talk(versions=(2, 1))
        talk.start_v1()
        talk.open()
        talk.say("hi")
        [kept] = only(talk.want(CloseSession("a")), Keep)
        again = Talk(versions=(2, 1))
        again.start_v1()
        again.open()
        again._did(again.client.recall(kept.own, again.now))
        again.lose()
        assert again.store.sessions["a"].phase == talk.store.sessions["a"].phase == "closed"

    def test_without_load_it_goes_on_without_a_history(self) -> None:
        """V1-04, V1-40."""
        talk = self.lost_and_back(sessionCapabilities={"resume": {}})
        before = told(talk.store.sessions["a"])
        self.load(talk)
        assert "session/load" not in talk.sent()
        talk.reply("session/resume", None)
        session = talk.store.sessions["a"]
        assert (session.phase, session.state, told(session)) == ("open", "idle", before)
        chunk(talk, "new")
        assert told(session) == [*before, "message: new"]

    def test_without_either_it_says_so(self) -> None:
        talk = self.lost_and_back()
        self.load(talk)
        session = talk.store.sessions["a"]
        assert session.phase == "failed"
        assert session.failure is not None and "cannot go on" in session.failure.message

    def test_a_load_that_fails_changes_nothing(self) -> None:
        talk = self.lost_and_back(loadSession=True)
        before = told(talk.store.sessions["a"])
        self.load(talk)
        talk.reply("session/load", error=(-32603, "no"))
        assert told(talk.store.sessions["a"]) == before

    def test_what_the_agent_cannot_is_not_asked(self) -> None:
        """V1-04."""
        talk = Talk(versions=(2, 1))
        talk.start_v1()
        talk.open()
        talk.want(ListSessions())
        talk.want(LookAgain("a"))
        talk.want(Logout())
        talk.say("hi")
        assert names(talk.want(CloseSession("a"))) == ["session/cancel"]
        assert talk.store.sessions["a"].phase == "closed"
        assert not {"session/list", "session/load", "logout", "session/close"} & set(talk.sent())

    def test_what_it_can_is_asked_in_its_words(self, talk: Talk) -> None:
        """V1-06."""
        talk.want(ListSessions())
        talk.want(Login("acct"))
        assert talk.requests("authenticate")[-1].params == {"methodId": "acct"}
        talk.reply("authenticate", None)
        talk.want(Logout())
        talk.want(CloseSession("a"))
        assert {"session/list", "logout", "session/close"} <= set(talk.sent())


def test_bytes_of_a_terminal_of_the_agents_own(talk: Talk) -> None:
    """They are shown in the call, whether it says so or not."""
    talk.say("hi")
    info = {"terminal_info": {"terminal_id": "t", "cwd": "/w"}, "else": 1}
    talk.update("tool_call", toolCallId="c", title="Run", rawInput={"command": ["ls", "-l"]}, _meta=info)
    output = {"terminal_output_delta": {"terminal_id": "t", "data": "one\n"}}
    talk.update("tool_call_update", toolCallId="c", _meta=output)
    output = {"terminal_output": {"terminal_id": "t", "data": "two\n"}}
    exit_ = {"terminal_exit": {"terminal_id": "t", "exit_code": 3, "signal": None}}
    talk.update("tool_call_update", toolCallId="c", status="completed", _meta={**output, **exit_})
    session = talk.store.sessions["a"]
    [terminal] = [one for one in session.entities.values() if isinstance(one, Terminal)]
    assert (terminal.command, terminal.cwd, terminal.output.text()) == ("ls -l", "/w", "one\ntwo\n")
    assert terminal.exit_status is not None and terminal.exit_status.exit_code == 3
    [call] = [one for one in session.entities.values() if isinstance(one, ToolCall)]
    assert (call.meta, len(call.content)) == ({"else": 1}, 1)
