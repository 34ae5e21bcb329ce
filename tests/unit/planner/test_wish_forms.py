"""Forms of speech mean the same with every day, hour and doctor: what suits, what does not, what is only asked."""

from __future__ import annotations

from datetime import date, datetime, time
from itertools import product

import pytest

from orchestrator.planner.calendar import Reference
from orchestrator.planner.text import correct, guess_language, normalise
from orchestrator.planner.wishes import Wishes, doctors_of, name_words
from orchestrator.turn import Appointment, Filter, Language, fits
from tests.support.repository_clinics import CLINICS

NOW = datetime.fromisoformat("2026-11-21T22:30")
DOCTORS = doctors_of(CLINICS)
NAMES = {word for doctor in DOCTORS for word in name_words(doctor.name)}
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def wanted(said: str, *before: str) -> Filter:
    """What somebody wants who said this after all that."""
    wish = None
    for utterance in (*before, said):
        text = correct(normalise(utterance), NAMES)
        reference = Reference(NOW, guess_language(text, Language.PT))
        (request,) = Wishes.scanned(text, reference, CLINICS).requests(wish)
        wish = request.wish
    assert wish is not None
    return wish.filter


def at(day: str = "2026-11-23", hour: str = "09:00", doctor: str = DOCTORS[0].name) -> Appointment:
    """A slot, on a Monday morning where nothing else is said."""
    clinic = next(one.clinic for one in DOCTORS if one.name == doctor)
    return Appointment(clinic, doctor, date.fromisoformat(day), time.fromisoformat(hour))


@pytest.mark.parametrize(
    ("day", "suits"),
    list(
        product(
            enumerate(WEEKDAYS),
            ("{}s work best", "{}s work better for me", "{} works great", "{}s suit me best", "{} would be perfect"),
        )
    ),
)
def test_a_day_that_works_is_wanted(day: tuple[int, str], suits: str) -> None:
    number, name = day
    said = wanted(suits.format(name), "a cardiologist, not on Saturday")
    assert [fits(said, at(f"2026-11-{23 + n}")) for n in range(6)] == [n == number for n in range(6)]


@pytest.mark.parametrize(
    ("day", "refuses"),
    list(product(enumerate(WEEKDAYS), ("I work on {}s", "I always work {}s", "{}s never", "never on {}s"))),
)
def test_a_day_on_which_somebody_works_is_not(day: tuple[int, str], refuses: str) -> None:
    number, name = day
    said = wanted(refuses.format(name), "a cardiologist")
    assert [fits(said, at(f"2026-11-{23 + n}")) for n in range(5)] == [n != number for n in range(5)]


@pytest.mark.parametrize(
    ("doctor", "day"), [(doctor.name, day) for doctor, day in zip(DOCTORS, WEEKDAYS * 4, strict=False)]
)
def test_a_doctor_who_is_asked_about_is_asked_about_that_day(doctor: str, day: str) -> None:
    said = wanted(f"does {doctor} work on {day}s?")
    number = WEEKDAYS.index(day)
    assert [fits(said, at(f"2026-11-{23 + n}", doctor=doctor)) for n in range(5)] == [n == number for n in range(5)]


@pytest.mark.parametrize("doctor", [doctor.name for doctor in DOCTORS])
@pytest.mark.parametrize(
    "refuses", ["never with {} again", "on Monday, never with {}", "nunca mais com {}", "nunca com {}, segunda"]
)
def test_a_doctor_whom_one_never_wants_again_is_left_out(refuses: str, doctor: str) -> None:
    said = wanted(refuses.format(doctor))
    assert [one.name for one in DOCTORS if not fits(said, at(doctor=one.name))] == [doctor]


SUPERLATIVES = (
    *(
        "qual o mais cedo?",
        "o mais cedo",
        "a mais cedo que tiver",
        "qual é o horário mais cedo?",
        "o mais tarde de todos",
    ),
    *("o que vier primeiro", "whichever is soonest", "the earliest one"),
)


@pytest.mark.parametrize("hour", range(8, 18, 3))
@pytest.mark.parametrize("said", SUPERLATIVES)
def test_the_earliest_of_what_was_wanted_is_no_earlier_hour(said: str, hour: int) -> None:
    before = f"cardio depois das {hour}h"
    assert wanted(said, before) == wanted(before)


@pytest.mark.parametrize(
    ("said", "open_hours"),
    [
        ("too early", (10, 14, 18)),
        ("cedo demais", (10, 14, 18)),
        ("not too early", (10, 14, 18)),
        ("too late", (8, 10, 14)),
        ("tarde demais", (8, 10, 14)),
        ("nem tão cedo nem muito tarde", (10, 14)),
        ("neither too early nor too late", (10, 14)),
    ],
)
def test_what_is_too_much_is_left_out(said: str, open_hours: tuple[int, ...]) -> None:
    meant = wanted(said, "a dermatologist")
    fitting = tuple(
        hour for hour in (8, 10, 14, 18) if fits(meant, at(hour=f"{hour:02}:00", doctor="Dra. Lívia Moura"))
    )
    assert fitting == open_hours


@pytest.mark.parametrize(("first", "last"), [(8, 1), (9, 2), (10, 3), (11, 4)])
@pytest.mark.parametrize(
    "said", ["tirando {} horas e {} da tarde", "menos {}h e {} da tarde", "exceto às {} e às {} da tarde"]
)
def test_both_hours_of_a_list_are_left_out(said: str, first: int, last: int) -> None:
    meant = wanted(said.format(first, last))
    assert [hour for hour in range(8, 18) if not fits(meant, at(hour=f"{hour:02}:00"))] == [first, last + 12]


@pytest.mark.parametrize("hour", range(8, 15))
@pytest.mark.parametrize(
    "said", ["não antes das {} 04/12", "not before {} on December 4", "nada antes das {}h no dia 4/12"]
)
def test_an_hour_before_a_date_keeps_its_bound(said: str, hour: int) -> None:
    meant = wanted(said.format(hour))
    assert [one for one in range(8, 18) if fits(meant, at("2026-12-04", f"{one:02}:00"))] == list(range(hour, 18))


@pytest.mark.parametrize(("first", "last"), [(24, 26), (25, 28), (23, 30)])
@pytest.mark.parametrize("said", ["between November {} and {}", "from November {} to {}", "entre {} e {} de novembro"])
def test_days_between_two_are_wanted(said: str, first: int, last: int) -> None:
    meant = wanted(said.format(first, last))
    assert [n for n in range(22, 31) if fits(meant, at(f"2026-11-{n}"))] == list(range(first, last + 1))


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("entre 9 e 11", 9, 11),
        ("between 2 and 4", 14, 16),
        ("entre meio-dia e uma e meia", 12, 13.5),
        ("das 9 e meia às 11 e meia", 9.5, 11.5),
        ("entre 10 e 1", 10, 13),
    ],
)
def test_hours_between_two_are_wanted_beside_a_specialty(said: str, first: float, last: float) -> None:
    meant = wanted(f"cardio {said}")
    halves = [n / 2 for n in range(16, 36)]
    fitting = [half for half in halves if fits(meant, at(hour=f"{int(half):02}:{30 if half % 1 else 0:02}"))]
    assert (fitting[0], fitting[-1]) == (first, last)


@pytest.mark.parametrize("hour", range(9, 15))
@pytest.mark.parametrize(
    "said", ["segunda, mas só se não for {}h", "na segunda, só se não for às {}", "Monday, but only if it is not at {}"]
)
def test_an_hour_that_is_the_only_one_refused_is_left_out(said: str, hour: int) -> None:
    meant = wanted(f"cardio {said.format(hour)}")
    assert [one for one in range(8, 18) if not fits(meant, at(hour=f"{one:02}:00"))] == [hour]


@pytest.mark.parametrize(("first", "second"), [("segunda", "quarta"), ("terça", "sexta"), ("quarta", "quinta")])
@pytest.mark.parametrize("said", ["de preferência {}, mas pode ser {} também", "preferencialmente {}, mas {} serve"])
def test_what_is_preferred_comes_before_what_will_do(said: str, first: str, second: str) -> None:
    days = ("segunda", "terça", "quarta", "quinta", "sexta")
    meant = wanted(f"cardio {said.format(first, second)}")
    assert [fits(meant, at(f"2026-11-{23 + n}")) for n in range(5)] == [day == first for day in days]


@pytest.mark.parametrize("clinic", "AC")
@pytest.mark.parametrize(
    "said",
    [
        "cardio de manhã só se for na clínica {}, senão de tarde",
        "cardiology in the morning only if at clinic {}, otherwise afternoon",
    ],
)
def test_what_binds_the_first_choice_alone_does_not_bind_the_next(said: str, clinic: str) -> None:
    text = correct(normalise(said.format(clinic)), NAMES)
    (request,) = Wishes.scanned(text, Reference(NOW, guess_language(text, Language.PT)), CLINICS).requests()
    (instead,) = request.wish.otherwise
    cardiologists = [one.name for one in DOCTORS if one.specialty == "Cardiology"]
    assert [one for one in cardiologists if fits(instead, at(hour="14:00", doctor=one))] == cardiologists


BUSY = (
    *product(
        ("eu vou tá", "tô", "vou estar", "estarei"), ("viajando", "de plantão", "sem carro", "na estrada", "em prova")
    ),
    *product(("tenho que", "preciso", "vou ter que"), ("trabalhar", "viajar", "dar aula")),
    *product(("é", "vai ter"), ("o aniversário da minha filha", "jogo", "feriado aqui", "festa na escola")),
    *product(("I am", "I'll be"), ("out of the city", "on call", "at a conference", "flying", "in court")),
    *product(("I have to", "I need to"), ("travel", "babysit", "pick up my son from school")),
    *product(("is", "we have"), ("my daughter's birthday", "a bank holiday", "the school play")),
)


@pytest.mark.parametrize("said", [" ".join(words) for words in BUSY])
def test_a_day_on_which_there_is_something_else_is_not_wanted(said: str) -> None:
    is_english = said.startswith(("I", "is ", "we "))
    day, asked = ("Friday", "a cardiologist, but") if is_english else ("sexta", "quero cardio, mas")
    meant = wanted(f"{asked} {day} {said}")
    assert [fits(meant, at(f"2026-11-{23 + n}")) for n in range(5)] == [True, True, True, True, False]


@pytest.mark.parametrize(
    "said",
    [
        *(
            "sexta eu tô livre",
            "sexta tô de folga",
            "sexta é tranquilo",
            "tô de férias na sexta",
            "tem exame na sexta?",
        ),
        *("tenho que levar minha mãe aí na sexta", "preciso pegar um horário na sexta", "vai ter vaga na sexta?"),
        *("Friday is my day off", "I am free on Friday", "anything on Friday?"),
    ],
)
def test_a_day_of_which_something_good_is_said_is_wanted(said: str) -> None:
    meant = wanted(f"quero cardio, {said}" if "Friday" not in said else f"a cardiologist, {said}")
    assert fits(meant, at("2026-11-27"))
