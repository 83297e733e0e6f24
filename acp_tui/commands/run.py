"""`acp-tui run`: one prompt without a screen, for scripts and pipes. Reads the words; `headless` does it.

Imports next to nothing before the agent was started.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from acp_tui.commands.mistake import Mistake

LARGEST = 16 << 20
"""Bytes of a prompt."""

USAGE = """\
acp-tui run - one prompt, without a screen: the answer goes to standard output

  acp-tui run "PROMPT" -- COMMAND [ARGUMENT...]
  acp-tui run "PROMPT" NAME       an agent of your settings, a program, or demo
  ... | acp-tui run - NAME        the prompt comes through the pipe
  acp-tui run --continue "PROMPT" go on with the last session of this folder

options
  --continue         go on with the last session of the folder, by its agent or
                     by the one that is named after the prompt
  --resume ID        go on with this one: its id or enough of the beginning of
                     it, or what its agent calls it; --cwd: in another folder
  --no-replay        of these, without asking the agent what it remembers
  --cwd FOLDER       the folder the agent works in; default: this one
  --env NAME         the agent needs this variable of your environment
  --wait             for the end of what is left running beside the work, too
  --timeout SECONDS  then the work is cancelled
  --json             instead of the words: what the agent tells, a line each
  --verbose, -v      remarks on tools, plans and thoughts, on standard error
  --help             this

Permissions are given by the rules of your settings; else you are asked in your
terminal; where there is none they are rejected. Ctrl+C cancels, twice ends.
All of it is saved as it comes, as from the screen: acp-tui show --last. It
ends with its terminal, status 129; in tmux, or after nohup, it goes on.

exit status
  0  done                    6  session or prompt not taken
  1  a mistake of acp-tui    7  the work ended with an error
  2  wrong words             8  the model refused to go on
  3  no agent                9  token limit    10  request limit
  4  the agent was lost     11  another reason
  5  login needed           12  something was rejected, nobody could be asked
  124 timeout  130 cancelled  141 nobody reads  129, 143 hangup, termination
"""


@dataclass(frozen=True, slots=True)
class Words:
    """What stands on the command line."""

    prompt: str | None = None
    """None: it comes through the pipe."""
    agent: tuple[str, ...] = ()
    forced: bool = False
    """It is a command, whatever else has that name."""
    cwd: str = ""
    env: tuple[str, ...] = ()
    wait: bool = False
    timeout: float | None = None
    again: bool = False
    """Go on with the last session of the folder."""
    resume: str = ""
    """Go on with this session."""
    replay: bool = True
    json: bool = False
    verbose: bool = False
    help: bool = False

    @property
    def returning(self) -> bool:
        """There is a session already, and with it an agent."""
        return self.again or bool(self.resume)


def read(words: Sequence[str], piped: bool) -> Words:
    """Read the command line; `piped`: standard input is no terminal. Raises `Mistake`."""
    options, rest, said = Words(), list(words), list[str]()
    while rest:
        word = rest.pop(0)
        if word == "--":
            if not rest or not rest[0]:
                raise Mistake("-- is there, but no command after it")
            options = replace(options, agent=tuple(rest), forced=True)
            break
        if word.startswith("-") and word != "-":
            options = _option(options, word, rest)
        else:
            said.append(word)
    return options if options.help else _placed(options, said, piped)


def _option(options: Words, word: str, rest: list[str]) -> Words:
    if word == "--json":
        return replace(options, json=True)
    if word == "--continue":
        return replace(options, again=True)
    if word == "--no-replay":
        return replace(options, replay=False)
    if word == "--wait":
        return replace(options, wait=True)
    if word in ("--verbose", "-v"):
        return replace(options, verbose=True)
    if word in ("--help", "-h"):
        return replace(options, help=True)
    name, equals, value = word.partition("=")
    if name not in ("--cwd", "--env", "--timeout", "--resume"):
        raise Mistake(f"unknown option {name} of run (a prompt that begins with - comes through a pipe)")
    value = value if equals else rest.pop(0) if rest else ""
    if not value:
        raise Mistake(f"{name} needs a value")
    if name == "--timeout":
        return replace(options, timeout=_seconds(value))
    if name == "--resume":
        return replace(options, resume=value)
    return replace(options, env=(*options.env, value)) if name == "--env" else replace(options, cwd=value)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e9:
        raise Mistake(f"--timeout {value}: it is a number of seconds")
    return seconds


def _placed(options: Words, said: list[str], piped: bool) -> Words:
    """Which of the words is the prompt, which the agent."""
    if len(said) > (1 if options.forced else 2):
        raise Mistake('the prompt is one word: write it as "…"; a command of several words comes after --')
    if not (options.replay or options.returning):
        raise Mistake("--no-replay goes with --continue or --resume")
    if not options.forced and len(said) == 1 and piped and not options.returning:
        said = ["-", *said]
    prompt = said[0] if said else "-"
    if len(said) == 2:
        options = replace(options, agent=(said[1],))
    if not (options.returning or (options.agent and options.agent[0])):
        raise Mistake("which agent? Give its command after --, or its name in your settings")
    if prompt != "-":
        return replace(options, prompt=prompt)
    if not piped:
        raise Mistake('the prompt is missing: acp-tui run "PROMPT" -- COMMAND, or give it through a pipe')
    return options


def prompt_of(words: Words) -> tuple[str, bool]:
    """The prompt, and whether it came through the pipe. Raises `Mistake`."""
    piped = words.prompt is None
    if words.prompt is not None:
        text = words.prompt
    else:
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Mistake("the prompt is larger than 16 MiB")
        text = data.decode("utf-8", "replace").rstrip("\n")
    if not text.strip():
        raise Mistake("the prompt is empty")
    return text.encode("utf-8", "replace").decode(), piped


def main(
    words: Words, command: tuple[str, ...], cwd: str, environment: Mapping[str, str], resume: str = ""
) -> int:
    """Do it; returns the exit status. `resume`: the id of the saved session to go on with."""
    text, piped = prompt_of(words)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to find none costs a look at every package
    from acp_tui.commands.headless.begin import run
    from acp_tui.commands.headless.wanted import Prompt, Wanted

    wanted = Wanted(
        prompt=Prompt(text, piped),
        command=command,
        cwd=cwd,
        environment=environment,
        json=words.json,
        verbose=words.verbose,
        wait=words.wait,
        timeout=words.timeout,
        resume=resume,
        elsewhere=cwd if words.cwd else "",
        replay=words.replay,
    )
    return run(wanted)
