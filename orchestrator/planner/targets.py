"""Finds the new slot of an appointment that is moved, and tells it from the old one.

A target is certain or it is none: said in full, taken over in part from the appointment ("mesma hora"), or settled by
the openings that were shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time

from orchestrator.plan import Topic
from orchestrator.planner import calendar_math
from orchestrator.planner.appointments import day_of, in_question, time_of
from orchestrator.planner.consent import answer
from orchestrator.planner.drafts import clock
from orchestrator.planner.intents import Intent
from orchestrator.planner.moments import Moment, Role
from orchestrator.planner.situation import Situation, slot_of
from orchestrator.session import Appointment, Offer
from orchestrator.slot_filter import SlotFilter

Ends = tuple[Moment, ...]


def ends(here: Situation) -> tuple[Ends, Ends]:
    """Which moments describe the appointment as it is, and which the new slot."""
    found = here.said.moments.found
    if here.is_asked(Topic.ASK_APPOINTMENT) and Intent.MOVE not in here.said.cues.intents:
        return found[:1], found[1:]
    if len(found) > 1:
        backwards = found[0].role is Role.TARGET and found[1].role is not Role.TARGET
        return (found[1:2], found[:1]) if backwards else (found[:1], found[1:2])
    if found and found[0].role is Role.SOURCE and in_question(here) is None:
        return found, ()
    return (), found


def on_the_same_day(sources: Ends, targets: Ends) -> Ends:
    """The appointment as it is when only its time was said: "das 9h para as 10:30 do dia 21"."""
    days = targets[0].dates if targets else ()
    return tuple(replace(source, dates=source.dates or days) for source in sources if source.times)


def target_of(here: Situation, held: Appointment, targets: Ends) -> tuple[date, time] | None:
    """The new slot, when it is certain.

    Args:
        here: The turn.
        held: The appointment that is moved.
        targets: The moments that describe the new slot.
    """
    offered = [offer for offer in here.session.offers if offer.doctor == held.doctor]
    said = targets[0] if targets else _said_before(here)
    if said is None:
        return _pointed_at(here, offered)
    moment = _around(said, held)
    if not moment.exists:
        return None
    if here.said.pointer.same_time and moment.date is not None:
        return moment.date, held.time
    fitting = {(offer.date, offer.time) for offer in offered if moment.matches(offer.date, offer.time)}
    settled = fitting.pop() if len(fitting) == 1 and moment.times else None
    if moment.dates or moment.days or moment.time is None:
        return slot_of(moment) or settled
    return settled if in_question(here) is not None and settled else (held.date, moment.time)


def filter_of(here: Situation, held: Appointment, targets: Ends) -> SlotFilter:
    """When the new slot suits, as a filter over the openings that settle it."""
    if not targets:
        return SlotFilter()
    return replace(here.said.filter, dates=_around(targets[0], held).filter.dates)


def _around(moment: Moment, held: Appointment) -> Moment:
    """A bare weekday that comes before the appointment may as well be the one after it."""
    if moment.weekday is None or not moment.dates or moment.dates[0] >= held.date:
        return moment
    return replace(moment, dates=(*moment.dates, calendar_math.coming(moment.weekday, held.date)))


def _pointed_at(here: Situation, offered: Sequence[Offer]) -> tuple[date, time] | None:
    """The opening that is meant without naming a time: by number, as the earliest, or as the only one shown."""
    pointer = here.said.pointer
    ordered = sorted(offered, key=lambda offer: (offer.date, offer.time))
    if pointer.numbers:
        ordered = [offer for offer in ordered if offer.number in pointer.numbers]
    elif pointer.earliest or pointer.latest:
        ordered = ordered[:1] if pointer.earliest else ordered[-1:]
    elif not (pointer.this or answer(here.said.text.original)):
        return None
    return (ordered[0].date, ordered[0].time) if len(ordered) == 1 else None


def _said_before(here: Situation) -> Moment | None:
    """The new slot that was said before it was asked which appointment is meant."""
    day, at = day_of(here.known.get("new_date")), time_of(here.known.get("new_time"))
    if day is None and at is None:
        return None
    return Moment(0, 0, dates=(day,) if day else (), times=(at,) if at else ())


def partly_known(targets: Ends) -> dict[str, str]:
    """What is settled of the new slot so far."""
    known: dict[str, str] = {}
    for moment in targets:
        if moment.date is not None:
            known["new_date"] = moment.date.isoformat()
        if moment.time is not None:
            known["new_time"] = clock(moment.time)
    return known
