"""The records that the clinics really hold: shown in full to those who may see them, and to nobody else."""

from __future__ import annotations

from dataclasses import replace

from clinics.profile import Patient, known_clinics, load_patients
from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.responder.templates import TemplateResponder
from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.reply import SAFE, Rule, Verdict
from orchestrator.turn.routing import StepResult
from orchestrator.turn.session import Session
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import CLINICS, OPERATOR, SESSION, plan_of, record, verdict_on

RECORDS = [patient for clinic in known_clinics() for patient in load_patients(clinic).all]


def answered(patient: Patient) -> tuple[StepResult, ...]:
    medications = [pb.Medication(name=drug.name, dosage=drug.dosage) for drug in patient.medications]
    message = pb.Patient(
        patient_id=patient.patient_id,
        name=patient.name,
        cpf=patient.cpf,
        birth_date=patient.birth_date,
        condition=patient.condition,
        medications=medications,
        exams=patient.exams,
        address=patient.address,
        phone=patient.phone,
    )
    return (record(found=message),)


def shown(results: tuple[StepResult, ...], session: Session, language: Language) -> Verdict:
    plan = plan_of(results, language)
    reply = TemplateResponder().answer(plan, results, session, CLINICS)
    return verdict_on(reply.plain, results, session=session, plan=plan)


def test_a_record_may_be_shown_to_an_operator_and_to_whom_it_belongs() -> None:
    assert len(RECORDS) > 200
    for patient in RECORDS:
        results = answered(patient)
        owner = replace(SESSION, identity=Identity(patient.name, patient.cpf))
        for session in (OPERATOR, owner):
            assert RuleVerifier().check_data(Answers.of("consulta", results), session) == SAFE, patient.patient_id
            said = [shown(results, session, language) for language in Language]
            assert said == [SAFE, SAFE], patient.patient_id


def test_a_record_is_shown_to_no_other_patient() -> None:
    for patient in RECORDS:
        results = answered(patient)
        data = RuleVerifier().check_data(Answers.of("consulta", results), SESSION)
        assert data.rule is Rule.R2, patient.patient_id
        assert shown(results, SESSION, Language.PT).rule in {Rule.R1, Rule.R2}, patient.patient_id
