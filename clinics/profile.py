"""Who a clinic is: its folder's clinic.json, read and checked.

Data only: what its calendar looks like on a given day is `clinics.agenda`, its patients are `clinics.patients`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clinics.document import Node, is_time, read
from clinics.matching import doctor_key
from clinics.slots import SlotRef
from clinics.startup import StartupError

CLINICS = Path(__file__).parent
ADVICE = "Correct this clinic's data."
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Doctor:
    """A doctor and when they attend.

    Attributes:
        name: The full name with title.
        hours: Starting times, HH:MM in order, by weekday (0 is Monday).
    """

    name: str
    hours: Mapping[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Profile:
    """Who a clinic is.

    Attributes:
        clinic_id: Its id in a registry, such as "clinic_a".
        name: What people call it, such as "Clínica A".
        specialty: The specialty's code, such as "Cardiology".
        label: The specialty in Portuguese, such as "Cardiologia".
        doctors: Who attends, in a fixed order.
        blueprint: The slots of July 2025.
    """

    clinic_id: str
    name: str
    specialty: str
    label: str
    doctors: tuple[Doctor, ...]
    blueprint: tuple[SlotRef, ...]


def known_clinics() -> tuple[str, ...]:
    """Returns the ids of all clinics: a folder with a clinic.json is one."""
    return tuple(sorted(path.parent.name for path in CLINICS.glob("*/clinic.json")))


def load_profile(clinic_id: str) -> Profile:
    """Reads a clinic's clinic.json.

    Args:
        clinic_id: The folder's name.

    Raises:
        StartupError: There is no such clinic, or its data are at fault.
    """
    known = known_clinics()
    if clinic_id not in known:
        raise StartupError(f"there is no clinic of this id; known are {', '.join(known)}", usage=True)
    root = read(CLINICS / clinic_id / "clinic.json", ADVICE)
    root.expect("id", "name", "specialty", "label", "doctors", "blueprint")
    if root.text("id") != clinic_id:
        root.fail("the id must be the folder's name", "id")
    doctors = tuple(_doctor(node) for node in root.children("doctors"))
    keys = {doctor_key(doctor.name) for doctor in doctors}
    if len(keys) != len(doctors) or not doctors:
        root.fail("at least one doctor is expected, and each once", "doctors")
    return Profile(
        clinic_id=clinic_id,
        name=root.text("name"),
        specialty=root.text("specialty"),
        label=root.text("label"),
        doctors=doctors,
        blueprint=tuple(_blueprint_slot(node, keys) for node in root.children("blueprint")),
    )


def _doctor(node: Node) -> Doctor:
    node.expect("name", "hours")
    hours = node.child("hours")
    hours.expect(optional=WEEKDAYS)
    return Doctor(
        name=node.text("name"),
        hours={WEEKDAYS.index(day): _times(hours, day) for day in WEEKDAYS if day in hours.fields},
    )


def _times(hours: Node, day: str) -> tuple[str, ...]:
    times = hours.texts(day)
    if not all(map(is_time, times)) or list(times) != sorted(set(times)):
        hours.fail("times as HH:MM are expected, in order and each once", day)
    return times


def _blueprint_slot(node: Node, doctors: set[str]) -> SlotRef:
    node.expect("doctor", "date", "time")
    ref = SlotRef(node.text("doctor"), node.date("date"), node.time("time"))
    if doctor_key(ref.doctor) not in doctors:
        node.fail("a doctor of this clinic is expected", "doctor")
    return ref
