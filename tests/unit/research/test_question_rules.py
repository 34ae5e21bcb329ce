"""What makes a question testable: how observations are read, what they lack, and which gaps an answer closes."""

from __future__ import annotations

import pytest

from orchestrator.research.rules.elements import Element, Elements, gaps
from orchestrator.research.rules.gap_answers import answered
from orchestrator.research.rules.question import compose, parse
from orchestrator.research.rules.reading import read
from orchestrator.turn.identity import Language

PT, EN = Language.PT, Language.EN


@pytest.mark.parametrize(
    ("language", "said", "question"),
    [
        (
            PT,
            "Percebi que pacientes com hipertensão que fazem caminhada faltam menos às consultas",
            "Como fazer caminhada impacta as faltas às consultas em pacientes com hipertensão?",
        ),
        (PT, "Como X impacta Y?", "Como X impacta Y?"),
        (PT, "o tempo de tela piora o sono de adolescentes", "Como o tempo de tela impacta o sono em adolescentes?"),
        (
            PT,
            "Qual o efeito do uso de lembretes por SMS nas faltas a consultas de idosos?",
            "Como o uso de lembretes por SMS impacta as faltas a consultas em idosos?",
        ),
        (PT, "quem dorme pouco tem mais crises de asma", "Como dormir pouco impacta crises de asma?"),
        (PT, "Quanto mais café, pior o sono", "Como a quantidade de café impacta o sono?"),
        (PT, "Lembretes reduzem as faltas em mulheres", "Como lembretes impactam as faltas em mulheres?"),
        (
            PT,
            "Notei que desde que começamos a mandar lembretes as faltas diminuíram",
            "Como mandar lembretes impacta as faltas?",
        ),
        (
            PT,
            "adultos com hipertensão que praticam exercícios têm pressão mais baixa",
            "Como praticar exercícios impacta pressão em adultos com hipertensão?",
        ),
        (PT, "As crianças com asma melhoram no verão", "O que influencia a melhora no verão em crianças com asma?"),
        (
            PT,
            "Qual a relação entre obesidade e artrose em mulheres acima de 50 anos?",
            "Como obesidade impacta artrose em mulheres acima de 50 anos?",
        ),
        (
            PT,
            "Pacientes que fazem fisioterapia se recuperam mais rápido da cirurgia",
            "Como fazer fisioterapia impacta a recuperação da cirurgia em pacientes?",
        ),
        (PT, "Jovens faltam mais que os idosos", "O que influencia as faltas em jovens, em comparação com os idosos?"),
        (PT, "como reduzir as faltas às consultas?", "O que influencia as faltas às consultas?"),
        (EN, "how can we reduce no-shows?", "What influences no-shows?"),
        (
            EN,
            "People over 60 who swim report less pain than those who do not",
            "How does swimming affect pain in people over 60, compared with those who do not?",
        ),
        (PT, "Pacientes faltam muito às consultas", "O que influencia as faltas às consultas em pacientes?"),
        (PT, "quero estudar a adesão em idosos", "O que influencia a adesão em idosos?"),
        (
            PT,
            "A meditação melhora a qualidade de vida de mulheres medida pelo questionário SF-36",
            "Como a meditação impacta a qualidade de vida em mulheres, tendo como medida questionário SF-36?",
        ),
        (
            EN,
            "I noticed that patients with hypertension who walk miss fewer appointments",
            "How does walking affect missed appointments in patients with hypertension?",
        ),
        (EN, "Does screen time affect sleep in adolescents?", "How does screen time affect sleep in adolescents?"),
        (
            EN,
            "Text reminders reduce no-shows in adults compared with no reminders over 12 months",
            "How do text reminders affect no-shows in adults, compared with no reminders, over 12 months?",
        ),
        (EN, "the more coffee, the worse the sleep", "How does the amount of coffee affect the sleep?"),
        (EN, "I want to study adherence in elderly patients", "What influences adherence in elderly patients?"),
    ],
)
def test_an_observation_becomes_a_question_in_its_own_words(language: Language, said: str, question: str) -> None:
    assert compose(read(said, language), language) == question


def test_age_is_part_of_the_population_and_no_time() -> None:
    elements = read("Adultos de 18 a 40 anos que fumam têm mais internações", PT)
    assert (elements.population, elements.time) == ("adultos de 18 a 40 anos", "")


@pytest.mark.parametrize("said", ["oi", "", "???", "bom dia, tudo bem?", "12 meses", "hello"])
def test_what_names_no_relation_makes_no_question(said: str) -> None:
    assert not read(said, PT).can_be_asked


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
