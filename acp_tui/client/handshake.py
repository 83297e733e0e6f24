"""Agreeing on a version: one `initialize` for each start, judged by the shape of its answer.

Invariants: nothing else leaves before it has succeeded (IN-01); an agent that turns out to speak the other
version, or cannot stand the request of this one, is started once more with the other, never more often, and
nobody above notices (IN-04 to IN-07, IN-21); a connection that cannot be used says in one sentence why, and
is closed; what was agreed holds for the next starts too, until it does not work any more.
"""

from __future__ import annotations

from typing import Any, Literal

from acp_tui.client.effects import Agreed, Close, Restart
from acp_tui.client.jobs import Serves
from acp_tui.client.wire import Call, Method, Wire
from acp_tui.protocol import errors, v2
from acp_tui.protocol.errors import Error
from acp_tui.protocol.initialize import (
    AgentCapabilities,
    ClientCapabilities,
    Implementation,
    InitializeResponse,
)
from acp_tui.protocol.unknown import Invalid
from acp_tui.protocol.v1 import outgoing, results
from acp_tui.store.store import CONNECTION

EVERYTHING: dict[str, Any] = {
    "session": {
        "prompt": {"image": {}, "audio": {}, "embeddedContext": {}},
        "mcp": {"stdio": {}, "http": {}},
        "delete": {},
        "additionalDirectories": {},
    }
}
"""Agent capabilities of a record that does not tell them."""

AGAIN = "The agent is asked in the other version of the protocol."

Outcome = Literal["", "ready", "fallback_v1", "close", "error"]


class Handshake:
    """What was asked for, what came of it, and what we advertised on this connection."""

    def __init__(
        self,
        wire: Wire,
        info: Implementation,
        capabilities: ClientCapabilities,
        versions: tuple[int, ...],
        serves: Serves,
    ) -> None:
        self._wire = wire
        self._info = info
        self._ours = capabilities
        self._versions = versions
        self._serves = serves
        self._first = max(versions)
        """To begin with."""
        self._certain = False
        """The agent has agreed to that before."""
        self._tried: set[int] = set()
        self._other: int | None = None
        """The version of the next start, which has been asked for."""
        self._problem = ""
        """Why the version before was given up; empty: it was not, or only for a better one."""
        self._shaped_v1 = False
        """The request had the names of v1."""
        self._v1_answer: dict[str, Any] | None = None
        """To a request that had not."""
        self.advertised = capabilities
        self.outcome: Outcome = ""
        wire.methods["initialize"] = Method(
            sent=self._sent, judge=self._judge, done=self._done, failed=self._failed
        )

    def prefer(self, protocol: int) -> None:
        """Begin with this version, if we speak it."""
        if protocol in self._versions:
            self._first, self._certain = protocol, True

    def start(self) -> None:
        """Ask for the newest version we speak (IN-02, IN-03), or the one that was agreed on before."""
        self.outcome = ""
        if self._other is None:
            self._tried, self._problem = set(), ""
        version, self._other = self._other or self._first, None
        self._tried.add(version)
        self._wire.call("initialize", self._params(version))

    def _params(self, version: int) -> dict[str, Any]:
        info, ours = v2.encode(self._info), v2.encode(self._ours)
        if version == 1:
            return outgoing.initialize(info, ours, self._serves.capabilities)
        return {"protocolVersion": version, "info": info, "capabilities": ours}

    def assume_ready(self, protocol: int = 2) -> None:
        """A record that begins in the middle: take the connection as agreed, with everything in it."""
        connection = self._wire.store.connection
        connection.protocol = protocol
        connection.phase = "ready"
        connection.ready_at = self._wire.at
        connection.capabilities = AgentCapabilities.model_validate(EVERYTHING)
        self.outcome = "ready"

    def used(self) -> None:
        """A record goes on after a v1 answer on the same connection: then that was good enough."""
        if self._v1_answer is not None and self._wire.store.connection.phase != "ready":
            self._wire.store.connection.phase, self._wire.store.connection.failure = "initializing", ""
            self._agree_v1(self._v1_answer)

    def lost(self, *, died: bool) -> bool:
        """The connection ended. True: only to be started again with the other version, nothing is lost.

        An agent that dies over the first request may have died of its shape (IN-07).
        """
        phase = self._wire.store.connection.phase
        if (
            died
            and phase == "initializing"
            and self._other is None
            and not (self._certain and 2 in self._tried)
        ):
            self._again("")
        if self._other is None or phase != "initializing":
            self._other = None
            return False
        self._wire.calls.clear()
        self._wire.store.connection.phase = "starting"
        self._wire.store.touch(CONNECTION)
        return True

    # The answer

    def _judge(self, call: Call, raw: Any) -> bool:
        """What the shape of the answer says before it is decoded as v2 (IN-04, IN-21)."""
        if self._wire.store.connection.phase != "initializing":
            return False
        answer = raw if isinstance(raw, dict) else {}
        version = answer.get("protocolVersion")
        if isinstance(version, bool) or not isinstance(version, int):
            version = repr(version) if "protocolVersion" in answer else "none"
        if version == 1 or (version == 2 and _v1_shape(answer)):
            self._speaks_v1(answer)
        elif version != 2 or call.params.get("protocolVersion") == 1:
            sentence = f"The agent answered with protocol version {version}; acp-tui speaks {self._known}."
            self._refuse("close", sentence, again=version == 2)
        else:
            return False
        return True

    @property
    def _known(self) -> str:
        return " and ".join(f"v{version}" for version in sorted(self._versions))

    def _speaks_v1(self, answer: dict[str, Any]) -> None:
        if self._shaped_v1:
            self._agree_v1(answer)
            return
        connection = self._wire.store.connection
        connection.protocol, self._v1_answer = 1, answer
        self.outcome = "fallback_v1"
        if self._again(""):  # IN-05: it has not seen our v1 capabilities, so it must start anew
            return
        info = answer.get("agentInfo")
        name = info.get("name") if isinstance(info, dict) else None
        who = name if isinstance(name, str) and name else "The agent"
        self._refuse("fallback_v1", f"{who} speaks ACP v1; this version of acp-tui needs v2.")

    def _agree_v1(self, answer: dict[str, Any]) -> None:
        connection, able = self._wire.store.connection, results.abilities(answer)
        connection.lists, connection.closes, connection.logs_out = able.lists, able.closes, able.logs_out
        connection.resumes, connection.replays = able.resumes, able.replays
        result = v2.decode_result("initialize", results.initialized(answer))
        self._agree(result, 1)
        if not result.info.name:
            connection.agent_info = None

    def _sent(self, call: Call) -> None:
        self._shaped_v1 = any(name in call.params for name in ("clientInfo", "clientCapabilities"))
        self._shaped_v1 |= call.params.get("protocolVersion") == 1
        self._v1_answer = None
        try:
            if self._shaped_v1 and "capabilities" not in call.params:
                told = outgoing.advertised(call.params)
                self.advertised = v2.decode(ClientCapabilities, told)
            else:
                asked = v2.decode_params("initialize", call.params)
                self.advertised = asked.capabilities or ClientCapabilities()
        except Invalid:
            self.advertised = ClientCapabilities()

    def _done(self, call: Call, result: InitializeResponse) -> None:
        self._agree(result, 2)

    def _agree(self, result: InitializeResponse, protocol: int) -> None:
        connection = self._wire.store.connection
        if connection.phase not in ("initializing", "ready"):
            return  # we are leaving
        self._first, self._certain = protocol, True
        connection.protocol = protocol
        connection.agent_info = result.info
        connection.capabilities = result.capabilities
        connection.auth_methods = list(result.auth_methods or ())
        connection.ready_at = self._wire.at
        connection.phase = "ready"
        self.outcome = "ready"
        self._wire.store.touch(CONNECTION)
        self._wire.effects.append(Agreed(protocol, result.info.name, result.info.version))
        self._wire.run_waiting()

    def _failed(self, call: Call, error: Error) -> None:
        if self._wire.store.connection.phase != "initializing":
            return  # IN-15: a failed repeat changes nothing; a lost connection tells its own story
        if error.code == errors.UNSUPPORTED_VERSION:
            spoken = _supported(error.data)
            named = f"; it speaks {', '.join(f'v{one}' for one in spoken)}" if spoken else ""
            sentence = self._problem or f"The agent does not speak ACP {self._known}{named}."
            other = spoken is None or not self._untried.isdisjoint(spoken)
            self._refuse("close", sentence, again=other)
        elif error.code == errors.INVALID_RESPONSE:
            self._refuse("close", f"The agent's answer to initialize cannot be used. {error.message}")
        else:  # IN-07
            sentence = f"The agent refused to start: {error.message} ({error.code})"
            self._refuse("error", sentence, again=True)

    # Again

    @property
    def _untried(self) -> set[int]:
        return set(self._versions) - self._tried

    def _again(self, problem: str) -> bool:
        """Start the agent once more with the other version, if that was not tried yet."""
        if not self._untried:
            return False
        self._other = max(self._untried)
        self._problem = problem
        self._wire.effects.append(Restart(AGAIN, unused=True))
        return True

    def _refuse(self, outcome: Outcome, sentence: str, *, again: bool = False) -> None:
        self.outcome = outcome
        if again and self._again(sentence):
            return
        self._wire.forget_waiting()
        connection = self._wire.store.connection
        connection.phase = "failed"
        connection.failure = sentence
        connection.ended_at = self._wire.at
        self._wire.store.touch(CONNECTION)
        self._wire.effects.append(Close(sentence))


def _v1_shape(answer: dict[str, Any]) -> bool:
    """A "2" in the clothes of v1, or in none, is an echo of our number, not an agreement (IN-21)."""
    if "info" in answer:
        return False
    return "agentCapabilities" in answer or "agentInfo" in answer or "capabilities" not in answer


def _supported(data: Any) -> list[int] | None:
    """The versions named in the data of -32022 (ER-06); None: it names none, or is malformed (ER-04)."""
    supported = data.get("supported") if isinstance(data, dict) else None
    if not isinstance(supported, list):
        return None
    return [one for one in supported if isinstance(one, int) and not isinstance(one, bool)]
