"""The two calendars of a clinic, a rolling one and the fixed July 2025 of the blueprint, and their upkeep."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Literal, get_args

from clinics import schedule
from clinics.profile import Profile
from clinics.slots import Slot
from clinics.store import SlotStore
from mesh.clock import Clock
from mesh.errors import DomainError

AgendaName = Literal["rolling", "blueprint"]
AGENDAS: tuple[AgendaName, ...] = get_args(AgendaName)
HORIZON_DAYS = 14

_log = logging.getLogger(__name__)
_LOOK_S = 30.0  # how often the date is looked at; a machine that slept over midnight notices this soon
_WRITE_S = 20.0


@dataclass(frozen=True, slots=True)
class Agenda:
    """A clinic's calendar."""

    name: AgendaName
    doctors: tuple[str, ...]  # those who attend in it, in the profile's order
    planned: Callable[[date], tuple[Slot, ...]]  # the slots that should exist on a day, all open


def agenda_of(profile: Profile, name: AgendaName) -> Agenda:
    """Return one of a clinic's calendars."""
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


class Upkeep:
    """Add the slots of a new day, at the start and while the clinic runs; never change any."""

    def __init__(self, store: SlotStore, agenda: Agenda, clock: Clock) -> None:
        self._store = store
        self._agenda = agenda
        self._clock = clock
        self._complete_for: date | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="agenda-upkeep", daemon=True)

    def run_once(self) -> None:
        """Add the slots of today that the store does not hold, once a day; raise DomainError if it cannot write."""
        today = self._clock().date()
        if today != self._complete_for:
            rule = partial(schedule.add_missing, planned=self._agenda.planned(today))
            self._store.commit(rule, _WRITE_S)
            self._complete_for = today

    def start(self) -> None:
        """Look at the date from now on, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(_LOOK_S):
            try:
                self.run_once()
            except DomainError as error:
                _log.warning("today's slots could not be added yet: %s", error.message)
