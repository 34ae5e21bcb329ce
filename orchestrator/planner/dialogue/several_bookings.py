"""Plan to take several openings at once: "marca a 1 e a 3", "o Fernando às 10 e o Gustavo às 8"."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from orchestrator import turn
from orchestrator.planner.dialogue.booking import commits
from orchestrator.planner.dialogue.plan_builders import call, slot_named
from orchestrator.planner.dialogue.situation import Situation
from orchestrator.planner.lexicon import pattern
from orchestrator.planner.wishes import Kind

_MOST = 4
_ONE_OF_THEM = frozenset({Kind.OR, Kind.EITHER, Kind.NOT, Kind.EXCEPT, Kind.FALLBACK})
"""Words with which several openings are named and not all are wanted."""


def book_several(here: Situation) -> turn.Plan | None:
    """Propose two to four openings, each chosen by its row, or named with its doctor and time."""
    proposal = here.session.proposal
    corrects = proposal is not None and len(proposal.plan.steps) > 1
    cues = here.said.cues
    asks = "?" in here.said.text.folded or (cues.question and not cues.books)
    one_of_them = any(token.kind in _ONE_OF_THEM for token in here.said.wishes.tokens)
    if (proposal is not None and not corrects) or cues.denies or asks or one_of_them:
        return None
    takes = commits(here) or (here.session.printed and not (cues.intents or cues.question or cues.states))
    slots = _first_of_each(here) or _of_rows(here) or (takes and (_named_one_by_one(here) or _at_hours(here))) or ()
    if not (1 if corrects else 2) <= len(slots) <= _MOST or len({slot.begin for slot in slots}) < len(slots):
        return None
    plan = call(here, map(turn.booking_step, slots), "Several openings were chosen, each by itself.")
    return replace(plan, asks_first=True)


def _first_of_each(here: Situation) -> Sequence[turn.Appointment]:
    """Return the first opening of each request that is listed, on one day where one day was asked for."""
    question, offers = here.session.question, sorted(here.session.offers, key=attrgetter("date", "time"))
    each = here.said.pointer.both or pattern("patterns", "of_each").search(here.said.text.folded)
    if question is None or not each:
        return ()
    if len(question.waiting) < 2:  # of a list of one opening of each specialty all are meant
        codes = {here.specialty_of(offer.clinic) for offer in offers}
        return [offer.slot for offer in offers] if len(codes) == len(offers) else ()
    one_day = "same_day" in question.known
    for day in dict.fromkeys(offer.date for offer in offers):
        open_then = [offer.slot for offer in offers if offer.date == day or not one_day]
        found = [next((one for one in open_then if turn.fits(wish.widest, one)), None) for wish in question.waiting]
        if all(found):
            return [one for one in found if one is not None]
    return ()


def _of_rows(here: Situation) -> Sequence[turn.Appointment]:
    numbers = here.said.pointer.numbers
    rows = [] if here.said.moments else [one.slot for one in here.session.printed if one.number in numbers]
    return rows if len(rows) == len(numbers) else ()


def _named_one_by_one(here: Situation) -> Sequence[turn.Appointment]:
    whole = turn.conjuncts(here.wish.filter)
    several = (part.parts for part in whole if isinstance(part, turn.AnyOf))
    parts = next((parts for parts in several if all(map(_names_one, parts))), ())
    found = [_opening_named(part, here) for part in parts]
    return [one for one in found if one is not None and not here.is_past(one.date, one.time)] if all(found) else ()


def _at_hours(here: Situation) -> Sequence[turn.Appointment]:
    """Return the rows at hours that are each that of one: "marca a das 9 e a das 4 e meia"."""
    wanted = here.said.wishes.alone[0].wish.filter
    if not any(token.kind is Kind.AND for token in here.said.wishes.tokens):
        return ()
    hours = [span.first for span in turn.hours_of(wanted) if span.first == span.last]
    rows = [[one.slot for one in here.session.printed if one.time == at and turn.fits(wanted, one)] for at in hours]
    return [row[0] for row in rows] if all(len(row) == 1 for row in rows) else ()


def _names_one(part: turn.Filter) -> bool:
    return {turn.WithDoctors, turn.AtTimes} <= {type(one) for one in turn.conditions_of(part)}


def _opening_named(part: turn.Filter, here: Situation) -> turn.Appointment | None:
    """Return the one opening shown that a part of a wish admits, else the slot that it names in full."""
    wanted = turn.all_of([part, here.wish.filter])
    shown = [offer.slot for offer in here.session.offers if turn.fits(wanted, offer.slot)]
    return shown[0] if len(shown) == 1 else slot_named(part, here)
