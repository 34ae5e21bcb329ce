"""Answers as a good receptionist writes them, with handles: a grammar of openings, bodies and closings a turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import product

from orchestrator.turn.language import Language
from orchestrator.turn.plan import Topic
from orchestrator.turn.result import StepStatus
from orchestrator.turn.slot_filter import DateRange, SlotFilter
from tests.support.clinic_turns import (
    AFTERNOON,
    CPF,
    FRIDAY_18,
    MARINA,
    NAME,
    ON_18_AT_10,
    ON_19_AT_14,
    ON_21_AT_9,
    ON_21_AT_10_30,
    OPERATOR,
    booked,
    cancelled,
    failed,
    matches,
    moved,
    moving,
    openings,
    parameters,
    patient,
    patients,
    plan_of,
    record,
    refused,
)
from tests.support.model_drafts import Turn

PT, EN = Language.PT, Language.EN

BOTH = (openings("clinic_a", ON_21_AT_9, ON_21_AT_10_30), openings("clinic_c", ON_18_AT_10, ON_19_AT_14))
MONDAY_28 = SlotFilter(dates=(DateRange(date(2025, 7, 28), date(2025, 7, 28)),))
MANY = tuple(
    (MARINA, f"2025-07-{day}", at) for day in (22, 24, 29, 31) for at in ("09:00", "10:00", "14:00", "15:30", "16:00")
)
SILENT = failed("clinic_a", "list_available_slots")
TAKEN = parameters(ON_18_AT_10)


@dataclass(frozen=True)
class Grammar:
    """Sentences for one turn: each draft is an opening, the parts with a body around them, and a closing."""

    turn: Turn
    openers: tuple[str, ...]
    bodies: tuple[str, ...]
    closers: tuple[str, ...]

    def drafts(self) -> Iterator[str]:
        for opener, body, closer in product(self.openers, self.bodies, self.closers):
            yield "\n\n".join(part for part in (opener, body, closer) if part)


def lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip().replace("\\n", "\n") for line in text.strip().split("\n"))


SEVERAL_PT = Grammar(
    Turn.of(*BOTH),
    lines(
        """
        Olá, {patient}! Encontrei quatro horários de Cardiologia em duas clínicas:
        Claro! Temos 4 horários disponíveis com cardiologistas da Clínica A e da Clínica C.
        Bom dia! Consultei as duas clínicas de cardiologia e ambas têm horários livres.
        Claro, {patient}. Há vagas com o Dr. Ricardo Lopes (Clínica A) e com o Dr. Fernando Mendes (Clínica C).
        Estes são todos os horários que encontrei, do mais cedo ao mais tarde:
        Temos dois horários na Clínica A e dois na Clínica C.
        Boa tarde! Seguem as opções das Clínicas A e C, em ordem de data.
        """
    ),
    lines(
        r"""
        {slots}
        {slots}\n\nO mais cedo é {slot:1}.
        O horário mais próximo é {slot:1}.\n\n{slots}
        {slots}\n\nNa Clínica A, o primeiro horário é {slot:3}.
        {slots}\n\nO Dr. Fernando Mendes atende na sexta-feira, dia 18/07, às 10h, e no sábado às 14h.
        {slots}\n\nSe preferir segunda-feira, o Dr. Ricardo tem 09:00 e 10:30.
        """
    ),
    lines(
        """
        Qual deles você prefere?
        Para marcar, é só me dizer o número do horário.
        Qual dos quatro horários fica melhor para você? Basta dizer o número.
        Se quiser, posso também procurar outro dia.
        """
    ),
)

SEVERAL_EN = Grammar(
    Turn.of(*BOTH, language=EN),
    lines(
        """
        Hello, {patient}! I found four openings in Cardiology at two clinics:
        Of course! Here are the 4 available times at Clinic A and Clinic C.
        Good morning! Both cardiology clinics have availability.
        Certainly. Dr. Ricardo Lopes at Clinic A and Dr. Fernando Mendes at Clinic C both have open times.
        These are all the openings I found, from the earliest to the latest:
        There are two openings at Clínica A and two at Clínica C.
        """
    ),
    lines(
        r"""
        {slots}
        {slots}\n\nThe earliest one is {slot:1}.
        The soonest available appointment is {slot:1}.\n\n{slots}
        {slots}\n\nAt Clinic A, the first opening is {slot:3}.
        {slots}\n\nDr. Fernando Mendes is available on Friday, July 18 at 10:00 and on Saturday at 2 PM.
        {slots}\n\nIf Monday suits you better, Dr. Ricardo has 09:00 and 10:30.
        """
    ),
    lines(
        """
        Which one would you like?
        To book one, just tell me its number.
        Please let me know which of the four times works best for you.
        I can also look for another day if you prefer.
        """
    ),
)

FILTERED_PT = Grammar(
    Turn.of(*BOTH, plan=plan_of(BOTH, filters=FRIDAY_18), utterance="tem cardiologista na sexta, dia 18?"),
    lines(
        """
        Sim! Na sexta-feira, 18/07, há um horário:
        Para sexta-feira encontrei uma opção, {patient}:
        Temos um horário na sexta, dia 18 de julho, às dez da manhã:
        No dia 18/07 o Dr. Fernando Mendes tem um horário livre às 10h.
        Encontrei {slot:1}.
        """
    ),
    lines(
        r"""
        {slots}\n\n{notice:1}
        {slots}\n\nAlém disso:\n\n{notice:1}
        """
    ),
    lines(
        """
        Posso marcar esse para você?
        Se esse horário servir, diga o número 1.
        Gostaria desse horário?
        """
    ),
)

FILTERED_EN = Grammar(
    Turn.of(*BOTH, plan=plan_of(BOTH, EN, AFTERNOON, nearest=True), utterance="afternoon cardiologist please"),
    lines(
        """
        Yes, there is one afternoon opening:
        In the afternoon, the earliest opening is {slot:1}.
        For the afternoon I found one option, on Saturday at 14:00:
        Certainly, {patient}. Dr. Fernando Mendes is available at two in the afternoon on Saturday, July 19.
        """
    ),
    lines(r"""
        {slots}\n\n{notice:1}
        {slots}\n\nPlease note:\n\n{notice:1}
        """),
    lines(
        """
        Would you like that one?
        Shall I go ahead with it?
        Just say its number and I will prepare it for you to confirm.
        """
    ),
)

NONE_FITS_PT = Grammar(
    Turn.of(*BOTH, plan=plan_of(BOTH, filters=MONDAY_28), utterance="quero na segunda, dia 28"),
    (
        "",
        "{patient}, verifiquei as agendas das duas clínicas.",
        "Infelizmente não encontrei horário para segunda-feira, dia 28.",
    ),
    (r"{notice:1}" + "\n\n{slots}",),
    lines(
        """
        Algum desses quatro horários serve para você?
        Se preferir, diga outro dia e eu procuro de novo.
        """
    ),
)

MANY_PT = Grammar(
    Turn.of(openings("clinic_b", *MANY), plan=plan_of((openings("clinic_b", *MANY),), nearest=True)),
    lines(
        """
        A Dra. Marina Teles tem vinte horários livres na Clínica B:
        Encontrei 20 horários de Dermatologia com a Dra. Marina Teles.
        O horário mais cedo em dermatologia é {slot:1}. Estes são todos:
        Há 5 horários em cada um dos quatro dias:
        """
    ),
    ("{slots}",),
    lines(
        """
        Qual deles você prefere?
        O mais cedo na quinta-feira é {slot:6}. Qual prefere?
        À tarde, o mais cedo é {slot:3}. Diga o número para escolher.
        Ela atende às terças e quintas, de manhã e à tarde.
        """
    ),
)

ONE_EN = Grammar(
    Turn.of(openings("clinic_c", ON_18_AT_10), language=EN),
    lines(
        """
        There is one opening, {slot:1}.
        Dr. Fernando Mendes has an opening on Friday, July 18, 2025 at 10 AM:
        I found one available appointment at Clinic C:
        """
    ),
    ("{slots}",),
    lines(
        """
        Would you like to book it?
        Shall I book it for you? Just say its number.
        If that does not work for you, I can look at another specialty or doctor.
        """
    ),
)

PARTIAL_PT = Grammar(
    Turn.of(SILENT, openings("clinic_c", ON_18_AT_10, ON_19_AT_14)),
    lines(
        """
        {patient}, a Clínica C tem dois horários livres:
        Por enquanto só a Clínica C respondeu, com 2 horários:
        A Clínica A não respondeu, mas a Clínica C tem horários na sexta e no sábado.
        Uma das duas clínicas respondeu.
        """
    ),
    ("{notice:1}\n\n{slots}", "{slots}\n\n{notice:1}"),
    lines(
        """
        Qual deles você prefere?
        Você pode escolher um agora ou pedir de novo em instantes.
        """
    ),
)

DOWN = (
    Grammar(
        Turn.of(SILENT, failed("clinic_c", "list_available_slots")),
        ("", "Sinto muito, {patient}.", "Desculpe, nenhuma das duas clínicas respondeu."),
        ("{notice:1}",),
        ("", "Por favor, tente de novo em instantes.", "Quer que eu tente de novo?"),
    ),
    Grammar(
        Turn.of(SILENT, failed("clinic_c", "list_available_slots"), language=EN),
        ("", "I am sorry, {patient}.", "Sorry, neither of the two clinics answered."),
        ("{notice:1}",),
        ("", "Please try again in a moment.", "Would you like me to try again?"),
    ),
)

NOTHING_FREE = (
    Grammar(
        Turn.of(openings("clinic_b")),
        ("", "{patient}, consultei a Clínica B.", "No momento não há horários livres em Dermatologia."),
        ("{notice:1}",),
        ("", "Posso ver outra especialidade para você?", "Se quiser, tente de novo mais tarde."),
    ),
    Grammar(
        Turn.of(openings("clinic_b"), language=EN),
        ("", "I checked with Clinic B, {patient}.", "There are no openings in Dermatology at the moment."),
        ("{notice:1}",),
        ("", "Would you like me to check another specialty?", "Please let me know if you would like anything else."),
    ),
)

BOOKED = (
    Grammar(
        Turn.of(booked("clinic_c", ON_18_AT_10)),
        lines(
            """
            Pronto, {patient}! Sua consulta está marcada:
            Tudo certo! A consulta com o Dr. Fernando Mendes ficou marcada para sexta-feira, 18/07/2025, às 10:00.
            Sua consulta na Clínica C foi confirmada.
            Agendamento feito, {patient}.
            Prontinho! Sua consulta de cardiologia foi agendada para o dia 18 de julho, às 10h.
            """
        ),
        ("{receipt:1}",),
        lines(
            """
            Se precisar remarcar ou cancelar, é só dizer.
            Posso ajudar em mais alguma coisa?
            Até logo!
            """
        ),
    ),
    Grammar(
        Turn.of(booked("clinic_c", ON_18_AT_10), language=EN),
        lines(
            """
            All set, {patient}! Your appointment is booked:
            Your appointment with Dr. Fernando Mendes at Clinic C is confirmed for Friday, July 18, 2025 at 10:00.
            Done! I have booked it for you.
            """
        ),
        ("{receipt:1}",),
        lines(
            """
            If you need to move or cancel it, just let me know.
            Is there anything else I can help you with today?
            """
        ),
    ),
)

MOVED_PT = Grammar(
    Turn.of(moved("clinic_c", ON_18_AT_10, ON_19_AT_14)),
    lines(
        """
        Pronto! Sua consulta foi remarcada de sexta-feira, 18/07, para sábado, 19/07, às 14:00.
        {patient}, a remarcação foi feita.
        Sua consulta com o Dr. Fernando Mendes mudou para sábado às 14h.
        """
    ),
    ("{receipt:1}",),
    ("Se precisar mudar de novo, é só dizer.", ""),
)

CANCELLED_EN = Grammar(
    Turn.of(cancelled("clinic_c", ON_18_AT_10), language=EN),
    lines(
        """
        Your appointment on Friday, July 18 at 10:00 has been cancelled.
        Done, {patient}. The appointment with Dr. Fernando Mendes was cancelled.
        """
    ),
    ("{receipt:1}",),
    ("If you would like another time, just let me know.", ""),
)

TAKEN_PT = Grammar(
    Turn.of(refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", ON_19_AT_14, given=TAKEN)),
    lines(
        """
        Infelizmente esse horário já não está livre, e nada foi marcado.
        {patient}, o horário de sexta-feira, 18/07, às 10:00 não está mais disponível.
        Sinto muito, não consegui marcar esse horário.
        """
    ),
    ("{notice:1}\n\nHá uma alternativa por perto:\n\n{alternatives}", "{notice:1}\n\n{alternatives}"),
    lines(
        """
        Serve para você? Basta dizer o número.
        O sábado às 14h com o Dr. Fernando Mendes está livre. Quer esse?
        """
    ),
)

TAKEN_EN = Grammar(
    Turn.of(refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", given=TAKEN), language=EN),
    lines(
        """
        I am sorry, that time is no longer open and nothing was booked.
        Unfortunately, your appointment was not booked, {patient}.
        """
    ),
    ("{notice:1}\n\n{notice:2}",),
    ("Would you like to see other days?", "Just ask for the openings and I will show you other days."),
)

NOT_FOUND_PT = Grammar(
    Turn.of(refused("clinic_c", "cancel_appointment", "APPOINTMENT_NOT_FOUND", given=TAKEN)),
    ("", "{patient}, não encontrei essa consulta.", "Nada foi cancelado."),
    ("{notice:1}",),
    ("Pode conferir o médico, o dia e a hora?", ""),
)

UNKNOWN_PT = Grammar(
    Turn.of(
        failed("clinic_c", "reschedule_appointment", status=StepStatus.UNKNOWN, given=moving(ON_18_AT_10, ON_19_AT_14))
    ),
    ("", "{patient}, ainda não sei se a mudança foi feita.", "A Clínica C não respondeu a tempo."),
    ("{notice:1}",),
    ("Quer que eu verifique?", "Responda sim para eu verificar."),
)

LISTED = patients("clinic_a", "CARD-001", "CARD-002"), patients("clinic_c", "CARD-C01")
PATIENTS = (
    Grammar(
        Turn.of(*LISTED, session=OPERATOR),
        (
            "Encontrei 3 pacientes:",
            "São três pacientes nas duas clínicas de Cardiologia.",
            "Há dois pacientes na Clínica A e um na Clínica C.",
        ),
        ("{patients}",),
        ("Diga o código para ver a ficha de um deles.", "", "Quer ver a ficha de CARD-001?"),
    ),
    Grammar(
        Turn.of(*LISTED, session=OPERATOR, language=EN),
        (
            "I found 3 patients:",
            "There are three patients at the two cardiology clinics.",
            "Here is the list of patients:",
        ),
        ("{patients}",),
        ("Say an id to see the record.", "", "Would you like to see the record of CARD-001?"),
    ),
    Grammar(
        Turn.of(matches("clinic_a", "CARD-001"), matches("clinic_c", "CARD-C01"), session=OPERATOR),
        (
            "Dois pacientes têm arritmia:",
            "A busca por arritmia encontrou dois pacientes:",
            "Aqui está o resultado da busca:",
        ),
        ("{patients}",),
        ("Precisa de mais alguma coisa?", ""),
    ),
    Grammar(
        Turn.of(matches("clinic_a"), session=OPERATOR),
        ("", "Nenhum paciente encontrado na Clínica A."),
        ("{notice:1}",),
        ("Quer tentar outra palavra?", ""),
    ),
)

RECORD = (
    Grammar(
        Turn.of(record(found=patient(name=NAME, cpf=CPF))),
        (
            "{patient}, esta é a sua ficha:",
            "Aqui está o seu registro na Clínica A:",
            "Encontrei a sua ficha, com medicamentos e exames:",
        ),
        ("{record}",),
        ("Posso ajudar em mais alguma coisa?", "Se algo estiver errado, fale com a clínica."),
    ),
    Grammar(
        Turn.of(record(found=patient(name=NAME, cpf=CPF)), language=EN),
        ("{patient}, this is your record:", "Here is your record at Clinic A:"),
        ("{record}",),
        ("Is there anything else you need?", ""),
    ),
)

CAUTION_PT = Grammar(
    replace(
        SEVERAL_PT.turn,
        plan=replace(SEVERAL_PT.turn.plan, caution=Topic.POSSIBLE_EMERGENCY),
        utterance="estou com dor no peito",
    ),
    ("Estes são os horários de cardiologia:", "Encontrei 4 horários, {patient}. O mais cedo é {slot:1}."),
    ("{slots}",),
    ("Qual você prefere?",),
)

GRAMMARS = (
    SEVERAL_PT,
    SEVERAL_EN,
    FILTERED_PT,
    FILTERED_EN,
    NONE_FITS_PT,
    MANY_PT,
    ONE_EN,
    PARTIAL_PT,
    *DOWN,
    *NOTHING_FREE,
    *BOOKED,
    MOVED_PT,
    CANCELLED_EN,
    TAKEN_PT,
    TAKEN_EN,
    NOT_FOUND_PT,
    UNKNOWN_PT,
    *PATIENTS,
    *RECORD,
    CAUTION_PT,
)
