"""Who a clinic is: its folder's clinic.json, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clinics.matching import doctor_key
from clinics.slots import SlotRef
from clinics.startup import StartupError, reading
from mesh.strict_document import Item, is_time

CLINICS = Path(__file__).parent
ADVICE = "Correct this clinic's data."
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Doctor:
    """A doctor, with title, and the starting times (HH:MM in order) by weekday (0 is Monday)."""

    name: str
    hours: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Profile:
    """Who a clinic is."""

    clinic_id: str  # such as "clinic_a"
    name: str
    specialty: str  # a code, such as "Cardiology"
    label: str  # the specialty in Portuguese
    doctors: tuple[Doctor, ...]
    blueprint: tuple[SlotRef, ...]  # the slots of July 2025


def known_clinics() -> tuple[str, ...]:
    """Return the ids of all clinics: a folder with a clinic.json is one."""
    return tuple(sorted(path.parent.name for path in CLINICS.glob("*/clinic.json")))


def load_profile(clinic_id: str) -> Profile:
    """Read a clinic's clinic.json, or raise StartupError."""
    known = known_clinics()
    if clinic_id not in known:
        raise StartupError(f"there is no clinic of this id; known are {', '.join(known)}", usage=True)
    with reading(CLINICS / clinic_id / "clinic.json", ADVICE) as root:
        fields = root.fields("id", "name", "specialty", "label", "doctors", "blueprint")
        if fields["id"].text() != clinic_id:
            fields["id"].fail("the id must be the folder's name")
        doctors = tuple(map(_doctor, fields["doctors"].items()))
        keys = {doctor_key(doctor.name) for doctor in doctors}
        if len(keys) != len(doctors) or not doctors:
            fields["doctors"].fail("at least one doctor is expected, and each once")
        return Profile(
            clinic_id=clinic_id,
            name=fields["name"].text(),
            specialty=fields["specialty"].text(),
            label=fields["label"].text(),
            doctors=doctors,
            blueprint=tuple(_blueprint_slot(item, keys) for item in fields["blueprint"].items()),
        )


def _doctor(item: Item) -> Doctor:
    fields = item.fields("name", "hours")
    hours = fields["hours"].fields(optional=WEEKDAYS)
    return Doctor(
        name=fields["name"].text(),
        hours={number: _times(hours[day]) for number, day in enumerate(WEEKDAYS) if day in hours},
    )


def _times(item: Item) -> tuple[str, ...]:
    times = item.texts()
    if not all(map(is_time, times)) or list(times) != sorted(set(times)):
        item.fail("times as HH:MM are expected, in order and each once")
    return times


def _blueprint_slot(item: Item, doctors: set[str]) -> SlotRef:
    fields = item.fields("doctor", "date", "time")
    ref = SlotRef(fields["doctor"].text(), fields["date"].date(), fields["time"].time())
    if doctor_key(ref.doctor) not in doctors:
        fields["doctor"].fail("a doctor of this clinic is expected")
    return ref
