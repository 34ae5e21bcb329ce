"""Folding and expanding what people type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.planner.text.normalised_text import MAX_CHARS, fold_phrase, normalise


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Amanhã às 9h", "amanha as 9h"),
        ("AMANHÃÃÃ", "amanha"),
        ("vc tem p/ hj?", "voce tem para hoje?"),
        ("pra segunda c/ derma", "para segunda com derma"),
        ("I don't wanna", "i do not want to"),
        ("it’s tmrw", "it is tomorrow"),
        ("1º de maio", "1o de maio"),
        ("dois\t\nespaços  \u200bjuntos", "dois espacos juntos"),
        ("18/07", "18/07"),
        ("", ""),
    ],
)
def test_case_accents_and_shorthand_are_read_alike(typed: str, read: str) -> None:
    assert normalise(typed).folded == read


def test_a_word_is_found_again_where_it_was_typed() -> None:
    text = normalise("Oi!! vc atende Amanhã?")
    word = next(word for word in text.words if word.text == "amanha")
    start, end = text.original_span(word.start, word.end)
    assert text.original[start:end] == "Amanhã"


def test_an_endless_utterance_is_read_up_to_a_bound() -> None:
    assert len(normalise("a b " * 100_000).original) == MAX_CHARS


@given(st.text(max_size=200))
def test_any_text_has_a_place_for_each_character_that_is_read(typed: str) -> None:
    text = normalise(typed)
    assert len(text.offsets) == len(text.folded)
    assert all(0 <= place < len(text.original) for place in text.offsets)
    assert list(text.offsets) == sorted(text.offsets)


@given(st.text(max_size=50))
def test_folding_twice_changes_nothing(typed: str) -> None:
    assert fold_phrase(fold_phrase(typed)) == fold_phrase(typed)
