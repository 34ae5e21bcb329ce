"""Two texts are compared by words: without case, accents and endings, and never across what parts two facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.memory.keeping.relevance import comparable, match, names_it, same_fact
from tests.support.sentences import rows

SAYING = ("não posso", "posso", "prefiro", "moro", "trabalho", "tenho", "busco")
WHAT = ("sextas", "quintas", "manhã", "tarde", "filhos", "escola", "centro", "Santo André", "às 9h", "às 18h")
texts = st.lists(st.sampled_from(SAYING + WHAT), min_size=1, max_size=8).map(" ".join)


def same(new: str, known: str) -> bool:
    return same_fact(comparable(new), comparable(known))


@given(texts)
def test_every_text_says_what_it_says_itself(text: str) -> None:
    assert same(text, text)
    assert same(text.upper(), text.upper())


@pytest.mark.parametrize("saying", ["não gosto da Clínica {}", "prefiro a clínica {}", "I don't like Clinic {}"])
def test_clinics_are_told_apart_by_their_letters(saying: str) -> None:
    for one, other in (("A", "B"), ("B", "A"), ("E", "F"), ("A", "E")):
        assert not same(saying.format(one), saying.format(other))
        assert not names_it(comparable(saying.format(one)), comparable(saying.format(other)))
        assert same(saying.format(one), saying.format(one))


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    assert same(one, one)
    same(one, other)
    assert 0.0 <= match(comparable(one), comparable(other)) <= 1.0


@given(texts, texts)
def test_texts_with_other_days_shifts_numbers_or_denials_never_say_the_same(one: str, other: str) -> None:
    if comparable(one).telling != comparable(other).telling:
        assert not same(one, other)


@given(texts, texts)
def test_what_says_the_same_has_more_than_seventy_percent_in_common(one: str, other: str) -> None:
    mine, others = comparable(one).content, comparable(other).content
    if mine and same(one, other):
        assert len(mine & others) > 0.7 * len(mine)


def test_seventy_percent_are_not_enough() -> None:
    ten = "casa rua praia campo serra lago rio vale monte ilha"
    assert not same(ten, "casa rua praia campo serra lago rio"), "7 of 10"
    assert same(ten, "casa rua praia campo serra lago rio vale"), "8 of 10"


@pytest.mark.parametrize(
    ("one", "other"), rows("similarity.txt", "endings accents and ways to write a time make no difference")
)
def test_endings_accents_and_ways_to_write_a_time_make_no_difference(one: str, other: str) -> None:
    assert comparable(one).content == comparable(other).content


def test_words_that_say_little_are_left_out() -> None:
    assert comparable("eu só posso de manhã por causa dos filhos").content == comparable("só manhã filhos").content


def test_a_name_is_told_from_the_beginning_of_a_sentence() -> None:
    assert comparable("Prefiro a Dra. Helena Prado").names == {"helen", "prad"}
    assert comparable("Moro longe. Prefiro o Centro").names == {"centr"}


@pytest.mark.parametrize(
    ("about", "text", "expected"),
    [
        ("moro em santo andre", "moro em Santo André", True),
        ("a Dra. Fernnanda", "gosto da Dra. Fernanda", True),
        ("moro em Santo Amaro", "moro em Santo André", False),
        ("posso às sextas", "não posso às sextas", True),
        ("não posso às sextas", "posso às sextas", False),
        ("", "moro em Santo André", False),
    ],
)
def test_words_name_a_text_when_enough_of_them_and_all_telling_ones_are_in_it(
    about: str, text: str, expected: bool
) -> None:
    assert names_it(comparable(about), comparable(text)) is expected
