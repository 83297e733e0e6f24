"""Scenes in which the user fills in, opens and chooses: a form, an address, the options."""

from __future__ import annotations

import json

from acp_tui.agent_side.turn import Turn
from acp_tui.agent_side.wire import Json
from acp_tui.demo.options import offered
from acp_tui.demo.scenes.scene import Scene

_LICENCES = (("mit", "MIT", "Short and permissive"), ("apache", "Apache 2.0", "Permissive, with patents"))
_PARTS = ("command line", "web pages", "documentation", "container image")
_NO_CLIENT = "Your client does not say that it can show this, so I go on without.\n"

_FORM: Json = {
    "type": "object",
    "title": "A new project",
    "required": ["name", "licence"],
    "properties": {
        "name": {
            "type": "string",
            "title": "Name",
            "description": "Small letters and dashes",
            "minLength": 2,
            "maxLength": 20,
            "pattern": "^[a-z][a-z-]*$",
        },
        "licence": {
            "type": "string",
            "title": "Licence",
            "oneOf": [{"const": c, "title": title, "description": said} for c, title, said in _LICENCES],
        },
        "parts": {
            "type": "array",
            "title": "Parts",
            "items": {"type": "string", "enum": list(_PARTS)},
            "default": ["command line"],
            "maxItems": 3,
        },
        "port": {"type": "integer", "title": "Port", "minimum": 1024, "maximum": 65535, "default": 8000},
        "mail": {
            "type": "string",
            "title": "Write to",
            "format": "email",
            "description": "Who is told of failures",
        },
        "tests": {"type": "boolean", "title": "Write tests", "default": True},
    },
}


async def form(t: Turn, words: str) -> Json | None:
    """Every kind of field."""
    await t.say("Before I set the project up I need to know a few things.\n")
    result = await t.elicit("form", "How should the new project be set up?", requestedSchema=_FORM)
    if result is None:
        await t.say(_NO_CLIENT)
    elif result.get("action") == "accept":
        filled = json.dumps(result.get("content"), indent=2, ensure_ascii=False)
        await t.say(f"Thank you. This is what I got:\n\n```json\n{filled}\n```\n")
    else:
        await t.say(f"You answered `{result.get('action')}`, so I leave everything as it is.\n")
    return None


async def url(t: Turn, words: str) -> Json | None:
    """An address to open, and word that it is done."""
    await t.say("I would like to post the result to a service, which wants *you* to agree.\n")
    elicitation = f"{t.session.id}-{t.session.new_id('consent')}"
    address = f"https://example.org/acp-tui-demo/consent?for=parser&state={t.session.new_id('state')}"
    message = "Let the demo post to the example service"
    result = await t.elicit("url", message, elicitationId=elicitation, url=address)
    if result is None:
        await t.say(_NO_CLIENT)
    elif result.get("action") == "accept":
        await t.say("You agreed to open it. I wait until the service tells me …\n")
        await t.pause(3.0)
        t.session.wire.notify("elicitation/complete", {"elicitationId": elicitation})
        await t.say("It did: we are connected. (This is a demo, so nobody asked the service.)\n")
    else:
        await t.say(f"You answered `{result.get('action')}`; then it stays on this machine.\n")
    return None


async def options(t: Turn, words: str) -> Json | None:
    """The options, and one that changes by itself."""
    await t.say(
        "I have a mode, a model, a thought level and a switch. You find them where your client keeps them "
        "(in acp-tui **Ctrl+O**, or click them in the first line).\n\n"
        "- *Tiny* does not think: choose it, and the thought level is gone.\n"
        "- *Huge* is refused, and I say why.\n\n"
    )
    thorough = t.session.config.get("thought") == "high"
    t.session.config["thought"] = "low" if thorough else "high"
    t.session.update("config_option_update", configOptions=offered(t.session.config))
    await t.say(f"I have just set *Thinking* to *{'Low' if thorough else 'High'}* myself.\n")
    return None


CHOICES = (
    Scene("form", "A form with every kind of field", form),
    Scene("url", "An address to open, and word when it is done", url),
    Scene("options", "Mode, model, and one that depends on another", options),
)
