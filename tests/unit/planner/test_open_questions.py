"""A plain reply to an open question answers it, with all that it says; what is said aside leaves it open."""

from dataclasses import replace
from datetime import date, datetime, time
from functools import cache
from itertools import product

import pytest

from orchestrator.turn import Appointment, Language, Question, Topic, spans_of
from tests.unit.planner.desk import FERNANDO, MARINA_COUTO, MARINA_TELES, Desk

TWO_VISITS = ("quero cardiologista", "o 1", "sim", "quero dermatologista", "o 3", "sim")
WHICH = {
    Language.PT: ("quero remarcar minha consulta", "quero cancelar minha consulta"),
    Language.EN: ("I need to reschedule my appointment", "I want to cancel my appointment"),
}
CASES = {
    Language.PT: (
        ("quero marcar uma consulta na segunda",),
        ("quero a dra. Marina",),
        ("estou com dor no joelho",),
        ("cardiologista na segunda dia 22/07",),
        (*TWO_VISITS, WHICH[Language.PT][0]),
        (*TWO_VISITS[:3], "quero remarcar"),
        (*TWO_VISITS[:3], "não vou poder ir"),
    ),
    Language.EN: (
        ("I need an appointment on Monday",),
        ("I want to see Dr. Marina",),
        ("my knee hurts",),
        ("cardiologist on Monday, July 22",),
        (*TWO_VISITS, WHICH[Language.EN][0]),
    ),
}
LOST = {
    Language.PT: ("não sei", "ainda não sei", "como assim?", "não entendi", "o que?", "não lembro", "tô na dúvida"),
    Language.EN: ("I don't know", "not sure", "what do you mean?", "huh?", "what?", "I can't decide", "come again?"),
}
ASIDE = {
    Language.PT: ("onde fica a clínica {}?", "a clínica {} aceita Unimed?", "quanto custa na clínica {}?"),
    Language.EN: ("where is clinic {}?", "does clinic {} take Unimed?", "how much is clinic {}?"),
}
STAYING = {Topic.ASK_WHICH_DOCTOR, Topic.ASK_WHICH_APPOINTMENT, Topic.ASK_NEW_TIME, Topic.ASK_CHANGE}
QUESTIONS = [(language, turns) for language, all_ in CASES.items() for turns in all_]
LIMITS = {Language.PT: ("{}, mas só {}", "{} {}", "{} e tem que ser {}"), Language.EN: ("{}, but only {}", "{} {}")}
ROWS = {Language.PT: ("a 1", "número 2", "a primeira", "opção 2"), Language.EN: ("1", "number 2", "option 2")}


@cache
def asked(language: Language, turns: tuple[str, ...]) -> tuple[Desk, Question]:
    desk = Desk.open(language, consent_given=False)
    desk.say(*turns)
    assert desk.session.question is not None
    return desk, desk.session.question


def what_is_open(desk: Desk) -> tuple[object, ...]:
    question = desk.session.question
    assert question is not None
    return question.action, dict(question.known), question.wish.widest


@pytest.mark.parametrize(("language", "turns"), QUESTIONS)
def test_somebody_at_a_loss_is_asked_again(language: Language, turns: tuple[str, ...]) -> None:
    base, question = asked(language, turns)
    wrong = []
    for said in LOST[language]:
        desk = replace(base)
        plan = desk.say(said)
        if plan.steps or what_is_open(desk) != (question.action, dict(question.known), question.wish.widest):
            wrong.append((said, plan.topic))
    assert wrong == []


@pytest.mark.parametrize(("language", "turns"), QUESTIONS)
def test_what_is_asked_of_a_clinic_leaves_the_question_open(language: Language, turns: tuple[str, ...]) -> None:
    base, question = asked(language, turns)
    wrong = []
    for frame, clinic in product(ASIDE[language], "AF"):
        desk = replace(base)
        desk.say(said := frame.format(clinic))
        after = desk.session.question
        same = after is not None and (after.topic, after.action) == (question.topic, question.action)
        if not same or (question.topic in STAYING and after != question):
            wrong.append((said, after))
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_a_limit_said_with_the_doctor_s_row_is_kept(language: Language) -> None:
    turns = CASES[language][1]
    wrong = []
    halves = {Language.PT: ("de manhã", "depois das 10h"), Language.EN: ("in the morning", "after 10")}
    for frame, row, (place, limit) in product(LIMITS[language], ROWS[language], enumerate(halves[language])):
        desk = replace(asked(language, turns)[0])
        plan = desk.say(said := frame.format(row, limit))
        doctor = MARINA_COUTO if "2" in row else MARINA_TELES
        fits = [(one.time.hour < 12) if place == 0 else one.time >= time(10) for one in desk.session.offers]
        if {step.doctor for step in plan.steps} != {doctor} or not all(fits):
            wrong.append((said, plan.steps))
    assert wrong == []


@pytest.mark.parametrize(
    ("said", "doctor"),
    [
        *(("the latter", MARINA_COUTO), ("the bottom one please", MARINA_COUTO), ("the former", MARINA_TELES)),
        *(("a de baixo", MARINA_COUTO), ("a de cima", MARINA_TELES), ("2 né", MARINA_COUTO), ("é a 1", MARINA_TELES)),
    ],
)
def test_a_doctor_is_chosen_by_the_place_among_those_asked_about(said: str, doctor: str) -> None:
    desk = replace(asked(Language.PT, CASES[Language.PT][1])[0])
    assert {step.doctor for step in desk.say(said).steps} == {doctor}


@pytest.mark.parametrize(
    ("language", "frame"), [*product([Language.PT], ["{}", "acho que {}", "é {}"]), (Language.EN, "{} please")]
)
def test_a_day_that_was_asked_for_is_named_by_its_number(language: Language, frame: str) -> None:
    for day in (21, 22):
        desk = replace(asked(language, CASES[language][3])[0])
        wish = desk.say(frame.format(day)).wish.widest
        assert {one.first for one in spans_of(wish)} == {date(2025, 7, day)}


def test_a_weekday_answers_with_the_day_that_was_asked_about() -> None:
    plan = Desk.open().say("dermatologista sexta dia 24/07", "na quinta de manhã")
    assert {one.first for one in spans_of(plan.wish.widest)} == {date(2025, 7, 24)}


@pytest.mark.parametrize("said", ["e ortopedia?", "só posso depois das 10h", "de manhã então"])
def test_a_day_that_is_over_is_not_kept(said: str) -> None:
    plan = Desk.open().say("cardiologista dia 10/07", said)
    assert plan.steps


@pytest.mark.parametrize(
    ("language", "said"),
    [
        *product([Language.PT], ["não a do Fernando", "a do Fernando não", "não, cardiologista não"]),
        *product([Language.EN], ["not the one with Dr. Mendes", "not the cardiologist", "not the Friday one"]),
    ],
)
def test_of_two_visits_the_one_that_is_refused_is_not_cancelled(language: Language, said: str) -> None:
    desk = replace(asked(language, (*TWO_VISITS, WHICH[language][1]))[0])
    assert [step.doctor for step in desk.say(said).steps] == [MARINA_COUTO]


@pytest.mark.parametrize(
    "said", ["a 1, pra dia 25 às 8h30", "a do Fernando pra dia 25 às 8h30", "a de cardio, dia 25 às 8h30"]
)
def test_the_visit_and_its_new_time_are_answered_at_once(said: str) -> None:
    desk = replace(asked(Language.PT, CASES[Language.PT][4])[0])
    held = datetime(2025, 7, 18, 10, 0)  # noqa: DTZ001 (as the clinics' clock shows it)
    slots = [slot for step in desk.say(said).steps for slot in step.slots]
    assert slots == [
        Appointment("clinic_c", FERNANDO, held.date(), held.time()),
        Appointment("clinic_c", FERNANDO, date(2025, 7, 25), time(8, 30)),
    ]


@pytest.mark.parametrize("shows", ["minhas consultas", "quais são minhas consultas?"])
@pytest.mark.parametrize(("said", "doctor"), [(("a 1", "cancela"), FERNANDO), (("cancela opção 2",), MARINA_COUTO)])
def test_a_visit_that_is_shown_is_cancelled_by_its_row(shows: str, said: tuple[str, ...], doctor: str) -> None:
    desk = replace(asked(Language.PT, (*TWO_VISITS, shows))[0])
    assert [(step.action, step.doctor) for step in desk.say(*said).steps] == [("cancel_appointment", doctor)]


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        *product([("my knee hurts",)], ["no", "nope"]),
        *product([("estou com dor no joelho",)], ["nenhum", "não", "desisti"]),
        *product([("quero cardiologista",), ("quero a dra. Marina",)], ["desisti", "mudei de ideia", "cancela isso"]),
    ],
)
def test_a_no_to_what_is_asked_is_taken_as_one(turns: tuple[str, ...], said: str) -> None:
    desk = Desk.open(Language.EN if turns[0].startswith("my") else Language.PT)
    assert desk.say(*turns, said).topic is Topic.NOTHING_DONE
