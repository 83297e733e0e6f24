"""Agreeing on a version: one `initialize`, judged by the shape of its answer.

Invariants: nothing else leaves before it has succeeded (IN-01); a connection that cannot be used says in one
sentence why, and is closed; what was agreed holds until the next start (IN-20).
"""

from __future__ import annotations

from typing import Any, Literal

from acp_tui.client.effects import Close, Restart
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

Outcome = Literal["", "ready", "fallback_v1", "close", "error"]


class Handshake:
    """What was asked for, what came of it, and what we advertised on this connection."""

    def __init__(
        self, wire: Wire, info: Implementation, capabilities: ClientCapabilities, versions: tuple[int, ...]
    ) -> None:
        self._wire = wire
        self._info = info
        self._ours = capabilities
        self._versions = versions
        self.advertised = capabilities
        self.outcome: Outcome = ""
        wire.methods["initialize"] = Method(
            sent=self._sent, judge=self._judge, done=self._done, failed=self._failed
        )

    def start(self) -> None:
        """Ask for the newest version we speak (IN-02, IN-03)."""
        self.outcome = ""
        params = {
            "protocolVersion": max(self._versions),
            "info": v2.encode(self._info),
            "capabilities": v2.encode(self._ours),
        }
        self._wire.call("initialize", params)

    def assume_ready(self) -> None:
        """A record that begins in the middle: take the connection as agreed, with everything in it."""
        connection = self._wire.store.connection
        connection.protocol = 2
        connection.phase = "ready"
        connection.ready_at = self._wire.at
        connection.capabilities = AgentCapabilities.model_validate(EVERYTHING)
        self.outcome = "ready"

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
        elif version != 2:
            self._refuse(
                "close", f"The agent answered with protocol version {version}; acp-tui speaks {self._known}."
            )
        else:
            return False
        return True

    @property
    def _known(self) -> str:
        return " and ".join(f"v{version}" for version in sorted(self._versions))

    def _speaks_v1(self, answer: dict[str, Any]) -> None:
        connection = self._wire.store.connection
        connection.protocol = 1
        self.outcome = "fallback_v1"
        if 1 in self._versions:  # IN-05: it has not seen our v1 capabilities, so it must start anew
            self._wire.effects.append(Restart("The agent speaks ACP v1."))
            return
        info = answer.get("agentInfo")
        name = info.get("name") if isinstance(info, dict) else None
        who = name if isinstance(name, str) and name else "The agent"
        self._refuse("fallback_v1", f"{who} speaks ACP v1; this version of acp-tui needs v2.")

    def _sent(self, call: Call) -> None:
        try:
            self.advertised = v2.decode_params("initialize", call.params).capabilities or ClientCapabilities()
        except Invalid:
            self.advertised = ClientCapabilities()

    def _done(self, call: Call, result: InitializeResponse) -> None:
        connection = self._wire.store.connection
        if connection.phase not in ("initializing", "ready"):
            return  # we are leaving
        connection.protocol = 2
        connection.agent_info = result.info
        connection.capabilities = result.capabilities
        connection.auth_methods = list(result.auth_methods or ())
        connection.ready_at = self._wire.at
        connection.phase = "ready"
        self.outcome = "ready"
        self._wire.store.touch(CONNECTION)
        self._wire.run_waiting()

    def _failed(self, call: Call, error: Error) -> None:
        if self._wire.store.connection.phase != "initializing":
            return  # IN-15: a failed repeat changes nothing; a lost connection tells its own story
        if error.code == errors.UNSUPPORTED_VERSION:
            self._refuse("close", f"The agent does not speak ACP {self._known}{_supported(error.data)}.")
        elif error.code == errors.INVALID_RESPONSE:
            self._refuse("close", f"The agent's answer to initialize cannot be used. {error.message}")
        else:  # IN-07
            self._refuse("error", f"The agent refused to start: {error.message} ({error.code})")

    def _refuse(self, outcome: Outcome, sentence: str) -> None:
        self.outcome = outcome
        self._wire.forget_waiting()
        connection = self._wire.store.connection
        connection.phase = "failed"
        connection.failure = sentence
        connection.ended_at = self._wire.at
        self._wire.store.touch(CONNECTION)
        self._wire.effects.append(Close(sentence))


def _v1_shape(answer: dict[str, Any]) -> bool:
    """A "2" in the clothes of v1 is an echo of our number, not an agreement (IN-21)."""
    return "info" not in answer and ("agentCapabilities" in answer or "agentInfo" in answer)


def _supported(data: Any) -> str:
    """The versions named in the data of -32022 (ER-06); malformed data is ignored (ER-04)."""
    supported = data.get("supported") if isinstance(data, dict) else None
    if not isinstance(supported, list):
        return ""
    numbers = [str(v) for v in supported if isinstance(v, int) and not isinstance(v, bool)]
    return f"; it speaks {', '.join('v' + n for n in numbers)}" if numbers else ""
