"""Long lists: what is printed of them differs, and every number on the screen means one opening."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.turn.clinic_answers import LONGEST_WHOLE, numbered, spread
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.plan import Plan, PlanKind
from orchestrator.turn.session import Offer, Session

FIRST = date(2026, 11, 23)
PLAN = Plan(PlanKind.STEPS, Language.PT)
SHORT = Session(Identity.of("Maria Souza", "529.982.247-25"), page=6)


def _offer(day: int, hour: int, clinic: str, doctor: str) -> Offer:
    return Offer(0, clinic, f"Dra. {clinic} {doctor}", "Cardiologia", FIRST + timedelta(days=day), time(hour))


def _in_order(offers: frozenset[Offer]) -> tuple[Offer, ...]:
    ordered = sorted(offers, key=lambda one: (one.date, one.time, one.clinic, one.doctor))
    return tuple(replace(offer, number=number) for number, offer in enumerate(ordered, 1))


OFFERS = st.frozensets(
    st.builds(_offer, st.integers(0, 13), st.integers(8, 17), st.sampled_from("abcdef"), st.sampled_from("xyz")),
    max_size=60,
).map(_in_order)
MOST = st.integers(3, 6)


@given(OFFERS, MOST)
def test_what_is_spread_is_a_part_in_order_with_the_earliest(offers: tuple[Offer, ...], most: int) -> None:
    shown = spread(offers, most)
    assert len(shown) == min(most, len(offers))
    assert [offer for offer in offers if offer in shown] == list(shown)
    assert shown[:1] == offers[:1]


@given(OFFERS, MOST)
def test_what_is_spread_has_the_earliest_of_every_clinic_up_to_the_limit(offers: tuple[Offer, ...], most: int) -> None:
    clinics = {offer.clinic for offer in offers}
    shown = spread(offers, most)
    assert len({offer.clinic for offer in shown}) == min(most, len(clinics))
    for clinic in {offer.clinic for offer in shown}:
        assert next(offer for offer in offers if offer.clinic == clinic) in shown


@given(OFFERS, MOST)
def test_an_opening_like_another_is_spread_only_where_no_other_day_and_doctor_is_left(
    offers: tuple[Offer, ...], most: int
) -> None:
    shown = spread(offers, most)
    days, doctors = {offer.date for offer in shown}, {offer.doctor for offer in shown}
    repeats = len(days) < len(shown) and len(doctors) < len(shown)
    fresh = [offer for offer in offers if offer.date not in days and offer.doctor not in doctors]
    by_clinic = len({offer.clinic for offer in offers})
    assert not (repeats and fresh and by_clinic == 1)


@given(OFFERS)
def test_without_a_limit_and_in_short_lists_all_are_printed(offers: tuple[Offer, ...]) -> None:
    assert numbered(offers, PLAN, replace(SHORT, page=None)) == offers
    assert numbered(offers, replace(PLAN, whole=True), SHORT) == offers
    assert numbered(offers[:LONGEST_WHOLE], PLAN, SHORT) == offers[:LONGEST_WHOLE]


@given(OFFERS, MOST)
def test_asking_for_more_prints_each_opening_once_and_changes_no_number(offers: tuple[Offer, ...], most: int) -> None:
    session = replace(SHORT, page=most)
    seen: dict[Offer, int] = {}
    for _ in range(len(offers) + 1):
        printed = len(seen)
        session = replace(session, offers=numbered(offers, replace(PLAN, printed=printed), session))
        assert {replace(offer, number=0) for offer in session.offers} == {replace(one, number=0) for one in offers}
        numbers = {replace(offer, number=0): offer.number for offer in session.printed}
        assert numbers.items() >= seen.items()
        assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
        assert len(numbers) > printed or printed == len(offers)
        seen = numbers
    assert len(seen) == len(offers)


@given(OFFERS, MOST)
def test_numbering_what_is_numbered_changes_nothing(offers: tuple[Offer, ...], most: int) -> None:
    # The reply numbers the same openings again, with the session after the turn.
    session = replace(SHORT, page=most)
    once = replace(session, offers=numbered(offers, PLAN, session))
    more = replace(PLAN, printed=len(once.printed))
    for plan in (PLAN, more):
        after = replace(once, offers=numbered(offers, plan, once))
        assert numbered(offers, plan, after) == after.offers
