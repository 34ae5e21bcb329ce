"""Whom a question is about: which conditions are counted, and which criteria are owned up to as not counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clinics
from orchestrator.planner.lexicon.tables import phrases, sections
from orchestrator.planner.text.normalised_text import fold_phrase
from orchestrator.research.graph.feasibility import condition_name, conditions_of, read_population
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Language

LEXICON = "orchestrator.research.lexicon"
CONDITIONS = sections("conditions", LEXICON)
CRITERIA = sections("criteria", LEXICON)
CODES = texts_in(Language.EN).table("research.criteria")
RECORDED = sorted(
    {
        patient["condition"]
        for path in Path(clinics.__file__).parent.glob("clinic_*/patients.json")
        for patient in json.loads(path.read_text("utf-8"))["patients"]
    }
)
PT, EN = Language


@pytest.mark.parametrize("recorded", RECORDED)
def test_every_condition_that_a_clinic_records_has_one_code(recorded: str) -> None:
    assert len(conditions_of(recorded)) == 1


def test_a_condition_that_the_lexicon_does_not_have_has_no_code() -> None:
    assert conditions_of("Hipotensão postural") == frozenset()


@pytest.mark.parametrize("code", CONDITIONS)
def test_a_condition_is_understood_by_its_own_names(code: str) -> None:
    for language in Language:
        assert read_population(condition_name(code, language), language).conditions == (code,)


@pytest.mark.parametrize(
    ("language", "text", "conditions"),
    [
        (PT, "adultos com hipertensão que faltam a consultas", ["hypertension"]),
        (PT, "HIPERTENSOS", ["hypertension"]),
        (PT, "pessoas com pressão alta", ["hypertension"]),
        (PT, "pacientes com hipertenção arterial", ["hypertension"]),
        (EN, "patients with hypertensoin", ["hypertension"]),
        (EN, "people with high blood pressure", ["hypertension"]),
        (EN, "pacientes com hipertensão", ["hypertension"]),
        (PT, "hipertensão pulmonar", ["pulmonary_hypertension"]),
        (PT, "hipertensão arterial pulmonar", ["pulmonary_hypertension"]),
        (EN, "patients with atopic dermatitis over 40", ["atopic_dermatitis"]),
        (PT, "artrose no joelho", ["knee_osteoarthritis"]),
        (PT, "idosos com artrose", ["knee_osteoarthritis", "hip_osteoarthritis"]),
        (PT, "acne grau III", ["acne"]),
        (EN, "eczema or psoriasis", ["psoriasis", "atopic_dermatitis"]),
        (EN, "skin cancer", ["basal_cell_carcinoma", "squamous_cell_carcinoma", "melanoma"]),
        (PT, "adultos que faltam a consultas", []),
        (PT, "hipotensão", []),
        (EN, "hypotension", []),
        (PT, "diabéticos", []),
        (PT, "", []),
    ],
)
def test_the_conditions_that_a_description_names(language: Language, text: str, conditions: list[str]) -> None:
    assert set(read_population(text, language).conditions) == set(conditions)


@pytest.mark.parametrize(
    ("language", "text", "unchecked"),
    [
        (PT, "hipertensos", ""),
        (PT, "adultos com hipertensão que faltam a consultas", "age adherence"),
        (PT, "mulheres de 18-40 anos com melasma", "age sex"),
        (PT, "pessoas com mais de 60 anos com osteoporose há mais de 2 anos", "age time"),
        (PT, "hipertensos há 5 anos", "time"),
        (PT, "moradores de Recife com psoríase em placas", "place severity"),
        (PT, "cardiopatas com fibrilação atrial em uso de varfarina", "medication"),
        (PT, "hipertensos com ecocardiograma alterado", "exam"),
        (PT, "fumantes com hipertensão não controlada", "severity habit"),
        (PT, "hipertensos diabéticos", "other_condition"),
        (PT, "hipertensos com dislipidemia", "combination"),
        (PT, "hipertensos dislipidêmicos", "combination"),
        (PT, "acne grau II ou rosácea", "severity"),
        (EN, "patients with atopic dermatitis over 40", "age"),
        (EN, "adults with high blood pressure who miss appointments", "age adherence"),
        (EN, "women with osteoporosis for more than 5 years", "sex time"),
        (EN, "rural patients with acne taking isotretinoin", "place medication"),
        (EN, "smokers with severe psoriasis and a biopsy", "exam severity habit"),
        (EN, "asthmatic people with eczema", "other_condition"),
        (EN, "acne and rosacea", "combination"),
        (EN, "acne, rosacea or melasma", ""),
    ],
)
def test_the_criteria_that_are_not_counted_are_named(language: Language, text: str, unchecked: str) -> None:
    assert " ".join(read_population(text, language).unchecked) == unchecked


@pytest.mark.parametrize(
    ("language", "text", "conditions"),
    [
        (PT, "mulheres com melasma, sem rosácea e acne", ("melasma",)),
        (PT, "sem diagnóstico de hipertensão, com angina", ("stable_angina",)),
        (PT, "com artrose de joelho, exceto artrose de quadril", ("knee_osteoarthritis",)),
        (PT, "pacientes sem artrose", ()),
        (PT, "dermatites, exceto dermatite de contato", ("atopic_dermatitis", "seborrheic_dermatitis")),
        (PT, "pessoas com e sem acne, todas com acne na família", ("acne",)),
        (EN, "non-hypertensive patients", ()),
        (EN, "hypertensive women without diabetes", ("hypertension",)),
        (EN, "people with acne and no history of melanoma", ("acne",)),
    ],
)
def test_a_condition_that_is_ruled_out_is_not_counted_and_said_so(
    language: Language, text: str, conditions: tuple[str, ...]
) -> None:
    population = read_population(text, language)
    assert population.conditions == conditions
    assert "exclusion" in population.unchecked


@given(st.text(), st.sampled_from(list(Language)))
def test_any_text_comes_to_codes_and_never_to_its_words(text: str, language: Language) -> None:
    population = read_population(text, language)
    assert set(population.conditions) <= set(CONDITIONS)
    assert set(population.unchecked) <= set(CODES)


@pytest.mark.parametrize("section", CRITERIA)
def test_every_row_of_a_criterion_is_a_folded_phrase_that_stands_once(section: str) -> None:
    language, _, code = section.partition(".")
    assert Language(language)
    assert code in CODES
    rows = CRITERIA[section]
    assert len(rows) == len(set(rows))
    assert all(row == fold_phrase(row) for row in rows)
    assert not phrases(rows).fullmatch("")


@pytest.mark.parametrize("code", CONDITIONS)
def test_every_row_of_a_condition_stands_once(code: str) -> None:
    folded = [fold_phrase(row) for row in CONDITIONS[code]]
    assert len(folded) == len(set(folded))


def test_both_languages_have_the_same_criteria() -> None:
    assert {section[3:] for section in CRITERIA if section.startswith("pt.")} == {
        section[3:] for section in CRITERIA if section.startswith("en.")
    }
    assert {section[3:] for section in CRITERIA} == set(CODES) - {"combination"}
