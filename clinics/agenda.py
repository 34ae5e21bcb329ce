"""The two calendars of a clinic, a rolling one and the fixed July 2025 of the blueprint, and their upkeep."""

import logging
import secrets
import string
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from datetime import date, timedelta
from functools import partial
from typing import Any, Literal, get_args

from clinics import schedule
from clinics.profile import Profile
from clinics.schedule import HouseRules, overlapping_ahead
from clinics.slots import Slot, Visit
from clinics.store import SlotStore
from generated.clinic.v1 import clinic_service_pb2 as pb
from mesh.clock import Clock
from mesh.errors import DomainError

AgendaName = Literal["rolling", "blueprint"]
AGENDAS: tuple[AgendaName, ...] = get_args(AgendaName)
HORIZON_DAYS = 14

_log = logging.getLogger(__name__)
_LOOK_S = 30.0  # how often the date is looked at; a machine that slept over midnight notices this soon
_WRITE_S = 20.0
_ID_LETTERS = 24


@dataclass(frozen=True, slots=True)
class Agenda:
    """A clinic's calendar."""

    name: AgendaName
    doctors: tuple[str, ...]  # those who attend in it, in the profile's order
    planned: Callable[[date], tuple[Slot, ...]]  # the slots that should exist on a day, all open
    rules: HouseRules  # the blueprint knows no rules but the length of a visit
    specialty: str  # the code of the clinic's, such as "Cardiology"

    def slots_on(self, day: date, doctor: str) -> Sequence[Slot]:
        """Return the slots of a doctor that should exist on a day, all open."""
        return [slot for slot in self.planned(day) if slot.date == day.isoformat() and slot.doctor == doctor]

    def described(self, slot: Slot) -> dict[str, Any]:
        """Return the fields that all messages of a slot have: with whom, when and for how long it is."""
        when = {"date": slot.date, "time": slot.time, "duration_min": self.rules.duration_of(slot.doctor)}
        return {"doctor": slot.doctor, "specialty": slot.specialty, "specialty_code": self.specialty, **when}

    def open_slot(self, slot: Slot) -> pb.Slot:
        """Return the message of an open slot."""
        return pb.Slot(available=True, **self.described(slot))


def agenda_of(profile: Profile, name: AgendaName) -> Agenda:
    """Return one of a clinic's calendars."""
    if name == "blueprint":
        attending = {ref.doctor for ref in profile.blueprint}
        slots = tuple(Slot(ref.doctor, profile.label, ref.date, ref.time) for ref in profile.blueprint)
        doctors = tuple(doctor.name for doctor in profile.doctors if doctor.name in attending)
        rules = HouseRules(profile.rules.duration_min, profile.rules.durations)
        return Agenda(name, doctors, lambda _: slots, rules, profile.specialty)
    doctors = tuple(doctor.name for doctor in profile.doctors)
    return Agenda(name, doctors, lambda today: tuple(_rolling(profile, today)), profile.rules, profile.specialty)


def _rolling(profile: Profile, today: date) -> Iterator[Slot]:
    for doctor in profile.doctors:
        for ahead in range(HORIZON_DAYS + 1):
            day = today + timedelta(days=ahead)
            for time in doctor.hours.get(day.weekday(), ()):
                yield Slot(doctor.name, profile.label, day.isoformat(), time)


def new_visit() -> Visit:
    """Return an appointment with an id of its own: letters only, which no reader takes for a CPF or a phone number."""
    return Visit("".join(secrets.choice(string.ascii_lowercase) for _ in range(_ID_LETTERS)))


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
            planned = self._agenda.planned(today)  # at the start, appointments of earlier releases get ids, too
            self._store.commit(partial(schedule.complete, planned=planned, new_visit=new_visit), _WRITE_S)
            if self._complete_for is None:
                self._name_overlaps()
            self._complete_for = today

    def _name_overlaps(self) -> None:
        snapshot, rules = self._store.snapshot, self._agenda.rules
        for at in overlapping_ahead(snapshot, rules, self._clock()):
            told = "the slot of %s on %s at %s overlaps another one of the same doctor; only one of them can be held"
            _log.warning(told, *astuple(snapshot.slots[at].ref))
        for at in schedule.conflicts(snapshot, self._clock(), rules):
            told = "the appointment with %s on %s at %s overlaps another one of its holder; call them"
            _log.warning(told, *astuple(snapshot.slots[at].ref))

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
