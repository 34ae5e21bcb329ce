"""What must never be shown is blocked, by the rule that names it, and the note repeats nothing of it."""

from __future__ import annotations

import pytest

from generated.clinic.v1 import clinic_service_pb2 as pb
from orchestrator.turn.clinic_answers import Answers, receipts_of
from orchestrator.turn.reply import Rule
from orchestrator.turn.routing import StepResult
from orchestrator.turn.session import Session
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import (
    CPF,
    FRIDAY_18,
    NAME,
    ON_18_AT_10,
    ON_19_AT_14,
    ON_21_AT_9,
    ON_21_AT_10_30,
    OPERATOR,
    SESSION,
    appointment,
    booked,
    cancelled,
    done,
    failed,
    moved,
    openings,
    patient,
    patients,
    plan_of,
    record,
    verdict_on,
)

LISTED = (openings("clinic_a", ON_21_AT_9, ON_21_AT_10_30), openings("clinic_c", ON_18_AT_10))
ALL_SHOWN = (
    "18/07/2025 10:00 Dr. Fernando Mendes\n21/07/2025 09:00 Dr. Ricardo Lopes\n21/07/2025 10:30 Dr. Ricardo Lopes"
)
OWN_RECORD = (record(found=patient(name=NAME, cpf=CPF)),)

R1 = {
    "a dosage out of nothing": ((), "Amiodarona 200 mg costuma resolver."),
    "a drug out of nothing": ((), "O médico receitou Amiodarona."),
    "a drug by its ending": ((), "Your doctor prescribed rosuvastatin."),
    "another drug's dosage": (OWN_RECORD, "Losartana: 25 mg"),
    "a changed dosage": (OWN_RECORD, "Losartana 100 mg, 1 vez ao dia"),
    "a changed frequency": (OWN_RECORD, "Losartana 50 mg, 2 vezes ao dia"),
    "a changed frequency in English": (OWN_RECORD, "Losartana 50 mg, twice a day"),
    "a comma in the dosage": (OWN_RECORD, "Losartana 5,0 mg"),
    "tablets": ((), "São dois cuidados: 2 comprimidos e descanso."),
    "an order to take": ((), "Tome esse remédio depois do almoço."),
    "an order to stop": ((), "Pare de tomar o medicamento."),
    "an order in English": ((), "Please stop taking your medication."),
}

R2 = {
    "another's CPF": ((), "O CPF é 987.654.321-00."),
    "another's CPF bare": ((), "cpf 98765432100"),
    "another's CPF in full width": ((), "９８７.６５４.３２１-００"),
    "a phone": ((), "Ligue para (11) 98765-4321."),
    "an e-mail": ((), "Escreva para maria@exemplo.com.br"),
    "an address": ((), "Mora na Rua das Acácias, 120."),
    "a postal code": ((), "CEP 01310-100"),
    "a birth date": (LISTED, ALL_SHOWN + "\nnascida em 18/07/2025"),
    "a name with its label": ((), "Paciente: Zuleica Brandt"),
    "a given name with a surname": ((), "Esse horário ficou com Maria Aparecida Nunes."),
    "the record of another in the data": ((record(),), "CARD-001: Beatriz Antunes Ferraz"),
    "a name written in lower case": ((record(),), "a paciente é beatriz antunes ferraz"),
}

R3 = {
    "a diagnosis": ((), "Você provavelmente tem hipertensão."),
    "a diagnosis by its ending": ((), "Pelo que conta, você está com bursite."),
    "a supposition": ((), "Isso parece ser uma arritmia."),
    "a sign of": ((), "Isso pode ser sinal de infarto."),
    "in English": ((), "You probably have tendinitis."),
    "sounds like": ((), "That sounds like a mild case of dermatitis."),
    "advice to rest": ((), "Recomendo repouso por alguns dias."),
    "advice in English": ((), "You should rest and avoid exercise."),
    "to avoid": ((), "Evite sal e gordura."),
    "reassurance": ((), "Não é nada grave."),
    "no doctor needed": ((), "You don't need to see a doctor."),
    "a condition that only another's record holds": (
        (patients("clinic_a", "CARD-001"),),
        "CARD-001 | Arritmia. Você tem arritmia.",
    ),
}

R4 = {
    "a booking without receipt": ((), "Sua consulta foi agendada!"),
    "a booking in a title": ((), "Consulta marcada"),
    "a booking in the first person": ((), "Pronto, marquei para você."),
    "a booking in English": ((), "Your appointment is now confirmed."),
    "a booking in the first person in English": ((), "Great, I've booked it."),
    "with success": ((), "Agendada com sucesso"),
    "a cancellation without receipt": ((), "A consulta está cancelada."),
    "a cancellation in English": ((), "I have already cancelled your appointment."),
    "a move without receipt": ((), "A consulta foi remarcada."),
    "a booking behind a politeness": ((), "Não se preocupe: sua consulta foi marcada."),
    "a move with a booking's receipt": ((booked("clinic_c", ON_18_AT_10),), "Consulta remarcada."),
    "a cancellation with a booking's receipt": ((booked("clinic_c", ON_18_AT_10),), "Cancelamento confirmado."),
    "a booking with a cancellation's receipt": ((cancelled("clinic_c", ON_18_AT_10),), "Your visit is booked."),
    "a cancellation with a move's receipt": (
        (moved("clinic_c", ON_18_AT_10, ON_19_AT_14),),
        "Your appointment was cancelled.",
    ),
    "a date out of nothing": (LISTED, ALL_SHOWN + "\nHá outros em 22/07/2025."),
    "a date in words": (LISTED, ALL_SHOWN + "\nHá outros no dia 25 de agosto."),
    "a date in English": (LISTED, ALL_SHOWN + "\nThere is more on August 25."),
    "a time out of nothing": (LISTED, ALL_SHOWN + "\nTambém às 11h30."),
    "a time in English": (LISTED, ALL_SHOWN + "\nAlso at 4 PM."),
    "a doctor out of nothing": (LISTED, ALL_SHOWN + "\nou com a Dra. Helena Prado"),
    "a wrong surname": (LISTED, ALL_SHOWN + "\nou com o Dr. Fernando Souza"),
    "a wrong weekday": (LISTED, ALL_SHOWN.replace("18/07/2025", "segunda-feira, 18/07/2025")),
    "an opening that nobody listed": (LISTED, ALL_SHOWN + "\n18/07/2025 09:00 Dr. Fernando Mendes"),
    "an opening left out": (LISTED, ALL_SHOWN.rpartition("\n")[0]),
    "an opening without its doctor": (LISTED, "18/07/2025 10:00\n21/07/2025 09:00\n21/07/2025 10:30"),
    "nothing shown at all": (LISTED, "Não há horários."),
    "no openings though nobody answered": (
        (failed("clinic_a", "list_available_slots"),),
        "Não há horário livre em Cardiologia.",
    ),
    "no openings though nobody answered, in English": (
        (failed("clinic_a", "list_available_slots"),),
        "There are no available slots.",
    ),
    "a patient left out": ((patients("clinic_a", "CARD-001", "CARD-002"),), "CARD-001 | Arritmia"),
}

CLAIMS = """
Tudo certo! Sua consulta já está agendada.
Agendamento realizado.
Reservei o horário.
Acabei de marcar sua consulta.
Já fiz o agendamento.
Feito, cancelei.
Desmarcada!
Está tudo confirmado.
Deixei marcado para você.
Sua consulta já consta como cancelada.
Marcação feita.
A remarcação deu certo.
Cancelamento efetuado com sucesso.
Booked!
You're all set.
Your booking is complete.
We have scheduled your visit.
I went ahead and booked it.
Your reservation was made.
The cancellation went through.
Your slot has been reserved.
Appointment successfully moved.
""".strip().split("\n")

JUDGEMENTS = """
Você deve estar com tendinite.
Provavelmente você tem uma infecção.
Pelo relato, trata-se de uma hérnia.
Com certeza é hérnia de disco.
É só uma alergia.
Os sintomas indicam bronquite.
Faça compressas de gelo.
Pode tomar sem medo.
Isso é normal, não precisa ir ao médico.
You are likely suffering from anxiety.
This looks like psoriasis.
It could be a heart attack.
It's just an allergy.
Your symptoms suggest angina.
Apply ice to the area.
""".strip().split("\n")


CASES = [
    pytest.param(rule, *case, id=f"{rule}: {name}")
    for rule, cases in ((Rule.R1, R1), (Rule.R2, R2), (Rule.R3, R3), (Rule.R4, R4))
    for name, case in cases.items()
]


@pytest.mark.parametrize(("rule", "results", "text"), CASES)
def test_a_violation_is_blocked_by_the_rule_that_names_it(
    rule: Rule, results: tuple[StepResult, ...], text: str
) -> None:
    verdict = verdict_on(text, results)
    assert verdict.rule is rule
    assert verdict.note.startswith(f"{rule}: ")


@pytest.mark.parametrize("text", CLAIMS)
def test_a_claim_is_blocked_however_it_is_worded(text: str) -> None:
    assert verdict_on(text).rule is Rule.R4


@pytest.mark.parametrize("text", JUDGEMENTS)
def test_a_judgement_is_blocked_however_it_is_worded(text: str) -> None:
    assert verdict_on(text).rule is Rule.R3


def test_what_the_filter_hid_must_be_told() -> None:
    plan = plan_of(LISTED, wish=FRIDAY_18)
    verdict = verdict_on("18/07/2025 10:00 Dr. Fernando Mendes", LISTED, plan=plan)
    assert verdict.note == "R4: what the filter hid was not told"


def test_an_operator_is_told_nothing_that_no_clinic_returned() -> None:
    text = "Beatriz Antunes Ferraz, CPF 111.222.333-44"
    assert verdict_on(text, (record(),), session=OPERATOR).rule is Rule.R2


def test_a_receipt_of_an_earlier_turn_bears_out_no_claim() -> None:
    receipts = (booked("clinic_c", ON_18_AT_10),)
    session = Session(SESSION.identity, receipts=receipts_of(receipts))
    assert verdict_on("Sua consulta foi marcada.", (), session=session).rule is Rule.R4


DATA = {
    "the record of another person": (Rule.R2, record()),
    "an appointment of another person": (
        Rule.R2,
        done(
            "clinic_a",
            "book_appointment",
            pb.BookAppointmentResponse(
                status="confirmed", appointment=appointment(ON_21_AT_9, name="Outra Pessoa", cpf="987.654.321-00")
            ),
        ),
    ),
    "a CPF in a message": (
        Rule.R2,
        done("clinic_a", "list_available_slots", pb.ListAvailableSlotsResponse(note="CPF 987.654.321-00")),
    ),
    "a dosage in a note": (
        Rule.R1,
        done("clinic_a", "list_available_slots", pb.ListAvailableSlotsResponse(note="Tome Amiodarona 200 mg")),
    ),
    "a diagnosis in a note": (
        Rule.R3,
        done("clinic_a", "list_available_slots", pb.ListAvailableSlotsResponse(note="Você tem hipertensão")),
    ),
}


@pytest.mark.parametrize("case", DATA, ids=str)
def test_unsafe_data_is_blocked_before_anything_is_said(case: str) -> None:
    rule, result = DATA[case]
    verdict = RuleVerifier().check_data(Answers.of("oi", (result,)), SESSION)
    assert verdict.rule is rule
    assert "987" not in verdict.note


def test_a_name_beside_a_patient_id_is_personal_data() -> None:
    found = done("clinic_a", "list_patients", pb.Patient(patient_id="CARD-001", name="Beatriz Ferraz"))
    assert RuleVerifier().check_data(Answers.of("oi", (found,)), SESSION).rule is Rule.R2
