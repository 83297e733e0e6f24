"""The app as the settings want it: theme, keys, mouse; at the start and at once when they change.

Invariants: mistakes in files are told once and cost nothing but themselves. A theme named on the command line
holds for this run, until another is chosen in it. Who needs a setting reads `app.settings`, and subscribes to
`app.settings_changed` if it must act when it changes. Where the user has no settings and no themes of his
own, nothing is read before it is asked for but the one theme that is worn.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.driver import Driver
from textual.signal import Signal

from acp_tui.base.paths import config_dir, config_file
from acp_tui.render.clean import clean, one_line
from acp_tui.ui import keys, shipped, unofficial
from acp_tui.ui.terminal.caret import Caret
from acp_tui.ui.terminal.driver import TerminalDriver

if TYPE_CHECKING:
    from acp_tui.base.config import Config, Problem, Settings
    from acp_tui.ui.judging import Judged
    from acp_tui.ui.themes import Themes
    from acp_tui.ui.toasts import Toasts


def _own_themes() -> Path:
    """Where the user keeps some."""
    return config_dir() / "themes"


class Configured(Caret):
    """An app with settings."""

    def __init__(
        self, config: Config | None, theme: str, dark: bool | None, driver: type[Driver] | None
    ) -> None:
        super().__init__(driver_class=driver)
        self.settings_changed: Signal[Settings] = Signal(self, "settings changed")
        self.dark_background = dark
        self.wanted_theme = theme
        self._judged: Judged | None = self._judge(config) if config is not None else None
        """None: there is no file, and nobody asked."""
        self._wear(theme or (config.settings.theme if config is not None else ""))

    @cached_property
    def found(self) -> Themes:
        """All themes there are, each file checked."""
        from acp_tui.ui import themes

        found = themes.load([shipped.folder(), _own_themes()])
        for one in found.found.values():
            self.register_theme(one)
        return found

    @cached_property
    def toasts(self) -> Toasts:
        """The mouth for toasts."""
        from acp_tui.ui.toasts import Toasts

        return Toasts(self)

    @property
    def judged(self) -> Judged:
        """What holds, and what is wrong with the file."""
        if self._judged is None:
            from acp_tui.base.config import Config

            self._judged = self._judge(Config(config_file()))
        return self._judged

    def _judge(self, config: Config) -> Judged:
        from acp_tui.ui.judging import judge

        return judge(config, self.found.found)

    @property
    def takes_mouse(self) -> bool:
        """Clicks and the wheel are ours."""
        return self._judged is None or self.settings.mouse.capture

    @property
    def config(self) -> Config:
        """The settings file as it was read last."""
        return self.judged.config

    @property
    def settings(self) -> Settings:
        """What holds."""
        return self.judged.config.settings

    @property
    def settings_made(self) -> Settings | None:
        """What holds where the user has made settings; None where nothing but defaults can hold."""
        return self.settings if self._judged is not None else None

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
        before, self._judged = self.settings, self._judge(config)
        if before.theme != self.settings.theme:
            self._wear(self.settings.theme)
        self.take_keys()
        if before.mouse != self.settings.mouse and isinstance(
            driver := unofficial.driver(self), TerminalDriver
        ):
            driver.capture_mouse(self.settings.mouse.capture)
        self.settings_changed.publish(self.settings)

    def set_setting(self, path: tuple[str, ...], value: Any) -> None:
        """Write one setting to the file, and let it hold; None: its default. Raises `NotWritten`."""
        from acp_tui.base.config.writing import put

        self.adopt(put(self.config, path, value))

    def take_keys(self) -> None:
        """Let keys and hints be as the settings say."""
        changes = self.key_changes if self._judged is not None else {}
        keys.use(changes)
        self.set_keymap(keys.keymap(changes))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A screen that asks for a key gets every key."""
        return not getattr(self.screen, "takes_every_key", False) if self.screen_stack else True

    def _wear(self, wanted: str) -> None:
        """One of ours alone, where that is all there is to it."""
        name = wanted or shipped.for_background(self.dark_background)
        if "found" not in self.__dict__:
            ours = shipped.read(name) if not any(_own_themes().glob("*.toml")) else None
            self.register_theme(ours or self.found.found[shipped.DARK])
        self.theme = name if name in self.available_themes else shipped.DARK

    def tell_problems(self) -> None:
        """What is wrong with the files, once."""
        if "found" in self.__dict__:
            self._tell_theme_problems()
        if self._judged is not None:
            self._tell_setting_problems()

    def _tell_theme_problems(self) -> None:
        for problem in self.found.problems:
            self.toasts.show("Theme not loaded", str(problem), "warning")
        if self.wanted_theme and self.wanted_theme not in self.available_themes:
            names = ", ".join(sorted(self.found.found))
            self.toasts.show(f"No theme {one_line(self.wanted_theme, 40)}", f"There are: {names}", "warning")

    def _tell_setting_problems(self) -> None:
        if found := self.setting_problems:
            more = f"\n{len(found) - 1} more: {keys.hint('everywhere.settings')}" if len(found) > 1 else ""
            self.toasts.show(_headline(found, self.config.path), clean(found[0].brief) + more, "warning")


def _headline(found: tuple[Problem, ...], path: Path) -> str:
    return f"{'A mistake' if len(found) == 1 else f'{len(found)} mistakes'} in {one_line(path.name, 40)}"
