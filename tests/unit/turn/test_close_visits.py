"""A visit is close to a slot exactly when the two overlap or leave too little time on the way."""

from __future__ import annotations

from datetime import date, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.turn.clinic import Clinic
from orchestrator.turn.proposals import visits_close_to
from orchestrator.turn.step_actions import Appointment
from tests.support.repository_clinics import CLINICS

DAY = date(2025, 7, 21)
VISITS = st.builds(
    Appointment,
    clinic=st.sampled_from([one.id for one in CLINICS]),
    doctor=st.just("Dra. Ana Reis"),
    date=st.sampled_from((DAY, DAY + timedelta(days=1))),
    time=st.builds(time, st.integers(7, 23), st.sampled_from((0, 10, 20, 30, 45))),
    duration_min=st.sampled_from((0, 20, 30, 60, 90)),
)


def end_of(visit: Appointment) -> object:
    return visit.begin + timedelta(minutes=visit.duration_min or 30)


@given(VISITS, st.sets(VISITS, max_size=5), st.sampled_from((0, 30, 45)))
def test_what_leaves_too_little_time_is_close_and_nothing_else(
    slot: Appointment, held: set[Appointment], travel_min: int
) -> None:
    way = timedelta(minutes=travel_min)
    expected = {
        one
        for one in held - {slot}
        for needed in [timedelta(0) if one.clinic == slot.clinic else way]
        if one.begin < end_of(slot) + needed and slot.begin < end_of(one) + needed  # type: ignore[operator]
    }
    found = [one for one in visits_close_to([slot], held, CLINICS, travel_min) if not one.alike]
    assert {one.held for one in found} == expected
    for one in found:
        overlaps = one.held.begin < end_of(slot) and slot.begin < end_of(one.held)  # type: ignore[operator]
        assert (one.gap_min < 0) is overlaps


def test_two_clinics_of_one_address_need_no_way() -> None:
    first, second = (Appointment(one, "Dra. Ana Reis", DAY, time(hour)) for one, hour in (("x", 9), ("y", 10)))
    details = CLINICS[0].details
    here = [Clinic(name, name, name, (), details) for name in ("x", "y")]
    apart = [Clinic(name, name, name) for name in ("x", "y")]
    assert visits_close_to([first], [second], here, 45) == ()
    assert [one.gap_min for one in visits_close_to([first], [second], apart, 45)] == [30]


def test_slots_taken_together_are_compared_too() -> None:
    first, second = (Appointment(one, "Dra. Ana Reis", DAY, time(9)) for one in ("clinic_a", "clinic_b"))
    assert [one.held for one in visits_close_to([first, second], (), CLINICS, 30)] == [first]


def test_a_visit_of_the_same_specialty_is_told_whatever_its_day() -> None:
    slot, alike = (Appointment("clinic_a", "Dra. Ana Reis", day, time(9)) for day in (DAY, DAY + timedelta(days=9)))
    other = Appointment("clinic_b", "Dra. Marina Teles", DAY + timedelta(days=9), time(9))
    assert [(one.held, one.alike) for one in visits_close_to([slot], {alike, other}, CLINICS, 30)] == [(alike, True)]
