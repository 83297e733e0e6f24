"""What an *agent* must do, checked on a trace of what both sides said.

Each rule is a function from a `Trace` to the breaches it finds; `RULES` is all of them, `breaches` runs them.
A rule only accuses on what the trace shows: what a cut trace leaves open is no breach (`complete=False`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tests.agent_rules_wire import (
    answers_every_request_once,
    answers_only_requests,
    encodes_terminal_bytes,
    follows_the_schema,
    mints_no_kinds,
    numbers_its_requests,
    refuses_unknown_methods,
    sends_only_messages,
    takes_back_only_its_own_requests,
    waits_for_initialize,
)
from tests.trace import Line, Step, Trace

CANCELLED = -32800
_BUSY_FIELDS = ("running", "requires_action")
_HISTORY = frozenset(
    {
        "user_message", "user_message_chunk", "agent_message", "agent_message_chunk", "agent_thought",
        "agent_thought_chunk", "tool_call_update", "tool_call_content_chunk", "terminal_update",
        "terminal_output_chunk", "plan_update", "compaction_update", "compaction_summary_chunk",
    }
)  # fmt: skip
_OPEN = frozenset({"pending", "in_progress", "paused"})


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that was broken, and where."""

    rule: str
    index: int
    what: str

    def __str__(self) -> str:
        return f"{self.rule} at {self.index}: {self.what}"


Rule = Callable[[Trace], Iterator[tuple[Step, str]]]


def breaches(
    lines: Iterable[Line], *, complete: bool = True, rules: Iterable[Rule] | None = None
) -> list[Breach]:
    """All breaches of all rules, by place."""
    trace = Trace(lines, complete=complete)
    found = [
        Breach(rule.__name__, step.index, what)
        for rule in (RULES if rules is None else rules)
        for step, what in rule(trace)
    ]
    return sorted(found, key=lambda breach: breach.index)


# ------------------------------------------------------------------- sessions


def speaks_of_known_sessions(trace: Trace) -> Iterator[tuple[Step, str]]:
    """SS-04, SS-27, SA-01: only sessions made or resumed here, children once they are announced."""
    known: set[str] = set()
    for step in trace.steps:
        if step.answers_to("session/new") and step.ok:
            known.add(str((step.result or {}).get("sessionId")))
        elif step.asks("session/resume"):
            known.add(str(step.session))
        elif step.kind == "subagent_update":
            known.add(str(step.update.get("sessionId")))
        if not step.agent or step.form not in ("request", "notification") or step.session is None:
            continue
        if step.session not in known and step.session != _session_made_later(trace, step):
            yield step, f"{step.method} for session {step.session}, which nobody has"


def _session_made_later(trace: Trace, step: Step) -> str | None:
    """The session of a pending `session/new` whose updates may come first (SS-04)."""
    for asked in trace.steps[: step.index]:
        if asked.asks("session/new") and asked.answers and asked.answers[0].index > step.index:
            return str((asked.answers[0].result or {}).get("sessionId"))
    return None


def makes_new_sessions(trace: Trace) -> Iterator[tuple[Step, str]]:
    """SS-02: `session/new` never gives an id that is in use."""
    made: set[object] = set()
    for step in trace.from_agent:
        if step.answers_to("session/new") and step.ok:
            name = (step.result or {}).get("sessionId")
            if name in made:
                yield step, f"session id {name} was given twice"
            made.add(name)


def is_silent_after_close(trace: Trace) -> Iterator[tuple[Step, str]]:
    """SS-23: nothing more for a session once its close (or deletion) is answered."""
    for name, steps in trace.sessions.items():
        closed = False
        for step in steps:
            if step.ok and (step.answers_to("session/close") or step.answers_to("session/delete")):
                closed = True
            elif step.asks("session/resume"):
                closed = False
            elif closed and step.agent and step.form in ("request", "notification"):
                yield step, f"{step.method} for {name} after it was closed"


def closes_only_idle_sessions(trace: Trace) -> Iterator[tuple[Step, str]]:
    """SS-23: the last updates and an idle with `cancelled` come before the answer to close."""
    for steps in trace.sessions.values():
        state = "idle"
        for step in steps:
            state = _state(step) or state
            if step.ok and step.answers_to("session/close") and state != "idle":
                yield step, f"closed while {state}"


def reports_state_before_resume_answer(trace: Trace) -> Iterator[tuple[Step, str]]:
    """SS-12: a state update after any replay and before the answer to resume."""
    for step, between in _resumes(trace):
        states = [each.index for each in between if each.kind == "state_update"]
        history = [each.index for each in between if each.kind in _HISTORY]
        if not states:
            yield step, "resumed without a state update"
        elif history and history[-1] > states[-1]:
            yield step, "history after the last state update of a resume"


def replays_no_notice(trace: Trace) -> Iterator[tuple[Step, str]]:
    """NT-07: notices are no history."""
    for step, between in _resumes(trace):
        if step.asked is not None and step.asked.params.get("replayFrom") is not None:
            yield from ((each, "a notice in a replay") for each in between if each.kind == "notice")


def replays_only_when_asked(trace: Trace) -> Iterator[tuple[Step, str]]:
    """SS-10: without `replayFrom` no history comes."""
    for step, between in _resumes(trace):
        if step.asked is not None and step.asked.params.get("replayFrom") is None:
            yield from ((each, "history nobody asked for") for each in between if each.kind == "user_message")


def _resumes(trace: Trace) -> Iterator[tuple[Step, list[Step]]]:
    """Each successful answer to a resume, with the updates of its session since the request."""
    for step in trace.from_agent:
        if step.answers_to("session/resume") and step.ok and step.asked is not None:
            asked = step.asked
            steps = trace.sessions.get(str(asked.session), [])
            yield step, [each for each in steps if asked.index < each.index < step.index and each.update]


# -------------------------------------------------------------------- prompts


def names_the_message_of_a_prompt(trace: Trace) -> Iterator[tuple[Step, str]]:
    """PR-04, PR-18: success has the id of a user message."""
    for step in trace.from_agent:
        if step.answers_to("session/prompt") and step.ok and not isinstance(_message(step), str):
            yield step, "a prompt was accepted without a messageId"


def gives_each_prompt_its_own_message(trace: Trace) -> Iterator[tuple[Step, str]]:
    """PR-12: two prompts are two messages, unless one repeats the other's key (NW-01)."""
    seen: dict[tuple[str | None, object], object] = {}
    for step in trace.from_agent:
        if step.answers_to("session/prompt") and step.ok and step.asked is not None:
            key = step.asked.params.get("idempotencyKey", step.index)
            if seen.setdefault((step.session, _message(step)), key) != key:
                yield step, f"message {_message(step)} was given to two prompts"


def sends_the_message_of_a_prompt(trace: Trace) -> Iterator[tuple[Step, str]]:
    """PR-04, PR-09: the user message that a prompt became is sent, before the work for it has ended."""
    for steps in trace.sessions.values():
        sent: set[object] = set()
        due: dict[object, Step] = {}
        for step in steps:
            if step.answers_to("session/prompt") and step.ok:
                due[_message(step)] = step
            elif step.kind in ("user_message", "user_message_chunk"):
                sent.add(step.update.get("messageId"))
            elif step.kind == "state_update" and _state(step) == "idle":
                yield from (
                    (each, "its user message never came") for key, each in due.items() if key not in sent
                )
                due.clear()


def works_on_inserted_prompts(trace: Trace) -> Iterator[tuple[Step, str]]:
    """PR-22, ST-01: after a prompt was inserted the session is reported busy, and idle in the end."""
    for steps in trace.sessions.values():
        for at, step in enumerate(steps):
            if not (step.answers_to("session/prompt") and step.ok and step.asked is not None):
                continue
            since = [each for each in steps if each.index > step.asked.index]
            busy = _last_state(steps[:at]) in _BUSY_FIELDS or any(
                _state(each) in _BUSY_FIELDS for each in since
            )
            if not busy and trace.complete:
                yield step, "no running after an inserted prompt"
            if trace.complete and not any(_state(each) == "idle" for each in steps[at:]):
                yield step, "no idle after an inserted prompt"


def ends_work_with_idle(trace: Trace) -> Iterator[tuple[Step, str]]:
    """ST-01, ST-14: whatever was reported running or blocked is reported idle."""
    if not trace.complete:
        return
    for steps in trace.sessions.values():
        last = next((step for step in reversed(steps) if _state(step) is not None), None)
        if last is not None and _state(last) != "idle":
            yield last, f"still {_state(last)} at the end"


def starts_work_before_it_ends(trace: Trace) -> Iterator[tuple[Step, str]]:
    """ST-01: an idle with a stop reason follows a running; only a resume may repeat an older one (SS-13)."""
    for steps in trace.sessions.values():
        worked = False
        for step in steps:
            worked = worked or _state(step) in _BUSY_FIELDS or step.asks("session/resume")
            if _state(step) == "idle" and step.update.get("stopReason") is not None and not worked:
                yield step, "idle with a stop reason, but nothing ever ran"


def sends_output_before_idle(trace: Trace) -> Iterator[tuple[Step, str]]:
    """ST-01: what the foreground began to say is said before idle."""
    for steps in trace.sessions.values():
        state, began = "idle", set[object]()
        for step in _live(trace, steps):
            state = _state(step) or state
            if step.kind in ("agent_message_chunk", "agent_thought_chunk"):
                key = (step.kind, step.update.get("messageId"))
                if state == "idle" and key in began:
                    yield step, f"more of {key[1]} after idle"
                if state != "idle":
                    began.add(key)


def settles_or_lists_open_calls(trace: Trace) -> Iterator[tuple[Step, str]]:
    """BG-01, BG-05: at idle with a background list, what is still open is on the list."""
    for steps in trace.sessions.values():
        status: dict[object, object] = {}
        for step in steps:
            if step.kind == "tool_call_update":
                call = step.update.get("toolCallId")
                status[call] = step.update.get("status", status.get(call, "pending"))
            background = step.update.get("background") if _state(step) == "idle" else None
            if isinstance(background, list):
                listed = {item.get("toolCallId") for item in background if isinstance(item, dict)}
                left = [call for call, now in status.items() if now in _OPEN and call not in listed]
                yield from ((step, f"idle, but call {call} is {status[call]}") for call in left)


def withdraws_only_what_was_not_inserted(trace: Trace) -> Iterator[tuple[Step, str]]:
    """PR-14, PR-20: -32800 answers a prompt that was taken back, and that prompt leaves no message."""
    for step in trace.from_agent:
        if not (step.answers_to("session/prompt") and step.code == CANCELLED and step.asked is not None):
            continue
        between = trace.steps[step.asked.index : step.index]
        if not any(_takes_back(each, step.asked) for each in between):
            yield step, "a prompt was withdrawn that nobody took back"
        if any(_is_its_message(trace, each, step.asked) for each in between):
            yield step, "a prompt was withdrawn after its message had been inserted"


def _takes_back(step: Step, prompt: Step) -> bool:
    if step.asks("$/cancel_request"):
        return bool(step.params.get("requestId") == prompt.raw["id"])
    stops = ("session/cancel", "session/close", "session/delete")
    return any(step.asks(method) for method in stops) and step.session == prompt.session


def _is_its_message(trace: Trace, step: Step, prompt: Step) -> bool:
    """Whether a user message has the words of a prompt, and no other prompt claims it."""
    if step.kind != "user_message" or step.session != prompt.session:
        return False
    if step.update.get("content") != prompt.params.get("prompt"):
        return False
    claimed = {_message(each) for each in trace.from_agent if each.answers_to("session/prompt") and each.ok}
    return step.update.get("messageId") not in claimed


def leaves_no_message_of_a_refused_prompt(trace: Trace) -> Iterator[tuple[Step, str]]:
    """PR-13: an error means that nothing was inserted."""
    for step in trace.from_agent:
        if step.answers_to("session/prompt") and step.code is not None and step.asked is not None:
            asked = step.asked
            if step.code != CANCELLED:
                after = trace.steps[asked.index :]
                yield from (
                    (e, "message of a refused prompt") for e in after if _is_its_message(trace, e, asked)
                )


def inserts_held_prompts_in_order(trace: Trace) -> Iterator[tuple[Step, str]]:
    """PR-06: prompts that wait together are inserted in the order in which they came."""
    for steps in trace.sessions.values():
        last = -1
        for step in steps:
            if step.answers_to("session/prompt") and step.ok and step.asked is not None:
                if step.asked.index < last:
                    yield step, "a later prompt was inserted first"
                last = max(last, step.asked.index)


def confirms_cancel(trace: Trace) -> Iterator[tuple[Step, str]]:
    """CX-05: work that was cancelled ends idle, with the reason `cancelled`."""
    for steps in trace.sessions.values():
        state, asked = "idle", None
        for step in steps:
            state = _state(step) or state
            if step.asks("session/cancel") and state != "idle":
                asked = step
            elif asked is not None and _state(step) == "idle":
                reason = step.update.get("stopReason")
                if reason != "cancelled":
                    yield step, f"cancelled work ended with {reason}"
                asked = None


# ------------------------------------------------------------------- entities


def uses_ids_once(trace: Trace) -> Iterator[tuple[Step, str]]:
    """EN-06: a message of finished work is not begun again; a new one has a new id."""
    for steps in trace.sessions.values():
        work, born = 0, dict[object, int]()
        for step in _live(trace, steps):
            work += step.kind == "state_update" and _state(step) == "idle"
            if step.kind in ("agent_message_chunk", "agent_thought_chunk"):
                key = (step.kind, step.update.get("messageId"))
                if born.setdefault(key, work) != work:
                    yield step, f"id {key[1]} was used by earlier work"


def does_not_reopen_calls(trace: Trace) -> Iterator[tuple[Step, str]]:
    """EN-06: a call that is over is not announced again as another one."""
    for steps in trace.sessions.values():
        over: set[object] = set()
        for step in _live(trace, steps):
            if step.kind == "tool_call_update":
                call, status = step.update.get("toolCallId"), step.update.get("status")
                if call in over and status == "pending" and "title" in step.update:
                    yield step, f"call {call} was over and is announced again"
                if status in ("completed", "failed", "cancelled"):
                    over.add(call)


def finishes_what_it_agreed_to_stop(trace: Trace) -> Iterator[tuple[Step, str]]:
    """TC-13, TM-13: after `tool_call/cancel` a final status comes, after `terminal/cancel` an exit status."""
    for step in trace.from_agent:
        asked = step.asked
        if asked is None or not step.ok or not trace.complete:
            continue
        later = [each for each in trace.sessions.get(str(asked.session), []) if each.index > asked.index]
        if asked.method == "tool_call/cancel" and not _finished(later, asked.params.get("toolCallId")):
            yield step, "agreed to cancel a call that never became final"
        if asked.method == "terminal/cancel" and not _exited(later, asked.params.get("terminalId")):
            yield step, "agreed to cancel a terminal that never exited"


def _finished(steps: list[Step], call: object) -> bool:
    final = ("completed", "failed", "cancelled")
    return any(s.update.get("toolCallId") == call and s.update.get("status") in final for s in steps)


def _exited(steps: list[Step], terminal: object) -> bool:
    updates = (s.update for s in steps if s.kind == "terminal_update")
    return any(u.get("terminalId") == terminal and u.get("exitStatus") is not None for u in updates)


def _live(trace: Trace, steps: list[Step]) -> Iterator[Step]:
    """The updates that are no part of a replay."""
    return (step for step in steps if step.update and step.index not in trace.replayed)


def _state(step: Step) -> str | None:
    state = step.update.get("state") if step.kind == "state_update" else None
    return state if isinstance(state, str) else None


def _last_state(steps: list[Step]) -> str | None:
    return next((state for step in reversed(steps) if (state := _state(step)) is not None), None)


def _message(step: Step) -> object:
    return (step.result or {}).get("messageId")


RULES: tuple[Rule, ...] = (
    sends_only_messages,
    waits_for_initialize,
    answers_every_request_once,
    answers_only_requests,
    numbers_its_requests,
    takes_back_only_its_own_requests,
    refuses_unknown_methods,
    follows_the_schema,
    mints_no_kinds,
    encodes_terminal_bytes,
    speaks_of_known_sessions,
    makes_new_sessions,
    is_silent_after_close,
    closes_only_idle_sessions,
    reports_state_before_resume_answer,
    replays_no_notice,
    replays_only_when_asked,
    names_the_message_of_a_prompt,
    gives_each_prompt_its_own_message,
    sends_the_message_of_a_prompt,
    works_on_inserted_prompts,
    ends_work_with_idle,
    starts_work_before_it_ends,
    sends_output_before_idle,
    settles_or_lists_open_calls,
    withdraws_only_what_was_not_inserted,
    leaves_no_message_of_a_refused_prompt,
    inserts_held_prompts_in_order,
    confirms_cancel,
    uses_ids_once,
    does_not_reopen_calls,
    finishes_what_it_agreed_to_stop,
)
