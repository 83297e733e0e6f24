"""The command line: what is asked for, in words a newcomer understands; everything else is imported on
the way.

Rules: our own options come first, the first other word starts the agent's command and all that follows is
the agent's; `--` starts it too, and gets round the subcommands. No shell is ever involved. A mistake is
one line and exit status 2. `--version` and `--help` import nothing but this module.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from acp_tui import __version__
from acp_tui.commands.mistake import Mistake

if TYPE_CHECKING:
    from acp_tui.journal.entry import Entry
    from acp_tui.ui.conversation import Conversation
    from acp_tui.ui.start import Listing, Past

LIBRARY = ("sessions", "search", "show", "export")
"""Read what is saved."""
SUBCOMMANDS = ("demo", "aip", "inspect", "config", "run", "agents", *LIBRARY)

USAGE = """\
acp-tui - talk to a coding agent in your terminal (Agent Client Protocol)

  acp-tui demo                    look around: an agent of our own, no account
  acp-tui COMMAND [ARGUMENT...]   start this agent and talk to it
  acp-tui NAME                    start a known agent: codex, claude, gemini ...
  acp-tui                         choose an agent from a list
  acp-tui aip URL                 work with a gateway of AIP; aip --help: how
  acp-tui --continue              go on with the last session of this folder
  acp-tui inspect FILE...         what a client understands from a log, as JSON
  acp-tui run "PROMPT" NAME       one prompt without a screen, for scripts
  acp-tui sessions                the sessions of this folder; --all: of all
  acp-tui search WORD...          where something was said, as lines
  acp-tui show ID                 print a saved session; --last: the last one
  acp-tui export ID -o FILE       as markdown, HTML, JSON, text or a picture
  acp-tui agents                  the known agents, and which are installed
  acp-tui config                  settings: path, show, check, edit

for example
  acp-tui codex
  acp-tui --cwd ~/src/parser gemini
  acp-tui -- ./my-agent --flag    everything after -- is the agent's command

options (before the command)
  --cwd FOLDER     the folder the agent works in; default: this one
  --env NAME       the agent needs this variable: its value is taken from your
                   environment, and it must be set there; may come several times
  --theme NAME     acp-dark, acp-light, acp-ansi, acp-high-contrast, or a theme
                   file of your own; otherwise your terminal is asked
  --continue       go on with the last session of the folder; with a command
                   after it, by that instead of the one it had
  --resume ID      go on with this one: its id or enough of the beginning of it,
                   or what its agent calls it; --cwd: in another folder
  --print-on-exit  when you quit, the conversation is printed below
  --version        the version of this program
  --help           this

in the chat, unless your settings have other keys
  Enter sends, Alt+Enter makes a new line, Escape cancels the work,
  F1 shows all keys, Ctrl+Q quits
"""

DEMO = (sys.executable, "-m", "acp_tui.demo")
INTERRUPTED = 130
"""Exit status, as shells have it for SIGINT."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for."""

    command: tuple[str, ...] = ()
    """The agent's command; empty: the start screen chooses."""
    forced: bool = False
    """It is a command, whatever else has that name."""
    subcommand: str = ""
    arguments: tuple[str, ...] = ()
    """What follows a subcommand."""
    cwd: str = ""
    env: tuple[str, ...] = ()
    theme: str = ""
    again: bool = False
    """Go on with the last session of the folder."""
    resume: str = ""
    """Go on with this session."""
    print_on_exit: bool = False
    """Print the conversation when the user quits, whatever the settings say."""
    show: str = ""
    """`version` or `help`: only print that."""


def parse(words: Sequence[str]) -> Options:
    """Read the command line; `Mistake` where it makes no sense."""
    options = Options()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return _command(options, rest, forced=True)
        if not word.startswith("-") or word == "-":
            return _command(options, [word, *rest], forced=False)
        options = _option(options, word, rest)
        if options.show:
            return options
    return options


def _command(options: Options, words: list[str], *, forced: bool) -> Options:
    if not words:
        raise Mistake("-- is there, but no command after it")
    if not words[0]:
        raise Mistake("the command is empty")
    if words[0] in SUBCOMMANDS and not forced:
        return replace(options, subcommand=words[0], arguments=tuple(words[1:]))
    return replace(options, command=tuple(words), forced=forced)


def _option(options: Options, word: str, rest: list[str]) -> Options:
    name, equals, value = word.partition("=")
    if name in ("--help", "-h", "--version", "-V"):
        return replace(options, show="help" if name in ("--help", "-h") else "version")
    if word == "--print-on-exit":
        return replace(options, print_on_exit=True)
    if word == "--continue":
        return replace(options, again=True)
    if name not in ("--cwd", "--env", "--theme", "--resume"):
        raise Mistake(f"unknown option {name} (see acp-tui --help; -- comes before an agent's own options)")
    if not equals:
        if not rest:
            raise Mistake(f"{name} needs a value")
        value = rest.pop(0)
    if not value:
        raise Mistake(f"{name} needs a value")
    if name == "--env":
        return replace(options, env=(*options.env, value))
    if name == "--resume":
        return replace(options, resume=value)
    return replace(options, cwd=value) if name == "--cwd" else replace(options, theme=value)


def folder(options: Options) -> str:
    """The agent's folder, absolute; `Mistake` where there is none."""
    try:
        path = os.path.abspath(os.path.expanduser(options.cwd or os.getcwd()))
    except OSError as error:
        raise Mistake(f"the current folder is gone ({error.strerror}); give one with --cwd") from None
    if not os.path.isdir(path):
        raise Mistake(f"--cwd {path}: " + ("not a folder" if os.path.exists(path) else "no such folder"))
    return path


def environment(options: Options, environ: Mapping[str, str]) -> dict[str, str]:
    """The agent's environment: a copy of ours, taken before the user interface changes it."""
    for name in options.env:
        if "=" in name:
            raise Mistake(f"--env takes a name, never a value: export {name.partition('=')[0]} first")
        if name not in environ:
            raise Mistake(f"--env {name}: there is no such variable in your environment")
    return dict(environ)


def by_name(options: Options, env: dict[str, str]) -> tuple[Options, dict[str, str]]:
    """An agent of the settings, or a known one, that was asked for by its name: its command, folder and
    variables. Asks before one is fetched.
    """
    if options.forced or len(options.command) != 1:
        return options, env
    from acp_tui.base.paths import config_file
    from acp_tui.services.known_agents import resolving

    settings = None
    if os.path.lexists(config_file()):
        from acp_tui.base.config import load

        settings = load().settings
    name = resolving.meant(settings, options.command)
    if not name:
        return options, env
    from acp_tui.commands.agreeing import agreed
    from acp_tui.services.launching import prepare

    agreed(settings, name, options.command[0], env)
    launch = prepare(settings, options.command, "", env)
    return replace(options, command=launch.command, cwd=options.cwd or launch.cwd), dict(launch.env)


def unquoted(command: tuple[str, ...], where: str, path: str) -> tuple[str, ...]:
    """A command that came as one quoted word, in its words. Only where no program has that very name; nothing
    else of what a shell does is done."""
    if len(command) != 1 or not any(character.isspace() for character in command[0]):
        return command
    import shlex
    import shutil

    if shutil.which(command[0], path=path) or os.path.exists(os.path.join(where, command[0])):
        return command
    try:
        return tuple(shlex.split(command[0])) or command
    except ValueError:
        return command


def main(arguments: Sequence[str] | None = None) -> int:
    """The program; returns its exit status."""
    gc.set_threshold(10_000, 20, 50)  # what is loaded stays: to look at it again costs a tenth of it
    try:
        return _run(parse(sys.argv[1:] if arguments is None else arguments))
    except Mistake as mistake:
        print(f"acp-tui: {mistake}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED


def _start(options: Options) -> tuple[tuple[str, ...], str, dict[str, str]]:
    """What is started, in which folder and with which environment."""
    options, env = by_name(options, environment(options, os.environ))
    where = folder(options)
    return unquoted(options.command, where, env.get("PATH", os.defpath)), where, env


def _headless(options: Options) -> int:
    from acp_tui.commands import run

    words = run.read(options.arguments, piped=sys.stdin is None or not sys.stdin.isatty())
    if words.help:
        print(run.USAGE, end="")
        return 0
    if options.again or options.resume:
        raise Mistake("--continue and --resume come after run")
    options = replace(options, command=words.agent, forced=words.forced)
    options = replace(options, cwd=words.cwd or options.cwd, env=(*options.env, *words.env))
    command, where, env = _start(options)
    if command == ("demo",) and not words.forced:
        command = DEMO
    entry = _meant(words.again, words.resume, where)
    words = replace(words, cwd=options.cwd)
    return run.main(words, command, where, env, entry.id if entry is not None else "")


def _printing(options: Options) -> int:
    """Each is a module of `commands`."""
    from importlib import import_module

    words = options.arguments
    if options.cwd and options.subcommand in LIBRARY:
        words = ("--cwd", options.cwd, *words)
    return int(import_module(f"acp_tui.commands.{options.subcommand}").main(words))


def _listing(options: Options) -> Listing | None:
    """The library on the screen, where there is one and nothing else was asked for."""
    if options.subcommand != "sessions" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    from acp_tui.commands.sessions import words_of
    from acp_tui.ui.start import Listing

    words = words_of(options.arguments)
    if any(map(words.has, ("--help", "--json", "--plain", "--limit", "--empty-trash", "--cwd"))):
        return None
    trash = words.has("--trash")
    everywhere = words.has("--all") or (trash and not words.has("--here"))
    return Listing(everywhere, words.get("--agent"), trash)


def _meant(again: bool, resume: str, where: str) -> Entry | None:
    """The saved session to go on with; None: none was asked for."""
    if again and resume:
        raise Mistake("--continue and --resume: which?")
    if not (again or resume):
        return None
    from acp_tui.commands.coming_back import named, newest

    return newest(where) if again else named(resume)


def _past(options: Options, where: str) -> Past | None:
    entry = _meant(options.again, options.resume, where)
    if entry is None:
        return None
    from acp_tui.ui.start import Past

    return Past(entry.id, entry.agent, entry.cwd or where, where if options.cwd else "")


def _run(options: Options) -> int:
    if options.show:
        print(f"acp-tui {__version__}\n" if options.show == "version" else USAGE, end="")
        return 0
    if options.subcommand == "inspect":
        from acp_tui.inspect import main as inspect

        return inspect(list(options.arguments))
    if options.subcommand == "config":
        from acp_tui.ui.config_command import main as config

        return config(options.arguments)
    listing = _listing(options)
    if options.subcommand in (*LIBRARY, "agents") and listing is None:
        return _printing(options)
    if options.subcommand == "run":
        return _headless(options)
    if options.subcommand == "demo":
        options = replace(options, command=(*DEMO, *options.arguments))
    if options.subcommand == "aip":
        from acp_tui.commands import aip

        if aip.help_wanted(options.arguments):
            return 0
        options = replace(options, command=aip.command(options.arguments), forced=True)
    command, where, env = _start(options)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Mistake("this is a program for a terminal: its input and output must be one")
    os.environ.setdefault("TEXTUAL_FPS", "30")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to find none costs a look at every package
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # loading; an exception makes some modules panic
    past = _past(options, where)
    gc.disable()  # until the first picture: looking for what could be let go costs a tenth of the start
    from acp_tui.ui.start import run

    return run(command, where, env, options.theme, past, listing, part=_part, always=options.print_on_exit)


def _part(conversation: Conversation) -> None:
    from acp_tui.commands.parting import part

    part(conversation)
