"""A visit that is held is moved in any plain words: the one that is named, to the time that is named, and no other."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import cycle

import pytest

from orchestrator import turn
from orchestrator.turn import Appointment, Language, Plan
from tests.unit.planner.desk import (
    AGENDA,
    CLINICS,
    FERNANDO,
    MARINA_COUTO,
    MARINA_TELES,
    NOW,
    RICARDO,
    SILVIA,
    WEEKDAYS,
    Desk,
)


def visit(doctor: str, moment: str) -> Appointment:
    clinic = next(one.id for one in CLINICS if doctor in one.doctors)
    day = NOW.fromisoformat(f"2025-07-{moment}")
    return Appointment(clinic, doctor, day.date(), day.time())


ONE = (visit(RICARDO, "23 08:00"),)
APART = (visit(RICARDO, "23 08:00"), visit(MARINA_COUTO, "24 15:00"))
ALIKE = (visit(RICARDO, "21 10:30"), visit(FERNANDO, "25 08:30"))
THREE = (visit(SILVIA, "21 16:30"), visit(RICARDO, "23 08:00"), visit(MARINA_TELES, "25 10:00"))

FRAMES = {
    Language.PT: (
        *("muda {} {}", "dá pra passar {} {}?", "queria transferir {} {}", "vc consegue colocar {} {}?"),
        *(
            "{}, joga {}",
            "tem como botar {} {}?",
            "{} precisa ir {}",
            "oi, bom dia, remarca {} {}",
            "bora trocar {} {}",
        ),
    ),
    Language.EN: (
        *("move {} {}", "can you put {} {}?", "any chance you could swap {} {}?", "mind if we reschedule {} {}?"),
        *("i gotta transfer {} {}", "please switch {} {}", "{} needs to go {}", "how about we shift {} {}?"),
    ),
}
LISTS = {Language.PT: "quero ortopedista", Language.EN: "dermatologist please"}


def names(held: tuple[Appointment, ...], one: Appointment, language: Language) -> Iterator[str]:
    """Say which visit of several is meant, in ways that fit no other."""
    clock, day, last = f"{one.time:%H:%M}".removeprefix("0"), one.date.day, one.doctor.split()[-1]
    weekday, place = WEEKDAYS[language][one.date.weekday()], held.index(one)
    if language is Language.PT:
        yield from (f"a do dia {day}", f"a de {weekday}", f"a das {clock.replace(':', 'h')}", f"a consulta de {last}")
        yield from (f"a da clínica {one.clinic[-1].upper()}", f"minha consulta de {weekday} às {clock}")
        yield "minha consulta" if len(held) == 1 else ("a primeira", "a última")[bool(place)]
    else:
        yield from (f"the one on the {day}th", f"my {weekday} appointment", f"the {clock} one", f"my visit with {last}")
        yield f"the one at clinic {one.clinic[-1].upper()}"
        yield "my appointment" if len(held) == 1 else ("the first one", "the later one")[bool(place)]


def targets(one: Appointment, language: Language) -> Iterator[tuple[str, timedelta | None]]:
    """Say where a visit is to be moved, and by how much where that is all."""
    pt = language is Language.PT
    yield ("uma hora mais tarde", "an hour later")[not pt], timedelta(hours=1)
    yield ("meia hora depois", "half an hour later")[not pt], timedelta(minutes=30)
    yield ("uma semana depois", "a week later")[not pt], timedelta(days=7)
    yield (
        (f"pro dia 30 às {one.time:%H:%M}", f"to July 30 at {one.time:%H:%M}")[not pt],
        NOW.replace(day=30, hour=one.time.hour, minute=one.time.minute) - one.begin,
    )
    yield ("pra outro dia, menos sexta", "to another day, not Friday")[not pt], None
    yield ("pra semana que vem", "to next week")[not pt], None


def moved(plan: Plan, desk: Desk) -> tuple[Appointment | None, Appointment | None]:
    """Return the visit that a plan moves, and its new slot where that is certain."""
    given = [step.given_back for step in plan.steps if step.given_back]
    if given:
        return given[0], next(step.taken for step in plan.steps if step.taken)
    known = plan.question.known if plan.question and plan.question.action == turn.MOVE else {}
    told = known.get("doctor"), known.get("original_date"), known.get("original_time")
    held = desk.session.appointments
    return next((it for it in held if (it.doctor, f"{it.date}", f"{it.time:%H:%M}") == told), None), None


def opened(language: Language, held: tuple[Appointment, ...], *, listed: bool) -> Desk:
    desk = Desk.open(language, consent_given=False)
    if listed:
        desk.say(LISTS[language])
    desk.session = replace(desk.session, listed=held, knows_own=True)
    return desk


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("held", [ONE, APART, ALIKE, THREE])
def test_the_visit_that_is_named_is_moved_to_what_is_said(held: tuple[Appointment, ...], *, listed: bool) -> None:
    wrong = []
    for language in Language:
        frames = cycle(FRAMES[language])
        for one in (held[0], held[-1]):
            for name, (said, amount) in zip(names(held, one, language), cycle(targets(one, language)), strict=False):
                desk = opened(language, held, listed=listed)
                plan = desk.say(text := next(frames).format(name, said))
                which, slot = moved(plan, desk)
                there = None if amount is None else one.begin + amount
                if which != one or (slot and slot.begin) != there:
                    wrong.append(text)
    assert wrong == []


@pytest.mark.parametrize("text", ["muda minha consulta de cardio pra quinta", "passa o cardiologista pra mais cedo"])
def test_of_two_that_are_called_so_it_is_asked_which(text: str) -> None:
    plan = opened(Language.PT, ALIKE, listed=False).say(text)
    assert plan.topic is turn.Topic.ASK_WHICH_APPOINTMENT
    assert plan.question is not None
    assert plan.question.action == turn.MOVE


def test_a_visit_goes_to_a_doctor_with_whom_another_is_held() -> None:
    desk = opened(Language.PT, ALIKE, listed=False)
    assert moved(desk.say("muda a do Ricardo pro Dr. Fernando"), desk)[0] == ALIKE[0]
    assert {one.doctor for one in desk.session.offers} == {FERNANDO}


@pytest.mark.parametrize(
    ("text", "refused"), [("outro dia, menos segunda", 0), ("qualquer outro dia exceto quarta", 2)]
)
def test_what_is_excepted_from_another_day_is_refused_too(text: str, refused: int) -> None:
    desk = opened(Language.PT, ONE, listed=False)
    desk.say(f"muda a do dia 23 pra {text}")
    days = [NOW.fromisoformat(moment).date() for moment in AGENDA[RICARDO]]
    kept = {day for day in days if day.weekday() != refused and day != ONE[0].date}
    assert {one.date for one in desk.session.offers} in ({*kept}, set())
