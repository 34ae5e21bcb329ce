"""The small-cell rule, proved over every small table: one is never told from two, whatever is asked."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.research.graph.feasibility import SMALLEST, published

PARTS = 4
LARGEST = 5
QUESTIONS = tuple(chain.from_iterable(combinations(range(PARTS), size) for size in range(1, PARTS + 1)))
SMALL = range(1, SMALLEST)


@pytest.mark.parametrize(
    ("parts", "sum_"),
    [
        ((), 0),
        ((0,), 0),
        ((1,), None),
        ((2,), None),
        ((3,), 3),
        ((0, 3), 3),
        ((3, 40), 43),
        ((40, 2), None),
        ((1, 2), None),
    ],
)
def test_a_sum_is_published_unless_a_part_of_it_is_one_or_two(parts: tuple[int, ...], sum_: int | None) -> None:
    assert published(parts) == sum_


def test_from_the_answers_to_all_questions_together_a_withheld_part_may_still_be_one_or_two() -> None:
    tables_with = defaultdict(list)
    for table in product(range(LARGEST + 1), repeat=PARTS):
        answers = tuple(published(table[part] for part in question) for question in QUESTIONS)
        tables_with[answers].append(table)
    assert len(tables_with) > 1
    for tables in tables_with.values():
        for part in range(PARTS):
            possible = {table[part] for table in tables}
            assert possible == set(SMALL) or (len(possible) == 1 and not possible & set(SMALL))


@given(st.lists(st.integers(0, 50), max_size=8), st.data())
def test_a_sum_never_says_which_of_its_parts_are_one_and_which_are_two(parts: list[int], data: st.DataObject) -> None:
    other = [data.draw(st.sampled_from(list(SMALL))) if part in SMALL else part for part in parts]
    assert published(parts) == published(other)


@given(st.lists(st.integers(0, 50), max_size=8))
def test_what_is_published_is_nobody_or_three_and_more(parts: list[int]) -> None:
    patients = published(parts)
    assert patients is None or patients == 0 or patients >= SMALLEST
