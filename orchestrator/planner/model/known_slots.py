"""The slots that a model may name in a turn, each by a handle; an unknown handle stands for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from orchestrator.planner.dialogue import Situation, slot_of
from orchestrator.planner.text import normalise
from orchestrator.planner.wishes import NamedDoctor, find_doctors
from orchestrator.turn import Appointment, Clinic, Plan


class Origin(StrEnum):
    """Where a slot is known from; the value begins its handle."""

    OPEN = "slot"  # shown as open in this conversation
    HELD = "appointment"  # booked in this conversation
    NAMED = "named"  # its doctor, day and time were said


@dataclass(frozen=True, slots=True)
class KnownSlot:
    """A slot that may be written."""

    origin: Origin
    number: int  # from 1 within its origin; that of an opening is the one on the screen
    slot: Appointment  # where, with whom and when

    @property
    def handle(self) -> str:
        """What a model calls it, such as "slot:3"."""
        return f"{self.origin}:{self.number}"


_HANDLE = re.compile(rf"\W*({'|'.join(Origin)})\W*([0-9]{{1,4}})\W*", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KnownSlots:
    """All slots of a turn, in the order open, held, named."""

    slots: tuple[KnownSlot, ...]

    @classmethod
    def of(cls, here: Situation, offline: Plan) -> KnownSlots:
        """Return the slots of a turn; those of a proposal and of the grammar's writes count as named."""
        held = here.session.appointments
        offers = [KnownSlot(Origin.OPEN, offer.number, offer.slot) for offer in here.session.printed]
        shown = [offer for offer in offers if offer.slot not in held and not _is_past(here, offer.slot)]
        known = {*(offer.slot for offer in shown), *held}
        proposal = here.session.proposal
        proposed = () if proposal is None else proposal.plan.steps
        said = dict.fromkeys((*(slot for step in (*proposed, *offline.steps) for slot in step.slots), *_said(here)))
        named = [slot for slot in said if slot not in known and not _is_past(here, slot)]
        return cls((*shown, *_numbered(Origin.HELD, held), *_numbered(Origin.NAMED, named)))

    def of_origin(self, origin: Origin) -> tuple[KnownSlot, ...]:
        """Return the slots known from there."""
        return tuple(known for known in self.slots if known.origin is origin)

    def called(self, text: str) -> KnownSlot | None:
        """Return the slot of a handle, however it is decorated ("{slot:3}", "Slot 3")."""
        match = _HANDLE.fullmatch(text)
        if match is None:
            return None
        handle = f"{match[1].lower()}:{int(match[2])}"
        return next((known for known in self.slots if known.handle == handle), None)

    def at(self, doctor: NamedDoctor | None, day: str, at: str) -> KnownSlot | None:
        """Return the slot of a doctor, a day and a time as the contract writes them."""
        if doctor is None:
            return None
        wanted = (doctor.clinic, doctor.name, day.strip(), at.strip())
        return next((known for known in self.slots if _as_written(known.slot) == wanted), None)


def doctor_called(text: str, clinics: Iterable[Clinic]) -> NamedDoctor | None:
    """Return the one doctor of some clinics that a text names, in full or in part."""
    found = find_doctors(normalise(text), tuple(clinics)).found
    return found[0] if len(found) == 1 else None


def _numbered(origin: Origin, slots: Iterable[Appointment]) -> Iterator[KnownSlot]:
    return (KnownSlot(origin, number, slot) for number, slot in enumerate(slots, 1))


def _said(here: Situation) -> Iterator[Appointment]:
    doctor = here.doctor or here.chosen_doctor
    for moment in here.said.moments:
        slot = slot_of(moment)
        if doctor is not None and slot is not None:
            yield Appointment(doctor.clinic, doctor.name, *slot)


def _is_past(here: Situation, slot: Appointment) -> bool:
    return here.is_past(slot.date, slot.time)


def _as_written(slot: Appointment) -> tuple[str, str, str, str]:
    return slot.clinic, slot.doctor, slot.date.isoformat(), f"{slot.time:%H:%M}"
