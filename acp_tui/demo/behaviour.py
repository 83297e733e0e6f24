"""The demo agent: which scene a prompt asks for, and the few options it has."""

from __future__ import annotations

from acp_tui.agent_side.runtime import END_TURN, Stop
from acp_tui.agent_side.session import Session
from acp_tui.agent_side.turn import Turn
from acp_tui.agent_side.wire import Json
from acp_tui.demo.options import choose, offered
from acp_tui.demo.scenes import SCENES, answer
from acp_tui.demo.scenes.trouble import refusal

_LOGINS: list[Json] = [
    {
        "type": "agent",
        "methodId": "pretend",
        "name": "Pretend to log in",
        "description": "Takes three seconds and always works.",
    },
    {
        "type": "terminal",
        "methodId": "terminal",
        "name": "Log in in the terminal",
        "description": "A small program of the demo asks you to press Enter.",
        "args": ["--login"],
    },
    {"type": "env_var", "methodId": "key", "name": "Use an API key", "varName": "ACP_DEMO_KEY"},
]
_TURN_TOKENS = 900
_TITLE_LENGTH = 60


class Demo:
    """The `Behaviour` of the demo."""

    info: Json
    prompt_types = frozenset({"image", "resource"})
    logins = _LOGINS
    session_prefix = "demo"

    def __init__(self, version: str) -> None:
        self.info = {"name": "acp-tui-demo", "title": "Demo agent", "version": version}

    def commands(self, session: Session) -> list[Json]:
        """One command per scene."""
        return [scene.command() for scene in SCENES.values()]

    def options(self, session: Session) -> list[Json]:
        """Mode, model and what else the demo pretends to have."""
        return offered(session.config)

    def set_option(self, session: Session, config_id: str, value: object) -> None:
        """Change one."""
        choose(session.config, config_id, value)

    def check(self, session: Session, prompt: list[Json]) -> None:
        """`/refuse` never gets as far as a scene."""
        refusal(_first_words(prompt))

    async def work(self, turn: Turn) -> Stop:
        """Play the scene that the prompt names, or explain that there is no model."""
        name, _, rest = turn.words.strip().partition(" ")
        scene = SCENES.get(name[1:]) if name.startswith("/") else None
        if turn.session.title is None:
            words = " ".join(turn.words.split())[:_TITLE_LENGTH] or "A demo"
            turn.entitle(words if scene is None else scene.title or scene.description)
        mode = turn.session.config.get("mode")
        stop = await (answer(turn, turn.words) if scene is None else scene.play(turn, rest))
        if turn.session.config.get("mode") != mode:  # an answer "for this session" changed the mode
            turn.session.update("config_option_update", configOptions=self.options(turn.session))
        turn.spend(_TURN_TOKENS)
        return stop or END_TURN


def _first_words(prompt: list[Json]) -> str:
    first = prompt[0].get("text")
    return first if isinstance(first, str) else ""
