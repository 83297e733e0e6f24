"""The scenes: one slash command each, in the order in which they are offered."""

from __future__ import annotations

from acp_tui.demo.scenes.choices import CHOICES
from acp_tui.demo.scenes.scene import Scene
from acp_tui.demo.scenes.tour import TOUR
from acp_tui.demo.scenes.trouble import TROUBLE
from acp_tui.demo.scenes.words import HELP, WORDS, answer
from acp_tui.demo.scenes.work import WORK

SCENES: dict[str, Scene] = {scene.name: scene for scene in (TOUR, HELP, *WORK, *CHOICES, *WORDS, *TROUBLE)}
"""Every scene by the name of its command."""

__all__ = ["SCENES", "Scene", "answer"]
