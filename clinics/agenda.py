"""The two calendars that a clinic can hold: a rolling one, and the fixed July 2025 of the blueprint.

Says which slots should exist on a given day. What became of them is in the silo, and is never changed from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from clinics.profile import Profile
from clinics.slots import Slot

AgendaName = Literal["rolling", "blueprint"]
AGENDAS: tuple[AgendaName, ...] = get_args(AgendaName)
HORIZON_DAYS = 14


@dataclass(frozen=True, slots=True)
class Agenda:
    """A clinic's calendar.

    Attributes:
        name: Which one.
        doctors: Full names of those who attend in it, in the profile's order.
        planned: Returns the slots that should exist on a given day (America/Sao_Paulo), all of them open.
    """

    name: AgendaName
    doctors: tuple[str, ...]
    planned: Callable[[date], tuple[Slot, ...]]


def agenda_of(profile: Profile, name: AgendaName) -> Agenda:
    """Returns one of a clinic's calendars.

    Args:
        profile: The clinic.
        name: Which calendar.
    """
    if name == "blueprint":
        attending = {ref.doctor for ref in profile.blueprint}
        slots = tuple(Slot(ref.doctor, profile.label, ref.date, ref.time) for ref in profile.blueprint)
        doctors = tuple(doctor.name for doctor in profile.doctors if doctor.name in attending)
        return Agenda(name, doctors, lambda _: slots)
    return Agenda(name, tuple(doctor.name for doctor in profile.doctors), lambda today: tuple(_rolling(profile, today)))


def _rolling(profile: Profile, today: date) -> Iterator[Slot]:
    for doctor in profile.doctors:
        for ahead in range(HORIZON_DAYS + 1):
            day = today + timedelta(days=ahead)
            for time in doctor.hours.get(day.weekday(), ()):
                yield Slot(doctor.name, profile.label, day.isoformat(), time)
