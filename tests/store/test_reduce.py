"""Random interleavings of updates, told to the store and to the slow model; both must know the same.

`late` and the times have tests of their own beside each reducer.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.protocol.updates import UPDATE_TYPES
from acp_tui.store.entities import Compaction, Message, Plan, Terminal, ToolCall
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reduce import REDUCERS
from acp_tui.store.reducers.tools import overlay_cancelled
from tests.store.model import MESSAGES, Model, text
from tests.store.seen import Fed, plain, visible

ids = st.sampled_from(["a", "b", ""])
texts = st.builds(lambda words: {"type": "text", "text": words}, st.sampled_from(["", "x", "two\nlines"]))
blocks = texts | st.sampled_from(
    [
        {"type": "text", "text": "noted", "annotations": {"priority": 1}},
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "hologram", "depth": 3},
        {"type": "hologram", "depth": True},
    ]
)
broken = st.sampled_from([None, 7, {"type": "text"}, {"type": "image", "data": "AA=="}, {}])
values = st.sampled_from([None, False, True, 0, 1, 1.0, "x", [1], {"k": [True]}])
metas = st.dictionaries(st.sampled_from("kl"), values, max_size=2) | st.none() | st.just("malformed")
words = st.sampled_from(["one", "two"]) | st.none() | st.just(5)
items = st.builds(lambda block: {"type": "content", "content": block}, blocks | broken) | st.sampled_from(
    [
        {"type": "terminal", "terminalId": "a"},
        {"type": "session", "sessionId": "b"},
        {"type": "terminal"},
        {"type": "_x", "rows": 1},
    ]
)
data = st.sampled_from(["", "YQ==", "ww==", "qQ==", "/w==", "YQo=", "***", "YQ"])


def array(of: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(of, max_size=3) | st.none() | st.just("malformed")


def update(kind: str, /, *, needs: dict[str, st.SearchStrategy[Any]], **may: st.SearchStrategy[Any]) -> Any:
    fields = {"sessionUpdate": st.just(kind), **needs}
    return st.fixed_dictionaries(fields, optional={name.removesuffix("_"): of for name, of in may.items()})


background = st.lists(
    st.sampled_from(
        [{"type": "tool_call", "toolCallId": "a"}, {"type": "tool_call", "toolCallId": "b"}, {"type": "_x"}]
    ),
    max_size=2,
)
plans = st.fixed_dictionaries(
    {"type": st.sampled_from(["items", "markdown", "_gantt"])},
    optional={"planId": ids, "entries": st.just([]), "content": st.sampled_from(["x", "y"])},
)
updates: st.SearchStrategy[dict[str, Any]] = st.one_of(
    *(
        update(kind, needs={"messageId": ids}, content=array(blocks | broken), _meta=metas)
        for kind in MESSAGES
    ),
    *(
        update(f"{kind}_chunk", needs={"messageId": ids, "content": blocks | broken}, _meta=metas)
        for kind in MESSAGES
    ),
    update(
        "tool_call_update",
        needs={"toolCallId": ids},
        title=words,
        name=words,
        kind=st.sampled_from(["read", "_x", None, 4]),
        status=st.sampled_from(["pending", "in_progress", "queued", "completed", "failed", None, 1]),
        content=array(items),
        rawInput=values,
        rawOutput=values,
        capabilities=st.sampled_from([{"cancel": {}}, {}, {"cancel": True}, None, "all"]),
        _meta=metas,
    ),
    update("tool_call_content_chunk", needs={"toolCallId": ids, "content": items}),
    update(
        "terminal_update",
        needs={"terminalId": ids},
        command=words,
        output=st.builds(lambda d: {"data": d}, data) | st.none() | st.just("malformed"),
        exitStatus=st.sampled_from([{}, {"exitCode": 1}, {"signal": "SIGTERM"}, None, "gone"]),
        _meta=metas,
    ),
    update("terminal_output_chunk", needs={"terminalId": ids, "data": data | st.none()}),
    update(
        "compaction_update",
        needs={"compactionId": ids},
        status=st.sampled_from(["in_progress", "completed", "warming", None, 3]),
        summary=array(blocks | broken),
        error=words,
        _meta=metas,
    ),
    update("compaction_summary_chunk", needs={"compactionId": ids, "content": blocks | broken}),
    update("plan_update", needs={"plan": plans}),
    update("plan_removed", needs={"planId": ids}),
    update(
        "state_update",
        needs={"state": st.sampled_from(["idle", "running", "requires_action", "hibernating", 5])},
        background=background | st.none(),
        stopReason=st.sampled_from(["end_turn", "cancelled", None]),
    ),
    update(
        "usage_update",
        needs={"used": st.sampled_from([0, 5, -1]), "size": st.just(10)},
        cost=st.sampled_from([{"amount": 1, "currency": "EUR"}, {"amount": 1}, None]),
    ),
    update("session_info_update", needs={}, title=words),
    update("mood_update", needs={}, messageId=ids),
    update("agent_message", needs={}, messageId=st.sampled_from([None, 7])),
)
cancel = st.just({"cancel": True})
FACTS = {
    Kind.SESSION: lambda s: (s.state, s.stop_reason, plain(s.error), plain(s.background)),
    Kind.TIMELINE: lambda s: list(s.timeline),
    Kind.USAGE: lambda s: plain(s.usage),
    Kind.INFO: lambda s: plain(s.info),
    Kind.UNKNOWN_UPDATES: lambda s: len(s.unknown_updates),
}


def test_every_kind_of_update_has_a_reducer() -> None:
    assert REDUCERS.keys() == UPDATE_TYPES.keys()


@settings(max_examples=200, deadline=None)
@given(st.lists(updates | cancel, max_size=25))
def test_the_store_knows_what_the_model_knows(script: list[dict[str, Any]]) -> None:
    fed, model = Fed(), Model()
    for step in script:
        if "cancel" in step:
            overlay_cancelled(fed.store, fed.session, fed.at)
            fed.flush()
            model.cancel()
        else:
            fed.feed(step)
            model.feed(step)
        assert exact(known_by_store(fed)) == exact(known_by_model(model))


@settings(max_examples=200, deadline=None)
@given(st.lists(updates, max_size=25))
def test_a_key_gets_dirty_exactly_when_what_it_names_changed(script: list[dict[str, Any]]) -> None:
    fed = Fed()
    before, revisions = snapshot(fed), {}
    for step in script:
        fed.feed(step)
        after = snapshot(fed)
        changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        assert fed.dirty == changed
        for key, entity in fed.session.entities.items():
            assert entity.revision == revisions.get(key, 0) + (key in changed)
        before = after
        revisions = {key: entity.revision for key, entity in fed.session.entities.items()}


@settings(deadline=None)
@given(st.lists(updates, max_size=12), updates)
def test_a_whole_value_applied_twice_changes_nothing_the_second_time(
    script: list[dict[str, Any]], last: dict[str, Any]
) -> None:
    fed = Fed()
    for step in [*script, last]:
        fed.feed(step)
    fed.feed(last)
    appends = last["sessionUpdate"].endswith("_chunk") or last["sessionUpdate"] == "mood_update"
    assert appends or fed.dirty == frozenset()


def exact(value: Any) -> str:
    """JSON text, where 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def snapshot(fed: Fed) -> dict[Key, str]:
    shown_in = fed.session.shown_in
    seen: dict[Key, str] = {
        key: repr((visible(entity), shown_in.get(key))) for key, entity in fed.session.entities.items()
    }
    return seen | {fed.key(kind): repr(of(fed.session)) for kind, of in FACTS.items()}


def known_by_store(fed: Fed) -> dict[str, Any]:
    session = fed.session
    named = {
        f"{key.kind} {key.id}": entity for key, entity in session.entities.items() if key.kind != Kind.TURN
    }
    return {
        "timeline": [[kind, "" if kind == "turn" else id_] for kind, id_ in fed.timeline],
        "entities": {name: facts(entity) for name, entity in named.items()},
        "state": [session.state, session.stop_reason, plain(session.background), session.completions],
        "dropped": fed.dropped,
        "unknown": [one.raw for one in session.unknown_updates],
        "usage": session.usage and [session.usage.used, session.usage.size, plain(session.usage.cost)],
        "title": session.info.title,
    }


def known_by_model(model: Model) -> dict[str, Any]:
    return {
        "timeline": [list(key) for key in model.timeline],
        "entities": {
            f"{kind} {id_}": facts_of_model(kind, one) for (kind, id_), one in model.entities.items()
        },
        "state": [model.state, model.stop, model.background, model.completions],
        "dropped": model.dropped,
        "unknown": model.unknown,
        "usage": model.usage and list(model.usage.values()),
        "title": model.title,
    }


def facts(entity: Any) -> list[Any]:
    match entity:
        case Message():
            return [entity.meta, plain(entity.content)]
        case Compaction():
            return [entity.meta, entity.status, plain(entity.summary), entity.error]
        case ToolCall():
            values = [entity.title, entity.name, plain(entity.raw_input), plain(entity.raw_output)]
            shown = [entity.display_status, entity.no_final, entity.cancellable]
            return [entity.meta, entity.status, entity.kind, plain(entity.content), *values, *shown]
        case Terminal():
            output = [entity.output.data().hex(), entity.output.text()]
            return [entity.meta, entity.command, plain(entity.exit_status), *output]
        case Plan():
            return [plain(entity.plan)]
    raise AssertionError(entity)


def facts_of_model(kind: str, one: dict[str, Any]) -> list[Any]:
    if kind in MESSAGES:
        return [one["meta"], one["content"]]
    if kind == "compaction":
        return [one["meta"], one["status"], one["summary"], one["error"]]
    if kind == "tool_call":
        values = [one["title"], one["name"], one["rawInput"], one["rawOutput"]]
        overlaid = one["overlay"] and one["status"] not in ("completed", "failed", "cancelled")
        shown = ["cancelled" if overlaid else one["status"], "turn ended" if one["unreported"] else ""]
        return [one["meta"], one["status"], one["kind"], one["content"], *values, *shown, one["cancellable"]]
    if kind == "terminal":
        return [one["meta"], one["command"], one["exit"], b"".join(one["chunks"]).hex(), text(one["chunks"])]
    return [one["plan"]]
