"""What an operator asks of a day is told from what is done with an agenda, and from what a patient asks for."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from orchestrator.front_desk.agenda_request import ListDay, read_request
from orchestrator.turn import AgendaProposal, Language
from tests.unit.planner.desk import CLINICS, FERNANDO, MARINA_TELES, NOW

PT, EN = Language.PT, Language.EN
DOCTORS = {
    PT: (("o Dr. Fernando", "do Dr. Fernando", FERNANDO), ("a dra Teles", "da dra Teles", MARINA_TELES)),
    EN: (("Dr. Fernando", "Dr. Fernando's", FERNANDO), ("dr teles", "dr teles's", MARINA_TELES)),
}
DAYS = {
    PT: (("hoje", "2025-07-15"), ("na sexta", "2025-07-18"), ("dia 21", "2025-07-21")),
    EN: (("today", "2025-07-15"), ("on Friday", "2025-07-18"), ("on the 21st", "2025-07-21")),
}
OF_A_DAY = {
    PT: (
        *("quem {who} atende {day}?", "quantos pacientes {who} tem {day}?", "com {who}, quem vem {day}?"),
        *(
            "agenda {whose} {day}",
            "pacientes {whose} {day}",
            "me mostra quem {who} atende {day}",
            "lista {whose} {day}",
        ),
        *("{who} tem alguém {day}?", "quem é o primeiro {whose} {day}?", "consultas {whose} {day}"),
    ),
    EN: (
        *("who is {who} seeing {day}?", "how many patients does {who} have {day}?", "{whose} patients {day}"),
        *("who's booked with {who} {day}?", "{whose} schedule {day}", "show me who {who} has {day}"),
        *("does {who} have anybody {day}?", "who's first with {who} {day}?", "who comes in for {who} {day}?"),
    ),
}
OF_PEOPLE = {
    PT: ("quem a gente tem {day}?", "quantos pacientes {day}?", "quem mais vem {day}?", "tem muita gente {day}?"),
    EN: ("who do we have {day}?", "how many patients {day}?", "who else is coming {day}?", "how busy are we {day}?"),
}
CLOSES = {
    PT: (
        "bloqueia {who} {day}",
        "pode fechar a agenda {whose} {day}?",
        "{who} não vem {day}",
        "{who} está de atestado {day}",
    ),
    EN: (
        "block {who} {day}",
        "we have to close {whose} agenda {day}",
        "{who} isn't coming {day}",
        "{who} is away {day}",
    ),
}
OF_A_PATIENT = {
    PT: (
        *(
            "ela está doente, quer {who} {day}",
            "ela não vem {day}, remarca com {who}",
            "a paciente faltou {day} com {who}",
        ),
        *(
            "a paciente {whose} não vem {day}",
            "ela fecha a loja {day}, pode ser {who} depois?",
            "{who} tem vaga {day}?",
        ),
        *(
            "pode fechar {day} às 9h com {who}",
            "quem atende {day}?",
            "{who} não vem {day}?",
            "não bloqueia {who} {day}",
        ),
        *("com quem é a consulta dela {day}?", "{who} abre horário {day}?", "que consultas ela tem com {who} {day}?"),
    ),
    EN: (
        *("she is sick and wants {who} {day}", "she isn't coming {day}, rebook with {who}", "is {who} open {day}?"),
        *("{whose} patient isn't coming {day}", "is 9am open with {who} {day}?", "does {who} have an opening {day}?"),
        *("let's close on {who} {day}", "who works {day}?", "is {who} sick {day}?", "don't block {who} {day}"),
        *("who is her appointment {day} with?", "how many slots does {who} have {day}?", "is she seeing {who} {day}?"),
    ),
}


def requests(frames: Mapping[Language, tuple[str, ...]]) -> list[tuple[str, object, str, str]]:
    return [
        (said := frame.format(who=who, whose=whose, day=day), read_request(said, language, CLINICS, NOW), name, date)
        for language in Language
        for frame, (who, whose, name), (day, date) in product(frames[language], DOCTORS[language], DAYS[language])
    ]


def test_a_day_of_a_doctor_is_listed_however_it_is_asked_for() -> None:
    wrong = []
    for said, read, doctor, date in requests(OF_A_DAY):
        steps = read.steps if isinstance(read, ListDay) else []
        if [(one.parameters["doctor"], one.parameters["date"]) for one in steps] != [(doctor, date)]:
            wrong.append(said)
    assert wrong == []


def test_a_day_is_listed_at_all_clinics_where_nobody_is_named() -> None:
    read = [(said, one.steps if isinstance(one, ListDay) else [], date) for said, one, _, date in requests(OF_PEOPLE)]
    days = [(said, {step.parameters["date"] for step in steps}, len(steps), date) for said, steps, date in read]
    assert [said for said, dates, count, date in days if (dates, count) != ({date}, len(CLINICS))] == []


def test_only_what_is_said_of_the_doctor_closes_an_agenda() -> None:
    changes = [(said, one.change if isinstance(one, AgendaProposal) else None) for said, one, *_ in requests(CLOSES)]
    assert [said for said, change in changes if change is None or change.action != "close_slots"] == []
    assert [said for said, one, *_ in requests(OF_A_PATIENT) if one is not None] == []
