"""A v1 agent on the Python SDK: `python -m tests.interop.v1.peer`. What it does is asked for by words of the
prompt (`scenes`).

In a folder named `locked` it wants a login first. Two sessions are there from the beginning, to be listed on
two pages, loaded with their history and resumed without. Others are kept in the file that `PEER_STATE` names.
"""

from __future__ import annotations

import asyncio
import json
import os
from itertools import count
from pathlib import Path
from typing import Any

from acp.agent.connection import AgentSideConnection
from acp.core import run_agent
from acp.exceptions import RequestError
from acp.helpers import (
    plan_entry,
    start_tool_call,
    text_block,
    tool_content,
    update_agent_message_text,
    update_agent_thought_text,
    update_plan,
    update_user_message_text,
)
from acp.interfaces import Client
from acp.schema import (
    AgentCapabilities,
    AuthenticateResponse,
    AuthMethodAgent,
    ClientCapabilities,
    CloseSessionResponse,
    Implementation,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptCapabilities,
    PromptResponse,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionResumeCapabilities,
    SetSessionConfigOptionResponse,
    SetSessionModeResponse,
    TerminalAuthMethod,
)

from tests.interop.v1.scenes import play
from tests.interop.v1.talk import MODES, Line, Talk, modes

LOGIN = "peer-login"


class Peer:
    """The agent."""

    def __init__(self) -> None:
        self.line = Line()
        self._talks: dict[str, Talk] = {}
        self._numbers = count(1)
        self._logged_in = False
        self._kept = Path(os.environ.get("PEER_STATE", ""))

    def on_connect(self, conn: Client) -> None:
        """The SDK has made the connection."""
        assert isinstance(conn, AgentSideConnection)
        self._client = conn
        self._wire = conn._conn  # for what the SDK itself would not say

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: ClientCapabilities | None = None,
        client_info: Implementation | None = None,
        **kwargs: Any,
    ) -> InitializeResponse:
        session = SessionCapabilities(
            list=SessionListCapabilities(),
            resume=SessionResumeCapabilities(),
            close=SessionCloseCapabilities(),
        )
        self._remember()
        return InitializeResponse(
            protocol_version=1,
            agent_info=Implementation(name="v1-peer", title="The v1 peer", version="1.2.3"),
            agent_capabilities=AgentCapabilities(
                load_session=True,
                session_capabilities=session,
                prompt_capabilities=PromptCapabilities(image=True, embedded_context=True),
            ),
            auth_methods=_methods(client_capabilities),
        )

    async def authenticate(self, method_id: str, **kwargs: Any) -> AuthenticateResponse | None:
        if method_id != LOGIN:
            raise RequestError.invalid_params({"methodId": method_id})
        self._logged_in = True
        return None

    # Sessions

    def _remember(self) -> None:
        """Sessions of an earlier day."""
        for name in ("old-1", "old-2"):
            talk = self._talks[name] = self._talk(name, Path("/tmp"))
            talk.title, talk.mode = f"Session {name}", "code"
        self._talks["old-1"].remember(*_old())
        for line in self._kept.read_text().splitlines() if self._kept.is_file() else ():
            name, cwd, history = json.loads(line)  # the last one holds
            talk = self._talks[name] = self._talk(name, Path(cwd))
            talk.history = history
        self._numbers = count(len(self._talks) - 1)

    def _keep(self, talk: Talk) -> None:
        with self._kept.open("a") as file:
            file.write(json.dumps([talk.id, str(talk.cwd), talk.history]) + "\n")

    def _talk(self, name: str, cwd: Path) -> Talk:
        keep = self._keep if self._kept.name else id
        return Talk(name, cwd, self._client, self._wire, self.line, keep=keep)

    def _known(self, name: str) -> Talk:
        if name not in self._talks:
            raise RequestError.resource_not_found(name)
        return self._talks[name]

    async def new_session(self, cwd: str, **kwargs: Any) -> NewSessionResponse:
        if Path(cwd).name == "locked" and not self._logged_in:
            raise RequestError.auth_required()
        name = f"peer-{next(self._numbers)}"
        talk = self._talks[name] = self._talk(name, Path(cwd))
        return NewSessionResponse(session_id=name, modes=modes(talk.mode), config_options=talk.options)

    async def load_session(self, cwd: str, session_id: str, **kwargs: Any) -> LoadSessionResponse:
        talk = self._known(session_id)
        talk.cwd = Path(cwd)
        await talk.replay()
        return LoadSessionResponse(modes=modes(talk.mode), config_options=talk.options)

    async def resume_session(self, cwd: str, session_id: str, **kwargs: Any) -> ResumeSessionResponse:
        talk = self._known(session_id)
        talk.cwd = Path(cwd)
        return ResumeSessionResponse(modes=modes(talk.mode), config_options=talk.options)

    async def list_sessions(
        self, cwd: str | None = None, cursor: str | None = None, **kwargs: Any
    ) -> ListSessionsResponse:
        name = cursor or "old-1"
        talk = self._known(name)
        told = SessionInfo(session_id=name, cwd=str(talk.cwd), title=talk.title)
        return ListSessionsResponse(sessions=[told], next_cursor="old-2" if name == "old-1" else None)

    async def close_session(self, session_id: str, **kwargs: Any) -> CloseSessionResponse | None:
        self._known(session_id).stopped.set()
        return None

    # Settings

    async def set_session_mode(
        self, mode_id: str, session_id: str, **kwargs: Any
    ) -> SetSessionModeResponse | None:
        if mode_id not in MODES:
            raise RequestError.invalid_params({"modeId": mode_id})
        self._known(session_id).mode = mode_id
        return None

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **kwargs: Any
    ) -> SetSessionConfigOptionResponse:
        talk = self._known(session_id)
        if config_id == "verbose" and isinstance(value, bool):
            talk.verbose = value
        elif config_id == "model" and value in ("small", "large"):
            talk.model = str(value)
        else:
            raise RequestError.invalid_params({"configId": config_id})
        return SetSessionConfigOptionResponse(config_options=talk.options)

    # Turns

    async def prompt(self, prompt: list[Any], session_id: str, **kwargs: Any) -> PromptResponse:
        talk = self._known(session_id)
        talk.stopped.clear()
        words = " ".join(getattr(block, "text", f"[{block.type}]") for block in prompt)
        talk.remember(update_user_message_text(words))
        reason = await play(talk, words)
        return PromptResponse(stop_reason=reason)  # type: ignore[arg-type]

    async def cancel(self, session_id: str, **kwargs: Any) -> None:
        self._known(session_id).stopped.set()


def _methods(able: ClientCapabilities | None) -> list[Any]:
    agent = AuthMethodAgent(id=LOGIN, name="Log in", description="Says yes")
    if able is None or able.auth is None or not able.auth.terminal:
        return [agent]
    terminal = TerminalAuthMethod(
        id="peer-terminal", name="In a terminal", type="terminal", args=["--login"], env={"PEER_LOGIN": "1"}
    )
    return [agent, terminal]


def _old() -> list[Any]:
    """The history of the first session: two turns, nothing has a name but the call."""
    done = [tool_content(text_block("found"))]
    return [
        update_user_message_text("First question,"),
        update_user_message_text(" in two pieces"),
        update_agent_thought_text("Thinking of it."),
        update_agent_message_text("First"),
        update_agent_message_text(" answer."),
        start_tool_call("old-call", "Search", kind="search", status="completed", content=done),
        update_agent_message_text("Found."),
        update_user_message_text("Second question"),
        update_plan([plan_entry("Answer", status="completed")]),
        update_agent_message_text("Second answer."),
    ]


async def main() -> None:
    """Serve until the other side ends."""
    peer = Peer()
    await run_agent(peer, use_unstable_protocol=True, observers=[peer.line.passed])  # type: ignore[arg-type]


if __name__ == "__main__":
    asyncio.run(main())
