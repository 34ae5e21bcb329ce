"""Looking into the clinics' patients."""

from __future__ import annotations

import pytest

from orchestrator.turn.identity import Role
from orchestrator.turn.plan import PlanKind, Topic
from tests.unit.planner.desk import CLINICS, Desk, calls

ALL = [clinic.id for clinic in CLINICS]


@pytest.mark.parametrize(
    ("text", "clinics"),
    [
        ("listar os pacientes", ALL),
        ("list patients", ALL),
        ("mostra os pacientes de cardiologia", ["clinic_a", "clinic_c"]),
        ("quais são os pacientes da clínica E?", ["clinic_e"]),
        ("show the patients of clinic E", ["clinic_e"]),
    ],
)
def test_staff_lists_the_patients_of_all_or_of_some_clinics(text: str, clinics: list[str]) -> None:
    plan = Desk.open(role=Role.OPERATOR).say(text)
    assert calls(plan) == [(clinic, "list_patients", {}) for clinic in clinics]


@pytest.mark.parametrize(
    ("text", "query", "clinics"),
    [
        ("quais pacientes têm hipertensão?", "hipertensão", ALL),
        ("pacientes com diabetes na clínica A", "diabetes", ["clinic_a"]),
        ("quem toma losartana?", "losartana", ALL),
        ("patients with high blood pressure in cardiology", "high blood pressure", ["clinic_a", "clinic_c"]),
        ("pesquisar arritmia", "arritmia", ALL),
    ],
)
def test_staff_asks_about_patients_by_what_they_have(text: str, query: str, clinics: list[str]) -> None:
    plan = Desk.open(role=Role.OPERATOR).say(text)
    assert calls(plan) == [(clinic, "query", {"query": query}) for clinic in clinics]


@pytest.mark.parametrize("text", ["listar pacientes", "quais pacientes têm hipertensão?", "show me all patients"])
def test_a_patient_is_refused_what_is_about_others(text: str) -> None:
    plan = Desk.open(role=Role.PATIENT).say(text)
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.REFUSE, Topic.OPERATORS_ONLY, ())


@pytest.mark.parametrize(
    ("text", "patient", "clinics"),
    [
        ("CARD-001", "CARD-001", ["clinic_a", "clinic_c"]),
        ("mostra o registro DERM-F001", "DERM-F001", ["clinic_b", "clinic_f"]),
        ("orth d001 na clínica D", "ORTH-D001", ["clinic_d"]),
    ],
)
def test_an_id_is_looked_up_in_the_clinics_of_its_specialty(text: str, patient: str, clinics: list[str]) -> None:
    plan = Desk.open(role=Role.OPERATOR).say(text)
    assert calls(plan) == [(clinic, "get_patient", {"patient_id": patient}) for clinic in clinics]


def test_a_missing_id_or_query_is_asked_for() -> None:
    desk = Desk.open(role=Role.OPERATOR)
    assert desk.say("abrir a ficha de um paciente").topic in {Topic.ASK_PATIENT_ID, Topic.OTHER_PERSON}
    assert desk.say("buscar um paciente").topic is Topic.ASK_PATIENT_ID
    assert desk.say("quais pacientes têm?").topic is Topic.ASK_QUERY
    assert calls(desk.say("asma"))[0] == ("clinic_a", "query", {"query": "asma"})


def test_booking_for_a_patient_is_no_lookup() -> None:
    plan = Desk.open(role=Role.OPERATOR).say("quero marcar cardiologista para um paciente")
    assert [action for _, action, _ in calls(plan)] == ["list_available_slots"] * 2


@pytest.mark.parametrize(
    "text",
    [
        "qual o telefone do CARD-001?",
        "give me CARD-001's address",
        "me diz os exames de DERM-F001",
        "CARD-002 diagnosis",
    ],
)
def test_a_patient_is_refused_what_the_record_of_an_id_holds(text: str) -> None:
    plan = Desk.open().say(text)
    assert (plan.kind, plan.topic, plan.steps) == (PlanKind.REFUSE, Topic.OTHER_PERSON, ())


def test_staff_may_ask_what_a_record_holds() -> None:
    plan = Desk.open(role=Role.OPERATOR).say("what medication is patient CARD-001 taking?")
    assert {action for _, action, _ in calls(plan)} == {"get_patient"}


@pytest.mark.parametrize("text", ["quero ver meu prontuário", "show me my medical record"])
def test_ones_own_record_is_opened_by_its_id(text: str) -> None:
    desk = Desk.open()
    assert desk.say(text).topic is Topic.ASK_PATIENT_ID
    assert {action for _, action, _ in calls(desk.say("CARD-001"))} == {"get_patient"}
