"""Finding paths by a few letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.services.fuzzy import CHUNK, Haystack

PATHS = [
    "src/",
    "src/app.py",
    "src/mapper.py",
    "src/apps/",
    "src/apps/models.py",
    "tests/test_app.py",
    "docs/a_long_path_to_pears.md",
    "Makefile",
]


def found(query: str, paths: list[str] = PATHS) -> list[str]:
    return [match.path for match in Haystack(paths).best(query)]


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ("app", ["src/app.py", "src/apps/", "tests/test_app.py", "src/mapper.py", "src/apps/models.py"]),
        ("src/app", ["src/app.py", "src/apps/", "src/apps/models.py"]),
        ("apps/mod", ["src/apps/models.py"]),
        ("makefile", ["Makefile"]),
        ("MODELS", ["src/apps/models.py"]),
        ("s rm", ["src/mapper.py"]),
    ],
)
def test_the_likely_one_comes_first(query: str, order: list[str]) -> None:
    assert found(query)[: len(order)] == order


def test_letters_may_be_scattered() -> None:
    assert "docs/a_long_path_to_pears.md" in found("dprs")
    assert found("zz") == []


def test_nothing_asked_shows_the_shortest() -> None:
    assert found("")[0] == "src/"
    assert len(found("")) == len(PATHS)


def test_the_letters_are_marked() -> None:
    [first, *_] = Haystack(["src/apps/a.py"]).best("apps")
    assert first.positions == (4, 5, 6, 7)
    [first, *_] = Haystack(["lib/model_view.py"]).best("mdv")
    assert "".join(first.path[n] for n in first.positions) == "mdv"


def test_many_paths_are_searched_in_steps_and_each_step_knows_something() -> None:
    paths = [f"pkg{n % 7}/module_{n}.py" for n in range(3 * CHUNK)]
    steps = list(Haystack([*paths, "pkg0/needle.py"]).search("module", limit=10))
    assert len(steps) >= 4
    assert all(len(step) == 10 for step in steps)
    assert Haystack([*paths, "pkg0/needle.py"]).best("ndle")[0].path == "pkg0/needle.py"


@given(
    st.lists(st.text("ab/_.İß", min_size=1, max_size=9), unique=True, max_size=40),
    st.text("ab/_", max_size=3),
)
def test_what_is_found_has_the_letters_in_order(paths: list[str], query: str) -> None:
    for match in Haystack(paths).best(query):
        letters = iter(match.path.lower())
        assert all(letter in letters for letter in query)
        assert all(0 <= place < len(match.path) for place in match.positions)
    for path in paths:
        if query and query in path.lower():
            assert path in found(query, paths)


def test_a_folder_shows_first_what_lies_in_it() -> None:
    paths = ["src/", "src/lib/", "src/lib/a.py", "src/main.py", "x/src/", "x/src/b"]
    found = [match.path for match in Haystack(paths).best("src/")]
    assert found[:3] == ["src/lib/", "src/main.py", "src/"]


def test_what_is_added_meanwhile_disturbs_no_search() -> None:
    hay = Haystack([f"a{n}" for n in range(CHUNK + 10)])
    steps = hay.search("a", 5)
    next(steps)
    hay.add([f"a{n}" for n in range(CHUNK)])
    *_, last = steps
    assert [match.path for match in last] == ["a0", "a1", "a2", "a3", "a4"]
    assert len(hay) == 2 * CHUNK + 10
