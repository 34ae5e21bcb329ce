"""What a model says that a person said of themselves is kept in that person's own words, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.planner.about_self.clauses import own_words, say_much_the_same
from orchestrator.planner.text.normalised_text import fold_phrase, normalise
from tests.support.sentences import rows

QUOTED = rows("own_words.txt", "quoted")

REFUSED = rows("own_words.txt", "refused")


@pytest.mark.parametrize(("said", "content", "kept"), QUOTED, ids=lambda value: value[:40])
def test_a_statement_is_kept_as_the_person_typed_it(said: str, content: str, kept: str) -> None:
    assert own_words(content, normalise(said)) == kept


@pytest.mark.parametrize(("said", "content"), REFUSED, ids=lambda value: value[:40])
def test_what_the_person_did_not_state_of_themselves_is_not_kept(said: str, content: str) -> None:
    assert own_words(content, normalise(said)) is None


WORDS = st.lists(
    st.sampled_from(
        ["não posso", "só", "às sextas", "moro em", "Santo André", "eu", "prefiro", "9", ",", ".", "e", "?"]
    ),
    min_size=3,
    max_size=14,
).map(" ".join)


@given(content=WORDS, said=WORDS)
def test_whatever_comes_together_nothing_is_kept_that_was_not_typed_in_one_piece(content: str, said: str) -> None:
    kept = own_words(content, normalise(said))
    assert kept is None or kept in said


@given(content=st.text(max_size=60), said=st.text(max_size=120))
def test_any_text_may_be_looked_up_in_any_other(content: str, said: str) -> None:
    kept = own_words(content, normalise(said))
    typed = iter(said)
    assert kept is None or all(sign in typed for sign in kept if not sign.isspace())


@pytest.mark.parametrize("said", ["não posso às sextas", "não posso\tàs   sextas", "NÃO POSSO ÀS SEXTAS!!!"])
def test_what_is_kept_is_one_line_of_what_was_typed(said: str) -> None:
    kept = own_words("Não pode às sextas", normalise(said))
    assert kept is not None
    assert "\t" not in kept
    assert fold_phrase(kept) in fold_phrase(" ".join(said.split()))


def test_two_wordings_of_a_fact_are_much_the_same_and_two_facts_are_not() -> None:
    assert say_much_the_same("não posso às sextas-feiras", "não posso às sextas")
    assert not say_much_the_same("não posso às sextas", "moro em Santo André")
