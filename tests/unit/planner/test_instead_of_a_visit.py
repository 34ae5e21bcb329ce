"""A visit that is to be at another day or hour, told in words of neither: "take me off Friday and put me on Monday"."""

from collections.abc import Iterator, Mapping
from datetime import date, time

import pytest

from orchestrator import turn
from orchestrator.turn import Appointment, Language, Topic
from tests.unit.planner.desk import FERNANDO, MARINA_TELES, WEEKDAYS, Desk

HEART = Appointment("clinic_c", FERNANDO, date(2025, 7, 18), time(10))
SKIN = Appointment("clinic_b", MARINA_TELES, date(2025, 7, 22), time(9))
VISITS = (HEART, SKIN)

DAYS: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "me tira da {day} e me põe na {new}",
        "quero sair da {day} e ir na {new}",
        "posso ir na {new} em vez da {day}?",
        "em vez da {day}, quero na {new}",
        "me passa da {day} pra {new}",
        "quero na {new} e não na {day}",
        "a consulta de {day} podia ser na {new}?",
        "joga pra {new} a de {day}",
        "pra {new} a de {day}, dá?",
    ),
    Language.EN: (
        "take me off {day} and put me on {new}",
        "can I come {new} instead of {day}?",
        "put me on {new} rather than {day}",
        "move me from {day} to {new}",
        "my {day} appointment has to be {new}",
        "could the {day} one be {new}?",
        "move to {new} my {day} appointment",
        "instead of {day} could I do {new}?",
    ),
}
HOURS: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "põe a das {hour}h às {new}h30",
        "em vez das {hour}h, às {new}h30",
        "a das {hour}h pode ser às {new}h30?",
    ),
    Language.EN: (
        "make my {hour}am {new}:30am",
        "turn my {hour}am into {new}:30am",
        "can my {hour}am be at {new}:30am?",
    ),
}
SWAPS: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "troca a de pele com a de cardio",
        "inverte as duas",
        "põe a de pele no lugar da de sexta e vice-versa",
    ),
    Language.EN: ("swap the skin one with the heart one", "swap them around", "trade the two appointments"),
}


def moved(plan: turn.Plan) -> tuple[object, turn.Filter]:
    """Return the visit that a plan moves, by its doctor, and to when; it proposes that, or shows the openings."""
    if plan.writes:
        (step,) = plan.steps
        assert step.given_back is not None
        assert step.taken is not None
        there = turn.OnDates((turn.DateRange(step.taken.date, step.taken.date),))
        return step.given_back.doctor, turn.all_of(
            [there, turn.AtTimes((turn.TimeRange(step.taken.time, step.taken.time),))]
        )
    return (plan.question.known.get("doctor") if plan.question is not None else None), plan.wish.widest


def told(language: Language) -> Iterator[tuple[str, Appointment, int | time, turn.Plan]]:
    """Say each frame of each visit and of two new days, or of a new hour."""
    for visit in VISITS:
        for new in (0, 2):
            for frame in DAYS[language]:
                text = frame.format(day=WEEKDAYS[language][visit.date.weekday()], new=WEEKDAYS[language][new])
                yield text, visit, new, Desk.holding(language, *VISITS).say(text)
        for frame in HOURS[language]:
            text = frame.format(hour=visit.time.hour, new=visit.time.hour + 1)
            yield text, visit, time(visit.time.hour + 1, 30), Desk.holding(language, *VISITS).say(text)


@pytest.mark.parametrize("language", Language)
def test_a_day_or_an_hour_in_place_of_that_of_a_visit_moves_it(language: Language) -> None:
    wrong = []
    for text, visit, new, plan in told(language):
        doctor, wanted = moved(plan)
        days = {span.first.weekday() for span in turn.spans_of(wanted)}
        hours = {span.first for span in turn.hours_of(wanted)}
        wrong += [] if doctor == visit.doctor and (new in hours if isinstance(new, time) else days == {new}) else [text]
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_visits_that_change_places_are_moved_one_after_the_other(language: Language) -> None:
    for text in SWAPS[language]:
        plan = Desk.holding(language, *VISITS).say(text)
        (step,) = plan.steps
        assert step.given_back in VISITS, text
        (other,) = {*VISITS} - {step.given_back}
        assert step.taken is not None
        assert step.taken.begin == other.begin, text
        assert plan.note is Topic.CHANGED_ONE_BY_ONE
        assert step.given_back.date.isoformat() in plan.then, text


@pytest.mark.parametrize("language", Language)
def test_beside_a_list_the_same_words_are_about_its_rows(language: Language) -> None:
    listed = {
        Language.PT: ("quero ortopedista", "prefiro na segunda em vez da sexta"),
        Language.EN: ("orthopedist please", "Monday instead of Friday"),
    }
    desk = Desk.holding(language, *VISITS)
    plan = desk.say(*listed[language])
    assert plan.question is None or plan.question.action != turn.MOVE
    assert not plan.writes


OTHER_DAY: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "{} dá pra ser outro dia?",
        "queria {} em outro dia",
        "{}, quero outra data",
        "tem outro dia pra {}?",
    ),
    Language.EN: (
        "could {} be another day?",
        "{} has to be some other day",
        "can I get another day for {}?",
        "{}, I want a different day",
    ),
}
OTHER_DOCTOR: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("quero outro médico pra {}", "{} pode ser com outra pessoa?", "{} com outro médico"),
    Language.EN: ("I'd rather see someone else for {}", "could someone else do {}?", "change the doctor of {}"),
}
BARE: Mapping[Language, tuple[str, ...]] = {
    Language.PT: ("queria ver outra pessoa", "não gostei dele, quero outro", "quero trocar de médico"),
    Language.EN: ("I'd rather see someone else", "can I get a different doctor?", "change the doctor"),
}
LOST_AND_MOVED: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "na sexta é meu aniversário, dá pra remarcar?",
        "surgiu uma reunião na sexta. muda pra outro dia",
        "esqueci que na sexta tenho prova, joga mais pra frente",
    ),
    Language.EN: (
        "something came up Friday, can I push it?",
        "I have to work on Friday. move it please",
        "I forgot I have an exam on Friday, what other days are there?",
    ),
}
CALLED = {Language.PT: {HEART: "a de cardio", SKIN: "a das 9h"}, Language.EN: {HEART: "the heart one", SKIN: "my 9am"}}


@pytest.mark.parametrize("language", Language)
def test_another_day_for_a_visit_is_looked_for_and_no_second_visit(language: Language) -> None:
    wrong = []
    for frame in OTHER_DAY[language]:
        for visit in VISITS:
            text = frame.format(CALLED[language][visit])
            doctor, wanted = moved(Desk.holding(language, *VISITS).say(text))
            wrong += [] if doctor == visit.doctor and not turn.fits(wanted, visit) else [text]
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_another_doctor_for_a_visit_moves_it_to_any_of_the_others(language: Language) -> None:
    wrong = []
    for frame in OTHER_DOCTOR[language]:
        for visit in VISITS:
            desk, text = Desk.holding(language, *VISITS), frame.format(CALLED[language][visit])
            doctor, _ = moved(desk.say(text))
            wrong += (
                []
                if doctor == visit.doctor and visit.doctor not in {it.doctor for it in desk.session.offers}
                else [text]
            )
    for text in BARE[language]:
        desk = Desk.holding(language, HEART)
        doctor, _ = moved(desk.say(text))
        wrong += [] if doctor == FERNANDO and FERNANDO not in {it.doctor for it in desk.session.offers} else [text]
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_a_day_told_to_be_lost_is_that_of_the_visit_that_is_to_move(language: Language) -> None:
    for text in LOST_AND_MOVED[language]:
        doctor, wanted = moved(Desk.holding(language, *VISITS).say(text))
        assert doctor == FERNANDO, text
        assert not turn.fits(wanted, HEART), text


BESIDE: Mapping[Language, tuple[str, ...]] = {
    Language.PT: (
        "quero um ortopedista na segunda em vez da terça",
        "minha consulta é sexta, quero ortopedista no mesmo dia",
        "já tenho a de cardio na sexta, quero um ortopedista outro dia",
        "na sexta eu tenho cardio, tem ortopedista outro dia?",
        "ortopedista entre terça e quinta",
        "posso levar meu filho na de sexta?",
        "quanto custa a de terça?",
    ),
    Language.EN: (
        "do you have an orthopedist Monday rather than Tuesday?",
        "I already have the heart one on Friday, find me an orthopedist another day",
        "after the Friday one I want an orthopedist",
        "orthopedist from Monday to Wednesday",
        "can I bring my son to the Friday one?",
        "did the Friday one change to Monday?",
        "will I make it to the Tuesday one if I leave at 8?",
    ),
}


@pytest.mark.parametrize("language", Language)
def test_what_is_wished_or_asked_beside_a_visit_changes_none(language: Language) -> None:
    for text in BESIDE[language]:
        plan = Desk.holding(language, *VISITS).say(text)
        assert not plan.writes, text
        assert plan.question is None or plan.question.action != turn.MOVE, text
