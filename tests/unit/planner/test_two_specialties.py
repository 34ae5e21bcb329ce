"""Two visits that are asked for in one message are both looked for, each with its own day or hour."""

from datetime import datetime, timedelta
from itertools import permutations, product

import pytest

from orchestrator import turn
from orchestrator.turn import Language
from tests.unit.planner.desk import CLINICS, NOW, Desk

NAMES = {
    Language.PT: {
        "Cardiology": ("um cardio", "o coração"),
        "Dermatology": ("um dermatologista", "a pele"),
        "Orthopedics": ("um orto", "o joelho"),
    },
    Language.EN: {
        "Cardiology": ("a cardiologist", "my heart"),
        "Dermatology": ("a derm", "my skin"),
        "Orthopedics": ("an ortho", "my knee"),
    },
}
FRAMES = {
    Language.PT: ("quero {} e {}", "quero {} e depois {}", "{}, e também {}", "além de {}, preciso de {}"),
    Language.EN: ("I need {} and {}", "{} first, then {}", "{} as well as {}", "besides {} I need {}"),
}
WHEN = {Language.PT: ("na sexta", "depois das 14h"), Language.EN: ("on Friday", "after 2pm")}
COMPLAINTS = {
    Language.PT: {
        "Cardiology": ("palpitações de vez em quando", "pressão alta"),
        "Dermatology": ("umas manchas na pele", "coceira nos braços"),
        "Orthopedics": ("dor no joelho", "a coluna travada"),
    },
    Language.EN: {
        "Cardiology": ("palpitations now and then", "high blood pressure"),
        "Dermatology": ("a rash", "acne"),
        "Orthopedics": ("knee pain", "a stiff neck"),
    },
}
TOLD = {
    Language.PT: ("tô com {} e {}", "{} e também {}", "{}, {}, quero ver isso de manhã"),
    Language.EN: ("I have {} and {}", "{} and also {}", "I've got {} and {}, any mornings?"),
}
FRIDAY = NOW.replace(day=18, hour=9)
HOURS = [FRIDAY + timedelta(days=day, hours=hour) for day in range(4) for hour in (0, 2, 6)]


def fits(plan: turn.Plan, code: str, at: datetime) -> bool:
    clinic = next(one for one in CLINICS if one.specialty == code)
    return turn.fits(plan.wish.widest, turn.Appointment(clinic.id, clinic.doctors[0], at.date(), at.time()))


@pytest.mark.parametrize("language", Language)
def test_both_are_looked_for_however_they_are_named(language: Language) -> None:
    dropped = []
    for frame, (one, other), name in product(FRAMES[language], permutations(NAMES[language], 2), (0, 1)):
        text = frame.format(NAMES[language][one][name], NAMES[language][other][name])
        desk = Desk.open(language, consent_given=False)
        plan = desk.say(text)
        plan = plan if plan.steps else desk.say("sim" if language is Language.PT else "yes")
        if {clinic.specialty for clinic in CLINICS for step in plan.steps if step.clinic == clinic.id} != {one, other}:
            dropped.append(text)
    assert dropped == []


@pytest.mark.parametrize("language", Language)
def test_each_keeps_its_own_day_or_hour(language: Language) -> None:
    wrong = []
    for frame, (one, other), name in product(FRAMES[language], permutations(NAMES[language], 2), (0, 1)):
        if name and "first" in frame:
            continue  # "my knee on Friday first" may name the part of the day
        first, second = (f"{NAMES[language][it][name]} {WHEN[language][n]}" for n, it in enumerate((one, other)))
        plan = Desk.open(language, consent_given=False).say(frame.format(first, second))
        shown = [[at for at in HOURS if fits(plan, code, at)] for code in (one, other)]
        if not all(shown) or any(at.weekday() != FRIDAY.weekday() for at in shown[0]) or min(shown[1]).hour < 14:
            wrong.append(frame.format(first, second))
    assert wrong == []


@pytest.mark.parametrize("language", Language)
def test_of_two_complaints_the_other_waits_while_one_is_booked(language: Language) -> None:
    forgotten = []
    agrees, only = ("sim", "só {}") if language is Language.PT else ("yes", "just {}")
    for frame, (one, other), name in product(TOLD[language], permutations(COMPLAINTS[language], 2), (0, 1)):
        first, second = COMPLAINTS[language][one][name], COMPLAINTS[language][other][name]
        desk, alone = (Desk.open(language, consent_given=False) for _ in range(2))
        plan = desk.say(frame.format(first, second))
        desk.say(*([] if plan.steps else [agrees]), "1")
        card = desk.session.proposal
        waits = card.plan.question.waiting if card is not None and card.plan.question is not None else ()
        alone.say(frame.format(first, second), only.format(first), "1")
        dropped = alone.session.proposal is not None and alone.session.proposal.plan.question is None
        if len(waits) != 1 or not dropped:
            forgotten.append((frame.format(first, second), len(waits), dropped))
    assert forgotten == []


@pytest.mark.parametrize(
    "text", ["manchas na pele e nas costas", "a rash on my knee", "coceira no couro cabeludo e na mão"]
)
def test_where_one_complaint_is_felt_is_no_second_visit(text: str) -> None:
    desk = Desk.open(Language.EN if "my" in text else Language.PT, consent_given=False)
    plan = desk.say(text)
    plan = plan if plan.steps else desk.say("yes" if "my" in text else "sim")
    assert {step.clinic for step in plan.steps} == {"clinic_b", "clinic_f"}
