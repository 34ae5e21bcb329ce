"""A visit that is held is the same by its doctor, day, hour or clinic, in whatever plain frame it is spoken of."""

import random
from dataclasses import replace
from datetime import date, datetime, time

import pytest

from orchestrator import turn
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import Language
from tests.support.repository_clinics import CLINICS

NOW = datetime.fromisoformat("2026-11-27T08:00")
HEART = turn.Appointment("clinic_a", "Dr. Ricardo Lopes", date(2026, 12, 2), time(8))
SKIN = turn.Appointment("clinic_b", "Dra. Marina Teles", date(2026, 12, 1), time(10))

NAMED = {
    Language.EN: {
        HEART: (
            "the one with Ricardo",
            "the Wednesday one",
            "the 8am one",
            "the one at clinic A",
            "the one on the 2nd",
        ),
        SKIN: ("my appointment with Dr. Teles", "my Tuesday appointment", "the one at 10:00", "the clinic B one"),
    },
    Language.PT: {
        HEART: ("a do Ricardo", "a de quarta", "a das 8h", "a da clínica A", "a consulta do dia 2"),
        SKIN: ("a consulta com a Marina Teles", "a de terça", "a das 10h", "minha consulta da clínica B"),
    },
}
MOVES = {
    Language.EN: (
        "move {} to next week",
        "can you move {} to Friday?",
        "change {} to the 9th",
        "reschedule {} to Monday",
    ),
    Language.PT: (
        "muda {} para a semana que vem",
        "dá pra mudar {} pra sexta?",
        "remarca {} para dia 9",
        "passa {} pra segunda",
    ),
}
QUESTIONS = {
    Language.EN: ("when is {}?", "who is {} with?", "which doctor is {} with?", "what time is {}?"),
    Language.PT: ("quando é {}?", "com quem é {}?", "que horas é {}?", "que dia é {}?"),
}


def _plan(said: str, language: Language, *, shown: bool = True) -> turn.Plan:
    question = turn.Question(turn.Topic.MY_APPOINTMENTS, choices=("1", "2")) if shown else None
    session = turn.Session(turn.NOBODY, language=language, listed=(SKIN, HEART), question=question, knows_own=True)
    return OfflinePlanner().plan(said, session, CLINICS, NOW)


def _varied(said: str, chance: random.Random) -> str:
    return chance.choice(("", "", "oi, ", "hmm, ")) + chance.choice((said, said.lower(), said.replace("?", "")))


@pytest.mark.parametrize("language", list(Language))
def test_the_visit_that_is_named_is_moved_and_nothing_else_is_booked(language: Language) -> None:
    chance, wrong = random.Random(18), []
    for meant, ways in NAMED[language].items():
        for said in (_varied(frame.format(way), chance) for way in ways for frame in MOVES[language]):
            plan = _plan(said, language)
            known = plan.question.known if plan.question is not None else {}
            held = (known.get("doctor"), known.get("original_date"))
            given = {step.given_back for step in plan.steps} - {None}
            if given != {meant} and held != (meant.doctor, meant.date.isoformat()):
                wrong.append(said)
    assert not wrong


@pytest.mark.parametrize("language", list(Language))
def test_what_is_asked_of_the_visit_that_is_named_looks_for_no_openings(language: Language) -> None:
    chance, wrong = random.Random(18), []
    for meant, ways in NAMED[language].items():
        for said in (_varied(frame.format(way), chance) for way in ways for frame in QUESTIONS[language]):
            plan = _plan(said, language)
            choices = plan.question.choices if plan.question is not None else ()
            if plan.steps or len(choices) != 1 or meant.doctor not in choices[0]:
                wrong.append(said)
    assert not wrong


@pytest.mark.parametrize("said", ["cancela a segunda", "muda a segunda para sexta", "quero desmarcar a segunda"])
def test_the_second_or_that_of_monday_is_asked(said: str) -> None:
    monday = replace(SKIN, date=date(2026, 11, 30))
    question = turn.Question(turn.Topic.MY_APPOINTMENTS, choices=("1", "2"))
    session = turn.Session(turn.NOBODY, language=Language.PT, listed=(monday, HEART), question=question, knows_own=True)
    assert OfflinePlanner().plan(said, session, CLINICS, NOW).topic is turn.Topic.ASK_WHICH_APPOINTMENT
