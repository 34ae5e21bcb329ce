"""What makes a question testable: how observations are read, what they lack, and which gaps an answer closes."""

from __future__ import annotations

import pytest

from orchestrator.research.rules.gap_answers import answered
from orchestrator.research.rules.question import Element, Elements, compose, gaps, parse
from orchestrator.research.rules.reading import read
from orchestrator.turn.identity import Language
from tests.support.sentences import rows

PT, EN = Language.PT, Language.EN


@pytest.mark.parametrize(("language", "said", "question"), rows("questions.txt", "questions"))
def test_an_observation_becomes_a_question_in_its_own_words(language: str, said: str, question: str) -> None:
    assert compose(read(said, Language(language)), Language(language)) == question


def test_age_is_part_of_the_population_and_no_time() -> None:
    elements = read("Adultos de 18 a 40 anos que fumam têm mais internações", PT)
    assert (elements.population, elements.time) == ("adultos de 18 a 40 anos", "")


@pytest.mark.parametrize("said", ["oi", "", "???", "bom dia, tudo bem?", "12 meses", "hello"])
def test_what_names_no_relation_makes_no_question(said: str) -> None:
    assert not read(said, PT).can_be_asked


@pytest.mark.parametrize(
    ("language", "said", "population"),
    [
        (PT, "quero estudar pacientes com diabetes", "pacientes com diabetes"),
        (PT, "adultos que faltam a consultas", "adultos que faltam a consultas"),
        (PT, "mulheres com imagem alterada", "mulheres com imagem alterada"),
        (EN, "I study older adults", "older adults"),
        (EN, "patients satisfied with their care", "patients satisfied with their care"),
        (EN, "teenagers managing their asthma", "teenagers managing their asthma"),
        (EN, "adults who lost their jobs", "adults who lost their jobs"),
    ],
)
def test_people_alone_are_a_population_with_all_that_describes_them(
    language: Language, said: str, population: str
) -> None:
    assert read(said, language) == Elements(population=population)


@pytest.mark.parametrize(
    ("elements", "lacking"),
    [
        (Elements(outcome="as faltas"), (Element.EXPOSURE, Element.POPULATION, Element.TIME)),
        (Elements(exposure="caminhada", outcome="Y", population="adultos"), (Element.COMPARISON,)),
        (Elements(exposure="o tempo de tela", outcome="a pressão arterial", population="adultos"), ()),
        (Elements(exposure="X", outcome="o sono", population="adultos"), (Element.MEASURE,)),
        (Elements(exposure="X", outcome="o sono", population="adultos", measure="escala PSQI"), ()),
        (
            Elements(exposure="X", outcome="o bem-estar", population="adultos", measure="número de internações"),
            (Element.TIME,),
        ),
    ],
)
def test_the_table_of_what_is_needed(elements: Elements, lacking: tuple[Element, ...]) -> None:
    assert gaps(elements) == lacking


WALKING = read("Percebi que pacientes com hipertensão que fazem caminhada faltam menos às consultas", PT)


@pytest.mark.parametrize(
    ("answer", "closed"),
    [
        ("comparados com os que não fazem caminhada, durante 12 meses", {Element.COMPARISON, Element.TIME}),
        ("quem não caminha; um ano", {Element.COMPARISON, Element.TIME}),
        ("12 meses", {Element.TIME}),
        ("de 2020 a 2024", {Element.TIME}),
        ("sem caminhada", {Element.COMPARISON}),
        ("proporção de consultas perdidas em 6 meses", {Element.MEASURE, Element.TIME}),
        ("não sei", set()),
        ("o que é um período?", set()),
        ("fazer caminhada", set()),
    ],
)
def test_an_answer_closes_the_gaps_that_its_words_fit(answer: str, closed: set[Element]) -> None:
    assert answered(WALKING, answer, PT).present - WALKING.present == closed


def test_ages_alone_are_people_of_that_age() -> None:
    elements = answered(parse("Como X impacta Y?", PT), "18 a 40 anos", PT)
    assert elements.population == "pessoas de 18 a 40 anos"


def test_an_absence_is_named_as_one() -> None:
    elements = answered(read("Lembretes reduzem as faltas em mulheres", PT), "sem lembretes; 1 ano", PT)
    assert (elements.comparison, gaps(elements)) == ("a ausência de lembretes", ())
