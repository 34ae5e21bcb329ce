"""Good answers pass, whoever worded them: a false alarm is as bad as a miss."""

from __future__ import annotations

import pytest

from orchestrator.turn.clinic_answers import Answers
from orchestrator.turn.reply import SAFE
from orchestrator.verifier.rules import RuleVerifier
from tests.support.clinic_turns import (
    AFTERNOON,
    CPF,
    FRIDAY_18,
    NAME,
    ON_18_AT_10,
    ON_19_AT_14,
    ON_21_AT_9,
    ON_21_AT_10_30,
    OPERATOR,
    SESSION,
    booked,
    cancelled,
    failed,
    matches,
    moved,
    openings,
    patient,
    patients,
    plan_of,
    record,
    refused,
    verdict_on,
)

OWN_RECORD = record(found=patient(name=NAME, cpf=CPF))
BOTH_CLINICS = (openings("clinic_a", ON_21_AT_9, ON_21_AT_10_30), openings("clinic_c", ON_18_AT_10, ON_19_AT_14))

CLEAN = {
    "a list in prose, grouped under doctors": (
        BOTH_CLINICS,
        """Encontrei estes horários de Cardiologia:

        Dr. Fernando Mendes (Clínica C)
        - sexta-feira, 18/07/2025: 10:00
        - sábado, 19/07/2025: 14:00

        Dr. Ricardo Lopes (Clínica A)
        - 21/07: 09:00 e 10:30

        O mais cedo é o do Dr. Fernando, dia 18 às 10h.""",
    ),
    "a list in English with twelve hours": (
        BOTH_CLINICS,
        """Here is what is open:
        1. Friday, July 18, 2025, 10:00 AM, Dr. Fernando Mendes, Clinic C (earliest)
        2. Saturday, July 19, 2:00 PM, Dr. Fernando Mendes
        3. Monday, July 21 at 9 AM with Dr. Ricardo Lopes
        4. Monday, 21 July, 10:30, Dr. Ricardo
        Which one would you like?""",
    ),
    "a receipt with the speaker's own name and CPF": (
        (booked("clinic_c", ON_18_AT_10),),
        """Pronto, Carlos Teste! Sua consulta com o Dr. Fernando Mendes está confirmada para sexta-feira, 18/07/2025,
        às 10:00. CPF: 123.456.789-00.""",
    ),
    "a move in English": (
        (moved("clinic_c", ON_18_AT_10, ON_19_AT_14),),
        "Done! Your appointment has been moved from Friday, July 18 at 10:00 to Saturday, July 19 at 14:00.",
    ),
    "a cancellation": (
        (cancelled("clinic_c", ON_18_AT_10),),
        "Sua consulta de 18/07 às 10h com Dr. Fernando Mendes foi cancelada.",
    ),
    "a refusal that says that nothing happened": (
        (refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE"),),
        "Esse horário não está livre e nenhuma consulta foi marcada. Nada foi alterado.",
    ),
    "a refusal in English": (
        (refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE"),),
        "Sorry, that time is not open. Nothing was booked, and your appointment hasn't been changed.",
    ),
    "a refusal that names the appointment": (
        (refused("clinic_c", "cancel_appointment", "APPOINTMENT_NOT_FOUND"),),
        "A consulta marcada com esse médico não foi encontrada.",
    ),
    "an empty agenda": ((openings("clinic_a"),), "Não há horários livres em Cardiologia."),
    "nothing open near a slot that is taken": (
        (refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE"),),
        "Não há outro horário livre por perto.",
    ),
    "an unknown outcome": (
        (failed("clinic_c", "book_appointment"),),
        "Não sei se a consulta foi marcada: a Clínica C não respondeu a tempo (2,0 s).",
    ),
    "a promise that depends on consent": (
        (),
        "Quando você confirmar, a consulta será marcada. Se a consulta for cancelada, o horário volta a ficar livre.",
    ),
    "a promise in English": ((), "Once confirmed, your appointment will be booked. It can be moved or cancelled."),
    "some clinics did not answer": (
        (openings("clinic_c", ON_18_AT_10), failed("clinic_a", "list_available_slots")),
        """5/6 clínicas responderam; 3 out of 6 too.
        18/07/2025 10:00 Dr. Fernando Mendes, Clínica C""",
    ),
    "the speaker's own record": (
        (OWN_RECORD,),
        """Carlos, seu registro traz hipertensão arterial. Você tem hipertensão registrada.
        Losartana: 50 mg, uma vez ao dia
        Hidroclorotiazida 25mg
        Nascimento: 05/03/1961
        Endereço: Rua das Acácias, 120
        Telefone: 11 98765-4321""",
    ),
    "anonymous patients": (
        (patients("clinic_a", "CARD-001", "CARD-002"), matches("clinic_c", "CARD-C01")),
        """Patient ID CARD-001 | Arritmia
        CARD-002 | Arritmia
        Paciente: CARD-C01 | Arritmia""",
    ),
    "a refusal to diagnose": (
        (),
        """Não posso dizer se você tem diabetes nem indicar remédio ou dose. Procure um médico; se urgente, SAMU 192.
        I cannot tell whether you have an infection. Do not take any medication without asking your doctor.""",
    ),
    "small talk": ((), "Olá! Boa noite, posso ajudar? Você tem uma consulta? Recomendo o horário mais cedo."),
    "practical hints": (
        (),
        """Você deve chegar com um documento. You should bring an ID. Use o número do horário. Take your time.
        Você pode usar o nome do médico. Em abril e April há mais vagas. O médico decide o tratamento.""",
    ),
    "weekdays and plans without dates": ((), "Amanhã de manhã, na próxima sexta-feira ou semana que vem?"),
}


HARMLESS = """
Posso marcar a consulta para você?
Quer que eu confirme o agendamento?
Você quer cancelar sua consulta marcada?
Ainda não há consulta marcada.
O agendamento só é feito com o seu sim.
Qual consulta deve ser remarcada?
Sua consulta continua como estava.
Sua consulta não pôde ser marcada.
Não consegui cancelar.
Você já tem uma consulta nesse horário.
Essa consulta já passou e não pode ser cancelada.
Would you like me to book it?
You can reschedule or cancel at any time.
Nothing has been cancelled.
I am about to book this. Confirm?
I don't know if it was booked.
The appointment was not moved.
You can take the first opening.
This time is no longer available.
Isso é uma pergunta para o médico.
Pode ser uma boa ideia ver um cardiologista.
Alergia é tratada em dermatologia; quer ver os horários?
Em caso de emergência, ligue 192 (SAMU).
Leve seus exames e a lista de remédios que usa.
Bring your medication list.
You should call 192.
Tome nota do horário.
Bom dia, Carlos! Tudo bem?
Clínica São João fica aberta.
Our clinics are closed on Sunday.
Horários alterados com frequência: confira sempre.
""".strip().split("\n")


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_sentence_passes(text: str) -> None:
    assert verdict_on(text) == SAFE


@pytest.mark.parametrize("case", CLEAN, ids=str)
def test_a_clean_reply_passes(case: str) -> None:
    results, text = CLEAN[case]
    assert verdict_on(text, results) == SAFE


def test_an_operator_may_be_told_a_patients_record() -> None:
    text = "Beatriz Antunes Ferraz, CPF 987.654.321-00, nascida em 05/03/1961. Losartana 50 mg, 1 vez ao dia."
    assert verdict_on(text, (record(),), session=OPERATOR) == SAFE


def test_a_filter_may_be_told_in_words() -> None:
    plan = plan_of(BOTH_CLINICS, wish=FRIDAY_18)
    text = "Em 18/07/2025 há 10:00 com Dr. Fernando Mendes. Outros 3 horários ficaram fora do que você pediu."
    assert verdict_on(text, BOTH_CLINICS, plan=plan) == SAFE


def test_the_bounds_of_a_filter_are_grounded() -> None:
    plan = plan_of(BOTH_CLINICS, wish=AFTERNOON)
    text = "A partir das 12:00: sábado, 19/07/2025, 14:00, Dr. Fernando Mendes. Mais 3 horários fora do filtro."
    assert verdict_on(text, BOTH_CLINICS, plan=plan) == SAFE


def test_clean_data_passes_for_a_patient_and_an_operator() -> None:
    verifier = RuleVerifier()
    results = (*BOTH_CLINICS, booked("clinic_c", ON_18_AT_10), patients("clinic_a", "CARD-001"), OWN_RECORD)
    assert verifier.check_data(Answers.of("oi", results), SESSION) == SAFE
    assert verifier.check_data(Answers.of("oi", (record(), patients("clinic_a", "CARD-001"))), OPERATOR) == SAFE
