"""A day on which nobody has anything is not held to once the nearest openings are shown and something else is said."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import product

import pytest

from orchestrator.turn import Language, Offer, SaveMemory
from orchestrator.turn.wish import nearest
from tests.unit.planner.desk import AGENDA, CLINICS, Desk

EVERY = [
    Offer(0, clinic.id, doctor, clinic.specialty, (at := datetime.fromisoformat(slot)).date(), at.time())
    for clinic in CLINICS
    for doctor in clinic.doctors
    for slot in AGENDA[doctor]
]
IN_VAIN = {
    Language.PT: ("tem cardiologista no domingo?", "quero dermatologista na sexta", "ortopedista na quinta"),
    Language.EN: ("any cardiologist on Sunday?", "I need a dermatologist on Friday", "orthopedist on Thursday please"),
}
PARTS: dict[Language, dict[str, Callable[[Offer], bool]]] = {
    Language.PT: {"de manhã": lambda it: it.time.hour < 12, "depois das 14h": lambda it: it.time.hour >= 14},
    Language.EN: {"in the morning": lambda it: it.time.hour < 12, "after 2pm": lambda it: it.time.hour >= 14},
}
FRAMES = {
    Language.PT: ("{}", "e {}?", "pode ser {}", "só {}"),
    Language.EN: ("{}", "what about {}?", "anything {}?", "{} then"),
}


@pytest.mark.parametrize("language", list(Language))
def test_another_condition_lifts_a_day_that_has_nothing(language: Language) -> None:
    wrong = []
    for first, (part, fits), frame in product(IN_VAIN[language], PARTS[language].items(), FRAMES[language]):
        desk = Desk.open(language, consent_given=False)
        plan = desk.say(first)
        asked = [one for one in EVERY if one.clinic in {step.clinic for step in plan.steps}]
        shown = nearest(asked, plan.wish.widest, 5)
        desk.session = replace(desk.session, offers=tuple(replace(one, number=n) for n, one in enumerate(shown, 1)))
        plan = desk.say(said := frame.format(part))
        rows = {one.slot for one in desk.session.offers} | {step.taken for step in plan.steps if step.taken}
        wanted = {one.slot for one in asked if fits(one)}
        wrong += [] if not wanted or (plan.steps and rows & wanted) else [f"{first} {said}"]
    assert wrong == []


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (first, said)
        for first in ("quero um cardiologista", "quero marcar uma consulta")
        for said in ("só na segunda", "só sexta")
    ]
    + [("I need a cardiologist", "only Monday"), ("I need a cardiologist", "just on Friday")],
)
def test_one_day_of_what_is_looked_for_is_no_habit(first: str, said: str) -> None:
    plan = Desk.open(consent_given=False, remembers=True).say(first, said)
    assert [one for one in plan.memory if isinstance(one, SaveMemory)] == []
