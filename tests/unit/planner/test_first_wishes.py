"""Wishes and questions in the plainest frames: what is listed fits exactly what was said, and nothing is booked."""

import random
from collections.abc import Callable
from datetime import datetime, time, timedelta
from itertools import product

import pytest

from orchestrator import turn
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import AskedFact, Language, Plan
from orchestrator.turn.identity import Identity
from orchestrator.turn.session import Session
from tests.support.repository_clinics import CLINICS

NOW = datetime.fromisoformat("2026-11-26T14:00")
PT, EN = Language
NAMES = {EN: ("cardiologist", "heart doctor"), PT: ("cardiologista", "médico do coração")}
FRAMES = {
    EN: ("any {} {}?", "I need a {} {}", "do you have a {} {}?", "book a {} {}", "can I book a {} {}?", "{} {}"),
    PT: ("quero {} {}", "tem {} {}?", "preciso de {} {}", "posso marcar {} {}?", "pode marcar {} {}", "{} {}"),
}
OTHERS = {EN: (None, "I need a dermatologist"), PT: (None, "quero dermatologista")}
Holds = Callable[[turn.Appointment], bool]

# What is said, and what it asks of an opening; of each kind one at most.
LIMITS: dict[Language, tuple[tuple[tuple[str, Holds], ...], ...]] = {
    EN: (
        (
            ("at clinic A", lambda one: one.clinic == "clinic_a"),
            ("with Dr. Valadares", lambda one: "Valad" in one.doctor),
        ),
        (("that takes Unimed", lambda _: True), ("who speaks English", lambda one: one.clinic == "clinic_a")),
        (("up to 400 reais", lambda one: one.clinic == "clinic_c"), ("without insurance", lambda _: True)),
        (("in the evening", lambda one: one.time.hour >= 18), ("at 3pm", lambda one: one.time == time(15))),
        (
            ("but not after 9am", lambda one: one.time <= time(9)),
            ("but only on December 2", lambda one: one.date.day == 2),
        ),
    ),
    PT: (
        (
            ("na clínica A", lambda one: one.clinic == "clinic_a"),
            ("com o Dr. Valadares", lambda one: "Valad" in one.doctor),
        ),
        (("que aceite Unimed", lambda _: True), ("que fale inglês", lambda one: one.clinic == "clinic_a")),
        (("até R$ 400", lambda one: one.clinic == "clinic_c"), ("sem convênio", lambda _: True)),
        (("à noite", lambda one: one.time.hour >= 18), ("às 15", lambda one: one.time == time(15))),
        (
            ("mas não depois das 9h", lambda one: one.time <= time(9)),
            ("mas só dia 2/12", lambda one: one.date.day == 2),
        ),
    ),
}
AGENDA = [
    turn.Appointment(clinic.id, doctor, NOW.date() + timedelta(days=day), time(hour))
    for clinic in CLINICS
    for doctor in clinic.doctors
    for day in range(1, 12)
    for hour in (8, 9, 10, 15, 18)
]


def _planned(said: str, before: str | None, language: Language) -> Plan:
    session, planner = Session(Identity.of("Carlos Teste", "123.456.789-00"), language=language), OfflinePlanner()
    if before is not None:
        plan = planner.plan(before, session, CLINICS, NOW)
        session = Session(session.identity, language=language, question=plan.question, asked=plan.asked)
    return planner.plan(said, session, CLINICS, NOW)


@pytest.mark.parametrize("language", list(Language))
def test_what_is_listed_fits_each_limit_that_was_said(language: Language) -> None:
    chance, wrong = random.Random(18), []
    for _ in range(80):
        drawn = [chance.choice(kind) for kind in LIMITS[language] if chance.random() < 0.5]
        frame, name = (chance.choice(some[language]) for some in (FRAMES, NAMES))
        before = chance.choice(OTHERS[language])
        said = frame.format(name, " ".join(words for words, _ in drawn)).replace(" ?", "?")
        heart = {one.id for one in CLINICS if one.specialty == "Cardiology"}
        meant = [one for one in AGENDA if one.clinic in heart and all(holds(one) for _, holds in drawn)]
        if not meant:
            continue  # which is said
        plan = _planned(said, before, language)
        asked = {step.clinic for step in plan.steps if step.action == turn.LIST}
        got = [one for one in AGENDA if one.clinic in asked and turn.fits(plan.wish.filter, one)]
        takes_the_only_one = plan.writes and len(meant) == 1
        if not takes_the_only_one and (plan.writes or got != meant):
            wrong.append(f"{said} (after {before})")
    assert not wrong


FACTS = {
    EN: (
        ("what's the address of {}?", AskedFact.ADDRESS),
        ("what does {} charge?", AskedFact.PRICE),
        ("how do I call {}?", AskedFact.PHONE),
        ("is {} accessible?", AskedFact.ACCESSIBILITY),
    ),
    PT: (
        ("qual o endereço d{}?", AskedFact.ADDRESS),
        ("quanto {} cobra?", AskedFact.PRICE),
        ("qual o telefone d{}?", AskedFact.PHONE),
        ("{} é acessível?", AskedFact.ACCESSIBILITY),
    ),
}
MEANT = {
    EN: (("clinic D", "clinic_d"), ("the Perdizes clinic", "clinic_d"), ("the Bela Vista clinic", "clinic_a")),
    PT: (("a clínica D", "clinic_d"), ("a clínica de Perdizes", "clinic_d"), ("a clínica da Bela Vista", "clinic_a")),
}


@pytest.mark.parametrize("language", list(Language))
def test_what_is_asked_of_a_clinic_is_answered_of_that_one_alone(language: Language) -> None:
    wrong, said_before = [], (OTHERS[language][1], "onde fica a clínica B?")
    for frame, fact in FACTS[language]:
        for (words, clinic), before in product(MEANT[language], said_before):
            plan = _planned(frame.format(words), before, language)
            if plan.asked is None or plan.asked.clinics != (clinic,) or fact not in plan.asked.facts:
                wrong.append(f"{frame.format(words)} (after {before})")
    assert not wrong
