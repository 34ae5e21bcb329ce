"""The language of an utterance, its typos, and the names in it."""

from __future__ import annotations

from datetime import datetime

import pytest

from orchestrator.planner.text import correct, guess_language, normalise
from orchestrator.planner.understanding import understand
from orchestrator.planner.understanding.cues import find_pointer
from orchestrator.planner.wishes import doctors_of, name_words
from orchestrator.planner.wishes.named_entities import find_clinics, find_doctors, find_patient_ids
from orchestrator.planner.wishes.specialties import COMPLAINTS, find_specialties, names_other_specialty
from orchestrator.turn import Clinic, Language, Not, conjuncts, doctors_named
from tests.support import repository_clinics
from tests.support.sentences import rows
from tests.unit.planner.desk import CLINICS, FERNANDO, MARINA_COUTO, MARINA_TELES, RICARDO

NOW = datetime.fromisoformat("2025-07-15T09:00")
PT, EN = Language.PT, Language.EN


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("quero um cardiologista amanhã", PT),
        ("tomorrow at nine", EN),
        ("quero cancelar", PT),
        ("cancel my appointment", EN),
        ("21/07 10h", None),
        ("2", None),
        ("", None),
    ],
)
def test_the_language_is_guessed_or_stays(text: str, language: Language | None) -> None:
    for before in Language:
        assert guess_language(normalise(text), before) is (language or before)


@pytest.mark.parametrize(("typed", "read"), rows("words.txt", "a slip in a keyword is corrected"))
def test_a_slip_in_a_keyword_is_corrected(typed: str, read: str) -> None:
    assert correct(normalise(typed)).folded == read


NAMES = frozenset(word for doctor in doctors_of(repository_clinics.CLINICS) for word in name_words(doctor.name))


@pytest.mark.parametrize(("typed", "read"), rows("words.txt", "a slip in a doctor's name is corrected"))
def test_a_slip_in_a_doctors_name_is_corrected(typed: str, read: str) -> None:
    assert correct(normalise(typed), NAMES).folded == read


@pytest.mark.parametrize(
    "typed", ["fernanda", "eduarda", "mariana", "camarao", "marinha", "bairros", "guerras", "felicia"]
)
def test_a_word_like_a_doctors_name_is_left_alone(typed: str) -> None:
    assert correct(normalise(typed), NAMES).folded == typed


@pytest.mark.parametrize(
    "typed", ["quanta", "marco", "norte", "atende", "atendimento", "ginecologia", "money", "cancelado", "torcer", "mes"]
)
def test_a_right_word_is_never_corrected(typed: str) -> None:
    assert correct(normalise(typed)).folded == typed


@pytest.mark.parametrize("typed", ["tarcar", "vancelar", "lemarcar", "xonsulta"])
def test_a_word_that_begins_differently_is_another_word(typed: str) -> None:
    assert correct(normalise(typed)).folded == typed


def test_the_name_of_a_doctor_is_never_corrected() -> None:
    assert correct(normalise("sextas")).folded == "sextas"
    assert correct(normalise("marcal"), names=["marcal"]).folded == "marcal"


@pytest.mark.parametrize(
    ("text", "doctors"),
    [
        ("com o Dr. Ricardo Lopes", [RICARDO]),
        ("com o doutor ricardo", [RICARDO]),
        ("o Ricardo", [RICARDO]),
        ("dr lopes", [RICARDO]),
        ("Dr. Ricrado Lopez", [RICARDO]),
        ("Dr. Fernando, cancele minha consulta com o Dr. Fernando Mendes", [FERNANDO]),
        ("a dra marina", [MARINA_TELES, MARINA_COUTO]),
        ("a Marina Couto", [MARINA_COUTO]),
        ("Dr. Ricardo ou Dr. Fernando", [RICARDO, FERNANDO]),
        ("um doutor qualquer", []),
        ("a doctor's appointment", []),
    ],
)
def test_doctors_are_found_in_full_and_in_part(text: str, doctors: list[str]) -> None:
    assert [doctor.name for doctor in find_doctors(normalise(text), CLINICS).found] == doctors


@pytest.mark.parametrize(
    ("text", "unknown"),
    [("marcar com Dr. João", True), ("dra. beltrana", True), ("o doutor está?", False), ("see a doctor today", False)],
)
def test_a_doctor_whom_nobody_has_is_noticed(text: str, unknown: bool) -> None:
    assert find_doctors(normalise(text), CLINICS).unknown is unknown


def test_no_doctor_is_found_where_no_clinic_has_answered_yet() -> None:
    silent = tuple(Clinic(clinic.id, clinic.id, clinic.specialty) for clinic in CLINICS)
    assert find_doctors(normalise("Dr. Ricardo Lopes"), silent).found == ()


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("cardio e dermato", ("Cardiology", "Dermatology")),
        ("médico de pele", ("Dermatology",)),
        ("especialista em ossos", ("Orthopedics",)),
        ("um médico do coração", ("Cardiology",)),
        ("heart doctor", ("Cardiology",)),
        ("an orthopaedic surgeon", ("Orthopedics",)),
        ("ortodontista", ()),
        ("uma consulta", ()),
    ],
)
def test_specialties_go_by_many_names(text: str, codes: tuple[str, ...]) -> None:
    assert find_specialties(normalise(text).folded, CLINICS) == codes


@pytest.mark.parametrize(
    "text", ["ginecologista", "um pediatra", "clínico geral", "eye doctor", "dentist", "psicóloga", "exame de sangue"]
)
def test_other_specialties_are_noticed(text: str) -> None:
    assert names_other_specialty(normalise(text).folded, CLINICS)


@pytest.mark.parametrize(("text", "code"), rows("words.txt", "a complaint belongs to a specialty"))
def test_a_complaint_belongs_to_a_specialty(text: str, code: str) -> None:
    assert find_specialties(normalise(text).folded, CLINICS, COMPLAINTS)[0] == code


@pytest.mark.parametrize(
    ("text", "found", "unknown"),
    [
        ("na clínica A", ("clinic_a",), False),
        ("clinic_e", ("clinic_e",), False),
        ("at clinic b please", ("clinic_b",), False),
        ("na clínica a tarde", (), False),
        ("aí na clínica tem alguém?", (), False),
        ("clínica e ortopedia", (), False),
        ("clinic_g", (), True),
    ],
)
def test_a_clinic_is_told_from_a_letter_that_is_a_word(text: str, found: tuple[str, ...], unknown: bool) -> None:
    assert find_clinics(normalise(text), CLINICS) == (found, unknown)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("CARD-001", (("CARD-001", "Cardiology"),)),
        ("orth-d001 e derm f001", (("ORTH-D001", "Orthopedics"), ("DERM-F001", "Dermatology"))),
        ("card001", (("CARD-001", "Cardiology"),)),
        ("CPF 529.982.247-25", ()),
        ("XPTO-001", ()),
    ],
)
def test_patient_ids_tell_their_specialty(text: str, found: tuple[tuple[str, str], ...]) -> None:
    assert find_patient_ids(normalise(text).folded, CLINICS) == found


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("o segundo", (2,)),
        ("2", (2,)),
        ("opção 3", (3,)),
        ("número dois", (2,)),
        ("a terceira opção", (3,)),
        ("quero o 2", (2,)),
        ("the first one", (1,)),
        ("option 4", (4,)),
        ("#2", (2,)),
        ("o 2o horário", (2,)),
        ("quero o primeiro e o terceiro", (1, 3)),
        ("uma consulta", ()),
        ("2 consultas", ()),
        ("quero um cardiologista", ()),
    ],
)
def test_a_row_of_the_list_is_pointed_at(text: str, numbers: tuple[int, ...]) -> None:
    assert find_pointer(normalise(text).folded).numbers == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a segunda opção, não, pera, a primeira", (1,)),
        ("the second one, no wait, the third one", (3,)),
        ("opção 2, digo, opção 4", (4,)),
    ],
)
def test_of_rows_that_are_corrected_the_last_one_counts(text: str, numbers: tuple[int, ...]) -> None:
    assert understand(text, Language.PT, CLINICS, NOW).pointer.numbers == numbers


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("cardiologista sem ser na clínica A", True),
        ("cardiologista sem ser na clínica A, né?", False),
        ("cardio, not 9?", False),
        ("no orthopedist at clinic D tomorrow? right?", True),
        ("cardiologista pela Unimed", False),
        ("cardiologista menos na clínica A na quinta", False),
        ("cardiologist except at clinic A on Thursday", False),
        ("cardiologista menos na clínica A, na quinta", True),
    ],
)
def test_what_may_be_meant_in_two_ways_is_not_certain(text: str, certain: bool) -> None:
    assert understand(text, Language.PT, CLINICS, NOW).wishes.is_certain is certain


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("um cardiologista, mas não o Dr. Ricardo", [], [RICARDO]),
        ("qualquer um que não seja o Fernando Mendes", [], [FERNANDO]),
        ("quero o Ricardo Lopes, não o Fernando Mendes", [RICARDO], [FERNANDO]),
        ("não quero o Dr. Ricardo, prefiro o Dr. Fernando", [FERNANDO], [RICARDO]),
        ("anyone but Dr. Mendes", [], [FERNANDO]),
        ("não, com o Dr. Fernando", [FERNANDO], []),
        ("não, quero o Dr. Fernando", [FERNANDO], []),
    ],
)
def test_a_doctor_who_does_not_suit_is_told_from_one_who_does(
    text: str, wanted: list[str], unwanted: list[str]
) -> None:
    said = understand(text, Language.PT, CLINICS, NOW)
    refused = [part.part for part in conjuncts(said.wishes.alone[0].wish.filter) if isinstance(part, Not)]
    assert [doctor.name for doctor in said.doctors.found] == wanted
    assert [sorted(doctors_named(part)) for part in refused] == [[name] for name in unwanted]
