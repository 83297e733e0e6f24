"""The app as the settings want it: theme, keys, mouse; at the start and at once when they change.

Invariants: mistakes in files are told once and cost nothing but themselves. A theme named on the command line
holds for this run, until another is chosen in it. Who needs a setting reads `app.settings`, and subscribes to
`app.settings_changed` if it must act when it changes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.app import App
from textual.driver import Driver
from textual.signal import Signal

from acp_tui.base.config import Config, Problem, Settings
from acp_tui.base.config.writing import put
from acp_tui.base.paths import config_dir, config_file
from acp_tui.render.clean import clean, one_line
from acp_tui.ui import keys, themes
from acp_tui.ui.driver import TerminalDriver
from acp_tui.ui.judging import judge
from acp_tui.ui.toasts import Toasts


class Configured(App[int]):
    """An app with settings."""

    def __init__(
        self, config: Config | None, theme: str, dark: bool | None, driver: type[Driver] | None
    ) -> None:
        super().__init__(driver_class=driver)
        self.found = themes.load([themes.shipped_folder(), config_dir() / "themes"])
        for one in self.found.found.values():
            self.register_theme(one)
        self.toasts = Toasts(self)
        self.settings_changed: Signal[Settings] = Signal(self, "settings changed")
        self.dark_background = dark
        self.wanted_theme = theme
        self.judged = judge(config or Config(config_file()), self.found.found)
        """What holds, and what is wrong with the file."""
        self._wear(theme or self.config.settings.theme)

    @property
    def config(self) -> Config:
        """The settings file as it was read last."""
        return self.judged.config

    @property
    def settings(self) -> Settings:
        """What holds."""
        return self.judged.config.settings

    @property
    def key_changes(self) -> dict[str, str]:
        """The keys the user has changed: binding id → keys with commas."""
        return dict(self.judged.keys)

    @property
    def setting_problems(self) -> tuple[Problem, ...]:
        """What is wrong with the file."""
        return self.judged.problems

    def adopt(self, config: Config) -> None:
        """These settings hold from now on."""
        before, self.judged = self.settings, judge(config, self.found.found)
        if before.theme != self.settings.theme:
            self._wear(self.settings.theme)
        self.take_keys()
        if before.mouse != self.settings.mouse and isinstance(self._driver, TerminalDriver):
            self._driver.capture_mouse(self.settings.mouse.capture)
        self.settings_changed.publish(self.settings)

    def set_setting(self, path: tuple[str, ...], value: Any) -> None:
        """Write one setting to the file, and let it hold; None: its default. Raises `NotWritten`."""
        self.adopt(put(self.config, path, value))

    def take_keys(self) -> None:
        """Let keys and hints be as the settings say."""
        keys.use(self.key_changes)
        self.set_keymap(self.key_changes)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A screen that asks for a key gets every key."""
        return not getattr(self.screen, "takes_every_key", False) if self.screen_stack else True

    def _wear(self, wanted: str) -> None:
        name = wanted or themes.for_background(self.dark_background)
        if name in self.available_themes:
            self.theme = name
        elif themes.DARK in self.available_themes:
            self.theme = themes.DARK

    def tell_problems(self) -> None:
        """What is wrong with the files, once."""
        for problem in self.found.problems:
            self.toasts.show("Theme not loaded", str(problem), "warning")
        if self.wanted_theme and self.wanted_theme not in self.available_themes:
            names = ", ".join(sorted(self.found.found))
            self.toasts.show(f"No theme {one_line(self.wanted_theme, 40)}", f"There are: {names}", "warning")
        if found := self.setting_problems:
            more = f"\n{len(found) - 1} more: {keys.hint('everywhere.settings')}" if len(found) > 1 else ""
            self.toasts.show(_headline(found, self.config.path), clean(found[0].brief) + more, "warning")


def _headline(found: tuple[Problem, ...], path: Path) -> str:
    return f"{'A mistake' if len(found) == 1 else f'{len(found)} mistakes'} in {one_line(path.name, 40)}"
