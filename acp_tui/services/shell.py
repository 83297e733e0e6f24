"""A command line of a POSIX shell taken apart: its simple commands, each word with its place in the text.

Invariant: what is not understood says so (`Script.unsure`), it is never passed over in silence; nothing is
expanded or run. `shlex` gives no places and knows neither substitutions nor redirections, hence our own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "\n", "(", ")")
_REDIRECTIONS = ("<<<", "<<", "&>>", "&>", ">>", ">|", ">&", "<&", "<>", ">", "<")
_KEYWORDS = frozenset(
    {"if", "then", "elif", "else", "fi", "while", "until", "do", "done", "!", "{", "}", "time"}
)
_HARD = {"for": "a loop", "case": "a choice", "function": "a function", "select": "a loop", "[[": "a test"}
DEEPEST = 20
"""Substitutions in substitutions that are followed."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word without its quotes. `plain`: no variable, substitution or pattern stands in it."""

    text: str
    start: int
    end: int
    plain: bool = True
    inner: tuple[str, ...] = ()
    """What is run to make it: the texts of its substitutions."""


@dataclass(slots=True)
class Command:
    """One simple command."""

    words: list[Word] = field(default_factory=list)
    writes: list[Word] = field(default_factory=list)
    """Files it writes by redirection."""
    fed_by: Command | None = None
    """The command whose output it reads."""


@dataclass(slots=True)
class Script:
    """All commands, also those in substitutions, and why not everything is known."""

    commands: list[Command] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)


def parse(text: str) -> Script:
    """Take it apart as far as it goes."""
    script = Script()
    _Parser(text, 0, len(text), script, 0).run()
    return script


class _Parser:
    def __init__(self, text: str, start: int, end: int, script: Script, depth: int) -> None:
        self.text, self.at, self.end = text, start, end
        self.script = script
        self.depth = depth
        self.command = Command()

    def run(self) -> None:
        while self.at < self.end:
            char = self.text[self.at]
            if char in " \t\r":
                self.at += 1
            elif self.text.startswith("\\\n", self.at):  # the line goes on
                self.at += 2
            elif char == "#":
                newline = self.text.find("\n", self.at, self.end)
                self.at = self.end if newline < 0 else newline
            elif not self._operator():
                self._word_or_redirection()
        self._finish()

    def unsure(self, why: str) -> None:
        if why not in self.script.unsure:
            self.script.unsure.append(why)

    def _finish(self, *, pipe: bool = False) -> None:
        done = self.command
        if done.words or done.writes:
            self.script.commands.append(done)
        self.command = Command(fed_by=done if pipe and done.words else None)

    def _operator(self) -> bool:
        for operator in _OPERATORS:
            if self.text.startswith(operator, self.at) and not self.text.startswith("&>", self.at):
                self.at += len(operator)
                if operator == "(" and self.command.words:
                    self.unsure("a function")
                self._finish(pipe=operator in ("|", "|&"))
                return True
        return False

    def _word_or_redirection(self) -> None:
        start = self.at
        while self.at < self.end and self.text[self.at].isdigit():
            self.at += 1
        for operator in _REDIRECTIONS:
            if self.text.startswith(operator, self.at) and self.text[self.at : self.at + 2] not in (
                "<(",
                ">(",
            ):
                self.at += len(operator)
                self._redirect(operator)
                return
        self.at = start
        word = self._word()
        if not self.command.words and word.text in _KEYWORDS and word.end - word.start == len(word.text):
            return
        if not self.command.words and word.text in _HARD:
            self.unsure(_HARD[word.text])
        self.command.words.append(word)

    def _redirect(self, operator: str) -> None:
        while self.at < self.end and self.text[self.at] in " \t":
            self.at += 1
        if operator == "<<":
            self.unsure("a here-document")
        target = self._word()
        if ">" in operator and not (operator == ">&" and target.text.rstrip("-").isdigit()):
            self.command.writes.append(target)

    # Words

    def _word(self) -> Word:
        start, made, plain = self.at, "", True
        substituted: list[str] = []
        while self.at < self.end:
            char = self.text[self.at]
            if self._substitution(substituted):
                plain = False
            elif char in " \t\r\n;|&()<>":
                break
            elif char == "'":
                made += self._single()
            elif char == '"':
                piece, whole = self._double(substituted)
                made, plain = made + piece, plain and whole
            elif char == "\\":
                escaped = self.text[self.at + 1 : self.at + 2]
                made += "" if escaped == "\n" else escaped
                self.at += 2
            else:
                plain = plain and char not in "$*?["
                made += char
                self.at += 1
        if self.at == start:  # an operator where a word should be
            self.unsure("an operator without a word")
            self.at += 1
        self.at = min(self.at, self.end)
        return Word(made, start, self.at, plain, tuple(substituted))

    def _single(self) -> str:
        close = self.text.find("'", self.at + 1, self.end)
        if close < 0:
            self.unsure("a quote that does not end")
            close = self.end
        piece = self.text[self.at + 1 : close]
        self.at = close + 1
        return piece

    def _double(self, substituted: list[str]) -> tuple[str, bool]:
        made, plain = "", True
        self.at += 1
        while self.at < self.end and self.text[self.at] != '"':
            char = self.text[self.at]
            if self._substitution(substituted):
                plain = False
            elif char == "\\" and self.text[self.at + 1 : self.at + 2] in ("$", "`", '"', "\\", "\n"):
                made += self.text[self.at + 1].strip("\n")
                self.at += 2
            else:
                plain = plain and char != "$"
                made += char
                self.at += 1
        if self.at >= self.end:
            self.unsure("a quote that does not end")
        self.at += 1
        return made, plain

    def _substitution(self, found: list[str]) -> bool:
        """`$(…)`, `<(…)`, `>(…)` and backticks: their commands are commands too."""
        text, at = self.text, self.at
        if text.startswith(("$((", "${"), at):
            close = self._close(at + 1, "(" if text[at + 1] == "(" else "{")
            if "$(" in text[at + 3 : close] or "`" in text[at:close]:
                self.unsure("a substitution in an expansion")
            self.at = close + 1
            return True
        if text.startswith(("$(", "<(", ">("), at):
            begin, close = at + 2, self._close(at + 1, "(")
        elif text[at] == "`":
            begin, close = at + 1, text.find("`", at + 1, self.end)
            if close < 0:
                self.unsure("a quote that does not end")
                close = self.end
        else:
            return False
        found.append(text[begin:close])
        if self.depth >= DEEPEST:
            self.unsure("too many substitutions in one another")
        else:
            _Parser(text, begin, close, self.script, self.depth + 1).run()
        self.at = close + 1
        return True

    def _close(self, opening: int, bracket: str) -> int:
        """Where the bracket that opens there is closed, quotes skipped."""
        depth, at, other = 0, opening, {"(": ")", "{": "}"}[bracket]
        while at < self.end:
            char = self.text[at]
            if char == "\\":
                at += 1
            elif char == "'":
                at = self.text.find("'", at + 1, self.end)
                if at < 0:
                    break
            depth += (char == bracket) - (char == other)
            if not depth:
                return at
            at += 1
        self.unsure("a bracket that does not close")
        return self.end
