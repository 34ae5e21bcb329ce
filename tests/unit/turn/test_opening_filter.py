"""The algebra of filters: what `fits` means, and what the rewritings keep of it."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from hypothesis import example, given, settings
from hypothesis import strategies as st

from orchestrator.turn import (
    ANY_OPENING,
    ANYTHING,
    AllOf,
    AnyOf,
    Appointment,
    Axis,
    ClinicFact,
    DateRange,
    Filter,
    Not,
    OnDates,
    OnWeekdays,
    Wish,
    all_of,
    any_of,
    axes_of,
    either_of,
    fits,
    replaced,
    verdict,
    without,
)
from orchestrator.turn.wish import on_coming_days
from tests.support.clinic_turns import CLINICS
from tests.support.filters import filters, slots, wishes

FILTERS, SLOTS = filters(CLINICS), slots(CLINICS)


@settings(deadline=None)
@given(one=FILTERS, other=FILTERS, slot=SLOTS)
def test_not_turns_all_into_any_of_the_opposites(one: Filter, other: Filter, slot: Appointment) -> None:
    assert fits(Not(all_of((one, other))), slot) == fits(AnyOf((Not(one), Not(other))), slot)
    assert fits(Not(any_of((one, other))), slot) == fits(all_of((Not(one), Not(other))), slot)


@settings(deadline=None)
@given(one=FILTERS, other=FILTERS, slot=SLOTS)
def test_the_order_of_clauses_does_not_matter(one: Filter, other: Filter, slot: Appointment) -> None:
    assert fits(all_of((one, other)), slot) == fits(all_of((other, one)), slot)
    assert fits(any_of((one, other)), slot) == fits(any_of((other, one)), slot)


@settings(deadline=None)
@given(one=FILTERS, other=FILTERS, slot=SLOTS)
def test_a_further_condition_only_narrows_and_an_alternative_only_widens(
    one: Filter, other: Filter, slot: Appointment
) -> None:
    assert fits(all_of((one, other)), slot) <= fits(one, slot) <= fits(any_of((one, other)), slot)


@settings(deadline=None)
@given(one=FILTERS, other=FILTERS, slot=SLOTS)
def test_what_is_not_known_stays_unknown_under_all_any_and_not(one: Filter, other: Filter, slot: Appointment) -> None:
    unknown = ClinicFact(Axis.INSURANCE, "pela Unimed")

    def known(wanted: Filter) -> bool | None:
        return verdict(wanted, slot.clinic, slot.doctor, datetime.combine(slot.date, slot.time))

    assert known(unknown) is known(Not(unknown)) is None
    assert known(Not(AllOf((one, other)))) is known(AnyOf((Not(one), Not(other))))
    assert known(AllOf((one, unknown))) is (False if known(one) is False else None)
    assert known(AnyOf((one, unknown))) is (True if known(one) else None)


@settings(deadline=None)
@given(slot=SLOTS)
def test_an_opening_whose_clinic_says_nothing_is_shown_either_way(slot: Appointment) -> None:
    unknown = ClinicFact(Axis.PLACE, "perto do metrô")
    assert fits(unknown, slot)
    assert fits(Not(unknown), slot)


@settings(deadline=None)
@given(slot=SLOTS)
def test_the_empty_filter_accepts_everything(slot: Appointment) -> None:
    assert fits(ANY_OPENING, slot)
    assert not ANYTHING


@settings(deadline=None)
@given(wanted=FILTERS, slot=SLOTS)
def test_what_a_doctor_alone_decides_is_what_the_filter_decides(wanted: Filter, slot: Appointment) -> None:
    assert verdict(wanted, slot.clinic, slot.doctor) in {None, fits(wanted, slot)}


@settings(deadline=None)
@given(wanted=FILTERS, axes=st.frozensets(st.sampled_from(Axis)))
def test_a_lifted_axis_is_gone(wanted: Filter, axes: frozenset[Axis]) -> None:
    assert not axes_of(without(wanted, axes)) & axes


@settings(deadline=None)
@given(one=FILTERS, other=FILTERS, slot=SLOTS)
def test_either_of_two_filters_accepts_what_one_of_them_does(one: Filter, other: Filter, slot: Appointment) -> None:
    assert fits(either_of(one, other), slot) == (fits(one, slot) or fits(other, slot))


@settings(deadline=None)
@given(wanted=FILTERS, slot=SLOTS)
@example(wanted=Not(AllOf((AllOf(()),))), slot=Appointment("clinic_a", "Dr. Otávio", date(2025, 7, 15), time(7, 0)))
def test_nothing_lifted_means_the_same(wanted: Filter, slot: Appointment) -> None:
    assert fits(without(wanted, frozenset()), slot) == fits(wanted, slot)


@settings(deadline=None)
@given(wanted=FILTERS, slot=SLOTS)
def test_a_filter_changed_into_itself_means_the_same(wanted: Filter, slot: Appointment) -> None:
    assert fits(replaced(wanted, lambda condition: condition), slot) == fits(wanted, slot)


@settings(deadline=None)
@given(slot=SLOTS)
def test_a_bare_weekday_is_the_coming_one_first(slot: Appointment) -> None:
    wanted = OnWeekdays(frozenset({slot.date.weekday()}), (slot.date,))
    assert on_coming_days(wanted) == OnDates((DateRange(slot.date, slot.date),))
    later = Appointment(slot.clinic, slot.doctor, slot.date + timedelta(weeks=1), slot.time)
    assert Wish(wanted).narrowed_to([later, slot])[1] == [slot]
    assert Wish(wanted).narrowed_to([later])[1] == [later]


@settings(deadline=None)
@given(wish=wishes(CLINICS), known=st.lists(SLOTS, max_size=8))
def test_a_wish_is_met_by_its_first_filter_that_has_openings(wish: Wish, known: list[Appointment]) -> None:
    link, found = wish.narrowed_to(known)
    assert link in wish.chain
    assert all(fits(link, slot) for slot in found)
    assert bool(found) == any(fits(wish.widest, slot) for slot in known)
    before = wish.chain[: wish.chain.index(link)] if found else ()
    assert not any(fits(earlier, slot) for earlier in before for slot in known)
