"""What a person holds close to a slot: a visit that overlaps it, or that leaves too little time on the way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from operator import attrgetter

from orchestrator.turn.clinic import Clinic
from orchestrator.turn.step_actions import Appointment

_USUAL_MIN = 30  # how long a visit is taken to be where its clinic does not say


@dataclass(frozen=True, slots=True)
class CloseVisit:
    """A visit that is close to a slot."""

    held: Appointment
    gap_min: int  # minutes between the two; below 0 where they overlap


def visits_close_to(
    taken: Sequence[Appointment], held: Iterable[Appointment], clinics: Sequence[Clinic], travel_min: int
) -> tuple[CloseVisit, ...]:
    """Return what is close to slots, each other among it; between two visits at one address nobody travels."""
    places = {clinic.id: clinic.place or clinic.id for clinic in clinics}
    found = set[CloseVisit]()
    for place, slot in enumerate(taken):
        for other in (*taken[:place], *held):
            gap = _gap_min(slot, other)
            near = places.get(slot.clinic) == places.get(other.clinic)
            if other not in taken[place:] and gap < (0 if near else travel_min):
                found.add(CloseVisit(other, gap))
    return tuple(sorted(found, key=attrgetter("held.begin")))


def _gap_min(one: Appointment, other: Appointment) -> int:
    first, second = sorted((one, other), key=attrgetter("begin"))
    end = first.begin + timedelta(minutes=first.duration_min or _USUAL_MIN)
    return int((second.begin - end).total_seconds() // 60)
