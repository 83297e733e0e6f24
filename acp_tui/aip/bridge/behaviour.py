"""The bridge as an agent: what a prompt of the user does."""

from __future__ import annotations

from acp_tui.agent_side.runtime import END_TURN, Stop
from acp_tui.agent_side.session import Session
from acp_tui.agent_side.turn import Turn
from acp_tui.agent_side.wire import Fault, Json
from acp_tui.aip.bridge import typed
from acp_tui.aip.bridge.calling import Calling, modes, say
from acp_tui.aip.bridge.commands import COMMANDS, Commands
from acp_tui.aip.bridge.door import Door
from acp_tui.aip.bridge.faults import fault
from acp_tui.aip.bridge.offered import offered
from acp_tui.aip.bridge.telling import Telling
from acp_tui.aip.bridge.typed import Given, Typed
from acp_tui.aip.core.ids import BadId
from acp_tui.aip.core.words import Mode
from acp_tui.aip.gateway.errors import GatewayError
from acp_tui.protocol.errors import INVALID_PARAMS

NO_COMMAND = (
    "A gateway has no model to talk to: it runs *capabilities*. Type `/call CAPABILITY JSON`, or `/` for the "
    "list; `/capabilities` says what there is, `/help` what else can be done."
)
_TITLE = 60


class Bridge:
    """The `Behaviour` of the bridge."""

    info: Json
    prompt_types: frozenset[str] = frozenset()
    logins: list[Json]
    session_prefix = "lane"

    def __init__(self, door: Door, version: str) -> None:
        self.door = door
        self.telling = Telling(self._offered)
        self.calling = Calling(door, self.telling.changed)
        self._commands = Commands(self.calling)
        self.info = {"name": "acp-tui-aip", "title": f"AIP gateway {door.name}", "version": version}
        variable = door.settings.token_env
        login = {"type": "env_var", "methodId": "token", "name": "Token", "varName": variable}
        self.logins = [login] if variable else []

    def commands(self, session: Session) -> list[Json]:
        """Ours and the capabilities, and what may be named behind them."""
        return self.telling.answered(session)

    def _offered(self, session: Session) -> list[Json]:
        rows = self.calling.rows[session.id].values()
        return offered(self.door.capabilities.values(), self.telling.known(session, rows))

    def options(self, session: Session) -> list[Json]:
        """How actions are run."""
        return [modes(session, self.door.settings.mode)]

    def set_option(self, session: Session, config_id: str, value: object) -> None:
        """Change that."""
        if config_id != "mode" or value not in list(Mode):
            raise Fault(INVALID_PARAMS, f"There is no such option or value: {config_id}")
        session.config["mode"] = value

    def check(self, session: Session, prompt: list[Json]) -> None:
        """Refuse what cannot be understood, before it is inserted."""
        asked = typed.typed(prompt)
        if asked.command in COMMANDS:
            self._commands.check(session, asked)
        elif asked.command:
            self._call(session, asked)

    async def work(self, turn: Turn) -> Stop:
        """Do it."""
        asked = typed.typed(turn.prompt)
        if turn.session.title is None:
            turn.entitle(" ".join(turn.words.split())[:_TITLE] or "A lane")
        try:
            if not asked.command:
                say(turn, NO_COMMAND)
            elif asked.command in COMMANDS:
                await COMMANDS[asked.command].work(self._commands, turn, asked.rest)
            else:
                return await self.calling.call(turn, *self._call(turn.session, asked))
        except (GatewayError, BadId) as error:
            raise fault(error, self.door.settings) from None
        return END_TURN

    def _call(self, session: Session, asked: Typed) -> tuple[str, Given]:
        """Which capability and with what. Raises `Fault`."""
        if asked.command == "call":
            capability_id, *rest = asked.rest.split(maxsplit=1)[:2] or [""]
            if not capability_id or capability_id.startswith(("{", "[", "@")):
                raise Fault(INVALID_PARAMS, "/call needs the id of a capability, then its input as JSON")
            return capability_id, typed.given("".join(rest), session.cwd, asked.files)
        if self.door.capability(asked.command) is None:
            raise Fault(INVALID_PARAMS, f"there is no command /{asked.command}; /help lists them")
        return asked.command, typed.given(asked.rest, session.cwd, asked.files)
