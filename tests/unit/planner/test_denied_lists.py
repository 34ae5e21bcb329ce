"""A denial before or behind a list of days, doctors or parts of the day refuses each of them, and nothing else."""

from datetime import date, datetime, time, timedelta
from itertools import permutations, product

import pytest

from orchestrator import turn
from orchestrator.planner.dialogue.references import spelled_out
from orchestrator.planner.understanding import understand
from orchestrator.turn import Language
from tests.support.repository_clinics import CLINICS

NOW = datetime.fromisoformat("2026-11-26T14:00")
WEEK = [NOW.date() + timedelta(days=n) for n in range(1, 8)]
HEART = {"Dr. Ricardo Lopes": "clinic_a", "Dra. Helena Prado": "clinic_a", "Dr. Caio Valadares": "clinic_c"}
HOURS = (time(9), time(14), time(19))

# What is listed: a word, with what it refuses of an opening's weekday, doctor and hour.
LISTED = {
    Language.EN: (
        (("monday", 0), ("wednesday", 2), ("saturday", 5)),
        (("mondays", 0), ("wednesdays", 2), ("saturdays", 5)),
        (("in the morning", HOURS[0]), ("in the evening", HOURS[2])),
    ),
    Language.PT: (
        (("segunda", 0), ("quarta", 2), ("sábado", 5)),
        (("segundas", 0), ("quartas", 2), ("sábados", 5)),
        (("de manhã", HOURS[0]), ("à noite", HOURS[2])),
    ),
}
DOCTORS = (("ricardo", "Dr. Ricardo Lopes"), ("helena", "Dra. Helena Prado"), ("caio", "Dr. Caio Valadares"))
DENIALS = {
    Language.EN: ("not {}", "except {}", "i cant do {}", "anything but {}"),
    Language.PT: ("não posso {}", "menos {}", "não quero {}", "exceto {}"),
}
OF_DOCTORS = {
    Language.EN: ("not {}", "anyone but {}", "not with {}", "i dont want {}"),
    Language.PT: ("menos {}", "não quero {}", "que não seja {}", "exceto {}"),
}
JOINTS = {
    Language.EN: ((", ", " or "), (", ", " and "), (", ", ", or "), (", ", " nor "), (" or ", " or "), ("/", "/")),
    Language.PT: ((", ", " ou "), (", ", " e "), (", ", " nem "), (" e ", " e "), (" ou ", " ou "), ("/", "/")),
}
WISHED = {
    Language.EN: ("cardio, {}", "{}. cardio", "cardio but {}", "{}, cardio please"),
    Language.PT: ("cardio, {}", "{}. cardio", "cardio mas {}", "{}, cardio por favor"),
}


def _refused(wanted: turn.Filter) -> set[tuple[date, str, time]]:
    """Return which of some openings a filter does not admit."""
    made = product(WEEK, HEART, HOURS)
    return {(day, doctor, at) for day, doctor, at in made if not _admits(wanted, day, doctor, at)}


def _admits(wanted: turn.Filter, day: date, doctor: str, at: time) -> bool:
    return bool(turn.fits(wanted, turn.Appointment(HEART[doctor], doctor, day, at)))


def _lists(language: Language) -> list[tuple[str, tuple[tuple[str, object], ...], tuple[str, str]]]:
    kinds = [(words, DENIALS[language]) for words in LISTED[language]] + [(DOCTORS, OF_DOCTORS[language])]
    return [
        (denial, listed[:count], joint)
        for listed, denials in kinds
        for denial in denials
        for count in range(1, len(listed) + 1)
        for joint in (JOINTS[language] if count > 1 else (("", ""),))
        if not (count == 2 and joint == (", ", ", or "))
    ]


@pytest.mark.parametrize("language", list(Language))
def test_each_of_a_list_is_refused_and_nothing_else(language: Language) -> None:
    wrong = []
    for (denial, listed, (between, last)), wished in product(_lists(language), WISHED[language]):
        words = [word for word, _ in listed]
        said = wished.format(
            denial.format(words[0] if len(words) == 1 else between.join(words[:-1]) + last + words[-1])
        )
        wishes = understand(said, language, CLINICS, NOW).wishes
        values = {value for _, value in listed}
        meant = {one for one in product(WEEK, HEART, HOURS) if values & {one[0].weekday(), one[1], one[2]}}
        if len(wishes.alone) != 1 or wishes.unread or _refused(wishes.alone[0].wish.filter) != meant:
            wrong.append(said)
    assert not wrong


UNABLE = {
    Language.EN: ("i can't do {}", "i'm not free {}", "i am not available {}", "i can't come {}"),
    Language.PT: ("não posso {}", "não consigo {}", "não estou livre {}"),
}
MIXED = {
    Language.EN: (("mondays", 0), ("wednesdays", 2), ("mornings", HOURS[0])),
    Language.PT: (("às segundas", 0), ("às quartas", 2), ("de manhã", HOURS[0])),
}


@pytest.mark.parametrize("language", list(Language))
def test_who_cannot_come_names_days_and_parts_of_the_day_in_one_list(language: Language) -> None:
    orders = [one for count in (2, 3) for one in permutations(MIXED[language], count) if MIXED[language][2] in one]
    joints = {joint for joint in JOINTS[language] if joint[1].isascii() and joint[1].strip().isalpha()}
    wrong = []
    for unable, listed, (between, last), wished in product(UNABLE[language], orders, joints, WISHED[language][:2]):
        words = [word for word, _ in listed]
        said = wished.format(unable.format(between.join(words[:-1]) + last + words[-1]))
        wishes = understand(said, language, CLINICS, NOW).wishes
        values = {value for _, value in listed}
        meant = {one for one in product(WEEK, HEART, HOURS) if values & {one[0].weekday(), one[2]}}
        if len(wishes.alone) != 1 or _refused(wishes.alone[0].wish.filter) != meant:
            wrong.append(said)
    assert not wrong


@pytest.mark.parametrize(
    ("said", "hours"),
    [
        ("nothing before 10 or after 5, cardio", {HOURS[1]}),
        ("nada antes das 10 ou depois das 17, cardio", {HOURS[1]}),
        ("i can't before 10 or on mondays, cardio", {HOURS[1], HOURS[2]}),
    ],
)
def test_what_follows_a_limit_that_is_denied_is_denied_too(said: str, hours: set[time]) -> None:
    wanted = understand(said, Language.EN, CLINICS, NOW).wishes.alone[0].wish.filter
    admitted = {at for day in WEEK for at in HOURS if _admits(wanted, day, "Dr. Ricardo Lopes", at)}
    assert admitted == hours
    assert "mondays" not in said or not any(_admits(wanted, WEEK[3], "Dr. Ricardo Lopes", at) for at in HOURS)


@pytest.mark.parametrize(
    ("said", "weekdays"),
    [
        ("not monday, wednesday or friday works, cardio", {2, 4}),
        ("not mondays, i want wednesdays or fridays, cardio", {2, 4}),
        ("not on monday, wednesday is better, cardio", {2}),
        ("não segunda, quarta. cardio", {2}),
    ],
)
def test_what_suits_behind_a_denial_is_wished(said: str, weekdays: set[int]) -> None:
    wanted = understand(said, Language.EN, CLINICS, NOW).wishes.alone[0].wish.filter
    assert {day.weekday() for day in WEEK if _admits(wanted, day, "Dr. Ricardo Lopes", HOURS[0])} == weekdays


BEHIND = {
    Language.EN: ("i can't", "i am busy", "i can't make it", "no good", "count me out", "won't work for me"),
    Language.PT: ("não posso", "não dá", "nem pensar", "não funciona pra mim", "não contem comigo", "tenho aula"),
}
TIMES = {
    Language.EN: (("mondays", {0}, {*HOURS}), ("wednesday mornings", {2}, {HOURS[0]}), ("saturday", {5}, {*HOURS})),
    Language.PT: (("segunda", {0}, {*HOURS}), ("quarta de manhã", {2}, {HOURS[0]}), ("sábados", {5}, {*HOURS})),
}
FRAMES = ("cardio. {}, {}", "cardio. {} {}", "{}, {}. cardio", "cardio. {}, {}, sorry")


@pytest.mark.parametrize("language", list(Language))
def test_a_denial_behind_a_time_refuses_it_with_a_comma_too(language: Language) -> None:
    session, wrong = turn.Session(turn.NOBODY, language=language), []
    for (words, weekdays, hours), denial, frame in product(TIMES[language], BEHIND[language], FRAMES):
        said = frame.format(words, denial)
        wished = understand(spelled_out(said, session, CLINICS, NOW), language, CLINICS, NOW).wishes.alone
        meant = {one for one in product(WEEK, HEART, HOURS) if one[0].weekday() in weekdays and one[2] in hours}
        if len(wished) != 1 or _refused(wished[0].wish.filter) != meant:
            wrong.append(said)
    assert not wrong
