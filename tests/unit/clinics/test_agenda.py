from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clinics.agenda import HORIZON_DAYS, agenda_of
from clinics.profile import known_clinics, load_profile
from clinics.slots import Snapshot
from clinics.startup import StartupError

CLINICS = ["clinic_a", "clinic_b", "clinic_c", "clinic_d", "clinic_e", "clinic_f"]
TODAY = date(2025, 7, 15)


def starts(clinic_id: str) -> list[tuple[str, str]]:
    return [slot.start for slot in agenda_of(load_profile(clinic_id), "blueprint").planned(TODAY)]


def test_there_are_six_clinics() -> None:
    assert list(known_clinics()) == CLINICS


def test_an_unknown_clinic_is_a_usage_error_that_names_the_known_ones() -> None:
    with pytest.raises(StartupError) as error:
        load_profile("clinic_z")
    assert error.value.usage
    assert ", ".join(CLINICS) in str(error.value)


@pytest.mark.parametrize("clinic_id", CLINICS)
def test_the_blueprint_agenda_is_one_doctor_with_six_slots_in_the_second_half_of_july_2025(clinic_id: str) -> None:
    agenda = agenda_of(load_profile(clinic_id), "blueprint")
    slots = agenda.planned(TODAY)
    assert len(slots) == 6
    assert {slot.doctor for slot in slots} == set(agenda.doctors)
    assert len(agenda.doctors) == 1
    assert all("2025-07-16" <= slot.date <= "2025-07-31" for slot in slots)
    assert slots == agenda.planned(TODAY + timedelta(days=400))
    Snapshot(slots)  # no two at one time


def test_the_blueprint_agenda_holds_the_blueprints_own_slots() -> None:
    assert {("2025-07-21", "09:00"), ("2025-07-21", "10:30"), ("2025-07-23", "08:00")} <= set(starts("clinic_a"))
    assert sorted(starts("clinic_c"))[:2] == [("2025-07-18", "10:00"), ("2025-07-19", "14:00")]
    assert min(starts("clinic_a")) > ("2025-07-19", "14:00")
    assert agenda_of(load_profile("clinic_a"), "blueprint").doctors == ("Dr. Ricardo Lopes",)
    assert agenda_of(load_profile("clinic_c"), "blueprint").doctors == ("Dr. Fernando Mendes",)


@given(st.sampled_from(CLINICS), st.dates(date(2024, 1, 1), date(2040, 1, 1)))
def test_the_rolling_agenda_reaches_from_today_to_the_horizon(clinic_id: str, today: date) -> None:
    profile = load_profile(clinic_id)
    agenda = agenda_of(profile, "rolling")
    slots = agenda.planned(today)
    Snapshot(slots)  # no two at one time
    assert all(today <= date.fromisoformat(slot.date) <= today + timedelta(days=HORIZON_DAYS) for slot in slots)
    for doctor in profile.doctors:
        mine = [slot for slot in slots if slot.doctor == doctor.name]
        assert len(mine) >= 3, "every doctor attends every week"
        assert all(slot.time in doctor.hours[date.fromisoformat(slot.date).weekday()] for slot in mine)


def test_the_next_day_adds_the_new_day_only() -> None:
    agenda = agenda_of(load_profile("clinic_a"), "rolling")
    today, tomorrow = set(agenda.planned(TODAY)), set(agenda.planned(TODAY + timedelta(days=1)))
    assert {slot.date for slot in tomorrow - today} <= {(TODAY + timedelta(days=HORIZON_DAYS + 1)).isoformat()}
    assert {slot.date for slot in today - tomorrow} <= {TODAY.isoformat()}


def test_each_specialty_has_two_clinics_and_no_surname_is_shared() -> None:
    profiles = [load_profile(clinic_id) for clinic_id in CLINICS]
    assert Counter((profile.specialty, profile.label) for profile in profiles) == {
        ("Cardiology", "Cardiologia"): 2,
        ("Dermatology", "Dermatologia"): 2,
        ("Orthopedics", "Ortopedia"): 2,
    }
    names = [doctor.name.split() for profile in profiles for doctor in profile.doctors]
    assert max(Counter(parts[-1] for parts in names).values()) == 1
    assert [name for name, count in Counter(parts[1] for parts in names).items() if count > 1] == ["Marina"]
