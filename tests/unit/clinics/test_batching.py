"""Writers who come together are waited for; one who is alone is not."""

from __future__ import annotations

import pytest

from clinics.batching import MOST, Company


def test_nobody_is_waited_for_where_writers_come_one_at_a_time() -> None:
    company = Company()
    for _ in range(3):
        assert company.expected == 1
        company.came(1)


def test_two_halves_that_take_turns_are_expected_as_one_whole() -> None:
    company, callers = Company(), 8
    company.came(callers // 2)
    for _ in range(callers):
        company.came(min(company.expected, callers))
    assert company.expected >= callers


def test_one_who_comes_late_once_is_not_given_up() -> None:
    company = Company()
    company.came(8)
    company.came(7)
    assert company.expected == 8


@pytest.mark.parametrize("before", [2, 8, 1000])
def test_one_who_is_left_alone_is_soon_not_kept_waiting(before: int) -> None:
    company = Company()
    company.came(before)
    waits = 0
    while company.expected > 1:
        waits += 1
        company.came(1)
    assert waits <= MOST.bit_length()


def test_no_more_than_so_many_are_ever_waited_for() -> None:
    company = Company()
    company.came(1000)
    assert company.expected == MOST
