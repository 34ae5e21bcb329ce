"""Patient lists by anonymous id, and one record asked of several clinics."""

from __future__ import annotations

from orchestrator.responder.templates import TemplateResponder
from orchestrator.turn.identity import Language
from orchestrator.turn.reply import Card, Reply, Table, TurnOutcome
from orchestrator.turn.routing import StepResult
from tests.support.clinic_turns import (
    CLINICS,
    OPERATOR,
    failed,
    matches,
    openings,
    patient,
    patients,
    plan_of,
    record,
    refused,
)


def answer(*results: StepResult, language: Language = Language.PT) -> Reply:
    return TemplateResponder().answer(plan_of(results, language), results, OPERATOR, CLINICS)


NOT_THERE = refused("clinic_c", "get_patient", "PATIENT_NOT_FOUND")


def test_patients_are_listed_by_id_condition_and_clinic_and_never_logged() -> None:
    reply = answer(patients("clinic_a", "CARD-001", "CARD-002"), patients("clinic_c", "CARD-C01"))
    (shown,) = (block for block in reply.blocks if isinstance(block, Table))
    assert shown.rows[0] == ("CARD-001", "Arritmia", "Clínica A")
    assert reply.plain.startswith("Encontrei 3 pacientes:")
    assert "CARD-001" not in reply.loggable


def test_a_search_that_finds_nobody_says_so() -> None:
    assert answer(matches("clinic_a")).plain.startswith("Nenhum paciente corresponde")


def test_a_search_that_nobody_answered_does_not_say_that_there_is_nobody() -> None:
    reply = answer(failed("clinic_a", "query"), failed("clinic_c", "query"))
    assert reply.plain.startswith("Clínica A não respondeu")
    assert "Nenhum paciente" not in reply.plain
    assert reply.outcome is TurnOutcome.ALL_DOWN


def test_a_search_names_the_clinic_that_did_not_answer() -> None:
    reply = answer(matches("clinic_a", "CARD-001"), failed("clinic_c", "query"))
    assert "Clínica C não respondeu (2,0 s). Mostrando 1 de 2 clínicas." in reply.plain
    assert reply.outcome is TurnOutcome.PARTIAL


def test_a_record_is_a_card_with_the_cpf_masked_and_never_logged() -> None:
    reply = answer(record())
    (card,) = reply.blocks
    assert isinstance(card, Card)
    assert dict(card.rows) == {
        "Clínica": "Clínica A",
        "Paciente": "Beatriz Antunes Ferraz",
        "CPF": "***.***.*21-**",
        "Nascimento": "05/03/1961",
        "Condição": "Hipertensão arterial",
        "Medicamentos": "Losartana (50 mg, 1 vez ao dia); Hidroclorotiazida (25 mg, pela manhã)",
        "Exames": "Ecocardiograma; Holter 24h",
        "Endereço": "Rua das Acácias, 120, São Paulo",
        "Telefone": "(11) 98765-4321",
    }
    assert reply.loggable == ""


def test_the_clinic_that_has_the_patient_settles_it() -> None:
    for other in (NOT_THERE, failed("clinic_c", "get_patient")):
        reply = answer(other, record())
        assert len(reply.blocks) == 1
        assert reply.outcome is TurnOutcome.OK


def test_a_patient_is_unknown_only_when_all_clinics_asked_say_so() -> None:
    none = answer(refused("clinic_a", "get_patient", "PATIENT_NOT_FOUND"), NOT_THERE)
    assert none.plain == "Nenhuma clínica consultada tem um paciente com esse código. Confira o código."
    assert none.outcome is TurnOutcome.REFUSED
    some = answer(failed("clinic_a", "get_patient"), NOT_THERE)
    assert some.plain.startswith("Clínica A não respondeu (2,0 s). As clínicas que responderam não têm")
    assert some.outcome is TurnOutcome.PARTIAL


def test_a_record_that_no_clinic_could_be_asked_for_is_told_as_all_down() -> None:
    reply = answer(failed("clinic_a", "get_patient"), failed("clinic_c", "get_patient"))
    assert reply.outcome is TurnOutcome.ALL_DOWN
    assert reply.plain.endswith("Nenhuma clínica consultada respondeu. Tente de novo em instantes.")


def test_a_record_with_little_in_it_shows_only_that() -> None:
    sparse = patient()
    for name in ("birth_date", "medications", "exams", "address", "phone"):
        sparse.ClearField(name)
    (card,) = answer(record(found=sparse), language=Language.EN).blocks
    assert isinstance(card, Card)
    assert [label for label, _ in card.rows] == ["Clinic", "Patient", "CPF", "Condition"]


def test_openings_and_patients_of_one_turn_are_told_one_after_the_other() -> None:
    reply = answer(openings("clinic_a"), failed("clinic_c", "list_patients"))
    assert reply.outcome is TurnOutcome.PARTIAL
