"""A plain reply at a card is of what is on it: it stays for what it fits, and never for what it does not."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from orchestrator import turn
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import Appointment, Language
from tests.unit.planner.desk import FERNANDO, RICARDO, WEEKDAYS, Desk

HALVES = {Language.PT: ("à tarde", "de manhã"), Language.EN: ("in the afternoon", "in the morning")}
CARDS = (
    ("quero cardiologista", "o 2"),
    ("an orthopedist please", "number 3"),
    ("marca com o Dr. Fernando dia 18 às 10h",),
)
GONE = {
    Language.PT: ("se não der, {}", "se já tiver ido, {}", "se alguém pegar antes, {}", "senão {}", "plano b: {}"),
    Language.EN: (
        "if that's gone, {}",
        "if somebody takes it, {}",
        "in case it's gone, {}",
        "otherwise {}",
        "if not, {}",
    ),
}
LIMITS = {
    Language.PT: ("só {}", "tem que ser {}", "precisa ser {}", "só me serve {}", "sim, mas tem que ser {}"),
    Language.EN: ("only {}", "it has to be {}", "it must be {}", "only {} works for me", "yes, but it has to be {}"),
}
REFUSED = {
    Language.PT: ("qualquer um menos {}", "menos {}", "{} não rola", "não posso {}"),
    Language.EN: ("anything but {}", "except {}", "{} doesn't work", "I can't make it {}"),
}
CONSENT = {
    True: ("sim", "hi, yes", "oi, pode ser", "já que é o único, pode marcar", "yes, sorry for the delay"),
    False: ("hi, no", "não posso nesse", "nesse não dá", "oi, não", "no, I can't", "I can't make that"),
}


@cache
def card(turns: tuple[str, ...], language: Language) -> tuple[Desk, Appointment]:
    desk = Desk.open(language, consent_given=False)
    step = desk.say(*turns).steps[0]
    assert step.taken is not None
    return desk, step.taken


def when(slot: Appointment, language: Language, *, other: bool) -> tuple[str, ...]:
    """Say the slot's day and half of the day, or another day and the other half."""
    name = WEEKDAYS[language][(slot.date.weekday() + other) % 6]
    return (f"na {name}" if language is Language.PT else f"on {name}", HALVES[language][(slot.time.hour < 12) != other])


def taken(plan: turn.Plan) -> list[Appointment]:
    return [step.taken for step in plan.steps if step.taken is not None]


@pytest.mark.parametrize("turns", CARDS)
def test_the_card_stays_for_a_limit_that_it_fits_and_for_what_would_do_if_it_were_gone(turns: tuple[str, ...]) -> None:
    wrong = []
    for language, other in product(Language, (False, True)):
        slot = card(turns, language)[1]
        for frame, words in product((GONE if other else LIMITS)[language], when(slot, language, other=other)):
            desk = replace(card(turns, language)[0])
            if taken(desk.say(said := frame.format(words))) != [slot]:
                wrong.append(said)
    assert wrong == []


@pytest.mark.parametrize("turns", CARDS)
def test_the_card_goes_for_a_limit_that_it_does_not_fit(turns: tuple[str, ...]) -> None:
    wrong = []
    for language, refuses in product(Language, (False, True)):
        slot = card(turns, language)[1]
        for frame, words in product(
            (REFUSED if refuses else LIMITS)[language], when(slot, language, other=not refuses)
        ):
            desk = replace(card(turns, language)[0])
            plan = desk.say(said := frame.format(words))
            if slot in taken(plan) or not (taken(plan) or not turn.fits(plan.wish.widest, slot)):
                wrong.append(said)
    assert wrong == []


@pytest.mark.parametrize("turns", CARDS)
@pytest.mark.parametrize(("agrees", "said"), [(agrees, one) for agrees, all_ in CONSENT.items() for one in all_])
def test_what_stands_before_a_yes_or_a_no_changes_nothing_of_it(
    turns: tuple[str, ...], agrees: bool, said: str
) -> None:
    desk, _ = card(turns, Language.PT)
    assert desk.session.proposal is not None
    assert OfflinePlanner().consent(said, desk.session.proposal) is agrees


@pytest.mark.parametrize("said", ["menos sexta", "na sexta não", "não tem mais tarde?", "e na outra clínica?", "o 4"])
def test_of_two_visits_a_reply_is_of_the_one_on_the_card(said: str) -> None:
    base, slot = card(("um cardiologista e um dermatologista", "o 3"), Language.PT)
    assert slot.doctor == FERNANDO
    plan = replace(base).say(said)
    assert {step.clinic for step in plan.steps} <= {"clinic_a", "clinic_c"}
    assert taken(plan) != [slot]
    assert plan.question is not None
    assert len(plan.question.waiting) == 1


@pytest.mark.parametrize("said", ["tem mais tarde nesse dia?", "anything later that day?", "um pouco mais tarde"])
def test_at_a_card_that_moves_a_visit_later_counts_from_the_new_slot(said: str) -> None:
    base, _ = card(("marca com o Dr. Ricardo dia 23 às 8h", "sim", "muda para dia 21 às 9h"), Language.PT)
    desk = replace(base)
    plan = desk.say(said)
    found = taken(plan) or [one.slot for one in desk.session.offers]
    assert [(one.doctor, f"{one.date} {one.time:%H:%M}") for one in found] == [(RICARDO, "2025-07-21 10:30")]


@pytest.mark.parametrize("said", ["não, pode ser à tarde?", "fine, but only if it's in the afternoon"])
def test_a_move_is_proposed_by_what_its_new_slot_is(said: str) -> None:
    base, slot = card(("marca com o Dr. Fernando dia 19 às 14h", "sim", "muda para dia 25 às 8h30"), Language.PT)
    assert slot not in taken(replace(base).say(said))
