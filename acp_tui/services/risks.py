"""What a command line may do that one should look at twice, found by a small set of rules.

It marks; it never clears: no mark does not mean safe, for any program may do anything. What could not be
taken apart, or is code in another language, is named in `Risks.unsure`. The rules, each a few lines below:

- becoming another user; deleting folders, emptying or overwriting files for good, devices and file systems;
- rights and owners changed in whole folders, or opened to everybody;
- what is downloaded and run at once, what is run out of a text;
- git: history overwritten at the remote, work thrown away here;
- packages, images and releases made public; files sent away;
- stopping the machine, its services or many processes; tearing down what runs elsewhere;
- writing outside the session's folders, or where nobody can tell;
- commands that start themselves without end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from acp_tui.services import dangers
from acp_tui.services.shell import Command, Script, Word, parse

LONGEST = 20_000
"""Characters that are looked at."""

_BOMB = re.compile(
    r"(?<![\w:.])([\w:.]+)\s{0,9}\(\)\s{0,9}\{[^}]{0,999}?(?<![\w:.])\1\s{0,9}\|\s{0,9}\1\s{0,9}&[^}]{0,999}\}"
)
"""Bounded everywhere, and never begun within a name: it is looked for in whatever an agent sends."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "busybox"})
_CODE = {"python": "-c", "node": "-e", "perl": "-e", "ruby": "-e", "php": "-r", "osascript": "-e"}
"""Programs that run code, and the option it stands behind."""
_LOADERS = frozenset({"curl", "wget", "fetch", "aria2c", "http", "https"})
_WRAPPERS = {
    **dict.fromkeys(("sudo", "doas", "pkexec", "su", "env", "nice", "xargs", "nohup", "exec"), 0),
    **dict.fromkeys(("command", "builtin", "time", "setsid", "stdbuf", "ionice"), 0),
    **dict.fromkeys(("timeout", "chroot"), 1),
}
"""Programs that run another, and how many words stand before that."""
_WRAPPED = 20
"""So many of them are looked behind."""
_TAKES = {
    "sudo": "ugpCDhRrTt",
    "doas": "uC",
    "env": "uSC",
    "nice": "n",
    "xargs": "nIPLdEsa",
    "timeout": "ks",
    "su": "cs",
    "exec": "a",
    "ionice": "cnp",
    "stdbuf": "ioe",
}
"""Options of wrappers that take the next word."""


@dataclass(frozen=True, slots=True)
class Risk:
    """A part of the text, from `start` to before `end`, and why it is marked."""

    start: int
    end: int
    why: str


@dataclass(frozen=True, slots=True)
class Risks:
    """What was found, in the order of the text, and what was not understood; both may be empty."""

    found: tuple[Risk, ...]
    unsure: tuple[str, ...]

    @property
    def understood(self) -> bool:
        """All of it was taken apart. That is no promise about what its programs do."""
        return not self.unsure


def look(text: str, cwd: str, roots: tuple[str, ...]) -> Risks:
    """Look at a command that would run in `cwd`; `roots` are the folders it may write to."""
    script = parse(text[:LONGEST])
    if len(text) > LONGEST:
        script.unsure.append("a very long command")
    finder = _Finder(script, cwd, roots)
    found = {(risk.start, risk.end, risk.why): risk for risk in finder.run()}
    if bomb := _BOMB.search(text[:LONGEST]):
        found[bomb.start(), bomb.end(), ""] = Risk(bomb.start(), bomb.end(), "starts itself without end")
    return Risks(tuple(found[key] for key in sorted(found)), tuple(dict.fromkeys(script.unsure)))


class _Finder:
    def __init__(self, script: Script, cwd: str, roots: tuple[str, ...]) -> None:
        self._script = script
        self._cwd = cwd
        self._roots = tuple(os.path.normpath(root) for root in roots)
        self._loading = _loading(script)
        self._nested = 0

    def run(self) -> Iterator[Risk]:
        for command in self._script.commands:
            yield from self._command(command)

    def _unsure(self, why: str) -> None:
        self._script.unsure.append(why)

    def _command(self, command: Command) -> Iterator[Risk]:
        for word in command.writes:
            yield from self._write(word, "writes")
        words = [*command.words]
        while words and _ASSIGNMENT.match(words[0].text):
            del words[0]
        for _ in range(_WRAPPED):
            if not words:
                return
            name = os.path.basename(words[0].text)
            if not words[0].plain:
                self._unsure("a command whose name is made when it runs")
                return
            yield from self._named(name, words, command)
            if name not in _WRAPPERS:
                return
            words = _unwrapped(name, words)
        self._unsure("a command behind many others")

    def _named(self, name: str, words: list[Word], command: Command) -> Iterator[Risk]:
        texts = [word.text for word in words[1:]]
        first, last = words[0], words[-1]
        for why in dangers.of(name, texts):
            yield Risk(first.start, last.end, why)
        for place, verb in dangers.writes(name, texts):
            yield from self._write(words[1 + place], verb)
        if name == "cd" and texts:
            self._move(words[1])
        yield from self._runs(name, words, command)

    def _move(self, word: Word) -> None:
        """What comes after `cd` happens there."""
        there = os.path.expanduser(word.text)
        self._cwd = os.path.join(self._cwd, there) if word.plain and there != "-" else ""

    # Running texts

    def _runs(self, name: str, words: list[Word], command: Command) -> Iterator[Risk]:
        first, last = words[0], words[-1]
        code = _CODE.get(re.sub(r"[\d.]+$", "", name))
        runs_input = len(words) == 1 or words[1].text in ("-", "-s", "/dev/stdin")
        if name in _SHELLS or name in ("eval", "source", ".") or code:
            loaded = [inner for word in words[1:] for inner in word.inner if _loading(parse(inner))]
            source = command.fed_by
            if loaded or (runs_input and id(source) in self._loading):
                begin = source.words[0].start if source is not None and source.words else first.start
                yield Risk(begin, last.end, "runs what it downloads")
            elif runs_input and source is not None:
                self._unsure("a program that is made when it runs")
        if code and any(word.text == code for word in words):
            self._unsure("code in another language")
        elif name == "eval" or (
            (name in _SHELLS or name == "su") and any(_is_c(word.text) for word in words[1:])
        ):
            yield from self._inside(words[1:] if name == "eval" else _after_c(words))

    def _inside(self, words: list[Word]) -> Iterator[Risk]:
        """A text that is run as a command: what is in it is marked on the whole of it."""
        if not words:
            return
        if not all(word.plain or not word.inner for word in words) or self._nested > 3:
            self._unsure("a command that is made when it runs")
            return
        inner = parse(" ".join(word.text for word in words))
        finder = _Finder(inner, self._cwd, self._roots)
        finder._nested = self._nested + 1
        for risk in finder.run():
            yield Risk(words[0].start, words[-1].end, risk.why)
        self._script.unsure += inner.unsure

    # Writing

    def _write(self, word: Word, verb: str) -> Iterator[Risk]:
        text = word.text
        if text in dangers.HARMLESS and not word.inner:
            return
        known = not word.inner and "$" not in text and bool(self._cwd or text.startswith(("/", "~")))
        if dangers.is_device(text):
            yield Risk(word.start, word.end, f"{verb} a device")
        elif not known:
            yield Risk(word.start, word.end, f"{verb} something whose place is not known here")
        elif not self._is_inside(text):
            yield Risk(word.start, word.end, f"{verb} something outside the session's folders")

    def _is_inside(self, text: str) -> bool:
        path = os.path.normpath(os.path.join(self._cwd or "/", os.path.expanduser(text)))
        return any(path == root or path.startswith(os.path.join(root, "")) for root in self._roots)


def _unwrapped(name: str, words: list[Word]) -> list[Word]:
    """What a wrapper runs: the words behind its own options and values."""
    rest, skip = words[1:], _WRAPPERS[name]
    while rest and (rest[0].text.startswith("-") or _ASSIGNMENT.match(rest[0].text)):
        takes = len(rest[0].text) == 2 and rest[0].text[1] in _TAKES.get(name, "")
        rest = rest[2 if takes else 1 :]
    return rest[skip:]


def _loading(script: Script) -> set[int]:
    """Which commands, by `id`, download something or are fed by one that does: what feeds stands before."""
    found: set[int] = set()
    for command in script.commands:
        loads = any(os.path.basename(word.text) in _LOADERS for word in command.words[:3])
        if loads or id(command.fed_by) in found:
            found.add(id(command))
    return found


def _is_c(text: str) -> bool:
    return re.fullmatch(r"-[a-z]*c", text) is not None


def _after_c(words: list[Word]) -> list[Word]:
    place = next(n for n, word in enumerate(words) if _is_c(word.text))
    return words[place + 1 : place + 2]
