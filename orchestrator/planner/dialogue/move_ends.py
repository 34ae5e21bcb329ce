"""Splits what a change says into its two ends: the appointment as it is, and the slot that is wanted in its place.

"Do dia 18 para o dia 19", "troca o Dr. Fernando pelo Dr. Ricardo": moments tell their end by the words before them,
names also by whether anything is held there. Finding the appointment and the slot is for others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from orchestrator.planner.calendar import Moment, MomentRole
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.text import table
from orchestrator.planner.understanding import Intent, NamedDoctor
from orchestrator.turn import Topic


@dataclass(frozen=True, slots=True)
class End:
    """What was said of one end of a change.

    Attributes:
        moments: When it is.
        doctors: With whom.
        clinics: Where, by id.
    """

    moments: tuple[Moment, ...] = ()
    doctors: tuple[NamedDoctor, ...] = ()
    clinics: tuple[str, ...] = ()


def ends(here: Situation) -> tuple[End, End]:
    """The appointment as it is, and the slot that is wanted."""
    old, new = _moments(here)
    doctors = _doctors(here)
    wanted = tuple(doctor for doctor in doctors if _is_wanted(here, doctor))
    others = tuple(doctor for doctor in doctors if doctor not in wanted)
    places = _places(here)
    if not wanted and _names_wanted(here) and not _is_held(here, places):
        return End(old, others), End(new, wanted, places)
    return End(old, others, () if wanted else places), End(new, wanted)


def all_of(here: Situation) -> End:
    """All that was said, of the appointment as it is: a cancellation has no other end."""
    return End(here.said.moments.found, _doctors(here), _places(here))


def _doctors(here: Situation) -> tuple[NamedDoctor, ...]:
    """The doctors that were named, or the one that was chosen from those a question showed."""
    chosen = here.chosen_doctor
    return here.doctors or ((chosen,) if chosen is not None else ())


def on_the_same_day(source: End, target: End) -> End:
    """The appointment as it is when only its time was said: "das 9h para as 10:30 do dia 21"."""
    days = target.moments[0].dates if target.moments else ()
    return replace(
        source,
        moments=tuple(replace(moment, dates=moment.dates or days) for moment in source.moments if moment.times),
    )


def _moments(here: Situation) -> tuple[tuple[Moment, ...], tuple[Moment, ...]]:
    found = here.said.moments.found
    if _answers_which(here) and Intent.MOVE not in here.said.cues.intents:
        return found[:1], found[1:]
    if here.said.shift is not None and here.in_question is None:
        # The amount tells the new day, so a day that is named is the appointment's: "on July 21 by two days".
        return tuple(one for one in found if one.dates or one.days), tuple(
            one for one in found if not (one.dates or one.days)
        )
    if len(found) > 1:
        backwards = found[0].role is MomentRole.TARGET and found[1].role is not MomentRole.TARGET
        return (found[1:2], found[:1]) if backwards else (found[:1], found[1:2])
    held = any(moment.matches(one.date, one.time) for moment in found for one in here.session.appointments)
    preferred = here.said.pointer.correcting and not held
    if found and found[0].role is MomentRole.SOURCE and here.in_question is None and not preferred:
        return found, ()
    return (), found


def _answers_which(here: Situation) -> bool:
    """Whether it was asked which appointment is meant."""
    return here.is_asked(Topic.ASK_APPOINTMENT) or here.is_asked(Topic.ASK_WHICH_APPOINTMENT)


def _is_wanted(here: Situation, doctor: NamedDoctor) -> bool:
    """Whether the new slot is to be with a doctor: said so, or nothing is held with them."""
    doctors, own = here.doctors, here.session.appointments
    if any(held.doctor == doctor.name for held in own) or not _names_wanted(here):
        return False
    if len(doctors) == 1 and any(_says_wanted(here, span) for span in here.said.doctors.spans):
        return True
    if own:
        return len(doctors) > 1 or all(moment.role is not MomentRole.SOURCE for moment in here.said.moments.found)
    return len(doctors) == len(here.said.doctors.spans) == 2 and doctor == doctors[1]


def _names_wanted(here: Situation) -> bool:
    """Whether what is named can be the new slot's: when a move is asked for, or its new slot was asked about."""
    return Intent.MOVE in here.said.cues.intents or here.in_question is not None or here.said.pointer.instead


def _says_wanted(here: Situation, span: tuple[int, int]) -> bool:
    return _towards().search(here.said.text.folded[: span[0]]) is not None


@cache
def _towards() -> re.Pattern[str]:
    return re.compile(table("references", "towards").pattern + r"[^a-z0-9]*$")


def _places(here: Situation) -> tuple[str, ...]:
    """The clinics that were named, or all of the specialties that were."""
    of_specialties = (clinic for specialty in here.said.specialties for clinic in here.clinics_of(specialty))
    return here.said.clinics or tuple(of_specialties)


def _is_held(here: Situation, clinics: Iterable[str]) -> bool:
    """Whether an appointment is held in one of these, or none is known of at all."""
    own = here.session.appointments
    return not own or any(held.clinic in clinics for held in own)
