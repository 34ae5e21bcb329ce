"""What people tell of their days, joined to a wish: openings that it excludes are refused, and no others."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from random import Random

import pytest

from orchestrator.planner.calendar import Reference
from orchestrator.planner.text import correct, guess_language, normalise
from orchestrator.planner.wishes import Wishes, doctors_of, name_words
from orchestrator.turn import Appointment, Language, fits
from tests.support.repository_clinics import CLINICS

NOW = datetime.fromisoformat("2026-11-21T22:30")
DOCTORS = doctors_of(CLINICS)
NAMES = {word for doctor in DOCTORS for word in name_words(doctor.name)}
CARDIOLOGIST = next(one for one in DOCTORS if one.specialty == "Cardiology")
AGENDA = [
    Appointment(CARDIOLOGIST.clinic, CARDIOLOGIST.name, date(2026, 11, 23) + timedelta(days=day), time(hour, minute))
    for day in range(14)
    for hour in range(7, 19)
    for minute in (0, 30)
]
DAYS = {
    Language.PT: ("às segundas", "às terças", "às quartas", "às quintas", "às sextas"),
    Language.EN: ("on Mondays", "on Tuesdays", "on Wednesdays", "on Thursdays", "on Fridays"),
}
UNTIL = {  # busy until the hour, on working days where none is named
    Language.PT: (
        "saio do trabalho às {h}h",
        "largo do serviço às {h}h",
        "trabalho até as {h}h",
        "dou aula até as {h}h",
    ),
    Language.EN: ("I get off work at {h}pm", "I work till {h}pm", "I finish class at {h}pm", "I have uni until {h}pm"),
}
FROM = {  # busy from the hour on
    Language.PT: ("entro no trabalho às {h}h", "meu voo sai às {h}h", "meu turno começa às {h}h"),
    Language.EN: ("I start work at {h}pm", "my flight is at {h}pm", "my shift starts at {h}pm"),
}
ROUND = {  # busy for an hour
    Language.PT: ("tenho dentista às {h}h", "busco meu filho às {h}h", "tenho reunião às {h}h"),
    Language.EN: ("I have a meeting at {h}pm", "I pick up my son at {h}pm", "I have lunch with a client at {h}pm"),
}
WISHES = {
    Language.PT: (
        "{r}, tem cardiologista?",
        "quero um cardiologista, mas {r}",
        "cardiologista. {r}",
        "{r} e quero um cardiologista",
    ),
    Language.EN: (
        "{r}, any cardiologist?",
        "I need a cardiologist but {r}",
        "a cardiologist please. {r}",
        "{r} and I need a cardiologist",
    ),
}
EXPLICIT = {Language.PT: "depois das {h}h", Language.EN: "after {h}pm"}


def accepted(said: str, *before: str) -> list[Appointment]:
    """Return the openings of the agenda that what is said accepts, after what was said before."""
    wish = None
    for utterance in (*before, said):
        text = correct(normalise(utterance), NAMES)
        reference = Reference(NOW, guess_language(text, Language.PT))
        (request,) = Wishes.scanned(text, reference, CLINICS).requests(wish)
        wish = request.wish
    assert wish is not None
    return [slot for slot in AGENDA if fits(wish.filter, slot)]


@pytest.mark.long(but=60)
@pytest.mark.parametrize("seed", range(120))
def test_a_reason_bounds_what_suits_and_nothing_else(seed: int) -> None:
    drawn = Random(seed)
    language, busy = drawn.choice([*Language]), drawn.choice((UNTIL, FROM, ROUND))
    reason, hour = drawn.choice(busy[language]), drawn.randint(1, 5)
    weekday = drawn.choice((None, *range(5)))
    said = reason.format(h=hour if language is Language.EN else hour + 12)
    said = said if weekday is None else f"{said} {DAYS[language][weekday]}"

    def suits(slot: Appointment) -> bool:
        at, begin = slot.time, time(hour + 12)
        free = {id(UNTIL): at >= begin, id(FROM): at < begin, id(ROUND): not begin <= at < time(hour + 13)}[id(busy)]
        off = slot.date.weekday() != weekday if weekday is not None else busy is UNTIL and slot.date.weekday() > 4
        return free or off

    utterance = drawn.choice(WISHES[language]).format(r=said)
    assert accepted(utterance) == [slot for slot in AGENDA if suits(slot)], utterance


@pytest.mark.long(but=30)
@pytest.mark.parametrize("seed", range(60))
def test_the_hour_that_is_wished_is_the_one_that_counts(seed: int) -> None:
    drawn = Random(seed)
    language, busy = drawn.choice([*Language]), drawn.choice((UNTIL, ROUND))
    hour = drawn.randint(1, 3)
    told = hour if language is Language.EN else hour + 12
    reason = drawn.choice(busy[language]).format(h=told)
    so = "então cardiologista" if language is Language.PT else "so a cardiologist"
    utterance = f"{reason}, {so} {EXPLICIT[language].format(h=told + 1)}"
    wanted = [slot for slot in AGENDA if slot.time >= time(hour + 13)]
    assert [slot for slot in accepted(utterance) if slot.time > time(hour + 13)] == [
        slot for slot in wanted if slot.time > time(hour + 13)
    ], utterance
    assert not {slot.time for slot in accepted(utterance)} - {slot.time for slot in wanted}, utterance


@pytest.mark.parametrize("weekday", range(5))
@pytest.mark.parametrize("language", [*Language])
def test_a_limit_on_one_day_leaves_the_others_as_they_are(weekday: int, language: Language) -> None:
    day = DAYS[language][weekday]
    limit = f"{day} só posso depois das 14h" if language is Language.PT else f"{day[3:]} I can only do after 2pm"
    said = accepted(f"{limit}, cardiologista" if language is Language.PT else f"{limit}, a cardiologist")
    assert said == [slot for slot in AGENDA if slot.date.weekday() != weekday or slot.time >= time(14)]


@pytest.mark.parametrize("weekday", range(5))
@pytest.mark.parametrize("language", [*Language])
def test_what_holds_on_one_day_is_not_carried_to_another(weekday: int, language: Language) -> None:
    portuguese, other = language is Language.PT, (weekday + 2) % 5
    names = [day.split()[-1].removesuffix("s") for day in DAYS[language]]
    told = f"{names[weekday]} só chego às 11h" if portuguese else f"{names[weekday]} I can only get there after 11"
    asked = f"e {names[other]}?" if portuguese else f"and {names[other]}?"
    first = "cardiologista" if portuguese else "a cardiologist"
    assert {slot.date.weekday() for slot in accepted(told, first)} == {weekday}
    assert min(slot.time for slot in accepted(told, first)) >= time(11)
    assert accepted(asked, first, told) == [slot for slot in AGENDA if slot.date.weekday() == other]


@pytest.mark.parametrize("seed", range(40))
def test_a_trip_leaves_the_days_before_it_and_from_the_return(seed: int) -> None:
    drawn = Random(seed)
    first, last = sorted(drawn.sample(range(24, 31), 2))
    language = drawn.choice([*Language])
    trips = {
        Language.PT: (
            "viajo dia {a} e volto dia {b}, cardiologista",
            "vou viajar dia {a}, só volto dia {b}. cardiologista",
        ),
        Language.EN: ("I fly out on November {a} and get back on November {b}, a cardiologist",),
    }
    leaning = {
        Language.PT: {"": None, " antes da viagem": False, " depois disso": True},
        Language.EN: {"": None, " before that": False, " after that": True},
    }
    end, later = drawn.choice([*leaning[language].items()])
    utterance = drawn.choice(trips[language]).format(a=first, b=last) + end
    away = {date(2026, 11, day) for day in range(first, last)}
    if len(away) < 2:
        return
    wanted = [slot for slot in AGENDA if slot.date not in away and (later is None or (slot.date > min(away)) == later)]
    assert accepted(utterance) == wanted, utterance
