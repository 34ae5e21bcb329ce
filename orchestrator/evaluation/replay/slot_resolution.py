"""Resolve the slots that a text names by what the clinics list; one named in full is taken as named."""

from collections.abc import Collection, Iterable, Sequence

from orchestrator.evaluation.replay.slot_mentions import NamedSlot
from orchestrator.turn import ANYTHING, Appointment, Clinic, Offer, Wish, fits


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
        slots = [*held, *(Appointment(one.clinic, one.doctor, one.date, one.time) for one in self._openings)]
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
        return None if fitting else self._as_named(named)

    def _doctors(self, named: NamedSlot, talked_of: Collection[str]) -> Collection[str]:
        doctors = named.doctors or talked_of or tuple(self._clinic_of)
        for narrower in (
            tuple(doctor for doctor in doctors if self._clinic_of.get(doctor) in named.clinics),
            tuple(doctor for doctor in doctors if doctor in talked_of),
        ):
            doctors = narrower or doctors
        return doctors

    def _as_named(self, named: NamedSlot) -> Appointment | None:
        if len(named.doctors) != 1 or not named.dates or not named.times:
            return None
        (doctor,) = named.doctors
        return Appointment(self._clinic_of[doctor], doctor, named.dates[0], named.times[0])
