"""Source code as coloured runs. Lexers are loaded when a language is first seen.

Invariants: the text of the runs is the text of the lines; what cannot be highlighted (unknown language,
monstrous lines) is plain, never lost. Lines are clean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rich.style import Style

from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.wrap import Run

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

LONGEST = 1000
"""Characters of a line beyond which nothing is highlighted: minified text takes lexers to their worst."""
LARGEST = 65_536
DEEPEST = 64
"""States of a lexer in one another that are remembered from one line to the next."""
COMMON = ("python", "bash", "json", "typescript")
"""Languages that answers are full of."""
_State = tuple[str, ...]
_ROOT: _State = ("root",)
_NAME = re.compile(r"[\w+#.-]{1,40}$", re.ASCII)
_PARTS = (
    ("Keyword.Type", "code_type"),
    ("Keyword", "code_keyword"),
    ("Name.Function", "code_function"),
    ("Name.Class", "code_type"),
    ("Name.Exception", "code_type"),
    ("Name.Builtin", "code_builtin"),
    ("Name.Decorator", "code_builtin"),
    ("Name.Tag", "code_tag"),
    ("Name.Attribute", "code_attribute"),
    ("Name", "code_name"),
    ("Literal.String", "code_string"),
    ("Literal.Number", "code_number"),
    ("Comment", "code_comment"),
    ("Operator.Word", "code_keyword"),
    ("Operator", "code_operator"),
    ("Generic.Heading", "code_heading"),
    ("Generic.Subheading", "code_heading"),
    ("Generic.Deleted", "diff_delete"),
    ("Generic.Inserted", "diff_add"),
    ("Generic.Error", "code_error"),
)


def highlight(lines: Sequence[str], language: str, look: Look) -> list[list[Run]]:
    """The lines as runs, one list for each."""
    lexer = _lexer(language) if _coloured_in(look) else None
    if lexer is None or sum(map(len, lines)) > LARGEST or any(len(line) > LONGEST for line in lines):
        return plainly(lines, language, look)
    made = list(_coloured("\n".join(lines), lexer, look))
    return made[: len(lines)] + [[] for _ in range(len(lines) - len(made))]


@lru_cache(maxsize=8)
def _coloured_in(look: Look) -> bool:
    return look.colours_code


def plainly(lines: Sequence[str], language: str, look: Look) -> list[list[Run]]:
    """The same without colours, which take most of the time."""
    return [[(line, look.code)] for line in lines]


class Growing:
    """Highlights code that grows at its end: once in a while as a whole, in between only what came.

    A line keeps the colours that the whole gave it; one that came later is highlighted after what the lines
    before it left open, where its language tells that, else by itself; which may be wrong until the next
    time.
    """

    __slots__ = ("_how", "_lines", "_runs")

    def __init__(self) -> None:
        self._how: tuple[str, Look] | None = None
        self._lines: Sequence[str] = ()
        self._runs: list[list[Run]] = []

    def whole(self, lines: Sequence[str], language: str, look: Look) -> list[list[Run]]:
        """All lines together; as `highlight`."""
        self._how, self._lines, self._runs = (language, look), lines, highlight(lines, language, look)
        return self._runs

    def more(self, lines: Sequence[str], language: str, look: Look) -> list[list[Run]]:
        """The same lines and some more."""
        made: list[list[Run]] = []
        state = _ROOT
        for line in lines:
            runs, state = _carried(line, language, look, state)
            made.append(list(runs))
        for index, (old, new) in enumerate(zip(self._lines, lines, strict=False)):
            if old != new or self._how != (language, look):
                break
            made[index] = self._runs[index]
        return made


@lru_cache(maxsize=1024)
def _alone(line: str, language: str, look: Look) -> tuple[tuple[Run, ...], _State]:
    return tuple(highlight([line], language, look)[0]), _ROOT


@lru_cache(maxsize=1024)
def _carried(line: str, language: str, look: Look, state: _State) -> tuple[tuple[Run, ...], _State]:
    """One line after lines that left the lexer in a state, and the state it leaves."""
    from pygments.lexer import ExtendedRegexLexer, LexerContext, RegexLexer

    lexer = _lexer(language)
    own = type(lexer).get_tokens_unprocessed if lexer is not None else None
    if own is not RegexLexer.get_tokens_unprocessed or len(line) > LONGEST:
        return _alone(line, language, look)
    context = LexerContext(line + "\n", 0, list(state))
    try:
        tokens = ExtendedRegexLexer.get_tokens_unprocessed(lexer, context=context)
        runs = next(_lines(((kind, value) for _, kind, value in tokens), look))
    except TypeError:  # a rule of this lexer knows nothing of contexts
        return _alone(line, language, look)
    if "".join(text for text, _ in runs) != line:
        return _alone(line, language, look)
    return tuple(runs), tuple(context.stack[-DEEPEST:])


def _coloured(text: str, lexer: Lexer, look: Look) -> Iterator[list[Run]]:
    return _lines(lexer.get_tokens(text), look)


def _lines(tokens: Iterable[tuple[_TokenType, str]], look: Look) -> Iterator[list[Run]]:
    line: list[Run] = []
    for kind, value in tokens:
        style = _style(kind, look)
        first, *others = value.split("\n")
        _put(line, first, style)
        for part in others:
            yield line
            line = []
            _put(line, part, style)
    yield line


def _put(line: list[Run], text: str, style: Style) -> None:
    if not text:
        return
    if line and line[-1][1] is style:
        line[-1] = (line[-1][0] + text, style)
    else:
        line.append((text, style))


@lru_cache(maxsize=2048)
def _style(kind: _TokenType, look: Look) -> Style:
    name = str(kind).removeprefix("Token.")
    for prefix, part in _PARTS:
        if name == prefix or name.startswith(prefix + "."):
            style: Style = getattr(look, part)
            return style
    return look.code


@lru_cache(maxsize=128)
def _lexer(language: str) -> Lexer | None:
    if not _NAME.match(language) or language in ("text", "txt", "plain", "plaintext"):
        return None
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name("latex" if language == "math" else language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@cache
def prepare() -> None:
    """Load what most answers need, once: in the middle of one it would stall a frame for a tenth of a second.
    Any thread may do it, best while the agent thinks."""
    for language in COMMON:
        highlight(["x"], language, FALLBACK)
    language_of("x.py")  # the first name is compared with those of all languages that there are


@lru_cache(maxsize=512)
def language_of(path: str, mime_type: str = "") -> str:
    """The name of the language of a file, by its name or type; empty if unknown."""
    from pygments.lexers import find_lexer_class_for_filename, get_lexer_for_mimetype
    from pygments.util import ClassNotFound

    found = find_lexer_class_for_filename(path.replace("\\", "/").rsplit("/", 1)[-1]) if path else None
    if found is not None and found.aliases:
        return str(found.aliases[0])
    try:
        return str(get_lexer_for_mimetype(mime_type).aliases[0]) if mime_type else ""
    except (ClassNotFound, IndexError):
        return ""
