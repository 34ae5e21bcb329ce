"""Find the slots that a sentence names, and which of the clinics' slots they are; one named in full is taken as named.

Doctor, day and time stand in any order, and with omissions:
"Dr. A em 21/07 às 9h e 10:30; Dr. B no dia 22 às 14h" names three. What is omitted is carried over.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta

from orchestrator.planner.calendar import Atom, Clock, Day, Reference, Weekday, find_values, readings
from orchestrator.planner.text import Text, normalise
from orchestrator.planner.wishes import find_clinics, find_doctors
from orchestrator.turn import ANYTHING, Appointment, Clinic, Offer, Wish, fits

_WEEKS_AHEAD = 5
_TIES = re.compile(r"[ ,]*(?:on|of|na|no|da|do|de|em)(?: (?:the|dia|proxim[oa]))* ")
_SAME_DOCTOR = re.compile(r"\b(?:com el[ea]|with (?:him|her|them)|mesm[oa] medic[oa]|same doctor)\b")


@dataclass(frozen=True, slots=True)
class NamedSlot:
    """A slot as it was named; an ambiguous field has several values, an omitted one none."""

    doctors: tuple[str, ...] = ()  # full names that match
    clinics: tuple[str, ...] = ()  # ids of clinics that were named with it
    dates: tuple[date, ...] = ()  # possible days, the likeliest first
    times: tuple[time, ...] = ()  # possible times of day, the likeliest first
    action: str | None = None  # the tool that would use it, as far as said


@dataclass(frozen=True, slots=True)
class _Named:
    start: int
    doctors: tuple[str, ...]


class SlotReader:
    """Read a text clause by clause; its days are relative to `reference`."""

    def __init__(self, clinics: Sequence[Clinic], reference: Reference) -> None:
        self._clinics = clinics
        self._reference = reference
        self._before = NamedSlot()

    def read(self, text: Text) -> tuple[NamedSlot, ...]:
        """Return the slots of the next clause, in order."""
        doctors, found = self._doctors(text), list(find_values(text, self._reference))
        # Stretches of days or times name no slot.
        days = [one for one in found if isinstance(one.value, Day | Weekday) and one.value.dates]
        clocks = [one for one in found if isinstance(one.value, Clock)]
        clinics, _ = find_clinics(text, self._clinics)
        here = replace(self._before, clinics=clinics or self._before.clinics)
        first_day = _dates(days[0]) if days else ()
        slots = [
            replace(
                here,
                doctors=_doctor_at(clock.start, clocks[0].start, doctors) or here.doctors,
                dates=_dates_at(clock, days, text.folded) or here.dates or first_day,
                times=readings(clock.value),
            )
            for clock in clocks
            if isinstance(clock.value, Clock)
        ]
        self._before = replace(
            here,
            doctors=doctors[-1].doctors if doctors else here.doctors,
            dates=_dates(days[-1]) if days else here.dates,
        )
        return tuple(slots)

    def _doctors(self, text: Text) -> tuple[_Named, ...]:
        named = []  # "com ele" is the doctor before
        for start, end in find_doctors(text, self._clinics).spans:
            alone = find_doctors(normalise(f"dr. {text.typed(start, end)}"), self._clinics)
            named.append(_Named(start, tuple(doctor.name for doctor in alone.found)))
        for match in _SAME_DOCTOR.finditer(text.folded):
            before = [doctor.doctors for doctor in named if doctor.start < match.start()]
            named.append(_Named(match.start(), before[-1] if before else self._before.doctors))
        return tuple(sorted(named, key=lambda doctor: doctor.start))


def _doctor_at(place: int, first_clock: int, doctors: Sequence[_Named]) -> tuple[str, ...]:
    # The doctor before a time, or behind it where times come first ("às 9h com o Dr. A").
    if not doctors:
        return ()
    before = [doctor for doctor in doctors if doctor.start < place]
    behind = [doctor for doctor in doctors if doctor.start > place]
    chosen = (behind or before[-1:]) if doctors[0].start > first_clock else (before[-1:] or behind)
    return chosen[0].doctors


def _dates_at(clock: Atom, days: Sequence[Atom], folded: str) -> tuple[date, ...]:
    # The day that a preposition ties to the time ("às 10h na sexta"), or else the one before it.
    before = [day for day in days if day.start < clock.start]
    behind = [day for day in days if day.start > clock.start]
    if behind and _TIES.fullmatch(folded[clock.end : behind[0].start]):
        return _dates(behind[0])
    return _dates(before[-1]) if before else ()


def _dates(day: Atom) -> tuple[date, ...]:
    # A bare weekday may be any of the next weeks'.
    if isinstance(day.value, Weekday):
        return tuple(day.value.dates[0] + timedelta(weeks=week) for week in range(_WEEKS_AHEAD))
    return day.value.dates if isinstance(day.value, Day) else ()


class SlotResolver:
    """Resolve named slots by the clinics and their openings."""

    def __init__(self, clinics: Sequence[Clinic], openings: Sequence[Offer]) -> None:
        self._clinics = tuple(clinics)
        self._clinic_of = {doctor: clinic.id for clinic in clinics for doctor in clinic.doctors}
        self._openings = sorted(openings, key=lambda offer: (offer.date, offer.time, offer.clinic, offer.doctor))

    def doctors_of(self, clinics: Collection[str]) -> tuple[str, ...]:
        """Return the full names of the doctors of some clinics."""
        return tuple(doctor for clinic in self._clinics if clinic.id in clinics for doctor in clinic.doctors)

    def specialty_of(self, doctor: str) -> str:
        """Return the code of a doctor's specialty; empty for an unknown doctor."""
        return next((clinic.specialty for clinic in self._clinics if doctor in clinic.doctors), "")

    def settle(
        self, named: NamedSlot, talked_of: Collection[str] = (), wish: Wish = ANYTHING, held: Iterable[Appointment] = ()
    ) -> Appointment | None:
        """Return the slot that is meant, which may be one of the `held`; None when it is not certain.

        `talked_of` are full names of the doctors in question; empty when any could be meant.
        """
        doctors = self._doctors(named, talked_of)
        slots = [*held, *(one.slot for one in self._openings)]
        fitting = [
            slot
            for slot in slots
            if slot.doctor in doctors
            and (not named.dates or slot.date in named.dates)
            and (not named.times or slot.time in named.times)
        ]
        for narrower in (
            [slot for slot in fitting if slot.date == named.dates[0]] if named.dates else fitting,
            [slot for slot in fitting if fits(wish.widest, slot)],
        ):
            fitting = narrower or fitting
        if len({(slot.doctor, slot.date) for slot in fitting}) == 1:
            return min(fitting, key=lambda slot: named.times.index(slot.time))
        if fitting and named.dates and len(doctors) == 1:
            return fitting[0]
        if fitting or len(named.doctors) != 1 or not named.dates or not named.times:
            return None
        (doctor,) = named.doctors
        return Appointment(self._clinic_of[doctor], doctor, named.dates[0], named.times[0])

    def _doctors(self, named: NamedSlot, talked_of: Collection[str]) -> Collection[str]:
        doctors = named.doctors or talked_of or tuple(self._clinic_of)
        for narrower in (
            tuple(doctor for doctor in doctors if self._clinic_of.get(doctor) in named.clinics),
            tuple(doctor for doctor in doctors if doctor in talked_of),
        ):
            doctors = narrower or doctors
        return doctors
