"""Numbers and times of day as people say them."""

from __future__ import annotations

from datetime import time

import pytest

from orchestrator.verifier.drafts.numerals import numerals_in, spoken_times_in
from orchestrator.verifier.literals import folded


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("vinte e um horários", [21]),
        ("twenty-one openings", [21]),
        ("no dia dezoito", [18]),
        ("on the twenty-fifth", [25]),
        ("uma clínica e um médico", []),
        ("ambas as clínicas", [2]),
        ("meia dúzia de vagas, 12 médicos", [12, 12]),
        ("dezenas de vagas", [None]),
        ("3,5 horas", [None]),
        ("CARD-001", []),
    ],
)
def test_numbers_are_read_in_digits_and_words(text: str, values: list[int | None]) -> None:
    assert sorted((numeral.value for numeral in numerals_in(folded(text))), key=str) == sorted(values, key=str)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("às nove e meia", {time(9, 30), time(21, 30)}),
        ("às três da tarde", {time(15)}),
        ("9 da manhã", {time(9)}),
        ("at half past ten", {time(10, 30), time(22, 30)}),
        ("at nine in the morning", {time(9)}),
        ("ao meio-dia", {time(12)}),
        ("at midnight", {time(0)}),
        ("às duas clínicas", set()),
        ("as duas clínicas", set()),
        ("at two of them", set()),
    ],
)
def test_times_of_day_are_read_in_words(text: str, times: set[time]) -> None:
    assert set().union(*spoken_times_in(text)) == times
