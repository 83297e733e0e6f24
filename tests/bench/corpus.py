"""Text of the kind coding agents write, the same on every run."""

from __future__ import annotations

import random

WORDS = (
    *(
        "parser",
        "token",
        "stream",
        "buffer",
        "cursor",
        "match",
        "branch",
        "return",
        "value",
        "error",
        "handler",
    ),
    *(
        "index",
        "list",
        "cache",
        "entry",
        "reader",
        "writer",
        "socket",
        "frame",
        "column",
        "row",
        "width",
        "test",
    ),
    *(
        "case",
        "module",
        "import",
        "path",
        "the",
        "a",
        "of",
        "to",
        "is",
        "and",
        "when",
        "so",
        "because",
        "every",
    ),
)


def markdown(size: int, seed: int = 3) -> str:
    """About `size` characters: paragraphs, lists, headings, tables and fenced code in the usual mix."""
    rng = random.Random(seed)
    parts: list[str] = []
    total = 0
    while total < size:
        (make,) = rng.choices((_paragraph, _items, _code, _heading, _table), (50, 18, 18, 9, 5))
        parts.append(make(rng))
        total += len(parts[-1]) + 2
    return "\n\n".join(parts)[:size]


def log(size: int, seed: int = 4) -> str:
    """About `size` characters of a build log, with colours."""
    rng = random.Random(seed)
    lines: list[str] = []
    total = 0
    while total < size:
        colour = rng.choice((31, 32, 33, 90))
        lines.append(f"\x1b[{colour}m{rng.choice(WORDS):>8}\x1b[0m {_sentence(rng, rng.randint(3, 14))}\r\n")
        total += len(lines[-1])
    return "".join(lines)[:size]


def chunks(text: str, width: int) -> list[str]:
    """The text in pieces."""
    return [text[start : start + width] for start in range(0, len(text), width)]


def _sentence(rng: random.Random, count: int) -> str:
    words = [rng.choice(WORDS) for _ in range(count)]
    words[rng.randrange(count)] = f"`{rng.choice(WORDS)}_{rng.randrange(90)}`"
    words[rng.randrange(count)] = f"**{rng.choice(WORDS)}**"
    return " ".join(words).capitalize() + "."


def _paragraph(rng: random.Random) -> str:
    return " ".join(_sentence(rng, rng.randint(5, 18)) for _ in range(rng.randint(2, 5)))


def _items(rng: random.Random) -> str:
    return "\n".join(f"- {_sentence(rng, rng.randint(4, 12))}" for _ in range(rng.randint(3, 7)))


def _code(rng: random.Random) -> str:
    body = [
        f"    {rng.choice(WORDS)}_{number} = read_{rng.choice(WORDS)}({number}, name='{rng.choice(WORDS)}')"
        for number in range(rng.randint(4, 24))
    ]
    return "```python\ndef work(data: list[int]) -> int:\n" + "\n".join(body) + "\n    return 0\n```"


def _heading(rng: random.Random) -> str:
    return "## " + " ".join(rng.choice(WORDS) for _ in range(4)).capitalize()


def _table(rng: random.Random) -> str:
    rows = (f"| {rng.choice(WORDS)} | {rng.randrange(999)} | {rng.choice(WORDS)} |" for _ in range(5))
    return "| name | count | note |\n| --- | --: | --- |\n" + "\n".join(rows)
