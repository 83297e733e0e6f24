"""Memory by count: what an entity out of view costs, and that big content does not pile up."""

from __future__ import annotations

import pytest

from tests.bench import memory


@pytest.mark.parametrize("kind", memory.KINDS)
def test_an_entity_out_of_view_costs_at_most_two_kilobytes_beside_its_text(kind: str) -> None:
    assert memory.beside_text(memory.KINDS[kind], 300) <= 2000


def test_a_subagent_costs_no_more_than_an_entity_and_an_empty_session() -> None:
    assert memory.beside_text(memory.subagent, 300) <= 2500


@pytest.mark.parametrize(("over", "most"), [(False, 30_000_000), (True, 1_000_000)])
def test_a_hundred_terminals_of_a_megabyte_are_mostly_put_aside(over: bool, most: int) -> None:
    assert memory.terminals(over) <= most


def test_pictures_are_kept_on_the_shelf_alone() -> None:
    assert memory.pictures() <= 1_000_000
