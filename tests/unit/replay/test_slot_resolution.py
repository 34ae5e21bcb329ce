"""Which slot is meant, settled against what the clinics list; a full name stands even where nothing lists it."""

from __future__ import annotations

from datetime import date, time

from orchestrator.evaluation.replay.slot_mentions import NamedSlot, SlotResolver
from orchestrator.turn.opening_filter import DateRange
from orchestrator.turn.session import Offer
from orchestrator.turn.step_actions import Appointment
from orchestrator.turn.wish import Wish, when_in
from tests.unit.planner.desk import CLINICS, FERNANDO, MARINA_COUTO, MARINA_TELES, RICARDO

WEDNESDAYS = (date(2025, 7, 16), date(2025, 7, 23), date(2025, 7, 30))
OPENINGS = tuple(
    Offer(0, clinic, doctor, "", day, at)
    for clinic, doctor, day, at in (
        ("clinic_a", RICARDO, date(2025, 7, 23), time(8)),
        ("clinic_a", RICARDO, date(2025, 7, 30), time(8)),
        ("clinic_c", FERNANDO, date(2025, 7, 23), time(20)),
        ("clinic_b", MARINA_TELES, date(2025, 7, 23), time(9)),
        ("clinic_f", MARINA_COUTO, date(2025, 7, 23), time(10)),
    )
)
SETTLING = SlotResolver(CLINICS, OPENINGS)


def test_a_weekday_is_the_first_on_which_the_doctor_has_that_time() -> None:
    named = NamedSlot(doctors=(RICARDO,), dates=WEDNESDAYS, times=(time(8), time(20)))
    assert SETTLING.settle(named) == Appointment("clinic_a", RICARDO, date(2025, 7, 23), time(8))


def test_the_reading_of_a_time_that_is_listed_is_meant() -> None:
    named = NamedSlot(doctors=(FERNANDO,), dates=(date(2025, 7, 23),), times=(time(8), time(20)))
    assert SETTLING.settle(named) == Appointment("clinic_c", FERNANDO, date(2025, 7, 23), time(20))


def test_a_time_alone_is_settled_by_when_it_suits() -> None:
    named = NamedSlot(doctors=(RICARDO,), times=(time(8),))
    last = Wish(when_in(dates=(DateRange(date(2025, 7, 28), date(2025, 8, 1)),)))
    assert SETTLING.settle(named) is None
    assert SETTLING.settle(named, wish=last) == Appointment("clinic_a", RICARDO, date(2025, 7, 30), time(8))


def test_a_slot_without_a_doctor_is_that_of_whom_was_talked_of() -> None:
    named = NamedSlot(dates=(date(2025, 7, 23),), times=(time(9),))
    assert SETTLING.settle(named, (MARINA_TELES, RICARDO)) == Appointment(
        "clinic_b", MARINA_TELES, date(2025, 7, 23), time(9)
    )
    assert SETTLING.settle(NamedSlot(dates=(date(2025, 7, 23),))) is None


def test_a_part_of_a_name_is_settled_by_the_clinic_beside_it() -> None:
    named = NamedSlot(
        doctors=(MARINA_TELES, MARINA_COUTO), clinics=("clinic_f",), dates=(date(2025, 7, 23),), times=(time(10),)
    )
    assert SETTLING.settle(named) == Appointment("clinic_f", MARINA_COUTO, date(2025, 7, 23), time(10))


def test_what_is_held_may_be_meant_though_it_is_no_opening() -> None:
    held = Appointment("clinic_a", RICARDO, date(2025, 7, 21), time(9))
    assert SETTLING.settle(NamedSlot(dates=(date(2025, 7, 21),), times=(time(9),)), held=[held]) == held


def test_a_slot_named_in_full_stands_as_it_is_named() -> None:
    named = NamedSlot(doctors=(RICARDO,), dates=(date(2025, 8, 1),), times=(time(11),))
    assert SETTLING.settle(named) == Appointment("clinic_a", RICARDO, date(2025, 8, 1), time(11))
    assert SETTLING.settle(NamedSlot(doctors=(RICARDO,), dates=(date(2025, 8, 1),))) is None
    assert SETTLING.settle(NamedSlot(dates=(date(2025, 8, 1),), times=(time(11),))) is None
