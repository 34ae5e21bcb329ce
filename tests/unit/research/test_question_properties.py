"""Whatever is typed: nothing raises, a question tells its own elements again, and no answer loses one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.research.rules.gap_answers import answered, corrected
from orchestrator.research.rules.question import Elements, compose, gaps, parse
from orchestrator.research.rules.reading import read, requested, topic
from orchestrator.research.rules.vocabulary import refusal_of
from orchestrator.turn.identity import Language

FRAGMENTS = (
    *("como", "impacta", "impactam", "em", "adultos", "pacientes com", "que", "fazem", "caminhada", "faltam menos"),
    *("às consultas", "o que influencia", "o que muda com", "quanto mais", "tem mais", "durante 12 meses"),
    *("em comparação com", "tendo como medida", "no período de", "comparado com", "quem não", "sem", ";", ",", "?"),
    *("how does", "affect", "in", "adults", "patients who", "compared with", "measured as", "over", "one year", "X"),
    *("percebi que", "quero estudar", "não sei", "[NAME]", "a ", "o ", "ÁÉ", "\u200b", "\n", "K", "'", "|"),
    *("Y", ". ", "18-40 anos", "{exposure}"),
    *(
        "não,",
        "na verdade são",
        "em vez de",
        "o desfecho é",
        "actually it is",
        "instead of",
        "quero uma revisão da literatura:",
    ),
)

texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(FRAGMENTS), max_size=14).map(" ".join))
languages = st.sampled_from(Language)


@given(texts, languages)
def test_a_question_tells_all_of_its_elements_again(text: str, language: Language) -> None:
    elements = read(text, language)
    if elements.can_be_asked:
        assert parse(compose(elements, language), language) == elements


@given(texts, texts, texts, languages)
def test_an_answer_loses_no_element_and_changes_none_but_those_it_corrects(
    first: str, second: str, third: str, language: Language
) -> None:
    elements = read(first, language)
    if not elements.can_be_asked:
        elements = Elements(exposure="X", outcome="o sono")
    for answer in (second, third):
        longer = answered(elements, answer, language)
        kept, _ = corrected(elements, answer, language)
        assert kept.present == elements.present
        assert all(longer[element] == kept[element] for element in kept.present)
        assert parse(compose(longer, language), language) == longer
        elements = longer


@given(texts, languages)
def test_any_text_can_be_screened_and_read_as_a_topic(text: str, language: Language) -> None:
    refusal_of(text)
    elements = topic(text, language)
    requested(text, language)
    assert not elements.present or parse(compose(elements, language), language) == elements


@given(texts, languages)
def test_what_is_present_is_no_gap(text: str, language: Language) -> None:
    elements = read(text, language)
    assert elements.present.isdisjoint(gaps(elements))


@pytest.mark.long(but=20)
@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_endless_repetition_is_read_in_an_instant(fragment: str) -> None:
    # The suite's time limit is what fails here, should a pattern ever try all ways to split a text.
    for language in Language:
        read(" ".join([fragment] * 1_000), language)
        answered(Elements(exposure="X", outcome="Y"), " ".join([fragment] * 1_000), language)
        refusal_of(" ".join([fragment] * 1_000))
